//! Full, dead and foreign disks: said, and the clock goes on.

use std::process::Command;

use rustix::process::{Resource, Rlimit, Signal, prlimit};

use crate::common::*;
use crate::*;

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
    let connection = bus.connect().await;
    named(&connection).await;
    let kept = Kept { daemon, connection, bus, state };

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
async fn without_a_directory_to_write_the_clock_goes_on_and_says_why_there_is_no_journal() {
    let bus = Bus::start();
    // Nobody can make a directory there, root neither.
    let nowhere = Path::new("/proc/flagfall");
    let (daemon, connection) = start(&bus, nowhere, "manual").await;
    let kept = Kept { daemon, connection, bus, state: tempfile::tempdir().unwrap() };
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
