//! As chess sites write: `3+2`, minutes and seconds.

use super::super::cursor::{Cursor, Unit};
use super::super::draft::{Draft, DraftStages};
use super::super::error::Fault;
use super::{increment, plain};

/// Reads the text if it is two numbers with a plus between them.
pub(super) fn read(text: &str) -> Option<Result<Draft, Fault>> {
    looks_like(text).then(|| read_numbers(text))
}

fn looks_like(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    let minutes = cursor.digits();
    cursor.blanks();
    let plus = cursor.eat("+");
    let seconds = cursor.digits();
    cursor.blanks();
    !minutes.is_empty() && plus && !seconds.is_empty() && cursor.is_at_end()
}

fn read_numbers(text: &str) -> Result<Draft, Fault> {
    let mut cursor = Cursor::new(text);
    let start = cursor.at();
    let base = cursor.amount(Unit::Minute, "the time")?;
    cursor.eat("+");
    let each = cursor.amount(Unit::Second, "the increment")?;
    let mut stages = DraftStages::default();
    let mut stage = plain(None, base);
    stage.method = increment(each);
    stages.push(stage, start, &cursor)?;
    Ok(Draft::both(stages))
}
