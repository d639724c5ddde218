//! The configuration: every key with its default, its unit and its range.
//!
//! Nothing is started here. A file is read whole or not at all: every key that is unknown or out
//! of range is said with its line, and what would work.

mod section;

use std::path::{Path, PathBuf};

use toml::de::DeValue;

use crate::board::pwm::{Channel, TONES};
use crate::board::wiring::{ChainWiring, ChipSelect, Lines, MAX_HERTZ, MIN_HERTZ};
use crate::control::presets::{Presets, resolve};
use crate::control::{Profile, Seat, Settings, Switches};
use crate::display::MAX_BRIGHTNESS;
use crate::display::chain::Layout;
use crate::input::Timing;
use crate::panel::{Look, Sounding};
use crate::sounds::{Score, Sound};
use crate::time::Span;
use crate::timing::{MAX_PERIOD, MIN_PERIOD, Wanted};

pub use section::{ConfigError, Problem};
use section::{Document, Section, decimal, duration, number, switch, text, truth, word};

/// Where the configuration stands where no other file is named.
pub const DEFAULT_FILE: &str = "/etc/flagfall/flagfalld.toml";

/// Everything that the file says, or does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// `board`: which board to run on.
    pub board: Board,
    /// `bus`: which bus to serve on.
    pub bus: Bus,
    /// `headless`: no picture of the simulated box.
    pub headless: bool,
    /// `sim-time`: how the simulated board's time goes.
    pub sim_time: SimTime,
    /// `log-level`: the least that is logged.
    pub log_level: LogLevel,
    /// `state`: the directory for the journal; `None` leaves it to systemd and the board.
    pub state: Option<PathBuf>,
    /// `[game]`: what the first game is set to, and every new one that says nothing else.
    pub game: Settings,
    /// `buttons.poll-period`: how often the buttons are looked at, 250 us to 5 ms.
    pub poll_period: Span,
    /// `[buttons]`: the debouncer's times.
    pub buttons: Timing,
    /// `buttons.input`: a rocker lever instead of two buttons.
    pub lever: bool,
    /// `[displays]`: brightness, 0 to 15, and tenths of a second, from never (0 s) to a minute.
    pub look: Look,
    /// `[sounds]`: which events sound, from never (0 s) to 5 s, and what low time is.
    pub score: Score,
    /// `sounds.buzzer` and the keys that it needs: a passive buzzer's PWM; `None`: an active one.
    pub tone: Option<Channel>,
    /// `[displays]`: how the chips are reached.
    pub displays: ChainWiring,
    /// `[pins]`: the wires, by BCM number.
    pub pins: Lines,
    /// `[real-time]`: what the timing thread asks of the system.
    pub real_time: Wanted,
    /// `time.calibration-ppm`, in parts in 10^9: how much too slow the oscillator runs, from
    /// -500 ppm to 500 ppm.
    pub calibration_ppb: i32,
}

/// Which board to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// The Raspberry Pi that this is, else the simulated one.
    Auto,
    /// A Raspberry Pi.
    Rpi,
    /// The simulated box.
    Sim,
}

/// Which bus to serve on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bus {
    /// The system bus; on the simulated board a private one where there is none to be had.
    Auto,
    /// The system bus.
    System,
    /// The session bus.
    Session,
    /// The bus at that D-Bus address.
    At(String),
}

/// How the simulated board's time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimTime {
    /// It runs.
    Real,
    /// It stands until it is told to advance.
    Manual,
}

/// The least that is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    /// What went wrong.
    Error,
    /// What may go wrong.
    Warn,
    /// What happens now and then.
    Info,
    /// What helps to find a fault.
    Debug,
    /// Everything.
    Trace,
}

impl Bus {
    /// The bus of that name or address.
    ///
    /// # Errors
    /// It is neither; the sentence says what would work.
    pub fn from_name(name: &str) -> Result<Bus, String> {
        match name {
            "system" => Ok(Bus::System),
            "session" => Ok(Bus::Session),
            address if address.parse::<zbus::Address>().is_ok() => Ok(Bus::At(address.to_owned())),
            _ => Err("give system, session or a D-Bus address such as \
                      unix:path=/run/dbus/system_bus_socket"
                .to_owned()),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            board: Board::Auto,
            bus: Bus::Auto,
            headless: false,
            sim_time: SimTime::Real,
            log_level: LogLevel::Info,
            state: None,
            game: default_game(),
            poll_period: Span::from_millis(1),
            buttons: Timing::default(),
            lever: false,
            look: Look { brightness: 8, tenths_below: Span::ZERO, sound: Sounding::ByProfile },
            score: Score::default(),
            tone: None,
            displays: ChainWiring::default(),
            pins: Lines::default(),
            real_time: Wanted { priority: Some(50), lock_memory: true },
            calibration_ppb: 0,
        }
    }
}

/// Three minutes and two seconds a move, as on a club evening.
fn default_game() -> Settings {
    use crate::control::{Control, Grant, Method, Stage, Stages};
    let increment = Grant::Increment { each: Span::from_secs(2), cap: None };
    let stage = Stage {
        moves: None,
        base: Span::from_mins(3),
        method: Method::granting(increment),
        confirm: false,
    };
    Settings::new(
        Control::equal(Stages { list: [stage].into_iter().collect(), repeat: false }),
        Profile::Club,
    )
}

impl Config {
    /// Reads the file, or the one at [`DEFAULT_FILE`] if that is there.
    ///
    /// # Errors
    /// A named file cannot be read, or a file makes no sense; the sentences say where and what
    /// would work.
    pub fn load(file: Option<&Path>) -> Result<Config, ConfigError> {
        let path = file.unwrap_or(Path::new(DEFAULT_FILE));
        match std::fs::read_to_string(path) {
            Ok(text) => Config::read(&path.display().to_string(), &text),
            Err(error) if file.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
                Ok(Config::default())
            }
            Err(error) => Err(ConfigError::unreadable(path, &error)),
        }
    }

    /// Reads a configuration's text; `name` is what sentences call the file.
    ///
    /// # Errors
    /// The text makes no sense: all of its problems, in the order of their lines.
    pub fn read(name: &str, toml: &str) -> Result<Config, ConfigError> {
        let default = Config::default();
        let document = Document::parse(name, toml)?;
        let mut top = document.root();
        let config = Config {
            board: top.read("board", default.board, |value| {
                word(value, &[("auto", Board::Auto), ("rpi", Board::Rpi), ("sim", Board::Sim)])
            }),
            bus: top.read("bus", default.bus, |value| match text(value)? {
                "auto" => Ok(Bus::Auto),
                name => Bus::from_name(name).map_err(|would| format!("{would}, or auto")),
            }),
            headless: top.read("headless", default.headless, truth),
            sim_time: top.read("sim-time", default.sim_time, |value| {
                word(value, &[("real", SimTime::Real), ("manual", SimTime::Manual)])
            }),
            log_level: top.read("log-level", default.log_level, |value| {
                let levels = [
                    ("error", LogLevel::Error),
                    ("warn", LogLevel::Warn),
                    ("info", LogLevel::Info),
                    ("debug", LogLevel::Debug),
                    ("trace", LogLevel::Trace),
                ];
                word(value, &levels)
            }),
            state: top.read("state", default.state, directory),
            game: read_game(top.section("game"), default.game),
            ..default
        };
        let config = read_box(&mut top, config);
        top.finish();
        document.finish(config)
    }
}

/// A directory by its full name; nothing leaves the choice to systemd and the board.
fn directory(value: &DeValue<'_>) -> Result<Option<PathBuf>, String> {
    match text(value)? {
        "" => Ok(None),
        path if Path::new(path).is_absolute() => Ok(Some(path.into())),
        _ => Err("write the directory in full, as \"/var/lib/flagfall\", or \"\"".to_owned()),
    }
}

fn read_game(mut game: Section<'_>, default: Settings) -> Settings {
    let (control, proposed) = game.read("control", (default.control, None), |value| {
        resolve(&Presets::shipped(), text(value)?).map_err(|error| error.to_string())
    });
    let profiles = Profile::ALL.map(|profile| (profile.name(), profile));
    let profile = proposed.unwrap_or(default.profile);
    let profile = game.read("profile", profile, |value| word(value, &profiles));
    let seats = Seat::BOTH.map(|seat| (seat.name(), seat));
    let white_on = game.read("white-on", default.white_on, |value| word(value, &seats));
    let mut switches = profile.switches();
    let mut own = game.section("switches");
    for &name in Switches::NAMES {
        switches = own.read(name, switches, |value| {
            let mut set = switches;
            set.set(name, &switch(value)?).map_err(|error| error.to_string())?;
            Ok(set)
        });
    }
    own.finish();
    game.finish();
    Settings { control, profile, switches, white_on }
}

/// Everything about the box itself.
fn read_box(top: &mut Section<'_>, mut config: Config) -> Config {
    let mut buttons = top.section("buttons");
    let ms = Span::from_millis;
    let Timing { confirm, lockout, stuck } = config.buttons;
    config.poll_period = buttons
        .read("poll-period", config.poll_period, |value| duration(value, MIN_PERIOD..=MAX_PERIOD));
    let confirm = buttons.read("confirm", confirm, |value| duration(value, ms(1)..=ms(50)));
    let lockout = buttons.read("lockout", lockout, |value| {
        let span = duration(value, ms(5)..=ms(500))?;
        if span < confirm {
            Err("give at least as much as for confirm".to_owned())
        } else {
            Ok(span)
        }
    });
    let stuck = buttons
        .read("stuck", stuck, |value| duration(value, Span::from_secs(5)..=Span::from_mins(1)));
    config.buttons = Timing { confirm, lockout, stuck };
    config.lever = buttons
        .read("input", config.lever, |value| word(value, &[("buttons", false), ("lever", true)]));
    buttons.finish();

    let mut displays = top.section("displays");
    let look = &mut config.look;
    look.brightness =
        displays.read("brightness", look.brightness, |value| number(value, 0..=MAX_BRIGHTNESS));
    look.tenths_below =
        displays.read("tenths-below", look.tenths_below, |value| match value.as_str() {
            Some("off") => Ok(Span::ZERO),
            _ => duration(value, Span::ZERO..=Span::from_mins(1)),
        });
    let wiring = &mut config.displays;
    let layouts =
        [("chained", Layout::Chained), ("shared", Layout::Shared), ("split", Layout::Split)];
    wiring.layout = displays.read("layout", wiring.layout, |value| word(value, &layouts));
    wiring.select = displays.read("chip-select", wiring.select, |value| {
        word(value, &[("ce0", ChipSelect::Ce0), ("ce1", ChipSelect::Ce1)])
    });
    wiring.hertz =
        displays.read("clock-hz", wiring.hertz, |value| number(value, MIN_HERTZ..=MAX_HERTZ));
    displays.finish();

    let mut sounds = top.section("sounds");
    config.look.sound = sounds.read("sound", config.look.sound, |value| {
        let words = [("auto", Sounding::ByProfile), ("on", Sounding::On), ("off", Sounding::Off)];
        word(value, &words)
    });
    for sound in Sound::ALL {
        let length = &mut config.score.lengths[sound as usize];
        *length = sounds
            .read(sound.name(), *length, |value| duration(value, Span::ZERO..=Span::from_secs(5)));
    }
    let low_time = &mut config.score.low_time;
    *low_time = sounds.read("low-time-below", *low_time, |value| {
        duration(value, Span::ZERO..=Span::from_mins(60))
    });
    config.tone = read_tone(&mut sounds);
    config.pins.passive_buzzer = config.tone.is_some();
    sounds.finish();

    let mut pins = top.section("pins");
    let lines = &mut config.pins;
    for (key, line) in [
        ("left", &mut lines.left),
        ("right", &mut lines.right),
        ("pause", &mut lines.pause),
        ("minus", &mut lines.minus),
        ("plus", &mut lines.plus),
        ("ok", &mut lines.ok),
        ("lamp-left", &mut lines.lamp_left),
        ("lamp-right", &mut lines.lamp_right),
        ("buzzer", &mut lines.buzzer),
    ] {
        *line = pins.read(key, *line, |value| number(value, 0..=27));
    }
    let low_power = pins.read("low-power", -1, |value| number(value, -1..=27));
    config.pins.low_power = u8::try_from(low_power).ok();
    if let Err(error) = config.pins.check() {
        pins.problem(&error.to_string());
    }
    pins.finish();

    let mut real_time = top.section("real-time");
    let Wanted { priority, lock_memory } = config.real_time;
    let priority = real_time.read("priority", priority.unwrap_or(0), |value| number(value, 0..=99));
    config.real_time = Wanted {
        priority: (priority > 0).then_some(priority),
        lock_memory: real_time.read("lock-memory", lock_memory, truth),
    };
    real_time.finish();

    let mut time = top.section("time");
    config.calibration_ppb = time.read("calibration-ppm", config.calibration_ppb, |value| {
        // In steps of 0.001 ppm: the range fits many times.
        #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
        decimal(value, -500.0..=500.0).map(|ppm| (ppm * 1_000.0).round() as i32)
    });
    time.finish();
    config
}

/// What buzzer it is. A passive one's keys are checked, and then forgotten, with an active one, too.
fn read_tone(sounds: &mut Section<'_>) -> Option<Channel> {
    let passive =
        sounds.read("buzzer", false, |value| word(value, &[("active", false), ("passive", true)]));
    let Channel { chip, channel, hertz } = Channel::default();
    let tone = Channel {
        chip: sounds.read("pwm-chip", chip, |value| number(value, 0..=15)),
        channel: sounds.read("pwm-channel", channel, |value| number(value, 0..=3)),
        hertz: sounds.read("tone-hz", hertz, |value| number(value, TONES)),
    };
    passive.then_some(tone)
}

#[cfg(test)]
mod tests;
