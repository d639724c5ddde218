//! How times and counts are written on seven segments (`box.md` 4), and when that changes.
//!
//! Does not know where on a display a figure stands ([`face`](super::face) does).
//!
//! Times are rounded up to the last digit shown: five minutes read `5.00` for the whole first
//! second, and `0.00` is shown only when nothing is left. Each format is a [`Scale`]: a unit, and
//! up to where it is used. A scale's border belongs to the finer scale, so that a falling time
//! never touches the coarser format once more on its way down.

use crate::display::glyph::{DARK, LETTER_H, MINUS, NUMERALS, POINT};
use crate::time::Span;

/// One way to write a length of time.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// What the last digit counts.
    unit: Span,
    /// The longest time that is written so.
    up_to: Span,
    places: &'static [Place],
    /// How many places are lit even when they are leading zeros.
    always: usize,
    /// How many places are lit when nothing is left.
    at_zero: usize,
    /// The unit's letter behind the number, if it has one.
    letter: Option<u8>,
}

/// One digit of a figure; figures are written from the right.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The digit counts from 0 to one less than this.
    radix: i64,
    /// Its point is lit.
    point: bool,
}

const TENS: Place = Place { radix: 10, point: false };
const SIXES: Place = Place { radix: 6, point: false };
const POINTED: Place = Place { radix: 10, point: true };

const SECOND: Span = Span::from_secs(1);
const MINUTE: Span = Span::from_mins(1);
const HOUR: Span = Span::from_hours(1);

/// `ss.t`
const TENTHS: Scale = Scale {
    unit: Span::from_millis(100),
    up_to: Span::ZERO,
    places: &[TENS, POINTED, TENS],
    always: 2,
    at_zero: 2,
    letter: None,
};

/// `mm.ss`, `h.mm.ss`, `hh.mm.ss`; leading zeros are dark, so ten seconds read `10`, but nothing
/// left reads `0.00`.
const SECONDS: Scale = Scale {
    unit: SECOND,
    up_to: Span::from_secs(100 * 3_600 - 1),
    places: &[TENS, SIXES, POINTED, SIXES, POINTED, TENS],
    always: 1,
    at_zero: 3,
    letter: None,
};

/// `hhh.mm`
const MINUTES: Scale = Scale {
    unit: MINUTE,
    up_to: Span::MAX,
    places: &[TENS, SIXES, POINTED, TENS, TENS],
    always: 3,
    at_zero: 3,
    letter: None,
};

/// The scales of a delay, two digits in all: seconds to 99, then minutes with a point.
pub const DELAY: &[Scale] = &[
    Scale {
        unit: SECOND,
        up_to: Span::from_secs(99),
        places: &[TENS, TENS],
        always: 1,
        at_zero: 1,
        letter: None,
    },
    Scale {
        unit: MINUTE,
        up_to: Span::MAX,
        places: &[POINTED, TENS],
        always: 1,
        at_zero: 1,
        letter: None,
    },
];

const COUNT: &[Place] = &[TENS, TENS, TENS];

/// The scales of a clock's time, the finest first; tenths at `tenths_below` and below.
#[must_use]
pub const fn clock(tenths_below: Span) -> [Scale; 3] {
    [Scale { up_to: tenths_below, ..TENTHS }, SECONDS, MINUTES]
}

/// The scales of a time on four digits: `h.mm` from one hour, whose point
/// blinks so that an hour is not taken for a minute; beyond `99.59` whole hours, as `100h`.
#[must_use]
pub const fn narrow_clock(tenths_below: Span) -> [Scale; 4] {
    let [tenths, seconds, minutes] = clock(tenths_below);
    let minutes = Scale {
        up_to: Span::from_mins(100 * 60 - 1),
        places: &[TENS, SIXES, POINTED, TENS],
        ..minutes
    };
    let hours =
        Scale { unit: HOUR, up_to: Span::MAX, places: COUNT, letter: Some(LETTER_H), ..minutes };
    [tenths, Scale { up_to: Span::from_secs(3_599), ..seconds }, minutes, hours]
}

/// True if a time is written in hours and minutes on four digits.
#[must_use]
pub fn is_hours(time: Span) -> bool {
    time.max(-time) > Span::from_secs(3_599)
}

/// What a time that is shown is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It stands.
    Still,
    /// It becomes less, and below zero goes on.
    Falling,
    /// It becomes more.
    Rising,
}

/// Digits of a figure, kept from the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    from_right: [u8; Figure::MOST],
    len: usize,
}

impl Figure {
    /// The most digits of a figure: `hh.mm.ss` and a minus sign.
    pub const MOST: usize = 7;

    /// A time on the scale that fits it; less than nothing with a minus sign, rounded up as the
    /// penalty points of overtime are. Beyond the last scale it stays at the last scale's end.
    #[must_use]
    pub fn time(time: Span, scales: &[Scale]) -> Figure {
        let size = time.max(-time);
        let mut figure = Figure::EMPTY;
        if let Some((scale, _)) = fitting(size, scales) {
            if let Some(letter) = scale.letter {
                figure.push(letter);
            }
            let always = if size == Span::ZERO { scale.at_zero } else { scale.always };
            figure.write(size.ceil_div(scale.unit.as_nanos()), scale.places, always);
        }
        if time.is_negative() {
            figure.push(MINUS);
        }
        figure
    }

    /// A number; 999 stands for all that is beyond it.
    #[must_use]
    pub fn count(count: u32) -> Figure {
        let mut figure = Figure::EMPTY;
        figure.write(i64::from(count), COUNT, 1);
        figure
    }

    /// How many digits it takes.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.len
    }

    /// Writes the figure to the right end of `cells`, which must have room for it.
    pub fn put(&self, cells: &mut [u8]) {
        for (cell, digit) in cells.iter_mut().rev().zip(&self.from_right[..self.len]) {
            *cell = *digit;
        }
    }

    /// No digits.
    pub const EMPTY: Figure = Figure { from_right: [DARK; Figure::MOST], len: 0 };

    fn push(&mut self, segments: u8) {
        if let Some(place) = self.from_right.get_mut(self.len) {
            *place = segments;
            self.len += 1;
        }
    }

    fn write(&mut self, number: i64, places: &[Place], always: usize) {
        let capacity: i64 = places.iter().map(|place| place.radix).product();
        let mut rest = number.clamp(0, capacity - 1);
        for place in places {
            if rest == 0 && self.len >= always {
                break;
            }
            let digit = usize::try_from(rest % place.radix).unwrap_or(0);
            let point = if place.point { POINT } else { DARK };
            self.push(NUMERALS[digit] | point);
            rest /= place.radix;
        }
    }
}

/// After how long a time on its course will be written differently; `None`: never.
#[must_use]
pub fn until_change(time: Span, course: Course, scales: &[Scale]) -> Option<Span> {
    let size = time.max(-time);
    let (scale, border) = fitting(size, scales)?;
    let unit = scale.unit.as_nanos();
    let count = size.ceil_div(unit);
    let grows = match course {
        Course::Still => return None,
        Course::Falling => !time.is_positive(),
        Course::Rising => true,
    };
    Some(if grows {
        let last = Span::from_nanos(unit.saturating_mul(count)).min(scale.up_to);
        last - size + Span::from_nanos(1)
    } else {
        size - Span::from_nanos(unit.saturating_mul(count - 1)).max(border)
    })
}

/// The scale for a time, and the longest time of the next finer one.
fn fitting(size: Span, scales: &[Scale]) -> Option<(&Scale, Span)> {
    let place = scales.iter().position(|scale| size <= scale.up_to && scale.up_to.is_positive())?;
    let finer = place.checked_sub(1).and_then(|finer| scales.get(finer));
    Some((scales.get(place)?, finer.map_or(Span::ZERO, |scale| scale.up_to)))
}
