//! A control as it is put together on the box: every part in its place, in a fixed room.
//!
//! It keeps what was entered for a part that is switched off again, so that a wrong key loses
//! nothing. Whether a clock can keep it is not judged here (the
//! [notation](crate::control::notation) does).

use crate::control::{
    Block, BySide, Control, Grant, MAX_BLOCKS, MAX_DURATION, Method, Overtime, Side, Stage, Stages,
};
use crate::time::Span;

/// The most stages that a side can be given on the box.
pub const STAGES: usize = 4;

/// The most Canadian blocks: as many as the notation takes.
pub const BLOCKS: usize = MAX_BLOCKS;

/// A length of time in milliseconds.
pub type Millis = u32;

/// Both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own {
    /// Black has its own.
    pub unequal: bool,
    /// Each side's; Black's counts only where they are unequal.
    pub sides: BySide<OwnSide>,
}

/// One side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSide {
    /// What kind of clock.
    pub kind: Kind,
    /// The time of a kind that stands alone.
    pub alone: Millis,
    /// The stages.
    pub stages: [OwnStage; STAGES],
    /// Byo-yomi periods.
    pub periods: u32,
    /// How long each is.
    pub period: Millis,
    /// Free time before a period.
    pub free: Millis,
    /// How far below zero time may go.
    pub below: Millis,
    /// Canadian blocks.
    pub blocks: [OwnBlock; BLOCKS],
    /// How many of them; at least 1.
    pub block_count: usize,
}

/// What kind of clock it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Main time, in stages.
    Stages,
    /// Hourglass.
    Hourglass,
    /// Time per move.
    PerMove,
    /// Time per move that stays at zero without a flag.
    PerMoveOn,
    /// Gong.
    Gong,
    /// Count-up.
    Up,
    /// Count-up to a limit.
    UpTo,
}

/// One stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnStage {
    /// Presses needed; 0: none are counted.
    pub moves: u32,
    /// The time that it brings.
    pub base: Millis,
    /// What each move brings.
    pub grant: OwnGrant,
    /// How much.
    pub each: Millis,
    /// The increment's cap.
    pub cap: Millis,
    /// What follows.
    pub then: Then,
}

/// What a move brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnGrant {
    /// Nothing.
    None,
    /// An increment.
    Increment,
    /// An increment up to a cap.
    Capped,
    /// A delay.
    Delay,
    /// Bronstein.
    Bronstein,
}

/// What follows a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Nothing.
    End,
    /// Another stage.
    Stage,
    /// Another stage, when the arbiter confirms it.
    Confirmed,
    /// The same stage again.
    Repeat,
    /// Byo-yomi.
    Byoyomi,
    /// Byo-yomi with free time.
    Free,
    /// Byo-yomi with free time, a period being lost when it is begun.
    Burning,
    /// Canadian blocks.
    Canadian,
    /// Time below zero.
    Below,
}

/// One Canadian block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnBlock {
    /// Moves to be made.
    pub stones: u32,
    /// The time for them.
    pub time: Millis,
}

const MINUTE: Millis = 60_000;

impl OwnStage {
    const NEW: OwnStage = OwnStage {
        moves: 0,
        base: 5 * MINUTE,
        grant: OwnGrant::None,
        each: 0,
        cap: 0,
        then: Then::End,
    };
}

impl OwnSide {
    /// Five minutes.
    pub const NEW: OwnSide = OwnSide {
        kind: Kind::Stages,
        alone: MINUTE,
        stages: [OwnStage::NEW; STAGES],
        periods: 5,
        period: MINUTE,
        free: MINUTE / 2,
        below: 10 * MINUTE,
        blocks: [OwnBlock { stones: 20, time: 5 * MINUTE }; BLOCKS],
        block_count: 1,
    };

    fn stages(&self) -> Stages {
        let mut list = Vec::new();
        let mut repeat = false;
        if self.kind != Kind::Stages {
            list.push(Stage {
                moves: None,
                base: if matches!(self.kind, Kind::Up | Kind::UpTo) {
                    Span::ZERO
                } else {
                    span(self.alone)
                },
                method: self.alone(),
                confirm: false,
            });
        }
        for (index, own) in self.stages.iter().enumerate().filter(|_| self.kind == Kind::Stages) {
            let method = Method::Main { grant: own.grant(), overtime: self.overtime(own.then) };
            list.push(Stage {
                moves: (own.moves > 0).then_some(own.moves),
                base: span(own.base),
                method,
                confirm: own.then == Then::Confirmed,
            });
            repeat = own.then == Then::Repeat;
            if !own.has_next(index) {
                break;
            }
        }
        Stages { list: list.into_iter().collect(), repeat }
    }

    fn alone(&self) -> Method {
        match self.kind {
            Kind::Stages => Method::PLAIN,
            Kind::Hourglass => Method::Hourglass,
            Kind::PerMove => Method::PerMove { stays_at_zero: false },
            Kind::PerMoveOn => Method::PerMove { stays_at_zero: true },
            Kind::Gong => Method::Gong,
            Kind::Up => Method::CountUp { limit: None },
            Kind::UpTo => Method::CountUp { limit: Some(span(self.alone)) },
        }
    }

    fn overtime(&self, then: Then) -> Overtime {
        let byoyomi = |free, burn_on_entry| Overtime::Byoyomi {
            periods: self.periods,
            each: span(self.period),
            free,
            burn_on_entry,
        };
        match then {
            Then::End | Then::Stage | Then::Confirmed | Then::Repeat => Overtime::None,
            Then::Byoyomi => byoyomi(None, false),
            Then::Free => byoyomi(Some(span(self.free)), false),
            Then::Burning => byoyomi(Some(span(self.free)), true),
            Then::Canadian => Overtime::Canadian {
                blocks: self.blocks[..self.block_count.min(BLOCKS)]
                    .iter()
                    .map(|block| Block::new(block.stones, span(block.time)))
                    .collect(),
            },
            Then::Below => Overtime::Below { limit: span(self.below) },
        }
    }

    /// Takes over one side's stages; `None` where they do not fit in.
    fn of(stages: &Stages) -> Option<OwnSide> {
        let mut own = OwnSide::NEW;
        if stages.list.len() > STAGES {
            return None;
        }
        for (index, stage) in stages.list.iter().enumerate() {
            let last = !stages.has_next(index);
            let then = match (last, stage.confirm, stages.repeat) {
                (false, true, _) => Then::Confirmed,
                (false, false, _) => Then::Stage,
                (true, _, true) => Then::Repeat,
                (true, _, false) => Then::End,
            };
            let to = &mut own.stages[index];
            *to = OwnStage {
                moves: stage.moves.unwrap_or(0),
                base: millis(stage.base)?,
                then,
                ..*to
            };
            let alone = match &stage.method {
                Method::Main { grant, overtime } => {
                    to.take(grant)?;
                    if let Some(then) = own.take(overtime)? {
                        own.stages[index].then = then;
                    }
                    continue;
                }
                Method::Hourglass => (Kind::Hourglass, stage.base),
                Method::PerMove { stays_at_zero: false } => (Kind::PerMove, stage.base),
                Method::PerMove { stays_at_zero: true } => (Kind::PerMoveOn, stage.base),
                Method::Gong => (Kind::Gong, stage.base),
                Method::CountUp { limit: None } => (Kind::Up, Span::ZERO),
                Method::CountUp { limit: Some(limit) } => (Kind::UpTo, *limit),
            };
            own.kind = alone.0;
            own.alone = millis(alone.1)?;
            own.stages = OwnSide::NEW.stages;
        }
        Some(own)
    }

    fn take(&mut self, overtime: &Overtime) -> Option<Option<Then>> {
        Some(match overtime {
            Overtime::None => None,
            Overtime::Byoyomi { periods, each, free, burn_on_entry } => {
                (self.periods, self.period) = (*periods, millis(*each)?);
                if let Some(free) = free {
                    self.free = millis(*free)?;
                }
                Some(match (free, burn_on_entry) {
                    (None, _) => Then::Byoyomi,
                    (Some(_), false) => Then::Free,
                    (Some(_), true) => Then::Burning,
                })
            }
            Overtime::Canadian { blocks } => {
                if blocks.len() > BLOCKS {
                    return None;
                }
                for (to, block) in self.blocks.iter_mut().zip(blocks) {
                    *to = OwnBlock { stones: block.stones, time: millis(block.time())? };
                }
                self.block_count = blocks.len();
                Some(Then::Canadian)
            }
            Overtime::Below { limit } => {
                self.below = millis(*limit)?;
                Some(Then::Below)
            }
        })
    }
}

impl OwnStage {
    /// True if a stage follows the one of that index, which this is.
    #[must_use]
    pub fn has_next(&self, index: usize) -> bool {
        index + 1 < STAGES && matches!(self.then, Then::Stage | Then::Confirmed)
    }

    fn grant(&self) -> Grant {
        let each = span(self.each);
        match self.grant {
            _ if self.each == 0 => Grant::None,
            OwnGrant::None => Grant::None,
            OwnGrant::Increment => Grant::Increment { each, cap: None },
            OwnGrant::Capped => Grant::Increment { each, cap: Some(span(self.cap)) },
            OwnGrant::Delay => Grant::Delay { each },
            OwnGrant::Bronstein => Grant::Bronstein { each },
        }
    }

    fn take(&mut self, grant: &Grant) -> Option<()> {
        let (own, each) = match grant {
            Grant::None => (OwnGrant::None, Span::ZERO),
            Grant::Increment { each, cap: None } => (OwnGrant::Increment, *each),
            Grant::Increment { each, cap: Some(cap) } => {
                self.cap = millis(*cap)?;
                (OwnGrant::Capped, *each)
            }
            Grant::Delay { each } => (OwnGrant::Delay, *each),
            Grant::Bronstein { each } => (OwnGrant::Bronstein, *each),
        };
        (self.grant, self.each) = (own, millis(each)?);
        Some(())
    }
}

impl Own {
    /// Five minutes each: where the making of a control begins.
    pub const NEW: Own =
        Own { unequal: false, sides: BySide { white: OwnSide::NEW, black: OwnSide::NEW } };

    /// The control. Allocates: not for the timing thread.
    #[must_use]
    pub fn control(&self) -> Control {
        let black = if self.unequal { Side::Black } else { Side::White };
        let side = |side: Side| self.sides[side].stages();
        Control { sides: BySide { white: side(Side::White), black: side(black) } }
    }

    /// A control in the parts that the box enters; `None` where it has more stages or finer times
    /// than the box takes.
    #[must_use]
    pub fn of(control: &Control) -> Option<Own> {
        let white = OwnSide::of(&control.sides.white)?;
        let black = OwnSide::of(&control.sides.black)?;
        Some(Own { unequal: !control.is_equal(), sides: BySide { white, black } })
    }
}

fn span(millis: Millis) -> Span {
    Span::from_millis(i64::from(millis))
}

/// A time that a control can name, in milliseconds.
fn millis(span: Span) -> Option<Millis> {
    let nanos = span.as_nanos();
    let whole = nanos % 1_000_000 == 0 && span <= MAX_DURATION;
    u32::try_from(nanos / 1_000_000).ok().filter(|_| whole)
}
