//! Choosing a control.

use super::*;
use crate::control::presets::Preset;

#[test]
fn every_shipped_preset_can_be_chosen_and_taken_into_the_making() {
    for (index, preset) in Presets::shipped().iter().enumerate() {
        let mut bench = Bench::new("7h");
        bench.with(Menu::choose);
        for _ in 0..index {
            bench.press(Key::Plus);
        }
        bench.press(Key::Ok);
        assert_eq!(bench.engine.settings().control, preset.control, "{}", preset.id);
        assert!(Own::of(&preset.control).is_some(), "{}", preset.id);
    }
}

#[test]
fn a_hold_leaps_over_ten_presets_and_minus_reaches_the_last_slot_first() {
    let mut bench = Bench::new("5m");
    bench.with(Menu::choose);
    bench.press(Key::Minus);
    assert_eq!(bench.shows(), "oUn 5 | --------");
    bench.press(Key::Plus).stroke(Key::Plus, What::Held(Span::from_secs(1)));
    assert_eq!(bench.shows(), "F.100-40 |  1n   40");
}

#[test]
fn who_chooses_stays_at_what_is_read_when_other_presets_are_on_offer() {
    type Ids = &'static [(&'static str, &'static str)];
    let with = |ids: Ids, edition| {
        let mut own = Presets::default();
        for (id, control) in ids {
            let control = notation::parse(control).unwrap();
            own.put(Preset::own(id, id, control, Profile::Club).unwrap());
        }
        let presets = Presets::shipped().with(&own);
        let offers = presets.iter().zip(1..).map(|(p, n)| Offer::of_preset(n, p)).collect();
        Box::new(Catalogue { edition, presets: offers, slots: Default::default() })
    };
    const BEFORE: Ids = &[("one", "1m"), ("two", "2m"), ("tri", "3m")];
    // Where each of them stands afterwards, and whether ok takes it at once.
    let cases: [(Ids, &str, bool); 4] = [
        (&[("two", "2m"), ("tri", "3m")], "two", true),
        (&[("one", "1m"), ("two", "2m+1s"), ("tri", "3m")], "two", false),
        (&[("one", "1m"), ("tri", "3m")], "tri", false),
        (&[("fide-classical", "9m"), ("one", "1m"), ("two", "2m"), ("tri", "3m")], "two", true),
    ];
    for (after, stands_at, at_once) in cases {
        let mut bench = Bench::new("5m");
        let old = bench.menu.renew(with(BEFORE, 1), bench.now);
        assert_eq!(old, shipped());
        bench.with(Menu::choose);
        for _ in 0..5 + 2 {
            bench.press(Key::Minus);
        }
        assert!(bench.shows().contains("tUo |      2.00"), "{}", bench.shows());
        let now = bench.now;
        bench.menu.renew(with(after, 2), now);
        if !at_once {
            assert_eq!(bench.shows(), "PrE5Et | CHAnGEd");
            bench.press(Key::Ok);
        }
        assert_eq!(bench.engine.settings().control.to_string(), "5m", "nothing was set");
        let Some(Open { at: At::Choose(choice), .. }) = bench.menu.open else { panic!() };
        assert_eq!(&*bench.menu.catalogue.offer(choice).unwrap().id, stands_at, "{after:?}");
    }
}
