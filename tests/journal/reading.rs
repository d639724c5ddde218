//! What everybody may read, and how.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::*;
use crate::*;

type Options<'a> = std::collections::HashMap<&'a str, zbus::Variant<'a>>;

#[tokio::test]
async fn lines_are_read_over_the_bus_as_they_stand_in_the_file() {
    let kept = Kept::lay("manual").await;
    kept.order("Start", &"").await.unwrap();
    let all = lines(&kept.journal().await);
    let read = async |game: &str, from: u64, max: u32| {
        kept.call::<Vec<String>>(CLOCK, "ReadJournal", &(game, from, max)).await
    };
    let (whole, part) = (read("", 0, 5_000).await.unwrap(), read("", 1, 1).await.unwrap());
    assert_eq!((whole, part), (all.clone(), all[1..2].to_vec()));
    assert_eq!(error_name(read("../lock", 0, 1).await).0, "org.flagfall.Error.InvalidArgument");

    // A line says everything that a replay and an appeals committee want to know.
    let line: serde_json::Value = serde_json::from_str(&all[1]).unwrap();
    let names: Vec<_> = line.as_object().unwrap().keys().collect();
    assert_eq!(names, ["seq", "at_ns", "wall", "origin", "kind", "state", "hash"]);
}

#[tokio::test]
async fn games_are_listed_newest_first() {
    let kept = Kept::lay("manual").await;
    kept.order("Start", &"").await.unwrap();
    kept.order("NewGame", &("40/2h, 1h", Options::new())).await.unwrap();
    let games: Vec<(String, String, String, i64)> =
        kept.call(CLOCK, "ListGames", &()).await.unwrap();
    let rows: Vec<_> = games.iter().map(|game| (game.2.as_str(), game.3)).collect();
    assert_eq!(rows, [("40/2h, 1h", 1), ("3m+2s", 3)]);
    let output = flagfallctl(&["--bus", &kept.bus.address(), "games"]);
    let table = String::from_utf8(output.stdout).unwrap();
    let second = table.lines().nth(2).unwrap();
    assert!(second.starts_with(&games[1].0) && second.ends_with("3  3m+2s"), "{table}");
}

#[tokio::test]
async fn the_console_prints_a_journal_that_it_can_verify_and_follows_it_into_the_next_game() {
    let kept = Kept::lay("manual").await;
    kept.order("Start", &"").await.unwrap();
    let address = kept.bus.address();
    let mut follower = Command::new(env!("CARGO_BIN_EXE_flagfallctl"))
        .args(["--bus", &address, "journal", "--follow"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(follower.stdout.take().unwrap()).lines();
    let mut next =
        || member(&printed.next().unwrap().unwrap(), "/kind").as_str().unwrap().to_owned();
    assert_eq!([next(), next(), next()], ["new_game", "start", "turn"]);
    kept.order("Press", &"white").await.unwrap();
    assert_eq!([next(), next()], ["press", "turn"]);
    let first = flagfallctl(&["--bus", &address, "journal"]).stdout;
    kept.order("NewGame", &("5m", Options::from([("abandon", true.into())]))).await.unwrap();
    kept.order("Start", &"").await.unwrap();
    assert_eq!([next(), next()], ["new_game", "start"]);
    follower.kill().unwrap();
    follower.wait().unwrap();

    let copy = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(copy.path(), &first).unwrap();
    assert_verified(copy.path());
    assert_eq!(String::from_utf8(first).unwrap().lines().count(), 5);
}

#[tokio::test]
async fn under_fide_the_journal_of_the_running_game_is_for_arbiters_only() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("not tried: only root can be somebody else");
        return;
    }
    let kept = Kept::lay("manual").await;
    let fide = || Options::from([("profile", "fide".into())]);
    kept.order("NewGame", &("3m+2s", fide())).await.unwrap();
    kept.order("Start", &"").await.unwrap();
    let game = text(&kept.snapshot().await, "game");
    let stranger = |game: &str| {
        Command::new("setpriv")
            .env("DBUS_SYSTEM_BUS_ADDRESS", kept.bus.address())
            .args(["--reuid=65534", "--regid=65534", "--clear-groups", "busctl", "call", NAME])
            .args([CLOCK.0, CLOCK.1, "ReadJournal", "stu", game, "0", "10"])
            .output()
            .unwrap()
    };
    for running in ["", &game] {
        let refused = stranger(running);
        let sentence = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && sentence.contains("flagfall-arbiter"), "{sentence}");
    }
    // When it has ended it is everybody's, with another one on the clock as well.
    let all_is_read = |game: &str| {
        let read = stranger(game);
        assert!(String::from_utf8(read.stdout).unwrap().contains("moves"), "{:?}", read.stderr);
    };
    kept.order("End", &"1-0").await.unwrap();
    all_is_read("");
    all_is_read(&game);
    kept.order("NewGame", &("3m+2s", fide())).await.unwrap();
    all_is_read(&game);
}
