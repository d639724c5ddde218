//! Reading the canonical form: sides, stages and what is common to them. What a method looks
//! like stands in [`method`].
//!
//! ```text
//! control  := sides | "white" sides ";" "black" sides
//! sides    := stage { "," stage } [ "repeat" ] | whole
//! stage    := [ N "/" ] [ duration ] { method } [ "confirm" ]
//! method   := "+" duration [ "cap" duration ]
//!           | "delay" duration
//!           | "bronstein" duration
//!           | "byoyomi" N "x" duration [ "free" duration ] [ "burn-on-entry" ]
//!           | "canadian" N "/" duration { "then" N "/" duration }
//!           | "overtime" duration
//! whole    := "hourglass" duration | "move" duration [ "continue" ] | "gong" duration
//!           | "up" [ duration ]
//! duration := one or more of 1h 30m 45s 500ms, from long to short, written together
//! ```

use super::cursor::{Cursor, Unit};
use super::draft::{Draft, DraftStages};
use super::error::Fault;
use super::method::{self, Methods};
use super::{duration, words};
use crate::control::Stage;
use crate::time::Span;

const STAGE: &str = "the time of a stage, such as `5m` or `40/1h30m`";
const AFTER_REPEAT: &str = "the end, since `repeat` concerns the last stage";
const AFTER_STAGE: &str = "a method, `,` and a further stage, or the end";

/// Reads a control in the canonical form.
pub(super) fn read(text: &str) -> Result<Draft, Fault> {
    let mut cursor = Cursor::new(text);
    if cursor.eat_word("white") {
        let white = read_side(&mut cursor)?;
        read_black(&mut cursor)?;
        let black = read_side(&mut cursor)?;
        cursor.end("the end, after White's and Black's stages")?;
        return Ok(Draft::unequal(white, black));
    }
    if cursor.peek_word() == "black" {
        return Err(cursor
            .expected("White's side")
            .remedy("write White first, as in `white 5m; black 4m`"));
    }
    let start = cursor.at();
    let stages = read_side(&mut cursor)?;
    if cursor.peek() == Some(';') {
        return Err(cursor
            .expected("the end")
            .remedy("write unequal sides as in `white 5m; black 4m`")
            .fix(start..start, "white "));
    }
    Ok(Draft::both(stages))
}

/// Passes over what stands between the two sides.
fn read_black(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    let remedy = "write both sides, as in `white 5m; black 4m`";
    if !cursor.eat(";") {
        return Err(cursor.expected("`;` and Black's side").remedy(remedy));
    }
    if !cursor.eat_word("black") {
        let at = cursor.at();
        return Err(cursor.expected("`black`").remedy(remedy).fix(at..at, "black "));
    }
    Ok(())
}

/// Reads the stages of a side, up to a `;` or the end.
fn read_side(cursor: &mut Cursor<'_>) -> Result<DraftStages, Fault> {
    let mut stages = DraftStages::default();
    loop {
        let start = cursor.at();
        let stage = read_stage(cursor)?;
        stages.push(stage, start, cursor)?;
        if !cursor.eat(",") {
            break;
        }
    }
    stages.repeat = cursor.eat_word("repeat");
    match cursor.peek() {
        None | Some(';') => Ok(stages),
        Some(_) if stages.repeat => {
            Err(cursor.expected(AFTER_REPEAT).remedy("write `repeat` once, behind the last stage"))
        }
        Some(_) => Err(misplaced(cursor)),
    }
}

/// Reads one stage.
fn read_stage(cursor: &mut Cursor<'_>) -> Result<Stage, Fault> {
    let moves = read_moves(cursor)?;
    let start = cursor.at();
    let base = match cursor.peek() {
        Some(c) if c.is_ascii_digit() || "-−".contains(c) => Some(read_base(cursor)?),
        _ => None,
    };
    let base_at = cursor.since(start);
    let mut methods = Methods::default();
    while method::read(cursor, &mut methods)? {}
    if base.is_none() && methods.is_empty() {
        return Err(with_word_meant(cursor, cursor.expected(STAGE)));
    }
    let (base, method) = methods.assemble(base, base_at)?;
    let confirm = cursor.eat_word("confirm");
    Ok(Stage { moves, base, method, confirm })
}

/// Reads the time of a stage.
fn read_base(cursor: &mut Cursor<'_>) -> Result<Span, Fault> {
    let mut ahead = cursor.clone();
    ahead.digits();
    ahead.blanks();
    let looks_like_pgn = ahead.peek() == Some('+');
    duration::read(cursor, STAGE, Unit::Minute).map_err(|fault| match looks_like_pgn {
        true => {
            fault.remedy("put a unit behind each number, or `pgn:` in front if all are seconds")
        }
        false => fault,
    })
}

/// Reads the number of moves and its `/`, if a stage begins with them.
fn read_moves(cursor: &mut Cursor<'_>) -> Result<Option<u32>, Fault> {
    let mut ahead = cursor.clone();
    let counts_moves = !ahead.digits().is_empty() && {
        ahead.blanks();
        ahead.eat("/")
    };
    if !counts_moves {
        return Ok(None);
    }
    let moves = cursor.count("moves")?;
    cursor.eat("/");
    Ok(Some(moves))
}

/// What to say of something that stands behind a stage and belongs neither to it nor after it.
fn misplaced(cursor: &Cursor<'_>) -> Fault {
    if cursor.peek_word() == "black" {
        return cursor.expected("`;` before Black's side").fix(cursor.blanks_before(), "; ");
    }
    let word = cursor.peek_word();
    if !word.is_empty() && !words::is_known(word) {
        let fault = cursor.expected("a method").remedy(
            "write one of `+2s`, `delay 5s`, `bronstein 5s`, `byoyomi 5x30s`, `canadian 20/5m`, \
             `overtime 10m`",
        );
        return with_word_meant(cursor, fault);
    }
    let fault = cursor.expected(AFTER_STAGE);
    let at = cursor.at();
    match cursor.peek() {
        Some('/') => {
            fault.remedy("write the moves before the time, as in `40/2h`, or as FIDE: `120'/40`")
        }
        Some(c) if c.is_ascii_digit() => fault
            .remedy("write a duration without blanks, as in `1h30m`, and `,` between stages")
            .fix(cursor.blanks_before(), ""),
        Some('|') => fault.fix(at..at + 1, "+"),
        _ => fault,
    }
}

/// Adds to the fault the word that was probably meant by the one that stands here.
fn with_word_meant(cursor: &Cursor<'_>, fault: Fault) -> Fault {
    let word = cursor.peek_word();
    match words::meant_by(word) {
        Some(meant) => fault.fix(cursor.at()..cursor.at() + word.len(), meant),
        None => fault,
    }
}
