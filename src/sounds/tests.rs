//! The buzzer's level over time.

use super::*;

fn ms(ms: i64) -> Instant {
    Instant::ZERO + Span::from_millis(ms)
}

fn secs(s: i64) -> Span {
    Span::from_secs(s)
}

fn until(left: Span) -> Left {
    Left { until_flag: Some(left), until_end: Some(left) }
}

/// White's time falls from `from` for `run`; gives the beeps as (begin, length) in milliseconds.
fn beeps(sounds: &mut Sounds, begin: Instant, from: Span, run: Span) -> Vec<(i64, i64)> {
    let mut found: Vec<(i64, i64)> = Vec::new();
    let mut on_since = None;
    for at in 0..run.as_nanos() / 1_000_000 {
        let now = begin + Span::from_millis(at);
        let left = from - Span::from_millis(at);
        sounds.follow(
            BySide { white: until(left), black: until(secs(900)) },
            Some(Side::White),
            now,
        );
        match (sounds.level(now), on_since) {
            (true, None) => on_since = Some(at),
            (false, Some(since)) => {
                found.push((since, at - since));
                on_since = None;
            }
            _ => {}
        }
    }
    found
}

#[test]
fn the_countdown_beeps_at_ten_and_in_each_of_the_last_five_seconds_the_last_one_long() {
    let mut sounds = Sounds::new(Score { low_time: Span::ZERO, ..Score::default() });
    let heard = beeps(&mut sounds, Instant::ZERO, secs(12), secs(12));
    let seconds = [2_000, 7_000, 8_000, 9_000, 10_000];
    let mut want: Vec<(i64, i64)> = seconds.map(|at| (at, 100)).to_vec();
    want.push((11_000, 500));
    assert_eq!(heard, want);
}

#[test]
fn a_time_that_is_set_below_a_mark_does_not_tell_it() {
    let mut sounds = Sounds::new(Score::default());
    assert_eq!(beeps(&mut sounds, Instant::ZERO, Span::from_millis(4_500), secs(1)), [(500, 100)]);
}

#[test]
fn low_time_is_told_again_only_after_half_as_much_more_was_there() {
    let score = Score { low_time: secs(60), ..Score::default() };
    for (risen_to, told) in [(secs(61), 0), (secs(90), 0), (secs(91), 1)] {
        let mut sounds = Sounds::new(score);
        assert_eq!(beeps(&mut sounds, Instant::ZERO, secs(61), secs(2)), [(1_000, 300)]);
        let again = beeps(&mut sounds, ms(5_000), risen_to, risen_to - secs(59));
        assert_eq!(again.len(), told, "{risen_to:?}");
    }
}

#[test]
fn each_side_is_told_by_itself_and_only_while_its_clock_runs() {
    let mut sounds = Sounds::new(Score::default());
    let left = |white, black| BySide { white: until(secs(white)), black: until(secs(black)) };
    sounds.follow(left(61, 61), Some(Side::White), ms(0));
    sounds.follow(left(60, 61), Some(Side::White), ms(1_000));
    assert!(sounds.level(ms(1_000)));
    sounds.follow(left(60, 61), Some(Side::Black), ms(2_000));
    assert!(!sounds.level(ms(2_000)));
    sounds.follow(left(60, 60), Some(Side::Black), ms(3_000));
    assert!(sounds.level(ms(3_000)));
}

#[test]
fn a_hush_ends_every_sound_and_a_lighter_one_never_breaks_off_a_weightier() {
    for loud in Sound::ALL {
        for soft in Sound::ALL.into_iter().filter(|soft| *soft < loud) {
            let mut score = Score::SILENT;
            score.lengths = [secs(1); Sound::ALL.len()];
            score.lengths[soft as usize] = Span::from_millis(10);
            let mut sounds = Sounds::new(score);
            sounds.hear(loud, ms(0));
            sounds.hear(soft, ms(100));
            assert!(sounds.level(ms(900)), "{soft:?} breaks off {loud:?}");
            sounds.hush();
            assert!(!sounds.level(ms(900)));
        }
    }
}

#[test]
fn what_is_switched_off_is_silent() {
    for sound in Sound::ALL {
        let mut score = Score::default();
        score.lengths[sound as usize] = Span::ZERO;
        let mut sounds = Sounds::new(score);
        sounds.hear(sound, ms(0));
        assert!(!sounds.level(ms(0)), "{sound:?}");
    }
}

#[test]
fn the_level_holds_until_the_next_change_and_no_mark_is_slept_over() {
    let mut sounds = Sounds::new(Score::default());
    let (mut now, mut changes) = (Instant::ZERO, Vec::new());
    sounds.hear(Sound::Stage, now);
    let from = secs(65);
    let mut level = None;
    while now < Instant::ZERO + from {
        let left = from - (now - Instant::ZERO);
        let times = BySide { white: until(left), black: Left::default() };
        sounds.follow(times, Some(Side::White), now);
        if level != Some(sounds.level(now)) {
            level = Some(sounds.level(now));
            changes.push((now - Instant::ZERO).as_nanos() / 1_000_000);
        }
        let Some(next) = sounds.next_change(Some(Side::White), now) else { break };
        assert!(next > now);
        now = next;
    }
    assert_eq!(
        changes,
        [
            0, 200, 400, 600, 5_000, 5_300, 55_000, 55_100, 60_000, 60_100, 61_000, 61_100, 62_000,
            62_100, 63_000, 63_100, 64_000, 64_500
        ]
    );
}
