//! The arbiter's orders: each is one call, answered with the state that it led to.

use std::collections::HashMap;

use jiff::ZonedDateTime;
use serde_json::{Value, json};
use zbus::Variant;

use super::appointment::{self, Appointment};
use super::arguments::Order;
use super::bus::{Daemon, Dict, failure};
use super::exit::Failure;
use super::output::Output;
use super::{clocks, values};
use crate::control::{BySide, Profile, Seat, Side};
use crate::engine::{Adjustment, Command, Offence};
use crate::record::{Cause, Fields};

/// Whatever happened meanwhile: the arbiter at this console saw no sequence number.
const ANY_SEQUENCE: u64 = 0;

/// The instant at which no clock starts by itself.
const DISARMED: i64 = 0;

/// Gives an order and prints the state that it led to.
pub(super) async fn run(daemon: &Daemon, order: &Order, output: &Output) -> Result<(), Failure> {
    let name = |side: &Option<Side>| side.map_or("", Side::name);
    let arbiter = &daemon.arbiter;
    let answer = match order {
        Order::Start { side } => arbiter.start(name(side)).await,
        Order::StartAt { time } => return start_at(daemon, *time, output).await,
        Order::Pause { reason } => arbiter.pause(&reason.join(" ")).await,
        Order::Resume { side, instead: false } => arbiter.resume(name(side)).await,
        Order::Resume { side, instead: true } => arbiter.resume_instead(name(side)).await,
        Order::New { control, profile, switches, white_on, abandon } => {
            let options = new_game_options(*profile, switches, *white_on, *abandon);
            arbiter.new_game(&control.join(" "), options).await
        }
        Order::Undo { count, no_refund } => {
            arbiter.undo_press(*count, !no_refund, ANY_SEQUENCE).await
        }
        Order::InsertPress { count } => arbiter.insert_press(*count, ANY_SEQUENCE).await,
        Order::Swap => arbiter.swap_sides().await,
        Order::Arrived { side } => arbiter.mark_arrived(side.name()).await,
        Order::Change { control, replayed } => {
            let how = if *replayed { "replayed" } else { "kept" };
            arbiter.change_control(&control.join(" "), how).await
        }
        Order::Penalty { side, offence, after_reply } => {
            return penalty(daemon, *side, *offence, *after_reply, output).await;
        }
        Order::Quickplay { side } => {
            let before = daemon.snapshot().await?;
            let answer = arbiter.quickplay_increment(side.name(), sequence(&before)).await;
            return print_change(&before, answer, output);
        }
        Order::End { result } => arbiter.end(result.name()).await,
        Order::Confirm { side } => arbiter.confirm_stage(side.name()).await,
        Order::Recover { candidate } => arbiter.choose_recovery(candidate.name()).await,
        Order::Press { side } => arbiter.press(side.name()).await,
        Order::Lock => arbiter.lock(true).await,
        Order::Unlock => arbiter.lock(false).await,
    };
    print(answer, output)
}

/// Penalises, and prints what that did to both clocks.
async fn penalty(
    daemon: &Daemon,
    offender: Side,
    offence: Offence,
    after_reply: bool,
    output: &Output,
) -> Result<(), Failure> {
    if after_reply && offence != Offence::IllegalMove {
        return Err(Failure::usage(format!(
            "--after-reply takes back the reply to an illegal move; a {} has none: leave it out",
            offence.name()
        )));
    }
    let before = daemon.snapshot().await?;
    let (offender, offence) = (offender.name(), offence.name());
    let answer = daemon.arbiter.penalize(offender, offence, after_reply, sequence(&before)).await;
    print_change(&before, answer, output)
}

/// Arms the clock for a time of the day, and prints which instant that is; or disarms it.
async fn start_at(daemon: &Daemon, time: Appointment, output: &Output) -> Result<(), Failure> {
    let Appointment::At(time) = time else {
        return print(daemon.arbiter.start_at(DISARMED).await, output);
    };
    let Some(at) = appointment::next(time, &ZonedDateTime::now()) else {
        return Err(Failure::usage(format!("local clocks will not show {time} in these days")));
    };
    let unix_us = at.timestamp().as_microsecond();
    let answer = daemon.arbiter.start_at(unix_us).await;
    let state = values::fields(&answer.map_err(|error| failure(&error))?);
    let said = at.strftime("%Y-%m-%d %H:%M:%S %:z").to_string();
    let json = json!({
        "at": at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        "unix_us": unix_us,
        "state": state.clone(),
    });
    output.result(json, || format!("{}\nstarts by itself at {said}", shown(&state, output)))
}

/// Prints what the clocks would show under another control; nothing changes.
pub(super) async fn what_if(
    daemon: &Daemon,
    control: &str,
    output: &Output,
) -> Result<(), Failure> {
    print(daemon.clock.what_if(control).await, output)
}

/// Has the box show and sound everything that it can.
pub(super) async fn self_test(daemon: &Daemon, output: &Output) -> Result<(), Failure> {
    daemon.arbiter.self_test().await.map_err(|error| failure(&error))?;
    output.result(json!({"selftest": "started"}), || {
        "look and listen: all segments, both lamps and the buzzer are on for three seconds"
            .to_owned()
    })
}

/// Corrects the clocks in one indivisible step and prints the state that it led to.
pub(super) async fn adjust(
    daemon: &Daemon,
    changes: BySide<Adjustment>,
    output: &Output,
) -> Result<(), Failure> {
    // the members of the order are those of its line in the journal
    let changes = values::dict(&Cause::command(Command::Adjust(changes)).fields());
    print(daemon.arbiter.adjust(changes, "", ANY_SEQUENCE).await, output)
}

/// The number of the newest line that a state knows: an order that names it is refused when
/// something has happened since.
fn sequence(state: &Fields) -> u64 {
    state.get("seq").and_then(Value::as_u64).unwrap_or(ANY_SEQUENCE)
}

/// Prints the state that an order led to.
pub(super) fn print(answer: zbus::Result<Dict>, output: &Output) -> Result<(), Failure> {
    let state = values::fields(&answer.map_err(|error| failure(&error))?);
    output.result(state.clone(), || shown(&state, output))
}

fn shown(state: &Fields, output: &Output) -> String {
    format!("{}\n{}", clocks::two_lines(state, output), clocks::phase(state))
}

/// Prints both clocks before and after an order.
fn print_change(
    before: &Fields,
    answer: zbus::Result<Dict>,
    output: &Output,
) -> Result<(), Failure> {
    let after = values::fields(&answer.map_err(|error| failure(&error))?);
    output.result(json!({"before": before, "after": after.clone()}), || {
        format!("before\n{}\nafter\n{}", shown(before, output), shown(&after, output))
    })
}

fn new_game_options(
    profile: Option<Profile>,
    switches: &[(String, String)],
    white_on: Option<Seat>,
    abandon: bool,
) -> HashMap<&str, Variant<'_>> {
    let mut options = HashMap::new();
    for (name, value) in switches {
        let value = value.parse::<bool>().map_or_else(|_| Variant::from(value), Variant::from);
        options.insert(name.as_str(), value);
    }
    if let Some(profile) = profile {
        options.insert("profile", profile.name().into());
    }
    if let Some(seat) = white_on {
        options.insert("white-on", seat.name().into());
    }
    if abandon {
        options.insert("abandon", true.into());
    }
    options
}
