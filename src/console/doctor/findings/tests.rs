//! What is seen, and what is said about it.

use super::*;

/// A Raspberry Pi on which everything is as it must be.
fn sound() -> Seen {
    let device = |path: &str, there, group: &str| Device {
        path: path.to_owned(),
        there,
        group: there.then(|| group.to_owned()),
    };
    Seen {
        pi: Some("Raspberry Pi 4 Model B".to_owned()),
        devices: vec![
            device("/dev/gpiomem", true, "gpio"),
            device("/dev/gpiomem0", false, ""),
            device("/dev/gpiochip0", true, "gpio"),
            device("/dev/spidev0.0", true, "spi"),
            device("/dev/spidev0.1", true, "spi"),
        ],
        user: User { exists: true, groups: vec!["gpio".to_owned(), "spi".to_owned()] },
        caller: Caller { root: false, arbiter: true, will_be_arbiter: true },
        policy: true,
        state: StateFolder {
            path: "/var/lib/flagfall",
            there: true,
            read_only: false,
            free: Some(1 << 30),
        },
        unit: Some(Unit { active: "active".to_owned(), status: "3m+2s: ready".to_owned() }),
        daemon: Ok(Answer {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            board: "rpi".to_owned(),
            real_time: true,
            disk_ok: true,
            ..Answer::default()
        }),
        drift: Drift { ppm: 4.0, synchronised: true },
    }
}

fn answer(seen: &mut Seen) -> &mut Answer {
    seen.daemon.as_mut().unwrap()
}

#[test]
fn a_sound_installation_has_nothing_to_mend() {
    let findings = findings(&sound());
    assert!(findings.iter().all(|finding| finding.verdict == Verdict::Good), "{findings:#?}");
    assert!(findings.iter().all(|finding| finding.remedy.is_none()), "{findings:#?}");
    assert_eq!(findings.len(), 10);
}

/// What is broken, which finding tells it, and words of the finding and of its remedy.
type Case = (fn(&mut Seen), &'static str, Verdict, &'static str, &'static str);

const CASES: [Case; 24] = [
    (|s| s.pi = None, "machine", Verdict::Note, "no Raspberry Pi", "simulated"),
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
    (|s| s.policy = false, "bus policy", Verdict::Wrong, "nobody the name", "reinstall"),
    (|s| s.state.there = false, "games", Verdict::Note, "yet", "first start"),
    (|s| s.state.read_only = true, "games", Verdict::Wrong, "only be read", "remount,rw"),
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
        "like any other: no priority",
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
        "tries again",
    ),
    (
        |s| answer(s).stuck = vec!["ok".to_owned()],
        "buttons",
        Verdict::Wrong,
        "closed all the time: ok",
        "its wire",
    ),
    (
        |s| s.drift.ppm = 405.0,
        "oscillator",
        Verdict::Note,
        "slow by 1458 ms in an hour",
        "calibration-ppm = 405.0",
    ),
    (
        |s| s.drift.synchronised = false,
        "oscillator",
        Verdict::Note,
        "no time from the network",
        "half an hour",
    ),
];

#[test]
fn each_fault_is_found_alone_and_has_its_remedy() {
    for (breaks, about, verdict, says, remedy) in CASES {
        let mut seen = sound();
        breaks(&mut seen);
        let findings = findings(&seen);
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
    let mut seen = sound();
    answer(&mut seen).display_fault = Some("/dev/spidev0.0 took 2 of 4 bytes".to_owned());
    let told = findings(&seen).into_iter().find(|f| f.verdict == Verdict::Wrong).unwrap();
    assert_eq!((told.about, &*told.says), ("displays", "/dev/spidev0.0 took 2 of 4 bytes"));
}

#[test]
fn a_calibration_is_taken_off_the_drift() {
    let mut seen = sound();
    seen.drift.ppm = 405.0;
    answer(&mut seen).calibration_ppm = 400.0;
    assert!(findings(&seen).iter().all(|finding| finding.verdict == Verdict::Good));
}

#[test]
fn who_asks_is_told_what_they_may() {
    for (root, arbiter, will_be_arbiter, says) in [
        (true, false, false, "may change the clock"),
        (false, true, true, "may change the clock"),
        (false, false, true, "from your next login on"),
        (false, false, false, "may look, but not change"),
    ] {
        let caller = Caller { root, arbiter, will_be_arbiter };
        let findings = findings(&Seen { caller, ..sound() });
        assert!(findings.last().unwrap().says.contains(says), "{findings:#?}");
    }
}
