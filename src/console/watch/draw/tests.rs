use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::json;

use super::super::super::exit::CliError;
use super::super::command::CommandPreview;
use super::super::controller::{Outcome, WatchRequest};
use super::super::link::Update;
use super::*;
use crate::control::{Profile, Settings, notation};
use crate::engine::operation::{Adjust, Pause, Press, Resume, Start};
use crate::engine::{Engine, Operation};
use crate::record::members_of;

/// The three sizes that every picture is looked at in.
const SIZES: [(u16, u16); 3] = [(40, 12), (80, 24), (132, 36)];

/// A game that is played by instants in milliseconds.
struct Game {
    engine: Engine,
}

impl Game {
    fn new(control: &str, profile: Profile) -> Game {
        let control = notation::parse(control).expect("a control");
        let settings = Settings::new(control, profile);
        Game { engine: Engine::new(at(0), settings) }
    }

    fn start(mut self, ms: i64) -> Game {
        let start = Start { side: Some(Side::White) };
        let _ = self.engine.apply(at(ms), &start.into()).expect("it is ready");
        self
    }

    fn press(mut self, ms: i64, side: Side) -> Game {
        let press = Press { side, both: false };
        let _ = self.engine.apply(at(ms), &press.into()).expect("a press");
        self
    }

    fn command(mut self, ms: i64, command: impl Into<Operation>) -> Game {
        while !self.engine.poll(at(ms)).is_empty() {}
        let _ = self.engine.apply(at(ms), &command.into()).expect("it is allowed");
        self
    }

    /// The state as the bus gives it; to those who may not count, without counters.
    fn state(&mut self, ms: i64, arbiter: bool) -> Fields {
        while !self.engine.poll(at(ms)).is_empty() {}
        let mut state = members_of(&self.engine.snapshot(at(ms)));
        state.retain(|_, value| !value.is_null());
        for side in Side::BOTH {
            let own = state.get_mut(side.name()).and_then(Value::as_object_mut).expect("a side");
            own.retain(|name, value| {
                !value.is_null() && (arbiter || name != "moves" && name != "moves_to_stage")
            });
        }
        let (us, ns) = (ms * 1_000, ms * 1_000_000);
        let beside = json!({"game": "20261130T100000Z-0", "seq": 9, "at_us": us, "at_ns": ns});
        state.extend(beside.as_object().cloned().expect("an object"));
        state
    }

    fn picture(&mut self, ms: i64, arbiter: bool) -> Update {
        let settings = self.engine.settings();
        let properties = json!({
            "Control": settings.control.to_string(),
            "ControlClass": "standard",
            "Profile": settings.profile.name(),
            "Fingerprint": "8BE0",
            "WhiteOn": "left",
            "Locked": false,
            "Health": {"realtime_granted": true, "disk_ok": true, "timebase": "monotonic-raw"},
        });
        let properties = properties.as_object().cloned().expect("an object");
        Update::State { state: self.state(ms, arbiter), properties }
    }

    /// A watch that has just seen it.
    fn watched(mut self, ms: i64) -> WatchState {
        let mut watch = WatchState::new();
        let lines = [
            json!({"seq": 7, "at_us": 61_000_000, "kind": "press", "side": "white", "origin": "board"}),
            json!({"seq": 8, "at_us": 61_000_000, "kind": "turn", "side": "black"}),
            json!({"seq": 9, "at_us": 62_000_000, "kind": "flag", "side": "black", "flag": "fall", "first": true}),
        ];
        watch.take(at(0), Update::Earlier(lines.map(|line| line.to_string()).to_vec()));
        let picture = self.picture(ms, true);
        watch.take(at(0), picture);
        watch
    }
}

fn at(ms: i64) -> Instant {
    Instant::ZERO + Span::from_millis(ms)
}

/// What a terminal shows.
fn drawn(watch: &WatchState, now: Instant, (width, height): (u16, u16)) -> String {
    let view = ScreenView { watch, now, colour: false };
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal
        .draw(|frame| {
            draw(&view, frame.area(), frame.buffer_mut());
        })
        .expect("drawn");
    let rows = terminal.backend().buffer().content().chunks(usize::from(width));
    let rows = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>());
    rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A watch at which this was typed.
fn typed(mut watch: WatchState, keys: &str) -> (WatchState, Option<WatchRequest>) {
    let phase = watch.phase().to_owned();
    let mut request = None;
    for letter in keys.chars() {
        let code = if letter == '$' { KeyCode::Enter } else { KeyCode::Char(letter) };
        request = watch.controller.key(&KeyEvent::new(code, KeyModifiers::NONE), &phase);
    }
    (watch, request)
}

fn playing() -> Game {
    Game::new("40/1h30m+30s, 30m+30s", Profile::Club).start(0).press(61_000, Side::White)
}

fn fallen() -> Game {
    let game = Game::new("1m", Profile::Us).start(0).press(1_000, Side::White);
    let game = game.command(70_000, Pause {});
    let game = game.command(70_000, Resume { side: Some(Side::White) });
    game.command(200_000, Pause {})
}

#[test]
fn every_phase_and_method_in_every_size() {
    for (name, watch, now) in [
        ("ready under a delay", Game::new("25m delay 5s", Profile::Us).watched(0), 0),
        ("running with stages", playing().watched(64_300), 700),
        (
            "running in byo-yomi",
            Game::new("1m byoyomi 3x30s", Profile::Go).start(0).watched(95_000),
            500,
        ),
        ("both flags have fallen", fallen().watched(200_000), 0),
        (
            "hourglass in its last minute",
            Game::new("hourglass 1m", Profile::Club).start(0).watched(20_000),
            1_050,
        ),
    ] {
        for size in SIZES {
            let name = format!("{name} {}x{}", size.0, size.1);
            insta::assert_snapshot!(name, drawn(&watch, at(now), size));
        }
    }
}

#[test]
fn what_is_kept_from_a_reader_is_said_and_not_shown_as_nothing() {
    let mut game =
        Game::new("40/1h30m+30s, 30m+30s", Profile::Fide).start(0).press(61_000, Side::White);
    game = game.command(64_000, Pause {});
    let mut watch = WatchState::new();
    let picture = game.picture(64_000, false);
    watch.take(at(0), picture);
    for size in SIZES {
        let shown = drawn(&watch, at(0), size);
        assert!(!shown.contains("0 moves") && !shown.contains("to the next"), "{shown}");
        insta::assert_snapshot!(format!("paused before a reader {}x{}", size.0, size.1), shown);
    }
}

#[test]
fn a_daemon_that_is_gone_or_silent_is_told_and_nothing_runs() {
    let mut watch = playing().watched(64_300);
    let silent = drawn(&watch, at(9_000), (80, 24));
    assert!(silent.contains("NO ANSWER from the daemon for 0:09"), "{silent}");
    assert_eq!(silent, drawn(&watch, at(9_400), (80, 24)), "nothing runs");
    watch.take(at(1_000), Update::Lost("the daemon has gone".to_owned()));
    let lost = drawn(&watch, at(9_000), (80, 24));
    assert!(lost.contains("THE DAEMON IS GONE for 0:09"), "{lost}");
    assert!(
        lost.contains("last seen: running, Black to move") && !lost.contains("R U N"),
        "{lost}"
    );
    assert!(drawn(&WatchState::new(), at(0), (80, 24)).contains("asking the daemon"));
}

#[test]
fn what_will_be_done_is_shown_before_it_is_confirmed() {
    let game = || playing().command(64_300, Pause {});
    let (mut watch, request) = typed(game().watched(64_300), ":set white 5m + moves black 3$");
    let Some(WatchRequest::Preview { request_id, command }) = request else {
        panic!("{request:?}")
    };
    let mut after = game();
    after = after.command(64_300, Adjust::from(command.cli.adjustment));
    let preview = CommandPreview {
        command: *command,
        call: None,
        seq: 8,
        before: game().state(64_300, true),
        after: Some(after.state(64_300, true)),
        notes: vec!["flag lifted white".to_owned()],
    };
    watch.controller.outcome(request_id, Outcome::Previewed(Box::new(preview.clone())));
    for size in SIZES {
        let name = format!("a correction to be confirmed {}x{}", size.0, size.1);
        insta::assert_snapshot!(name, drawn(&watch, at(0), size));
    }
    let (mut watch, request) = typed(watch, "$");
    let Some(WatchRequest::Apply { request_id, .. }) = request else { panic!("{request:?}") };
    watch.controller.outcome(request_id, Outcome::Changed(Box::new(preview)));
    assert!(drawn(&watch, at(0), (80, 24)).contains("nothing was done"));
}

#[test]
fn lines_that_are_typed_refusals_and_the_keys() {
    let (watch, _) = typed(playing().watched(64_300), "swhite soon$");
    insta::assert_snapshot!("a line that makes no sense", drawn(&watch, at(0), (80, 24)));
    let (watch, _) = typed(playing().watched(64_300), "xwh");
    insta::assert_snapshot!("a line that is typed", drawn(&watch, at(0), (80, 24)));
    let (mut watch, request) = typed(playing().watched(64_300), "w");
    let Some(WatchRequest::Preview { request_id, .. }) = request else { panic!("{request:?}") };
    watch
        .controller
        .outcome(request_id, Outcome::Failed(CliError::not_permitted("swap is for arbiters")));
    insta::assert_snapshot!("somebody who may not", drawn(&watch, at(0), (80, 24)));
    for size in SIZES {
        let (watch, _) = typed(playing().watched(64_300), "?");
        insta::assert_snapshot!(
            format!("the keys {}x{}", size.0, size.1),
            drawn(&watch, at(0), size)
        );
    }
}

#[test]
fn white_sits_where_white_sits() {
    let mut watch = playing().watched(64_300);
    let picture = watch.picture.as_mut().expect("there");
    picture.properties.insert("WhiteOn".to_owned(), "right".into());
    let shown = drawn(&watch, at(0), (132, 36));
    let [white, black] = ["WHITE", "BLACK"].map(|name| shown.find(name).expect("there"));
    assert!(black < white, "{shown}");
}

#[test]
fn no_size_of_terminal_breaks_the_picture() {
    let (watch, _) = typed(playing().watched(64_300), "?");
    for width in [0, 1, 2, 39, 40, 41, 79, 101, 102, 103, 300] {
        for height in [0, 1, 5, 11, 12, 13, 16, 17, 24, 100] {
            let area = Rect::new(0, 0, width, height);
            let view = ScreenView { watch: &watch, now: at(0), colour: true };
            draw(&view, area, &mut Buffer::empty(area));
        }
    }
    let small = drawn(&watch, at(0), (39, 12));
    assert!(small.contains("needs 40 columns"), "{small}");
}
