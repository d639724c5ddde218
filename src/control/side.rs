//! The two sides of a game and the two seats at the table.

use core::fmt;
use core::ops::{Index, IndexMut, Not};

use serde::{Deserialize, Serialize};

/// A player by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// A place at the box: its button, lamp and display.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Seat {
    /// Left, seen from the front of the box.
    #[default]
    Left,
    /// Right, seen from the front of the box.
    Right,
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
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The name on the wire: `white` or `black`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// The side of that name; only the exact words `white` and `black` are names.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| side.name() == name)
    }

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
    pub const BOTH: [Seat; 2] = [Seat::Left, Seat::Right];

    /// The name on the wire: `left` or `right`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Seat::Left => "left",
            Seat::Right => "right",
        }
    }

    /// The seat of that name; only the exact words `left` and `right` are names.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| seat.name() == name)
    }

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
