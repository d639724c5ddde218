//! The hash chain: each line's `hash` stands on the line before, and the first one of a game on the
//! last one of the game before.
//!
//! The hash of a line is SHA-256 over the hash before it, as it is written (64 hexadecimal
//! digits), and the bytes of the line with `,"hash":"..."` cut out, without the line's end. It
//! shows that a line was changed, taken out or put in; against somebody who computes all of them
//! anew it does not protect.

use core::fmt;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Fields, fields};

/// The hash of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineHash([u8; 32]);

/// What stands before the hash in a line, and behind it.
const OPENING: &str = r#","hash":""#;
const CLOSING: &str = r#""}"#;
/// Hexadecimal digits of a hash.
const DIGITS: usize = 64;

impl LineHash {
    /// What the very first line of all stands on: 64 zeros.
    pub const NOTHING: LineHash = LineHash([0; 32]);

    /// Reads 64 hexadecimal digits.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<LineHash> {
        if text.len() != DIGITS || !text.is_ascii() {
            return None;
        }
        let mut hash = [0; 32];
        for (byte, at) in hash.iter_mut().zip((0..).step_by(2)) {
            let digits = text.get(at..at + 2)?;
            // `from_str_radix` takes a sign, which is no digit.
            *byte = u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
        }
        Some(LineHash(hash))
    }

    /// The hash of a line without its hash that follows a line of this one.
    #[must_use]
    pub fn then(&self, line: &str) -> LineHash {
        let digest = Sha256::new().chain_update(self.to_string()).chain_update(line).finalize();
        LineHash(digest.into())
    }
}

impl fmt::Display for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Gives lines their hashes, in their order.
#[derive(Clone, Debug)]
pub struct Chain {
    last: LineHash,
}

impl Chain {
    /// A chain that goes on after a line of this hash.
    #[must_use]
    pub const fn after(last: LineHash) -> Self {
        Chain { last }
    }

    /// The hash of the newest line.
    #[must_use]
    pub const fn last(&self) -> LineHash {
        self.last
    }

    /// Writes a line with its hash as the last member.
    #[must_use]
    pub fn seal(&mut self, line: Fields) -> String {
        let bare = Value::from(line).to_string();
        self.last = self.last.then(&bare);
        let open = bare.strip_suffix('}').unwrap_or(&bare);
        format!("{open}{OPENING}{}{CLOSING}", self.last)
    }
}

/// A line without its hash, and the hash; `None` where none is its last member.
#[must_use]
pub fn unseal(line: &str) -> Option<(String, LineHash)> {
    let open = line.strip_suffix(CLOSING)?;
    let (rest, digits) = open.split_at_checked(open.len().checked_sub(DIGITS)?)?;
    let bare = rest.strip_suffix(OPENING)?;
    Some((format!("{bare}}}"), LineHash::from_hex(digits)?))
}

/// What a game's first line stands on: the game before and the hash of its last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// The game before.
    pub game: String,
    /// The hash of its last line.
    pub hash: LineHash,
}

impl After {
    /// The name of the member in the first line of a game.
    pub const MEMBER: &str = "after";

    /// As it is written.
    #[must_use]
    pub fn fields(&self) -> Fields {
        fields([("game", self.game.as_str().into()), ("hash", self.hash.to_string().into())])
    }

    /// As the first line of a game says it, if it does.
    #[must_use]
    pub fn of_line(line: &str) -> Option<After> {
        let line: Value = serde_json::from_str(line).ok()?;
        After::read(line.get(Self::MEMBER)?)
    }

    /// Reads the member.
    pub(super) fn read(after: &Value) -> Option<After> {
        let game = after.get("game")?.as_str()?.to_owned();
        Some(After { game, hash: LineHash::from_hex(after.get("hash")?.as_str()?)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(n: u64) -> Fields {
        fields([("seq", n.into()), ("kind", "query".into())])
    }

    #[test]
    fn a_sealed_line_is_unsealed_to_what_it_was() {
        let mut chain = Chain::after(LineHash::NOTHING);
        let sealed = chain.seal(line(0));
        let (bare, hash) = unseal(&sealed).expect("a hash");
        assert_eq!(bare, r#"{"seq":0,"kind":"query"}"#);
        assert_eq!(hash, chain.last());
        assert_eq!(hash, LineHash::NOTHING.then(&bare));
    }

    #[test]
    fn the_hash_is_that_of_the_text_that_anybody_can_put_together() {
        // printf '%064d%s' 0 '{"seq":0,"kind":"query"}' | sha256sum
        let sealed = Chain::after(LineHash::NOTHING).seal(line(0));
        let expected = "ea49dbf3ea2625e5d78324cad1ff933d3bcd23c4f2dff24222b8a1c94a6e6d3b";
        assert_eq!(unseal(&sealed).map(|(_, hash)| hash.to_string()).as_deref(), Some(expected));
    }

    #[test]
    fn each_hash_stands_on_the_one_before() {
        let mut chain = Chain::after(LineHash::NOTHING);
        let (first, second) = (chain.seal(line(0)), chain.seal(line(0)));
        assert_ne!(unseal(&first), unseal(&second));
    }

    #[test]
    fn what_is_no_hash_is_none() {
        let good = Chain::after(LineHash::NOTHING).seal(line(0));
        for text in [
            "",
            "{}",
            r#"{"kind":"query"}"#,
            &good[..good.len() - 1],
            &good.replace(r#","hash""#, r#","hush""#),
            r#"{"kind":"query","hash":"++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++"}"#,
            r#"{"kind":"query","hash":"ä"}"#,
        ] {
            assert_eq!(unseal(text), None, "{text}");
        }
    }

    #[test]
    fn what_a_game_stands_on_is_read_back() {
        let after = After { game: "g".to_owned(), hash: LineHash::NOTHING.then("x") };
        let line = fields([("seq", 0.into()), (After::MEMBER, after.fields().into())]);
        assert_eq!(After::of_line(&Value::from(line).to_string()), Some(after));
        assert_eq!(After::of_line("{}"), None);
    }
}
