//! Laws of lines: what is written is read back, and no text at all brings the replay down.

use proptest::prelude::*;

use super::*;
use crate::control::{Profile, Seat, Settings, Side, notation};
use crate::engine::operation::*;
use crate::engine::{Candidate, Engine, GameResult, Offence, Operation, Precision};
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
        (-20_000_000..20_000_000_i64).prop_map(Span::from_micros),
        (i64::MIN / 1_000..=i64::MAX / 1_000).prop_map(Span::from_micros)
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
        main in proptest::option::of(spans()),
        add in proptest::option::of(spans()),
        moves in proptest::option::of(counts()),
        stage in proptest::option::of(counts()),
        stage_time in any::<bool>(),
        periods in proptest::option::of(counts()),
        stones in proptest::option::of(counts()),
        overtime in proptest::option::of(spans()),
    ) -> Adjustment {
        Adjustment { main, add, moves, stage, stage_time, periods, stones, overtime }
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

/// Any operation with any arguments, also such as are refused.
fn operations() -> impl Strategy<Value = Operation> {
    let side = || proptest::option::of(sides());
    let how = proptest::sample::select(&crate::engine::ReplacePolicy::ALL);
    prop_oneof![
        1 => (settings(), any::<bool>()).prop_map(|(set, abandon)| NewGame::of(&set, abandon).into()),
        20 => sides().prop_map(|side| Press { side, both: false }.into()),
        2 => sides().prop_map(|side| Press { side, both: true }.into()),
        2 => side().prop_map(|side| Start { side }.into()),
        2 => Just(Pause {}.into()),
        3 => side().prop_map(|side| Resume { side }.into()),
        2 => (adjustments(), adjustments()).prop_map(|(white, black)| Adjust { white, black }.into()),
        2 => (0_u32..30, any::<bool>()).prop_map(|(count, refund)| UndoPress { count, refund }.into()),
        1 => counts().prop_map(|count| InsertPress { count }.into()),
        1 => sides().prop_map(|side| ConfirmStage { side }.into()),
        1 => proptest::sample::select(&GameResult::ALL).prop_map(|result| End { result }.into()),
        1 => sides().prop_map(|side| ResumeInstead { side }.into()),
        2 => (sides(), proptest::sample::select(&Offence::ALL), any::<bool>()).prop_map(
            |(offender, offence, after_reply)| Penalty { offender, offence, after_reply }.into()
        ),
        1 => sides().prop_map(|claimant| Quickplay { claimant }.into()),
        2 => (settings(), how).prop_map(|(settings, how)| {
            ChangeControl { control: Box::new(settings.control.into()), how }.into()
        }),
        1 => Just(SwapSides {}.into()),
        1 => sides().prop_map(|side| Arrived { side }.into()),
        1 => any::<bool>().prop_map(|locked| Lock { locked }.into()),
        1 => any::<i64>().prop_map(|unix_us| StartAt { unix_us }.into()),
        1 => proptest::sample::select(&Candidate::ALL)
            .prop_map(|candidate| ChooseRecovery { candidate }.into()),
        1 => Just(Recovered::default().into()),
        1 => Just(Query {}.into()),
        1 => "[a-z_]{0,12}".prop_map(|what| Denied { what }.into()),
    ]
}

fn line(at: Span, operation: &Operation) -> String {
    let mut all = fields([("at_ns", at.as_nanos().into())]);
    all.extend(members_of(operation));
    serde_json::Value::from(all).to_string()
}

/// A game's lines: a new game, then causes in their order.
fn games() -> impl Strategy<Value = Vec<String>> {
    let first = settings().prop_map(|settings| NewGame::of(&settings, false).into());
    let later = proptest::collection::vec((0..90_000_000_000_i64, operations()), 0..40);
    (first, later).prop_map(|(first, later): (Operation, Vec<(i64, Operation)>)| {
        let mut at = Span::ZERO;
        let mut lines = vec![line(at, &first)];
        for (pause, cause) in later {
            let begins = matches!(cause, Operation::NewGame(_));
            at = if begins { Span::ZERO } else { at + Span::from_nanos(pause) };
            lines.push(line(at, &cause));
        }
        lines
    })
}

fn replay(lines: &[String]) -> Result<Vec<Step>, LineError> {
    let mut replay = Replay::new(Override::default());
    let steps: Result<Vec<_>, _> = lines.iter().map(|line| replay.line(line)).collect();
    Ok(steps?.into_iter().flatten().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn an_operation_that_is_written_is_read_back(
        operation in operations(),
        at in 0..3_000_000_000_000_000_000_i64,
        reason in proptest::option::of("[ -~äß♔]{1,12}"),
    ) {
        let at = Span::from_nanos(at);
        let mut all = serde_json::from_str::<Fields>(&line(at, &operation)).unwrap();
        all.extend(members_of(&Annotations { reason: reason.clone(), on_behalf_of: None }));
        let text = serde_json::Value::from(all).to_string();
        let read = LineReader::default().read(&text).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(read.at, at);
        prop_assert_eq!(read.content, Content::Operation(operation));
        prop_assert_eq!(read.annotations.reason, reason);
    }

    #[test]
    fn every_game_of_well_formed_lines_is_replayed_to_its_end(lines in games()) {
        let steps = replay(&lines);
        prop_assert!(steps.is_ok(), "{:?}", steps.err());
        for step in steps.into_iter().flatten() {
            let exact = members_of(&step.members(Precision::Nanos));
            prop_assert_eq!(exact.keys().collect::<Vec<_>>(), ["at_ns", "kind", "effects", "state"]);
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
        asked.insert(place, line(before.at, &Query {}.into()));
        let mut steps = replay(&asked).expect("well formed");
        steps.remove(place);
        for (plain, asked) in plain.iter().zip(&steps) {
            prop_assert_eq!(plain.snapshot, asked.snapshot);
        }
    }

    #[test]
    fn replaying_the_causes_of_a_game_gives_its_state(
        settings in settings(),
        operations in proptest::collection::vec((0..90_000_000_000_i64, operations()), 0..60),
        looks in 1..5_i64,
    ) {
        let mut live = Engine::new(Instant::ZERO, settings);
        let mut replay = Replay::new(Override::default());
        let first = NewGame::of(&settings, false).into();
        prop_assert!(replay.line(&line(Span::ZERO, &first)).is_ok());
        let mut at = Span::ZERO;
        for (pause, operation) in operations {
            let played = match &operation {
                Operation::NewGame(_) => false,
                Operation::ChangeControl(change) => change.how == crate::engine::ReplacePolicy::Kept,
                _ => true,
            };
            let operation = if played { operation } else { Query {}.into() };
            // A clock that is looked at now and then, as the box's is.
            for look in 1..=looks {
                while !live.poll(Instant::ZERO + at + Span::from_nanos(pause / looks * look)).is_empty() {}
            }
            at += Span::from_nanos(pause);
            let now = Instant::ZERO + at;
            while !live.poll(now).is_empty() {}
            let _ = live.apply(now, &operation);
            while !live.poll(now).is_empty() {}
            let step = replay.line(&line(at, &operation)).expect("well formed").expect("a cause");
            prop_assert_eq!(step.snapshot, live.snapshot(now));
        }
        let replayed = replay.into_game().expect("a game");
        let now = Instant::ZERO + at;
        prop_assert_eq!(replayed.engine().save(now), live.save(now));
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
        serde_json::to_string(&NewGame::of(&settings, false)).expect("plain members")
    };
    let mut settings = Settings::new(notation::parse("3+2").expect("valid"), Profile::Fide);
    assert_eq!(written(settings), r#"{"control":"3m+2s","profile":"fide","white_on":"left"}"#);
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
    let mut replay = Replay::new(Override::default());
    replay.line(r#"{"kind":"new_game","at_ns":0,"control":"fide-classical"}"#).expect("a line");
    let settings = *replay.engine().expect("a game").settings();
    assert_eq!(settings.profile, Profile::Fide);
    assert_eq!(settings.control.to_string(), "40/1h30m+30s, 30m+30s");
}

#[test]
fn every_operation_of_the_format_is_read_and_written_back_as_it_was() {
    for text in [
        r#"{"kind":"insert_press","at_ns":0,"count":2}"#,
        r#"{"kind":"resume_instead","at_ns":0,"side":"black"}"#,
        r#"{"kind":"penalty","at_ns":0,"offender":"black","offence":"illegal-move","after_reply":true}"#,
        r#"{"kind":"quickplay","at_ns":0,"claimant":"white"}"#,
        r#"{"kind":"change_control","at_ns":0,"control":"1h30m+30s","how":"replayed"}"#,
        r#"{"kind":"swap_sides","at_ns":0}"#,
        r#"{"kind":"arrived","at_ns":0,"side":"white"}"#,
        r#"{"kind":"recovered","at_ns":0,"why":"power cut","last_record":{"white_ns":1500,"black_ns":null},"last_press":{"white_ns":2,"black_ns":3}}"#,
        r#"{"kind":"choose_recovery","at_ns":0,"candidate":"last-press"}"#,
        r#"{"kind":"lock","at_ns":0,"locked":true}"#,
        r#"{"kind":"start_at","at_ns":0,"unix_us":1796032800000000}"#,
        r#"{"kind":"adjust","at_ns":0,"white":{"add_us":-60000000,"stage":0},"black":{"overtime_us":-1}}"#,
    ] {
        let read = LineReader::default().read(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        let mut all = members_of(&read.content);
        let kind = all.shift_remove("kind").expect("a kind");
        let mut line = fields([("kind", kind), ("at_ns", 0.into())]);
        line.extend(all);
        assert_eq!(serde_json::Value::from(line).to_string(), text);
    }
}

#[test]
fn what_is_wrong_with_a_line_is_named_with_the_member() {
    for (text, part) in [
        ("", "the line is empty"),
        ("[]", "one JSON object"),
        (r#"{"a":1"#, "column 6"),
        (r#"{"kind":"pause"}"#, "`at_ns`: is missing"),
        (r#"{"kind":"pause","at_ns":-1}"#, "`at_ns`: expected a time from 0"),
        (r#"{"kind":"pause","at_us":1e6}"#, "`at_us`: expected a number of microseconds"),
        (r#"{"kind":"pause","at_us":0.0001}"#, "no finer than a nanosecond"),
        (r#"{"kind":"pause","at_ns":0,"kind":"start"}"#, "`kind` is given twice"),
        (r#"{"kind":"strat","at_ns":0}"#, "did you mean `start`?"),
        (r#"{"kind":"pause","at_ns":0,"origin":"me"}"#, "`origin`: expected \"board\""),
        (r#"{"kind":"pause","at_ns":0,"hash":"12"}"#, "`hash`: expected a SHA-256"),
        (r#"{"kind":"press","at_ns":0,"side":"green"}"#, "`side`: unknown variant `green`"),
        (r#"{"kind":"press","at_ns":0}"#, "missing field `side`"),
        (r#"{"kind":"adjust","at_ns":0,"white":{"moves":-5}}"#, "`white.moves`: invalid value"),
        (r#"{"kind":"adjust","at_ns":0,"white":{"man_us":5}}"#, "unknown field `man_us`"),
        (r#"{"kind":"new_game","at_ns":0,"control":"3 bananas"}"#, "`control`: "),
        (r#"{"kind":"flag","at_ns":0,"side":"white"}"#, "`flag`: missing field `flag`"),
        (r#"{"kind":"pause","at_ns":0,"schema":3}"#, "install a newer one"),
    ] {
        let problem = LineReader::default().read(text).expect_err(text);
        assert!(problem.to_string().contains(part), "{text}: {problem}");
    }
}

#[test]
fn a_line_written_by_hand_may_give_microseconds_with_decimals() {
    let at = |text: &str| LineReader::default().read(text).expect("a line").at;
    assert_eq!(at(r#"{"kind":"query","at_us":1234.567}"#), Span::from_nanos(1_234_567));
    assert_eq!(at(r#"{"kind":"query","at_us":1.5000}"#), Span::from_nanos(1_500));
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
            LineReader::default().read(&text).unwrap_or_else(|why| panic!("{text}: {why}")).content
        };
        assert_eq!(read(short), read(long));
    }
}
