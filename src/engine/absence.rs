//! Players who are not there yet (`timing.md` 8; Laws 6.6, 6.7).
//!
//! Lateness is counted from the start of the game, whatever the clocks do. Its end is told, and
//! nothing else: the result is the arbiter's.

use serde::{Deserialize, Serialize};

use super::{Effect, Engine, Outputs, Phase, State};
use crate::control::{BySide, Side, Switches};
use crate::time::{Instant, Span};

/// Who has come, and since when the others are awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Attendance {
    /// When the game was started.
    pub awaited_since: Option<Instant>,
    /// Who has come.
    pub arrived: BySide<bool>,
    /// Whose default time is over, and was told to be.
    pub defaulted: BySide<bool>,
}

impl State {
    /// How long an absent side is late; `None` where nobody counts it.
    #[must_use]
    pub fn lateness(&self, switches: &Switches, side: Side, now: Instant) -> Option<Span> {
        let Attendance { awaited_since, arrived, .. } = &self.attendance;
        let counts = switches.default_time.is_some() && self.phase != Phase::Ended;
        let since = awaited_since.filter(|_| counts && !arrived[side])?;
        Some((now - since).or_zero())
    }

    /// The side whose default time ends next, and when.
    fn next_default(&self, switches: &Switches) -> Option<(Side, Instant)> {
        let default_time = switches.default_time?;
        let Attendance { awaited_since, arrived, defaulted } = &self.attendance;
        if matches!(self.phase, Phase::Ready | Phase::Ended) {
            return None;
        }
        let side = Side::BOTH.into_iter().find(|side| !arrived[*side] && !defaulted[*side])?;
        awaited_since.map(|since| (side, since + default_time))
    }

    /// When the next default time ends.
    pub(super) fn default_deadline(&self, switches: &Switches) -> Option<Instant> {
        self.next_default(switches).map(|(_, at)| at)
    }
}

impl Engine {
    /// This side's player is there.
    pub(super) fn arrive(&mut self, side: Side) {
        self.state.attendance.arrived[side] = true;
    }

    /// Tells of the default time that ends at this deadline; false if none does.
    pub(super) fn end_default_time(&mut self, deadline: Instant, outputs: &mut Outputs) -> bool {
        let due = self.state.next_default(&self.settings.switches);
        let Some((side, at)) = due.filter(|(_, at)| *at <= deadline) else { return false };
        self.state.attendance.defaulted[side] = true;
        outputs.push(at, Effect::DefaultTime { side });
        true
    }
}
