//! Laws of lines: what is written is read back, and no text at all brings the replay down.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::control::presets::Presets;
use crate::control::{BySide, Profile, Seat, Settings, Side, notation};
use crate::engine::{Adjustment, Change, Command, Engine, GameResult, Offence};
use crate::time::{Instant, Span};

const CONTROLS: [&str; 12] = [
    "3m+2s",
    "40/2h, 20/1h, 15m+30s",
    "40/1h repeat",
    "40/2h confirm, 30m",
    "25m delay 5s",
    "10m byoyomi 10x1m free 30s burn-on-entry",
    "1h canadian 10/5m then 20/5m",
    "25m overtime 10m",
    "hourglass 1m",
    "gong 10s",
    "up",
    "white 5m; black 4m",
];

fn spans() -> impl Strategy<Value = Span> {
    prop_oneof![
        (0..20_000_000_000_i64).prop_map(Span::from_nanos),
        any::<i64>().prop_map(Span::from_nanos)
    ]
}

fn counts() -> impl Strategy<Value = u32> {
    prop_oneof![0..100_u32, any::<u32>()]
}

fn sides() -> impl Strategy<Value = Side> {
    proptest::sample::select(&Side::BOTH[..])
}

prop_compose! {
    fn adjustments()(
        main in proptest::option::of((any::<bool>(), spans())),
        moves in proptest::option::of(counts()),
        stage in proptest::option::of(1_u32..=3),
        stage_time in any::<bool>(),
        periods in proptest::option::of(counts()),
        stones in proptest::option::of(counts()),
        overtime in proptest::option::of(spans().prop_map(Span::or_zero)),
    ) -> Adjustment {
        let main = main.map(|(to, span)| if to { Change::To(span) } else { Change::By(span) });
        Adjustment { main, moves, stage, stage_time, periods, stones, overtime }
    }
}

fn settings() -> impl Strategy<Value = Settings> {
    const NAMES: [&str; 3] = ["freeze", "first-increment", "pause-at-stage"];
    (
        proptest::sample::select(&CONTROLS[..]),
        proptest::sample::select(&Profile::ALL[..]),
        proptest::collection::vec((proptest::sample::select(&NAMES[..]), any::<bool>()), 0..3),
        proptest::sample::select(&Seat::BOTH[..]),
    )
        .prop_map(|(control, profile, switches, white_on)| {
            let mut settings = Settings::new(notation::parse(control).expect("valid"), profile);
            for (name, on) in switches {
                settings.switches.set(name, &on.to_string()).expect("a switch");
            }
            settings.white_on = white_on;
            settings
        })
}

fn causes() -> impl Strategy<Value = Cause> {
    let side = || proptest::option::of(sides());
    let commands = prop_oneof![
        side().prop_map(|side| Command::Start { side }),
        Just(Command::Pause),
        side().prop_map(|side| Command::Resume { side }),
        (adjustments(), adjustments())
            .prop_map(|(white, black)| Command::Adjust(BySide { white, black })),
        (1_u32..30, any::<bool>()).prop_map(|(count, refund)| Command::UndoPress { count, refund }),
        sides().prop_map(|side| Command::ConfirmStage { side }),
        proptest::sample::select(&GameResult::ALL[..]).prop_map(|result| Command::End { result }),
        (1_u32..5).prop_map(|count| Command::InsertPress { count }),
        sides().prop_map(|side| Command::ResumeInstead { side }),
        (sides(), proptest::sample::select(&Offence::ALL[..]), any::<bool>()).prop_map(
            |(offender, offence, after_reply)| Command::Penalty { offender, offence, after_reply }
        ),
        sides().prop_map(|claimant| Command::Quickplay { claimant }),
        Just(Command::SwapSides),
        sides().prop_map(|side| Command::Arrived { side }),
        any::<bool>().prop_map(|locked| Command::Lock { locked }),
    ];
    prop_oneof![
        1 => settings().prop_map(|settings| Cause::NewGame { settings: Arc::new(settings) }),
        20 => sides().prop_map(|side| Cause::Press { side }),
        2 => sides().prop_map(|side| Cause::PressBoth { side }),
        20 => (commands, "[ -~äß♔]{0,12}").prop_map(|(command, reason)| {
            let takes_reason = matches!(command, Command::Pause | Command::Adjust(_));
            Cause::Command { command, reason: if takes_reason { reason } else { String::new() } }
        }),
        2 => Just(Cause::Query),
        1 => "[a-z_]{0,12}".prop_map(|what| Cause::Denied { what }),
    ]
}

fn line(at: Span, cause: &Cause) -> String {
    let mut all = fields([("at_us", at_us(at, Precision::Nanos)), ("kind", cause.kind().into())]);
    all.extend(cause.fields());
    serde_json::Value::from(all).to_string()
}

/// A game's lines: a new game, then causes in their order.
fn games() -> impl Strategy<Value = Vec<String>> {
    let first = settings().prop_map(|settings| Cause::NewGame { settings: Arc::new(settings) });
    let later = proptest::collection::vec((0..90_000_000_000_i64, causes()), 0..40);
    (first, later).prop_map(|(first, later)| {
        let mut at = Span::ZERO;
        let mut lines = vec![line(at, &first)];
        for (pause, cause) in later {
            let begins = matches!(cause, Cause::NewGame { .. });
            at = if begins { Span::ZERO } else { at + Span::from_nanos(pause) };
            lines.push(line(at, &cause));
        }
        lines
    })
}

fn replay(lines: &[String]) -> Result<Vec<Step>, LineError> {
    let mut replay = Replay::new(Instead::default());
    let steps: Result<Vec<_>, _> = lines.iter().map(|line| replay.line(line)).collect();
    Ok(steps?.into_iter().flatten().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_cause_that_is_written_is_read_back(cause in causes(), at in 0..i64::MAX / 4) {
        let begins = matches!(cause, Cause::NewGame { .. });
        let at = if begins { Span::ZERO } else { Span::from_nanos(at) };
        let text = line(at, &cause);
        let read = parse_line(&text, &Presets::shipped()).map_err(|e| e.to_string());
        let content = Content::Cause(cause);
        prop_assert_eq!(read, Ok(Line { seq: None, at, wall: None, origin: None, content }));
    }

    #[test]
    fn every_game_of_well_formed_lines_is_replayed_to_its_end(lines in games()) {
        let steps = replay(&lines);
        prop_assert!(steps.is_ok(), "{:?}", steps.err());
        for step in steps.into_iter().flatten() {
            let exact = step.fields(Precision::Nanos);
            prop_assert_eq!(exact.keys().collect::<Vec<_>>(), ["at_us", "kind", "effects", "state"]);
        }
    }

    #[test]
    fn a_query_in_between_changes_nothing_that_comes_later(
        lines in games(),
        place in any::<prop::sample::Index>(),
    ) {
        let plain = replay(&lines).expect("well formed");
        let place = place.index(lines.len()) + 1;
        let before = &plain[place - 1];
        let mut asked = lines.clone();
        asked.insert(place, line(before.at, &Cause::Query));
        let mut steps = replay(&asked).expect("well formed");
        steps.remove(place);
        for (plain, asked) in plain.iter().zip(&steps) {
            prop_assert_eq!(plain.snapshot, asked.snapshot);
        }
    }

    #[test]
    fn replaying_the_causes_of_a_game_gives_its_state(
        settings in settings(),
        causes in proptest::collection::vec((0..90_000_000_000_i64, causes()), 0..60),
        looks in 1..5_i64,
    ) {
        let mut live = Engine::new(Instant::ZERO, Box::new(settings.clone()));
        let mut replay = Replay::new(Instead::default());
        let first = Cause::NewGame { settings: Arc::new(settings) };
        prop_assert!(replay.line(&line(Span::ZERO, &first)).is_ok());
        let mut at = Span::ZERO;
        for (pause, cause) in causes {
            let played = matches!(cause, Cause::Press { .. } | Cause::Command { .. });
            let cause = if played { cause } else { Cause::Query };
            // A clock that is looked at now and then, as the box's is.
            for look in 1..=looks {
                while !live.poll(Instant::ZERO + at + Span::from_nanos(pause / looks * look)).is_empty() {}
            }
            at += Span::from_nanos(pause);
            let now = Instant::ZERO + at;
            while !live.poll(now).is_empty() {}
            match &cause {
                Cause::Press { side } => drop(live.press(now, *side)),
                Cause::Command { command, .. } => drop(live.command(now, command)),
                _ => {}
            }
            while !live.poll(now).is_empty() {}
            let step = replay.line(&line(at, &cause)).expect("well formed").expect("a cause");
            prop_assert_eq!(step.snapshot, live.snapshot(now));
        }
        let replayed = replay.into_game().expect("a game").0;
        let now = Instant::ZERO + at;
        prop_assert_eq!(replayed.save(now), live.save(now));
    }

    #[test]
    fn no_text_brings_the_replay_down(texts in proptest::collection::vec(any::<String>(), 1..4)) {
        let _ = replay(&texts);
    }

    #[test]
    fn a_line_with_a_character_changed_is_replayed_or_refused_with_its_number(
        lines in games(),
        which in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        with in prop_oneof![any::<char>(), proptest::sample::select(&b"0123456789\"{}[]:,.-e"[..])
            .prop_map(char::from)],
    ) {
        let mut lines = lines;
        let which = which.index(lines.len());
        let mut letters: Vec<char> = lines[which].chars().collect();
        let place = place.index(letters.len());
        letters[place] = with;
        lines[which] = letters.into_iter().collect();
        if let Err(error) = replay(&lines) {
            prop_assert!(error.number > which, "line {} was blamed", error.number);
            let sentence = error.to_string();
            prop_assert!(sentence.starts_with("line "), "{}", sentence);
        }
    }
}

#[test]
fn a_gong_left_alone_for_years_is_refused_instead_of_filling_the_memory() {
    let year = "31536000000000";
    let error = replay(&[
        r#"{"kind":"new_game","at_us":0,"control":"gong 1s"}"#.to_owned(),
        r#"{"kind":"start","at_us":0}"#.to_owned(),
        format!(r#"{{"kind":"query","at_us":{year}}}"#),
    ])
    .expect_err("too many");
    assert_eq!(error.number, 3);
    assert!(error.to_string().contains("put a query"), "{error}");
}

#[test]
fn a_new_game_says_only_what_differs_from_its_profile() {
    let written = |settings: Settings| {
        let cause = Cause::NewGame { settings: Arc::new(settings) };
        serde_json::Value::from(cause.fields()).to_string()
    };
    let mut settings = Settings::new(notation::parse("3+2").expect("valid"), Profile::Fide);
    assert_eq!(written(settings.clone()), r#"{"control":"3m+2s","profile":"fide"}"#);
    settings.switches.freeze = false;
    settings.switches.first_to_move = Side::Black;
    settings.white_on = Seat::Right;
    assert_eq!(
        written(settings),
        r#"{"control":"3m+2s","profile":"fide","switches":{"freeze":false,"first-to-move":"black"},"white_on":"right"}"#
    );
}

#[test]
fn a_control_may_be_a_presets_id_and_brings_its_profile() {
    let text = r#"{"kind":"new_game","at_us":0,"control":"fide-classical"}"#;
    let read = parse_line(text, &Presets::shipped()).expect("a line");
    let Content::Cause(Cause::NewGame { settings }) = read.content else {
        panic!("{read:?}");
    };
    assert_eq!(settings.profile, Profile::Fide);
    assert_eq!(settings.control.to_string(), "40/1h30m+30s, 30m+30s");
}

#[test]
fn every_cause_of_the_format_is_read_and_written_back_as_it_was() {
    for text in [
        r#"{"kind":"insert_press","at_us":0,"count":2}"#,
        r#"{"kind":"resume_instead","at_us":0,"side":"black"}"#,
        r#"{"kind":"penalty","at_us":0,"offender":"black","offence":"illegal-move","after_reply":true}"#,
        r#"{"kind":"quickplay","at_us":0,"claimant":"white"}"#,
        r#"{"kind":"change_control","at_us":0,"control":"1h30m+30s","how":"replayed"}"#,
        r#"{"kind":"swap_sides","at_us":0}"#,
        r#"{"kind":"arrived","at_us":0,"side":"white"}"#,
        r#"{"kind":"recovered","at_us":0,"why":"power cut","last_record":{"white_us":1.5,"black_us":null},"last_press":{"white_us":2,"black_us":3}}"#,
        r#"{"kind":"choose_recovery","at_us":0,"candidate":"last-press"}"#,
        r#"{"kind":"lock","at_us":0,"locked":true}"#,
        r#"{"kind":"start_at","at_us":0,"unix_us":1796032800000000}"#,
        r#"{"kind":"start_at","at_us":0,"unix_us":0}"#,
    ] {
        let line =
            parse_line(text, &Presets::shipped()).unwrap_or_else(|why| panic!("{text}: {why}"));
        let Content::Cause(cause) = line.content else { panic!("{text}") };
        let mut all = fields([("kind", cause.kind().into()), ("at_us", 0.into())]);
        all.extend(cause.fields());
        assert_eq!(serde_json::Value::from(all).to_string(), text);
    }
}

#[test]
fn what_a_cause_may_leave_out_is_its_ordinary_meaning() {
    for (short, long) in [
        (r#""insert_press""#, r#""insert_press","count":1"#),
        (r#""undo_press""#, r#""undo_press","count":1,"refund":true"#),
        (r#""change_control","control":"5m""#, r#""change_control","control":"5m","how":"kept""#),
        (
            r#""penalty","offender":"white","offence":"wrong-claim""#,
            r#""penalty","offender":"white","offence":"wrong-claim","after_reply":false"#,
        ),
    ] {
        let read = |own| {
            let text = format!(r#"{{"at_us":0,"kind":{own}}}"#);
            parse_line(&text, &Presets::shipped()).unwrap_or_else(|why| panic!("{text}: {why}"))
        };
        assert_eq!(read(short), read(long));
    }
}
