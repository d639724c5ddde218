//! Writing a control in the canonical form.

use core::fmt;

use super::duration::write as duration;
use crate::control::{Control, Grant, Method, Overtime, Stage, Stages};
use crate::time::Span;

impl fmt::Display for Control {
    /// The canonical form; reading it gives this control again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_equal() {
            self.sides.white.fmt(f)
        } else {
            write!(f, "white {}; black {}", self.sides.white, self.sides.black)
        }
    }
}

impl fmt::Display for Stages {
    /// One side's part of the canonical form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stage) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            stage.fmt(f)?;
        }
        if self.repeat { f.write_str(" repeat") } else { Ok(()) }
    }
}

impl fmt::Display for Stage {
    /// One stage of the canonical form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write_method(self.base, &self.method, f)?;
        if self.confirm { f.write_str(" confirm") } else { Ok(()) }
    }
}

fn write_method(base: Span, method: &Method, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let time = duration(base);
    match method {
        Method::Main { grant, overtime } => {
            let base_is_told = base != Span::ZERO
                || *grant != Grant::None
                || matches!(overtime, Overtime::None | Overtime::Below { .. });
            if base_is_told {
                f.write_str(&time)?;
            }
            write_grant(grant, f)?;
            if base_is_told && *overtime != Overtime::None {
                f.write_str(" ")?;
            }
            write_overtime(overtime, f)
        }
        Method::Hourglass => write!(f, "hourglass {time}"),
        Method::PerMove { stays_at_zero: false } => write!(f, "move {time}"),
        Method::PerMove { stays_at_zero: true } => write!(f, "move {time} continue"),
        Method::Gong => write!(f, "gong {time}"),
        Method::CountUp { limit: None } => f.write_str("up"),
        Method::CountUp { limit: Some(limit) } => write!(f, "up {}", duration(*limit)),
    }
}

fn write_grant(grant: &Grant, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match grant {
        Grant::None => Ok(()),
        Grant::Increment { each, cap: None } => write!(f, "+{}", duration(*each)),
        Grant::Increment { each, cap: Some(cap) } => {
            write!(f, "+{} cap {}", duration(*each), duration(*cap))
        }
        Grant::Delay { each } => write!(f, " delay {}", duration(*each)),
        Grant::Bronstein { each } => write!(f, " bronstein {}", duration(*each)),
    }
}

fn write_overtime(overtime: &Overtime, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match overtime {
        Overtime::None => Ok(()),
        Overtime::Byoyomi { periods, each, free, burn_on_entry } => {
            write!(f, "byoyomi {periods}x{}", duration(*each))?;
            if let Some(free) = free {
                write!(f, " free {}", duration(*free))?;
            }
            if *burn_on_entry { f.write_str(" burn-on-entry") } else { Ok(()) }
        }
        Overtime::Canadian { blocks } => {
            f.write_str("canadian ")?;
            for (index, block) in blocks.iter().enumerate() {
                if index > 0 {
                    f.write_str(" then ")?;
                }
                write!(f, "{}/{}", block.stones, duration(block.time()))?;
            }
            Ok(())
        }
        Overtime::Below { limit } => write!(f, "overtime {}", duration(*limit)),
    }
}
