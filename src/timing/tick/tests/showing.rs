//! What a tick shows: pictures, lamps, the buzzer.

use super::*;
use crate::engine::operation::{NewGame, Start};
use crate::sounds::Score;

#[test]
fn a_picture_is_posted_when_it_changes_and_once_a_second_as_a_repair() {
    let mut bench = Bench::ready("3m+2s");
    let first = *bench.host.display_updates.read();
    assert_eq!((first.number, first.repairs), (1, 1));
    let mut display_updates = Vec::new();
    for at in 1..=3_000 {
        bench.poll(ms(at), false, false);
        if bench.host.display_updates.update() {
            display_updates.push((at, bench.host.display_updates.output_buffer().repairs));
        }
    }
    assert_eq!(display_updates, [(1_000, 2), (2_000, 3), (3_000, 4)], "nothing moves while ready");
    assert_eq!(bench.tick.counters().posted(), 4);
}

#[test]
fn the_lamp_shows_whose_clock_runs_and_goes_off_at_the_end() {
    let mut bench = Bench::running("3m+2s");
    assert!(bench.tick.pins.signals.lamp_left && !bench.tick.pins.signals.lamp_right);
    bench.order(ms(1), white_presses());
    bench.poll(ms(2), false, false);
    assert!(!bench.tick.pins.signals.lamp_left && bench.tick.pins.signals.lamp_right);
    bench.tick.end();
    assert_eq!(bench.tick.pins.signals, Signals::default());
}

#[test]
fn a_low_battery_is_marked_on_both_displays_and_told() {
    let mut bench = Bench::ready("5m");
    let shows = |bench: &mut Bench| {
        let _ = bench.host.display_updates.update();
        let frame = bench.host.display_updates.output_buffer().frame;
        (crate::display::read(&frame.left), crate::display::read(&frame.right))
    };
    let low = |bench: &mut Bench, at: i64, low_power: bool| {
        bench.tick.pins.contacts = Contacts { low_power, ..Contacts::default() };
        bench.tick.poll(ms(at));
    };
    low(&mut bench, 100, true);
    low(&mut bench, 1_000, true);
    assert_eq!(bench.told(), [""; 0], "a droop is no warning");
    low(&mut bench, 1_100, true);
    assert_eq!(bench.told(), ["1100.000 low power true"]);
    assert_eq!(shows(&mut bench), ("   b 5.00".into(), "   b 5.00".into()));
    low(&mut bench, 2_000, false);
    low(&mut bench, 3_000, false);
    assert_eq!(bench.told(), ["3000.000 low power false"]);
    bench.request(ms(3_100), Task::Panel(PanelMessage::LowSupply(true)));
    low(&mut bench, 3_200, false);
    assert_eq!(shows(&mut bench), ("   b 5.00".into(), "   b 5.00".into()));
}

#[test]
fn a_wish_of_the_menus_is_told_and_its_answer_shown() {
    let mut bench = Bench::ready("5m");
    let stroke = |bench: &mut Bench, at: i64, keys: Contacts| {
        bench.tick.pins.contacts = keys;
        bench.tick.poll(ms(at));
        bench.tick.poll(ms(at + 1));
        bench.tick.pins.contacts = Contacts::default();
        for up in [50, 51, 90] {
            bench.tick.poll(ms(at + up));
        }
    };
    let plus = Contacts { plus: true, ..Contacts::default() };
    let ok = Contacts { ok: true, ..Contacts::default() };
    stroke(&mut bench, 100, plus);
    stroke(&mut bench, 300, ok);
    stroke(&mut bench, 500, ok);
    for at in [700, 900, 1_100, 1_300, 1_500, 1_700, 1_900, 2_100, 2_300] {
        stroke(&mut bench, at, ok);
    }
    let told = bench.told();
    assert!(told.iter().any(|said| said.contains("Wish") || said.contains("Keep")), "{told:?}");
    bench.request(ms(3_000), Task::Panel(PanelMessage::Tell(Message::Mark(['2', '4', '8', 'F']))));
    bench.tick.poll(ms(3_001));
    let _ = bench.host.display_updates.update();
    let frame = bench.host.display_updates.output_buffer().frame;
    assert_eq!(crate::display::read(&frame.left), "248F    ");
}

#[test]
fn the_buzzer_is_posted_as_it_changes_with_the_same_picture_too() {
    let mut bench = Bench::ready("5m");
    bench.tick.panel = bench.tick.panel.clone().with_score(Score::default());
    let club = Settings::new(notation::parse("10s").unwrap(), Profile::Club);
    bench.order(ms(1), NewGame::of(&club, true));
    bench.order(ms(1), Start::default());
    let mut changes = Vec::new();
    let mut sounds = false;
    for at in 2..=5_200 {
        bench.poll(ms(at), false, false);
        if bench.host.display_updates.update()
            && bench.host.display_updates.output_buffer().buzzer != sounds
        {
            sounds = !sounds;
            changes.push((at, sounds));
        }
    }
    // Five seconds before the end, for a tenth of a second, in which no digit changes.
    assert_eq!(changes, [(5_001, true), (5_101, false)]);
}
