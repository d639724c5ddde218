//! What can be chosen: the presets and the slots of the box's own controls.
//!
//! Put together outside the timing thread, which then only turns its pages.

use super::entry::{DURATION, Entry};
use super::own::Own;
use super::page::Line;
use crate::control::presets::Preset;
use crate::control::{Control, Grant, Method, Overtime, Side, Stage};
use crate::display::DIGITS;
use crate::display::glyph::{DARK, NUMERALS, encode};
use crate::time::Span;

/// Slots for controls that are put together on the box.
pub const SLOTS: usize = 5;

/// The most presets that are offered: two digits number them.
pub const MOST_PRESETS: usize = 99;

/// Everything that can be chosen. A *choice* counts through the presets, then through the slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// Tells this catalogue from those before it, whose presets may stand elsewhere.
    pub edition: u32,
    /// The presets in their order.
    pub presets: Vec<Offer>,
    /// The box's own controls.
    pub slots: [Slot; SLOTS],
}

/// A slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// How it is shown; `None` while it is empty.
    pub offer: Option<Offer>,
    /// Its control, to be changed. Boxed because of its size.
    pub own: Option<Box<Own>>,
}

impl Catalogue {
    /// How many choices there are.
    #[must_use]
    pub const fn choices(&self) -> usize {
        self.presets.len() + SLOTS
    }

    /// What is offered there; `None` for an empty slot.
    #[must_use]
    pub fn offer(&self, choice: usize) -> Option<&Offer> {
        match choice.checked_sub(self.presets.len()) {
            None => self.presets.get(choice),
            Some(slot) => self.slots.get(slot)?.offer.as_ref(),
        }
    }

    /// Where what stood at a choice of another catalogue stands in this one: the choice, and
    /// whether it is the same control still. What is not there any more is followed by its
    /// neighbour.
    #[must_use]
    pub fn follow(&self, old: &Catalogue, choice: usize) -> (usize, bool) {
        if let Some(slot) = choice.checked_sub(old.presets.len()) {
            return (self.presets.len() + slot, true);
        }
        let Some(was) = old.presets.get(choice) else { return (0, false) };
        match self.presets.iter().position(|offer| offer.id == was.id) {
            Some(place) => (place, self.presets[place].outline == was.outline),
            None => (choice.min(self.presets.len().saturating_sub(1)), false),
        }
    }
}

/// A control that is offered: lines for both displays, shown one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The preset's id; empty for a slot.
    pub id: Box<str>,
    /// Its number and name.
    pub name: Vec<Line>,
    /// What it is.
    pub outline: Vec<Line>,
}

impl Offer {
    /// A preset under its number (1 to 99) and label. Number and label share the display where they
    /// fit with a dark digit between them, else they take turns.
    #[must_use]
    pub fn of_preset(number: u32, preset: &Preset) -> Offer {
        let label = Line::word(&preset.label);
        let len = label.cells.iter().rposition(|cell| *cell != DARK).map_or(0, |last| last + 1);
        let width = if number < 10 { 1 } else { 2 };
        let name = if width + 1 + len <= DIGITS {
            let mut line = Line::DARK.number(width - 1, number);
            line.cells[width + 1..=width + len].copy_from_slice(&label.cells[..len]);
            vec![line]
        } else {
            vec![label, Line::word("n").number(DIGITS - 1, number)]
        };
        Offer { id: preset.id.as_str().into(), name, outline: outline(&preset.control) }
    }

    /// The slot's control, under the slot's number.
    #[must_use]
    pub fn of_slot(slot: usize, control: &Control) -> Offer {
        Offer { id: "".into(), name: vec![slot_name(slot)], outline: outline(control) }
    }
}

/// `oUn 1` to `oUn 5`.
#[must_use]
pub fn slot_name(slot: usize) -> Line {
    Line::word("oUn").number(4, u32::try_from(slot).unwrap_or(0) + 1)
}

/// Writes the lines of an outline.
struct Writer {
    lines: Vec<Line>,
    /// Where the sides differ: `U` for White, `b` for Black.
    side: Option<char>,
    /// Where there are several stages.
    stage: Option<usize>,
}

fn outline(control: &Control) -> Vec<Line> {
    let mut writer = Writer { lines: Vec::new(), side: None, stage: None };
    let sides: &[Side] = if control.is_equal() { &[Side::White] } else { &Side::BOTH };
    for side in sides {
        let stages = &control.sides[*side];
        writer.side = (sides.len() > 1).then_some(if *side == Side::White { 'U' } else { 'b' });
        for (index, stage) in stages.list.iter().enumerate() {
            writer.stage = (stages.list.len() > 1).then_some(index + 1);
            writer.stage(stage);
        }
        if stages.repeat {
            writer.word("rEPEAt");
        }
    }
    writer.lines
}

impl Writer {
    fn stage(&mut self, stage: &Stage) {
        if let Some(moves) = stage.moves {
            self.number('n', moves);
        }
        match &stage.method {
            Method::Main { grant, overtime } => {
                self.time(' ', stage.base);
                self.grant(grant);
                self.overtime(overtime);
            }
            Method::Hourglass => {
                self.word("HoUr");
                self.time(' ', stage.base);
            }
            Method::PerMove { .. } => {
                self.word("PEr");
                self.time(' ', stage.base);
            }
            Method::Gong => {
                self.word("GonG");
                self.time(' ', stage.base);
            }
            Method::CountUp { limit } => {
                self.word("uP");
                if let Some(limit) = limit {
                    self.time(' ', *limit);
                }
            }
        }
        if stage.confirm {
            self.word("A");
        }
    }

    fn grant(&mut self, grant: &Grant) {
        match grant {
            Grant::None => {}
            Grant::Increment { each, cap } => {
                self.time('i', *each);
                if let Some(cap) = cap {
                    self.time('C', *cap);
                }
            }
            Grant::Delay { each } => self.time('d', *each),
            Grant::Bronstein { each } => self.time('b', *each),
        }
    }

    fn overtime(&mut self, overtime: &Overtime) {
        match overtime {
            Overtime::None => {}
            Overtime::Byoyomi { periods, each, free, burn_on_entry } => {
                if let Some(free) = free {
                    self.time('F', *free);
                }
                self.number('P', *periods);
                self.time('P', *each);
                if *burn_on_entry {
                    self.word("burn");
                }
            }
            Overtime::Canadian { blocks } => {
                for block in blocks {
                    self.number('c', block.stones);
                    self.time('c', block.time());
                }
            }
            Overtime::Below { limit } => self.time('-', *limit),
        }
    }

    fn time(&mut self, letter: char, time: Span) {
        let millis = u32::try_from(time.as_nanos() / 1_000_000).unwrap_or(u32::MAX);
        self.line(letter, Entry::new(DURATION, millis, false).line());
    }

    fn number(&mut self, letter: char, number: u32) {
        self.line(letter, Line::DARK.number(DIGITS - 1, number));
    }

    /// The side's letter, the stage's number and this line's letter go in front as far as there
    /// are dark digits.
    fn line(&mut self, letter: char, mut line: Line) {
        let stage = self.stage.map(|stage| NUMERALS[stage % 10]);
        let letter = (letter != ' ').then(|| encode(letter));
        let mut put = |cell: usize, glyph: Option<u8>| {
            if let (Some(glyph), Some(cell @ &mut DARK)) = (glyph, line.cells.get_mut(cell)) {
                *cell = glyph;
            }
        };
        put(2, letter);
        put(0, self.side.map(encode));
        put(1, stage);
        self.lines.push(line);
    }

    fn word(&mut self, word: &str) {
        let mut line = Line::DARK;
        line.cells[2..].copy_from_slice(&Line::word(word).cells[..DIGITS - 2]);
        self.line(' ', line);
    }
}
