//! What is lost when the daemon ends in the middle of a game, however it ends.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::common::*;
use crate::*;

const SECOND: i64 = 1_000_000;

/// How often a running game is killed: `FLAGFALL_KILLS` for more than the suite has time for.
fn kills() -> u32 {
    std::env::var("FLAGFALL_KILLS").map_or(20, |kills| kills.parse().expect("a number of kills"))
}

/// How often the same game is killed: its whole journal is checked each time.
const A_GAME: u32 = 20;

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn presses(file: &Path) -> usize {
    let lines = lines(file);
    let press = |line: &&String| member(line, "/kind") == "press";
    lines.iter().filter(press).count()
}

#[tokio::test]
async fn a_game_killed_at_any_instant_comes_back_paused_with_every_press_and_nearly_all_time() {
    let mut dice = Dice(20_261_130);
    let mut kept = Kept::lay("real").await;
    let (mut worst_loss, mut lost_presses) = (0, 0);
    for kill in 0..kills() {
        if kill % A_GAME == 0 {
            let abandon = std::collections::HashMap::from([("abandon", zbus::Variant::from(true))]);
            kept.order("NewGame", &("1h+2s", abandon)).await.unwrap();
            kept.order("Start", &"").await.unwrap();
        }
        let before = presses(&kept.journal().await);
        let end = Instant::now() + Duration::from_millis(dice.below(700));
        // Players who press again and again, and the box's lockout in between.
        let mut taps = Vec::new();
        while Instant::now() < end {
            let to_move = text(&kept.snapshot().await, "to_move");
            kept.tap(if to_move == "white" { "left" } else { "right" }).await;
            taps.push(Instant::now());
            let pause = Duration::from_millis(90 + dice.below(60));
            tokio::time::sleep(pause.min(end.saturating_duration_since(Instant::now()))).await;
        }
        let shown = kept.snapshot().await;
        kept.daemon.signal(Signal::KILL);
        let killed = Instant::now();
        let file = kept.journal_of(&shown);
        kept = kept.again("real").await;

        let state = kept.snapshot().await;
        assert_eq!(text(&state, "phase"), "paused", "kill {kill}");
        assert_eq!(text(&state, "game"), text(&shown, "game"));
        assert_verified(&file);

        // What was published or is older than 50 ms is there.
        let published = number(&shown, "seq");
        let last = member(lines(&file).last().unwrap(), "/seq").as_i64().unwrap();
        assert!(last >= published, "line {published} was published, {last} is the last one");
        let safe = |tap: &&Instant| killed.duration_since(**tap) > Duration::from_millis(50);
        let (safe, made) = (taps.iter().filter(safe).count(), presses(&file) - before);
        assert!(made >= safe, "kill {kill}: {safe} presses were safe, {made} are there");
        lost_presses += taps.len() - made;

        // At most 50 ms of the running side's thinking are given back, on a busy machine some more, and
        // none is taken.
        if made == taps.len() && text(&state, "to_move") == text(&shown, "to_move") {
            let running = text(&shown, "to_move");
            let loss = left(&state, &running) - left(&shown, &running);
            worst_loss = worst_loss.max(loss);
            assert!(loss <= SECOND / 4, "kill {kill}: {loss} us");
        }
        kept.order("Resume", &"").await.unwrap();
    }
    println!(
        "{} kills: at most {worst_loss} us of thinking lost, {lost_presses} presses younger than 50 ms",
        kills()
    );
}

impl Kept {
    fn journal_of(&self, state: &Dict) -> PathBuf {
        file(self.state.path(), &text(state, "game"))
    }
}

#[tokio::test]
async fn a_daemon_that_is_asked_to_end_loses_nothing() {
    let kept = Kept::lay("manual").await;
    kept.order("Start", &"").await.unwrap();
    kept.advance(7 * SECOND + 123_456).await;
    let shown = kept.snapshot().await;
    let lines_before = lines(&kept.journal().await).len();
    let kept = kept.restart(Signal::TERM, "manual").await;
    let state = kept.snapshot().await;
    assert_eq!(text(&state, "phase"), "paused");
    assert_eq!((left(&state, "white"), left(&state, "black")), (174_876_544, 182_000_000));
    assert_eq!(number(&state, "at_us"), number(&shown, "at_us"));
    let journal = lines(&kept.journal().await);
    assert_eq!(journal.len(), lines_before + 1, "no pause was written by the daemon that ended");
    let last = journal.last().unwrap();
    assert_eq!(
        (member(last, "/kind"), member(last, "/why")),
        ("recovered".into(), "stopped".into())
    );
    assert_eq!(member(last, "/origin"), "recovery");
    // The game goes on as if nothing had been.
    kept.order("Resume", &"").await.unwrap();
    kept.advance(SECOND).await;
    assert_eq!(left(&kept.snapshot().await, "white"), 173_876_544);
    assert_verified(&kept.journal().await);
}

#[tokio::test]
async fn after_a_power_cut_the_arbiter_chooses_between_the_last_record_and_the_last_press() {
    let kept = Kept::lay("manual").await;
    kept.order("Start", &"").await.unwrap();
    kept.advance(5 * SECOND).await;
    kept.order("Press", &"white").await.unwrap();
    kept.advance(40 * SECOND).await;
    // A line, so that it is known how far the time had come.
    kept.order("Press", &"white").await.unwrap();
    let kept = kept.restart(Signal::KILL, "manual").await;
    let last = lines(&kept.journal().await).pop().unwrap();
    assert_eq!(
        (member(&last, "/kind"), member(&last, "/why")),
        ("recovered".into(), "cut-off".into())
    );
    assert_eq!(member(&last, "/last_press/black_ns"), 182 * SECOND * 1000);
    assert_eq!(left(&kept.snapshot().await, "black"), 142 * SECOND);
    let address = kept.bus.address();
    for (candidate, black) in [("last-press", 182), ("last-record", 142), ("last-press", 182)] {
        let output = flagfallctl(&["--bus", &address, "recover", candidate]);
        assert_eq!(code(output.status), 0, "{}", String::from_utf8_lossy(&output.stderr));
        let state = kept.snapshot().await;
        assert_eq!((left(&state, "white"), left(&state, "black")), (179 * SECOND, black * SECOND));
    }
    assert_eq!(
        error_name(kept.order("ChooseRecovery", &"first").await).0,
        "org.flagfall.Error.InvalidArgument"
    );
    kept.order("Resume", &"").await.unwrap();
    let too_late = error_name(kept.order("ChooseRecovery", &"last-record").await);
    assert_eq!(too_late.0, "org.flagfall.Error.Nothing");
    assert_verified(&kept.journal().await);
    // What was chosen is what comes back the next time.
    let kept = kept.restart(Signal::KILL, "manual").await;
    assert_eq!(left(&kept.snapshot().await, "black"), 182 * SECOND);
}

#[tokio::test]
async fn a_torn_last_line_is_set_aside_and_what_follows_from_the_last_cause_is_written_anew() {
    let kept = Kept::lay("manual").await;
    kept.order("Start", &"").await.unwrap();
    kept.advance(SECOND).await;
    kept.order("Press", &"white").await.unwrap();
    let file = kept.journal().await;
    let Kept { mut daemon, bus, state, .. } = kept;
    daemon.signal(Signal::KILL);
    daemon.end();

    // As if the power had gone while the line behind the press was being written.
    let text_before = std::fs::read_to_string(&file).unwrap();
    let all = lines(&file);
    assert_eq!(kinds(&all[3..]), ["press", "turn"]);
    let torn = &text_before[..text_before.len() - 20];
    std::fs::write(&file, torn).unwrap();

    let (daemon, caller) = start(&bus, state.path(), "manual").await;
    let kept = Kept { daemon, caller, bus, state };
    let said = kept.daemon.logs("torn line");
    let aside = file.with_extension("torn");
    assert!(said.contains(aside.to_str().unwrap()), "{said}");
    assert_eq!(std::fs::read_to_string(&aside).unwrap(), torn[torn.rfind('\n').unwrap() + 1..]);
    let all = lines(&file);
    assert_eq!(kinds(&all[3..5]), ["press", "turn"]);
    assert_eq!(text(&kept.snapshot().await, "to_move"), "black");
    assert_verified(&file);
}

#[tokio::test]
async fn a_damaged_journal_is_named_and_left_alone_and_the_clock_begins_anew() {
    let kept = Kept::lay("manual").await;
    kept.order("Start", &"").await.unwrap();
    kept.order("Press", &"white").await.unwrap();
    let file = kept.journal().await;
    let Kept { mut daemon, bus, state, .. } = kept;
    daemon.signal(Signal::KILL);
    daemon.end();
    let damaged = std::fs::read_to_string(&file).unwrap().replacen("\"start\"", "\"pause\"", 1);
    std::fs::write(&file, &damaged).unwrap();

    let (daemon, caller) = start(&bus, state.path(), "manual").await;
    let kept = Kept { daemon, caller, bus, state };
    kept.daemon.logs("line 2 is damaged");
    assert_eq!(text(&kept.snapshot().await, "phase"), "ready");
    assert_ne!(kept.journal().await, file);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), damaged);
    assert_verified(&kept.journal().await);
}

#[tokio::test]
async fn what_a_game_has_been_through_outlives_the_daemon() {
    let kept = Kept::lay("manual").await;
    let options = std::collections::HashMap::from([("profile", zbus::Variant::from("us"))]);
    kept.order("NewGame", &("10s", options)).await.unwrap();
    kept.order("Start", &"").await.unwrap();
    kept.advance(4 * SECOND).await;
    kept.order("Press", &"white").await.unwrap();
    // White's fall does not stop a game under these rules; Black's is the first one.
    kept.advance(11 * SECOND).await;
    let before = kept.snapshot().await;
    assert_eq!(text(&before, "first_flag"), "black");
    let kept = kept.restart(Signal::KILL, "manual").await;
    let state = kept.snapshot().await;
    for key in ["first_flag", "to_move", "game"] {
        assert_eq!(text(&state, key), text(&before, key), "{key}");
    }
    assert_eq!(number(&state, "first_flag_at_us"), 14 * SECOND);
    assert_eq!(number(&state, "first_flag_white_us"), 6 * SECOND);
    // The press can still be taken back.
    kept.order("UndoPress", &(1_u32, true, 0_u64)).await.unwrap();
    assert_eq!(left(&kept.snapshot().await, "white"), 6 * SECOND);
    assert_verified(&kept.journal().await);
}

#[tokio::test]
async fn a_game_that_is_over_does_not_come_back_and_one_that_is_ready_does() {
    let kept = Kept::lay("manual").await;
    let options = std::collections::HashMap::<String, zbus::Variant<'_>>::new;
    kept.order("NewGame", &("17m", options())).await.unwrap();
    let ready = kept.journal().await;
    let kept = kept.restart(Signal::KILL, "manual").await;
    assert_eq!(kept.journal().await, ready);
    assert_eq!(left(&kept.snapshot().await, "white"), 17 * 60 * SECOND);
    kept.order("End", &"1-0").await.unwrap();
    let kept = kept.restart(Signal::KILL, "manual").await;
    assert_ne!(kept.journal().await, ready);
    let state = kept.snapshot().await;
    assert_eq!((text(&state, "phase").as_str(), left(&state, "white")), ("ready", 182 * SECOND));
    assert_verified(&ready);
    assert_verified(&kept.journal().await);
}
