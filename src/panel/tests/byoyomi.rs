//! Byo-yomi has an end for each period: counted down to, and heard and seen when it is lost.

use proptest::prelude::*;

use super::*;
use crate::sounds::{Score, Sound};

/// What begins to sound and when, in milliseconds, while White's clock runs.
fn sounds(control: Control, run: Span) -> Vec<(i64, Sound)> {
    let mut table = Table::started(control, |switches| switches.end_sound = true);
    table.panel =
        table.panel.clone().with_score(Score { low_time: Span::ZERO, ..Score::default() });
    let mut begun = Vec::new();
    let mut before = None;
    while table.now - Instant::ZERO < run {
        let _ = table.view();
        table.now += Span::from_millis(50);
        loop {
            let outputs = table.engine.poll(table.now);
            if outputs.is_empty() {
                break;
            }
            for output in &outputs {
                table.panel.hear(&output.effect, table.engine.settings(), table.now);
            }
        }
        let sound = table.view().signals.sound;
        if let Some(sound) = sound.filter(|_| sound != before) {
            begun.push(((table.now - Instant::ZERO).as_nanos() / 1_000_000, sound));
        }
        before = sound;
    }
    begun
}

/// Only the first of several beeps in a row.
fn without_repeats(sounds: Vec<(i64, Sound)>) -> Vec<(i64, Sound)> {
    let mut kept: Vec<(i64, Sound)> = Vec::new();
    for (at, sound) in sounds {
        let again = kept.last().is_some_and(|(since, last)| *last == sound && at - since < 1_000);
        if !again || sound == Sound::Countdown {
            kept.push((at, sound));
        }
    }
    kept
}

/// Each period's countdown, and what is heard when it is lost.
fn expected(main: i64, periods: i64, each: i64) -> Vec<(i64, Sound)> {
    let mut expected = Vec::new();
    for period in 1..=periods {
        let end = main + period * each;
        let marks = [10, 5, 4, 3, 2, 1].into_iter().filter(|mark| *mark < each);
        expected.extend(marks.map(|mark| ((end - mark) * 1_000, Sound::Countdown)));
        let lost = if period == periods { Sound::Flag } else { Sound::Period };
        expected.push((end * 1_000, lost));
    }
    expected
}

#[test]
fn every_period_is_counted_down_and_its_loss_is_heard() {
    let heard = sounds(one(s(12), byoyomi(3, s(11))), s(46));
    assert_eq!(without_repeats(heard), expected(12, 3, 11));
}

#[test]
fn a_lost_period_blinks_for_three_seconds_and_main_time_has_no_sign_of_periods() {
    let mut table = Table::started(one(s(12), byoyomi(3, s(11))), |_| {});
    let mut seen = Vec::new();
    while table.now < Instant::ZERO + s(28) {
        for output in &table.engine.poll(table.now) {
            table.panel.hear(&output.effect, table.engine.settings(), table.now);
        }
        let sign = table.left()[..3].trim().to_owned();
        if seen.last().is_none_or(|(_, last)| *last != sign) {
            seen.push(((table.now - Instant::ZERO).as_nanos() / 1_000_000, sign));
        }
        table.now += Span::from_millis(100);
    }
    let blinks = (0..3).flat_map(|second| {
        let at = 23_000 + second * 1_000;
        [(at, "P 2".to_owned()), (at + 500, String::new())]
    });
    let mut want = vec![(0, String::new()), (12_000, "P 3".to_owned())];
    want.extend(blinks);
    want.push((26_000, "P 2".to_owned()));
    assert_eq!(seen, want);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn whatever_main_and_periods_are(main in 0..20_i64, periods in 1..5_u32, each in 2..20_i64) {
        let run = main + i64::from(periods) * each + 1;
        let heard = sounds(one(s(main), byoyomi(periods, s(each))), s(run));
        prop_assert_eq!(without_repeats(heard), expected(main, periods.into(), each));
    }
}
