//! As the PGN tag `TimeControl` has it, behind `pgn:`: `40/5400+30:1800+30`, in seconds.
//!
//! The tag's last field "is considered to be implicitly repeated" (PGN standard, 9.6.1): moves
//! without a further field are a `repeat`.

use super::super::cursor::{Cursor, Unit};
use super::super::draft::{Draft, DraftStages};
use super::super::error::Fault;
use super::{increment, plain};
use crate::control::{Method, Stage};
use crate::time::Span;

const REMEDY: &str = "write seconds as in `pgn:300`, `pgn:40/5400+30:1800+30` or `pgn:*180`";

/// Reads the text if it begins with `pgn:`.
pub(super) fn read(text: &str) -> Option<Result<Draft, Fault>> {
    let mut cursor = Cursor::new(text);
    cursor.eat_any_case("pgn:").then(|| read_fields(cursor))
}

fn read_fields(mut cursor: Cursor<'_>) -> Result<Draft, Fault> {
    if let Some('?' | '-') = cursor.peek() {
        return Err(cursor
            .expected("a time control (`?` says unknown, `-` says none)")
            .remedy(REMEDY));
    }
    let mut stages = DraftStages::default();
    loop {
        let start = cursor.at();
        let stage = read_field(&mut cursor)?;
        let counts_moves = stage.moves.is_some();
        stages.push(stage, start, &cursor)?;
        if !cursor.eat(":") {
            stages.repeat = counts_moves;
            break;
        }
    }
    match cursor.end("`+`, `:` and a further field, or the end") {
        Ok(()) => Ok(Draft::both(stages)),
        Err(fault) => Err(fault.remedy(REMEDY)),
    }
}

fn read_field(cursor: &mut Cursor<'_>) -> Result<Stage, Fault> {
    let seconds = |cursor: &mut Cursor<'_>, what| {
        cursor.amount(Unit::Second, what).map_err(|fault| fault.remedy(REMEDY))
    };
    if cursor.eat("*") {
        let sand = seconds(cursor, "the sand")?;
        return Ok(Stage { method: Method::Hourglass, ..plain(None, sand) });
    }
    let mut ahead = cursor.clone();
    ahead.digits();
    ahead.blanks();
    let moves = if ahead.eat("/") {
        let moves = cursor.count("moves")?;
        cursor.eat("/");
        Some(moves)
    } else {
        None
    };
    let base = seconds(cursor, "the time")?;
    let each = if cursor.eat("+") { seconds(cursor, "the increment")? } else { Span::ZERO };
    Ok(Stage { method: increment(each), ..plain(moves, base) })
}
