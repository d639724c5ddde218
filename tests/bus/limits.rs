//! Where the clock is pressed hard: at the deadline, by many readers, with extreme numbers.

use std::collections::HashMap;

use crate::common::{
    ARBITER, CLOCK, NAME, SIMULATOR, Table, error_name, number, side, text, within,
};
use zbus::Variant;

/// A game of five seconds a side that runs, with so much time gone.
async fn running(table: &Table, us: i64) {
    table.new_game("5s", &[("profile", "fide")]).await;
    table.order("Start", &"").await.unwrap();
    table.advance(us).await;
}

#[tokio::test]
async fn a_press_a_microsecond_before_the_deadline_is_in_time_and_one_at_it_is_not() {
    let table = Table::lay().await;
    running(&table, 4_999_999).await;
    let state = table.order("Press", &"white").await.unwrap();
    assert_eq!(number(&side(&state, "white"), "remaining_us"), 1);
    assert_eq!(
        (text(&state, "phase"), text(&state, "to_move")),
        ("running".into(), "black".into())
    );
    assert!(!state.contains_key("first_flag"));

    table.order("End", &"*").await.unwrap();
    running(&table, 5_000_000).await;
    let state = table.order("Press", &"white").await.unwrap();
    assert_eq!(text(&state, "phase"), "flagged");
    assert_eq!(text(&state, "first_flag"), "white");
    assert_eq!(number(&state, "first_flag_at_us"), 5_000_000);
    assert_eq!(number(&side(&state, "white"), "moves"), 0);
}

#[tokio::test]
async fn a_button_is_judged_by_when_it_closed_not_by_when_that_was_sure() {
    for (closes_us, in_time) in [(4_998_000, true), (4_999_000, false)] {
        let table = Table::lay().await;
        table.new_game("5s", &[("profile", "fide")]).await;
        table.order("Start", &"").await.unwrap();
        table.advance(closes_us).await;
        // Seen at the next poll, and sure only after the deadline.
        table.tap("left").await;
        table.advance(20_000).await;
        let state = table.snapshot().await;
        let phase = if in_time { "running" } else { "flagged" };
        assert_eq!(text(&state, "phase"), phase, "closed after {closes_us} us");
        let left = if in_time { 1_000 } else { 0 };
        assert_eq!(number(&side(&state, "white"), "remaining_us"), left);
    }
}

#[tokio::test]
async fn the_largest_and_smallest_numbers_are_kept_or_refused_and_the_clock_lives_on() {
    let table = Table::lay().await;
    for key in ["main_us", "add_us", "overtime_us", "moves", "stage", "periods", "stones"] {
        for value in [
            Variant::from(i64::MAX),
            Variant::from(i64::MIN),
            Variant::from(u64::MAX),
            Variant::from(i64::MAX / 1_000),
            Variant::from(i64::MIN / 1_000),
            Variant::from(u32::MAX),
            Variant::from(0_i16),
            Variant::from(f64::NAN),
        ] {
            table.new_game("40/1m, 1m byoyomi 3x10s", &[("profile", "fide")]).await;
            let shown = format!("{key} {value}");
            let change = HashMap::from([(key, value)]);
            let changes = HashMap::from([("white", Variant::from(change))]);
            match table.order("Adjust", &(changes, "", 0_u64)).await {
                Err(error) => {
                    let (name, sentence) = error_name::<()>(Err(error));
                    assert_eq!(name, "org.flagfall.Error.InvalidArgument", "{shown}: {sentence}");
                }
                Ok(state) if key == "main_us" => {
                    let main = number(&side(&state, "white"), key);
                    assert!(shown.ends_with(&format!(" {main}")), "{shown} became {main}");
                }
                Ok(_) => {}
            }
            // Whatever was taken, a game can be played with it, and corrected, and ended.
            table.order("Start", &"").await.unwrap();
            table.advance(1_500_000).await;
            table.order("Press", &"white").await.unwrap();
            table.advance(1_500_000).await;
            table.order("Pause", &"").await.unwrap();
            let _ = table.order("UndoPress", &(1_u32, true, 0_u64)).await;
            for seat in ["left", "right"] {
                let shows = table.display(seat).await;
                assert_eq!(shows.replace('.', "").chars().count(), 8, "{shown}: {shows}");
            }
            table.order("End", &"*").await.unwrap();
        }
    }
    for us in [i64::MIN, -1] {
        let refused = error_name(table.call::<()>(SIMULATOR, "Advance", &us).await);
        assert_eq!(refused.0, "org.flagfall.Error.InvalidArgument", "{refused:?}");
    }
    for count in [0, u32::MAX] {
        let (_, sentence) = error_name(table.order("UndoPress", &(count, true, 0_u64)).await);
        assert!(!sentence.is_empty(), "{count}");
    }
}

#[tokio::test]
async fn fifty_readers_do_no_harm() {
    let table = Table::lay().await;
    table.new_game("5m", &[]).await;
    table.order("Start", &"").await.unwrap();
    let mut readers = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let connection = table.bus.connect().await;
        readers.spawn(async move {
            for _ in 0..20 {
                let picture =
                    connection.call_method(Some(NAME), CLOCK.0, Some(CLOCK.1), "Snapshot", &());
                within("a snapshot", picture).await.unwrap();
            }
        });
    }
    // Meanwhile the game is played: a press each second, by the two sides in turn.
    for (second, presser) in (1..=20_i64).zip(["white", "black"].into_iter().cycle()) {
        table.advance(1_000_000).await;
        let state = table.order("Press", &presser).await.unwrap();
        assert_eq!(number(&state, "at_us"), number(&table.snapshot().await, "at_us"));
        let used = (second + i64::from(presser == "white")) / 2;
        assert_eq!(number(&side(&state, presser), "remaining_us"), 300_000_000 - used * 1_000_000);
    }
    within("the readers", readers.join_all()).await;
    let health = table.health().await;
    for fault in ["dropped_events", "late_events", "missed_lines"] {
        assert_eq!(number(&health, fault), 0, "{fault}");
    }
}

#[tokio::test]
async fn a_flood_of_orders_is_answered_one_by_one_or_refused_as_busy() {
    let table = Table::lay().await;
    table.new_game("5m", &[]).await;
    let mut orders = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let connection = table.bus.connect().await;
        // As many as the bus lets one connection wait for.
        for _ in 0..100 {
            let connection = connection.clone();
            orders.spawn(async move {
                let call =
                    connection.call_method(Some(NAME), ARBITER.0, Some(ARBITER.1), "Pause", &"");
                error_name(within("an answer", call).await).0
            });
        }
    }
    for name in within("every answer", orders.join_all()).await {
        assert!(["WrongPhase", "Busy"].contains(&name.rsplit('.').next().unwrap()), "{name}");
    }
    assert_eq!(text(&table.snapshot().await, "phase"), "ready");
}

#[tokio::test]
async fn a_button_touched_after_an_import_does_no_harm() {
    let table = Table::lay().await;
    running(&table, 1_000_000).await;
    table.order("Press", &"white").await.unwrap();
    table.order("Pause", &"").await.unwrap();
    let exported: String = table.call(ARBITER, "ExportState", &()).await.unwrap();
    let mut events = table.events().await;
    table.order("ImportState", &exported).await.unwrap();
    let import = events.next().await;
    assert_eq!(import.kind, "import");
    assert!(!import.details.contains_key("exported"), "a whole game is no detail");
    table.tap("left").await;
    table.advance(500_000).await;
    let state = table.order("Press", &"white").await.unwrap();
    assert_eq!(text(&state, "phase"), "paused");
    table.order("Resume", &"").await.unwrap();
    let state = table.order("Press", &"black").await.unwrap();
    assert_eq!(number(&side(&state, "black"), "moves"), 1);
}
