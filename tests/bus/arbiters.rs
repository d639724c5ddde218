//! What arbiters may do, and who is none.

use std::collections::HashMap;
use std::process::Command;

use futures_util::StreamExt;
use zbus::{MessageStream, Variant};

use crate::common::*;

type Options<'a> = HashMap<&'a str, Variant<'a>>;

fn change<'a>(side: &'a str, key: &'a str, value: Variant<'static>) -> Options<'a> {
    HashMap::from([(side, Variant::from(HashMap::from([(key.to_owned(), value)])))])
}

/// The state without what every question changes.
fn standing(mut state: Dict) -> String {
    state.remove("seq");
    let mut keys: Vec<_> =
        state.into_iter().map(|(key, value)| format!("{key}={value:?}")).collect();
    keys.sort();
    keys.join("\n")
}

#[tokio::test]
async fn an_arbiter_plays_a_game_through() {
    let table = Table::lay().await;
    let state =
        table.new_game("40/10m+5s, 5m+5s", &[("profile", "us"), ("white-on", "right")]).await;
    assert_eq!((text(&state, "phase").as_str(), number(&state, "seq")), ("ready", 0));
    let state = table.order("Start", &"").await.unwrap();
    assert_eq!(text(&state, "phase"), "running");
    table.advance(10_000_000).await;
    let state = table.order("Press", &"white").await.unwrap();
    assert_eq!(text(&state, "to_move"), "black");
    assert_eq!(number(&side(&state, "white"), "remaining_us"), 600_000_000);
    let state = table.order("Pause", &"a claim").await.unwrap();
    assert_eq!(text(&state, "phase"), "paused");
    let changes = change("white", "add_us", (-60_000_000_i64).into());
    let seq = u64::try_from(number(&state, "seq")).unwrap();
    let state = table.order("Adjust", &(changes, "late", seq)).await.unwrap();
    assert_eq!(number(&side(&state, "white"), "remaining_us"), 540_000_000);
    let state = table.order("UndoPress", &(1_u32, true, 0_u64)).await.unwrap();
    assert_eq!(text(&state, "to_move"), "white");
    assert_eq!(number(&side(&state, "white"), "remaining_us"), 535_000_000);
    let state = table.order("Resume", &"black").await.unwrap();
    assert_eq!(
        (text(&state, "phase").as_str(), text(&state, "to_move").as_str()),
        ("running", "black")
    );
    let state = table.order("End", &"1/2-1/2").await.unwrap();
    assert_eq!(text(&state, "phase"), "ended");
    let state = table.new_game("", &[]).await;
    assert_eq!(number(&side(&state, "white"), "remaining_us"), 605_000_000, "the same again");
}

#[tokio::test]
async fn a_confirmed_stage_brings_its_time() {
    let table = Table::lay().await;
    table.new_game("1/1m confirm, 1m", &[("profile", "fide")]).await;
    let refused = error_name(table.order("ConfirmStage", &"white").await);
    assert_eq!(refused.0, "org.flagfall.Error.Nothing", "{refused:?}");
    table.order("Start", &"").await.unwrap();
    table.order("Press", &"white").await.unwrap();
    let state = table.order("ConfirmStage", &"white").await.unwrap();
    assert_eq!(number(&side(&state, "white"), "remaining_us"), 120_000_000);
}

#[tokio::test]
async fn what_cannot_be_is_refused_by_name_and_changes_nothing() {
    let table = Table::lay().await;
    table.new_game("5m", &[("profile", "fide")]).await;
    let before = table.snapshot().await;
    let seq = number(&before, "seq");
    let nothing = || Options::new();
    let of = |name: &str| format!("org.flagfall.Error.{name}");

    // Arguments that make no sense do not even make a line.
    let argument = of("InvalidArgument");
    for result in [
        table.order("Start", &"blue").await,
        table.order("Press", &"").await,
        table.order("End", &"2-0").await,
        table.order("Pause", &"x".repeat(501)).await,
        table.order("Adjust", &(change("white", "mian_us", 1_i64.into()), "", 0_u64)).await,
        table.order("Adjust", &(change("green", "main_us", 1_i64.into()), "", 0_u64)).await,
        table.order("Adjust", &(change("white", "main_us", "5m".into()), "", 0_u64)).await,
        table.order("NewGame", &("5m", Options::from([("profle", "us".into())]))).await,
        table.order("NewGame", &("5m", Options::from([("freeze", 3_u32.into())]))).await,
    ] {
        assert_eq!(error_name(result).0, argument);
    }
    let (name, sentence) = error_name(table.order("NewGame", &("5 bananas", nothing())).await);
    assert_eq!(name, of("InvalidControl"));
    assert!(sentence.starts_with("at character 1: "), "{sentence}");
    assert_eq!(number(&table.snapshot().await, "seq"), seq);

    // What the engine refuses makes a line that says so, and changes nothing.
    for (method, result, name) in [
        ("Pause", table.order("Pause", &"").await, "WrongPhase"),
        ("Resume", table.order("Resume", &"").await, "WrongPhase"),
        ("UndoPress", table.order("UndoPress", &(1_u32, true, 0_u64)).await, "WrongPhase"),
        (
            "Adjust",
            table.order("Adjust", &(change("white", "main_us", (-1_i64).into()), "", 0_u64)).await,
            "InvalidArgument",
        ),
        ("Adjust", table.order("Adjust", &(nothing(), "", 0_u64)).await, "InvalidArgument"),
    ] {
        let refused = error_name(result);
        assert_eq!(refused.0, of(name), "{method}: {refused:?}");
        assert!(refused.1.len() > 20, "a sentence helps: {refused:?}");
    }
    assert!(number(&table.snapshot().await, "seq") > seq);
    assert_eq!(standing(table.snapshot().await), standing(before));
}

#[tokio::test]
async fn wrong_signatures_and_unknown_methods_are_answered_in_the_buss_own_words() {
    let table = Table::lay().await;
    let wrong = error_name(table.order("Start", &3_u32).await);
    assert_eq!(wrong.0, "org.freedesktop.DBus.Error.InvalidArgs");
    let unknown = error_name(table.order("Explode", &()).await);
    assert_eq!(unknown.0, "org.freedesktop.DBus.Error.UnknownMethod");
    assert_eq!(text(&table.snapshot().await, "phase"), "ready");
}

#[tokio::test]
async fn two_arbiters_do_not_correct_twice() {
    let table = Table::lay().await;
    table.new_game("5m", &[]).await;
    table.order("Start", &"").await.unwrap();
    let state = table.order("Pause", &"").await.unwrap();
    let seq = u64::try_from(number(&state, "seq")).unwrap();
    let correction = || change("white", "add_us", 60_000_000_i64.into());
    let state = table.order("Adjust", &(correction(), "", seq)).await.unwrap();
    let given = number(&side(&state, "white"), "remaining_us");
    let (name, sentence) = error_name(table.order("Adjust", &(correction(), "", seq)).await);
    assert_eq!(name, "org.flagfall.Error.Stale");
    assert!(sentence.contains(&number(&state, "seq").to_string()), "{sentence}");
    assert_eq!(number(&side(&table.snapshot().await, "white"), "remaining_us"), given);
}

#[tokio::test]
async fn a_hundred_and_twenty_calls_at_once_keep_their_order() {
    let table = Table::lay().await;
    table.new_game("5m", &[]).await;
    let mut events = table.events().await;
    // A connection of its own: answers that nobody reads yet must not hold up the events.
    let caller = table.bus.connect().await;
    let mut replies = MessageStream::from(&caller);
    for number in 0..120_i64 {
        let changes = change("white", "main_us", (1_000_000 + number).into());
        let call = zbus::Message::method_call(ARBITER.0, "Adjust")
            .destination(NAME)
            .interface(ARBITER.1)
            .build(&(changes, number.to_string(), 0_u64))
            .unwrap();
        caller.send(&call).await.unwrap();
    }
    for expected in 0..120 {
        let event = events.next().await;
        assert_eq!((event.kind.as_str(), event.seq), ("adjust", expected + 1));
        assert_eq!(text(&event.details, "reason"), expected.to_string());
    }
    let mut answered = 0;
    within("every answer", async {
        while answered < 120 {
            let message = replies.next().await.unwrap().unwrap();
            assert_ne!(message.message_type(), zbus::message::Type::Error, "{message:?}");
            answered += i32::from(message.message_type() == zbus::message::Type::MethodReturn);
        }
    })
    .await;
    let state = table.snapshot().await;
    assert_eq!(number(&side(&state, "white"), "remaining_us"), 1_000_119);
}

#[tokio::test]
async fn a_stranger_reads_without_counters_under_fide_and_changes_nothing() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("not tried: only root can ask as somebody else");
        return;
    }
    let table = Table::lay().await;
    table.new_game("40/1h30m, 30m", &[("profile", "fide")]).await;
    let mut events = table.events().await;
    let ask = |arguments: &[&str]| {
        Command::new("setpriv")
            .env("DBUS_SYSTEM_BUS_ADDRESS", table.bus.address())
            .args(["--reuid=65534", "--regid=65534", "--clear-groups", "busctl", "call", NAME])
            .args(arguments)
            .output()
            .unwrap_or_else(|error| panic!("setpriv: {error}; install the package util-linux"))
    };
    let pause = [ARBITER.0, ARBITER.1, "Start", "s", ""];
    for _ in 0..2 {
        let refused = ask(&pause);
        assert!(!refused.status.success());
        let sentence = String::from_utf8(refused.stderr).unwrap();
        assert!(sentence.contains("start is for arbiters"), "{sentence}");
        assert!(sentence.contains("usermod -aG flagfall-arbiter"), "{sentence}");
    }
    let denied = events.next().await;
    assert_eq!((denied.kind.as_str(), text(&denied.details, "what").as_str()), ("denied", "start"));
    let user = text(&denied.details, "origin");
    assert!(user.starts_with("bus:") && user != "bus:root", "{user}");
    assert_eq!(text(&table.snapshot().await, "phase"), "ready");

    let counted = |output: std::process::Output| {
        let state = String::from_utf8(output.stdout).unwrap();
        assert!(state.contains("\"stage\" u 1"), "{state}");
        state.contains("\"moves\"") || state.contains("\"moves_to_stage\"")
    };
    let snapshot = [CLOCK.0, CLOCK.1, "Snapshot"];
    assert!(!counted(ask(&snapshot)), "not for the public");
    assert!(counted(table.busctl(&[&["call", NAME], &snapshot[..]].concat())), "for root");
    table.new_game("40/1h30m, 30m", &[("profile", "club")]).await;
    assert!(counted(ask(&snapshot)), "other profiles have no secrets");
}
