//! The timing thread allocates and frees nothing once it runs: neither an allocation's lock nor a
//! page fault can delay a flag.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use flagfall::board::sim::Simulator;
use flagfall::board::sim::manual::{ManualTime, manual_time};
use flagfall::board::{Pins, Time, Wake};
use flagfall::control::presets::Presets;
use flagfall::control::{Profile, Settings, Side, notation};
use flagfall::daemon::keeper::catalogue;
use flagfall::daemon::shelf::Kept;
use flagfall::engine::operation::{
    Adjust, End, NewGame, Pause, Press, Query, Resume, Start, UndoPress,
};
use flagfall::engine::{Adjustment, Engine, GameResult, Operation};
use flagfall::input::{Contacts, Input, Key, Timing};
use flagfall::menu::Wish;
use flagfall::panel::{Look, Panel, Signals, Sounding};
use flagfall::sounds::Score;
use flagfall::time::{Instant, Span};
use flagfall::timing::{
    self, Event, EventKind, PanelMessage, Parts, Request, Task, Tick, Wanted, endpoints,
};

/// Counts for each thread how often it allocates, reallocates and frees.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that is being taken down has no count any more.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call goes to the system's allocator as it came; counting touches a thread-local
// without a destructor and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count();
        // SAFETY: the caller keeps `dealloc`'s contract, and the block came from `System`.
        unsafe { System.dealloc(block, layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps `realloc`'s contract, and the block came from `System`.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// Pins and time that tell from inside the timing thread what it has counted.
struct Witness<T> {
    inner: T,
    seen: Arc<AtomicU64>,
}

impl<T> Witness<T> {
    fn look(&self) {
        self.seen.store(CALLS.get(), SeqCst);
    }
}

impl<P: Pins> Pins for Witness<P> {
    fn read(&mut self, now: Instant) -> Contacts {
        self.look();
        self.inner.read(now)
    }
    fn write(&mut self, signals: Signals) {
        self.inner.write(signals);
        self.look();
    }
}

impl Time for Witness<ManualTime> {
    fn now(&self) -> Instant {
        self.inner.now()
    }
    fn wait_until(&mut self, until: Instant) -> Wake {
        self.look();
        self.inner.wait_until(until)
    }
    fn new_game(&mut self) {
        self.inner.new_game();
    }
}

#[test]
fn the_timing_thread_allocates_and_frees_nothing_in_a_whole_game_with_every_command() {
    let settings = |control| Settings::new(notation::parse(control).unwrap(), Profile::Us);
    let simulator = Simulator::new();
    let (time, handle) = manual_time(Instant::ZERO);
    let (rt, mut host) = endpoints().unwrap();
    let seen = Arc::new(AtomicU64::new(0));
    let parts = Parts {
        engine: Engine::new(Instant::ZERO, settings("3m+2s")),
        input: Input::new(Timing::default()),
        panel: Panel::new(Look {
            brightness: 8,
            tenths_below: Span::from_secs(20),
            sound: Sounding::On,
        })
        .with_catalogue(Box::new(catalogue(0, &Presets::shipped(), &Kept::default())))
        .with_score(Score::default()),
        pins: Witness { inner: simulator.pins(), seen: Arc::clone(&seen) },
    };
    let time = Witness { inner: time, seen: Arc::clone(&seen) };
    let period = Span::from_millis(2);
    let running = timing::spawn(Tick::new(parts, rt), time, period, Wanted::NOTHING).unwrap();
    handle.advance(Span::ZERO).unwrap();
    let at_start = seen.load(SeqCst);
    assert!(at_start > 0, "the thread's own start is counted, so counting works");

    let mut events: Vec<Event> = Vec::new();
    let mut id = 0;
    let mut request = |task: Task, pass: i64| {
        id += 1;
        host.requests.push(Request { id, at: handle.now(), task }).unwrap();
        handle.call();
        handle.advance(Span::from_millis(pass)).unwrap();
        events.extend(std::iter::from_fn(|| host.events.pop().ok()));
    };
    let apply = |operation: Operation| Task::Apply { operation, only_after: None };
    let nothing = || apply(Query {}.into());
    for control in ["3m+2s", "40/1h30m+30s, 30m+30s", "1h30m, 30m", "25m delay 5s"] {
        request(apply(NewGame::of(&settings(control), true).into()), 10);
        // Through every menu of a game that is ready, and a control put together and kept.
        simulator.hold(Key::Ok);
        request(nothing(), 3_200);
        simulator.release(Key::Ok);
        request(nothing(), 200);
        for key in [Key::Plus, Key::Ok, Key::Ok, Key::Plus, Key::Minus] {
            simulator.tap(key);
            request(nothing(), 400);
        }
        for _ in 0..8 {
            simulator.tap(Key::Ok);
            request(nothing(), 400);
        }
        for _ in 0..20 {
            simulator.tap(Key::Plus);
            request(nothing(), 400);
            simulator.tap(Key::Pause);
            request(nothing(), 400);
        }
        // Other presets on offer, with that list open.
        simulator.tap(Key::Plus);
        request(nothing(), 400);
        let offers = Box::new(catalogue(1, &Presets::shipped(), &Kept::default()));
        request(Task::Panel(PanelMessage::Offers(offers)), 400);
        request(nothing(), 61_000);
        request(apply(NewGame::of(&settings(control), true).into()), 10);
        // Refused: nothing runs.
        request(apply(Pause {}.into()), 10);
        request(apply(Start::default().into()), 2_000);
        for key in [Key::Left, Key::Right, Key::Left, Key::Right, Key::Left] {
            simulator.tap(key);
            request(nothing(), 3_000);
        }
        simulator.tap(Key::Left);
        simulator.tap(Key::Right);
        request(apply(Press { side: Side::White, both: false }.into()), 2_000);
        request(apply(Pause {}.into()), 1_500);
        let white = Adjustment { main: Some(Span::from_secs(5)), ..Adjustment::default() };
        let adjust = Adjust { white, black: Adjustment::default() };
        request(apply(adjust.into()), 10);
        simulator.hold(Key::Ok);
        request(nothing(), 3_200);
        simulator.release(Key::Ok);
        request(nothing(), 200);
        for _ in 0..9 {
            simulator.tap(Key::Ok);
            request(nothing(), 400);
        }
        request(nothing(), 61_000);
        request(apply(UndoPress { count: 2, refund: true }.into()), 10);
        request(apply(Resume { side: Some(Side::White) }.into()), 1_000);
        // Over every flag and stage that there is.
        for _ in 0..40 {
            request(nothing(), 10_000);
            simulator.tap(Key::Left);
            request(nothing(), 10_000);
            simulator.tap(Key::Right);
        }
        request(apply(End { result: GameResult::Draw }.into()), 2_000);
        // Held for too long, then free again.
        simulator.hold(Key::Plus);
        request(nothing(), 11_000);
        simulator.release(Key::Plus);
        request(nothing(), 1_000);
    }
    let at_end = seen.load(SeqCst);

    let told = |what: fn(&EventKind) -> bool| events.iter().filter(|e| what(&e.kind)).count();
    let new_games = told(|kind| {
        matches!(kind, EventKind::Applied { operation: Operation::NewGame(_), outcome: Ok(()) })
    });
    assert_eq!(new_games, 8);
    let kept = told(|kind| matches!(kind, EventKind::PanelRequest(Wish::Keep { .. })));
    assert!(kept > 0, "a control was kept");
    let presses =
        told(|kind| matches!(kind, EventKind::Applied { operation: Operation::Press(_), .. }));
    assert!(presses > 100);
    assert!(told(|kind| matches!(kind, EventKind::Applied { outcome: Err(_), .. })) >= 4);
    assert!(told(|kind| matches!(kind, EventKind::Stuck(_))) == 4);
    assert_eq!(host.counters.dropped_events(), 0);
    assert!(host.counters.posted() > 1_000);
    assert_eq!(at_end - at_start, 0, "the timing thread called the allocator");
    running.stop(&handle);
}
