use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::json;

use super::super::super::exit::Failure;
use super::super::errand::Errand;
use super::super::foresight::Proposal;
use super::super::link::News;
use super::super::machine::{Answer, Wish};
use super::*;
use crate::control::{Profile, Settings, notation};
use crate::engine::{Command, Engine};
use crate::record::{Precision, state_fields};

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
        Game { engine: Engine::new(at(0), Box::new(settings)) }
    }

    fn start(mut self, ms: i64) -> Game {
        let start = Command::Start { side: Some(Side::White) };
        let _ = self.engine.command(at(ms), &start).expect("it is ready");
        self
    }

    fn press(mut self, ms: i64, side: Side) -> Game {
        let _ = self.engine.press(at(ms), side);
        self
    }

    fn command(mut self, ms: i64, command: &Command) -> Game {
        while !self.engine.poll(at(ms)).is_empty() {}
        let _ = self.engine.command(at(ms), command).expect("it is allowed");
        self
    }

    /// The state as the bus gives it; to those who may not count, without counters.
    fn state(&mut self, ms: i64, arbiter: bool) -> Fields {
        while !self.engine.poll(at(ms)).is_empty() {}
        let mut state = state_fields(&self.engine.snapshot(at(ms)), Precision::Micros);
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

    fn picture(&mut self, ms: i64, arbiter: bool) -> News {
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
        News::Picture { state: self.state(ms, arbiter), properties }
    }

    /// A watch that has just seen it.
    fn watched(mut self, ms: i64) -> Table {
        let mut table = Table::new();
        let lines = [
            json!({"seq": 7, "at_us": 61_000_000, "kind": "press", "side": "white", "origin": "board"}),
            json!({"seq": 8, "at_us": 61_000_000, "kind": "turn", "side": "black"}),
            json!({"seq": 9, "at_us": 62_000_000, "kind": "flag", "side": "black", "flag": "fall", "first": true}),
        ];
        table.take(at(0), News::Earlier(lines.map(|line| line.to_string()).to_vec()));
        let picture = self.picture(ms, true);
        table.take(at(0), picture);
        table
    }
}

fn at(ms: i64) -> Instant {
    Instant::ZERO + Span::from_millis(ms)
}

/// What a terminal shows.
fn drawn(table: &Table, now: Instant, (width, height): (u16, u16)) -> String {
    let view = View { table, now, colour: false };
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
fn typed(mut table: Table, keys: &str) -> (Table, Option<Wish>) {
    let phase = table.phase().to_owned();
    let mut wish = None;
    for letter in keys.chars() {
        let code = if letter == '$' { KeyCode::Enter } else { KeyCode::Char(letter) };
        wish = table.machine.key(&KeyEvent::new(code, KeyModifiers::NONE), &phase);
    }
    (table, wish)
}

fn playing() -> Game {
    Game::new("40/1h30m+30s, 30m+30s", Profile::Club).start(0).press(61_000, Side::White)
}

fn fallen() -> Game {
    let game = Game::new("1m", Profile::Us).start(0).press(1_000, Side::White);
    let game = game.command(70_000, &Command::Pause);
    let game = game.command(70_000, &Command::Resume { side: Some(Side::White) });
    game.command(200_000, &Command::Pause)
}

#[test]
fn every_phase_and_method_in_every_size() {
    for (name, table, now) in [
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
            insta::assert_snapshot!(name, drawn(&table, at(now), size));
        }
    }
}

#[test]
fn what_is_kept_from_a_reader_is_said_and_not_shown_as_nothing() {
    let mut game =
        Game::new("40/1h30m+30s, 30m+30s", Profile::Fide).start(0).press(61_000, Side::White);
    game = game.command(64_000, &Command::Pause);
    let mut table = Table::new();
    let picture = game.picture(64_000, false);
    table.take(at(0), picture);
    for size in SIZES {
        let shown = drawn(&table, at(0), size);
        assert!(!shown.contains("0 moves") && !shown.contains("to the next"), "{shown}");
        insta::assert_snapshot!(format!("paused before a reader {}x{}", size.0, size.1), shown);
    }
}

#[test]
fn a_daemon_that_is_gone_or_silent_is_told_and_nothing_runs() {
    let mut table = playing().watched(64_300);
    let silent = drawn(&table, at(9_000), (80, 24));
    assert!(silent.contains("NO ANSWER from the daemon for 0:09"), "{silent}");
    assert_eq!(silent, drawn(&table, at(9_400), (80, 24)), "nothing runs");
    table.take(at(1_000), News::Lost("the daemon has gone".to_owned()));
    let lost = drawn(&table, at(9_000), (80, 24));
    assert!(lost.contains("THE DAEMON IS GONE for 0:09"), "{lost}");
    assert!(
        lost.contains("last seen: running, Black to move") && !lost.contains("R U N"),
        "{lost}"
    );
    assert!(drawn(&Table::new(), at(0), (80, 24)).contains("asking the daemon"));
}

#[test]
fn what_will_be_done_is_shown_before_it_is_confirmed() {
    let game = || playing().command(64_300, &Command::Pause);
    let (mut table, wish) = typed(game().watched(64_300), ":set white 5m + moves black 3$");
    let Some(Wish::Foresee { ticket, errand }) = wish else { panic!("{wish:?}") };
    let mut after = game();
    let changes = Errand::read(&errand.words).expect("usage is good");
    let super::super::errand::What::Adjust(changes) = changes.what else { panic!() };
    after = after.command(64_300, &Command::Adjust(changes));
    let proposal = Proposal {
        errand: *errand,
        seq: 8,
        before: game().state(64_300, true),
        after: Some(after.state(64_300, true)),
        says: vec!["flag lifted white".to_owned()],
    };
    table.machine.answer(ticket, Answer::Foreseen(Box::new(proposal.clone())));
    for size in SIZES {
        let name = format!("a correction to be confirmed {}x{}", size.0, size.1);
        insta::assert_snapshot!(name, drawn(&table, at(0), size));
    }
    let (mut table, wish) = typed(table, "$");
    let Some(Wish::Give { ticket, .. }) = wish else { panic!("{wish:?}") };
    table.machine.answer(ticket, Answer::Changed(Box::new(proposal)));
    assert!(drawn(&table, at(0), (80, 24)).contains("nothing was done"));
}

#[test]
fn lines_that_are_typed_refusals_and_the_keys() {
    let (table, _) = typed(playing().watched(64_300), "swhite soon$");
    insta::assert_snapshot!("a line that makes no sense", drawn(&table, at(0), (80, 24)));
    let (table, _) = typed(playing().watched(64_300), "xwh");
    insta::assert_snapshot!("a line that is typed", drawn(&table, at(0), (80, 24)));
    let (mut table, wish) = typed(playing().watched(64_300), "w");
    let Some(Wish::Foresee { ticket, .. }) = wish else { panic!("{wish:?}") };
    table.machine.answer(ticket, Answer::Failed(Failure::not_permitted("swap is for arbiters")));
    insta::assert_snapshot!("somebody who may not", drawn(&table, at(0), (80, 24)));
    for size in SIZES {
        let (table, _) = typed(playing().watched(64_300), "?");
        insta::assert_snapshot!(
            format!("the keys {}x{}", size.0, size.1),
            drawn(&table, at(0), size)
        );
    }
}

#[test]
fn white_sits_where_white_sits() {
    let mut table = playing().watched(64_300);
    let picture = table.picture.as_mut().expect("there");
    picture.properties.insert("WhiteOn".to_owned(), "right".into());
    let shown = drawn(&table, at(0), (132, 36));
    let [white, black] = ["WHITE", "BLACK"].map(|name| shown.find(name).expect("there"));
    assert!(black < white, "{shown}");
}

#[test]
fn no_size_of_terminal_breaks_the_picture() {
    let (table, _) = typed(playing().watched(64_300), "?");
    for width in [0, 1, 2, 39, 40, 41, 79, 101, 102, 103, 300] {
        for height in [0, 1, 5, 11, 12, 13, 16, 17, 24, 100] {
            let area = Rect::new(0, 0, width, height);
            let view = View { table: &table, now: at(0), colour: true };
            draw(&view, area, &mut Buffer::empty(area));
        }
    }
    let small = drawn(&table, at(0), (39, 12));
    assert!(small.contains("needs 40 columns"), "{small}");
}
