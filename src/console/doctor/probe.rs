//! Reads the state of the machine and the daemon.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::process::{geteuid, getgroups};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use zbus::{connection, proxy};

use super::findings::{
    CallerRights, DaemonReport, DaemonUser, Device, Drift, Probe, StateFolder, UnitState,
};
use crate::console::arguments::BusAddress;
use crate::console::bus::Daemon;
use crate::record::Fields;
use crate::time::both::both;

const STATE: &str = "/var/lib/flagfall";
const DEVICES: [&str; 5] =
    ["/dev/gpiomem", "/dev/gpiomem0", "/dev/gpiochip0", "/dev/spidev0.0", "/dev/spidev0.1"];
const POLICIES: [&str; 2] = [
    "/usr/share/dbus-1/system.d/org.flagfall.Clock1.conf",
    "/etc/dbus-1/system.d/org.flagfall.Clock1.conf",
];
/// How long the oscillator is measured: 2 s give a tenth of a ppm.
const WATCHED: Duration = Duration::from_secs(2);
/// The time limit for a system service, which may have to be started first.
const PATIENCE: Duration = Duration::from_secs(15);

/// A unit of systemd.
#[proxy(
    interface = "org.freedesktop.systemd1.UnitState",
    default_service = "org.freedesktop.systemd1"
)]
trait SystemdUnit {
    #[zbus(property)]
    fn active_state(&self) -> zbus::Result<String>;
    #[zbus(property)]
    fn load_state(&self) -> zbus::Result<String>;
}

/// A unit that is a service.
#[proxy(
    interface = "org.freedesktop.systemd1.Service",
    default_service = "org.freedesktop.systemd1"
)]
trait SystemdService {
    #[zbus(property)]
    fn status_text(&self) -> zbus::Result<String>;
}

/// The system's clock.
#[proxy(
    interface = "org.freedesktop.timedate1",
    default_service = "org.freedesktop.timedate1",
    default_path = "/org/freedesktop/timedate1"
)]
trait TimeDate {
    #[zbus(property, name = "NTPSynchronized")]
    fn ntp_synchronized(&self) -> zbus::Result<bool>;
}

pub(super) async fn look(bus: &BusAddress) -> Probe {
    let groups = fs::read_to_string("/etc/group").unwrap_or_default();
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let daemon = Daemon::connect(bus).await;
    let (ppm, synchronised) = tokio::join!(drift(), synchronised());
    Probe {
        pi: machine(),
        devices: DEVICES.iter().map(|path| device(path, &groups)).collect(),
        user: DaemonUser {
            exists: number(&users, "flagfall").is_some(),
            groups: groups_of(&groups, "flagfall"),
        },
        caller: caller(&groups, &users),
        policy: POLICIES.iter().any(|path| Path::new(path).exists()),
        state: state(),
        unit: unit().await.unwrap_or_default(),
        drift: Drift { ppm, synchronised: synchronised.unwrap_or(false) },
        daemon: daemon
            .map(|daemon| answer(&daemon.properties))
            .map_err(|failure| first_sentence(&failure.sentence)),
    }
}

fn machine() -> Option<String> {
    let name = fs::read_to_string("/sys/firmware/devicetree/base/model").ok()?;
    let name = name.trim_end_matches('\0');
    name.contains("Raspberry Pi").then(|| name.to_owned())
}

fn device(path: &str, groups: &str) -> Device {
    let found = fs::metadata(path).ok();
    let group = found.as_ref().filter(|found| found.mode() & 0o060 == 0o060);
    Device {
        path: path.to_owned(),
        there: found.is_some(),
        group: group.and_then(|found| name(groups, found.gid())),
    }
}

/// A table's lines as fields: name, password, number, and the rest.
fn lines(table: &str) -> impl Iterator<Item = (&str, u32, &str)> {
    table.lines().filter_map(|line| {
        let mut fields = line.splitn(4, ':');
        let name = fields.next()?;
        let number = fields.nth(1)?.parse().ok()?;
        Some((name, number, fields.next().unwrap_or_default()))
    })
}

fn number(table: &str, wanted: &str) -> Option<u32> {
    lines(table).find(|(name, ..)| *name == wanted).map(|(_, number, _)| number)
}

fn name(table: &str, wanted: u32) -> Option<String> {
    lines(table).find(|(_, number, _)| *number == wanted).map(|(name, ..)| name.to_owned())
}

/// The groups that list a user.
fn groups_of(groups: &str, user: &str) -> Vec<String> {
    lines(groups)
        .filter(|(_, _, members)| members.split(',').any(|member| member == user))
        .map(|(name, ..)| name.to_owned())
        .collect()
}

fn caller(groups: &str, users: &str) -> CallerRights {
    let arbiters = number(groups, "flagfall-arbiter");
    let now = getgroups().unwrap_or_default();
    let user = name(users, geteuid().as_raw()).unwrap_or_default();
    CallerRights {
        root: geteuid().is_root(),
        arbiter: now.iter().any(|group| Some(group.as_raw()) == arbiters),
        will_be_arbiter: groups_of(groups, &user).iter().any(|group| group == "flagfall-arbiter"),
    }
}

fn state() -> StateFolder {
    let about = statvfs(STATE).ok();
    StateFolder {
        path: STATE,
        there: Path::new(STATE).exists(),
        read_only: about.as_ref().is_some_and(|a| a.f_flag.contains(StatVfsMountFlags::RDONLY)),
        free: about.map(|about| about.f_bavail.saturating_mul(about.f_frsize)),
    }
}

/// The daemon's unit, if it is loaded.
async fn unit() -> zbus::Result<Option<UnitState>> {
    const PATH: &str = "/org/freedesktop/systemd1/unit/flagfalld_2eservice";
    let bus = connection::Builder::system().method_timeout(PATIENCE).build().await?;
    let unit = SystemdUnitProxy::builder(&bus).path(PATH).build().await?;
    if unit.load_state().await? != "loaded" {
        return Ok(None);
    }
    let service = SystemdServiceProxy::builder(&bus).path(PATH).build().await?;
    let status = service.status_text().await?;
    Ok(Some(UnitState { active: unit.active_state().await?, status }))
}

async fn synchronised() -> zbus::Result<bool> {
    let bus = connection::Builder::system().method_timeout(PATIENCE).build().await?;
    TimeDateProxy::new(&bus).await?.ntp_synchronized().await
}

/// How much slower the oscillator runs than the system's clock, in ppm.
async fn drift() -> f64 {
    let look = || both(|| nanos(ClockId::MonotonicRaw), || nanos(ClockId::Realtime));
    let before = look();
    tokio::time::sleep(WATCHED).await;
    let after = look();
    let (raw, system) = (after.first - before.first, after.second - before.second);
    if raw == 0 { 0.0 } else { parts_in_a_million(system - raw, raw) }
}

fn nanos(clock: ClockId) -> i64 {
    let now = clock_gettime(clock);
    now.tv_sec.saturating_mul(1_000_000_000).saturating_add(now.tv_nsec)
}

#[expect(clippy::cast_precision_loss, reason = "seconds in nanoseconds are exact in an f64")]
fn parts_in_a_million(part: i64, whole: i64) -> f64 {
    part as f64 / whole as f64 * 1e6
}

/// What the daemon reports in its properties.
fn answer(properties: &Fields) -> DaemonReport {
    let text = |name| properties.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let health = properties.get("Health").and_then(Value::as_object);
    let told = |name| health.and_then(|health| health.get(name));
    let truth = |name, unsaid| told(name).and_then(Value::as_bool).unwrap_or(unsaid);
    let list = |name| {
        let values = told(name).and_then(Value::as_array).into_iter().flatten();
        values.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    DaemonReport {
        version: text("Version"),
        board: text("Board"),
        real_time: truth("realtime_granted", false),
        degradations: list("degradations"),
        disk_ok: truth("disk_ok", true),
        display_fault: told("display_fault").and_then(Value::as_str).map(str::to_owned),
        buzzer_fault: told("buzzer_fault").and_then(Value::as_str).map(str::to_owned),
        stuck: list("stuck_buttons"),
        calibration_ppm: told("calibration_ppm").and_then(Value::as_f64).unwrap_or_default(),
    }
}

/// Without the remedy: a finding brings its own.
fn first_sentence(sentence: &str) -> String {
    sentence.split(". ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: &str = "root:x:0:\ngpio:x:986:pi,flagfall\nspi:x:989:flagfall\nflagfall:x:990:\n";

    #[test]
    fn the_systems_tables_are_read() {
        assert_eq!(number(GROUPS, "spi"), Some(989));
        assert_eq!(number(GROUPS, "i2c"), None);
        assert_eq!(name(GROUPS, 986).as_deref(), Some("gpio"));
        assert_eq!(groups_of(GROUPS, "flagfall"), ["gpio", "spi"]);
        assert_eq!(groups_of(GROUPS, "fla"), [""; 0]);
    }

    #[test]
    fn what_a_daemon_does_not_tell_is_not_held_against_its_disk() {
        let properties = serde_json::json!({
            "Version": "0.1.0",
            "Health": {"realtime_granted": true, "stuck_buttons": ["ok"], "calibration_ppm": 1.5},
        });
        let told = answer(properties.as_object().unwrap());
        let expected = DaemonReport {
            version: "0.1.0".to_owned(),
            real_time: true,
            disk_ok: true,
            stuck: vec!["ok".to_owned()],
            calibration_ppm: 1.5,
            ..DaemonReport::default()
        };
        assert_eq!(told, expected);
    }

    #[test]
    fn a_clock_that_runs_slow_drifts_by_a_positive_part() {
        assert!((parts_in_a_million(40_000, 2_000_000_000) - 20.0).abs() < 1e-9);
    }
}
