//! The two sides of a game and the two seats at the table.

use core::fmt;
use core::ops::{Index, IndexMut, Not};

use serde::{Deserialize, Serialize};

use crate::named::named_enum;

named_enum! {
    /// A player by colour.
    #[derive(PartialOrd, Ord)]
    pub enum Side {
        /// White.
        White = "white",
        /// Black.
        Black = "black",
    }
}

named_enum! {
    /// A place at the box: its button, lamp and display.
    #[derive(PartialOrd, Ord, Default)]
    pub enum Seat {
        /// Left, seen from the front of the box.
        #[default]
        Left = "left",
        /// Right, seen from the front of the box.
        Right = "right",
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BySide<T> {
    /// White's value.
    pub white: T,
    /// Black's value.
    pub black: T,
}

impl Side {
    /// White, then Black.
    pub const BOTH: [Side; 2] = Side::ALL;

    /// The seat of this side when White sits on `white_on`.
    #[must_use]
    pub fn seat(self, white_on: Seat) -> Seat {
        match self {
            Side::White => white_on,
            Side::Black => !white_on,
        }
    }
}

impl Seat {
    /// Left, then right.
    pub const BOTH: [Seat; 2] = Seat::ALL;

    /// Who sits here when White sits on `white_on`.
    #[must_use]
    pub fn side(self, white_on: Seat) -> Side {
        if self == white_on { Side::White } else { Side::Black }
    }
}

impl Not for Side {
    type Output = Side;
    /// The opponent.
    fn not(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl Not for Seat {
    type Output = Seat;
    /// The seat opposite.
    fn not(self) -> Seat {
        match self {
            Seat::Left => Seat::Right,
            Seat::Right => Seat::Left,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<T> BySide<T> {
    /// The same value for both.
    pub fn both(value: T) -> Self
    where
        T: Clone,
    {
        BySide { white: value.clone(), black: value }
    }

    /// A value for each side, made by `f`.
    pub fn from_fn(mut f: impl FnMut(Side) -> T) -> Self {
        BySide { white: f(Side::White), black: f(Side::Black) }
    }

    /// Each side's value turned into another.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySide<U> {
        BySide { white: f(self.white), black: f(self.black) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }
}
