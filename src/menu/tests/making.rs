//! Putting a control together.

use proptest::prelude::*;

use super::*;
use crate::menu::compose::next;
use crate::menu::own::{OwnBlock, OwnSide};

const DURATION_PLACES: [(u32, u32); 9] = [
    (36_000_000, 10),
    (3_600_000, 10),
    (600_000, 6),
    (60_000, 10),
    (10_000, 6),
    (1_000, 10),
    (100, 10),
    (10, 10),
    (1, 10),
];

/// The number of a part, and its digits.
fn number(own: &Own, part: Part) -> Option<(u32, &'static [(u32, u32)])> {
    let side = |side: Side| -> &OwnSide { &own.sides[side] };
    let block = |s: Side, b: usize| -> OwnBlock { side(s).blocks[b] };
    Some(match part {
        Part::Alone(s) => (side(s).alone, &DURATION_PLACES),
        Part::Moves(s, i) => (side(s).stages[i].moves, &COUNT_PLACES),
        Part::Base(s, i) => (side(s).stages[i].base, &DURATION_PLACES),
        Part::Each(s, i) => (side(s).stages[i].each, &DURATION_PLACES),
        Part::Cap(s, i) => (side(s).stages[i].cap, &DURATION_PLACES),
        Part::Free(s) => (side(s).free, &DURATION_PLACES),
        Part::Periods(s) => (side(s).periods, &COUNT_PLACES),
        Part::Period(s) => (side(s).period, &DURATION_PLACES),
        Part::Stones(s, b) => (block(s, b).stones, &COUNT_PLACES),
        Part::Block(s, b) => (block(s, b).time, &DURATION_PLACES),
        Part::Below(s) => (side(s).below, &DURATION_PLACES),
        _ => return None,
    })
}

/// Enters a control into the first slot, with keys alone, and starts a game with it.
fn enter_own(bench: &mut Bench, target: &Own) {
    bench.enter().press(Key::Plus).press(Key::Ok).press(Key::Ok);
    while let Some((part, now)) = bench.making() {
        if part == Part::Done {
            bench.press(Key::Ok);
            break;
        }
        if let (Some((from, places)), Some((to, _))) = (number(&now, part), number(target, part)) {
            type_number(places, from, to, |key| {
                bench.press(key);
            });
            continue;
        }
        let right = |own: &Own| match part {
            Part::Sides => own.unequal == target.unequal,
            Part::Kind(s) => own.sides[s].kind == target.sides[s].kind,
            Part::Grant(s, i) => own.sides[s].stages[i].grant == target.sides[s].stages[i].grant,
            Part::Then(s, i) => own.sides[s].stages[i].then == target.sides[s].stages[i].then,
            Part::More(s, b) => {
                (own.sides[s].block_count > b + 1) == (target.sides[s].block_count > b + 1)
            }
            _ => true,
        };
        let mut turns = 0;
        while !bench.making().is_some_and(|(_, own)| right(&own)) {
            bench.press(Key::Plus);
            turns += 1;
            assert!(turns < 20, "{part:?} cannot be chosen");
        }
        bench.press(Key::Ok);
    }
    bench.press(Key::Ok);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_control_of_up_to_four_stages_can_be_entered_digit_by_digit(
        control in notation::tests::laws::control().prop_filter("fits", |c| Own::of(c).is_some())
    ) {
        let target = Own::of(&control).unwrap();
        prop_assert_eq!(&target.control(), &control);
        let mut bench = Bench::new("1h");
        enter_own(&mut bench, &target);
        prop_assert_eq!(&bench.engine.settings().control, &control);
        prop_assert!(!bench.menu.is_open());
    }
}

#[test]
fn an_impossible_control_is_refused_at_its_fault_and_nothing_entered_is_lost() {
    let mut own = Own::NEW;
    own.sides.white.stages[0].base = 0;
    let mut bench = Bench::new("5m");
    enter_own(&mut bench, &own);
    // The ok that would have chosen it has put the message away.
    let (part, now) = bench.making().unwrap();
    assert_eq!(part, Part::Base(Side::White, 0));
    assert_eq!(now.sides.white.stages[0].base, 0);
    // Longer than any control may be.
    own.sides.white.stages[0].base = 99 * 3_600_000 + 1;
    let mut bench = Bench::new("5m");
    enter_own(&mut bench, &own);
    assert_eq!(bench.making().unwrap().0, Part::Base(Side::White, 0));
}

#[test]
fn what_was_entered_outlives_pause_the_time_out_and_parts_that_are_switched_off() {
    let mut bench = Bench::new("5m");
    let press = |bench: &mut Bench, keys: &[Key]| {
        for key in keys {
            bench.press(*key);
        }
    };
    use Key::{Minus, Ok, Pause, Plus};
    bench.enter();
    // Own, slot 1, equal sides, stages, no moves, base: ten hours more.
    press(&mut bench, &[Plus, Ok, Ok, Ok, Ok, Ok, Plus, Plus]);
    assert_eq!(bench.making().unwrap().1.sides.white.stages[0].base, 36_300_000);
    bench.wait(59_000);
    assert!(bench.menu.is_open());
    bench.wait(1_000);
    assert!(!bench.menu.is_open(), "closed after a minute");
    bench.enter();
    press(&mut bench, &[Plus, Ok, Ok, Ok]);
    // Another kind, and back again.
    press(&mut bench, &[Plus, Minus]);
    let (part, own) = bench.making().unwrap();
    assert_eq!(part, Part::Kind(Side::White));
    assert_eq!(own.sides.white.stages[0].base, 36_300_000);
    press(&mut bench, &[Pause, Pause, Pause, Pause]);
    assert!(!bench.menu.is_open());
}

#[test]
fn pause_leads_back_from_everywhere_part_by_part() {
    let control =
        notation::parse("white 40/2h+30s cap 3h confirm, 1h canadian 3/1m then 2/1m; black 5m")
            .unwrap();
    let own = Own::of(&control).unwrap();
    let mut parts = vec![Part::Sides];
    while *parts.last().unwrap() != Part::Done {
        parts.push(next(&own, *parts.last().unwrap()));
    }
    let mut bench = Bench::new("5m");
    *bench.menu.drafts = [own; SLOTS];
    bench.enter().press(Key::Plus).press(Key::Ok).press(Key::Ok);
    for part in &parts {
        assert_eq!(bench.making().unwrap().0, *part);
        if *part != Part::Done {
            bench.press(Key::Ok);
        }
    }
    for part in parts.iter().rev() {
        assert_eq!(bench.making().unwrap().0, *part);
        bench.press(Key::Pause);
    }
    assert_eq!(bench.shows(), "oUn | oUn 1");
}
