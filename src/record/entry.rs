//! A whole line of a journal, ready to be written.

use super::chain::{After, Chain};
use super::{Fields, Precision, at_us, fields, state_fields};
use crate::engine::Snapshot;
use crate::time::Span;

/// What a line of a journal tells.
#[derive(Debug)]
pub struct Entry<'a> {
    /// Its number within the game, from 0.
    pub seq: u64,
    /// When, since the game began; written to the nanosecond, so that a replay is exact.
    pub at: Span,
    /// Its kind.
    pub kind: &'a str,
    /// Wall time as RFC 3339, for people.
    pub wall: String,
    /// Who caused it; `None` for an effect.
    pub origin: Option<&'a str>,
    /// The line's own members.
    pub fields: &'a Fields,
    /// The game after it.
    pub snapshot: &'a Snapshot,
    /// In the first line of a game: what its hash stands on, where that is another game.
    pub after: Option<&'a After>,
}

impl Entry<'_> {
    /// The line's text with its hash, the next link of a chain.
    #[must_use]
    pub fn seal(self, chain: &mut Chain) -> String {
        let mut line = fields([
            ("seq", self.seq.into()),
            ("at_us", at_us(self.at, Precision::Nanos)),
            ("kind", self.kind.into()),
            ("wall", self.wall.into()),
        ]);
        line.extend(self.origin.map(|origin| ("origin".to_owned(), origin.into())));
        line.extend(self.fields.clone());
        line.extend(self.after.map(|after| (After::MEMBER.to_owned(), after.fields().into())));
        line.insert("state".to_owned(), state_fields(self.snapshot, Precision::Micros).into());
        chain.seal(line)
    }
}
