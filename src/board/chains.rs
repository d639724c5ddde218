//! One way for rows to all displays, be they behind one chip select or two.

use super::{Chain, DisplayFault};

/// The displays behind one chip select, or the left one behind the first and the right one behind
/// the second.
#[derive(Debug)]
pub struct Chains<C> {
    /// The first chip select.
    pub first: C,
    /// The second one, where there is a display of its own behind it.
    pub second: Option<C>,
}

impl<C: Chain> Chain for Chains<C> {
    /// A row has the right display's word first: it would travel farthest.
    fn transfer(&mut self, row: &[u8]) -> Result<(), DisplayFault> {
        match (&mut self.second, row.split_at_checked(2)) {
            (Some(second), Some((right, left))) => {
                second.transfer(right)?;
                self.first.transfer(left)
            }
            _ => self.first.transfer(row),
        }
    }
}
