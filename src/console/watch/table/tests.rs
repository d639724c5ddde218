use serde_json::json;

use super::*;

fn at(ms: i64) -> Instant {
    Instant::ZERO + Span::from_millis(ms)
}

fn fields(value: serde_json::Value) -> Fields {
    value.as_object().cloned().unwrap()
}

/// A picture of a game in which White's clock runs, with a minute left.
fn running() -> News {
    let side =
        json!({"remaining_us": 60_000_000, "main_us": 60_000_000, "allowance_us": 0, "stage": 1});
    let state = json!({
        "game": "g", "seq": 5, "at_us": 1_000_000, "at_ns": 1_000_000_000_i64,
        "phase": "running", "to_move": "white", "white": side, "black": side,
    });
    let properties = json!({"Control": "1m", "Health": {"timebase": "monotonic-raw"}});
    News::Picture { state: fields(state), properties: fields(properties) }
}

fn left(table: &Table, now: Instant) -> i64 {
    table.state(now).unwrap()["white"]["remaining_us"].as_i64().unwrap() / 1_000
}

fn told(seq: u64, kind: &str) -> Told {
    let details = fields(json!({"game": "g", "side": "white", "origin": "bus:anna"}));
    Told { seq, at_us: 61_200_000, kind: kind.to_owned(), details }
}

#[test]
fn the_clock_runs_on_between_answers_but_not_on_an_old_one() {
    let mut table = Table::new();
    assert_eq!((table.standing(at(0)), table.state(at(0))), (Standing::Nothing, None));
    table.take(at(100), running());
    for (ms, white, standing) in [
        (100, 60_000, Standing::Live),
        (1_100, 59_000, Standing::Live),
        (2_600, 57_500, Standing::Live),
        (2_601, 60_000, Standing::Late(Span::from_millis(2_501))),
        (62_100, 60_000, Standing::Late(Span::from_secs(62))),
    ] {
        assert_eq!((left(&table, at(ms)), table.standing(at(ms))), (white, standing), "at {ms} ms");
    }
}

#[test]
fn a_daemon_that_is_gone_is_told_at_once_and_that_it_is_back() {
    let mut table = Table::new();
    table.take(at(0), running());
    table.take(at(400), News::Lost("the daemon has gone. Start the daemon with ...".to_owned()));
    assert_eq!(table.standing(at(900)), Standing::Lost(Span::from_millis(900)));
    assert_eq!(left(&table, at(900)), 60_000);
    table.take(at(1_000), News::Lost("again".to_owned()));
    assert_eq!(table.standing(at(1_000)), Standing::Lost(Span::from_secs(1)));
    table.take(at(5_000), running());
    assert_eq!(table.standing(at(5_500)), Standing::Live);
    assert_eq!(left(&table, at(5_500)), 59_500);
    let words: Vec<_> = table.lines.iter().map(|line| line.words.as_str()).collect();
    assert_eq!(words, ["the daemon has gone", "again", "the daemon is back"]);
}

#[test]
fn lines_are_told_once_whether_they_come_from_the_journal_or_as_they_happen() {
    let mut table = Table::new();
    let earlier =
        r#"{"seq":4,"game":"g","at_us":61200000,"kind":"press","side":"white","hash":"1"}"#;
    table.take(at(0), News::Earlier(vec![earlier.to_owned()]));
    table.take(at(0), News::Line(told(4, "press")));
    table.take(at(0), News::Line(told(5, "undo_press")));
    table.take(at(0), News::Line(told(6, "flag")));
    let shown: Vec<_> = table.lines.iter().map(|line| (&*line.at, &*line.words)).collect();
    let when = "1:01.2";
    assert_eq!(
        shown,
        [(when, "press white"), (when, "undo press white (anna)"), (when, "flag white (anna)")]
    );
    assert!(table.lines[2].stands_out && !table.lines[1].stands_out);
}

#[test]
fn old_lines_are_forgotten() {
    let mut table = Table::new();
    for seq in 0..1_000 {
        table.take(at(0), News::Line(told(seq, "press")));
    }
    assert_eq!(table.lines.len(), KEPT);
}
