//! Putting a control together, part by part.
//!
//! Parts that do not matter for what was chosen before them are passed over, and keep their
//! values. Pause goes back a digit or a part; from the first part it leads out.

use super::entry::{COUNT, DURATION, Entry, Format, Passed};
use super::own::{BLOCKS, Kind, Own, OwnGrant, STAGES, Then};
use super::page::{Line, Page};
use crate::control::{MAX_DURATION, Side};

/// A part of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Whether both sides have the same.
    Sides,
    /// What kind of clock.
    Kind(Side),
    /// The time of a kind that stands alone.
    Alone(Side),
    /// Presses of a stage.
    Moves(Side, usize),
    /// Time of a stage.
    Base(Side, usize),
    /// What each move brings.
    Grant(Side, usize),
    /// How much of it.
    Each(Side, usize),
    /// Up to where.
    Cap(Side, usize),
    /// What follows the stage.
    Then(Side, usize),
    /// Free time.
    Free(Side),
    /// Byo-yomi periods.
    Periods(Side),
    /// How long they are.
    Period(Side),
    /// Stones of a block.
    Stones(Side, usize),
    /// Time of a block.
    Block(Side, usize),
    /// Whether another block follows.
    More(Side, usize),
    /// How far below zero.
    Below(Side),
    /// The end: ok keeps the control.
    Done,
}

/// What a key did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The making goes on.
    On,
    /// It was left by its first part.
    Left,
    /// The control is to be kept.
    Keep,
    /// A part is longer than a control can name: that part is up now.
    TooLong,
}

/// The making of a slot's control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compose {
    /// Which slot.
    pub slot: usize,
    part: Part,
    entry: Option<Entry>,
}

const KINDS: [(Kind, &str); 7] = [
    (Kind::Stages, "StAGES"),
    (Kind::Hourglass, "HoUr"),
    (Kind::PerMove, "PEr"),
    (Kind::PerMoveOn, "PEr -on"),
    (Kind::Gong, "GonG"),
    (Kind::Up, "uP"),
    (Kind::UpTo, "uP to"),
];

const GRANTS: [(OwnGrant, &str); 5] = [
    (OwnGrant::None, "no"),
    (OwnGrant::Increment, "inc"),
    (OwnGrant::Capped, "inc CAP"),
    (OwnGrant::Delay, "dELAy"),
    (OwnGrant::Bronstein, "bron"),
];

const THENS: [(Then, &str); 9] = [
    (Then::End, "End"),
    (Then::Stage, "StAGE"),
    (Then::Confirmed, "StAGE A"),
    (Then::Repeat, "rEPEAt"),
    (Then::Byoyomi, "byo"),
    (Then::Free, "byo FrEE"),
    (Then::Burning, "byo burn"),
    (Then::Canadian, "CAnAd"),
    (Then::Below, "bELo 0"),
];

impl Compose {
    /// Begins with the first part.
    #[must_use]
    pub const fn new(slot: usize) -> Self {
        Compose { slot, part: Part::Sides, entry: None }
    }

    /// The part that is up.
    #[must_use]
    pub const fn part(&self) -> Part {
        self.part
    }

    /// Plus or minus.
    pub fn step(&mut self, own: &mut Own, up: bool) {
        if let Some(entry) = &mut self.entry {
            entry.step(up);
            if let Some((number, _)) = number(own, self.part) {
                *number = entry.size();
            }
        } else {
            choose(own, self.part, up);
        }
    }

    /// Ok.
    pub fn pass(&mut self, own: &mut Own) -> Step {
        if let Some(entry) = &mut self.entry
            && entry.pass() == Passed::Within
        {
            return Step::On;
        }
        if self.part == Part::Done {
            return match first_too_long(own) {
                Some(part) => {
                    self.go(own, part);
                    Step::TooLong
                }
                None => Step::Keep,
            };
        }
        self.go(own, next(own, self.part));
        Step::On
    }

    /// Ok held: the rest of a number is as it should be.
    pub fn finish(&mut self, own: &mut Own) {
        if self.entry.is_some_and(|entry| entry.is_open()) {
            self.go(own, next(own, self.part));
        }
    }

    /// Pause.
    pub fn back(&mut self, own: &mut Own) -> Step {
        if let Some(entry) = &mut self.entry
            && entry.back()
        {
            return Step::On;
        }
        match before(own, self.part) {
            Some(part) => {
                self.go(own, part);
                Step::On
            }
            None => Step::Left,
        }
    }

    /// Goes to where the notation found a fault.
    pub fn blame(&mut self, own: &mut Own, side: Side, stage: usize) {
        let alone = own.sides[side].kind != Kind::Stages;
        self.go(
            own,
            if alone { Part::Kind(side) } else { Part::Base(side, stage.min(STAGES - 1)) },
        );
    }

    fn go(&mut self, own: &mut Own, part: Part) {
        self.part = part;
        self.entry = number(own, part).map(|(number, format)| Entry::new(format, *number, false));
    }

    /// Name of the part at the left, its value at the right.
    #[must_use]
    pub fn page(&self, own: &Own) -> Page {
        let mut left = Line::word("  ");
        let (side, stage, name) = names(self.part);
        if let Some(side) = side.filter(|_| own.unequal) {
            left.cells[0] = Line::word(if side == Side::White { "U" } else { "b" }).cells[0];
        }
        match (self.part, stage) {
            (Part::Stones(..) | Part::Block(..) | Part::More(..), Some(block)) => {
                left.cells[1] = Line::word("c").cells[0];
                let number = u32::try_from(block + 1).unwrap_or(0);
                left = left.number(if number < 10 { 2 } else { 3 }, number);
                left.cells[4..].copy_from_slice(&Line::word(name).cells[..4]);
            }
            (_, stage) => {
                if let Some(stage) = stage {
                    left = left.number(1, u32::try_from(stage + 1).unwrap_or(0));
                }
                left.cells[2..].copy_from_slice(&Line::word(name).cells[..6]);
            }
        }
        let right = match &self.entry {
            Some(entry) => entry.line(),
            None => Line::word(value(own, self.part)),
        };
        Page { left, right }
    }
}

/// Side, stage or block, and name of a part.
const fn names(part: Part) -> (Option<Side>, Option<usize>, &'static str) {
    match part {
        Part::Sides => (None, None, "SidES"),
        Part::Kind(side) => (Some(side), None, "tyPE"),
        Part::Alone(side) => (Some(side), None, "bASE"),
        Part::Moves(side, stage) => (Some(side), Some(stage), "PrESS"),
        Part::Base(side, stage) => (Some(side), Some(stage), "bASE"),
        Part::Grant(side, stage) => (Some(side), Some(stage), "GrAnt"),
        Part::Each(side, stage) => (Some(side), Some(stage), "EACH"),
        Part::Cap(side, stage) => (Some(side), Some(stage), "CAP"),
        Part::Then(side, stage) => (Some(side), Some(stage), "thEn"),
        Part::Free(side) => (Some(side), None, "FrEE"),
        Part::Periods(side) => (Some(side), None, "PEriod"),
        Part::Period(side) => (Some(side), None, "LEnGth"),
        Part::Stones(side, block) => (Some(side), Some(block), "Sto"),
        Part::Block(side, block) => (Some(side), Some(block), "LEn"),
        Part::More(side, block) => (Some(side), Some(block), "End"),
        Part::Below(side) => (Some(side), None, "bELo"),
        Part::Done => (None, None, "donE"),
    }
}

/// The number of a part, if it is one.
fn number(own: &mut Own, part: Part) -> Option<(&mut u32, &'static Format)> {
    Some(match part {
        Part::Alone(side) => (&mut own.sides[side].alone, DURATION),
        Part::Moves(side, stage) => (&mut own.sides[side].stages[stage].moves, COUNT),
        Part::Base(side, stage) => (&mut own.sides[side].stages[stage].base, DURATION),
        Part::Each(side, stage) => (&mut own.sides[side].stages[stage].each, DURATION),
        Part::Cap(side, stage) => (&mut own.sides[side].stages[stage].cap, DURATION),
        Part::Free(side) => (&mut own.sides[side].free, DURATION),
        Part::Periods(side) => (&mut own.sides[side].periods, COUNT),
        Part::Period(side) => (&mut own.sides[side].period, DURATION),
        Part::Stones(side, block) => (&mut own.sides[side].blocks[block].stones, COUNT),
        Part::Block(side, block) => (&mut own.sides[side].blocks[block].time, DURATION),
        Part::Below(side) => (&mut own.sides[side].below, DURATION),
        Part::Sides
        | Part::Kind(_)
        | Part::Grant(..)
        | Part::Then(..)
        | Part::More(..)
        | Part::Done => return None,
    })
}

/// Steps what a part has chosen.
fn choose(own: &mut Own, part: Part, up: bool) {
    match part {
        Part::Sides => own.unequal = !own.unequal,
        Part::Kind(side) => turn(&mut own.sides[side].kind, &KINDS, up),
        Part::Grant(side, stage) => turn(&mut own.sides[side].stages[stage].grant, &GRANTS, up),
        Part::Then(side, stage) => {
            let then = &mut own.sides[side].stages[stage].then;
            turn(then, &THENS, up);
            // Behind the last stage none can follow.
            while stage + 1 == STAGES && matches!(then, Then::Stage | Then::Confirmed) {
                turn(then, &THENS, up);
            }
        }
        Part::More(side, block) => {
            let count = &mut own.sides[side].block_count;
            let ends = *count == block + 1;
            *count = if ends { (block + 2).min(BLOCKS) } else { block + 1 };
        }
        _ => {}
    }
}

fn turn<T: Copy + PartialEq, const N: usize>(value: &mut T, all: &[(T, &str); N], up: bool) {
    let at = all.iter().position(|(other, _)| other == value).unwrap_or(0);
    *value = all[(at + if up { 1 } else { N - 1 }) % N].0;
}

fn word<T: PartialEq>(value: T, all: &[(T, &'static str)]) -> &'static str {
    all.iter().find(|(other, _)| *other == value).map_or("", |(_, word)| word)
}

fn value(own: &Own, part: Part) -> &'static str {
    match part {
        Part::Sides if own.unequal => "diFFEr",
        Part::Sides => "EquAL",
        Part::Kind(side) => word(own.sides[side].kind, &KINDS),
        Part::Grant(side, stage) => word(own.sides[side].stages[stage].grant, &GRANTS),
        Part::Then(side, stage) => word(own.sides[side].stages[stage].then, &THENS),
        Part::More(side, block) if own.sides[side].block_count == block + 1 => "YES",
        Part::More(..) => "no",
        _ => "SAuE",
    }
}

/// The part behind this one.
#[must_use]
pub fn next(own: &Own, part: Part) -> Part {
    match part {
        Part::Sides => Part::Kind(Side::White),
        Part::Kind(side) => match own.sides[side].kind {
            Kind::Stages => Part::Moves(side, 0),
            Kind::Up => behind(own, side),
            _ => Part::Alone(side),
        },
        Part::Alone(side) => behind(own, side),
        Part::Moves(side, stage) => Part::Base(side, stage),
        Part::Base(side, stage) => Part::Grant(side, stage),
        Part::Grant(side, stage) => match own.sides[side].stages[stage].grant {
            OwnGrant::None => Part::Then(side, stage),
            _ => Part::Each(side, stage),
        },
        Part::Each(side, stage) => match own.sides[side].stages[stage].grant {
            OwnGrant::Capped => Part::Cap(side, stage),
            _ => Part::Then(side, stage),
        },
        Part::Cap(side, stage) => Part::Then(side, stage),
        Part::Then(side, stage) => {
            let this = &own.sides[side].stages[stage];
            match this.then {
                _ if this.has_next(stage) => Part::Moves(side, stage + 1),
                Then::Byoyomi => Part::Periods(side),
                Then::Free | Then::Burning => Part::Free(side),
                Then::Canadian => Part::Stones(side, 0),
                Then::Below => Part::Below(side),
                Then::End | Then::Repeat | Then::Stage | Then::Confirmed => behind(own, side),
            }
        }
        Part::Free(side) => Part::Periods(side),
        Part::Periods(side) => Part::Period(side),
        Part::Stones(side, block) => Part::Block(side, block),
        Part::Block(side, block) => Part::More(side, block),
        Part::More(side, block) if block + 1 < own.sides[side].block_count => {
            Part::Stones(side, block + 1)
        }
        Part::Period(side) | Part::More(side, _) | Part::Below(side) => behind(own, side),
        Part::Done => Part::Done,
    }
}

/// What comes when a side is complete.
fn behind(own: &Own, side: Side) -> Part {
    if own.unequal && side == Side::White { Part::Kind(Side::Black) } else { Part::Done }
}

/// The parts that matter, in their order.
fn parts(own: &Own) -> impl Iterator<Item = Part> {
    let mut part = Some(Part::Sides);
    core::iter::from_fn(move || {
        let this = part?;
        part = (this != Part::Done).then(|| next(own, this));
        Some(this)
    })
}

fn before(own: &Own, part: Part) -> Option<Part> {
    parts(own).zip(parts(own).skip(1)).find(|(_, then)| *then == part).map(|(before, _)| before)
}

fn first_too_long(own: &mut Own) -> Option<Part> {
    let copy = &*own;
    let longest = MAX_DURATION.as_nanos() / 1_000_000;
    let too_long = |part: &Part| match *part {
        Part::Alone(side) => copy.sides[side].alone,
        Part::Base(side, stage) => copy.sides[side].stages[stage].base,
        Part::Each(side, stage) => copy.sides[side].stages[stage].each,
        Part::Cap(side, stage) => copy.sides[side].stages[stage].cap,
        Part::Free(side) => copy.sides[side].free,
        Part::Period(side) => copy.sides[side].period,
        Part::Block(side, block) => copy.sides[side].blocks[block].time,
        Part::Below(side) => copy.sides[side].below,
        _ => 0,
    };
    parts(copy).find(|part| i64::from(too_long(part)) > longest)
}
