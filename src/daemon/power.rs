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

/// How long logind may take to answer: the box's other wishes wait for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Through logind, which a polkit rule of the package lets the daemon's user do.
#[derive(Debug)]
pub struct Logind {
    /// The address of logind's bus; `None`: the system's.
    bus: Option<String>,
}

impl Logind {
    /// The system's own.
    pub const OF_THE_SYSTEM: Logind = Logind { bus: None };

    async fn ask(&self) -> zbus::Result<()> {
        let bus = match &self.bus {
            None => zbus::connection::Builder::system(),
            Some(address) => zbus::connection::Builder::address(address.as_str()),
        };
        let bus = bus.method_timeout(PATIENCE).build().await?;
        let (name, path) = ("org.freedesktop.login1", "/org/freedesktop/login1");
        let interface = Some("org.freedesktop.login1.Manager");
        // Nobody can be asked for a password at the box.
        bus.call_method(Some(name), path, interface, "PowerOff", &(false,)).await.map(drop)
    }
}

impl Off for Logind {
    fn off(&mut self) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + '_>> {
        Box::pin(async {
            self.ask().await.map_err(|error| {
                format!(
                    "logind refused ({error}): install polkit and the rule of the package, or \
                     switch off at the supply"
                )
            })
        })
    }
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
    use crate::daemon::private_bus::PrivateBus;
    use std::sync::{Arc, Mutex};
    use zbus::fdo;

    /// Plays logind: notes how it is asked, and lets or not.
    struct Login1 {
        lets: bool,
        asked: Arc<Mutex<Vec<bool>>>,
    }

    #[zbus::interface(name = "org.freedesktop.login1.Manager")]
    impl Login1 {
        async fn power_off(&self, interactive: bool) -> fdo::Result<()> {
            self.asked.lock().unwrap().push(interactive);
            match self.lets {
                true => Ok(()),
                false => Err(fdo::Error::InteractiveAuthorizationRequired("ask".to_owned())),
            }
        }
    }

    #[tokio::test]
    async fn logind_is_asked_once_without_a_question_and_its_refusal_is_a_sentence() {
        let mut bus = PrivateBus::new().unwrap();
        bus.ensure().await.unwrap();
        let mut logind = Logind { bus: Some(bus.address()) };
        let nobody = logind.off().await.unwrap_err();
        assert!(nobody.contains("ServiceUnknown") && nobody.contains("polkit"), "{nobody}");
        for lets in [true, false] {
            let asked = Arc::new(Mutex::new(Vec::new()));
            let login1 = Login1 { lets, asked: Arc::clone(&asked) };
            let served = zbus::connection::Builder::address(bus.address().as_str())
                .name("org.freedesktop.login1")
                .serve_at("/org/freedesktop/login1", login1)
                .build()
                .await
                .unwrap();
            let off = logind.off().await;
            assert_eq!(*asked.lock().unwrap(), [false]);
            match off {
                Ok(()) => assert!(lets),
                Err(why) => assert!(!lets && why.contains("the rule of the package"), "{why}"),
            }
            served.close().await.unwrap();
        }
    }

    #[test]
    fn the_packages_rule_lets_the_units_user_do_what_logind_asks_polkit_for() {
        let rule = include_str!("../../packaging/polkit.rules");
        let unit = include_str!("../../systemd/flagfalld.service");
        let user = unit.lines().find_map(|line| line.strip_prefix("User=")).unwrap();
        assert!(rule.contains(&format!("subject.user == \"{user}\"")), "{user}");
        for action in ["power-off", "power-off-multiple-sessions"] {
            assert!(rule.contains(&format!("\"org.freedesktop.login1.{action}\"")), "{action}");
        }
    }

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
