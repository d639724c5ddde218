//! A table for tests: a D-Bus of their own, the real flagfalld on it, and hands for both.
//!
//! Nothing here sleeps to be on time: it waits for what is to happen, and gives up with a sentence.

use std::collections::HashMap;
use std::ffi::OsString;
use std::future::Future;
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use futures_util::StreamExt;
use rustix::process::{Pid, Signal, kill_process};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;
use zbus::fdo::DBusProxy;
use zbus::wire::Type;
use zbus::{Connection, DBusError, MessageStream, OwnedVariant, connection};

pub(crate) const NAME: &str = "org.flagfall.Clock1";
pub(crate) const CLOCK: (&str, &str) = ("/org/flagfall/Clock1", "org.flagfall.Clock1");
pub(crate) const ARBITER: (&str, &str) = ("/org/flagfall/Clock1", "org.flagfall.Arbiter1");
pub(crate) const SIMULATOR: (&str, &str) = ("/org/flagfall/Simulator1", "org.flagfall.Simulator1");

/// How long anything may take before a test gives up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) type Dict = HashMap<String, OwnedVariant>;

/// Waits for something, and fails with a sentence where it does not come.
pub(crate) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("waited for {PATIENCE:?} in vain: {what}"))
}

/// A private D-Bus. Ended when dropped.
pub(crate) struct Bus {
    directory: TempDir,
    /// The program, and what stands before its name.
    program: Vec<OsString>,
    child: Child,
}

impl Bus {
    /// Starts a bus on which everybody may do everything, other users too.
    pub(crate) fn start() -> Bus {
        let directory = tempfile::tempdir().unwrap();
        let configuration = format!(
            "<busconfig><type>session</type><listen>{}</listen><auth>EXTERNAL</auth>\
             <policy context=\"default\"><allow user=\"*\"/><allow own=\"*\"/>\
             <allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/>\
             </policy></busconfig>",
            address(directory.path())
        );
        Bus::start_in(directory, &configuration, vec!["dbus-daemon".into()])
    }

    /// Starts a bus that listens in a folder, which everybody may enter then.
    pub(crate) fn start_in(directory: TempDir, configuration: &str, program: Vec<OsString>) -> Bus {
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(directory.path(), open).unwrap();
        std::fs::write(directory.path().join("bus.conf"), configuration).unwrap();
        let child = dbus_daemon(&program, directory.path());
        Bus { directory, program, child }
    }

    /// The folder that it listens in.
    pub(crate) fn folder(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn address(&self) -> String {
        address(self.directory.path())
    }

    /// Kills it, as a crash would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again on the same socket.
    pub(crate) fn start_again(&mut self) {
        self.child = dbus_daemon(&self.program, self.directory.path());
    }

    pub(crate) async fn connect(&self) -> Connection {
        connect(&self.address()).await
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn address(directory: &Path) -> String {
    format!("unix:path={}", directory.join("bus").display())
}

/// Starts dbus-daemon and waits until it listens.
fn dbus_daemon(program: &[OsString], directory: &Path) -> Child {
    let mut child = Command::new(&program[0])
        .args(&program[1..])
        .args(["--nofork", "--print-address=1", "--config-file"])
        .arg(directory.join("bus.conf"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("dbus-daemon: {error}; install the package dbus"));
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(!line.is_empty(), "dbus-daemon did not start");
    child
}

pub(crate) async fn connect(address: &str) -> Connection {
    let builder = connection::Builder::address(address).method_timeout(PATIENCE);
    within("a connection to the bus", builder.build()).await.unwrap()
}

/// Waits until the clock is on a bus by its name, and says who owns it.
pub(crate) async fn named(connection: &Connection) -> String {
    let bus = DBusProxy::new(connection).await.unwrap();
    let mut changes = bus.receive_name_owner_changed_with_args(&[(0, NAME)]).await.unwrap();
    let name = zbus::names::BusName::try_from(NAME).unwrap();
    within("the name of the clock", async {
        loop {
            if let Ok(owner) = bus.get_name_owner(name.clone()).await {
                return owner.to_string();
            }
            changes.next().await.unwrap();
        }
    })
    .await
}

/// The real flagfalld. Ended by its id when dropped.
pub(crate) struct Daemon {
    /// Where it leaves what it was not told where to leave.
    _leavings: TempDir,
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
}

impl Daemon {
    pub(crate) fn command() -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagfalld"));
        command.args(["--board", "sim", "--headless"]).stdin(Stdio::null());
        command
    }

    pub(crate) fn start(command: &mut Command) -> Daemon {
        let leavings = tempfile::tempdir().unwrap();
        let mut child = command
            .env_remove("STATE_DIRECTORY")
            .env("XDG_STATE_HOME", leavings.path())
            .env("TMPDIR", leavings.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = lines(child.stdout.take().unwrap());
        let err = lines(child.stderr.take().unwrap());
        Daemon { _leavings: leavings, child, out, err }
    }

    /// On a bus, in manual time.
    pub(crate) fn on(bus: &Bus) -> Daemon {
        Daemon::start(Daemon::command().args(["--sim-time", "manual", "--bus", &bus.address()]))
    }

    /// Waits for a line of its log.
    pub(crate) fn logs(&self, part: &str) -> String {
        await_line(&self.err, part)
    }

    /// Waits for a line of its output.
    pub(crate) fn prints(&self, part: &str) -> String {
        await_line(&self.out, part)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.id(), signal).unwrap();
    }

    pub(crate) fn id(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap()
    }

    /// Waits until it has ended.
    pub(crate) fn end(&mut self) -> ExitStatus {
        // Its output is closed when it ends; a daemon that does not end fails the test here.
        while self.err.recv_timeout(PATIENCE).is_ok() {}
        self.child.try_wait().unwrap().unwrap_or_else(|| self.child.wait().unwrap())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(output: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    receive
}

fn await_line(lines: &Receiver<String>, part: &str) -> String {
    let mut seen = Vec::new();
    while let Ok(line) = lines.recv_timeout(PATIENCE) {
        if line.contains(part) {
            return line;
        }
        seen.push(line);
    }
    panic!("no line with '{part}' came, only {seen:#?}")
}

/// A bus with a clock on it in manual time, and somebody who asks it.
pub(crate) struct Table {
    _daemon: Daemon,
    caller: Caller,
    pub(crate) bus: Bus,
}

impl Table {
    pub(crate) async fn lay() -> Table {
        let bus = Bus::start();
        let daemon = Daemon::on(&bus);
        let caller = Caller::on(&bus).await;
        Table { _daemon: daemon, caller, bus }
    }

    /// Runs busctl against the bus.
    pub(crate) fn busctl(&self, arguments: &[&str]) -> Output {
        busctl(&self.bus.address(), arguments)
    }
}

impl std::ops::Deref for Table {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

/// Somebody on a bus who asks and orders the clock there.
pub(crate) struct Caller {
    pub(crate) connection: Connection,
}

impl Caller {
    /// Comes to a bus, and waits for the clock there.
    pub(crate) async fn on(bus: &Bus) -> Caller {
        let connection = bus.connect().await;
        named(&connection).await;
        Caller { connection }
    }

    pub(crate) async fn call<R>(
        &self,
        (path, interface): (&str, &str),
        method: &str,
        body: &(impl Serialize + Type),
    ) -> zbus::Result<R>
    where
        R: DeserializeOwned + Type,
    {
        let call = self.connection.call_method(Some(NAME), path, Some(interface), method, body);
        within(method, call).await?.body().deserialize()
    }

    /// A method of `Arbiter1`, which gives a state.
    pub(crate) async fn order(
        &self,
        method: &str,
        body: &(impl Serialize + Type),
    ) -> zbus::Result<Dict> {
        self.call(ARBITER, method, body).await
    }

    pub(crate) async fn new_game(&self, control: &str, options: &[(&str, &str)]) -> Dict {
        let options: HashMap<&str, zbus::Variant<'_>> =
            options.iter().map(|(key, value)| (*key, (*value).into())).collect();
        self.order("NewGame", &(control, options)).await.unwrap()
    }

    pub(crate) async fn tap(&self, button: &str) {
        self.call::<()>(SIMULATOR, "Tap", &button).await.unwrap();
    }

    pub(crate) async fn advance(&self, us: i64) {
        self.call::<()>(SIMULATOR, "Advance", &us).await.unwrap();
    }

    pub(crate) async fn display(&self, seat: &str) -> String {
        self.call(SIMULATOR, "Display", &seat).await.unwrap()
    }

    pub(crate) async fn snapshot(&self) -> Dict {
        self.call(CLOCK, "Snapshot", &()).await.unwrap()
    }

    /// How the clock is.
    pub(crate) async fn health(&self) -> Dict {
        let properties = (CLOCK.0, "org.freedesktop.DBus.Properties");
        let value: OwnedVariant = self.call(properties, "Get", &(CLOCK.1, "Health")).await.unwrap();
        value.try_into().unwrap()
    }

    /// Every `Event` from now on. An answer may come before the event that it is about, so
    /// everything that has happened is first let be sent.
    pub(crate) async fn events(&self) -> Events {
        self.advance(0).await;
        let rule = "type='signal',interface='org.flagfall.Clock1',member='Event'";
        let stream =
            MessageStream::for_match_rule(rule, &self.connection, NonZeroUsize::new(4_096));
        Events(stream.await.unwrap())
    }
}

/// Runs the real busctl against a bus.
pub(crate) fn busctl(address: &str, arguments: &[&str]) -> Output {
    Command::new("busctl")
        .env("DBUS_SYSTEM_BUS_ADDRESS", address)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("busctl: {error}; install the package systemd"))
}

pub(crate) struct Events(MessageStream);

/// An `Event`.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) seq: u64,
    pub(crate) at_us: i64,
    pub(crate) kind: String,
    pub(crate) details: Dict,
}

impl Events {
    pub(crate) async fn next(&mut self) -> Event {
        let message = within("an Event", self.0.next()).await.unwrap().unwrap();
        let (seq, at_us, kind, details) = message.body().deserialize().unwrap();
        Event { seq, at_us, kind, details }
    }

    /// The next ones, up to that of a kind.
    pub(crate) async fn until(&mut self, kind: &str) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            events.push(self.next().await);
            if events.last().is_some_and(|event| event.kind == kind) {
                return events;
            }
        }
    }
}

/// A side of a state.
pub(crate) fn side(state: &Dict, side: &str) -> Dict {
    state[side].try_clone().unwrap().try_into().unwrap()
}

/// A number of a side.
pub(crate) fn number(dict: &Dict, key: &str) -> i64 {
    let value = dict.get(key).unwrap_or_else(|| panic!("there is no {key} in {dict:?}"));
    i64::try_from(value.try_clone().unwrap())
        .or_else(|_| u32::try_from(value.try_clone().unwrap()).map(i64::from))
        .or_else(|_| u64::try_from(value.try_clone().unwrap()).map(|n| i64::try_from(n).unwrap()))
        .unwrap()
}

pub(crate) fn text(dict: &Dict, key: &str) -> String {
    dict[key].try_clone().unwrap().try_into().unwrap()
}

/// The name and the sentence of a D-Bus error.
pub(crate) fn error_name<T: std::fmt::Debug>(result: zbus::Result<T>) -> (String, String) {
    let (name, sentence) = match result.unwrap_err() {
        zbus::Error::MethodError(name, sentence, _) => (name.to_string(), sentence),
        zbus::Error::FDO(error) => {
            (error.name().to_string(), error.description().map(str::to_owned))
        }
        other => panic!("{other:?}"),
    };
    (name, sentence.unwrap_or_default())
}

/// The code that a program has ended with.
pub(crate) fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| panic!("killed by signal {:?}", status.signal()))
}
