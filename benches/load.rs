//! What a crowd does to the clock: `cargo bench --bench load` gives figures of docs/PERFORMANCE.md.
//!
//! The real daemon in real time, on a bus of its own: with nobody there, beside a program that takes
//! all processors and has nothing to do with the clock, and with 50 clients that ask for `Snapshot`
//! as fast as they can while another floods it with `Pause` and `Resume` and one hears every `Event`;
//! in turns, so that all see the same machine. What a crowd does beyond a busy machine is the
//! daemon's fault. `FLAGFALL_LOAD_SECONDS` says how long each takes (30).

#![allow(
    missing_docs,
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a bench that cannot go on has failed, and it needs less than the tests' table has"
)]

#[path = "../tests/common/mod.rs"]
mod tests;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use futures_util::StreamExt;
use tests::{ARBITER, Bus, CLOCK, Daemon, Dict, NAME, named, number, within};
use tokio::task::JoinSet;
use zbus::{Connection, MessageStream, OwnedVariant};

const CLIENTS: usize = 50;

/// Who is there beside the clock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Company {
    Nobody,
    /// Threads that take all processors, and never speak to the clock.
    Busy,
    Crowd,
}

impl Company {
    const fn name(self) -> &'static str {
        match self {
            Company::Nobody => "idle",
            Company::Busy => "busy",
            Company::Crowd => "crowd",
        }
    }
}

/// What one run came to.
struct Run {
    ticks: i64,
    late: i64,
    worst_us: i64,
    snapshots: u64,
    orders: u64,
    events: u64,
    /// Numbers that were missing between two events, and what the daemon itself counts as lost.
    lost: u64,
    /// Resident memory when it began, after half and at the end, in KiB.
    resident: [u64; 3],
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let seconds = std::env::var("FLAGFALL_LOAD_SECONDS").map_or(30, |text| text.parse().unwrap());
    let half = Duration::from_secs(seconds) / 2;
    println!("{seconds} s each, {CLIENTS} clients or none; memory in KiB");
    println!(
        "{:<6} {:>8} {:>6} {:>9} {:>9} {:>7} {:>7} {:>5}  memory: begin, half, end",
        "run", "ticks", "late", "worst us", "snapshots", "orders", "events", "lost"
    );
    for company in [Company::Nobody, Company::Busy, Company::Crowd].repeat(2) {
        let run = run(half, company).await;
        let name = company.name();
        println!(
            "{name:<6} {:>8} {:>6} {:>9} {:>9} {:>7} {:>7} {:>5}  {} {} {}",
            run.ticks,
            run.late,
            run.worst_us,
            run.snapshots,
            run.orders,
            run.events,
            run.lost,
            run.resident[0],
            run.resident[1],
            run.resident[2],
        );
        assert_eq!(run.lost, 0, "no event may be lost");
    }
}

async fn run(half: Duration, company: Company) -> Run {
    let crowd = company == Company::Crowd;
    let bus = Bus::start();
    let state = tempfile::tempdir().unwrap();
    let mut daemon = Daemon::command();
    daemon.args(["--bus", &bus.address()]).arg("--state").arg(state.path());
    let daemon = Daemon::start(&mut daemon);
    let arbiter = bus.connect().await;
    named(&arbiter).await;
    order(&arbiter, "Start").await;

    let (over, snapshots, orders) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicU64::new(0)),
        Arc::new(AtomicU64::new(0)),
    );
    let mut listener = Listener::on(&bus).await;
    let mut clients = JoinSet::new();
    for _ in 0..if crowd { CLIENTS } else { 0 } {
        let (connection, over, done) =
            (bus.connect().await, Arc::clone(&over), Arc::clone(&snapshots));
        clients.spawn(async move {
            while !over.load(Relaxed) {
                call(&connection, CLOCK, "Snapshot", &()).await;
                done.fetch_add(1, Relaxed);
            }
        });
    }
    if crowd {
        let (connection, over, done) =
            (bus.connect().await, Arc::clone(&over), Arc::clone(&orders));
        clients.spawn(async move {
            while !over.load(Relaxed) {
                order(&connection, "Pause").await;
                order(&connection, "Resume").await;
                done.fetch_add(2, Relaxed);
            }
        });
    }

    let processors = std::thread::available_parallelism().unwrap().get();
    let burners: Vec<_> = (0..if company == Company::Busy { processors } else { 0 })
        .map(|_| {
            let over = Arc::clone(&over);
            std::thread::spawn(move || {
                while !over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            })
        })
        .collect();

    let before = health(&arbiter).await;
    let mut resident = [memory(&daemon), 0, 0];
    for moment in &mut resident[1..] {
        let until = tokio::time::Instant::now() + half;
        while tokio::time::timeout_at(until, listener.hear()).await.is_ok() {}
        *moment = memory(&daemon);
    }
    over.store(true, Relaxed);
    while clients.join_next().await.is_some() {}
    burners.into_iter().for_each(|burner| burner.join().unwrap());
    let after = health(&arbiter).await;
    // The last line that there is has been heard then.
    let newest = property(&arbiter, "Sequence").await;
    let newest = u64::try_from(newest).unwrap();
    within("every event", async {
        while listener.last < newest {
            listener.hear().await;
        }
    })
    .await;
    let grown = |key: &str| number(&after, key) - number(&before, key);
    let lost: i64 = ["dropped_events", "late_events", "missed_lines"].map(grown).iter().sum();
    Run {
        ticks: grown("ticks"),
        late: grown("late_ticks"),
        worst_us: number(&after, "worst_lateness_us"),
        snapshots: snapshots.load(Relaxed),
        orders: orders.load(Relaxed),
        events: listener.heard,
        lost: listener.lost + u64::try_from(lost).unwrap(),
        resident,
    }
}

/// One who hears every event.
struct Listener {
    events: MessageStream,
    last: u64,
    heard: u64,
    lost: u64,
}

impl Listener {
    async fn on(bus: &Bus) -> Listener {
        let connection = bus.connect().await;
        let rule = "type='signal',interface='org.flagfall.Clock1',member='Event'";
        let queue = NonZeroUsize::new(65_536);
        let events = MessageStream::for_match_rule(rule, &connection, queue).await.unwrap();
        let last = u64::try_from(property(&connection, "Sequence").await).unwrap();
        Listener { events, last, heard: 0, lost: 0 }
    }

    async fn hear(&mut self) {
        let message = self.events.next().await.unwrap().unwrap();
        let (seq, _, _, _): (u64, i64, String, Dict) = message.body().deserialize().unwrap();
        self.heard += 1;
        self.lost += seq - self.last - 1;
        self.last = seq;
    }
}

async fn call(
    connection: &Connection,
    (path, interface): (&str, &str),
    method: &str,
    body: &(impl serde::Serialize + zbus::wire::Type),
) -> zbus::Message {
    let call = connection.call_method(Some(NAME), path, Some(interface), method, body);
    within(method, call).await.unwrap()
}

async fn order(connection: &Connection, method: &str) {
    call(connection, ARBITER, method, &"").await;
}

async fn get(connection: &Connection, property: &str) -> OwnedVariant {
    let properties = (CLOCK.0, "org.freedesktop.DBus.Properties");
    let answer = call(connection, properties, "Get", &(CLOCK.1, property)).await;
    answer.body().deserialize().unwrap()
}

async fn property(connection: &Connection, name: &str) -> i64 {
    let value = get(connection, name).await;
    i64::try_from(u64::try_from(value).unwrap()).unwrap()
}

async fn health(connection: &Connection) -> Dict {
    get(connection, "Health").await.try_into().unwrap()
}

/// What is resident of the daemon, in KiB.
fn memory(daemon: &Daemon) -> u64 {
    let status = format!("/proc/{}/status", daemon.id().as_raw_nonzero());
    let status = std::fs::read_to_string(status).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
