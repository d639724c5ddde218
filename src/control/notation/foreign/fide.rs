//! As FIDE writes: `90'/40 + 30' + 30"`. One quotation mark is minutes, two are seconds; seconds
//! after the last plus are the increment of all stages.

use super::super::cursor::{Cursor, Unit, within_bounds};
use super::super::draft::{Draft, DraftStages};
use super::super::error::Fault;
use super::{increment, plain};
use crate::time::Span;

const MINUTE_MARKS: [char; 3] = ['\'', '’', '′'];
const SECOND_MARKS: [char; 4] = ['"', '”', '″', '“'];

/// One of the parts that stand between plus signs.
struct Term {
    time: Span,
    moves: Option<u32>,
    /// It has seconds and nothing else.
    is_seconds: bool,
}

/// Reads the text if it has the marks of minutes or seconds.
pub(super) fn read(text: &str) -> Option<Result<Draft, Fault>> {
    text.contains(|c| MINUTE_MARKS.contains(&c) || SECOND_MARKS.contains(&c))
        .then(|| read_terms(text))
}

fn read_terms(text: &str) -> Result<Draft, Fault> {
    let mut cursor = Cursor::new(text);
    let mut stages = DraftStages::default();
    let mut each = Span::ZERO;
    let mut is_first = true;
    loop {
        let start = cursor.at();
        let term = read_term(&mut cursor)?;
        if term.is_seconds && !is_first {
            if let Some('+') = cursor.peek() {
                return Err(Fault::expected(start..cursor.at(), "the time of a stage in minutes")
                    .remedy("write the increment of all stages once, at the end"));
            }
            each = term.time;
            break;
        }
        stages.push(plain(term.moves, term.time), start, &cursor)?;
        is_first = false;
        if !cursor.eat("+") {
            break;
        }
    }
    cursor.end("`+` and a further stage or the increment, or the end")?;
    for stage in stages.stages_mut() {
        stage.method = increment(each);
    }
    Ok(Draft::both(stages))
}

fn read_term(cursor: &mut Cursor<'_>) -> Result<Term, Fault> {
    let start = cursor.at();
    let mut time = Span::ZERO;
    let mut last = None;
    let mut is_seconds = false;
    while last.is_none() || cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
        let number_at = cursor.at();
        let digits = cursor.digits();
        if digits.is_empty() {
            return Err(cursor
                .expected("a time with its mark")
                .remedy("write minutes as 90' and seconds as 30\", as in `90'/40 + 30' + 30\"`"));
        }
        let unit = read_mark(cursor, number_at)?;
        if last.is_some_and(|last| last <= unit) {
            return Err(Fault::expected(
                cursor.since(number_at),
                "a part smaller than the one before it",
            )
            .remedy("write hours, minutes and seconds in this order, with `+` between stages"));
        }
        time += unit.times(digits);
        is_seconds = last.is_none() && unit == Unit::Second;
        last = Some(unit);
        cursor.blanks();
    }
    let time = within_bounds(time, cursor.since(start))?;
    let moves = if cursor.eat("/") { Some(cursor.count("moves")?) } else { None };
    Ok(Term { time, moves, is_seconds: is_seconds && moves.is_none() })
}

/// Reads the mark behind the number that began at `number_at`.
fn read_mark(cursor: &mut Cursor<'_>, number_at: usize) -> Result<Unit, Fault> {
    let at = cursor.at();
    let unit = match cursor.peek() {
        Some('h') => Unit::Hour,
        Some(c) if MINUTE_MARKS.contains(&c) => Unit::Minute,
        Some(c) if SECOND_MARKS.contains(&c) => Unit::Second,
        _ => {
            return Err(Fault::expected(cursor.since(number_at), "a time with its mark")
                .remedy("write minutes as 90' and seconds as 30\"")
                .fix(at..at, "'"));
        }
    };
    let mark = cursor.peek();
    cursor.skip();
    if unit == Unit::Minute && cursor.peek() == mark {
        cursor.skip();
        return Ok(Unit::Second);
    }
    Ok(unit)
}
