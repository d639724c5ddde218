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
use crate::record::{Cause, Fields, How};

/// Whatever happened meanwhile: the arbiter at this console saw no sequence number.
const ANY_SEQUENCE: u64 = 0;

/// The instant at which no clock starts by itself.
const DISARMED: i64 = 0;

/// Gives an order and prints the state that it led to.
pub(super) async fn run(daemon: &Daemon, order: &Order, output: &Output) -> Result<(), Failure> {
    match order {
        Order::StartAt { time } => start_at(daemon, *time, output).await,
        // what they do to both clocks is told, so nothing may come between
        Order::Penalty { .. } | Order::Quickplay { .. } => {
            let before = daemon.snapshot().await?;
            let after = give(daemon, order, sequence(&before)).await?;
            print_change(&before, &after, output)
        }
        _ => print(&give(daemon, order, ANY_SEQUENCE).await?, output),
    }
}

/// Gives an order and waits for the state that it led to. `if_seq`: only if that is still the
/// newest line's number, as far as the order can be tied to one ([`is_tied`]).
pub(super) async fn give(daemon: &Daemon, order: &Order, if_seq: u64) -> Result<Fields, Failure> {
    let name = |side: &Option<Side>| side.map_or("", Side::name);
    let arbiter = &daemon.arbiter;
    let answer = match order {
        Order::Start { side } => arbiter.start(name(side)).await,
        Order::StartAt { time } => arbiter.start_at(instant(*time)?.unix_us()).await,
        Order::Pause { reason } => arbiter.pause(&reason.join(" ")).await,
        Order::Resume { side, instead: false } => arbiter.resume(name(side)).await,
        Order::Resume { side: Some(side), instead: true } => {
            arbiter.resume_instead(side.name()).await
        }
        Order::Resume { side: None, instead: true } => {
            let now = daemon.snapshot().await?;
            let white = now.get("to_move").is_some_and(|side| side == Side::White.name());
            arbiter.resume_instead(if white { Side::Black } else { Side::White }.name()).await
        }
        Order::New { control, profile, switches, white_on, abandon } => {
            let options = new_game_options(*profile, switches, *white_on, *abandon);
            arbiter.new_game(&control.join(" "), options).await
        }
        Order::Undo { count, no_refund } => arbiter.undo_press(*count, !no_refund, if_seq).await,
        Order::InsertPress { count } => arbiter.insert_press(*count, if_seq).await,
        Order::Swap => arbiter.swap_sides().await,
        Order::Arrived { side } => arbiter.mark_arrived(side.name()).await,
        Order::Change { control, replayed } => {
            let how = if *replayed { How::Replayed } else { How::Kept };
            arbiter.change_control(&control.join(" "), how.name()).await
        }
        Order::Penalty { side, offence, after_reply } => {
            check_reply(*offence, *after_reply)?;
            arbiter.penalize(side.name(), offence.name(), *after_reply, if_seq).await
        }
        Order::Quickplay { side } => arbiter.quickplay_increment(side.name(), if_seq).await,
        Order::End { result } => arbiter.end(result.name()).await,
        Order::Confirm { side } => arbiter.confirm_stage(side.name()).await,
        Order::Recover { candidate } => arbiter.choose_recovery(candidate.name()).await,
        Order::Press { side } => arbiter.press(side.name()).await,
        Order::Lock => arbiter.lock(true).await,
        Order::Unlock => arbiter.lock(false).await,
    };
    answered(answer)
}

/// True if the bus ties this order to the line that it was given for: the daemon itself refuses it
/// when something has happened since.
pub(super) fn is_tied(order: &Order) -> bool {
    matches!(
        order,
        Order::Undo { .. }
            | Order::InsertPress { .. }
            | Order::Penalty { .. }
            | Order::Quickplay { .. }
    )
}

/// A reply can be taken back only together with the illegal move that it answered.
pub(super) fn check_reply(offence: Offence, after_reply: bool) -> Result<(), Failure> {
    if after_reply && offence != Offence::IllegalMove {
        return Err(Failure::usage(format!(
            "--after-reply takes back the reply to an illegal move; a {} has none: leave it out",
            offence.name()
        )));
    }
    Ok(())
}

/// Arms the clock for a time of the day, and prints which instant that is; or disarms it.
async fn start_at(daemon: &Daemon, time: Appointment, output: &Output) -> Result<(), Failure> {
    let starts = instant(time)?;
    let state = answered(daemon.arbiter.start_at(starts.unix_us()).await)?;
    let Starts::At(at) = &starts else { return print(&state, output) };
    let json = json!({
        "at": at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        "unix_us": starts.unix_us(),
        "state": state.clone(),
    });
    output.result(json, || format!("{}\n{}", shown(&state, output), starts.words()))
}

/// When a clock starts by itself.
#[derive(Clone, Debug)]
pub(super) enum Starts {
    /// Then.
    At(ZonedDateTime),
    /// Not at all.
    Never,
}

impl Starts {
    /// As the bus has it.
    pub(super) fn unix_us(&self) -> i64 {
        match self {
            Starts::At(at) => at.timestamp().as_microsecond(),
            Starts::Never => DISARMED,
        }
    }

    /// For a person.
    pub(super) fn words(&self) -> String {
        match self {
            Starts::At(at) => {
                format!("starts by itself at {}", at.strftime("%Y-%m-%d %H:%M:%S %:z"))
            }
            Starts::Never => "does not start by itself".to_owned(),
        }
    }
}

/// The instant that a time of the day names next.
pub(super) fn instant(time: Appointment) -> Result<Starts, Failure> {
    let Appointment::At(time) = time else { return Ok(Starts::Never) };
    appointment::next(time, &ZonedDateTime::now())
        .map(Starts::At)
        .ok_or_else(|| Failure::usage(format!("local clocks will not show {time} in these days")))
}

/// Prints what the clocks would show under another control; nothing changes.
pub(super) async fn what_if(
    daemon: &Daemon,
    control: &str,
    output: &Output,
) -> Result<(), Failure> {
    print(&answered(daemon.clock.what_if(control).await)?, output)
}

/// What is to be seen and heard of a self-test.
pub(super) const SELF_TEST: &str =
    "look and listen: all segments, both lamps and the buzzer are on for three seconds";

/// Has the box show and sound everything that it can.
pub(super) async fn self_test(daemon: &Daemon, output: &Output) -> Result<(), Failure> {
    daemon.arbiter.self_test().await.map_err(|error| failure(&error))?;
    output.result(json!({"selftest": "started"}), || SELF_TEST.to_owned())
}

/// Corrects the clocks in one indivisible step and prints the state that it led to.
pub(super) async fn adjust(
    daemon: &Daemon,
    changes: BySide<Adjustment>,
    output: &Output,
) -> Result<(), Failure> {
    print(&correct(daemon, changes, ANY_SEQUENCE).await?, output)
}

/// Corrects the clocks in one indivisible step, and waits for the state that it led to. `if_seq`:
/// only if that is still the newest line's number.
pub(super) async fn correct(
    daemon: &Daemon,
    changes: BySide<Adjustment>,
    if_seq: u64,
) -> Result<Fields, Failure> {
    // the members of the order are those of its line in the journal
    let changes = values::dict(&Cause::command(Command::Adjust(changes)).fields());
    answered(daemon.arbiter.adjust(changes, "", if_seq).await)
}

/// The number of the newest line that a state knows: an order that names it is refused when
/// something has happened since.
pub(super) fn sequence(state: &Fields) -> u64 {
    state.get("seq").and_then(Value::as_u64).unwrap_or(ANY_SEQUENCE)
}

/// The state in an answer.
pub(super) fn answered(answer: zbus::Result<Dict>) -> Result<Fields, Failure> {
    Ok(values::fields(&answer.map_err(|error| failure(&error))?))
}

/// Prints the state that an order led to.
pub(super) fn print(state: &Fields, output: &Output) -> Result<(), Failure> {
    output.result(state.clone(), || shown(state, output))
}

fn shown(state: &Fields, output: &Output) -> String {
    format!("{}\n{}", clocks::two_lines(state, output), clocks::phase(state))
}

/// Prints both clocks before and after an order.
fn print_change(before: &Fields, after: &Fields, output: &Output) -> Result<(), Failure> {
    output.result(json!({"before": before, "after": after.clone()}), || {
        format!("before\n{}\nafter\n{}", shown(before, output), shown(after, output))
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
