//! Powering off, and the supply: what the system says and does about electricity.

use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::Duration;

/// How often the supply is looked at.
pub const LOOK: Duration = Duration::from_secs(5);

/// Switches the box off. A trait because a test must not.
pub trait Off: Send + fmt::Debug {
    /// Asks for it; the system then ends the daemon in its own time.
    fn off(&mut self) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + '_>>;
}

/// Through logind, which a polkit rule of the package lets the daemon's user do.
#[derive(Debug)]
pub struct Logind;

impl Off for Logind {
    fn off(&mut self) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + '_>> {
        Box::pin(async {
            ask_logind().await.map_err(|error| {
                format!(
                    "logind refused ({error}): install polkit and the rule of the package, or \
                     switch off at the supply"
                )
            })
        })
    }
}

async fn ask_logind() -> zbus::Result<()> {
    let bus = zbus::Connection::system().await?;
    let (name, path) = ("org.freedesktop.login1", "/org/freedesktop/login1");
    let interface = Some("org.freedesktop.login1.Manager");
    // Nobody can be asked for a password at the box.
    bus.call_method(Some(name), path, interface, "PowerOff", &(false,)).await.map(drop)
}

/// The simulated box has no supply that could be switched off.
#[derive(Debug)]
pub struct Simulated;

impl Off for Simulated {
    fn off(&mut self) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + '_>> {
        Box::pin(async { Err("this is the simulated box: q ends it".to_owned()) })
    }
}

/// The supply as the kernel's hwmon `rpi_volt` sees it.
#[derive(Clone, Debug)]
pub struct Supply {
    alarm: Option<PathBuf>,
}

impl Supply {
    /// The supply of this machine.
    #[must_use]
    pub fn of_this_machine() -> Self {
        Supply::below(Path::new("/sys/class/hwmon"))
    }

    /// The supply among the monitors of that directory.
    fn below(directory: &Path) -> Self {
        let monitors = std::fs::read_dir(directory).into_iter().flatten().flatten();
        let is_volt = |path: &PathBuf| {
            std::fs::read_to_string(path.join("name")).is_ok_and(|name| name.trim() == "rpi_volt")
        };
        let monitor = monitors.map(|entry| entry.path()).find(is_volt);
        Supply { alarm: monitor.map(|monitor| monitor.join("in0_lcrit_alarm")) }
    }

    /// True if there is something to look at.
    #[must_use]
    pub const fn is_there(&self) -> bool {
        self.alarm.is_some()
    }

    /// True while the voltage is too low.
    #[must_use]
    pub fn is_low(&self) -> bool {
        let alarm = self.alarm.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        alarm.is_some_and(|alarm| alarm.trim() == "1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_supply_is_low_while_the_kernel_says_so() {
        let hwmon = std::env::temp_dir().join(format!("flagfall-hwmon-{}", std::process::id()));
        let monitor = hwmon.join("hwmon1");
        std::fs::create_dir_all(hwmon.join("hwmon0")).unwrap();
        std::fs::create_dir_all(&monitor).unwrap();
        std::fs::write(hwmon.join("hwmon0/name"), "cpu_thermal\n").unwrap();
        assert!(!Supply::below(&hwmon).is_there());
        std::fs::write(monitor.join("name"), "rpi_volt\n").unwrap();
        let supply = Supply::below(&hwmon);
        assert!(supply.is_there());
        for (alarm, low) in [("0\n", false), ("1\n", true), ("", false)] {
            std::fs::write(monitor.join("in0_lcrit_alarm"), alarm).unwrap();
            assert_eq!(supply.is_low(), low, "{alarm:?}");
        }
        std::fs::remove_dir_all(hwmon).unwrap();
    }
}
