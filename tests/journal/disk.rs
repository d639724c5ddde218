//! Full, dead and foreign disks: said, and the clock goes on.

use std::process::{Command, Stdio};

use rustix::process::{Resource, Rlimit, Signal, prlimit};

use crate::common::*;
use crate::*;

async fn shows(kept: &Kept, seat: &str, word: &str) -> bool {
    kept.display(seat).await.contains(word)
}

fn truth(dict: &Dict, key: &str) -> bool {
    dict[key].try_clone().unwrap().try_into().unwrap()
}

#[tokio::test]
async fn on_a_full_disk_the_clock_goes_on_says_so_and_writes_all_that_waited_when_there_is_room() {
    let (bus, state) = (Bus::start(), tempfile::tempdir().unwrap());
    // No file may grow beyond this many blocks, as on a disk that is full.
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -S -f 16 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_flagfalld")]);
    command.args(["--board", "sim", "--headless", "--sim-time", "manual"]);
    command.args(["--bus", &bus.address(), "--state"]).arg(state.path());
    let daemon = Daemon::start(&mut command);
    let caller = Caller::on(&bus).await;
    let kept = Kept { daemon, caller, bus, state };

    kept.order("Start", &"").await.unwrap();
    assert!(truth(&kept.health().await, "disk_ok"));
    for side in ["white", "black"].into_iter().cycle().take(40) {
        kept.advance(1_000_000).await;
        kept.order("Press", &side).await.unwrap();
    }
    kept.daemon.logs("the journal is not written");
    let health = kept.health().await;
    assert!(!truth(&health, "disk_ok"), "{health:?}");
    assert!(!text(&health, "disk_trouble").is_empty());
    let state = kept.snapshot().await;
    assert_eq!(left(&state, "white"), (182 - 20 + 40) * 1_000_000);

    // Who stands at the box reads it in the next pause: one second of five says what is wrong.
    kept.order("Pause", &"").await.unwrap();
    within("the box's complaint", async {
        while !(shows(&kept, "left", "Err").await && shows(&kept, "right", "CArd").await) {
            kept.advance(1_000_000).await;
        }
    })
    .await;

    // What is there are whole lines.
    let file = kept.journal().await;
    assert_verified(&file);
    assert!(lines(&file).len() < 40);

    // Room again.
    let no_limit = Rlimit { current: None, maximum: None };
    prlimit(Some(kept.daemon.id()), Resource::Fsize, no_limit).unwrap();
    kept.daemon.logs("the journal is written again");
    assert!(truth(&kept.health().await, "disk_ok"));
    let journal = lines(&file);
    let seq = number(&kept.snapshot().await, "seq");
    assert_eq!(i64::try_from(journal.len()).unwrap(), seq + 1);
    let warned =
        |code: &str| journal.iter().any(|line| line.contains(&format!("\"code\":\"{code}\"")));
    assert!(warned("disk-failed") && warned("disk-well"));
    assert_verified(&file);
}

#[tokio::test]
async fn a_disk_that_the_simulator_fills_is_told_and_costs_no_line() {
    let kept = Kept::lay("manual").await;
    kept.order("Start", &"").await.unwrap();
    kept.call::<()>(SIMULATOR, "Inject", &("disk-full", true)).await.unwrap();
    kept.order("Press", &"white").await.unwrap();
    let health = kept.health().await;
    assert!(!truth(&health, "disk_ok"), "{health:?}");
    assert!(text(&health, "disk_trouble").contains("No space left on device"), "{health:?}");
    kept.call::<()>(SIMULATOR, "Inject", &("disk-full", false)).await.unwrap();
    let seq = number(&kept.order("Press", &"black").await.unwrap(), "seq");
    assert!(truth(&kept.health().await, "disk_ok"));
    let file = kept.journal().await;
    assert!(i64::try_from(lines(&file).len()).unwrap() > seq);
    assert_verified(&file);
}

#[tokio::test]
async fn without_a_directory_to_write_the_clock_goes_on_and_says_why_there_is_no_journal() {
    let bus = Bus::start();
    // Nobody can make a directory there, root neither.
    let nowhere = Path::new("/proc/flagfall");
    let (daemon, caller) = start(&bus, nowhere, "manual").await;
    let kept = Kept { daemon, caller, bus, state: tempfile::tempdir().unwrap() };
    kept.daemon.logs("/proc/flagfall cannot be used");
    kept.order("Start", &"").await.unwrap();
    kept.advance(1_000_000).await;
    assert_eq!(left(&kept.snapshot().await, "white"), 181_000_000);
    let health = kept.health().await;
    assert!(!truth(&health, "disk_ok") && !health.contains_key("durable_seq"));
    let read = kept.call::<Vec<String>>(CLOCK, "ReadJournal", &("", 0_u64, 10_u32)).await;
    let (name, sentence) = error_name(read);
    assert_eq!(name, "org.flagfall.Error.Storage");
    assert!(sentence.contains("/proc/flagfall"), "{sentence}");
}

#[tokio::test]
async fn a_second_daemon_does_not_take_the_state_directory() {
    let kept = Kept::lay("manual").await;
    let mut second = Daemon::start(
        Daemon::command().args(["--bus", &kept.bus.address(), "--state"]).arg(kept.state.path()),
    );
    second.logs("another flagfalld keeps its journal in");
    assert_eq!(code(second.end()), 69);
    kept.order("Start", &"").await.unwrap();
    // Killed, the first one does not keep it.
    let kept = kept.restart(Signal::KILL, "manual").await;
    assert_eq!(text(&kept.snapshot().await, "phase"), "paused");
}

#[tokio::test]
async fn the_newest_line_is_soon_surely_on_the_disk() {
    let kept = Kept::lay("manual").await;
    let seq = number(&kept.order("Start", &"").await.unwrap(), "seq");
    within("the flush", async {
        while kept.health().await.get("durable_seq").is_none_or(|durable| {
            u64::try_from(durable.try_clone().unwrap()).unwrap() != u64::try_from(seq).unwrap()
        }) {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// A small disk of its own, in a file. Taken away when dropped.
struct Disk(tempfile::TempDir);

impl Disk {
    /// `None` where nobody may mount it.
    fn mount() -> Option<Disk> {
        let place = tempfile::tempdir().unwrap();
        let (image, disk) = (place.path().join("image"), place.path().join("disk"));
        std::fs::File::create(&image).unwrap().set_len(16 << 20).unwrap();
        std::fs::create_dir(&disk).unwrap();
        let made = run(Command::new("mkfs.ext4").arg("-q").arg(&image));
        let mounted =
            made && run(Command::new("mount").args(["-o", "loop"]).arg(&image).arg(&disk));
        if !mounted {
            eprintln!("not tried: only root, where there are loop devices, can mount a disk");
        }
        mounted.then(|| Disk(place))
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("disk")
    }

    /// From now on whoever writes to it waits.
    fn freeze(&self) -> Frost<'_> {
        assert!(run(Command::new("fsfreeze").arg("-f").arg(self.path())));
        Frost(self)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        run(Command::new("umount").arg("--lazy").arg(self.path()));
    }
}

/// A disk that takes nothing, until this is dropped.
struct Frost<'a>(&'a Disk);

impl Drop for Frost<'_> {
    fn drop(&mut self) {
        run(Command::new("fsfreeze").arg("-u").arg(self.0.path()));
    }
}

fn run(command: &mut Command) -> bool {
    command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[tokio::test]
async fn a_disk_that_hangs_holds_up_no_clock_and_no_answer_and_gets_every_line_when_it_goes_on() {
    let Some(disk) = Disk::mount() else { return };
    let bus = Bus::start();
    let (daemon, caller) = start(&bus, &disk.path(), "manual").await;
    let kept = Kept { daemon, caller, bus, state: tempfile::tempdir().unwrap() };
    kept.order("Start", &"").await.unwrap();

    let frost = disk.freeze();
    for side in ["white", "black", "white"] {
        kept.advance(1_000_000).await;
        let state = kept.order("Press", &side).await.unwrap();
        assert_eq!(text(&state, "phase"), "running");
    }
    kept.daemon.logs("the disk takes more than 250ms for a line");
    let health = kept.health().await;
    assert!(!truth(&health, "disk_ok"), "{health:?}");
    let durable = u64::try_from(health["durable_seq"].try_clone().unwrap()).unwrap();
    let seq = u64::try_from(number(&kept.snapshot().await, "seq")).unwrap();
    assert!(durable < seq, "{durable} of {seq} lines cannot be on the disk");
    assert_eq!(left(&kept.snapshot().await, "black"), (182 - 1 + 2) * 1_000_000);

    drop(frost);
    kept.daemon.logs("the journal is written again");
    assert!(truth(&kept.health().await, "disk_ok"));
    let file = file(&disk.path(), &text(&kept.snapshot().await, "game"));
    let journal = lines(&file);
    assert_eq!(journal.len() as u64, number(&kept.snapshot().await, "seq").unsigned_abs() + 1);
    assert_eq!(kinds(&journal).iter().filter(|kind| *kind == "press").count(), 3);
    assert_verified(&file);
}
