//! Reading the methods of one stage in the canonical form, and which of them stand together.

use core::ops::Range;

use super::cursor::{Cursor, Unit};
use super::duration;
use super::error::Fault;
use crate::control::{Block, Grant, MAX_BLOCKS, Method, Overtime};
use crate::time::Span;

/// What can be written behind, or instead of, a stage's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Increment,
    Delay,
    Bronstein,
    Byoyomi,
    Canadian,
    Overtime,
    Hourglass,
    Move,
    Gong,
    Up,
}

/// The methods of a stage, as far as they have been read.
#[derive(Debug, Default)]
pub(super) struct Methods {
    kinds: Vec<Kind>,
    grant: Option<Grant>,
    overtime: Option<Overtime>,
    /// A method that stands alone, with its time.
    alone: Option<(Span, Method)>,
}

impl Kind {
    const ALL: [Kind; 10] = [
        Kind::Increment,
        Kind::Delay,
        Kind::Bronstein,
        Kind::Byoyomi,
        Kind::Canadian,
        Kind::Overtime,
        Kind::Hourglass,
        Kind::Move,
        Kind::Gong,
        Kind::Up,
    ];

    /// As it is written.
    const fn word(self) -> &'static str {
        match self {
            Kind::Increment => "+",
            Kind::Delay => "delay",
            Kind::Bronstein => "bronstein",
            Kind::Byoyomi => "byoyomi",
            Kind::Canadian => "canadian",
            Kind::Overtime => "overtime",
            Kind::Hourglass => "hourglass",
            Kind::Move => "move",
            Kind::Gong => "gong",
            Kind::Up => "up",
        }
    }

    /// As a sentence names it.
    fn name(self) -> String {
        match self {
            Kind::Increment => "an increment (`+`)".to_owned(),
            other => format!("`{}`", other.word()),
        }
    }

    const fn is_overtime(self) -> bool {
        matches!(self, Kind::Byoyomi | Kind::Canadian | Kind::Overtime)
    }

    const fn stands_alone(self) -> bool {
        matches!(self, Kind::Hourglass | Kind::Move | Kind::Gong | Kind::Up)
    }

    /// Whether both can be in one stage.
    fn goes_with(self, other: Kind) -> bool {
        (self == Kind::Increment && other.is_overtime())
            || (other == Kind::Increment && self.is_overtime())
    }
}

/// Reads one method with all that belongs to it; false if none stands here.
pub(super) fn read(cursor: &mut Cursor<'_>, methods: &mut Methods) -> Result<bool, Fault> {
    let start = cursor.at();
    let word = cursor.peek_word();
    let Some(kind) = Kind::ALL.into_iter().find(|kind| match kind {
        Kind::Increment => cursor.peek() == Some('+'),
        other => word == other.word(),
    }) else {
        return Ok(false);
    };
    cursor.eat(kind.word());
    methods.allow(kind, cursor.since(start))?;
    match kind {
        Kind::Increment => methods.grant = Some(read_increment(cursor)?),
        Kind::Delay => {
            let each = duration::read(cursor, "the delay, such as `5s`", Unit::Second)?;
            methods.grant = Some(granting(each, |each| Grant::Delay { each }));
        }
        Kind::Bronstein => {
            let each = duration::read(cursor, "what comes back, such as `5s`", Unit::Second)?;
            methods.grant = Some(granting(each, |each| Grant::Bronstein { each }));
        }
        Kind::Byoyomi => methods.overtime = Some(read_byoyomi(cursor)?),
        Kind::Canadian => methods.overtime = Some(read_canadian(cursor)?),
        Kind::Overtime => {
            let limit = duration::read(cursor, "the overtime, such as `10m`", Unit::Minute)?;
            methods.overtime = Some(Overtime::Below { limit });
        }
        Kind::Hourglass => {
            let sand = duration::read(cursor, "the sand of a side, such as `1m`", Unit::Minute)?;
            methods.alone = Some((sand, Method::Hourglass));
        }
        Kind::Move => {
            let time = duration::read(cursor, "the time of a move, such as `10s`", Unit::Second)?;
            let stays_at_zero = cursor.eat_word("continue");
            methods.alone = Some((time, Method::PerMove { stays_at_zero }));
        }
        Kind::Gong => {
            let slot = duration::read(cursor, "the time of a slot, such as `10s`", Unit::Second)?;
            methods.alone = Some((slot, Method::Gong));
        }
        Kind::Up => {
            let limit = match cursor.peek() {
                Some(c) if c.is_ascii_digit() || "-−".contains(c) => {
                    Some(duration::read(cursor, "the limit, such as `1h`", Unit::Minute)?)
                }
                _ => None,
            };
            methods.alone = Some((Span::ZERO, Method::CountUp { limit }));
        }
    }
    Ok(true)
}

impl Methods {
    /// True if the stage has none.
    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Takes note of a method, unless it does not stand together with those before it.
    fn allow(&mut self, kind: Kind, at: Range<usize>) -> Result<(), Fault> {
        let clash = self.kinds.iter().find(|earlier| !earlier.goes_with(kind));
        if let Some(earlier) = clash {
            let why = if *earlier == kind {
                format!("{} stands twice in one stage", kind.name())
            } else {
                format!("{} and {} do not go together", earlier.name(), kind.name())
            };
            return Err(Fault::impossible(
                at,
                why,
                "keep one of them; only an increment goes with `byoyomi`, `canadian` or `overtime`",
            ));
        }
        self.kinds.push(kind);
        Ok(())
    }

    /// The stage's own time and its method. `base_at` is the place of `base`.
    pub(super) fn assemble(
        self,
        base: Option<Span>,
        base_at: Range<usize>,
    ) -> Result<(Span, Method), Fault> {
        let Some((time, method)) = self.alone else {
            let grant = self.grant.unwrap_or(Grant::None);
            let overtime = self.overtime.unwrap_or(Overtime::None);
            return Ok((base.unwrap_or(Span::ZERO), Method::Main { grant, overtime }));
        };
        match (base, self.kinds.iter().find(|kind| kind.stands_alone())) {
            (Some(_), Some(kind)) => Err(Fault::impossible(
                base_at,
                format!("main time and {} do not go together", kind.name()),
                format!("keep one of them: `{}` has its own time behind it", kind.word()),
            )),
            _ => Ok((time, method)),
        }
    }
}

/// A grant of nothing is none.
fn granting(each: Span, grant: impl FnOnce(Span) -> Grant) -> Grant {
    if each == Span::ZERO { Grant::None } else { grant(each) }
}

fn read_increment(cursor: &mut Cursor<'_>) -> Result<Grant, Fault> {
    let each = duration::read(cursor, "the increment, such as `2s`", Unit::Second)?;
    let start = cursor.at();
    if !cursor.eat_word("cap") {
        return Ok(granting(each, |each| Grant::Increment { each, cap: None }));
    }
    let cap = duration::read(cursor, "the cap, such as `10m`", Unit::Minute)?;
    if each == Span::ZERO {
        return Err(Fault::impossible(
            cursor.since(start),
            "an increment of nothing needs no cap",
            "leave out the cap, or write what a move adds",
        ));
    }
    Ok(Grant::Increment { each, cap: Some(cap) })
}

fn read_byoyomi(cursor: &mut Cursor<'_>) -> Result<Overtime, Fault> {
    let periods = cursor.count("periods, as in `byoyomi 5x30s`")?;
    if !cursor.eat("x") {
        return Err(cursor
            .expected("`x` and the length of a period")
            .remedy("write number and length of the periods, as in `byoyomi 5x30s`"));
    }
    let each = duration::read(cursor, "the length of a period, such as `30s`", Unit::Second)?;
    let free = match cursor.eat_word("free") {
        true => Some(duration::read(cursor, "the free time, such as `30s`", Unit::Second)?),
        false => None,
    };
    let burn_on_entry = cursor.eat_word("burn-on-entry");
    Ok(Overtime::Byoyomi { periods, each, free, burn_on_entry })
}

fn read_canadian(cursor: &mut Cursor<'_>) -> Result<Overtime, Fault> {
    let mut blocks = Vec::new();
    loop {
        let start = cursor.at();
        blocks.push(read_block(cursor)?);
        if blocks.len() > MAX_BLOCKS {
            return Err(Fault::impossible(
                cursor.since(start),
                format!("`canadian` has at most {MAX_BLOCKS} blocks"),
                "leave out the blocks from here on",
            ));
        }
        if !cursor.eat_word("then") {
            return Ok(Overtime::Canadian { blocks: blocks.into_iter().collect() });
        }
    }
}

fn read_block(cursor: &mut Cursor<'_>) -> Result<Block, Fault> {
    let stones = cursor.count("moves, as in `canadian 20/5m`")?;
    if !cursor.eat("/") {
        return Err(cursor
            .expected("`/` and the time for the moves")
            .remedy("write moves and time of a block, as in `canadian 20/5m`"));
    }
    let time = duration::read(cursor, "the time of a block, such as `5m`", Unit::Minute)?;
    Ok(Block::new(stones, time))
}
