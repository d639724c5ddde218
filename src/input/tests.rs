//! Contacts over time: tables of levels, and laws over arbitrary ones.

use proptest::prelude::*;

use super::*;

fn us(us: i64) -> Instant {
    Instant::ZERO + Span::from_micros(us)
}

fn ms(ms: i64) -> Instant {
    us(1_000 * ms)
}

fn held(keys: &[Key]) -> Contacts {
    Contacts {
        left: keys.contains(&Key::Left),
        right: keys.contains(&Key::Right),
        pause: keys.contains(&Key::Pause),
        minus: keys.contains(&Key::Minus),
        plus: keys.contains(&Key::Plus),
        ok: keys.contains(&Key::Ok),
        low_power: false,
    }
}

/// Polls every `period` microseconds up to `end` ms, the keys being those that `closed` names at
/// that many microseconds; gives all strokes.
fn poll(period: i64, end: i64, closed: impl Fn(Key, i64) -> bool) -> Vec<Stroke> {
    let mut input = Input::new(Timing::default());
    let mut strokes = Vec::new();
    for at in (0..=1_000 * end).step_by(usize::try_from(period).expect("a period")) {
        let keys: Vec<Key> = Key::ALL.into_iter().filter(|key| closed(*key, at)).collect();
        strokes.extend_from_slice(input.sample(us(at), held(&keys)).as_slice());
    }
    strokes
}

/// The stamps in microseconds of the presses of the left button, closed in the given stretches.
fn presses(period: i64, closed: &[(i64, i64)]) -> Vec<i64> {
    poll(period, 500, |key, at| {
        key == Key::Left && closed.iter().any(|(from, to)| (*from..*to).contains(&at))
    })
    .into_iter()
    .filter(|stroke| stroke.what == What::Pressed)
    .map(|stroke| stroke.at.as_nanos() / 1_000)
    .collect()
}

#[test]
fn a_press_is_one_stroke_stamped_with_the_first_closed_poll() {
    /// Name, poll period, closed stretches, stamps of the presses, all in microseconds.
    type Case = (&'static str, i64, &'static [(i64, i64)], &'static [i64]);
    let table: &[Case] = &[
        ("a clean press", 1_000, &[(10_000, 70_000)], &[10_000]),
        (
            "R61: bounce at 0, 0.3, 0.9, 1.5 ms",
            250,
            &[(10_000, 10_300), (10_900, 11_500), (12_000, 70_000)],
            &[10_000],
        ),
        (
            "bounce on the way up, too",
            1_000,
            &[(10_000, 11_000), (13_000, 70_000), (72_000, 73_000), (75_000, 76_000)],
            &[10_000],
        ),
        ("R63: a dip between two polls", 1_000, &[(10_400, 10_405)], &[]),
        ("R63: a dip that one poll sees", 1_000, &[(10_000, 10_005)], &[]),
        ("R65: a storm within one poll", 1_000, &[(9_100, 9_110), (9_300, 70_000)], &[10_000]),
        (
            "closed again at the window's end",
            1_000,
            &[(10_000, 11_000), (15_000, 70_000)],
            &[10_000],
        ),
        (
            "closed again too late: a glitch, then a press",
            1_000,
            &[(10_000, 11_000), (16_000, 70_000)],
            &[16_000],
        ),
        ("the shortest press: two polls", 1_000, &[(10_000, 12_000)], &[10_000]),
        ("again after 30 ms up", 1_000, &[(10_000, 40_000), (71_000, 100_000)], &[10_000, 71_000]),
        (
            "again after 29 ms up is still bounce",
            1_000,
            &[(10_000, 40_000), (69_000, 100_000)],
            &[10_000],
        ),
        (
            "a glitch does not lock the button",
            1_000,
            &[(10_000, 11_000), (17_000, 70_000)],
            &[17_000],
        ),
        ("slow polls", 5_000, &[(9_000, 70_000)], &[10_000]),
    ];
    for (name, period, closed, stamps) in table {
        assert_eq!(presses(*period, closed), *stamps, "{name}");
    }
}

#[test]
fn a_late_poll_does_not_restamp_a_press() {
    let mut input = Input::new(Timing::default());
    let _ = input.sample(ms(0), held(&[]));
    let _ = input.sample(ms(10), held(&[Key::Left]));
    let strokes = input.sample(ms(40), held(&[Key::Left]));
    let expected = Stroke { key: Key::Left, what: What::Pressed, at: ms(10) };
    assert_eq!(strokes.as_slice(), [expected]);
}

#[test]
fn single_closed_polls_are_counted_as_glitches() {
    let mut input = Input::new(Timing::default());
    for at in 0..100 {
        let closed = at == 10 || at == 40 || at == 46 || at >= 60;
        let _ = input.sample(ms(at), held(if closed { &[Key::Ok] } else { &[] }));
    }
    assert_eq!(input.glitches(), 3);
}

#[test]
fn nothing_on_one_side_changes_the_stamps_of_the_other() {
    let strokes = poll(1_000, 200, |key, at| match key {
        Key::Left => at >= 10_000 && (at / 1_000) % 2 == 0,
        Key::Right => (12_000..60_000).contains(&at),
        _ => false,
    });
    let expected = Stroke { key: Key::Right, what: What::Pressed, at: ms(12) };
    assert!(strokes.contains(&expected), "{strokes:?}");
}

#[test]
fn strokes_come_in_the_order_of_their_stamps_even_when_confirmed_in_another() {
    // Left closes first but bounces, right is confirmed before it.
    let strokes = poll(1_000, 30, |key, at| match key {
        Key::Left => at == 10_000 || at >= 14_000,
        Key::Right => at >= 11_000,
        _ => false,
    });
    let order: Vec<_> = strokes.iter().map(|stroke| (stroke.key, stroke.at)).collect();
    assert_eq!(order, [(Key::Left, ms(10)), (Key::Right, ms(11))]);
}

#[test]
fn the_horizon_is_the_first_closed_poll_of_the_oldest_contact_that_awaits_confirmation() {
    let mut input = Input::new(Timing::default());
    let table: &[(i64, &[Key], i64)] = &[
        (0, &[], 0),
        (1, &[Key::Left], 1),
        (2, &[Key::Right], 1),
        (3, &[Key::Right], 1),
        (4, &[Key::Left, Key::Right], 4),
        (5, &[Key::Left, Key::Right], 5),
        (6, &[Key::Left, Key::Right, Key::Pause], 6),
        (7, &[Key::Left, Key::Right], 6),
        (11, &[Key::Left, Key::Right], 11),
    ];
    for (at, keys, horizon) in table {
        let _ = input.sample(ms(*at), held(keys));
        assert_eq!(input.horizon(ms(*at)), ms(*horizon), "at {at} ms");
    }
}

#[test]
fn r67_both_buttons_in_the_same_poll_are_told_together_whoever_is_confirmed_first() {
    let strokes = poll(1_000, 30, |key, at| match key {
        Key::Left => at == 10_000 || at >= 13_000,
        Key::Right => at >= 10_000,
        _ => false,
    });
    let what: Vec<_> = strokes.iter().map(|stroke| (stroke.what, stroke.at)).collect();
    assert_eq!(what, [(What::PressedTogether, ms(10)); 2]);
}

#[test]
fn one_poll_apart_both_count_as_presses_of_their_own() {
    let strokes = poll(1_000, 30, |key, at| match key {
        Key::Left => at >= 10_000,
        Key::Right => at >= 11_000,
        _ => false,
    });
    let what: Vec<_> = strokes.iter().map(|stroke| (stroke.what, stroke.at)).collect();
    assert_eq!(what, [(What::Pressed, ms(10)), (What::Pressed, ms(11))]);
}

#[test]
fn a_key_and_a_player_in_the_same_poll_are_no_pair() {
    let strokes = poll(1_000, 30, |key, at| matches!(key, Key::Left | Key::Pause) && at >= 10_000);
    assert!(strokes.iter().all(|stroke| stroke.what == What::Pressed), "{strokes:?}");
}

#[test]
fn a_button_held_at_power_on_is_stuck_until_it_was_up() {
    let strokes = poll(1_000, 600, |key, at| {
        key == Key::Left && (at < 300_000 || (400_000..460_000).contains(&at))
    });
    let what: Vec<_> = strokes.iter().map(|stroke| (stroke.what, stroke.at)).collect();
    assert_eq!(
        what,
        [
            (What::Stuck, ms(0)),
            (What::Freed, ms(330)),
            (What::Pressed, ms(400)),
            (What::Released, ms(490)),
        ]
    );
}

#[test]
fn a_button_held_for_more_than_ten_seconds_is_stuck_and_tells_each_second_before() {
    let strokes = poll(1_000, 12_000, |key, at| key == Key::Ok && at >= 500_000);
    let mut expected = vec![(What::Pressed, ms(500))];
    expected.extend((1..=10).map(|s| (What::Held(Span::from_secs(s)), ms(500 + 1_000 * s))));
    expected.push((What::Stuck, ms(10_501)));
    let what: Vec<_> = strokes.iter().map(|stroke| (stroke.what, stroke.at)).collect();
    assert_eq!(what, expected);
}

#[test]
fn a_short_lift_of_the_finger_does_not_end_a_hold() {
    let strokes = poll(1_000, 1_200, |key, at| {
        key == Key::Ok && at >= 100_000 && !(600_000..620_000).contains(&at)
    });
    assert_eq!(strokes.last().map(|stroke| stroke.what), Some(What::Held(Span::from_secs(1))));
    assert_eq!(strokes.len(), 2, "{strokes:?}");
}

#[test]
fn key_names_read_back() {
    for key in Key::ALL {
        assert_eq!(Key::from_name(key.name()), Some(key));
    }
    assert_eq!(Key::from_name("Left"), None);
}

/// Levels of all keys, each changing after random numbers of polls.
fn levels() -> impl Strategy<Value = Vec<u8>> {
    let stretch = (0..64u8, prop_oneof![1..4usize, 1..80usize]);
    prop::collection::vec(stretch, 1..20).prop_map(|stretches| {
        stretches.into_iter().flat_map(|(keys, polls)| vec![keys; polls]).collect()
    })
}

fn contacts(bits: u8) -> Contacts {
    let keys: Vec<Key> = Key::ALL
        .into_iter()
        .enumerate()
        .filter(|(bit, _)| bits >> bit & 1 == 1)
        .map(|(_, key)| key)
        .collect();
    held(&keys)
}

proptest! {
    #[test]
    fn strokes_come_in_order_none_is_lost_and_none_is_older_than_what_was_decided(
        mut levels in levels(),
    ) {
        // At last all keys are up: what still awaits confirmation is then settled.
        levels.extend([0; 10]);
        let timing = Timing::default();
        let mut input = Input::new(timing);
        let mut alone = [Contact::Unseen; Key::ALL.len()];
        let (mut found, mut told) = (0, 0);
        let mut last = Instant::ZERO;
        let mut horizon = Instant::ZERO;
        for (poll, bits) in (0..).zip(levels) {
            let now = ms(poll);
            for (key, contact) in Key::ALL.into_iter().zip(&mut alone) {
                let (next, what) = contact.poll(now, key.of(contacts(bits)), &timing);
                *contact = next;
                found += usize::from(what.is_some());
            }
            for stroke in &input.sample(now, contacts(bits)) {
                prop_assert!(stroke.at >= last);
                prop_assert!(stroke.at >= horizon, "{stroke:?} came after deadlines were decided");
                last = stroke.at;
                told += 1;
            }
            prop_assert!(input.horizon(now) >= horizon);
            horizon = input.horizon(now);
        }
        prop_assert_eq!(told, found);
    }

    #[test]
    fn polls_before_the_next_change_yield_nothing_while_the_contacts_stay(levels in levels()) {
        let mut input = Input::new(Timing::default());
        for (poll, bits) in (0..).zip(levels) {
            let now = ms(poll);
            let _ = input.sample(now, contacts(bits));
            let mut still = input.clone();
            let next = still.next_change().unwrap_or(now + Span::from_secs(20));
            for later in [now + Span::from_millis(1), next - Span::from_nanos(1)] {
                if now < later && later < next {
                    prop_assert!(still.sample(later, contacts(bits)).is_empty());
                    prop_assert_eq!(still.next_change().unwrap_or(next), next);
                }
            }
        }
    }
}

#[test]
fn a_lever_rests_on_its_contacts_and_its_change_of_position_is_the_press() {
    let mut input = Input::new(Timing::default()).with_lever();
    let mut strokes = Vec::new();
    // It lies on the left when the power comes, is turned over after a minute and back after two.
    for at in (0..180_000).step_by(1) {
        let key = if (60_000..120_000).contains(&at) { Key::Right } else { Key::Left };
        let found = input.sample(us(1_000 * at), held(&[key]));
        let told = |stroke: &&Stroke| !matches!(stroke.what, What::Held(_) | What::Released);
        strokes.extend(found.as_slice().iter().filter(told).copied());
    }
    let press = |key, at: i64| Stroke { key, what: What::Pressed, at: us(1_000 * at) };
    assert_eq!(strokes, [press(Key::Right, 60_000), press(Key::Left, 120_000)]);
}
