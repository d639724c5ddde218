//! As US Chess writes: `G/60;d5`, `40/90,SD/30;+30`. Minutes; the delay or increment behind the
//! semicolon, in seconds, holds for all stages.

use super::super::cursor::{Cursor, Unit};
use super::super::draft::{Draft, DraftStages};
use super::super::error::Fault;
use super::{increment, plain};
use crate::control::{Grant, Method, Stage};
use crate::time::Span;

const REMEDY: &str = "write it as in `G/60;d5`, `G/3;inc2` or `40/90,SD/30;+30`";

/// Reads the text if it begins with `G/`, `SD/` or with moves and bare minutes.
pub(super) fn read(text: &str) -> Option<Result<Draft, Fault>> {
    looks_like(text).then(|| read_controls(text))
}

fn looks_like(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    if eat_rest_of_game(&mut cursor) {
        return true;
    }
    let moves = cursor.digits();
    let slash = cursor.eat("/");
    let minutes = cursor.digits();
    cursor.blanks();
    !moves.is_empty()
        && slash
        && !minutes.is_empty()
        && matches!(cursor.peek(), None | Some(',' | ';'))
}

/// Passes over `G/` (game) or `SD/` (sudden death).
fn eat_rest_of_game(cursor: &mut Cursor<'_>) -> bool {
    cursor.eat_any_case("g/") || cursor.eat_any_case("sd/")
}

fn read_controls(text: &str) -> Result<Draft, Fault> {
    let mut cursor = Cursor::new(text);
    let mut stages = DraftStages::default();
    loop {
        let start = cursor.at();
        let stage = read_control(&mut cursor)?;
        stages.push(stage, start, &cursor)?;
        if !cursor.eat(",") {
            break;
        }
    }
    if !cursor.is_at_end() {
        let method = read_grant(&mut cursor)?;
        for stage in stages.stages_mut() {
            stage.method = method;
        }
    }
    Ok(Draft::both(stages))
}

fn read_control(cursor: &mut Cursor<'_>) -> Result<Stage, Fault> {
    let moves = if eat_rest_of_game(cursor) {
        None
    } else {
        if !cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err(cursor.expected("`SD/` and minutes, or moves and minutes").remedy(REMEDY));
        }
        let moves = cursor.count("moves")?;
        if !cursor.eat("/") {
            return Err(cursor.expected("`/` and the minutes").remedy(REMEDY));
        }
        Some(moves)
    };
    let base = cursor.amount(Unit::Minute, "the time").map_err(|fault| fault.remedy(REMEDY))?;
    Ok(plain(moves, base))
}

/// Reads the delay or increment and what stands before it.
fn read_grant(cursor: &mut Cursor<'_>) -> Result<Method, Fault> {
    if !cursor.eat(";") {
        let fault = cursor.expected("`,`, `;` or the end").remedy(REMEDY);
        let looks_like_grant = cursor.peek().is_some_and(|c| "+diDI".contains(c));
        return Err(if looks_like_grant { fault.fix(cursor.blanks_before(), ";") } else { fault });
    }
    let is_increment = cursor.eat("+") || cursor.eat_any_case("inc");
    if !is_increment && !cursor.eat_any_case("d") {
        return Err(cursor.expected("a delay or increment (`d5`, `inc2`, `+30`)").remedy(REMEDY));
    }
    cursor.eat("/");
    let each = cursor.amount(Unit::Second, "its length").map_err(|fault| fault.remedy(REMEDY))?;
    cursor.end("the end, since the delay or increment holds for all stages")?;
    Ok(match each {
        Span::ZERO => Method::PLAIN,
        each if is_increment => increment(each),
        each => Method::granting(Grant::Delay { each }),
    })
}
