//! One line of a journal as a value.
//!
//! Whether lines follow each other as they should is the [replay](super::Replay)'s to say.

use std::sync::Arc;

use jiff::Timestamp;

use super::chain::After;
use super::json::{self, Value, owned};
use super::members::{self, Members, Problem, Reading, nearest};
use super::{Cause, DENIED, How, Imported, read_export, view};
use crate::control::presets::{self, Presets};
use crate::control::quote::{MAX_NAME, quote};
use crate::control::{BySide, Control, Profile, Seat, Settings, Side, Switches};
use crate::engine::{
    Adjustment, Candidate, Candidates, Change, Command, FlagKind, GameResult, Offence,
};
use crate::time::Span;

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the sequence, where it says so.
    pub seq: Option<u64>,
    /// When, since the game began.
    pub at: Span,
    /// The time of day, where it says so: for people, never for the order of lines.
    pub wall: Option<Timestamp>,
    /// Who caused it, where a cause says so.
    pub origin: Option<String>,
    /// What it tells.
    pub content: Content,
}

/// What a line tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Something from outside.
    Cause(Cause),
    /// What followed, as somebody else computed it.
    Effect,
}

const KINDS: [&str; 33] = [
    "new_game",
    "start",
    "press",
    "pause",
    "resume",
    "adjust",
    "undo_press",
    "confirm_stage",
    "end",
    "insert_press",
    "resume_instead",
    "penalty",
    "quickplay",
    "change_control",
    "swap_sides",
    "arrived",
    "recovered",
    "choose_recovery",
    "import",
    "lock",
    "start_at",
    "query",
    DENIED,
    "turn",
    "flag",
    "flag_lifted",
    "stage",
    "stage_pending",
    "period",
    "ignored",
    "refused",
    "second_offence",
    "warning",
];

/// Reads one line. `presets` are those whose ids a `control` may name.
///
/// # Errors
/// What is wrong with it, in a sentence; every member is looked at.
pub fn parse_line(text: &str, presets: &Presets) -> Result<Line, Problem> {
    let mut line = Members::of_line(json::object(text).map_err(Problem::line)?);
    let kind = line.need("kind", members::text)?;
    let at = line.need("at_us", members::at)?;
    let seq = line.take("seq", members::sequence)?;
    let wall = line.take("wall", wall)?;
    line.take("hash", hash)?;
    if kind != "import" {
        line.take("state", members::object)?;
    }
    let (origin, content) = match effect(&kind, &mut line)? {
        Some(()) => (None, Content::Effect),
        None => {
            let origin = line.take("origin", origin)?;
            (origin, Content::Cause(cause(&kind, &mut line, presets)?))
        }
    };
    line.finish(format_args!("`{kind}`"))?;
    Ok(Line { seq, at, wall, origin, content })
}

fn cause(kind: &str, line: &mut Members, presets: &Presets) -> Result<Cause, Problem> {
    let command = match kind {
        "new_game" => return new_game(line, presets),
        "press" => return press(line),
        "query" => return Ok(Cause::Query),
        DENIED => {
            return Ok(Cause::Denied { what: line.need("what", members::text)?.into_owned() });
        }
        "change_control" => {
            let (control, _) = line.need("control", |value| control(value, presets))?;
            let how = line.take("how", |value| members::word(value, &How::ALL, How::name))?;
            let how = how.unwrap_or_default();
            return Ok(Cause::ChangeControl { control: Arc::new(control), how });
        }
        "recovered" => return recovered(line),
        "import" => return import(line),
        "start" => Command::Start { side: line.take("side", members::side)? },
        "resume" => Command::Resume { side: line.take("side", members::side)? },
        "pause" => Command::Pause,
        "adjust" => Command::Adjust(BySide {
            white: adjustment(line, Side::White)?,
            black: adjustment(line, Side::Black)?,
        }),
        "undo_press" => Command::UndoPress {
            count: line.take("count", members::positive)?.unwrap_or(1),
            refund: line.take("refund", members::truth)?.unwrap_or(true),
        },
        "confirm_stage" => Command::ConfirmStage { side: line.need("side", members::side)? },
        "insert_press" => {
            Command::InsertPress { count: line.take("count", members::positive)?.unwrap_or(1) }
        }
        "resume_instead" => Command::ResumeInstead { side: line.need("side", members::side)? },
        "penalty" => Command::Penalty {
            offender: line.need("offender", members::side)?,
            offence: line
                .need("offence", |value| members::word(value, &Offence::ALL, Offence::name))?,
            after_reply: line.take("after_reply", members::truth)?.unwrap_or(false),
        },
        "quickplay" => Command::Quickplay { claimant: line.need("claimant", members::side)? },
        "swap_sides" => Command::SwapSides,
        "arrived" => Command::Arrived { side: line.need("side", members::side)? },
        "start_at" => Command::StartAt {
            unix_us: Some(line.need("unix_us", members::integer)?).filter(|us| *us != 0),
        },
        "lock" => Command::Lock { locked: line.need("locked", members::truth)? },
        "choose_recovery" => Command::ChooseRecovery {
            candidate: line.need("candidate", |value| {
                members::word(value, &Candidate::ALL, Candidate::name)
            })?,
        },
        "end" => Command::End { result: line.need("result", result)? },
        _ => return Err(line.problem("kind", unknown_kind(kind))),
    };
    let reason = match command {
        Command::Pause | Command::Adjust(_) => line.take("reason", members::text)?,
        _ => None,
    };
    Ok(Cause::Command { command, reason: reason.unwrap_or_default().into_owned() })
}

fn unknown_kind(kind: &str) -> String {
    format!(
        "no line is called \"{}\"{}; the kinds are {}",
        quote(kind, MAX_NAME),
        nearest(kind, &KINDS),
        KINDS.join(", ")
    )
}

fn press(line: &mut Members) -> Result<Cause, Problem> {
    let side = line.need("side", members::side)?;
    let both = line.take("both", members::truth)?.unwrap_or(false);
    Ok(if both { Cause::PressBoth { side } } else { Cause::Press { side } })
}

fn new_game(line: &mut Members, presets: &Presets) -> Result<Cause, Problem> {
    let (control, own_profile) = line.need("control", |value| control(value, presets))?;
    let profile =
        line.take("profile", |value| members::word(value, &Profile::ALL, Profile::name))?;
    let profile = profile.or(own_profile).unwrap_or_default();
    let mut settings = Settings::new(control, profile);
    if let Some(mut chosen) = line.take_object("switches")? {
        for (name, value) in chosen.drain() {
            set_switch(&mut settings.switches, &name, &value)
                .map_err(|sentence| chosen.problem(&name, sentence))?;
        }
    }
    line.take(After::MEMBER, after)?;
    let white_on = line.take("white_on", |value| members::word(value, &Seat::BOTH, Seat::name))?;
    settings.white_on = white_on.unwrap_or_default();
    Ok(Cause::NewGame { settings: Arc::new(settings) })
}

fn recovered(line: &mut Members) -> Result<Cause, Problem> {
    let why = line.take("why", members::text)?.unwrap_or_default().into_owned();
    let last_record = candidate(line, "last_record")?;
    let last_press = candidate(line, "last_press")?;
    let candidates = last_record
        .zip(last_press)
        .map(|(last_record, last_press)| Candidates { last_record, last_press });
    Ok(Cause::Recovered { why, candidates })
}

fn candidate(
    line: &mut Members,
    name: &'static str,
) -> Result<Option<BySide<Option<Span>>>, Problem> {
    let Some(mut left) = line.take_object(name)? else { return Ok(None) };
    let left_or_null = |value: &Value| match value {
        Value::Null => Ok(None),
        value => members::span(value).map(Some),
    };
    let white = left.need("white_us", left_or_null)?;
    let black = left.need("black_us", left_or_null)?;
    left.finish(format_args!("`{name}` in `recovered`"))?;
    Ok(Some(BySide { white, black }))
}

/// The game that is imported: what was exported; or where that is not there, what `state` shows.
fn import(line: &mut Members) -> Result<Cause, Problem> {
    let exported = line
        .take("exported", |value| read_export(owned(value)).map_err(|error| error.to_string()))?;
    let game = match exported {
        Some(saved) => {
            line.take("state", members::object)?;
            Imported::Exported(saved)
        }
        None => match line.take_object("state")? {
            Some(state) => Imported::Seen(view::read_state(state)?),
            None => {
                return Err(line.problem("exported", "is missing; a `state` would do, too"));
            }
        },
    };
    Ok(Cause::Import { game: Arc::new(game) })
}

fn control(value: &Value, presets: &Presets) -> Reading<(Control, Option<Profile>)> {
    presets::resolve(presets, &members::text(value)?).map_err(|error| error.to_string())
}

fn set_switch(switches: &mut Switches, name: &str, value: &Value) -> Reading<()> {
    let value = match value {
        Value::Bool(on) => on.to_string().into(),
        other => members::text(other).map_err(|_| "a switch is true, false or a text")?,
    };
    switches.set(name, &value).map_err(|error| error.to_string())
}

fn adjustment(line: &mut Members, side: Side) -> Result<Adjustment, Problem> {
    let Some(mut change) = line.take_object(side.name())? else {
        return Ok(Adjustment::default());
    };
    let to = change.take("main_us", members::span)?.map(Change::To);
    let by = change.take("add_us", members::span)?.map(Change::By);
    if to.is_some() && by.is_some() {
        return Err(change.problem("add_us", "stands beside `main_us`; give one of the two"));
    }
    let adjustment = Adjustment {
        main: to.or(by),
        moves: change.take("moves", members::count)?,
        stage: change.take("stage", members::positive)?,
        stage_time: change.take("stage_time", members::truth)?.unwrap_or(false),
        periods: change.take("periods", members::count)?,
        stones: change.take("stones", members::count)?,
        overtime: change.take("overtime_us", members::span_from_zero)?,
    };
    change.finish(format_args!("`{side}` in `adjust`"))?;
    Ok(adjustment)
}

/// Looks at the members of an effect; `None` where the kind is none. Their values are not kept:
/// a replay computes them anew.
fn effect(kind: &str, line: &mut Members) -> Result<Option<()>, Problem> {
    match kind {
        "turn" | "flag_lifted" | "stage_pending" => {
            line.need("side", members::side)?;
        }
        "flag" => {
            line.need("side", members::side)?;
            let kinds = [FlagKind::Stage, FlagKind::Fall];
            line.need("flag", |value| members::word(value, &kinds, FlagKind::name))?;
            line.need("first", members::truth)?;
        }
        "stage" => {
            line.need("side", members::side)?;
            line.need("stage", members::positive)?;
            line.need("added_us", members::span)?;
        }
        "period" => {
            line.need("side", members::side)?;
            line.need("periods", members::count)?;
        }
        "ignored" => {
            line.need("what", members::text)?;
            line.take("side", members::side)?;
            line.need("reason", members::text)?;
        }
        "refused" => {
            line.need("what", members::text)?;
            line.need("error", members::text)?;
        }
        "second_offence" => {
            line.need("side", members::side)?;
            line.need("offence", members::text)?;
        }
        "warning" => {
            line.need("code", members::text)?;
            line.need("detail", members::text)?;
        }
        _ => return Ok(None),
    }
    Ok(Some(()))
}

fn result(value: &Value) -> Reading<GameResult> {
    members::word(value, &GameResult::ALL, GameResult::name)
}

fn origin(value: &Value) -> Reading<String> {
    let text = members::text(value)?;
    let user = text.strip_prefix("bus:").is_some_and(|user| !user.is_empty());
    if user || ["board", "timer", "recovery"].contains(&text.as_ref()) {
        Ok(text.into_owned())
    } else {
        Err("is expected to be \"board\", \"timer\", \"recovery\" or \"bus:<user name>\""
            .to_owned())
    }
}

fn wall(value: &Value) -> Reading<Timestamp> {
    let text = members::text(value)?;
    text.parse().map_err(|_| "is expected to be a time as in \"2026-11-30T10:00:00Z\"".to_owned())
}

fn after(value: &Value) -> Reading<After> {
    After::read(&owned(value)).ok_or_else(|| {
        "is expected to be {\"game\":\"...\",\"hash\":\"...\"}, the game before and the SHA-256 of its \
         last line"
            .to_owned()
    })
}

fn hash(value: &Value) -> Reading<()> {
    let text = members::text(value)?;
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(())
    } else {
        Err("is expected to be a SHA-256 in 64 hexadecimal digits".to_owned())
    }
}
