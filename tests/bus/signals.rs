//! The signals: every line once and in order, properties bundled.

use std::collections::HashMap;

use futures_util::StreamExt;
use zbus::{MessageStream, OwnedVariant};

use crate::common::*;

#[tokio::test]
async fn every_line_is_an_event_in_order_after_it_has_happened() {
    let table = Table::lay().await;
    let mut events = table.events().await;
    let game = text(&table.new_game("3m+2s", &[]).await, "game");
    table.order("Start", &"").await.unwrap();
    for n in 0..40 {
        table.tap(if n % 2 == 0 { "left" } else { "right" }).await;
        table.advance(100_000).await;
    }
    table.order("End", &"*").await.unwrap();
    let seen = events.until("end").await;
    let numbers: Vec<u64> = seen.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (0..seen.len() as u64).collect::<Vec<_>>());
    let presses = seen.iter().filter(|event| event.kind == "press").count();
    assert_eq!(presses, 40);
    assert_eq!(seen[0].kind, "new_game");
    for event in &seen {
        assert_eq!(text(&event.details, "game"), game);
        assert_eq!(number(&event.details, "at_ns") / 1_000, event.at_us);
        assert!(event.details.contains_key("state"));
    }
    assert_eq!(text(&seen[0].details, "origin"), "bus:root".replace("root", &user()));
    let press = seen.iter().find(|event| event.kind == "press").unwrap();
    assert_eq!(text(&press.details, "origin"), "board");
}

fn user() -> String {
    let output = std::process::Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[tokio::test]
async fn under_fide_events_tell_nobody_the_counters() {
    let table = Table::lay().await;
    table.new_game("5m", &[("profile", "fide")]).await;
    let mut events = table.events().await;
    let white: HashMap<&str, zbus::Variant<'_>> =
        HashMap::from([("moves", 14_u32.into()), ("main_us", 60_000_000_i64.into())]);
    let changes: HashMap<&str, zbus::Variant<'_>> = HashMap::from([("white", white.into())]);
    table.order("Adjust", &(changes, "", 0_u64)).await.unwrap();
    let adjusted = events.next().await;
    assert_eq!(adjusted.kind, "adjust");
    assert!(!adjusted.details.contains_key("state"));
    let white = side(&adjusted.details, "white");
    assert_eq!(number(&white, "main_us"), 60_000_000);
    assert!(!white.contains_key("moves"), "{white:?}");
}

#[tokio::test]
async fn properties_that_change_together_are_signalled_together_and_only_they() {
    let table = Table::lay().await;
    table.advance(0).await;
    let rule = "type='signal',interface='org.freedesktop.DBus.Properties'";
    let mut signals =
        MessageStream::for_match_rule(rule, &table.connection, std::num::NonZeroUsize::new(64))
            .await
            .unwrap();
    let mut next = async || -> HashMap<String, OwnedVariant> {
        let message = within("PropertiesChanged", signals.next()).await.unwrap().unwrap();
        let (interface, changed, invalidated): (String, Dict, Vec<String>) =
            message.body().deserialize().unwrap();
        assert_eq!((interface.as_str(), invalidated.len()), (CLOCK.1, 0));
        changed
    };
    let game = text(&table.new_game("10m", &[("white-on", "right")]).await, "game");
    let changed = next().await;
    let mut names: Vec<_> = changed.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["Control", "Fingerprint", "GameId", "WhiteOn"]);
    assert_eq!((text(&changed, "Control").as_str(), text(&changed, "GameId")), ("10m", game));
    table.order("Start", &"").await.unwrap();
    let changed = next().await;
    assert_eq!(changed.len(), 1);
    assert_eq!(text(&changed, "Phase"), "running");
    table.advance(600_000_000).await;
    let changed = next().await;
    assert_eq!(text(&changed, "Phase"), "flagged");
    assert_eq!(text(&changed, "FirstFlag"), "white");
}

#[tokio::test]
async fn presets_and_notations_are_described() {
    let table = Table::lay().await;
    let presets: Vec<(String, String, String, String)> =
        table.call(CLOCK, "ListPresets", &()).await.unwrap();
    assert!(!presets.is_empty());
    assert!(presets.iter().all(|(.., origin)| origin == "shipped"));
    let described: (String, String, String) =
        table.call(CLOCK, "DescribeControl", &"90+30").await.unwrap();
    assert_eq!((described.0.as_str(), described.2.as_str()), ("1h30m+30s", "standard"));
    assert!(described.1.ends_with('.'), "{}", described.1);
    let refused = table.call::<(String, String, String)>(CLOCK, "DescribeControl", &"soon").await;
    assert_eq!(error_name(refused).0, "org.flagfall.Error.InvalidControl");
}
