//! The arbiter's orders: each is one call, answered with the state that it led to.

use std::collections::HashMap;

use zbus::Variant;

use super::arguments::Order;
use super::bus::{Daemon, Dict, failure};
use super::exit::Failure;
use super::output::Output;
use super::{clocks, values};
use crate::control::{BySide, Profile, Seat, Side};
use crate::engine::{Adjustment, Command};
use crate::record::Cause;

/// Whatever happened meanwhile: the arbiter at this console saw no sequence number.
const ANY_SEQUENCE: u64 = 0;

/// Gives an order and prints the state that it led to.
pub(super) async fn run(daemon: &Daemon, order: &Order, output: &Output) -> Result<(), Failure> {
    let name = |side: &Option<Side>| side.map_or("", Side::name);
    let arbiter = &daemon.arbiter;
    let answer = match order {
        Order::Start { side } => arbiter.start(name(side)).await,
        Order::Pause { reason } => arbiter.pause(&reason.join(" ")).await,
        Order::Resume { side } => arbiter.resume(name(side)).await,
        Order::New { control, profile, switches, white_on, abandon } => {
            let options = new_game_options(*profile, switches, *white_on, *abandon);
            arbiter.new_game(&control.join(" "), options).await
        }
        Order::Undo { count, no_refund } => {
            arbiter.undo_press(*count, !no_refund, ANY_SEQUENCE).await
        }
        Order::End { result } => arbiter.end(result.name()).await,
        Order::Confirm { side } => arbiter.confirm_stage(side.name()).await,
        Order::Recover { candidate } => arbiter.choose_recovery(candidate.name()).await,
        Order::Press { side } => arbiter.press(side.name()).await,
    };
    print(answer, output)
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

fn print(answer: zbus::Result<Dict>, output: &Output) -> Result<(), Failure> {
    let state = values::fields(&answer.map_err(|error| failure(&error))?);
    output.result(state.clone(), || {
        format!("{}\n{}", clocks::two_lines(&state, output), clocks::phase(&state))
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
