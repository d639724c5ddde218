//! What lies behind main time: byo-yomi, Canadian, time below zero (Scrabble).

use super::take;
use crate::control::{Block, Overtime};
use crate::engine::state::Clock;
use crate::time::Span;

/// Makes periods and block full, as they are when a side enters the stage.
pub(super) fn enter(overtime: &Overtime, clock: &mut Clock) {
    (clock.periods, clock.stones, clock.block, clock.overtime) = (0, 0, 0, Span::ZERO);
    match overtime {
        Overtime::Byoyomi { periods, each, burn_on_entry, .. } => {
            clock.periods = *periods;
            clock.overtime = if *burn_on_entry { Span::ZERO } else { *each };
        }
        Overtime::Canadian { blocks } => open_block(blocks, 0, clock),
        Overtime::None | Overtime::Below { .. } => {}
    }
}

/// Takes `time`, which is not more than remains: from main, then from what lies behind it. The
/// rest of a second that main could not cover is carried over.
pub(super) fn spend(overtime: &Overtime, clock: &mut Clock, mut time: Span) {
    match overtime {
        Overtime::None | Overtime::Below { .. } => clock.main -= time,
        Overtime::Canadian { .. } => {
            take(&mut clock.main, &mut time);
            clock.overtime -= time;
        }
        Overtime::Byoyomi { each, burn_on_entry, .. } => {
            take(&mut clock.main, &mut time);
            take(&mut clock.allowance, &mut time);
            if *burn_on_entry {
                spend_burning_on_entry(*each, clock, time);
            } else {
                spend_periods(*each, clock, time);
            }
        }
    }
}

/// **Byo-yomi**: a period used up exactly is burned at that instant, and the next one begins.
fn spend_periods(each: Span, clock: &mut Clock, mut time: Span) {
    while clock.periods > 0 && time >= clock.overtime {
        time -= clock.overtime;
        clock.periods -= 1;
        clock.overtime = if clock.periods > 0 { each } else { Span::ZERO };
    }
    clock.overtime -= time.min(clock.overtime);
}

/// **Byo-yomi, burn-on-entry** (NHK): a period is gone when it is begun, which is at the instant
/// when free time or the period before is used up.
fn spend_burning_on_entry(each: Span, clock: &mut Clock, mut time: Span) {
    let spent = |clock: &Clock| {
        !clock.main.is_positive() && clock.allowance == Span::ZERO && clock.overtime == Span::ZERO
    };
    loop {
        if spent(clock) && clock.periods > 0 {
            clock.periods -= 1;
            clock.overtime = each;
        }
        take(&mut clock.overtime, &mut time);
        if !(spent(clock) && clock.periods > 0) {
            return;
        }
    }
}

/// What a press does to the overtime: in byo-yomi the begun period is full again (burn-on-entry:
/// lost) and free time whole; in Canadian a stone is played, and the last one opens a block.
pub(super) fn press(overtime: &Overtime, clock: &mut Clock) {
    match overtime {
        Overtime::None | Overtime::Below { .. } => {}
        Overtime::Byoyomi { burn_on_entry, .. } => {
            restore_free_time(overtime, clock);
            if *burn_on_entry {
                clock.overtime = Span::ZERO;
            } else {
                refill_period(overtime, clock);
            }
        }
        Overtime::Canadian { .. } if clock.main.is_positive() => {}
        Overtime::Canadian { blocks } => {
            clock.stones = clock.stones.saturating_sub(1);
            if clock.stones == 0 {
                open_block(blocks, clock.block + 1, clock);
            }
        }
    }
}

/// Makes the free time of each turn (NHK) whole.
pub(super) fn restore_free_time(overtime: &Overtime, clock: &mut Clock) {
    if let Overtime::Byoyomi { free: Some(free), .. } = overtime {
        clock.allowance = *free;
        clock.granted_allowance = *free;
    }
}

/// Makes the running byo-yomi period full; a Canadian block stays used.
pub(super) fn refill_period(overtime: &Overtime, clock: &mut Clock) {
    let Overtime::Byoyomi { each, burn_on_entry, .. } = overtime else { return };
    let running = if *burn_on_entry { clock.overtime.is_positive() } else { clock.periods > 0 };
    if running {
        clock.overtime = *each;
    }
}

/// **Canadian**: the block of that index, full; after the last one it is opened again.
fn open_block(blocks: &[Block], index: usize, clock: &mut Clock) {
    let index = index.min(blocks.len().saturating_sub(1));
    if let Some(block) = blocks.get(index) {
        clock.block = index;
        clock.stones = block.stones;
        clock.overtime = block.time();
    }
}

/// All the time that lies behind main and allowance.
pub(super) fn behind_main(overtime: &Overtime, clock: &Clock) -> Span {
    match overtime {
        Overtime::None => Span::ZERO,
        Overtime::Below { limit } => *limit,
        Overtime::Canadian { .. } => clock.overtime,
        Overtime::Byoyomi { each, burn_on_entry: true, .. } => {
            clock.overtime + each.times(clock.periods)
        }
        Overtime::Byoyomi { each, .. } => {
            clock.overtime + each.times(clock.periods.saturating_sub(1))
        }
    }
}
