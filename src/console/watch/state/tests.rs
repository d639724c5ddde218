use serde_json::json;

use super::*;

fn at(ms: i64) -> Instant {
    Instant::ZERO + Span::from_millis(ms)
}

fn fields(value: serde_json::Value) -> Fields {
    value.as_object().cloned().unwrap()
}

/// A picture of a game in which White's clock runs, with a minute left.
fn running() -> Update {
    let side =
        json!({"remaining_us": 60_000_000, "main_us": 60_000_000, "allowance_us": 0, "stage": 1});
    let state = json!({
        "game": "g", "seq": 5, "at_us": 1_000_000, "at_ns": 1_000_000_000_i64,
        "phase": "running", "to_move": "white", "white": side, "black": side,
    });
    let properties = json!({"Control": "1m", "Health": {"timebase": "monotonic-raw"}});
    Update::State { state: fields(state), properties: fields(properties) }
}

fn left(watch: &WatchState, now: Instant) -> i64 {
    watch.state(now).unwrap()["white"]["remaining_us"].as_i64().unwrap() / 1_000
}

fn told(seq: u64, kind: &str) -> FeedEvent {
    let details = fields(json!({"game": "g", "side": "white", "origin": "bus:anna"}));
    FeedEvent { seq, at_us: 61_200_000, kind: kind.to_owned(), details }
}

#[test]
fn the_clock_runs_on_between_answers_but_not_on_an_old_one() {
    let mut watch = WatchState::new();
    assert_eq!((watch.freshness(at(0)), watch.state(at(0))), (Freshness::Nothing, None));
    watch.take(at(100), running());
    for (ms, white, freshness) in [
        (100, 60_000, Freshness::Live),
        (1_100, 59_000, Freshness::Live),
        (2_600, 57_500, Freshness::Live),
        (2_601, 60_000, Freshness::Late(Span::from_millis(2_501))),
        (62_100, 60_000, Freshness::Late(Span::from_secs(62))),
    ] {
        assert_eq!(
            (left(&watch, at(ms)), watch.freshness(at(ms))),
            (white, freshness),
            "at {ms} ms"
        );
    }
}

#[test]
fn a_daemon_that_is_gone_is_told_at_once_and_that_it_is_back() {
    let mut watch = WatchState::new();
    watch.take(at(0), running());
    watch.take(at(400), Update::Lost("the daemon has gone. Start the daemon with ...".to_owned()));
    assert_eq!(watch.freshness(at(900)), Freshness::Lost(Span::from_millis(900)));
    assert_eq!(left(&watch, at(900)), 60_000);
    watch.take(at(1_000), Update::Lost("again".to_owned()));
    assert_eq!(watch.freshness(at(1_000)), Freshness::Lost(Span::from_secs(1)));
    watch.take(at(5_000), running());
    assert_eq!(watch.freshness(at(5_500)), Freshness::Live);
    assert_eq!(left(&watch, at(5_500)), 59_500);
    let words: Vec<_> = watch.lines.iter().map(|line| line.words.as_str()).collect();
    assert_eq!(words, ["the daemon has gone", "again", "the daemon is back"]);
}

#[test]
fn lines_are_told_once_whether_they_come_from_the_journal_or_as_they_happen() {
    let mut watch = WatchState::new();
    let earlier =
        r#"{"seq":4,"game":"g","at_us":61200000,"kind":"press","side":"white","hash":"1"}"#;
    watch.take(at(0), Update::Earlier(vec![earlier.to_owned()]));
    watch.take(at(0), Update::Event(told(4, "press")));
    watch.take(at(0), Update::Event(told(5, "undo_press")));
    watch.take(at(0), Update::Event(told(6, "flag")));
    let shown: Vec<_> = watch.lines.iter().map(|line| (&*line.at, &*line.words)).collect();
    let when = "1:01.2";
    assert_eq!(
        shown,
        [(when, "press white"), (when, "undo press white (anna)"), (when, "flag white (anna)")]
    );
    assert!(watch.lines[2].stands_out && !watch.lines[1].stands_out);
}

#[test]
fn old_lines_are_forgotten() {
    let mut watch = WatchState::new();
    for seq in 0..1_000 {
        watch.take(at(0), Update::Event(told(seq, "press")));
    }
    assert_eq!(watch.lines.len(), KEPT);
}
