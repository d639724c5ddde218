//! What was seen as sentences: each finding with its remedy. Pure.

/// What was seen of the machine and the daemon.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    /// The machine by its own name, if it is a Raspberry Pi.
    pub(super) pi: Option<String>,
    /// The devices that the daemon may need.
    pub(super) devices: Vec<Device>,
    /// The daemon's user.
    pub(super) user: User,
    /// Who asks.
    pub(super) caller: Caller,
    /// Whether the bus has a policy for the clock.
    pub(super) policy: bool,
    /// Where the games are kept.
    pub(super) state: StateFolder,
    /// What the service's manager says of the daemon; `None` without one, or without the unit.
    pub(super) unit: Option<Unit>,
    /// The daemon as it answers, or why it does not.
    pub(super) daemon: Result<Answer, String>,
    /// How much slower the oscillator runs than the system's clock, in parts in a million, and
    /// whether the network's time keeps that clock right.
    pub(super) drift: Drift,
}

/// A device, or that it is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Device {
    pub(super) path: String,
    pub(super) there: bool,
    /// The group that may read and write it; `None` if no group may.
    pub(super) group: Option<String>,
}

/// The daemon's user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct User {
    pub(super) exists: bool,
    pub(super) groups: Vec<String>,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) root: bool,
    /// Is in the arbiters' group now.
    pub(super) arbiter: bool,
    /// Stands in the arbiters' group, for the next login.
    pub(super) will_be_arbiter: bool,
}

/// The folder of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StateFolder {
    pub(super) path: &'static str,
    pub(super) there: bool,
    /// The file system may only be read.
    pub(super) read_only: bool,
    /// What is free there, in bytes.
    pub(super) free: Option<u64>,
}

/// The daemon's unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// `active`, `failed`, `inactive`, ...
    pub(super) active: String,
    /// The daemon's own line of state.
    pub(super) status: String,
}

/// What the daemon tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answer {
    pub(super) version: String,
    pub(super) board: String,
    pub(super) real_time: bool,
    pub(super) degradations: Vec<String>,
    pub(super) disk_ok: bool,
    pub(super) display_fault: Option<String>,
    pub(super) buzzer_fault: Option<String>,
    pub(super) stuck: Vec<String>,
    pub(super) calibration_ppm: f64,
}

/// How the oscillator runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drift {
    /// Parts in a million; positive: it runs slow.
    pub(super) ppm: f64,
    /// The network's time keeps the system's clock right; without it `ppm` says nothing.
    pub(super) synchronised: bool,
}

/// How a finding is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As it must be.
    Good,
    /// Worth knowing.
    Note,
    /// To be mended.
    Wrong,
}

impl Verdict {
    pub(super) fn name(self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Note => "note",
            Verdict::Wrong => "WRONG",
        }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) about: &'static str,
    pub(super) verdict: Verdict,
    pub(super) says: String,
    pub(super) remedy: Option<String>,
}

/// From how much drift on, beyond the calibration, a player would notice: 0.1 s in an hour.
const NOTICED_PPM: f64 = 28.0;
/// What a long event's games need.
const ROOM: u64 = 50 << 20;

const INSTALL: &str = "install the package anew: sudo apt install --reinstall ./flagfall_*.deb";

/// All findings, in the order in which things are mended.
pub(super) fn findings(seen: &Seen) -> Vec<Finding> {
    let mut all = vec![machine(seen)];
    if seen.pi.is_some() {
        all.extend([gpio(seen), spi(seen)]);
    }
    all.extend([user(seen), policy(seen), games(seen), daemon(seen)]);
    if let Ok(answer) = &seen.daemon {
        all.push(real_time(answer));
        all.extend(displays(answer));
        all.extend(buzzer(answer));
        all.extend(buttons(answer));
        all.push(drift(seen.drift, answer.calibration_ppm));
    }
    all.push(caller(&seen.caller));
    all
}

fn good(about: &'static str, says: impl Into<String>) -> Finding {
    Finding { about, verdict: Verdict::Good, says: says.into(), remedy: None }
}

fn note(about: &'static str, says: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding { about, verdict: Verdict::Note, says: says.into(), remedy: Some(remedy.into()) }
}

fn wrong(about: &'static str, says: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding { about, verdict: Verdict::Wrong, says: says.into(), remedy: Some(remedy.into()) }
}

fn machine(seen: &Seen) -> Finding {
    match &seen.pi {
        Some(name) => good("machine", name.clone()),
        None => note(
            "machine",
            "this is no Raspberry Pi",
            "the daemon plays on a simulated box here; nothing of pins and displays is looked at",
        ),
    }
}

fn gpio(seen: &Seen) -> Finding {
    let there = |name| seen.devices.iter().find(|d| d.there && d.path.contains(name));
    let (memory, chip) = (there("gpiomem"), there("gpiochip"));
    match (memory, chip) {
        (Some(memory), Some(chip)) => {
            let [memory, chip] = [memory, chip].map(|device| may_use("pins", device, &seen.user));
            if memory.verdict == Verdict::Good && chip.verdict != Verdict::Good {
                chip
            } else {
                memory
            }
        }
        (memory, _) => wrong(
            "pins",
            match memory {
                Some(_) => "there is no /dev/gpiochip0",
                None => "there is neither /dev/gpiomem nor /dev/gpiomem0 (Pi 5)",
            },
            "use Raspberry Pi OS's own kernel, which has it",
        ),
    }
}

fn spi(seen: &Seen) -> Finding {
    match seen.devices.iter().find(|device| device.path.contains("spidev") && device.there) {
        None => wrong(
            "displays",
            "there is no /dev/spidev0.0: SPI is off, the displays stay dark",
            "put dtparam=spi=on into /boot/firmware/config.txt, or switch SPI on in raspi-config; \
             then restart the Raspberry Pi",
        ),
        Some(device) => may_use("displays", device, &seen.user),
    }
}

/// Whether the daemon's user may use a device.
fn may_use(about: &'static str, device: &Device, user: &User) -> Finding {
    let path = &device.path;
    match &device.group {
        Some(group) if user.groups.contains(group) => {
            good(about, format!("{path}, for the group {group}"))
        }
        Some(group) => wrong(
            about,
            format!("{path} is for the group {group}, and the user flagfall is not in it"),
            format!("sudo usermod -aG {group} flagfall; then sudo systemctl restart flagfalld"),
        ),
        None => wrong(
            about,
            format!("{path} is for no group"),
            "sudo udevadm control --reload; sudo udevadm trigger (the package brings the rule \
             60-flagfall.rules)",
        ),
    }
}

fn user(seen: &Seen) -> Finding {
    if seen.user.exists {
        return good("user", format!("flagfall, in {}", seen.user.groups.join(", ")));
    }
    wrong("user", "there is no user flagfall", "sudo systemd-sysusers flagfall.conf")
}

fn policy(seen: &Seen) -> Finding {
    if seen.policy {
        return good("bus policy", "the bus knows whose name org.flagfall.Clock1 is");
    }
    wrong(
        "bus policy",
        "the bus has no org.flagfall.Clock1.conf: it gives nobody the name",
        INSTALL,
    )
}

fn games(seen: &Seen) -> Finding {
    let folder = &seen.state;
    let path = folder.path;
    if !folder.there {
        return note(
            "games",
            format!("there is no {path} yet"),
            "the daemon's first start as a service makes it",
        );
    }
    if folder.read_only {
        return wrong(
            "games",
            format!("{path} is on a file system that may only be read: no game is kept"),
            "sudo mount -o remount,rw /; if that fails, the card is worn out: use another. An \
             overlay (raspi-config) needs a partition of its own for this folder",
        );
    }
    if seen.daemon.as_ref().is_ok_and(|answer| !answer.disk_ok) {
        return wrong(
            "games",
            format!("the daemon could not write to {path}: the game is kept in memory only"),
            "journalctl -u flagfalld says why; is the card worn out?",
        );
    }
    match folder.free {
        Some(free) if free < ROOM => wrong(
            "games",
            format!("only {} MiB are free for {path}", free >> 20),
            "make room: sudo apt clean; sudo journalctl --vacuum-size=50M",
        ),
        _ => good("games", format!("{path} can be written to")),
    }
}

fn daemon(seen: &Seen) -> Finding {
    let own = env!("CARGO_PKG_VERSION");
    match (&seen.daemon, &seen.unit) {
        (Ok(answer), _) if answer.version == own => {
            good("daemon", format!("flagfalld {} on board {}", answer.version, answer.board))
        }
        (Ok(answer), _) => wrong(
            "daemon",
            format!("the daemon is {}, this program {own}", answer.version),
            "sudo systemctl restart flagfalld, between two games",
        ),
        (Err(_), Some(unit)) if unit.active == "active" => wrong(
            "daemon",
            format!("the clock runs, but not on the bus: {}", unit.status),
            "sudo systemctl reload dbus; see journalctl -u flagfalld",
        ),
        (Err(why), Some(unit)) => wrong(
            "daemon",
            format!("{why}; its service is {}", unit.active),
            "sudo systemctl enable --now flagfalld; if that fails, journalctl -u flagfalld",
        ),
        (Err(why), None) => wrong("daemon", why.clone(), INSTALL),
    }
}

fn real_time(answer: &Answer) -> Finding {
    if answer.real_time && answer.degradations.is_empty() {
        return good("real time", "the timing thread runs before all others, its memory locked");
    }
    let why = answer.degradations.join("; ");
    let says = format!("the timing thread is a thread like any other: {why}");
    if answer.real_time {
        return note("real time", why, "LimitMEMLOCK=infinity in the unit");
    }
    wrong(
        "real time",
        says,
        "use the unit as it is shipped (LimitRTPRIO=60, no RestrictRealtime): systemctl cat flagfalld \
         shows what changes it; sudo systemctl revert flagfalld takes away every drop-in, a passive \
         buzzer's, too",
    )
}

fn displays(answer: &Answer) -> Option<Finding> {
    let fault = answer.display_fault.as_ref()?;
    Some(wrong("displays", fault.clone(), "the clock goes on, and tries again each second"))
}

fn buzzer(answer: &Answer) -> Option<Finding> {
    let fault = answer.buzzer_fault.as_ref()?;
    Some(wrong("buzzer", fault.clone(), "the clock goes on, silent, and tries again each second"))
}

fn buttons(answer: &Answer) -> Option<Finding> {
    (!answer.stuck.is_empty()).then(|| {
        wrong(
            "buttons",
            format!("closed all the time: {}", answer.stuck.join(", ")),
            "something lies on it, or its wire touches ground",
        )
    })
}

fn drift(drift: Drift, calibration_ppm: f64) -> Finding {
    if !drift.synchronised {
        return note(
            "oscillator",
            "no time from the network to compare with",
            "connect the Raspberry Pi to a network for half an hour, then ask again; games do not \
             need it",
        );
    }
    let off = drift.ppm - calibration_ppm;
    let per_hour = (off * 3.6).abs();
    if off.abs() < NOTICED_PPM {
        return good("oscillator", format!("within {per_hour:.0} ms in an hour"));
    }
    let way = if off > 0.0 { "slow" } else { "fast" };
    note(
        "oscillator",
        format!("{way} by {per_hour:.0} ms in an hour, for both players alike"),
        format!(
            "if that stays so for some hours: calibration-ppm = {:.1} in [time] of \
             /etc/flagfall/flagfalld.toml",
            drift.ppm
        ),
    )
}

fn caller(caller: &Caller) -> Finding {
    let group = "flagfall-arbiter";
    if caller.root || caller.arbiter {
        return good("you", "may change the clock");
    }
    if caller.will_be_arbiter {
        return note("you", format!("are in {group} from your next login on"), "log in again");
    }
    note(
        "you",
        "may look, but not change the clock",
        format!("sudo usermod -aG {group} $USER; it counts from the next login"),
    )
}

#[cfg(test)]
mod tests;
