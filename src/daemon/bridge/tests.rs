use std::time::Duration;

use super::*;
use crate::board::sim::Simulator;
use crate::board::sim::manual::{ManualHandle, manual_time};
use crate::control::Side;
use crate::control::{Profile, notation};
use crate::daemon::config::Config;
use crate::daemon::state::{Place, State as Kept};
use crate::daemon::suspend;
use crate::engine::Phase;
use crate::engine::operation::{Denied, NewGame, Pause, Press, Start};
use crate::input::{Input, Key, Timing};
use crate::panel::{Look, Panel, Sounding};
use crate::record::BoxEvent;
use crate::time::Instant;
use crate::timing::{self, Parts, Running, Tick, Wanted, endpoints};

/// A whole clock but for the bus: simulated pins, manual time, the real timing thread.
struct Clock {
    bridge: Bridge,
    time: ManualHandle,
    simulator: Simulator,
    running: Running,
    event_loop: tokio::task::JoinHandle<std::io::Result<()>>,
    _kept: Kept,
}

const PERIOD: Span = Span::from_millis(1);

fn settings(control: &str) -> Settings {
    Settings::new(notation::parse(control).unwrap(), Profile::Fide)
}

fn arbiter() -> Origin {
    Origin::Bus("anna".to_owned())
}

impl Clock {
    async fn new(control: &str) -> Self {
        let kept = Kept::open(&Place::Passing).unwrap();
        let (rt, host) = endpoints().unwrap();
        let (time, handle) = manual_time(Instant::ZERO);
        let simulator = Simulator::new();
        let game = Game::new(Instant::ZERO, settings(control));
        let look = Look { brightness: 8, tenths_below: Span::ZERO, sound: Sounding::ByProfile };
        let parts = Parts {
            engine: game.engine().clone(),
            input: Input::new(Timing::default()),
            panel: Panel::new(look),
            pins: simulator.pins(),
        };
        let running = timing::spawn(Tick::new(parts, rt), time, PERIOD, Wanted::NOTHING).unwrap();
        let (bridge, event_loop) = connect(BridgeParts {
            requests: host.requests,
            events: host.events,
            event_waker: host.event_waker,
            counters: host.counters,
            line: Arc::new(handle.clone()),
            game,
            granted: running.granted.clone(),
            tick_period: PERIOD,
            display: watch::channel(screen::Status::default()).1,
            startup: Startup::afresh(&Config::default()),
            recorder: kept.recorder.clone(),
            wishes: mpsc::unbounded_channel().0,
        });
        let event_loop = tokio::spawn(event_loop.run());
        // The poll at zero is done before anybody touches a button.
        handle.advance(Span::ZERO).unwrap();
        let clock = Clock { bridge, time: handle, simulator, running, event_loop, _kept: kept };
        // And so are the game's first lines.
        clock.bridge.fence().await;
        clock
    }

    async fn ask(&self, operation: impl Into<Operation>) -> Result<Answer, SubmitError> {
        self.bridge.submit(Submission::new(operation, arbiter())).await
    }

    async fn advance(&self, us: i64) {
        self.time.advance(Span::from_micros(us)).unwrap();
        self.bridge.fence().await;
    }
}

/// The code of a warning.
fn code(line: &PublishedLine) -> String {
    match &line.content {
        Content::Box(BoxEvent::Warning { code, .. }) => code.clone(),
        other => panic!("{other:?}"),
    }
}

/// The lines that are there, as words.
async fn words(lines: &mut Lines, count: usize) -> Vec<String> {
    let mut all = Vec::new();
    for _ in 0..count {
        let line = lines.recv().await.unwrap();
        let origin = line.origin.as_deref().unwrap_or("-");
        all.push(format!(
            "{} {} {} {origin}",
            line.seq,
            line.at.as_micros_floor(),
            line.content.kind()
        ));
    }
    all
}

#[tokio::test]
async fn an_answer_comes_after_its_lines_with_the_state_that_the_request_led_to() {
    let clock = Clock::new("3m+2s").await;
    let mut lines = clock.bridge.lines();
    clock.advance(250).await;
    let answer = clock.ask(Start::default()).await.unwrap();
    assert_eq!((answer.seq, answer.snapshot.phase), (2, Phase::Running));
    assert_eq!(answer.snapshot.at, Span::from_micros(250));
    assert_eq!(words(&mut lines, 2).await, ["1 250 start bus:anna", "2 250 turn -"]);
    clock.advance(1_000_000).await;
    let white = clock.bridge.now_view().snapshot.sides.white;
    assert_eq!(white.remaining, Some(Span::from_secs(181)));
}

#[tokio::test]
async fn a_press_at_the_box_is_a_line_of_the_board() {
    let clock = Clock::new("3m+2s").await;
    clock.ask(Start::default()).await.unwrap();
    let mut lines = clock.bridge.lines();
    clock.simulator.tap(Key::Left);
    clock.advance(100_000).await;
    assert_eq!(words(&mut lines, 2).await, ["3 1000 press board", "4 1000 turn -"]);
    assert_eq!(clock.bridge.published().borrow().seq, 4);
}

#[tokio::test]
async fn a_flag_is_a_line_at_its_deadline_between_two_polls() {
    let clock = Clock::new("1s").await;
    clock.advance(300).await;
    clock.ask(Start::default()).await.unwrap();
    let mut lines = clock.bridge.lines();
    clock.advance(2_000_000).await;
    assert_eq!(words(&mut lines, 1).await, ["3 1000300 flag -"]);
}

#[tokio::test]
async fn a_refusal_has_its_lines_and_changes_nothing() {
    let clock = Clock::new("3m+2s").await;
    let mut lines = clock.bridge.lines();
    let refused = clock.ask(Pause {}).await;
    assert!(matches!(refused, Err(SubmitError::Refused(_))), "{refused:?}");
    assert_eq!(words(&mut lines, 2).await, ["1 0 pause bus:anna", "2 0 refused -"]);
    assert_eq!(clock.bridge.now_view().snapshot.phase, Phase::Ready);
}

#[tokio::test]
async fn a_new_game_has_a_name_of_its_own_and_begins_at_line_zero() {
    let clock = Clock::new("3m+2s").await;
    clock.advance(5_000_000).await;
    let before = clock.bridge.now_view().published;
    assert_eq!(before.seq, 0);
    let mut lines = clock.bridge.lines();
    let new = NewGame::of(&settings("1h30m"), false);
    let answer = clock.ask(new).await.unwrap();
    assert_eq!((answer.seq, answer.snapshot.at), (0, Span::ZERO));
    let line = lines.recv().await.unwrap();
    assert_eq!((line.content.kind(), line.seq, line.at), ("new_game", 0, Span::ZERO));
    assert_ne!(line.game, before.game);
    assert_eq!(*line.settings, settings("1h30m"));
    assert_eq!(clock.bridge.now_view().published.game, line.game);
}

#[tokio::test]
async fn requests_are_carried_out_in_the_order_in_which_they_were_made() {
    let clock = Clock::new("3m+2s").await;
    clock.ask(Start::default()).await.unwrap();
    let mut lines = clock.bridge.lines();
    let mut asked = Vec::new();
    for n in 0..120 {
        let bridge = clock.bridge.clone();
        let side = if n % 2 == 0 { Side::White } else { Side::Black };
        asked.push(tokio::spawn(async move {
            bridge.submit(Submission::new(Press { side, both: false }, arbiter())).await
        }));
    }
    for answer in asked {
        answer.await.unwrap().unwrap();
    }
    for _ in 0..120 {
        assert_eq!(lines.recv().await.unwrap().content.kind(), "press");
        assert_eq!(lines.recv().await.unwrap().content.kind(), "turn");
    }
}

#[tokio::test]
async fn of_two_arbiters_who_act_on_the_same_line_the_second_is_told_so() {
    let clock = Clock::new("3m+2s").await;
    let seq = clock.ask(Start::default()).await.unwrap().seq;
    let pause = || {
        let condition = Condition { if_seq: seq, if_game: None };
        clock.bridge.submit(Submission { condition, ..Submission::new(Pause {}, arbiter()) })
    };
    let (first, second) = tokio::join!(pause(), pause());
    assert_eq!(first.unwrap().seq, seq + 1);
    for stale in [second, pause().await] {
        let Err(SubmitError::Stale { newest, .. }) = stale else { panic!("{stale:?}") };
        assert_eq!(newest, seq + 1);
    }
}

#[tokio::test]
async fn a_full_desk_says_busy_at_once_and_nothing_is_done() {
    let clock = Clock::new("3m+2s").await;
    clock.ask(Start::default()).await.unwrap();
    // A contact in question holds back what is ordered after it, so that orders pile up.
    clock.simulator.hold(Key::Left);
    clock.time.advance(Span::from_micros(1_500)).unwrap();
    let denied = || Denied { what: "Adjust".to_owned() };
    let mut asked = Vec::new();
    for _ in 0..256 {
        let bridge = clock.bridge.clone();
        let denied = denied();
        asked.push(tokio::spawn(
            async move { bridge.submit(Submission::new(denied, arbiter())).await },
        ));
    }
    while locked(&clock.bridge.inner.pending).waiting.len() < asked.len() {
        tokio::task::yield_now().await;
    }
    assert_eq!(clock.ask(denied()).await, Err(SubmitError::Busy));
    clock.advance(1_000_000).await;
    for answer in asked {
        answer.await.unwrap().unwrap();
    }
    assert_eq!(clock.bridge.now_view().published.seq, 2 + 2 + 256, "start, press, turns, denials");
}

#[tokio::test]
async fn a_slow_reader_is_told_how_much_it_missed_and_it_is_counted() {
    let clock = Clock::new("3m+2s").await;
    let mut lines = clock.bridge.lines();
    for _ in 0..LINES + 10 {
        clock.ask(Denied { what: "Start".to_owned() }).await.unwrap();
    }
    assert_eq!(lines.recv().await.unwrap_err(), LinesError::Missed(10));
    assert_eq!(lines.recv().await.unwrap().seq, 11);
    assert_eq!(clock.bridge.health().missed_lines, 10);
}

#[tokio::test]
async fn when_the_timing_thread_ends_nobody_waits_for_ever() {
    let clock = Clock::new("3m+2s").await;
    clock.advance(10_000).await;
    let Clock { bridge, time, running, event_loop, .. } = clock;
    running.stop(&time);
    event_loop.await.unwrap().unwrap();
    bridge.fence().await;
    let press = Submission::new(Press { side: Side::White, both: false }, arbiter());
    assert_eq!(bridge.submit(press).await, Err(SubmitError::Gone));
}

#[tokio::test]
async fn a_stuck_button_is_a_warning_and_stands_in_the_health() {
    let clock = Clock::new("3m+2s").await;
    clock.advance(0).await;
    let mut lines = clock.bridge.lines();
    clock.simulator.hold(Key::Plus);
    clock.advance(10_100_000).await;
    assert_eq!(code(&lines.recv().await.unwrap()), "button-stuck");
    assert_eq!(clock.bridge.health().stuck_buttons, [Key::Plus]);
    clock.simulator.release(Key::Plus);
    clock.advance(100_000).await;
    assert_eq!(code(&lines.recv().await.unwrap()), "button-freed");
    assert!(clock.bridge.health().stuck_buttons.is_empty());
}

#[tokio::test]
async fn a_machine_that_slept_has_the_game_paused_and_says_for_how_long() {
    let clock = Clock::new("5m").await;
    clock.ask(Start::default()).await.unwrap();
    let mut lines = clock.bridge.lines();
    let mut looks = [0, 0, 90, 90, 12_090].into_iter();
    let asleep = move || Duration::from_millis(looks.next().unwrap_or(12_090));
    let watch = suspend::watch(clock.bridge.clone(), asleep, Duration::from_millis(1));
    let told = async {
        let line = lines.recv().await.unwrap();
        assert_eq!((line.content.kind(), line.origin.as_deref()), ("pause", Some("timer")));
        assert_eq!(line.annotations.reason.as_deref().unwrap(), "the machine slept for 12.1 s");
    };
    tokio::select! {
        never = watch => match never {},
        () = told => {}
    }
    assert_eq!(clock.bridge.now_view().snapshot.phase, Phase::Paused);
}
