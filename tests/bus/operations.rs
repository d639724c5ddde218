//! An arbiter's day: what goes wrong in a hall, and the one or two calls that put it right.

use std::num::NonZeroUsize;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt;
use zbus::{MessageStream, OwnedVariant};

use crate::common::*;

fn left(state: &Dict, name: &str) -> i64 {
    number(&side(state, name), "remaining_us")
}

/// A property, as text where it is one.
async fn property(table: &Table, name: &str) -> String {
    let properties = (CLOCK.0, "org.freedesktop.DBus.Properties");
    let value: OwnedVariant = table.call(properties, "Get", &(CLOCK.1, name)).await.unwrap();
    match String::try_from(value.try_clone().unwrap()) {
        Ok(text) => text,
        Err(_) => bool::try_from(value).unwrap().to_string(),
    }
}

/// A game under fide in which White has thought for 10 s and Black for 20 s, and so on by turns.
async fn played(control: &str, presses: usize) -> Table {
    let table = Table::lay().await;
    table.new_game(control, &[("profile", "fide")]).await;
    table.order("Start", &"").await.unwrap();
    for (name, seconds) in [("white", 10), ("black", 20)].into_iter().cycle().take(presses) {
        table.advance(seconds * 1_000_000).await;
        table.order("Press", &name).await.unwrap();
    }
    table
}

#[tokio::test]
async fn an_illegal_move_is_taken_back_and_the_second_one_is_told() {
    let table = played("3m+2s", 1).await;
    table.advance(1_500_000).await;
    let rule = "type='signal',interface='org.flagfall.Arbiter1',member='Record'";
    let records = MessageStream::for_match_rule(rule, &table.connection, NonZeroUsize::new(4_096));
    let mut records = records.await.unwrap();
    let penalty = ("white", "illegal-move", false, 0_u64);
    let state = table.order("Penalize", &penalty).await.unwrap();
    assert_eq!(
        (text(&state, "phase").as_str(), text(&state, "to_move").as_str()),
        ("paused", "white")
    );
    assert_eq!((left(&state, "white"), left(&state, "black")), (172_000_000, 242_000_000));
    table.order("Resume", &"").await.unwrap();
    table.order("Press", &"white").await.unwrap();
    let state = table.order("Penalize", &penalty).await.unwrap();
    assert_eq!(left(&state, "black"), 302_000_000);
    let told = async {
        loop {
            let message = records.next().await.unwrap().unwrap();
            let (_, _, line): (String, u64, String) = message.body().deserialize().unwrap();
            if line.contains("\"offence_limit\"") {
                return line;
            }
        }
    };
    let line = within("a Record", told).await;
    assert!(line.contains("\"offence\":\"illegal-move\""), "{line}");
}

#[tokio::test]
async fn a_wrong_control_is_found_after_14_moves_and_what_would_have_been_takes_its_place() {
    let table = played("1h30m", 28).await;
    let shown: Dict = table.call(CLOCK, "WhatIf", &"1h30m+30s").await.unwrap();
    let expected = [("white", 5_400 + 30 + 14 * 20), ("black", 5_400 + 30 + 14 * 10)];
    for (name, seconds) in expected {
        assert_eq!(left(&shown, name), seconds * 1_000_000, "what-if, {name}");
    }
    let refused = error_name(table.order("ChangeControl", &("1h30m+30s", "replayed")).await);
    assert_eq!(refused.0, "org.flagfall.Error.WrongPhase", "{refused:?}");
    table.order("Pause", &"wrong control").await.unwrap();
    let state = table.order("ChangeControl", &("1h30m+30s", "replayed")).await.unwrap();
    for (name, seconds) in expected {
        assert_eq!(left(&state, name), seconds * 1_000_000, "replayed, {name}");
    }
    assert_eq!(property(&table, "Control").await, "1h30m+30s");
    table.order("Resume", &"").await.unwrap();
    table.advance(1_000_000).await;
    let state = table.order("Press", &"white").await.unwrap();
    assert_eq!(left(&state, "white"), (5_400 + 30 + 14 * 20 + 29) * 1_000_000);
    table.order("Pause", &"").await.unwrap();
    let state = table.order("ChangeControl", &("2h", "kept")).await.unwrap();
    assert_eq!(left(&state, "white"), (5_400 + 30 + 14 * 20 + 29) * 1_000_000, "kept");
}

#[tokio::test]
async fn a_missed_press_and_a_quickplay_claim() {
    let table = played("25m", 3).await;
    let state = table.order("InsertPress", &(2_u32, 0_u64)).await.unwrap();
    assert_eq!(number(&side(&state, "white"), "moves"), 3);
    assert_eq!(number(&side(&state, "black"), "moves"), 2);
    let early = error_name(table.order("QuickplayIncrement", &("black", 0_u64)).await);
    assert_eq!(early.0, "org.flagfall.Error.InvalidArgument", "{early:?}");
    table.order("Resume", &"black").await.unwrap();
    table.advance((25 * 60 - 20 - 100) * 1_000_000).await;
    let state = table.order("QuickplayIncrement", &("black", 0_u64)).await.unwrap();
    assert_eq!(left(&state, "black"), 105_000_000);
    assert_eq!(left(&state, "white"), (25 * 60 - 20 + 125) * 1_000_000);
    assert_eq!(property(&table, "Control").await, "25m+5s");
    assert_eq!(property(&table, "ControlClass").await, "rapid");
}

#[tokio::test]
async fn the_wrong_side_is_resumed_and_gets_its_time_back() {
    let table = played("5m delay 5s", 1).await;
    table.advance(2_000_000).await;
    table.order("Pause", &"").await.unwrap();
    table.order("Resume", &"white").await.unwrap();
    table.advance(60_000_000).await;
    let state = table.order("ResumeInstead", &"black").await.unwrap();
    assert_eq!(
        (text(&state, "phase").as_str(), text(&state, "to_move").as_str()),
        ("running", "black")
    );
    assert_eq!((left(&state, "white"), left(&state, "black")), (300_000_000, 303_000_000));
    let again = error_name(table.order("ResumeInstead", &"black").await);
    assert_eq!(again.0, "org.flagfall.Error.Nothing", "{again:?}");
}

#[tokio::test]
async fn a_game_goes_on_at_a_replacement_clock_to_the_nanosecond() {
    let table = played("40/1h30m bronstein 7s, 30m", 5).await;
    table.advance(3_000_001).await;
    let exported: String = table.call(ARBITER, "ExportState", &()).await.unwrap();
    let before = table.snapshot().await;
    let other = Table::lay().await;
    let state = other.order("ImportState", &exported.as_str()).await.unwrap();
    assert_eq!(
        (text(&state, "phase").as_str(), text(&state, "to_move").as_str()),
        ("paused", "black")
    );
    for name in ["white", "black"] {
        assert_eq!(left(&state, name), left(&before, name));
        assert_eq!(number(&side(&state, name), "moves"), number(&side(&before, name), "moves"));
    }
    assert_eq!(property(&other, "Control").await, "40/1h30m bronstein 7s, 30m");
    for table in [&table, &other] {
        table.order("UndoPress", &(3_u32, false, 0_u64)).await.unwrap();
    }
    let (here, there) = (table.snapshot().await, other.snapshot().await);
    for name in ["white", "black"] {
        assert_eq!(left(&here, name), left(&there, name), "{name}, three presses back");
    }
    let what_if = error_name(other.call::<Dict>(CLOCK, "WhatIf", &"5m").await);
    assert_eq!(what_if.0, "org.flagfall.Error.Nothing", "{what_if:?}");
    let damaged = exported.replacen("\"moves\":", "\"mooves\":", 1);
    let refused = error_name(other.order("ImportState", &damaged.as_str()).await);
    assert_eq!(refused.0, "org.flagfall.Error.InvalidArgument");
    assert!(refused.1.contains("mooves"), "{refused:?}");
}

#[tokio::test]
async fn seats_lock_arrivals_and_an_appointed_start() {
    let table = Table::lay().await;
    table.new_game("5m", &[("profile", "fide"), ("default-time", "30m")]).await;
    table.order("SwapSides", &()).await.unwrap();
    assert_eq!(property(&table, "WhiteOn").await, "right");
    table.order("Lock", &true).await.unwrap();
    assert_eq!(property(&table, "Locked").await, "true");
    table.order("MarkArrived", &"black").await.unwrap();
    let over = error_name(table.order("StartAt", &1_i64).await);
    assert_eq!(over.0, "org.flagfall.Error.InvalidArgument", "{over:?}");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let soon = i64::try_from((now + Duration::from_millis(200)).as_micros()).unwrap();
    table.order("StartAt", &soon).await.unwrap();
    let started = async {
        while property(&table, "Phase").await != "running" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    within("the appointed start", started).await;
    table.advance(90_000_000).await;
    let state = table.snapshot().await;
    assert_eq!(number(&side(&state, "white"), "late_us"), 90_000_000);
    assert!(!side(&state, "black").contains_key("late_us"), "who is there is not late");
}

#[tokio::test]
async fn own_presets_are_saved_offered_and_deleted() {
    let table = Table::lay().await;
    let save = ("club-evening", "Club evening", "7m+3s");
    let _: () = table.call(ARBITER, "SavePreset", &save).await.unwrap();
    let offered: Vec<(String, String, String, String)> =
        table.call(CLOCK, "ListPresets", &()).await.unwrap();
    let own: Vec<_> = offered.iter().filter(|(.., whose)| whose == "own").collect();
    assert_eq!(own.len(), 1);
    assert_eq!((own[0].0.as_str(), own[0].2.as_str()), ("club-evening", "7m+3s"));
    let state = table.new_game("club-evening", &[]).await;
    assert_eq!(left(&state, "white"), 423_000_000);
    for (id, name, control) in [("5", "five", "5m"), ("x", "", "5m"), ("x", "x", "5 bananas")] {
        let refused =
            error_name(table.call::<()>(ARBITER, "SavePreset", &(id, name, control)).await);
        assert!(refused.0.contains("Invalid"), "{refused:?}");
    }
    let _: () = table.call(ARBITER, "DeletePreset", &"club-evening").await.unwrap();
    let gone = error_name(table.call::<()>(ARBITER, "DeletePreset", &"club-evening").await);
    assert_eq!(gone.0, "org.flagfall.Error.InvalidArgument", "{gone:?}");
}

#[tokio::test]
async fn a_self_test_lights_everything_while_no_clock_runs() {
    let table = Table::lay().await;
    let _: () = table.call(ARBITER, "SelfTest", &()).await.unwrap();
    table.order("Start", &"").await.unwrap();
    let refused = error_name(table.call::<()>(ARBITER, "SelfTest", &()).await);
    assert_eq!(refused.0, "org.flagfall.Error.WrongPhase", "{refused:?}");
}
