//! A D-Bus of our own, for the simulated box where there is no system bus to be had.
//!
//! It ends with the daemon, also when the daemon is killed.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::ChildStdout;
use tokio::time::timeout;

/// How long dbus-daemon may take to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// The bus, started or not.
#[derive(Debug)]
pub struct PrivateBus {
    directory: PathBuf,
    running: Option<Child>,
}

impl PrivateBus {
    /// Makes a place for the bus, which is not started yet.
    ///
    /// # Errors
    /// There is no place for temporary files.
    pub fn new() -> io::Result<Self> {
        let within =
            std::env::var_os("XDG_RUNTIME_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
        let directory = make_directory(&within)?;
        let bus = PrivateBus { directory, running: None };
        std::fs::write(bus.directory.join("bus.conf"), bus.configuration())?;
        Ok(bus)
    }

    /// The address, the same for as long as this daemon lives.
    #[must_use]
    pub fn address(&self) -> String {
        format!("unix:path={}", self.directory.join("bus").display())
    }

    /// Starts the bus if it does not run.
    ///
    /// To be called on the main thread: the bus is ended by the system when the thread ends that
    /// started it.
    ///
    /// # Errors
    /// dbus-daemon is not installed or does not start; the sentence says what to install.
    pub async fn ensure(&mut self) -> io::Result<()> {
        if let Some(child) = &mut self.running
            && child.try_wait()?.is_none()
        {
            return Ok(());
        }
        let child = self.running.insert(self.spawn()?);
        let listens = listens(child.stdout.take()).await;
        if listens.is_err() {
            self.stop();
        }
        listens
    }

    /// Ends the bus, and waits for its end, so that nothing is left of it.
    fn stop(&mut self) {
        if let Some(mut child) = self.running.take() {
            // Errors mean that it has ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Starts dbus-daemon. `setpriv` has the system end it when the daemon is gone, and becomes it;
    /// without `setpriv` the bus outlives a daemon that is killed, which is better than no bus.
    fn spawn(&self) -> io::Result<Child> {
        let mut bound = Command::new("setpriv");
        bound.args(["--pdeathsig", "TERM", "dbus-daemon"]);
        match self.spawn_as(bound) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.spawn_as(Command::new("dbus-daemon"))
            }
            result => result,
        }
        .map_err(|error| not_started(&error.to_string()))
    }

    fn spawn_as(&self, mut command: Command) -> io::Result<Child> {
        command
            .args(["--nofork", "--print-address=1", "--config-file"])
            .arg(self.directory.join("bus.conf"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C in the terminal is for the daemon, which ends the bus after itself.
            .process_group(0)
            .spawn()
    }

    fn configuration(&self) -> String {
        format!(
            "<busconfig>\n  <type>session</type>\n  <listen>{}</listen>\n  <auth>EXTERNAL</auth>\n  \
             <policy context=\"default\">\n    <allow send_destination=\"*\" eavesdrop=\"true\"/>\n    \
             <allow eavesdrop=\"true\"/>\n    <allow own=\"*\"/>\n  </policy>\n</busconfig>\n",
            self.address()
        )
    }
}

impl Drop for PrivateBus {
    fn drop(&mut self) {
        self.stop();
        // What stays is a small directory among temporary files.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Waits until dbus-daemon says where it listens.
async fn listens(output: Option<std::process::ChildStdout>) -> io::Result<()> {
    let Some(output) = output else { return Err(not_started("it has no output")) };
    let mut output = BufReader::new(ChildStdout::from_std(output)?);
    let mut line = String::new();
    match timeout(PATIENCE, output.read_line(&mut line)).await {
        Ok(Ok(0)) => Err(not_started("it ended at once")),
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(not_started(&error.to_string())),
        Err(_) => Err(not_started("it does not say where it listens")),
    }
}

/// A directory for the own user alone, and never one that somebody else has made: what a daemon
/// that was killed has left is passed over.
fn make_directory(within: &Path) -> io::Result<PathBuf> {
    let id = std::process::id();
    let mut made = Err(io::ErrorKind::AlreadyExists.into());
    for attempt in 1..=100 {
        let directory = within.join(format!("flagfall-{id}-{attempt}"));
        made = std::fs::DirBuilder::new().mode(0o700).create(&directory).map(|()| directory);
        match &made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            _ => break,
        }
    }
    made
}

fn not_started(why: &str) -> io::Error {
    io::Error::other(format!(
        "dbus-daemon does not start ({why}): install the packages dbus (dbus-daemon) and \
         util-linux (setpriv)"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_is_there_already_is_not_used() {
        let within = tempfile::tempdir().unwrap();
        let first = make_directory(within.path()).unwrap();
        let second = make_directory(within.path()).unwrap();
        assert_ne!(first, second);
        assert!(make_directory(&within.path().join("nowhere")).is_err());
    }

    #[tokio::test]
    async fn it_starts_once_and_again_at_the_same_address_when_it_was_killed() {
        let mut bus = PrivateBus::new().unwrap();
        let address = bus.address();
        bus.ensure().await.unwrap();
        let first = bus.running.as_ref().map(Child::id);
        bus.ensure().await.unwrap();
        assert_eq!(bus.running.as_ref().map(Child::id), first);
        let connect = || zbus::connection::Builder::address(address.as_str()).build();
        assert!(connect().await.is_ok());

        let child = bus.running.as_mut().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        bus.ensure().await.unwrap();
        assert_ne!(bus.running.as_ref().map(Child::id), first);
        assert!(connect().await.is_ok());

        let directory = bus.directory.clone();
        drop(bus);
        assert!(!directory.exists());
    }
}
