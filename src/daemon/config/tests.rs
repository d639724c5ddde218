use super::*;

const SHIPPED: &str = include_str!("../../../config/flagfalld.toml");

/// The shipped file with every key in force.
fn in_force() -> String {
    let keys = SHIPPED.lines().map(|line| match line.strip_prefix('#') {
        Some(key) if !key.starts_with(' ') && !key.is_empty() => key,
        _ => line,
    });
    keys.collect::<Vec<_>>().join("\n")
}

fn says(text: &str) -> String {
    Config::read("f.toml", text).unwrap_err().to_string()
}

#[test]
fn the_shipped_file_changes_nothing_and_shows_the_defaults() {
    assert_eq!(Config::read("shipped", SHIPPED), Ok(Config::default()));
    assert_eq!(Config::read("in force", &in_force()), Ok(Config::default()));
}

#[test]
fn the_shipped_file_names_every_key() {
    let text = in_force();
    let shown =
        text.lines().filter(|line| !line.starts_with('#')).filter(|line| line.contains('='));
    // Every key but the switches is read once; a key that the file forgot would not be noticed
    // by the test above.
    assert_eq!(shown.count(), 6 + 3 + Switches::NAMES.len() + 5 + 5 + 13 + 11 + 2 + 1);
}

#[test]
fn every_key_is_taken() {
    let text = r#"
board = "sim"
bus = "unix:path=/tmp/bus"
headless = true
sim-time = "manual"
log-level = "debug"
state = "/tmp/state"
[game]
control = "25m delay 5s"
profile = "us"
white-on = "right"
[game.switches]
freeze = true
show-moves = "never"
[buttons]
poll-period = "250us"
confirm = "6 ms"
lockout = "40ms"
stuck = "1min"
input = "lever"
[displays]
brightness = 15
tenths-below = "20s"
layout = "split"
chip-select = "ce1"
clock-hz = 2_000_000
[sounds]
sound = "off"
press = "20ms"
buzzer = "passive"
pwm-chip = 2
tone-hz = 4_000
[pins]
left = 2
low-power = 3
[real-time]
priority = 0
lock-memory = false
[time]
calibration-ppm = -12.345
"#;
    let config = Config::read("f.toml", text).unwrap();
    assert_eq!(config.board, Board::Sim);
    assert_eq!(config.bus, Bus::At("unix:path=/tmp/bus".to_owned()));
    assert!(config.headless);
    assert_eq!(config.sim_time, SimTime::Manual);
    assert_eq!(config.log_level, LogLevel::Debug);
    assert_eq!(config.state.as_deref(), Some(Path::new("/tmp/state")));
    assert_eq!(config.game.control.to_string(), "25m delay 5s");
    assert_eq!((config.game.profile, config.game.white_on), (Profile::Us, Seat::Right));
    assert_eq!(config.game.switches.get("freeze").as_deref(), Some("true"));
    assert_eq!(config.game.switches.get("show-moves").as_deref(), Some("never"));
    assert_eq!(config.game.switches.get("stage-trigger").as_deref(), Some("zero"));
    assert_eq!(config.poll_period, Span::from_micros(250));
    let ms = Span::from_millis;
    let buttons = Timing { confirm: ms(6), lockout: ms(40), stuck: Span::from_mins(1) };
    assert_eq!(config.buttons, buttons);
    let tenths_below = Span::from_secs(20);
    assert_eq!(config.look, Look { brightness: 15, tenths_below, sound: Sounding::Off });
    assert_eq!(config.score.length(Sound::Press), Span::from_millis(20));
    assert!(config.lever);
    assert_eq!(
        config.displays,
        ChainWiring { layout: Layout::Split, select: ChipSelect::Ce1, hertz: 2_000_000 }
    );
    assert_eq!(config.tone, Some(Channel { chip: 2, channel: 1, hertz: 4_000 }));
    let lines = Lines { left: 2, low_power: Some(3), passive_buzzer: true, ..Lines::default() };
    assert_eq!(config.pins, lines);
    assert_eq!(config.real_time, Wanted::NOTHING);
    assert_eq!(config.calibration_ppb, -12_345);
}

#[test]
fn an_unknown_key_is_refused_with_its_line_and_the_nearest_key() {
    assert_eq!(
        says("board = \"sim\"\n\nhedless = true\n"),
        "f.toml, line 3: there is no key hedless: did you mean headless?"
    );
    assert_eq!(
        says("[buttons]\nlock-out = \"30ms\"\n"),
        "f.toml, line 2: there is no key buttons.lock-out: did you mean buttons.lockout?"
    );
    assert_eq!(
        says("[time]\nzone = \"UTC\"\n"),
        "f.toml, line 2: there is no key time.zone: here the keys are calibration-ppm"
    );
}

#[test]
fn what_is_out_of_range_is_refused_with_what_would_work() {
    for (text, expected) in [
        (
            "board = \"pi\"",
            "line 1: board = \"pi\" does not do: write \"auto\" or \"rpi\" or \"sim\"",
        ),
        (
            "headless = \"yes\"",
            "line 1: headless = \"yes\" does not do: write true or false, without quotes",
        ),
        (
            "bus = \"sytem\"",
            "line 1: bus = \"sytem\" does not do: give system, session or a D-Bus address such as \
             unix:path=/run/dbus/system_bus_socket, or auto",
        ),
        (
            "state = \"here\"",
            "line 1: state = \"here\" does not do: write the directory in full, as \
             \"/var/lib/flagfall\", or \"\"",
        ),
        (
            "[buttons]\npoll-period = \"10ms\"",
            "line 2: poll-period = \"10ms\" does not do: write a time from \"250us\" to \"5ms\", \
             in quotes and with us, ms, s or min",
        ),
        (
            "[buttons]\nconfirm = \"20ms\"\nlockout = \"10ms\"",
            "line 3: lockout = \"10ms\" does not do: give at least as much as for confirm",
        ),
        (
            "[displays]\nbrightness = 16",
            "line 2: brightness = 16 does not do: write a whole number from 0 to 15, without quotes",
        ),
        (
            "[time]\ncalibration-ppm = 1e6",
            "line 2: calibration-ppm = 1e6 does not do: write a number from -500 to 500, \
             without quotes",
        ),
        (
            "\n[pins]\nleft = 27",
            "line 2: right and left are both to be on GPIO 27: give each a line of its own",
        ),
        ("buttons = 3", "line 1: buttons is a section: write [buttons] on a line"),
        (
            "[game.switches]\nfreeze = \"maybe\"",
            "line 2: freeze = \"maybe\" does not do: the switch `freeze` cannot be `maybe`; \
             it can be true or false",
        ),
    ] {
        assert_eq!(says(text), format!("f.toml, {expected}"));
    }
}

#[test]
fn a_control_that_cannot_be_read_is_refused_with_the_notations_own_sentence() {
    let sentence = says("[game]\ncontrol = \"3 bananas\"");
    assert!(
        sentence.starts_with("f.toml, line 2: control = \"3 bananas\" does not do: "),
        "{sentence}"
    );
}

#[test]
fn a_preset_brings_its_profile_along_unless_another_one_is_named() {
    let preset = Presets::shipped().iter().find(|preset| preset.profile != Profile::Club).cloned();
    let preset = preset.unwrap();
    let text = format!("[game]\ncontrol = \"{}\"\n", preset.id);
    let game = Config::read("f.toml", &text).unwrap().game;
    assert_eq!((game.control, game.profile), (preset.control, preset.profile));
    let game = Config::read("f.toml", &format!("{text}profile = \"club\"\n")).unwrap().game;
    assert_eq!(game.profile, Profile::Club);
}

#[test]
fn everything_that_is_wrong_is_said_at_once_in_the_order_of_the_lines() {
    let text = "headless = 3\nlog-level = \"loud\"\nbord = \"sim\"\n[pins]\nok = 99\n";
    let error = Config::read("f.toml", text).unwrap_err();
    let lines: Vec<_> = error.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [1, 2, 3, 5]);
    assert_eq!(error.to_string().lines().count(), 4);
}

#[test]
fn what_is_no_toml_is_refused_with_its_line() {
    let sentence = says("headless = true\nboard = sim\n");
    assert!(sentence.starts_with("f.toml, line 2: this cannot be read: "), "{sentence}");
    assert!(sentence.ends_with("as in board = \"sim\""), "{sentence}");
}

#[test]
fn a_named_file_must_be_there() {
    let error = Config::load(Some(Path::new("/nonexistent/f.toml"))).unwrap_err();
    assert!(error.to_string().starts_with("/nonexistent/f.toml: the file cannot be read: "));
}
