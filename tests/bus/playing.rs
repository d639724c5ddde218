//! Playing on the simulated box, in manual time.

use crate::common::*;

const TAP: [&str; 5] = ["call", NAME, SIMULATOR.0, SIMULATOR.1, "Tap"];

#[tokio::test]
async fn a_tap_an_advance_and_a_snapshot_by_busctl_give_the_microsecond() {
    let table = Table::lay().await;
    let run = |arguments: &[&str]| {
        let output = table.busctl(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let advance = ["call", NAME, SIMULATOR.0, SIMULATOR.1, "Advance", "x", "1500000"];
    run(&[&TAP[..], &["s", "left"]].concat());
    run(&advance);
    let snapshot = run(&["--json=short", "call", NAME, CLOCK.0, CLOCK.1, "Snapshot"]);
    let snapshot: serde_json::Value = serde_json::from_str(&snapshot).unwrap();
    let state = &snapshot["data"][0];
    // The level changed at 0 is seen at the next poll, 1 ms later; White's clock runs from there.
    assert_eq!(state["phase"]["data"], "running");
    assert_eq!(state["at_us"]["data"], 1_500_000);
    assert_eq!(state["white"]["data"]["remaining_us"]["data"], 182_000_000 - 1_499_000);
    assert_eq!(state["black"]["data"]["remaining_us"]["data"], 182_000_000);
    // Either may start under club: who presses sits on Black's side.
    assert_eq!(run(&["get-property", NAME, CLOCK.0, CLOCK.1, "WhiteOn"]), "s \"right\"\n");
}

#[tokio::test]
async fn displays_read_what_the_players_have_left() {
    let table = Table::lay().await;
    table.new_game("3m+2s", &[("profile", "fide")]).await;
    table.advance(0).await;
    let shown = |text: String| text.trim_start_matches(['0', ' ']).trim().to_owned();
    assert_eq!(shown(table.display("left").await), "3.02");
    table.tap("right").await;
    table.advance(1_001_000).await;
    // Started at 1 ms; a second later exactly 3.01 is left.
    assert_eq!(number(&side(&table.snapshot().await, "white"), "remaining_us"), 181_000_000);
    assert_eq!(shown(table.display("left").await), "3.01");
    table.advance(1_000).await;
    assert_eq!(shown(table.display("left").await), "3.01", "rounded up to the last digit shown");
    table.advance(1_000_000).await;
    assert_eq!(shown(table.display("left").await), "3.00");
    assert_eq!(shown(table.display("right").await), "3.02");
    table.tap("left").await;
    table.advance(1_000).await;
    table.advance(10_000).await;
    assert_eq!(shown(table.display("left").await), "3.02", "the increment is seen at the press");
    let lamps: Vec<String> = table.call(SIMULATOR, "Lamps", &()).await.unwrap();
    assert_eq!(lamps, ["right"]);
}

#[tokio::test]
async fn sounds_have_the_names_of_their_events() {
    let table = Table::lay().await;
    table.new_game("12s", &[("profile", "club")]).await;
    table.tap("right").await;
    table.advance(13_000_000).await;
    let heard: Vec<(i64, String, i64)> = table.call(SIMULATOR, "Sounds", &0_i64).await.unwrap();
    let names: Vec<&str> = heard.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names.iter().filter(|name| **name == "countdown").count(), 6, "{heard:?}");
    assert_eq!(names.last(), Some(&"flag"), "{heard:?}");
}

#[tokio::test]
async fn a_bouncing_press_is_one_press_at_its_first_edge() {
    let table = Table::lay().await;
    table.new_game("5m", &[("profile", "fide")]).await;
    table.order("Start", &"").await.unwrap();
    table.advance(10_000_000).await;
    let mut events = table.events().await;
    let bounce: [(i64, bool); 8] = [
        (0, true),
        (900, false),
        (1_900, true),
        (2_900, false),
        (3_900, true),
        (80_000, false),
        (80_900, true),
        (81_900, false),
    ];
    table.call::<()>(SIMULATOR, "Wave", &("left", &bounce[..])).await.unwrap();
    table.advance(1_000_000).await;
    let state = table.snapshot().await;
    assert_eq!(number(&side(&state, "white"), "moves"), 1);
    assert_eq!(number(&side(&state, "black"), "moves"), 0);
    // The first edge is at the first poll after it was set: 10.001 s.
    assert_eq!(number(&side(&state, "white"), "remaining_us"), 300_000_000 - 10_001_000);
    let press = events.next().await;
    assert_eq!((press.kind.as_str(), press.at_us), ("press", 10_001_000));
    assert_eq!(events.next().await.kind, "turn");
}

#[tokio::test]
async fn of_both_buttons_in_one_poll_the_running_sides_counts() {
    let table = Table::lay().await;
    table.new_game("5m", &[("profile", "fide")]).await;
    table.order("Start", &"").await.unwrap();
    table.advance(1_000_000).await;
    let mut events = table.events().await;
    table.tap("right").await;
    table.tap("left").await;
    table.advance(1_000_000).await;
    let seen = [events.next().await, events.next().await, events.next().await];
    let of = |kind| seen.iter().find(|event| event.kind == kind).unwrap();
    assert_eq!(text(&of("press").details, "side"), "white");
    assert_eq!(text(&of("turn").details, "side"), "black");
    assert_eq!(text(&of("ignored").details, "side"), "black");
    assert_eq!(text(&of("ignored").details, "reason"), "simultaneous");
    assert!(seen.iter().all(|event| event.at_us == 1_001_000), "{seen:?}");
    let state = table.snapshot().await;
    assert_eq!(number(&side(&state, "white"), "moves"), 1);
    assert_eq!(number(&side(&state, "black"), "moves"), 0);
}

#[tokio::test]
async fn of_two_buttons_one_poll_apart_both_count() {
    let table = Table::lay().await;
    table.new_game("5m", &[("profile", "fide")]).await;
    table.order("Start", &"").await.unwrap();
    table.advance(1_000_000).await;
    table.tap("left").await;
    table.advance(1_000).await;
    table.tap("right").await;
    table.advance(1_000_000).await;
    let state = table.snapshot().await;
    assert_eq!(number(&side(&state, "white"), "moves"), 1);
    assert_eq!(number(&side(&state, "black"), "moves"), 1);
    assert_eq!(number(&side(&state, "black"), "remaining_us"), 300_000_000 - 1_000);
}

#[tokio::test]
async fn a_flag_falls_at_its_deadline_while_time_leaps_over_it() {
    let table = Table::lay().await;
    table.new_game("10s", &[("profile", "fide")]).await;
    table.order("Start", &"").await.unwrap();
    let mut events = table.events().await;
    table.advance(60_000_000).await;
    let flag = events.next().await;
    assert_eq!((flag.kind.as_str(), flag.at_us), ("flag", 10_000_000));
    let state = table.snapshot().await;
    assert_eq!(text(&state, "first_flag"), "white");
    assert_eq!(number(&state, "first_flag_at_us"), 10_000_000);
    assert_eq!(text(&state, "phase"), "flagged");
}

#[tokio::test]
async fn an_upset_display_heals_at_the_next_repair_and_a_dead_one_is_reported() {
    let table = Table::lay().await;
    table.advance(100_000).await;
    let before = table.display("left").await;
    table.call::<()>(SIMULATOR, "Inject", &("display-upset", true)).await.unwrap();
    assert_ne!(table.display("left").await, before);
    table.advance(1_000_000).await;
    assert_eq!(table.display("left").await, before);

    table.call::<()>(SIMULATOR, "Inject", &("spi-error", true)).await.unwrap();
    table.advance(2_000_000).await;
    let sick = table.health().await;
    assert!(number(&sick, "spi_errors") > 0);
    assert!(text(&sick, "display_fault").contains("spi-error"));
    table.call::<()>(SIMULATOR, "Inject", &("spi-error", false)).await.unwrap();
    table.advance(2_000_000).await;
    assert!(!table.health().await.contains_key("display_fault"));
    let segments: Vec<u8> = table.call(SIMULATOR, "Segments", &"left").await.unwrap();
    assert_eq!(segments.len(), 8);
}

#[tokio::test]
async fn what_the_simulator_cannot_do_is_refused_with_what_would_work() {
    let table = Table::lay().await;
    let argument = "org.flagfall.Error.InvalidArgument";
    let refused = error_name(table.call::<()>(SIMULATOR, "Tap", &"reset").await);
    assert_eq!(
        refused,
        (
            argument.to_owned(),
            "'reset' is no button: give one of left, right, pause, minus, plus, ok".to_owned()
        )
    );
    for wrong in [-1, i64::MAX] {
        assert_eq!(error_name(table.call::<()>(SIMULATOR, "Advance", &wrong).await).0, argument);
    }
    assert_eq!(error_name(table.call::<String>(SIMULATOR, "Display", &"up").await).0, argument);
    let unknown = table.call::<()>(SIMULATOR, "Inject", &("fire", true)).await;
    assert_eq!(error_name(unknown).0, argument);
    let edges: [(i64, bool); 1] = [(-1, true)];
    let backwards = table.call::<()>(SIMULATOR, "Wave", &("left", &edges[..])).await;
    assert_eq!(error_name(backwards).0, argument);
}
