mod showing;

use super::*;
use crate::control::{Profile, Settings, Side, notation};
use crate::engine::ReplacePolicy;
use crate::engine::operation::{ChangeControl, End, NewGame, Pause, Start};
use crate::engine::{GameResult, Phase, State};
use crate::input::{Contacts, Timing};
use crate::panel::{Look, Sounding};
use crate::timing::{HostEndpoints, PanelMessage, endpoints};

#[derive(Debug, Default)]
struct Wires {
    contacts: Contacts,
    signals: Signals,
}

impl Pins for Wires {
    fn read(&mut self, _: Instant) -> Contacts {
        self.contacts
    }
    fn write(&mut self, signals: Signals) {
        self.signals = signals;
    }
}

/// A box on the bench: a tick whose time and wires the test holds.
struct Bench {
    tick: Tick<Wires>,
    host: HostEndpoints,
    id: u32,
}

fn settings(control: &str) -> Settings {
    Settings::new(notation::parse(control).unwrap(), Profile::Fide)
}

fn white_presses() -> Operation {
    Press { side: Side::White, both: false }.into()
}

fn us(us: i64) -> Instant {
    Instant::ZERO + Span::from_micros(us)
}

fn ms(at: i64) -> Instant {
    us(at * 1_000)
}

impl Bench {
    /// A game that is ready, after the first poll.
    fn ready(control: &str) -> Self {
        let (rt, host) = endpoints().unwrap();
        let parts = Parts {
            engine: Engine::new(Instant::ZERO, settings(control)),
            input: Input::new(Timing::default()),
            panel: Panel::new(Look {
                brightness: 8,
                tenths_below: Span::ZERO,
                sound: Sounding::ByProfile,
            }),
            pins: Wires::default(),
        };
        let mut bench = Bench { tick: Tick::new(parts, rt), host, id: 0 };
        bench.tick.poll(Instant::ZERO);
        bench
    }

    /// A game in which White runs since zero.
    fn running(control: &str) -> Self {
        let mut bench = Bench::ready(control);
        bench.order(Instant::ZERO, Start::default());
        bench.tick.serve(Instant::ZERO);
        bench.told();
        bench
    }

    fn order(&mut self, at: Instant, operation: impl Into<Operation>) -> u32 {
        self.request(at, Task::Apply { operation: operation.into(), only_after: None })
    }

    fn request(&mut self, at: Instant, task: Task) -> u32 {
        self.id += 1;
        self.host.requests.push(Request { id: self.id, at, task }).unwrap();
        self.id
    }

    /// A poll that sees the players' buttons so.
    fn poll(&mut self, now: Instant, left: bool, right: bool) {
        self.tick.pins.contacts = Contacts { left, right, ..Contacts::default() };
        self.tick.poll(now);
    }

    /// Everything reported since the last call, as words.
    fn told(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        while let Ok(event) = self.host.events.pop() {
            let what = match event.kind {
                EventKind::Applied {
                    operation: Operation::Press(Press { side, both }), ..
                } => match both {
                    false => format!("{side} presses"),
                    true => format!("both press, {side} counts"),
                },
                EventKind::Applied { operation, outcome: Ok(()) } => operation.name().to_owned(),
                EventKind::Applied { operation, outcome: Err(_) } => {
                    format!("{} refused", operation.name())
                }
                EventKind::Effect(Effect::Turn { side }) => format!("turn {side}"),
                EventKind::Effect(Effect::Flag { side, flag, .. }) => {
                    format!("{} {side}", flag.name())
                }
                EventKind::Effect(Effect::Ignored { side, reason }) => {
                    format!("ignored {side} {}", reason.name())
                }
                EventKind::Effect(effect) => format!("{effect:?}"),
                EventKind::Stuck(key) => format!("stuck {key:?}"),
                EventKind::Freed(key) => format!("freed {key:?}"),
                EventKind::LowPower(low) => format!("low power {low}"),
                EventKind::PanelRequest(wish) => format!("{wish:?}"),
                EventKind::Reclaim(_) | EventKind::Done => continue,
                EventKind::Conflict(_) => "conflict".to_owned(),
            };
            let at = (event.at - Instant::ZERO).as_nanos();
            told.push(format!("{}.{:03} {what}", at / 1_000_000, at / 1_000 % 1_000));
        }
        told
    }

    fn state(&self) -> &State {
        self.tick.engine.state()
    }
}

#[test]
fn another_control_and_another_game_take_effect_and_what_they_replace_comes_back() {
    let mut bench = Bench::running("10s");
    let change = |how| {
        let control = Box::new(notation::parse("1m+5s").unwrap().into());
        ChangeControl { control, how }
    };
    bench.order(ms(1_000), change(ReplacePolicy::Kept));
    bench.poll(ms(1_001), false, false);
    assert_eq!(bench.told().last().unwrap(), "1000.000 change_control refused", "a clock runs");
    bench.order(ms(2_000), Pause {});
    bench.order(ms(2_000), change(ReplacePolicy::Kept));
    bench.poll(ms(2_001), false, false);
    assert_eq!(bench.told(), ["2000.000 pause", "2000.000 change_control"]);
    assert_eq!(bench.tick.engine.settings().control, notation::parse("1m+5s").unwrap());
    let game = Box::new(bench.tick.engine.clone());
    for only_after in [Some(0), None] {
        let (game, operation) = (game.clone(), change(ReplacePolicy::Replayed).into());
        bench.request(ms(3_000), Task::Adopt { operation, game, only_after });
    }
    bench.poll(ms(3_001), false, false);
    assert_eq!(bench.told(), ["3000.000 conflict", "3000.000 change_control"]);
}

#[test]
fn a_press_confirmed_after_the_flag_was_due_was_in_time() {
    let mut bench = Bench::running("10s");
    bench.poll(ms(9_999), true, false);
    bench.poll(ms(10_000), false, false);
    assert_eq!(bench.told(), [""; 0], "nothing is decided while the contact is in question");
    bench.poll(ms(10_001), true, false);
    assert_eq!(bench.told(), ["9999.000 white presses", "9999.000 turn black"]);
    assert_eq!(bench.state().clocks.white.main, Span::from_millis(1));
}

#[test]
fn a_glitch_before_the_flag_only_delays_its_telling() {
    let mut bench = Bench::running("10s");
    bench.poll(ms(9_999), true, false);
    for at in 10_000..10_004 {
        bench.poll(ms(at), false, false);
        assert_eq!(bench.told(), [""; 0], "at {at}");
    }
    bench.poll(ms(10_004), false, false);
    assert_eq!(bench.told(), ["10000.000 fall white"]);
}

#[test]
fn an_order_waits_for_a_contact_that_closed_before_it() {
    let mut bench = Bench::running("10s");
    bench.poll(ms(9_999), true, false);
    bench.order(us(10_000_500), Pause {});
    bench.tick.serve(us(10_000_500));
    assert_eq!(bench.told(), [""; 0]);
    bench.poll(ms(10_001), true, false);
    assert_eq!(bench.told(), ["9999.000 white presses", "9999.000 turn black", "10000.500 pause"]);
    assert_eq!(bench.state().clocks.black.main, Span::from_micros(10_000_000 - 1_500));
}

#[test]
fn an_order_older_than_a_contact_does_not_wait_for_it() {
    let mut bench = Bench::running("10s");
    bench.order(us(500), Pause {});
    bench.poll(ms(1), true, false);
    assert_eq!(bench.told(), ["0.500 pause"]);
    bench.poll(ms(2), true, false);
    assert_eq!(bench.told(), ["1.000 white presses", "1.000 ignored white paused"]);
}

#[test]
fn a_press_at_its_deadline_is_too_late_and_one_nanosecond_before_in_time_on_every_path() {
    let deadline = ms(10_000);
    for (offset, in_time) in [(-1, true), (0, false), (1, false)] {
        let stamp = deadline + Span::from_nanos(offset);
        let later = stamp + Span::from_millis(1);

        let mut by_contact = Bench::running("10s");
        by_contact.poll(stamp, true, false);
        by_contact.poll(later, true, false);

        let mut by_order = Bench::running("10s");
        by_order.order(stamp, white_presses());
        by_order.poll(later, false, false);

        let mut by_engine = Engine::new(Instant::ZERO, settings("10s"));
        let _ = by_engine.apply(Instant::ZERO, &Start::default().into()).unwrap();
        let _ = by_engine.apply(stamp, &white_presses()).unwrap();
        let _ = by_engine.poll(later);

        assert_eq!(by_contact.state(), by_engine.state(), "{offset} ns by contact");
        assert_eq!(by_order.state(), by_engine.state(), "{offset} ns by order");
        assert_eq!(by_contact.told(), by_order.told(), "{offset} ns");
        assert_eq!(by_engine.phase() == Phase::Running, in_time, "{offset} ns");
    }
}

#[test]
fn a_bounce_is_one_press_at_its_first_edge() {
    let mut bench = Bench::running("10s");
    for (at, closed) in [(5, true), (6, false), (7, true), (8, false), (9, true), (10, true)] {
        bench.poll(ms(at), closed, false);
    }
    assert_eq!(bench.told(), ["5.000 white presses", "5.000 turn black"]);
}

#[test]
fn of_both_buttons_in_one_poll_the_running_sides_counts() {
    // Confirmed in the same poll, or one after the other: the stamps are the same.
    for second in [[true, true], [true, false], [false, true]] {
        let mut bench = Bench::running("10s");
        bench.poll(ms(5), true, true);
        bench.poll(ms(6), second[0], second[1]);
        bench.poll(ms(7), true, true);
        let told = bench.told();
        assert_eq!(told.len(), 3, "{told:?}");
        for line in [
            "5.000 both press, white counts",
            "5.000 turn black",
            "5.000 ignored black simultaneous",
        ] {
            assert!(told.contains(&line.to_owned()), "{line} in {told:?}");
        }
    }
}

#[test]
fn one_poll_later_both_buttons_are_two_moves() {
    let mut bench = Bench::running("10s");
    bench.poll(ms(5), true, false);
    bench.poll(ms(6), true, true);
    bench.poll(ms(7), true, true);
    assert_eq!(
        bench.told(),
        ["5.000 white presses", "5.000 turn black", "6.000 black presses", "6.000 turn white"]
    );
}

#[test]
fn orders_are_done_in_their_order_and_a_bounded_number_a_tick() {
    let mut bench = Bench::running("10s");
    let pressers = [Side::White, Side::Black].into_iter().cycle();
    for (at, side) in (0_i64..).take(MAX_REQUESTS).zip(pressers) {
        bench.order(us(9_999_000 + at), Press { side, both: false });
    }
    bench.order(us(9_999_500), Pause {});
    bench.poll(ms(10_001), false, false);
    let told = bench.told();
    assert_eq!(told.len(), 2 * MAX_REQUESTS, "a press and a turn each: {told:?}");
    // The pause still waits; the flag that was due after it must not fall before it.
    bench.poll(ms(10_002), false, false);
    assert_eq!(bench.told(), ["9999.500 pause"]);
    assert_eq!(bench.tick.counters().late_events(), 0);
}

#[test]
fn an_order_meant_for_an_earlier_moment_is_stale() {
    let mut bench = Bench::running("10s");
    let told = bench.tick.state_changes;
    let pause = |only_after| Task::Apply { operation: Pause {}.into(), only_after };
    bench.order(us(100), white_presses());
    bench.request(us(200), pause(Some(told)));
    bench.request(us(300), pause(Some(told + 2)));
    bench.tick.serve(us(400));
    assert_eq!(
        bench.told(),
        ["0.100 white presses", "0.100 turn black", "0.200 conflict", "0.300 pause"]
    );
}

#[test]
fn a_refused_command_is_told_and_what_was_due_before_it_is_not_lost() {
    let mut bench = Bench::running("10s");
    bench.order(ms(10_050), Start::default());
    bench.poll(ms(10_051), false, false);
    assert_eq!(bench.told(), ["10000.000 fall white", "10050.000 start refused"]);
}

#[test]
fn a_new_game_begins_in_the_timing_thread_or_is_refused() {
    let mut bench = Bench::running("10s");
    bench.order(ms(1), NewGame::of(&settings("3m+2s"), false));
    bench.tick.serve(ms(1));
    assert_eq!(bench.told(), ["1.000 new_game"]);
    assert_eq!(*bench.tick.engine.settings(), settings("3m+2s"));
    assert!(bench.tick.take_new_game());
    assert!(!bench.tick.take_new_game());
    bench.order(ms(2), Start::default());
    bench.order(ms(3), white_presses());
    bench.order(ms(4), NewGame::of(&settings("5m"), false));
    bench.tick.serve(ms(5));
    assert_eq!(bench.told().last().unwrap(), "4.000 new_game refused");
    assert_eq!(*bench.tick.engine.settings(), settings("3m+2s"));
}

#[test]
fn a_loop_that_is_twenty_milliseconds_late_at_every_tick_loses_nothing_in_an_hour() {
    let mut bench = Bench::running("2h");
    let hour = 3_600_000;
    let late = 20;
    for tick in 1..=hour / late {
        let now = ms(tick * late);
        // A press every ten seconds or so, by the side to move, held for 100 ms.
        let (held, white) = (tick % 505 < 5, tick / 505 % 2 == 0);
        bench.poll(now, held && white, held && !white);
        bench.told();
    }
    let now = ms(hour);
    bench.order(now, Pause {});
    bench.tick.serve(now);
    let left = bench.state().clocks.map(|clock| clock.main);
    assert!(bench.state().clocks.white.moves > 100, "{:?}", bench.state());
    assert_eq!(left.white + left.black, Span::from_hours(4) - Span::from_millis(hour));
}

#[test]
fn events_that_nobody_takes_are_counted_and_change_nothing_and_orders_wait() {
    let mut bench = Bench::running("2h");
    let mut at = 0;
    for _ in 0..1_100 {
        for (left, right) in [(true, false), (true, false), (false, true), (false, true)] {
            at += 50;
            bench.poll(ms(at), left, right);
        }
    }
    let dropped = bench.tick.counters().dropped_events();
    assert!(dropped > 0);
    let order = bench.order(ms(at), End { result: GameResult::Draw });
    bench.poll(ms(at + 1), false, false);
    assert_eq!(bench.state().phase, Phase::Running, "an order waits until it can be answered");
    bench.told();
    bench.poll(ms(at + 2), false, false);
    assert_eq!(bench.state().phase, Phase::Ended);
    let mut events = std::iter::from_fn(|| bench.host.events.pop().ok());
    assert!(events.any(|e| e.request_id == Some(order) && matches!(e.kind, EventKind::Done)));
    assert_eq!(bench.state().clocks.white.moves + bench.state().clocks.black.moves, 2_200);
}
