//! Keys.

/// The keys of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// The left player's button.
    Left,
    /// The right player's button.
    Right,
    /// Pause.
    Pause,
    /// Minus.
    Minus,
    /// Plus.
    Plus,
    /// Ok.
    Ok,
}
