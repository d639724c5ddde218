use super::*;
use crate::control::StartPress;

fn options<const N: usize>(options: [(&str, Variant<'static>); N]) -> Options {
    let owned =
        |(key, value): (&str, Variant<'static>)| (key.to_owned(), value.try_into().unwrap());
    options.into_iter().map(owned).collect()
}

fn dict<const N: usize>(members: [(&str, Variant<'static>); N]) -> Variant<'static> {
    let members = members.into_iter().map(|(key, value)| (key.to_owned(), value));
    members.collect::<HashMap<String, Variant<'static>>>().into()
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
        let changes = adjustments(options([("white", white)])).unwrap();
        let main = Some(Change::To(Span::from_micros(14)));
        assert_eq!(changes.white, Adjustment { moves: Some(14), main, ..Adjustment::default() });
        assert_eq!(changes.black, Adjustment::default());
    }
}

#[test]
fn a_whole_correction_is_read() {
    let white = dict([
        ("add_us", (-60_000_000_i64).into()),
        ("moves", 14_u32.into()),
        ("stage", 2_u32.into()),
        ("stage_time", true.into()),
    ]);
    let black =
        dict([("periods", 3_i32.into()), ("stones", 20_i32.into()), ("overtime_us", 5_u64.into())]);
    let changes = adjustments(options([("white", white), ("black", black)])).unwrap();
    let white = Adjustment {
        main: Some(Change::By(-Span::from_mins(1))),
        moves: Some(14),
        stage: Some(2),
        stage_time: true,
        ..Adjustment::default()
    };
    let black = Adjustment {
        periods: Some(3),
        stones: Some(20),
        overtime: Some(Span::from_micros(5)),
        ..Adjustment::default()
    };
    assert_eq!(changes, BySide { white, black });
}

#[test]
fn a_correction_that_cannot_be_is_refused_with_what_would_work() {
    let white = |member| options([("white", dict([member]))]);
    let both = dict([("main_us", 1_i64.into()), ("add_us", 1_i64.into())]);
    for (changes, expected) in [
        (
            options([("withe", dict([]))]),
            "'withe' is no key of a correction: the keys are white, black",
        ),
        (
            white(("mian_us", 1_i64.into())),
            "'mian_us' is no key of white: the keys are main_us, add_us, moves, stage, \
             stage_time, periods, stones, overtime_us",
        ),
        (
            white(("moves", (-1_i32).into())),
            "white: moves must be a whole number from 0 to 4294967295 (any integer type)",
        ),
        (
            white(("main_us", u64::MAX.into())),
            "white: main_us must be a whole number of microseconds (any integer type)",
        ),
        (
            white(("main_us", 1.5.into())),
            "white: main_us must be a whole number of microseconds (any integer type)",
        ),
        (white(("stage_time", "yes".into())), "white: stage_time must be true or false (type b)"),
        (
            options([("white", 3_u32.into())]),
            "a correction: white must be a dictionary of what is to change (type a{sv})",
        ),
        (
            options([("white", both)]),
            "white: main_us sets the time and add_us changes it: give one of them",
        ),
    ] {
        assert_eq!(says(adjustments(changes)), expected);
    }
}

#[test]
fn words_that_are_none_are_refused_with_those_that_are() {
    assert_eq!(says(side("blue")), "'blue' is no side: give white or black");
    assert_eq!(says(side("")), "'' is no side: give white or black");
    assert_eq!(says(side_if_any("W")), "'W' is no side: give white, black or nothing");
    assert_eq!(
        says(result("1:0")),
        "'1:0' is no result: give one of 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, *"
    );
    assert_eq!(
        says(reason(&"x".repeat(501))),
        "a reason of 501 bytes is too long: at most 500 are taken"
    );
}

/// Reads a new game where `3m+2s` under club with first-increment off is configured, and
/// `10m` under us is being played.
fn game(control: &str, options: Options) -> Result<(Settings, bool)> {
    let parse = |text: &str| crate::control::notation::parse(text).unwrap();
    let mut defaults = Settings::new(parse("3m+2s"), Profile::Club);
    defaults.switches.first_increment = false;
    let mut present = Settings::new(parse("10m"), Profile::Us);
    present.white_on = Seat::Right;
    new_game(&Presets::shipped(), &defaults, &present, control, options)
}

#[test]
fn a_control_alone_gets_what_is_configured() {
    let (settings, abandon) = game("5+3", Options::new()).unwrap();
    assert_eq!(settings.control.to_string(), "5m+3s");
    assert_eq!((settings.profile, settings.white_on), (Profile::Club, Seat::Left));
    assert!(!settings.switches.first_increment && !abandon);
}

#[test]
fn no_control_is_the_same_game_again() {
    let (settings, _) = game("", Options::new()).unwrap();
    assert_eq!(settings.control.to_string(), "10m");
    assert_eq!((settings.profile, settings.white_on), (Profile::Us, Seat::Right));
}

#[test]
fn a_profile_brings_its_switches_and_options_come_after_it() {
    let given = options([
        ("profile", "fide".into()),
        ("start-press", "either".into()),
        ("freeze", false.into()),
        ("white-on", "right".into()),
        ("abandon", true.into()),
    ]);
    let (settings, abandon) = game("5+3", given).unwrap();
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
    let (settings, _) = game(&preset.id, Options::new()).unwrap();
    assert_eq!((settings.control, settings.profile), (preset.control.clone(), Profile::Fide));
    assert_eq!(settings.switches, Profile::Fide.switches());
}

#[test]
fn options_that_cannot_be_are_refused_with_what_would_work() {
    for (given, expected) in [
        (
            options([("profile", "fifa".into())]),
            "the options of a new game: profile must be one of fide, us, club, go (type s)",
        ),
        (
            options([("abandon", 1_u32.into())]),
            "the options of a new game: abandon must be true or false (type b)",
        ),
        (
            options([("freeze", "maybe".into())]),
            "the switch `freeze` cannot be `maybe`; it can be true or false",
        ),
        (
            options([("freez", true.into())]),
            "'freez' is no key of the options of a new game: the keys are profile, white-on, \
             abandon, freeze, first-to-move, start-press, first-increment, stage-trigger, \
             pause-at-stage, default-time, show-moves, box-resume, end-sound, penalty-amounts, \
             box-change, player-pause",
        ),
    ] {
        assert_eq!(says(game("5+3", given)), expected);
    }
    let refusal = game("3 bananas", Options::new()).unwrap_err();
    assert!(matches!(refusal, Error::InvalidControl(_)), "{refusal:?}");
}
