//! Who may what, with the policy that is shipped, and with none: root, a member, two strangers and
//! the daemon's own user, on a bus with the distribution's rules.
//!
//! The users exist in this test only: the programs see tables of users and groups of their own.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::chown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use futures_util::StreamExt;
use rustix::process::{Gid, Uid};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use zbus::{Connection, MessageStream, connection};

use crate::common::*;

/// What every system bus allows and forbids, as the distribution ships it.
const DISTRIBUTION: &str = "/usr/share/dbus-1/system.conf";
const SHIPPED: &str = include_str!("../../config/dbus/org.flagfall.Clock1.conf");
const OPEN: &str = "<busconfig><policy context=\"default\"><allow user=\"*\"/><allow own=\"*\"/>\
                    <allow send_destination=\"*\"/></policy></busconfig>";

const ARBITERS: u32 = 61_010;

/// Somebody.
#[derive(Clone, Copy, Debug)]
struct User {
    name: &'static str,
    id: u32,
    arbiter: bool,
}

const ROOT: User = User { name: "root", id: 0, arbiter: false };
const FLAGFALL: User = User { name: "flagfall", id: 61_001, arbiter: false };
const MEMBER: User = User { name: "anna", id: 61_002, arbiter: true };
const STRANGER: User = User { name: "eve", id: 61_003, arbiter: false };
const READER: User = User { name: "otto", id: 61_004, arbiter: false };

/// A hall with these users in it, a bus with a policy, and the clock.
struct Hall {
    _daemon: Daemon,
    bus: Bus,
}

/// True where this can be tried: as root, who may make name spaces of mounts.
fn may_be_tried() -> bool {
    let own_mounts = || Command::new("unshare").args(["--mount", "true"]).status();
    let may = rustix::process::geteuid().is_root() && own_mounts().is_ok_and(|is| is.success());
    if !may {
        eprintln!("not tried: only root can ask as somebody else");
    }
    may
}

impl Hall {
    async fn open(policy: &str) -> Hall {
        let place = tempfile::tempdir().unwrap();
        people(place.path());
        std::fs::write(place.path().join("clock.conf"), policy).unwrap();
        let program = among(place.path(), ROOT, "dbus-daemon");
        let rules = system_bus(place.path());
        let bus = Bus::start_in(place, &rules, program);

        // The users may enter this folder, but perhaps not that in which the programs were built.
        let at = |name: &str| bus.folder().join(name);
        std::fs::copy(env!("CARGO_BIN_EXE_flagfalld"), at("flagfalld")).unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_flagfallctl"), at("flagfallctl")).unwrap();
        std::fs::create_dir(at("state")).unwrap();
        chown(at("state"), Some(FLAGFALL.id), Some(FLAGFALL.id)).unwrap();
        let mut daemon = command(&among(bus.folder(), FLAGFALL, at("flagfalld")));
        daemon.args(["--board", "sim", "--headless", "--sim-time", "manual", "--bus", "system"]);
        daemon.arg("--state").arg(at("state")).env("DBUS_SYSTEM_BUS_ADDRESS", bus.address());
        let daemon = Daemon::start(daemon.stdin(Stdio::null()));
        daemon.logs("on the bus as org.flagfall.Clock1");
        Hall { _daemon: daemon, bus }
    }

    /// What somebody's busctl says: all of it where it went well, else its complaint.
    fn busctl(&self, user: User, arguments: &[&str]) -> Result<String, String> {
        self.run(user, OsStr::new("busctl"), arguments)
    }

    /// A call of the clock.
    fn call(&self, user: User, arguments: &[&str]) -> Result<String, String> {
        self.busctl(user, &[&["call", NAME, CLOCK.0], arguments].concat())
    }

    /// What somebody's flagfallctl says.
    fn flagfallctl(&self, user: User, arguments: &[&str]) -> Result<String, String> {
        let program = self.bus.folder().join("flagfallctl");
        self.run(user, program.as_os_str(), &[&["--bus", "system"], arguments].concat())
    }

    fn run(&self, user: User, program: &OsStr, arguments: &[&str]) -> Result<String, String> {
        let mut command = command(&among(self.bus.folder(), user, program));
        command.args(arguments).env("DBUS_SYSTEM_BUS_ADDRESS", self.bus.address());
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }

    /// Somebody's connection.
    async fn connect(&self, user: User) -> Connection {
        let socket = self.bus.address().strip_prefix("unix:path=").map(PathBuf::from).unwrap();
        // The system takes down whose thread it was that connected.
        let stream = std::thread::spawn(move || {
            let (uid, gid) = (Uid::from_raw(user.id), Gid::from_raw(user.id));
            let groups = user.arbiter.then(|| Gid::from_raw(ARBITERS));
            set_thread_groups(groups.as_slice()).unwrap();
            set_thread_res_gid(gid, gid, gid).unwrap();
            set_thread_res_uid(uid, uid, uid).unwrap();
            UnixStream::connect(socket).unwrap()
        });
        let stream = stream.join().unwrap();
        stream.set_nonblocking(true).unwrap();
        let builder = connection::Builder::unix_stream(stream).user_id(user.id);
        within("a connection to the bus", builder.method_timeout(PATIENCE).build()).await.unwrap()
    }

    /// What root sees, without the number of the newest line.
    fn picture(&self) -> String {
        let shown = self.call(ROOT, &[CLOCK.1, "Snapshot"]).unwrap();
        let (before, after) = shown.split_once("\"seq\" t ").unwrap();
        format!("{before}{}", after.split_once(' ').unwrap().1)
    }
}

/// Writes tables of users and groups: this machine's, and the hall's.
fn people(place: &Path) {
    let users = [FLAGFALL, MEMBER, STRANGER, READER];
    let table = |name: &str| {
        let known = std::fs::read_to_string(Path::new("/etc").join(name)).unwrap();
        let new = |line: &&str| {
            let name = line.split(':').next().unwrap();
            name != "flagfall-arbiter" && users.iter().all(|user| user.name != name)
        };
        known.lines().filter(new).fold(String::new(), |table, line| table + line + "\n")
    };
    let (mut passwd, mut group) = (table("passwd"), table("group"));
    for User { name, id, .. } in users {
        passwd += &format!("{name}:x:{id}:{id}::/:/bin/sh\n");
        group += &format!("{name}:x:{id}:\n");
    }
    group += &format!("flagfall-arbiter:x:{ARBITERS}:{}\n", MEMBER.name);
    std::fs::write(place.join("passwd"), passwd).unwrap();
    std::fs::write(place.join("group"), group).unwrap();
}

/// A program of somebody's, who has the hall's tables before him.
fn among(place: &Path, user: User, program: impl AsRef<OsStr>) -> Vec<OsString> {
    let script = "mount --bind \"$1/passwd\" /etc/passwd && mount --bind \"$1/group\" /etc/group \
                  && user=$2 && shift 2 \
                  && exec setpriv --reuid=\"$user\" --regid=\"$user\" --init-groups \"$@\"";
    let words = ["unshare", "--mount", "sh", "-c", script, "sh"].map(OsString::from);
    let who = [place.into(), user.name.into(), program.as_ref().into()];
    words.into_iter().chain(who).collect()
}

fn command(words: &[OsString]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}

/// A bus with the distribution's rules and the clock's policy.
fn system_bus(place: &Path) -> String {
    let distribution = std::fs::read_to_string(DISTRIBUTION).unwrap();
    let rules: String = distribution
        .split("<policy ")
        .skip(1)
        .map(|rule| format!("<policy {}</policy>", rule.split("</policy>").next().unwrap()))
        .collect();
    assert!(rules.contains("<deny own=\"*\"/>"), "{DISTRIBUTION} is not what it was");
    format!(
        "<busconfig><type>system</type><listen>{}</listen><auth>EXTERNAL</auth>\
         {rules}<include>{}</include></busconfig>",
        address(place),
        place.join("clock.conf").display()
    )
}

#[tokio::test]
async fn with_the_shipped_policy_everybody_reads_and_arbiters_and_root_change() {
    if !may_be_tried() {
        return;
    }
    let hall = Hall::open(SHIPPED).await;
    const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
    for user in [ROOT, MEMBER, STRANGER, FLAGFALL] {
        for reading in [
            &[CLOCK.1, "Snapshot"][..],
            &[CLOCK.1, "ListPresets"],
            &[CLOCK.1, "DescribeControl", "s", "3m+2s"],
            &["org.freedesktop.DBus.Introspectable", "Introspect"],
            &["org.freedesktop.DBus.Peer", "Ping"],
            &[PROPERTIES, "Get", "ss", CLOCK.1, "Phase"],
            &[PROPERTIES, "GetAll", "s", CLOCK.1],
        ] {
            assert!(hall.call(user, reading).is_ok(), "{user:?} {reading:?}");
        }
    }

    let before = hall.call(ROOT, &[CLOCK.1, "Snapshot"]).unwrap();
    let denied = |user: User, arguments: &[&str]| {
        let sentence = hall.busctl(user, arguments).unwrap_err();
        let by_the_bus = ["Access denied", "AccessDenied", "not allowed"];
        assert!(by_the_bus.iter().any(|say| sentence.contains(say)), "{arguments:?}: {sentence}");
    };
    for user in [STRANGER, FLAGFALL] {
        for change in [
            &[ARBITER.1, "Start", "s", ""][..],
            &[ARBITER.1, "Pause", "s", ""],
            &[ARBITER.1, "SelfTest"],
            &[PROPERTIES, "Set", "ssv", CLOCK.1, "Phase", "s", "ended"],
        ] {
            denied(user, &[&["call", NAME, CLOCK.0], change].concat());
        }
        let [path, interface] = [SIMULATOR.0, SIMULATOR.1];
        denied(user, &["call", NAME, path, interface, "Advance", "x", "1000000"]);
    }
    assert_eq!(hall.call(ROOT, &[CLOCK.1, "Snapshot"]).unwrap(), before, "nothing has changed");
    let told = hall.flagfallctl(STRANGER, &["pause"]).unwrap_err();
    assert!(told.contains("flagfall-arbiter") && told.contains("next login"), "{told}");

    for user in [ROOT, MEMBER] {
        hall.call(user, &[ARBITER.1, "NewGame", "sa{sv}", "3m+2s", "1", "abandon", "b", "true"])
            .unwrap();
        hall.call(user, &[ARBITER.1, "Start", "s", ""]).unwrap();
        hall.call(user, &[ARBITER.1, "Pause", "s", ""]).unwrap();
        let lines = hall.call(ROOT, &[CLOCK.1, "ReadJournal", "stu", "", "0", "100"]).unwrap();
        let origin = format!("\\\"origin\\\":\\\"bus:{}\\\"", user.name);
        assert_eq!(lines.matches(&origin).count(), 3, "the caller stands in the lines: {lines}");
    }
}

#[tokio::test]
async fn with_the_shipped_policy_nobody_but_the_daemon_can_be_the_clock() {
    if !may_be_tried() {
        return;
    }
    let hall = Hall::open(SHIPPED).await;
    for user in [ROOT, MEMBER, STRANGER] {
        let connection = hall.connect(user).await;
        let refused = connection.request_name(NAME).await.unwrap_err();
        assert!(refused.to_string().contains("not allowed to own"), "{user:?}: {refused}");
    }
    // Its own user may, but does not get the name of one that has it.
    let connection = hall.connect(FLAGFALL).await;
    let refused = connection.request_name(NAME).await.unwrap_err();
    assert!(matches!(refused, zbus::Error::NameTaken), "{refused}");
}

#[tokio::test]
async fn with_the_shipped_policy_the_whole_line_is_heard_by_arbiters_alone() {
    if !may_be_tried() {
        return;
    }
    let hall = Hall::open(SHIPPED).await;
    // What the daemon began with is let be sent first.
    let fence = ["call", NAME, SIMULATOR.0, SIMULATOR.1, "Advance", "x", "0"];
    hall.busctl(ROOT, &fence).unwrap();
    let mut ears = Vec::new();
    for user in [ROOT, MEMBER, STRANGER] {
        let connection = hall.connect(user).await;
        let rule = "type='signal',sender='org.flagfall.Clock1',path='/org/flagfall/Clock1'";
        let signals = MessageStream::for_match_rule(rule, &connection, None).await.unwrap();
        ears.push((user, connection, signals));
    }
    let fide = ["1", "profile", "s", "fide"];
    let game = [&[ARBITER.1, "NewGame", "sa{sv}", "40/2h, 1h"][..], &fide].concat();
    hall.call(ROOT, &game).unwrap();
    hall.call(ROOT, &[ARBITER.1, "Start", "s", ""]).unwrap();
    for (user, _connection, mut signals) in ears {
        let (mut records, mut events) = (0, 0);
        // The Event is sent before the Record of the same line: what the second start's turn would
        // have brought has come when the next Event is there.
        while events < 3 {
            let message = within("a signal", signals.next()).await.unwrap().unwrap();
            let header = message.header();
            match header.member().unwrap().as_str() {
                "Record" => {
                    let (_, _, line): (String, u64, String) = message.body().deserialize().unwrap();
                    assert!(line.contains("\"moves\":"), "{line}");
                    records += 1;
                }
                "Event" => {
                    let (_, _, _, details): (u64, i64, String, Dict) =
                        message.body().deserialize().unwrap();
                    assert!(!details.contains_key("state"), "fide keeps the counters");
                    events += 1;
                }
                _ => {}
            }
        }
        let arbiter = user.id == 0 || user.arbiter;
        assert_eq!(records, if arbiter { 2 } else { 0 }, "{user:?}");
    }
}

#[tokio::test]
async fn without_the_policy_the_daemon_refuses_a_stranger_and_every_attempt_stands_in_the_journal()
{
    if !may_be_tried() {
        return;
    }
    let hall = Hall::open(OPEN).await;
    hall.call(MEMBER, &[ARBITER.1, "Start", "s", ""]).unwrap();
    let before = hall.picture();
    let root = hall.connect(ROOT).await;
    let rule = "type='signal',interface='org.flagfall.Arbiter1',member='Record'";
    let records = MessageStream::for_match_rule(rule, &root, None).await.unwrap();
    let picture = root.call_method(Some(NAME), CLOCK.0, Some(CLOCK.1), "Snapshot", &());
    let picture: Dict = picture.await.unwrap().body().deserialize().unwrap();
    let seen = number(&picture, "seq").to_string();

    for (user, what) in [(STRANGER, "Pause"), (STRANGER, "End"), (READER, "Pause")] {
        let sentence = hall.call(user, &[ARBITER.1, what, "s", "*"]).unwrap_err();
        assert!(sentence.contains(&format!("{} is none", user.name)), "{sentence}");
        assert!(sentence.contains("usermod -aG flagfall-arbiter"), "{sentence}");
    }
    assert_eq!(hall.picture(), before, "nothing has changed");

    let denied = records.filter_map(async |message| {
        let (_, _, line): (String, u64, String) = message.unwrap().body().deserialize().unwrap();
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        let member = |name: &str| line[name].as_str().unwrap().to_owned();
        (line["kind"] == "denied").then(|| (member("origin"), member("what")))
    });
    let denied: Vec<_> = within("every attempt in the journal", denied.take(3).collect()).await;
    let line = |user: User, what: &str| (format!("bus:{}", user.name), what.to_owned());
    assert_eq!(denied[0], line(STRANGER, "pause"));
    let again = [line(READER, "pause"), line(STRANGER, "1 more")];
    assert!(
        again.iter().all(|line| denied.contains(line)),
        "each user has a line, and what comes within a second of it is counted: {denied:?}"
    );

    // All that did not make stale what the arbiter had seen before.
    let undo = [ARBITER.1, "UndoPress", "ubt", "1", "true", &seen];
    let sentence = hall.call(MEMBER, &undo).unwrap_err();
    assert!(!sentence.contains("has changed since"), "{sentence}");
    hall.call(MEMBER, &[ARBITER.1, "Press", "s", "white"]).unwrap();
    let sentence = hall.call(MEMBER, &undo).unwrap_err();
    assert!(sentence.contains("has changed since"), "{sentence}");
}
