//! Findings with their remedies, from what was probed. Pure.

/// The state of the machine and the daemon.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Probe {
    /// The model, if the machine is a Raspberry Pi.
    pub(super) pi: Option<String>,
    pub(super) devices: Vec<Device>,
    pub(super) user: DaemonUser,
    pub(super) caller: CallerRights,
    /// The D-Bus policy is installed.
    pub(super) policy: bool,
    pub(super) state: StateFolder,
    /// The unit in systemd; `None` without systemd or without the unit.
    pub(super) unit: Option<UnitState>,
    /// The daemon's answers, or why there are none.
    pub(super) daemon: Result<DaemonReport, String>,
    pub(super) drift: Drift,
}

/// A device that the daemon may need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Device {
    pub(super) path: String,
    pub(super) there: bool,
    /// The group that may read and write it; `None` if no group may.
    pub(super) group: Option<String>,
}

/// The daemon's user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DaemonUser {
    pub(super) exists: bool,
    pub(super) groups: Vec<String>,
}

/// The rights of the person who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallerRights {
    pub(super) root: bool,
    /// Is in the arbiters' group now.
    pub(super) arbiter: bool,
    /// Will be in the arbiters' group after the next login.
    pub(super) will_be_arbiter: bool,
}

/// The state directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StateFolder {
    pub(super) path: &'static str,
    pub(super) there: bool,
    /// The file system is mounted read-only.
    pub(super) read_only: bool,
    /// Free space in bytes.
    pub(super) free: Option<u64>,
}

/// The daemon's unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnitState {
    /// `active`, `failed`, `inactive`, ...
    pub(super) active: String,
    /// The daemon's own status line.
    pub(super) status: String,
}

/// What the daemon reports.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DaemonReport {
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

/// The oscillator against the system's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drift {
    /// Parts in a million; positive: it runs slow.
    pub(super) ppm: f64,
    /// NTP disciplines the system's clock; without it `ppm` says nothing.
    pub(super) synchronised: bool,
}

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Good,
    Note,
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

/// The drift beyond the calibration that a player would notice: 0.1 s in an hour.
const NOTICED_PPM: f64 = 28.0;
/// Free space that the games of a long event need.
const ROOM: u64 = 50 << 20;

const INSTALL: &str = "install the package anew: sudo apt install --reinstall ./flagfall_*.deb";

/// All findings, in the order in which to fix them.
pub(super) fn findings(probe: &Probe) -> Vec<Finding> {
    let mut all = vec![machine(probe)];
    if probe.pi.is_some() {
        all.extend([gpio(probe), spi(probe)]);
    }
    all.extend([user(probe), policy(probe), games(probe), daemon(probe)]);
    if let Ok(answer) = &probe.daemon {
        all.push(real_time(answer));
        all.extend(displays(answer));
        all.extend(buzzer(answer));
        all.extend(buttons(answer));
        all.push(drift(probe.drift, answer.calibration_ppm));
    }
    all.push(caller(&probe.caller));
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

fn machine(probe: &Probe) -> Finding {
    match &probe.pi {
        Some(name) => good("machine", name.clone()),
        None => note(
            "machine",
            "not a Raspberry Pi",
            "the daemon runs a simulated box here; pins and displays are not checked",
        ),
    }
}

fn gpio(probe: &Probe) -> Finding {
    let there = |name| probe.devices.iter().find(|d| d.there && d.path.contains(name));
    let (memory, chip) = (there("gpiomem"), there("gpiochip"));
    match (memory, chip) {
        (Some(memory), Some(chip)) => {
            let [memory, chip] = [memory, chip].map(|device| may_use("pins", device, &probe.user));
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

fn spi(probe: &Probe) -> Finding {
    match probe.devices.iter().find(|device| device.path.contains("spidev") && device.there) {
        None => wrong(
            "displays",
            "there is no /dev/spidev0.0: SPI is off, the displays stay dark",
            "put dtparam=spi=on into /boot/firmware/config.txt, or switch SPI on in raspi-config; \
             then restart the Raspberry Pi",
        ),
        Some(device) => may_use("displays", device, &probe.user),
    }
}

/// Whether the daemon's user may use a device.
fn may_use(about: &'static str, device: &Device, user: &DaemonUser) -> Finding {
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

fn user(probe: &Probe) -> Finding {
    if probe.user.exists {
        return good("user", format!("flagfall, in {}", probe.user.groups.join(", ")));
    }
    wrong("user", "there is no user flagfall", "sudo systemd-sysusers flagfall.conf")
}

fn policy(probe: &Probe) -> Finding {
    if probe.policy {
        return good("bus policy", "org.flagfall.Clock1.conf is installed");
    }
    wrong(
        "bus policy",
        "the D-Bus policy org.flagfall.Clock1.conf is not installed: the daemon cannot own its name",
        INSTALL,
    )
}

fn games(probe: &Probe) -> Finding {
    let folder = &probe.state;
    let path = folder.path;
    if !folder.there {
        return note(
            "games",
            format!("{path} does not exist yet"),
            "the daemon's first start as a service creates it",
        );
    }
    if folder.read_only {
        return wrong(
            "games",
            format!("{path} is on a read-only file system: games are not saved"),
            "sudo mount -o remount,rw /; if that fails, the card is worn out: use another. An \
             overlay (raspi-config) needs a partition of its own for this folder",
        );
    }
    if probe.daemon.as_ref().is_ok_and(|answer| !answer.disk_ok) {
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

fn daemon(probe: &Probe) -> Finding {
    let own = env!("CARGO_PKG_VERSION");
    match (&probe.daemon, &probe.unit) {
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

fn real_time(answer: &DaemonReport) -> Finding {
    if answer.real_time && answer.degradations.is_empty() {
        return good("real time", "the timing thread has real-time priority and locked memory");
    }
    let why = answer.degradations.join("; ");
    let says = format!("the timing thread runs without real-time priority: {why}");
    if answer.real_time {
        return note("real time", why, "LimitMEMLOCK=infinity in the unit");
    }
    wrong(
        "real time",
        says,
        "use the unit as it is shipped (LimitRTPRIO=60, no RestrictRealtime): systemctl cat flagfalld \
         shows what changes it; sudo systemctl revert flagfalld removes all drop-ins, also \
         that of a passive buzzer",
    )
}

fn displays(answer: &DaemonReport) -> Option<Finding> {
    let fault = answer.display_fault.as_ref()?;
    Some(wrong("displays", fault.clone(), "the clock continues and retries every second"))
}

fn buzzer(answer: &DaemonReport) -> Option<Finding> {
    let fault = answer.buzzer_fault.as_ref()?;
    Some(wrong(
        "buzzer",
        fault.clone(),
        "the clock continues without sound and retries every second",
    ))
}

fn buttons(answer: &DaemonReport) -> Option<Finding> {
    (!answer.stuck.is_empty()).then(|| {
        wrong(
            "buttons",
            format!("permanently pressed: {}", answer.stuck.join(", ")),
            "check for an object on the button and for a short circuit",
        )
    })
}

fn drift(drift: Drift, calibration_ppm: f64) -> Finding {
    if !drift.synchronised {
        return note(
            "oscillator",
            "no network time to compare with",
            "connect the Raspberry Pi to a network for half an hour, then ask again; games do not \
             need it",
        );
    }
    let off = drift.ppm - calibration_ppm;
    let per_hour = (off * 3.6).abs();
    if off.abs() < NOTICED_PPM {
        return good("oscillator", format!("within {per_hour:.0} ms per hour"));
    }
    let way = if off > 0.0 { "slow" } else { "fast" };
    note(
        "oscillator",
        format!("{way} by {per_hour:.0} ms per hour, for both players alike"),
        format!(
            "if this persists for some hours: calibration-ppm = {:.1} in [time] of \
             /etc/flagfall/flagfalld.toml",
            drift.ppm
        ),
    )
}

fn caller(caller: &CallerRights) -> Finding {
    let group = "flagfall-arbiter";
    if caller.root || caller.arbiter {
        return good("you", "may change the clock");
    }
    if caller.will_be_arbiter {
        return note("you", format!("will be in {group} after the next login"), "log in again");
    }
    note(
        "you",
        "may read, but not change the clock",
        format!("sudo usermod -aG {group} $USER; it takes effect at the next login"),
    )
}

#[cfg(test)]
mod tests;
