//! Lengths of time as text: `1h30m` in a control, `12:34` on the console.

use super::cursor::{Cursor, Unit, within_bounds};
use super::error::Fault;
use crate::time::Span;

/// Reads a duration such as `1h30m`, with the blanks behind it. `what` says what it is for, and
/// `habit` is the unit that a number without one most likely meant.
pub(super) fn read(cursor: &mut Cursor<'_>, what: &str, habit: Unit) -> Result<Span, Fault> {
    refuse_sign(cursor)?;
    let start = cursor.at();
    let mut span = Span::ZERO;
    let mut last = None;
    loop {
        let number_at = cursor.at();
        let number = cursor.digits();
        if number.is_empty() {
            if last.is_none() {
                return Err(cursor
                    .expected(what)
                    .remedy("write a number with its unit, as in `1h30m`, `45s` or `500ms`"));
            }
            break;
        }
        let unit = read_unit(cursor, number_at, habit)?;
        if last.is_some_and(|last| last <= unit) {
            return Err(Fault::expected(
                cursor.since(number_at),
                format!("a unit smaller than the `{}` before it", last.map_or("", Unit::name)),
            )
            .remedy("write the units from large to small, each once: 1h30m15s500ms"));
        }
        span += unit.times(number);
        last = Some(unit);
    }
    let span = within_bounds(span, cursor.since(start))?;
    cursor.blanks();
    Ok(span)
}

/// Reads the unit behind the number that began at `number_at`.
fn read_unit(cursor: &mut Cursor<'_>, number_at: usize, habit: Unit) -> Result<Unit, Fault> {
    let unit_at = cursor.at();
    let word = cursor.take(char::is_alphabetic);
    if let Some(unit) = Unit::from_name(word) {
        return Ok(unit);
    }
    let number = number_at..unit_at;
    let remedy = "put a unit behind the number: h, m, s or ms";
    if !word.is_empty() {
        let fault = Fault::expected(unit_at..cursor.at(), "a unit (h, m, s or ms)").remedy(remedy);
        return Err(match Unit::from_habit(word) {
            Some(unit) => fault.fix(unit_at..cursor.at(), unit.name()),
            None => fault,
        });
    }
    if matches!(cursor.peek(), Some('.' | ',')) && {
        let mut behind = cursor.clone();
        behind.take(|c| c == '.' || c == ',');
        !behind.digits().is_empty()
    } {
        return Err(Fault::expected(cursor.here(), "a unit (h, m, s or ms)")
            .remedy("write whole numbers of smaller units: 1m30s instead of 1.5m"));
    }
    let fault = Fault::expected(number, "a duration with its unit (h, m, s or ms)").remedy(remedy);
    cursor.blanks();
    let loose_unit = Unit::from_habit(cursor.clone().take(char::is_alphabetic));
    Err(match loose_unit {
        Some(_) => fault.fix(unit_at..cursor.at(), ""),
        None => fault.fix(unit_at..unit_at, habit.name()),
    })
}

/// Refuses a duration below zero before anything else is made of its sign.
fn refuse_sign(cursor: &Cursor<'_>) -> Result<(), Fault> {
    match cursor.peek() {
        Some(sign @ ('-' | '−')) => {
            let at = cursor.at();
            Err(Fault::impossible(cursor.here(), "a duration is never negative", "write no sign")
                .fix(at..at + sign.len_utf8(), ""))
        }
        _ => Ok(()),
    }
}

/// Reads a text that is a canonical duration and nothing else.
pub(super) fn read_whole(text: &str) -> Result<Span, Fault> {
    let mut cursor = Cursor::new(text);
    let span = read(&mut cursor, "a duration", Unit::Minute)?;
    match cursor.end("the end of the duration") {
        Ok(()) => Ok(span),
        Err(fault) => Err(fault
            .remedy("write nothing behind it, and no blanks inside")
            .fix(cursor.blanks_before(), "")),
    }
}

/// Reads a time as the console takes it: a duration, `12:34` or `1:02:03`, a fraction of the
/// seconds behind a point.
pub(super) fn read_clock_time(text: &str) -> Result<Span, Fault> {
    let mut cursor = Cursor::new(text);
    refuse_sign(&cursor)?;
    let start = cursor.at();
    let first = cursor.digits();
    if first.is_empty() || cursor.peek() != Some(':') {
        return read_whole(text).map_err(|fault| {
            fault.remedy("write a time as in `1h5m`, `90s`, `12:34` or `1:02:03`")
        });
    }
    let second = read_sixtieth(&mut cursor)?;
    let span = if cursor.peek() == Some(':') {
        let third = read_sixtieth(&mut cursor)?;
        Unit::Hour.times(first) + Unit::Minute.times(second) + Unit::Second.times(third)
    } else {
        Unit::Minute.times(first) + Unit::Second.times(second)
    };
    let span = within_bounds(span + cursor.fraction()?, cursor.since(start))?;
    cursor.blanks();
    match cursor.end("the end of the time") {
        Ok(()) => Ok(span),
        Err(fault) => Err(fault.remedy("write nothing behind the time")),
    }
}

/// Reads a colon and two digits below 60.
fn read_sixtieth<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, Fault> {
    cursor.take(|c| c == ':');
    let start = cursor.at();
    let digits = cursor.digits();
    if digits.len() == 2 && digits < "60" {
        Ok(digits)
    } else {
        Err(Fault::expected(cursor.since(start), "a number of two digits from 00 to 59")
            .remedy("write minutes and seconds as in `12:34`, hours as in `1:02:03`"))
    }
}

/// Writes a duration canonically: `1h30m`, `0s`. Parts of a millisecond are rounded up; a span
/// below zero has a minus sign in front.
pub(super) fn write(span: Span) -> String {
    let mut text = String::new();
    if span.is_negative() {
        text.push('-');
    }
    let mut left = span.ceil_div(Unit::Millisecond.span().as_nanos()).unsigned_abs();
    for unit in Unit::ALL {
        let length = unit.span().ceil_div(Unit::Millisecond.span().as_nanos()).unsigned_abs();
        if left >= length {
            text.push_str(&format!("{}{}", left / length, unit.name()));
            left %= length;
        }
    }
    if text.is_empty() || text == "-" { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::super::{parse_clock_time, parse_duration, write_duration};
    use super::*;

    #[test]
    fn a_duration_is_written_in_the_largest_units_and_read_back() {
        for (text, span) in [
            ("0s", Span::ZERO),
            ("1ms", Span::from_millis(1)),
            ("500ms", Span::from_millis(500)),
            ("45s", Span::from_secs(45)),
            ("2m30s", Span::from_secs(150)),
            ("1h30m", Span::from_mins(90)),
            ("1h1m1s1ms", Span::from_millis(3_661_001)),
            ("99h", Span::from_hours(99)),
        ] {
            assert_eq!(write_duration(span), text);
            assert_eq!(parse_duration(text), Ok(span));
        }
        assert_eq!(parse_duration(" 90m "), Ok(Span::from_mins(90)));
    }

    #[test]
    fn what_lies_below_a_millisecond_or_below_zero_can_still_be_written() {
        assert_eq!(write_duration(Span::from_nanos(1)), "1ms");
        assert_eq!(write_duration(Span::from_millis(-1_500)), "-1s500ms");
        assert_eq!(write_duration(Span::from_nanos(-1)), "0s");
        assert_eq!(write_duration(Span::from_nanos(i64::MIN)), "-2562047h47m16s854ms");
    }

    #[test]
    fn a_clock_time_is_a_duration_or_stands_with_colons() {
        for (text, span) in [
            ("1h5m", Span::from_mins(65)),
            ("90s", Span::from_secs(90)),
            ("12:34", Span::from_secs(754)),
            ("0:00", Span::ZERO),
            ("90:00", Span::from_mins(90)),
            ("1:02:03", Span::from_secs(3_723)),
            ("0:59.5", Span::from_millis(59_500)),
            ("1:02:03.004", Span::from_millis(3_723_004)),
            (" 12:34 ", Span::from_secs(754)),
        ] {
            assert_eq!(parse_clock_time(text), Ok(span), "{text}");
        }
    }

    #[test]
    fn a_wrong_clock_time_is_refused_with_what_would_work() {
        let sentence = |text| parse_clock_time(text).expect_err(text).to_string();
        insta::assert_snapshot!(sentence(""), @r"at character 1: expected a duration, found the end; write a time as in `1h5m`, `90s`, `12:34` or `1:02:03`");
        insta::assert_snapshot!(sentence("5"), @r"at character 1: expected a duration with its unit (h, m, s or ms), found `5`; did you mean `5m`?");
        insta::assert_snapshot!(sentence("12:3"), @r"at character 4: expected a number of two digits from 00 to 59, found `3`; write minutes and seconds as in `12:34`, hours as in `1:02:03`");
        insta::assert_snapshot!(sentence("12:60"), @r"at character 4: expected a number of two digits from 00 to 59, found `60`; write minutes and seconds as in `12:34`, hours as in `1:02:03`");
        insta::assert_snapshot!(sentence("1:2:03"), @r"at character 3: expected a number of two digits from 00 to 59, found `2`; write minutes and seconds as in `12:34`, hours as in `1:02:03`");
        insta::assert_snapshot!(sentence("-5m"), @r"at character 1: `-5m` is impossible: a duration is never negative; did you mean `5m`?");
        insta::assert_snapshot!(sentence("-12:34"), @r"at character 1: `-12:34` is impossible: a duration is never negative; did you mean `12:34`?");
        insta::assert_snapshot!(sentence("12:34.5678"), @r"at character 6: expected a fraction of one to three digits, found `.5678`; write at most three digits behind the point, as in `0.5`");
        insta::assert_snapshot!(sentence("100:00:00"), @r"at character 1: `100:00:00` is impossible: a duration is at most 99h; write a shorter one");
        insta::assert_snapshot!(sentence("12:34 h"), @r"at character 7: expected the end of the time, found `h`; write nothing behind the time");
        insta::assert_snapshot!(sentence("noon"), @r"at character 1: expected a duration, found `noon`; write a time as in `1h5m`, `90s`, `12:34` or `1:02:03`");
    }

    #[test]
    fn a_wrong_duration_is_refused_with_what_would_work() {
        let sentence = |text| parse_duration(text).expect_err(text).to_string();
        insta::assert_snapshot!(sentence("30m1h"), @r"at character 4: expected a unit smaller than the `m` before it, found `1h`; write the units from large to small, each once: 1h30m15s500ms");
        insta::assert_snapshot!(sentence("1m1m"), @r"at character 3: expected a unit smaller than the `m` before it, found `1m`; write the units from large to small, each once: 1h30m15s500ms");
        insta::assert_snapshot!(sentence("1h 30m"), @r"at character 4: expected the end of the duration, found `30m`; did you mean `1h30m`?");
        insta::assert_snapshot!(sentence("1.5m"), @r"at character 2: expected a unit (h, m, s or ms), found `.5m`; write whole numbers of smaller units: 1m30s instead of 1.5m");
        insta::assert_snapshot!(sentence("5 minutes"), @r"at character 1: expected a duration with its unit (h, m, s or ms), found `5`; did you mean `5m`?");
        insta::assert_snapshot!(sentence("5x"), @r"at character 2: expected a unit (h, m, s or ms), found `x`; put a unit behind the number: h, m, s or ms");
        insta::assert_snapshot!(sentence("99h1ms"), @r"at character 1: `99h1ms` is impossible: a duration is at most 99h; write a shorter one");
        insta::assert_snapshot!(sentence("99999999999999999999999h"), @r"at character 1: `99999999999999999999…` is impossible: a duration is at most 99h; write a shorter one");
    }
}
