use std::sync::Mutex;

use super::*;
use crate::board::Chains;
use crate::board::sim::{Fault, SimChain, Simulator};
use crate::control::Seat;
use crate::display;

fn post(number: u64, repairs: u64, digit: u8) -> DisplayUpdate {
    let frame = Frame { left: [digit; 8], right: [0; 8], brightness: 3 };
    DisplayUpdate { frame, buzzer: false, number, repairs }
}

fn displays(
    simulator: &Simulator,
) -> Displays<Chains<SimChain>, impl FnMut() -> Result<Chains<SimChain>, DisplayFault>> {
    let simulator = simulator.clone();
    Displays::new(Layout::Chained, move || Ok(simulator.chain()), None)
}

#[test]
fn a_picture_arrives_at_the_chips() {
    let simulator = Simulator::new();
    let mut displays = displays(&simulator);
    displays.show(&post(1, 1, 0x7e));
    assert_eq!(simulator.segments(Seat::Left), [0x7e; 8]);
    displays.show(&post(2, 1, 0x30));
    assert_eq!(simulator.segments(Seat::Left), [0x30; 8]);
    assert_eq!(displays.status, Status { shown: 2, repairs: 1, ..Status::default() });
}

#[test]
fn an_upset_chip_is_well_again_after_the_next_repair() {
    let simulator = Simulator::new();
    let mut displays = displays(&simulator);
    displays.show(&post(1, 1, 0x7e));
    simulator.inject(Fault::DisplayUpset, true);
    assert_ne!(simulator.segments(Seat::Left), [0x7e; 8]);
    displays.show(&post(2, 1, 0x7e));
    assert_ne!(simulator.segments(Seat::Left), [0x7e; 8], "an equal picture sends nothing");
    displays.show(&post(3, 2, 0x7e));
    assert_eq!(simulator.segments(Seat::Left), [0x7e; 8]);
}

#[test]
fn a_bus_that_fails_is_counted_and_heals_with_the_next_repair() {
    let simulator = Simulator::new();
    let mut displays = displays(&simulator);
    displays.show(&post(1, 1, 0x7e));
    simulator.inject(Fault::SpiError, true);
    displays.show(&post(2, 1, 0x30));
    displays.show(&post(3, 1, 0x31));
    assert_eq!(displays.status.spi_errors, 1, "nothing is tried until the next repair");
    displays.show(&post(4, 2, 0x32));
    assert_eq!(displays.status.spi_errors, 2);
    assert!(displays.status.fault.is_some());
    assert_eq!(displays.status.shown, 4, "dealt with, if not shown");
    simulator.inject(Fault::SpiError, false);
    displays.show(&post(5, 3, 0x33));
    assert_eq!(simulator.segments(Seat::Left), [0x33; 8]);
    assert_eq!(displays.status.fault, None);
}

#[test]
fn displays_that_are_missing_at_power_on_come_up_when_they_are_there() {
    let simulator = Simulator::new();
    let there = Mutex::new(false);
    let open = || match *there.lock().unwrap() {
        true => Ok(simulator.chain()),
        false => Err(DisplayFault("no /dev/spidev0.0".to_owned())),
    };
    let mut displays = Displays::new(Layout::Chained, open, None);
    displays.show(&post(1, 1, 0x7e));
    displays.show(&post(2, 1, 0x7e));
    assert_eq!(displays.status.spi_errors, 1);
    *there.lock().unwrap() = true;
    displays.show(&post(3, 2, 0x7e));
    assert_eq!(simulator.segments(Seat::Left), [0x7e; 8]);
}

#[tokio::test]
async fn the_thread_shows_what_is_posted_and_leaves_no_time_behind() {
    let simulator = Simulator::new();
    let (mut display_updates, newest) = triple_buffer::triple_buffer(&DisplayUpdate::default());
    let bell = Waker::new().unwrap();
    let chips = simulator.clone();
    let open = move || Ok(chips.chain());
    let screen = spawn(newest, bell.clone(), Layout::Chained, open, None).unwrap();
    display_updates.write(post(1, 1, 0x7e));
    bell.wake();
    screen.status().wait_for(|status| status.shown == 1).await.unwrap();
    assert_eq!(simulator.segments(Seat::Left), [0x7e; 8]);
    screen.stop();
    assert_eq!(display::read(&simulator.segments(Seat::Left)).trim(), "oFF");
}

/// A bus that takes a row and never comes back.
struct Hanging(std::sync::mpsc::Sender<()>);

impl Chain for Hanging {
    fn transfer(&mut self, _: &[u8]) -> Result<(), DisplayFault> {
        self.0.send(()).unwrap();
        loop {
            std::thread::park();
        }
    }
}

#[test]
fn displays_that_hang_hold_up_no_end() {
    let (mut display_updates, newest) = triple_buffer::triple_buffer(&DisplayUpdate::default());
    let bell = Waker::new().unwrap();
    let (tell, hangs) = std::sync::mpsc::channel();
    let open = move || Ok(Hanging(tell.clone()));
    let screen = spawn(newest, bell.clone(), Layout::Chained, open, None).unwrap();
    display_updates.write(post(1, 1, 0x7e));
    bell.wake();
    hangs.recv().unwrap();
    screen.stop();
}

#[test]
fn a_passive_buzzer_sounds_with_the_picture_and_is_silent_at_the_end() {
    let simulator = Simulator::new();
    let chips = simulator.clone();
    let (tell, heard) = std::sync::mpsc::channel();
    let mut displays =
        Displays::new(Layout::Chained, move || Ok(chips.chain()), Some(Box::new(Told(tell))));
    displays.show(&DisplayUpdate { buzzer: true, ..post(1, 1, 0x7e) });
    displays.show(&DisplayUpdate { buzzer: true, ..post(2, 1, 0x30) });
    displays.leave();
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), [true, false]);
    assert_eq!(displays.status.buzzer_fault, None);
}

/// Tells of every tone.
#[derive(Debug)]
struct Told(std::sync::mpsc::Sender<bool>);

impl Tone for Told {
    fn sound(&mut self, on: bool) -> Result<(), BuzzerFault> {
        self.0.send(on).map_err(|error| BuzzerFault(error.to_string()))
    }
}
