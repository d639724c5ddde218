//! Laws over random controls and random texts.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::super::cursor::MAX_COUNT;
use super::super::{check, parse, parse_clock_time, parse_duration, write_duration};
use crate::control::{
    Block, BySide, Control, Grant, MAX_DURATION, MAX_STAGES, Method, Overtime, Stage, Stages,
};
use crate::time::Span;

/// Whole milliseconds up to the longest duration; round numbers and the ends more often.
fn duration() -> BoxedStrategy<Span> {
    prop_oneof![
        Just(Span::ZERO),
        Just(MAX_DURATION),
        (1..=180_i64).prop_map(Span::from_mins),
        (1..=90_i64).prop_map(Span::from_secs),
        (0..=99 * 3_600_000_i64).prop_map(Span::from_millis),
    ]
    .boxed()
}

fn positive() -> impl Strategy<Value = Span> {
    duration().prop_filter("more than nothing", |span| span.is_positive())
}

fn grant() -> BoxedStrategy<Grant> {
    prop_oneof![
        Just(Grant::None),
        (positive(), option::of(duration())).prop_map(|(each, cap)| Grant::Increment { each, cap }),
        positive().prop_map(|each| Grant::Delay { each }),
        positive().prop_map(|each| Grant::Bronstein { each }),
    ]
    .boxed()
}

fn overtime() -> impl Strategy<Value = Overtime> {
    let block = (1..=MAX_COUNT, positive()).prop_map(|(stones, time)| Block::new(stones, time));
    prop_oneof![
        (1..=MAX_COUNT, positive(), option::of(positive()), any::<bool>()).prop_map(
            |(periods, each, free, burn)| Overtime::Byoyomi {
                periods,
                each,
                free,
                burn_on_entry: burn && free.is_some(),
            }
        ),
        vec(block, 1..6)
            .prop_map(|blocks| Overtime::Canadian { blocks: blocks.into_iter().collect() }),
        positive().prop_map(|limit| Overtime::Below { limit }),
    ]
}

fn is_increment(grant: &Grant) -> bool {
    matches!(grant, Grant::None | Grant::Increment { .. })
}

/// Stages that count moves or end at zero, the last one with or without overtime.
fn staged() -> BoxedStrategy<Stages> {
    let stage = (option::of(1..=MAX_COUNT), duration(), grant(), any::<bool>());
    let with_overtime = (duration(), grant().prop_filter("mixes", is_increment), overtime());
    (vec(stage, 1..=MAX_STAGES), option::of(with_overtime))
        .prop_map(|(stages, end)| {
            let mut list: Vec<Stage> = stages
                .into_iter()
                .map(|(moves, base, grant, confirm)| Stage {
                    moves,
                    base,
                    method: Method::granting(grant),
                    confirm: confirm && moves.is_some(),
                })
                .collect();
            if let (Some(last), Some((base, grant, overtime))) = (list.last_mut(), end) {
                let method = Method::Main { grant, overtime };
                *last = Stage { moves: None, base, method, confirm: false };
            }
            let last = list.last_mut().expect("at least one");
            last.confirm = false;
            let repeat = last.moves.is_some();
            Stages { list: list.into_iter().collect(), repeat }
        })
        .boxed()
}

/// The methods that stand alone.
fn alone() -> impl Strategy<Value = Stages> {
    let method = prop_oneof![
        Just(Method::Hourglass),
        any::<bool>().prop_map(|stays_at_zero| Method::PerMove { stays_at_zero }),
        Just(Method::Gong),
        option::of(positive()).prop_map(|limit| Method::CountUp { limit }),
    ];
    (method, positive()).prop_map(|(method, time)| {
        let base = if matches!(method, Method::CountUp { .. }) { Span::ZERO } else { time };
        Stages {
            list: [Stage { moves: None, base, method, confirm: false }].into_iter().collect(),
            repeat: false,
        }
    })
}

fn stages() -> BoxedStrategy<Stages> {
    prop_oneof![3 => staged(), 1 => alone()].boxed()
}

pub(crate) fn control() -> impl Strategy<Value = Control> {
    prop_oneof![
        stages().prop_map(Control::equal),
        (stages(), stages()).prop_map(|(white, black)| Control { sides: BySide { white, black } }),
    ]
    .prop_filter("a clock can keep it", |control| check::check(control).is_ok())
}

/// Pieces of every notation, so that random texts get further than their first character.
fn near_misses() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[0-9]{1,12}",
        "[hmsx/+,;:'\"*.() -]",
        "(white|black|repeat|confirm|cap|then|free|continue|burn-on-entry) ?",
        "(delay|bronstein|byoyomi|canadian|overtime|hourglass|move|gong|up) ?",
        "(pgn:|sgf:|G/|SD/|inc|d|byo-yomi|Canadian)",
        "[0-9]{1,3}(h|m|s|ms)",
        "(’|″|−|½|é|日|\u{301}|\u{1f3f3}|\u{0})",
    ];
    vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn assert_sane(text: &str) {
    let Err(error) = parse(text) else {
        let printed = parse(text).expect("as before").to_string();
        assert_eq!(parse(&printed), parse(text), "{text:?} is printed as {printed:?}");
        return;
    };
    let length = text.chars().count();
    assert!((1..=length + 1).contains(&error.position), "{text:?}: {error}");
    assert!(error.to_string().chars().count() < 330, "{text:?}: {error}");
    if let Some(suggestion) = &error.suggestion {
        assert!(parse(suggestion).is_ok(), "{text:?}: {error}");
    }
}

proptest! {
    #[test]
    fn printing_then_reading_a_control_gives_the_same_control(control in control()) {
        let printed = control.to_string();
        prop_assert_eq!(parse(&printed).map_err(|error| error.to_string()), Ok(control), "{}", printed);
    }

    #[test]
    fn writing_then_reading_a_duration_gives_the_same_duration(span in duration()) {
        prop_assert_eq!(parse_duration(&write_duration(span)), Ok(span));
        prop_assert_eq!(parse_clock_time(&write_duration(span)), Ok(span));
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_place_inside_it(text in any::<String>()) {
        assert_sane(&text);
        let _ = (parse_duration(&text), parse_clock_time(&text));
    }

    #[test]
    fn what_is_nearly_a_control_is_read_or_refused_with_a_place_inside_it(text in near_misses()) {
        assert_sane(&text);
        let _ = (parse_duration(&text), parse_clock_time(&text));
    }
}
