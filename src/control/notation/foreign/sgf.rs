//! As Go programs write in SGF (properties `TM` and `OT`), behind `sgf:`: main time in seconds,
//! then `5x30 byo-yomi` or `15/300 Canadian`.

use super::super::cursor::{Cursor, Unit};
use super::super::draft::{Draft, DraftStages};
use super::super::error::Fault;
use super::plain;
use crate::control::{Block, Grant, Method, Overtime, Stage};

const REMEDY: &str =
    "write seconds as in `sgf:1200`, `sgf:1200 5x30 byo-yomi` or `sgf:3600 15/300 Canadian`";

/// Reads the text if it begins with `sgf:`.
pub(super) fn read(text: &str) -> Option<Result<Draft, Fault>> {
    let mut cursor = Cursor::new(text);
    cursor.eat_any_case("sgf:").then(|| read_times(cursor).map_err(|fault| fault.remedy(REMEDY)))
}

fn read_times(mut cursor: Cursor<'_>) -> Result<Draft, Fault> {
    let start = cursor.at();
    let main = cursor.amount(Unit::Second, "main time")?;
    let overtime = if cursor.is_at_end() { Overtime::None } else { read_overtime(&mut cursor)? };
    cursor.end("the end")?;
    let method = Method::Main { grant: Grant::None, overtime };
    let mut stages = DraftStages::default();
    stages.push(Stage { method, ..plain(None, main) }, start, &cursor)?;
    Ok(Draft::both(stages))
}

fn read_overtime(cursor: &mut Cursor<'_>) -> Result<Overtime, Fault> {
    let count = cursor.count("periods or moves")?;
    let is_byoyomi = cursor.eat_any_case("x");
    if !is_byoyomi && !cursor.eat("/") {
        return Err(cursor.expected("`x` (byo-yomi) or `/` (Canadian)"));
    }
    let time = cursor.amount(Unit::Second, "its length")?;
    if is_byoyomi {
        if !cursor.eat_any_case("byo-yomi") && !cursor.eat_any_case("byoyomi") {
            return Err(cursor.expected("`byo-yomi`"));
        }
        Ok(Overtime::Byoyomi { periods: count, each: time, free: None, burn_on_entry: false })
    } else {
        if !cursor.eat_any_case("canadian") {
            return Err(cursor.expected("`Canadian`"));
        }
        Ok(Overtime::Canadian { blocks: [Block::new(count, time)].into_iter().collect() })
    }
}
