//! What is probe, and what is said about it.

use super::*;

/// A Raspberry Pi on which everything is as it must be.
fn sound() -> Probe {
    let device = |path: &str, there, group: &str| Device {
        path: path.to_owned(),
        there,
        group: there.then(|| group.to_owned()),
    };
    Probe {
        pi: Some("Raspberry Pi 4 Model B".to_owned()),
        devices: vec![
            device("/dev/gpiomem", true, "gpio"),
            device("/dev/gpiomem0", false, ""),
            device("/dev/gpiochip0", true, "gpio"),
            device("/dev/spidev0.0", true, "spi"),
            device("/dev/spidev0.1", true, "spi"),
        ],
        user: DaemonUser { exists: true, groups: vec!["gpio".to_owned(), "spi".to_owned()] },
        caller: CallerRights { root: false, arbiter: true, will_be_arbiter: true },
        policy: true,
        state: StateFolder {
            path: "/var/lib/flagfall",
            there: true,
            read_only: false,
            free: Some(1 << 30),
        },
        unit: Some(UnitState { active: "active".to_owned(), status: "3m+2s: ready".to_owned() }),
        daemon: Ok(DaemonReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            board: "rpi".to_owned(),
            real_time: true,
            disk_ok: true,
            ..DaemonReport::default()
        }),
        drift: Drift { ppm: 4.0, synchronised: true },
    }
}

fn answer(probe: &mut Probe) -> &mut DaemonReport {
    probe.daemon.as_mut().unwrap()
}

#[test]
fn a_sound_installation_has_nothing_to_mend() {
    let findings = findings(&sound());
    assert!(findings.iter().all(|finding| finding.verdict == Verdict::Good), "{findings:#?}");
    assert!(findings.iter().all(|finding| finding.remedy.is_none()), "{findings:#?}");
    assert_eq!(findings.len(), 10);
}

/// What is broken, which finding tells it, and words of the finding and of its remedy.
type Case = (fn(&mut Probe), &'static str, Verdict, &'static str, &'static str);

const CASES: [Case; 24] = [
    (|s| s.pi = None, "machine", Verdict::Note, "not a Raspberry Pi", "simulated"),
    (
        |s| s.devices.retain(|device| !device.path.contains("gpiomem")),
        "pins",
        Verdict::Wrong,
        "/dev/gpiomem0 (Pi 5)",
        "Raspberry Pi OS",
    ),
    (
        |s| s.devices.retain(|device| !device.path.contains("spidev")),
        "displays",
        Verdict::Wrong,
        "SPI is off",
        "dtparam=spi=on into /boot/firmware/config.txt",
    ),
    (
        |s| s.user.groups.retain(|group| group != "spi"),
        "displays",
        Verdict::Wrong,
        "for the group spi",
        "sudo usermod -aG spi flagfall",
    ),
    (
        |s| s.user.groups.retain(|group| group != "gpio"),
        "pins",
        Verdict::Wrong,
        "for the group gpio",
        "sudo usermod -aG gpio flagfall",
    ),
    (
        |s| s.devices.retain(|device| !device.path.contains("gpiochip")),
        "pins",
        Verdict::Wrong,
        "no /dev/gpiochip0",
        "Raspberry Pi OS",
    ),
    (
        |s| s.devices[2].group = Some("root".to_owned()),
        "pins",
        Verdict::Wrong,
        "/dev/gpiochip0 is for the group root",
        "sudo usermod -aG root flagfall",
    ),
    (|s| s.devices[0].group = None, "pins", Verdict::Wrong, "no group", "udevadm trigger"),
    (|s| s.user.exists = false, "user", Verdict::Wrong, "no user flagfall", "systemd-sysusers"),
    (|s| s.policy = false, "bus policy", Verdict::Wrong, "cannot own its name", "reinstall"),
    (|s| s.state.there = false, "games", Verdict::Note, "does not exist yet", "first start"),
    (|s| s.state.read_only = true, "games", Verdict::Wrong, "read-only", "remount,rw"),
    (
        |s| answer(s).disk_ok = false,
        "games",
        Verdict::Wrong,
        "could not write",
        "journalctl -u flagfalld",
    ),
    (|s| s.state.free = Some(9 << 20), "games", Verdict::Wrong, "only 9 MiB", "make room"),
    (
        |s| answer(s).version = "0.0.1".to_owned(),
        "daemon",
        Verdict::Wrong,
        "the daemon is 0.0.1",
        "between two games",
    ),
    (
        |s| s.daemon = Err("no flagfalld answers".to_owned()),
        "daemon",
        Verdict::Wrong,
        "runs, but not on the bus: 3m+2s: ready",
        "reload dbus",
    ),
    (
        |s| {
            s.daemon = Err("no flagfalld answers".to_owned());
            s.unit.as_mut().unwrap().active = "failed".to_owned();
        },
        "daemon",
        Verdict::Wrong,
        "no flagfalld answers; its service is failed",
        "enable --now",
    ),
    (
        |s| {
            s.daemon = Err("no flagfalld answers".to_owned());
            s.unit = None;
        },
        "daemon",
        Verdict::Wrong,
        "no flagfalld answers",
        "reinstall",
    ),
    (
        |s| {
            answer(s).real_time = false;
            answer(s).degradations = vec!["no priority".to_owned()];
        },
        "real time",
        Verdict::Wrong,
        "without real-time priority: no priority",
        "LimitRTPRIO=60",
    ),
    (
        |s| answer(s).degradations = vec!["memory is not locked".to_owned()],
        "real time",
        Verdict::Note,
        "memory is not locked",
        "LimitMEMLOCK",
    ),
    (
        |s| answer(s).buzzer_fault = Some("the buzzer does not sound".to_owned()),
        "buzzer",
        Verdict::Wrong,
        "does not sound",
        "retries",
    ),
    (
        |s| answer(s).stuck = vec!["ok".to_owned()],
        "buttons",
        Verdict::Wrong,
        "permanently pressed: ok",
        "short circuit",
    ),
    (
        |s| s.drift.ppm = 405.0,
        "oscillator",
        Verdict::Note,
        "slow by 1458 ms per hour",
        "calibration-ppm = 405.0",
    ),
    (
        |s| s.drift.synchronised = false,
        "oscillator",
        Verdict::Note,
        "no network time",
        "half an hour",
    ),
];

#[test]
fn each_fault_is_found_alone_and_has_its_remedy() {
    for (breaks, about, verdict, says, remedy) in CASES {
        let mut probe = sound();
        breaks(&mut probe);
        let findings = findings(&probe);
        let mended: Vec<_> = findings.iter().filter(|f| f.verdict != Verdict::Good).collect();
        let found = mended.iter().find(|finding| finding.about == about);
        let found = found.unwrap_or_else(|| panic!("nothing about {about}: {mended:#?}"));
        assert_eq!(found.verdict, verdict, "{found:?}");
        assert!(found.says.contains(says), "{found:?}");
        assert!(found.remedy.as_ref().is_some_and(|words| words.contains(remedy)), "{found:?}");
        assert_eq!(mended.len(), 1, "{mended:#?}");
    }
}

#[test]
fn displays_that_do_not_answer_are_told_in_the_daemons_words() {
    let mut probe = sound();
    answer(&mut probe).display_fault = Some("/dev/spidev0.0 took 2 of 4 bytes".to_owned());
    let told = findings(&probe).into_iter().find(|f| f.verdict == Verdict::Wrong).unwrap();
    assert_eq!((told.about, &*told.says), ("displays", "/dev/spidev0.0 took 2 of 4 bytes"));
}

#[test]
fn a_calibration_is_taken_off_the_drift() {
    let mut probe = sound();
    probe.drift.ppm = 405.0;
    answer(&mut probe).calibration_ppm = 400.0;
    assert!(findings(&probe).iter().all(|finding| finding.verdict == Verdict::Good));
}

#[test]
fn who_asks_is_told_what_they_may() {
    for (root, arbiter, will_be_arbiter, says) in [
        (true, false, false, "may change the clock"),
        (false, true, true, "may change the clock"),
        (false, false, true, "after the next login"),
        (false, false, false, "may read, but not change"),
    ] {
        let caller = CallerRights { root, arbiter, will_be_arbiter };
        let findings = findings(&Probe { caller, ..sound() });
        assert!(findings.last().unwrap().says.contains(says), "{findings:#?}");
    }
}
