//! States and journal lines in words.
//!
//! Works on members of the journal and of the bus alike, so that a replay reads like a live game.

use serde_json::Value;

use super::output::{Ink, Printer};
use crate::control::Side;
use crate::control::quote::quote;
use crate::record::Fields;
use crate::time::Span;
pub(super) use crate::time::written::{Digits, point, time};

/// One side's clock as members of a state.
pub(super) struct SideClock<'a> {
    pub(super) side: Side,
    fields: &'a Fields,
    pub(super) runs: bool,
    pub(super) to_move: bool,
}

impl<'a> SideClock<'a> {
    /// White's and Black's clock, where the state has them.
    pub(super) fn both(state: &'a Fields) -> impl Iterator<Item = SideClock<'a>> {
        let running = state.get("phase").and_then(Value::as_str) == Some("running");
        let to_move = state.get("to_move").and_then(Value::as_str);
        Side::BOTH.into_iter().filter_map(move |side| {
            let fields = state.get(side.name())?.as_object()?;
            let to_move = to_move == Some(side.name());
            Some(SideClock { side, fields, runs: running && to_move, to_move })
        })
    }

    /// The displayed time; for a count-up without limit the elapsed time.
    pub(super) fn shown(&self) -> Option<Span> {
        span(self.fields, "remaining").or_else(|| span(self.fields, "main"))
    }

    /// The main time, where it differs from the displayed time.
    pub(super) fn main(&self, digits: Digits) -> Vec<String> {
        let main = span(self.fields, "main").filter(|main| Some(*main) != self.shown());
        main.map(|main| format!("main {}", time(main, digits))).into_iter().collect()
    }

    /// The displayed time as text.
    pub(super) fn time(&self, digits: Digits) -> String {
        self.shown().map_or_else(|| "-".to_owned(), |left| time(left, digits))
    }

    /// `>` for the running clock, `|` for the side to move while its clock is stopped.
    pub(super) fn mark(&self) -> &'static str {
        match (self.runs, self.to_move) {
            (true, _) => ">",
            (false, true) => "|",
            (false, false) => " ",
        }
    }

    /// What the method adds to the time: delay, periods, stones, points, flag.
    pub(super) fn method(&self, digits: Digits) -> Vec<String> {
        let mut parts = self.beside(digits);
        parts.extend(self.flag());
        parts
    }

    /// The same without the flag.
    pub(super) fn beside(&self, digits: Digits) -> Vec<String> {
        let mut parts = Vec::new();
        if let Some(left) = span(self.fields, "allowance").filter(|left| left.is_positive()) {
            parts.push(format!("delay {}", time(left, digits)));
        }
        for (name, one, many) in [
            ("periods", "period", "periods"),
            ("stones", "stone", "stones"),
            ("points", "point", "points"),
        ] {
            if let Some(number) = self.number(name) {
                parts.push(format!("{number} {}", if number == 1 { one } else { many }));
            }
        }
        if self.fields.get("stage_pending").and_then(Value::as_bool) == Some(true) {
            parts.push("next stage to be confirmed".to_owned());
        }
        parts
    }

    /// Stage and moves, where the reader may see them.
    pub(super) fn progress(&self) -> Vec<String> {
        let mut parts = Vec::new();
        parts.extend(self.number("stage").map(|stage| format!("stage {stage}")));
        parts.extend(
            self.number("moves")
                .map(|moves| format!("{moves} {}", if moves == 1 { "move" } else { "moves" })),
        );
        parts.extend(self.number("moves_to_stage").map(|left| format!("{left} to the next stage")));
        parts
    }

    /// Penalties by offence.
    pub(super) fn penalties(&self) -> Vec<String> {
        let counts = self.fields.get("penalties").and_then(Value::as_object);
        let counts = counts.into_iter().flatten();
        let counts = counts.filter_map(|(name, count)| Some((name, count.as_u64()?)));
        counts
            .filter(|(_, count)| *count > 0)
            .map(|(offence, count)| {
                let (offence, more) =
                    (offence.replace('-', " "), if count == 1 { "" } else { "s" });
                format!("{count} {offence}{more}")
            })
            .collect()
    }

    pub(super) fn flag(&self) -> Option<String> {
        let flag = self.fields.get("flag")?.as_str()?;
        let at = span(self.fields, "flag_at")?;
        Some(format!("{} at {}", flag_word(flag), point(at, Digits::Tenths)))
    }

    /// True where the flag has fallen.
    pub(super) fn fell(&self) -> bool {
        self.fields.get("flag").and_then(Value::as_str) == Some("fall")
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.fields.get(name)?.as_u64()
    }
}

fn flag_word(flag: &str) -> &str {
    match flag {
        "fall" => "flag fell",
        "stage" => "stage flag",
        other => other,
    }
}

/// Makes a time of the number in a member.
type FromNumber = fn(i64) -> Span;

/// The units in the names of members.
const UNITS: [(&str, FromNumber); 2] = [("_us", Span::from_micros), ("_ns", Span::from_nanos)];

/// A time among the members, if there is one: `name` followed by `_us` or `_ns`.
pub(super) fn span(fields: &Fields, name: &str) -> Option<Span> {
    let read =
        |(unit, span): (&str, FromNumber)| fields.get(&format!("{name}{unit}"))?.as_i64().map(span);
    UNITS.into_iter().find_map(read)
}

/// Both clocks, a line each.
pub(super) fn two_lines(state: &Fields, output: &Printer) -> String {
    let lines: Vec<_> = SideClock::both(state)
        .map(|clock| {
            let name = capital(clock.side.name());
            let mut parts = clock.progress();
            parts.extend(clock.method(Digits::Tenths));
            parts.extend(clock.penalties());
            let shown = format!("{} {name}  {:>10}", clock.mark(), clock.time(Digits::Tenths));
            let shown = match (clock.fell(), clock.to_move) {
                (true, _) => output.ink(Ink::Red, &shown),
                (false, true) => output.ink(Ink::Bold, &shown),
                (false, false) => shown,
            };
            format!("{shown}   {}", parts.join(", ")).trim_end().to_owned()
        })
        .collect();
    lines.join("\n")
}

/// Both clocks in one line, for a list.
pub(super) fn one_line(state: &Fields, digits: Digits) -> String {
    let clocks: Vec<_> = SideClock::both(state)
        .map(|clock| {
            let parts = clock.method(digits);
            let parts =
                if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
            let letter = if clock.side == Side::White { "W" } else { "B" };
            let width = 9 + digits as usize;
            format!("{letter}{}{:>width$}{parts}", clock.mark(), clock.time(digits))
        })
        .collect();
    clocks.join("  ")
}

/// The phase and whose turn it is, in words.
pub(super) fn phase(state: &Fields) -> String {
    let text = |name| state.get(name).and_then(Value::as_str).unwrap_or("?");
    let side = capital(text("to_move"));
    match text("phase") {
        "ready" => format!("ready, {side} moves first"),
        phase => format!("{phase}, {side} to move"),
    }
}

/// The name of an operation or an effect, and its members in a few words.
pub(super) fn named(name: &str, members: &Fields) -> String {
    let words = words(members, Digits::Tenths);
    format!("{} {words}", name.replace('_', " ")).trim_end().to_owned()
}

/// Members that are printed elsewhere.
const APART: [&str; 6] = ["game", "seq", "at_us", "at_ns", "kind", "state"];

/// The other members of a line in a few words: `white`, `stage 2`, `added 30:00.000`.
pub(super) fn words(fields: &Fields, digits: Digits) -> String {
    let words: Vec<_> = fields
        .iter()
        .filter(|(name, _)| !APART.contains(&name.as_str()))
        .filter_map(|(name, value)| member(name, value, digits))
        .collect();
    words.join(" ")
}

fn member(name: &str, value: &Value, digits: Digits) -> Option<String> {
    for (unit, span) in UNITS {
        if let Some(name) = name.strip_suffix(unit) {
            return Some(format!("{name} {}", time(span(value.as_i64()?), digits)));
        }
    }
    match value {
        Value::Null => None,
        Value::Bool(true) => Some(name.to_owned()),
        // `no first` would only confuse.
        Value::Bool(false) => (name != "first").then(|| format!("no {name}")),
        // Control characters must not reach the terminal.
        Value::String(text) => Some(quote(text, text.len())),
        Value::Number(number) => Some(format!("{name} {number}")),
        Value::Array(_) => Some(format!("{name} {value}")),
        Value::Object(inner) => Some(format!("{name} ({})", words(inner, digits))),
    }
}

/// `White` for `white`.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_told_in_words() {
        let fields: Fields = serde_json::from_str(
            r#"{"at_us":1,"kind":"flag","side":"white","flag":"fall","first":true,"stage":2,"added_us":1800000000,
                "none":null,"refund":false,"black":{"moves":3}}"#,
        )
        .unwrap();
        let told = words(&fields, Digits::Millis);
        assert_eq!(told, "white fall first stage 2 added 30:00.000 no refund black (moves 3)");
    }

    #[test]
    fn what_somebody_wrote_is_told_whole_and_controls_no_terminal() {
        let fields = crate::record::fields([("reason", "Größe \u{1b}[2J\u{202e}Uhr".into())]);
        assert_eq!(words(&fields, Digits::Millis), "Größe \u{fffd}[2J\u{fffd}Uhr");
    }
}
