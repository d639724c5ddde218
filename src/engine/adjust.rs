//! Correcting clocks: both sides in one indivisible step (`timing.md` 6, *Adjust*).

use super::state::{Clock, stage_of};
use super::{Adjustment, Engine, Outputs, Phase, Refusal, method};
use crate::control::{BySide, Method, Overtime, Settings, Side, Stage, Trigger};
use crate::time::{Instant, Span};

/// No clock is set to more than this.
const MOST: Span = Span::from_hours(999);
/// No press counter is set to more than this.
const MOST_MOVES: u32 = 9_999;
/// No clock is given more byo-yomi periods or Canadian stones than this.
const MOST_UNITS: u32 = 9_999;

impl Engine {
    pub(super) fn adjust(
        &mut self,
        now: Instant,
        changes: &BySide<Adjustment>,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        if self.state.phase == Phase::Running {
            return Err(self.wrong_phase("adjust", "pause it first"));
        }
        if Side::BOTH.iter().all(|side| changes[*side].is_empty()) {
            return Err(Refusal::Empty { asked: "adjust" });
        }
        let mut clocks = self.state.clocks;
        for side in Side::BOTH {
            let change = &changes[side];
            check(&self.settings, side, &clocks[side], change)?;
            apply(&self.settings, side, &mut clocks[side], change);
            let stage = stage_of(&self.settings, side, &clocks[side]);
            if !change.is_empty() && method::shortfall(stage, &clocks[side]).is_positive() {
                return Err(Refusal::BelowZero { side });
            }
        }
        let fallen = self.fallen();
        self.state.clocks = clocks;
        self.past.adjust(&self.settings, changes, &self.state.clocks);
        self.settle_falls(now, fallen, outputs);
        if self.state.phase == Phase::Flagged {
            self.leave_paused();
        }
        Ok(())
    }
}

/// Refuses what does not fit the side's control.
fn check(
    settings: &Settings,
    side: Side,
    clock: &Clock,
    change: &Adjustment,
) -> Result<(), Refusal> {
    let refuse = |why| Err(Refusal::Argument { side, why });
    let stages = &settings.control.sides[side].list;
    let index = change.stage.map_or(Some(clock.stage), index_of);
    let Some(stage) = index.and_then(|index| stages.get(index)) else {
        return refuse("the control has no such stage; stages count from 1");
    };
    if change.stage_time && change.stage.is_none() {
        return refuse("`stage_time` goes with `stage`: name the stage, too");
    }
    let overtime = match &stage.method {
        Method::Main { overtime, .. } => overtime,
        _ => &Overtime::None,
    };
    let byoyomi = matches!(overtime, Overtime::Byoyomi { .. });
    let canadian = matches!(overtime, Overtime::Canadian { .. });
    if change.main.is_some() && change.add.is_some() {
        return refuse("main time is either set or added to: give `main_us` or `add_us`");
    }
    let times = [change.main, change.add, change.overtime];
    if times.iter().flatten().any(|time| *time > MOST || *time < -MOST) {
        return refuse("a time of more than 999 hours cannot be set");
    }
    if times.iter().flatten().any(|time| time.as_nanos() % 1_000 != 0) {
        return refuse("times are set in whole microseconds");
    }
    if change.moves.is_some_and(|moves| moves > MOST_MOVES) {
        return refuse("the move counter can be set up to 9999");
    }
    if change.periods.is_some() && !byoyomi {
        return refuse("this stage has no byo-yomi periods");
    }
    if change.stones.is_some() && !canadian {
        return refuse("this stage has no Canadian stones");
    }
    if change.stones == Some(0) {
        return refuse("at least one stone is left in a block: give 1 or more");
    }
    if change.periods.max(change.stones).is_some_and(|units| units > MOST_UNITS) {
        return refuse("periods and stones can be set up to 9999");
    }
    match change.overtime {
        Some(_) if !byoyomi && !canadian => refuse("this stage has no periods or blocks"),
        Some(Span::ZERO) if byoyomi => {
            refuse("a period without time is burned: set the periods that are left")
        }
        Some(left) if left.is_negative() => Err(Refusal::BelowZero { side }),
        _ => Ok(()),
    }
}

/// The index of a stage that is counted from 1.
fn index_of(stage: u32) -> Option<usize> {
    usize::try_from(stage).ok()?.checked_sub(1)
}

/// Makes a change that was checked.
pub(super) fn apply(settings: &Settings, side: Side, clock: &mut Clock, change: &Adjustment) {
    if let Some(moves) = change.moves {
        clock.moves = moves;
    }
    if let Some(index) = change.stage.and_then(index_of) {
        set_stage(settings, side, clock, index, change.stage_time);
    }
    clock.main = change.main.unwrap_or(clock.main) + change.add.unwrap_or_default();
    if let Some(periods) = change.periods {
        set_periods(stage_of(settings, side, clock), clock, periods);
    }
    if let Some(stones) = change.stones {
        clock.stones = stones;
    }
    if let Some(left) = change.overtime {
        clock.overtime = left;
        // Periods are counted with the current one.
        if let Method::Main { overtime: Overtime::Byoyomi { burn_on_entry: false, .. }, .. } =
            stage_of(settings, side, clock).method
            && left.is_positive()
        {
            clock.periods = clock.periods.max(1);
        }
    }
}

/// Puts a clock into a stage by hand, which adds no time by itself; with `time` base and grant of
/// the stages left or entered are moved (`timing.md` 4.3 and 6, *Adjust*).
pub(super) fn set_stage(
    settings: &Settings,
    side: Side,
    clock: &mut Clock,
    index: usize,
    time: bool,
) {
    let left = clock.stage;
    clock.stage_began = due_beginning(settings, side, clock, index);
    clock.stage = index;
    clock.pending = false;
    let stages = &settings.control.sides[side].list;
    let Some(stage) = stages.get(index).filter(|_| index != left) else { return };
    method::fill_overtime(stage, clock);
    if time {
        let (from, to) = (left.min(index), left.max(index));
        for between in stages.iter().take(to + 1).skip(from + 1) {
            clock.main += if index > left { between.base } else { -between.base };
        }
        method::regrant(stage, clock, None);
    }
}

/// The press counter at which the stage of that index should have begun: what its predecessors
/// needed; behind a stage that ends at first zero, where that happened, and if it did not, the
/// counter now.
fn due_beginning(settings: &Settings, side: Side, clock: &Clock, index: usize) -> u32 {
    let by_zero = settings.switches.stage_trigger == Trigger::Zero;
    let mut began: u32 = 0;
    for (before, stage) in settings.control.sides[side].list.iter().take(index).enumerate() {
        match stage.moves.filter(|_| !by_zero) {
            Some(needed) => began = began.saturating_add(needed),
            None if clock.stage == before + 1 && clock.stage < index => began = clock.stage_began,
            None => began = clock.moves,
        }
    }
    began
}

/// Sets the periods left; a period that is to run again is full.
fn set_periods(stage: &Stage, clock: &mut Clock, periods: u32) {
    let Method::Main { overtime: Overtime::Byoyomi { each, burn_on_entry, .. }, .. } = stage.method
    else {
        return;
    };
    clock.periods = periods;
    if periods == 0 && !burn_on_entry {
        clock.overtime = Span::ZERO;
    } else if clock.overtime == Span::ZERO && !burn_on_entry {
        clock.overtime = each;
    }
}
