//! The report of games that the daemon keeps.

use std::process::{Command, Output};

use serde_json::Value;

use crate::common::*;

fn report(table: &Table, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flagfallctl"))
        .args(["--bus", &table.bus.address(), "--json", "report"])
        .args(arguments)
        .output()
        .unwrap()
}

fn told(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
async fn the_running_game_is_told_up_to_now_and_an_earlier_one_by_its_name() {
    let table = Table::lay().await;
    table.new_game("5m", &[]).await;
    let first = text(&table.snapshot().await, "game");
    table.tap("right").await;
    table.advance(7_000_000).await;
    table.tap("left").await;
    table.advance(2_500_000).await;
    let now = told(&report(&table, &[]));
    assert_eq!(now["game"], first);
    assert_eq!((&now["phase"], &now["to_move"]), (&"running".into(), &"black".into()));
    let thought = now["moves"][0]["thought_ns"].as_f64().unwrap() / 1e3;
    assert!((7_000_000.0..7_100_000.0).contains(&thought), "{thought}");
    let turn = now["sides"]["black"]["turn_ns"].as_f64().unwrap() / 1e3;
    assert!((2_400_000.0..2_600_000.0).contains(&turn), "{turn}");

    table.order("End", &"1-0").await.unwrap();
    table.new_game("3m", &[]).await;
    let earlier = told(&report(&table, &[&first]));
    assert_eq!((&earlier["game"], &earlier["result"]), (&first.as_str().into(), &"1-0".into()));
    assert_eq!(earlier["moves"].as_array().map(Vec::len), Some(1));
    assert_eq!(report(&table, &["no-such-game"]).status.code(), Some(1));
}
