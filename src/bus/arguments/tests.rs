use super::*;
use crate::control::{Profile, Seat, StartPress, notation};
use crate::engine::operation::{Adjust, NewGame};
use crate::engine::{Adjustment, Operation};
use crate::time::Span;

fn dict<const N: usize>(members: [(&str, Variant<'static>); N]) -> Variant<'static> {
    let members = members.into_iter().map(|(key, value)| (key.to_owned(), value));
    members.collect::<HashMap<String, Variant<'static>>>().into()
}

fn given<const N: usize>(members: [(&str, Variant<'static>); N]) -> Args {
    args(members.map(|(name, value)| (name, Some(value)))).unwrap()
}

/// Where `3m+2s` under club with first-increment off is configured.
fn defaults() -> Settings {
    let mut defaults = Settings::new(notation::parse("3m+2s").unwrap(), Profile::Club);
    defaults.switches.first_increment = false;
    defaults
}

fn read(name: &str, args: Args) -> Result<Operation> {
    operation(name, args, &Presets::shipped(), &defaults())
}

fn says<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result.unwrap_err() {
        Error::InvalidArgument(sentence) => sentence,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_integer_type_is_accepted() {
    let all: [Variant<'static>; 8] = [
        14_u8.into(),
        14_i16.into(),
        14_u16.into(),
        14_i32.into(),
        14_u32.into(),
        14_i64.into(),
        14_u64.into(),
        Variant::Variant(Box::new(14_i64.into())),
    ];
    for number in all {
        let main = number.try_clone().unwrap();
        let white = dict([("moves", number), ("main_us", main)]);
        let adjust = read("adjust", given([("white", white)])).unwrap();
        let main = Some(Span::from_micros(14));
        let white = Adjustment { moves: Some(14), main, ..Adjustment::default() };
        assert_eq!(adjust, Adjust { white, black: Adjustment::default() }.into());
    }
}

#[test]
fn an_operation_that_is_written_to_the_bus_is_read_back() {
    let white = Adjustment { add: Some(-Span::from_mins(1)), stage: Some(2), ..Default::default() };
    let new = NewGame::of(&Settings { white_on: Seat::Right, ..defaults() }, true);
    for operation in [
        Operation::from(Adjust { white, black: Adjustment::default() }),
        Operation::from(new),
        Operation::from(crate::engine::operation::Penalty {
            offender: crate::control::Side::Black,
            offence: crate::engine::Offence::IllegalMove,
            after_reply: true,
        }),
    ] {
        let mut dict =
            super::super::variant::to_dict(&operation, super::super::variant::Counters::Shown)
                .unwrap();
        dict.remove("kind");
        let args = dict.into_iter().map(|(name, value)| (name, value.try_into().unwrap()));
        assert_eq!(read(operation.name(), args.collect()).unwrap(), operation);
    }
}

#[test]
fn what_is_wrong_is_named_with_its_member_and_what_would_work() {
    let white = |member| given([("white", dict([member]))]);
    for (name, args, expected) in [
        (
            "adjust",
            given([("withe", dict([]))]),
            "unknown field `withe`, expected `white` or `black`",
        ),
        (
            "adjust",
            white(("mian_us", 1_i64.into())),
            "unknown field `mian_us`, expected one of `main_us`",
        ),
        ("adjust", white(("moves", (-1_i32).into())), "`white.moves`: invalid value: integer `-1`"),
        ("adjust", white(("main_us", 1.5.into())), "`white.main_us`: invalid type: floating point"),
        ("adjust", white(("stage_time", "yes".into())), "`white.stage_time`: invalid type: string"),
        ("adjust", given([("white", 3_u32.into())]), "`white`: invalid type: integer `3`"),
        (
            "press",
            given([("side", "blue".into())]),
            "`side`: unknown variant `blue`, expected `white` or `black`",
        ),
        ("press", given([]), "missing field `side`"),
        ("end", given([("result", "1:0".into())]), "unknown variant `1:0`, expected one of `1-0`"),
        ("pres", given([]), "did you mean `press`?"),
        ("query", given([]), "written by the daemon alone"),
        ("start_at", given([("unix_us", 1_i64.into())]), "is in the past"),
        (
            "new_game",
            given([("profile", "fifa".into())]),
            "unknown variant `fifa`, expected one of `fide`",
        ),
        ("new_game", given([("abandon", 1_u32.into())]), "`abandon`: invalid type: integer `1`"),
        (
            "new_game",
            given([("switches", dict([("freeze", "maybe".into())]))]),
            "the switch `freeze` cannot be `maybe`; it can be true or false",
        ),
        (
            "new_game",
            given([("switches", dict([("freez", true.into())]))]),
            "no switch is called `freez`",
        ),
    ] {
        let sentence = says(read(name, args));
        assert!(sentence.contains(expected), "{name}: {sentence}");
    }
    let refusal = read("new_game", given([("control", "3 bananas".into())])).unwrap_err();
    assert!(matches!(refusal, Error::InvalidControl(_)), "{refusal:?}");
}

#[test]
fn the_members_that_every_operation_takes_are_taken_off_and_checked() {
    let all = |reason: String| {
        given([
            ("if_seq", 7_u32.into()),
            ("if_game", "g".into()),
            ("reason", reason.into()),
            ("on_behalf_of", "Anna".into()),
        ])
    };
    let submit = |args| submission("pause", args, &Presets::shipped(), &defaults(), Origin::Timer);
    let read = submit(all("phone".to_owned())).unwrap();
    assert_eq!((read.condition.if_seq, read.condition.if_game.as_deref()), (7, Some("g")));
    assert_eq!(read.annotations.reason.as_deref(), Some("phone"));
    assert_eq!(read.annotations.on_behalf_of.as_deref(), Some("Anna"));
    assert!(says(submit(all("x".repeat(501)))).contains("has 501 characters"));
    assert!(says(submit(all("\u{1b}[2J".to_owned()))).contains("control character"));
    assert!(says(submit(given([("if_seq", "x".into())]))).starts_with("if_seq: "));
}

/// What a new game is set to where `10m` under us is being played.
fn game(control: &str, options: Args) -> (Settings, bool) {
    let mut present = Settings::new(notation::parse("10m").unwrap(), Profile::Us);
    present.white_on = Seat::Right;
    let new_game = read("new_game", new_game_options(control, options).unwrap()).unwrap();
    let Operation::NewGame(new_game) = new_game else { panic!("{new_game:?}") };
    let engine = Settings::new(present.control, Profile::default());
    (new_game.settings(&present, &engine), new_game.abandon)
}

#[test]
fn a_control_alone_gets_what_is_configured() {
    let (settings, abandon) = game("5+3", Args::new());
    assert_eq!(settings.control.to_string(), "5m+3s");
    assert_eq!((settings.profile, settings.white_on), (Profile::Club, Seat::Left));
    assert!(!settings.switches.first_increment && !abandon);
}

#[test]
fn no_control_is_the_same_game_again() {
    let (settings, _) = game("", Args::new());
    assert_eq!(settings.control.to_string(), "10m");
    assert_eq!((settings.profile, settings.white_on), (Profile::Us, Seat::Right));
    let (settings, _) = game("", given([("profile", "club".into())]));
    assert!(!settings.switches.first_increment, "the configured profile is as it is configured");
}

#[test]
fn a_profile_brings_its_switches_and_options_come_after_it() {
    let given = given([
        ("profile", "fide".into()),
        ("start-press", "either".into()),
        ("freeze", false.into()),
        ("white-on", "right".into()),
        ("abandon", true.into()),
    ]);
    let (settings, abandon) = game("5+3", given);
    let mut switches = Profile::Fide.switches();
    switches.start_press = StartPress::Either;
    switches.freeze = false;
    assert_eq!((settings.profile, settings.switches), (Profile::Fide, switches));
    assert_eq!((settings.white_on, abandon), (Seat::Right, true));
}

#[test]
fn a_preset_brings_its_profile() {
    let presets = Presets::shipped();
    let preset = presets.iter().find(|preset| preset.profile == Profile::Fide).unwrap();
    let (settings, _) = game(&preset.id, Args::new());
    assert_eq!((settings.control, settings.profile), (preset.control, Profile::Fide));
    assert_eq!(settings.switches, Profile::Fide.switches());
}
