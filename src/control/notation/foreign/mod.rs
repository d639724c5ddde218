//! Readers for the notations that chess players, arbiters and programs write elsewhere.
//!
//! Each knows one notation and hands over a draft; none writes.

use super::draft::Draft;
use super::error::Fault;
use crate::control::{Grant, Method, Stage};
use crate::time::Span;

mod fide;
mod pgn;
mod sgf;
mod sites;
mod us;

/// Reads the text if it looks like one of these notations; `None` if it does not.
pub(super) fn read(text: &str) -> Option<Result<Draft, Fault>> {
    pgn::read(text)
        .or_else(|| sgf::read(text))
        .or_else(|| fide::read(text))
        .or_else(|| us::read(text))
        .or_else(|| sites::read(text))
}

/// A stage without a method of its own.
fn plain(moves: Option<u32>, base: Span) -> Stage {
    Stage { moves, base, method: Method::PLAIN, confirm: false }
}

/// Main time with an increment; one of nothing is none.
fn increment(each: Span) -> Method {
    if each == Span::ZERO {
        Method::PLAIN
    } else {
        Method::granting(Grant::Increment { each, cap: None })
    }
}
