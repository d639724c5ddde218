//! The layout: where on a display everything stands. The one place that knows it.
//!
//! ```text
//! 0 1 2 3 4 5 6 7
//! d   4 = 2 5.0 0    delay 4 s, stage mark, 25 minutes
//! d 4   1.3 0.0 0    delay 4 s, an hour and a half
//!     1 1.0 0.1 2    eleven hours and the delay, 12 s
//! P   3     0.3 0    third byo-yomi period from the end, 30 s of it left
//! 4 0   1.3 0.0 0    40 presses, an hour and a half
//! 4 0 F 1   0.0 0    40 presses, fell first
//! ```
//!
//! The time stands at the right, what belongs to it at the left end, marks between them next to the
//! time; a number there is always parted from the time by a dark digit. What finds no room is left
//! out, a press counter first, never the time, the delay or the mark of a fall. A delay that cannot
//! stand beside the time with its letter, from its first second to its last, is included in it: so
//! it is from 10 hours on, and from one hour on where it has two digits. A fall without room is
//! shown in the lit half of each second, and the time in the other.
//! The point behind the last digit blinks while the clock runs: those within the time never do, so
//! that it can be read at any instant.
//!
//! On four digits there is hardly room for anything beside the time. What belongs to it takes its
//! turn with it: the delay every other second while it runs (not under `fide`, where it is
//! included in the time), all else in one second of four.
//!
//! | sign | meaning |
//! |---|---|
//! | `d` | delay left in this turn, in seconds; with a point behind it in minutes |
//! | `P` | main time is gone: byo-yomi periods left; blinking: one was lost just now |
//! | `F` alone at the left end | the free time of this turn runs |
//! | `c` | Canadian stones left |
//! | a number alone | press counter |
//! | `F1`, `F2` blinking | no time left: fell first, fell second |
//! | `=` | reached zero and was given a further stage |
//! | `A` | the next stage waits for the arbiter |
//! | `b` | the battery or the supply is low |
//! | `E` | a key is stuck |

use super::blink;
use super::figure::{self, Figure, Scale, until_change};
use super::reading::{self, Beside, Counter, DelayIs, Fall, Marks, Motion};
use crate::control::Method;
use crate::display::glyph::{DARK, NUMERALS, POINT, encode};
use crate::display::{DIGITS, Digits};
use crate::engine::SideView;
use crate::menu::page::Line;
use crate::time::{Instant, Span};

/// How many digits a side has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// A module for each side.
    #[default]
    Eight,
    /// One module shared: the right half of each side's [`Digits`] is used.
    Four,
}

/// The time has these digits to itself even when it is short, so that nothing beside it wanders.
const TIME_DIGITS: usize = 4;

/// A letter and its number beside the time: `d 4`, `P12`.
const BESIDE_DIGITS: usize = 3;

/// The longest delay that is shown in seconds.
const MOST_SECONDS: Span = Span::from_secs(99);

/// Where the four digits of a shared module begin.
const HALF: usize = DIGITS / 2;

const SECOND: Span = Span::from_secs(1);

const FLAG: u8 = encode('F');
const STAGE: u8 = encode('=');
const ARBITER: u8 = encode('A');
const LOW_POWER: u8 = encode('b');
const STUCK: u8 = encode('E');

/// One side's display and after how long it changes by itself; `None`: never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The digits.
    pub digits: Digits,
    /// Until they change.
    pub until_change: Option<Span>,
}

/// What a display is drawn from.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The side's clock.
    pub view: &'a SideView,
    /// How its stage treats time.
    pub method: &'a Method,
    /// Whether it runs.
    pub motion: Motion,
    /// Its marks.
    pub marks: Marks,
    /// Whether the press counter is wanted.
    pub counter: Counter,
}

/// Draws one side's display. `alternates`: on four digits a delay may take its turn with the time.
#[must_use]
pub fn draw(
    subject: &Subject<'_>,
    width: Width,
    alternates: bool,
    tenths_below: Span,
    now: Instant,
) -> Drawn {
    match width {
        Width::Eight => draw_eight(subject, tenths_below, now),
        Width::Four => draw_four(subject, alternates, tenths_below, now),
    }
}

fn draw_eight(subject: &Subject<'_>, tenths_below: Span, now: Instant) -> Drawn {
    let Subject { view, method, motion, marks, counter } = *subject;
    let scales = figure::clock(tenths_below);
    let signs = Signs::of(marks);
    let time_at = |time| DIGITS - Figure::time(time, &scales).width().max(TIME_DIGITS);
    let room = |time| {
        let fills = Figure::time(time, &scales).width() >= TIME_DIGITS;
        let gap = usize::from(fills && signs.end_in_number());
        time_at(time).saturating_sub(signs.len + gap)
    };

    let label = reading::beside(view, method, motion, counter).map(Label::of);
    let apart = reading::time(view, method, motion, DelayIs::Beside);
    // A delay that finds no room beside main time is shown in one figure with it.
    let delay = match &label {
        Some(label) if label.is_delay && label.fits(room(apart.time)) => DelayIs::Beside,
        _ => DelayIs::Included,
    };
    let shown = reading::time(view, method, motion, delay);
    let label = label.filter(|label| {
        label.fits(room(shown.time)) && label.is_delay == (delay == DelayIs::Beside)
    });

    let mut digits = [DARK; DIGITS];
    let lit = !blink::second_half(now - Instant::ZERO);
    let squeezed = signs.blinking > 0 && Figure::time(shown.time, &scales).width() > DIGITS - 3;
    if squeezed && lit {
        signs.put(&mut digits, now);
    } else {
        Figure::time(shown.time, &scales).put(&mut digits);
        let (left, _) = digits.split_at_mut(time_at(shown.time));
        let (left, middle) = left.split_at_mut(room(shown.time));
        if !squeezed {
            signs.put(middle, now);
        }
        if let Some(label) = label.as_ref().filter(|_| lit || !marks.period_lost) {
            label.put(left);
        }
    }
    if motion == Motion::Runs && blink::second_half(view.used) {
        digits[DIGITS - 1] |= POINT;
    }

    let changes = [
        until_change(shown.time, shown.course, &scales),
        label.and_then(|label| label.until_change),
        (signs.blinking > 0 || marks.period_lost)
            .then(|| blink::until_next_half(now - Instant::ZERO)),
        (motion == Motion::Runs).then(|| blink::until_next_half(view.used)),
    ];
    Drawn { digits, until_change: changes.into_iter().flatten().min() }
}

fn draw_four(subject: &Subject<'_>, alternates: bool, tenths_below: Span, now: Instant) -> Drawn {
    let Subject { view, method, motion, marks, counter } = *subject;
    let scales = figure::narrow_clock(tenths_below);
    let signs = Signs::of(marks);
    let label = reading::beside(view, method, motion, counter);
    let label = label.filter(|beside| counter.asked || !matches!(beside, Beside::Moves(_)));
    let label = label.map(Label::of);
    let delay_runs = motion == Motion::Runs && view.allowance.is_positive() && alternates;
    let delay = match &label {
        Some(label) if label.is_delay && delay_runs => DelayIs::Beside,
        _ => DelayIs::Included,
    };
    let label = label.filter(|label| label.is_delay == (delay == DelayIs::Beside));
    let shown = reading::time(view, method, motion, delay);
    let figure = Figure::time(shown.time, &scales);
    // A sign in front that finds no room is told in turn with the time.
    let below = shown.time.is_negative() && figure.width() > HALF;

    let since = now - Instant::ZERO;
    let second = since.as_nanos().div_euclid(SECOND.as_nanos());
    let lit = !blink::second_half(since);
    let fits = figure.width() + signs.len <= HALF && !signs.end_in_number();
    let mut digits = [DARK; DIGITS];
    let cells = &mut digits[HALF..];
    let tells = second % 4 == 3;
    match &label {
        _ if signs.blinking > 0 && lit => signs.put(cells, now),
        Some(label) if counter.asked => label.put(cells),
        Some(label) if label.is_delay && second % 2 == 1 => label.put_wide(cells),
        Some(label) if marks.period_lost && lit => label.put_wide(cells),
        Some(label) if !label.is_delay && second % 4 == 2 => label.put_wide(cells),
        _ if signs.blinking == 0 && signs.len > 0 && !fits && tells => signs.put(cells, now),
        _ if below && second % 2 == 1 => cells[HALF - 1] = crate::display::glyph::MINUS,
        _ => {
            figure.put(cells);
            if fits {
                signs.put(cells, now);
            }
        }
    }
    let hours = figure::is_hours(shown.time);
    if hours && !lit {
        for cell in cells.iter_mut().take(HALF - 1) {
            *cell &= !POINT;
        }
    }
    if motion == Motion::Runs && blink::second_half(view.used) {
        digits[DIGITS - 1] |= POINT;
    }

    let turns = label.is_some() || signs.len > 0 || hours || below;
    let changes = [
        until_change(shown.time, shown.course, &scales),
        label.and_then(|label| label.until_change),
        turns.then(|| blink::until_next_half(since)),
        (motion == Motion::Runs).then(|| blink::until_next_half(view.used)),
    ];
    Drawn { digits, until_change: changes.into_iter().flatten().min() }
}

/// A recorded time with a letter in front that blinks; `-` for count-up without a limit.
#[must_use]
pub fn record(time: Option<Span>, letter: char, width: Width, tenths_below: Span) -> Line {
    let scales: &[Scale] = match width {
        Width::Eight => &figure::clock(tenths_below),
        Width::Four => &figure::narrow_clock(tenths_below),
    };
    let mut line = Line::DARK;
    match time {
        Some(time) => Figure::time(time, scales).put(&mut line.cells),
        None => line.cells[DIGITS - 1] = crate::display::glyph::MINUS,
    }
    line.cells[0] = encode(letter);
    line.blinking = u8::from(width == Width::Eight);
    line
}

/// A line on the four digits of a side: the part that blinks, else both halves in turn.
#[must_use]
pub fn window(line: &Line, digits: Digits, since: Span) -> Digits {
    let first = line.cells.iter().position(|cell| *cell != DARK).unwrap_or(0);
    let last = line.cells.iter().rposition(|cell| *cell != DARK).unwrap_or(0);
    let all = line.blinking == u8::MAX;
    let begin = if last < first + HALF {
        first.min(HALF)
    } else if line.blinking != 0 && !all {
        let up = usize::try_from(line.blinking.trailing_zeros()).unwrap_or(0);
        up.saturating_sub(2).min(HALF)
    } else if since.as_nanos().div_euclid(SECOND.as_nanos()) % 2 == 0 {
        first.min(HALF)
    } else {
        (last + 1).saturating_sub(HALF).min(HALF)
    };
    let mut window = [DARK; DIGITS];
    window[HALF..].copy_from_slice(&digits[begin..begin + HALF]);
    window
}

/// Marks as they stand in a row, the weightiest at the left; the first ones may blink.
struct Signs {
    cells: [u8; Signs::MOST],
    len: usize,
    blinking: usize,
}

impl Signs {
    /// `F`, its number, and the four others.
    const MOST: usize = 6;

    fn of(marks: Marks) -> Signs {
        let mut signs = Signs { cells: [DARK; Signs::MOST], len: 0, blinking: 0 };
        if let Some(fall) = marks.fall {
            signs.push(FLAG);
            signs.push(NUMERALS[if fall == Fall::First { 1 } else { 2 }]);
            signs.blinking = signs.len;
        }
        for (is_set, sign) in [
            (marks.stage, STAGE),
            (marks.pending, ARBITER),
            (marks.low_power, LOW_POWER),
            (marks.stuck, STUCK),
        ] {
            if is_set {
                signs.push(sign);
            }
        }
        signs
    }

    /// What stands left of the time is a number: a dark digit must part it from the time.
    fn end_in_number(&self) -> bool {
        self.len == self.blinking
    }

    fn push(&mut self, sign: u8) {
        self.cells[self.len] = sign;
        self.len += 1;
    }

    /// Puts the row to the left end of `cells`; what has no room there is left out.
    fn put(&self, cells: &mut [u8], now: Instant) {
        let dark = if blink::second_half(now - Instant::ZERO) { self.blinking } else { 0 };
        for (cell, sign) in cells.iter_mut().zip(&self.cells[..self.len]).skip(dark) {
            *cell = *sign;
        }
    }
}

/// A number beside the time and its letter.
struct Label {
    letter: Option<u8>,
    number: Figure,
    /// So many digits must be there for it.
    needs: usize,
    is_delay: bool,
    until_change: Option<Span>,
}

impl Label {
    fn of(beside: Beside) -> Label {
        let count = |letter: Option<char>, count: u32| {
            let number = Figure::count(count);
            let (letter, needs) = (letter.map(encode), number.width());
            Label { letter, number, needs, is_delay: false, until_change: None }
        };
        match beside {
            Beside::Delay { left, full } => Label {
                letter: Some(encode('d')),
                number: Figure::time(left.time, figure::DELAY),
                // All that it counts through: it does not go into main time in the middle of a turn.
                needs: 1 + Figure::time(full.min(MOST_SECONDS), figure::DELAY).width(),
                is_delay: true,
                until_change: until_change(left.time, left.course, figure::DELAY),
            },
            Beside::Periods(periods) => count(Some('P'), periods),
            Beside::FreeTime => Label {
                letter: Some(FLAG),
                number: Figure::EMPTY,
                needs: 1,
                is_delay: false,
                until_change: None,
            },
            Beside::Stones(stones) => count(Some('c'), stones),
            Beside::Moves(moves) => count(None, moves),
        }
    }

    fn fits(&self, room: usize) -> bool {
        self.needs <= room
    }

    /// Puts the letter to the left end of `cells` and the number to the right end.
    fn put_wide(&self, cells: &mut [u8]) {
        self.number.put(cells);
        if let (Some(letter), Some(first)) = (self.letter, cells.first_mut()) {
            *first = letter;
        }
    }

    /// Puts letter and number to the left end of `cells`; where they are tight, the number alone.
    fn put(&self, cells: &mut [u8]) {
        let letter = self.letter.filter(|_| self.number.width() < cells.len());
        let width = match letter {
            Some(_) => BESIDE_DIGITS.max(self.number.width() + 1).min(cells.len()),
            None => self.number.width(),
        };
        let Some(cells) = cells.get_mut(..width) else { return };
        self.number.put(cells);
        if let (Some(letter), Some(first)) = (letter, cells.first_mut()) {
            *first = letter;
        }
    }
}
