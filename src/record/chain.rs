//! The hash chain: each line's `hash` stands on the line before, and the first one of a game on the
//! last one of the game before.
//!
//! The hash of a line is SHA-256 over the hash before it, as it is written (64 hexadecimal
//! digits), and the bytes of the line with `,"hash":"..."` cut out, without the line's end. It
//! shows that a line was changed, taken out or put in; against somebody who computes all of them
//! anew it does not protect.

use core::fmt::{self, Write as _};

use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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

    /// Gives a line its hash as the last member.
    #[must_use]
    pub fn seal(&mut self, bare: String) -> String {
        self.last = self.last.then(&bare);
        let mut sealed = bare;
        sealed.pop();
        // Writing to a text cannot fail.
        let _ = write!(sealed, "{OPENING}{}{CLOSING}", self.last);
        sealed
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

impl Serialize for LineHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LineHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        LineHash::from_hex(&text)
            .ok_or_else(|| D::Error::custom("expected a SHA-256 in 64 hexadecimal digits"))
    }
}

/// The game before, whose last hash a game's first line follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct After {
    /// The name of the game before.
    pub game: String,
    /// The hash of its last line.
    pub hash: LineHash,
}

impl After {
    /// What the first line of a game says, if it does.
    #[must_use]
    pub fn of_line(line: &str) -> Option<After> {
        #[derive(Deserialize)]
        struct FirstLine {
            after: After,
        }
        serde_json::from_str(line).ok().map(|FirstLine { after }| after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(n: u64) -> String {
        format!("{{\"seq\":{n},\"kind\":\"query\"}}")
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
        let line = format!(r#"{{"seq":0,"after":{}}}"#, serde_json::to_string(&after).unwrap());
        assert_eq!(After::of_line(&line), Some(after));
        assert_eq!(After::of_line("{}"), None);
    }
}
