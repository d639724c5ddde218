//! The tag `TimeControl`.

use crate::control::{Control, Grant, Method, Overtime, Stages};
use crate::engine::Operation;
use crate::report::{CarriedOut, EventContent, Report};

/// The tag `TimeControl` of a game; `None` if the control was changed.
pub(super) fn of_game(report: &Report) -> Option<String> {
    let changed = report.events().any(|event| {
        let EventContent::Operation(CarriedOut { operation, .. }) = &event.content else {
            return false;
        };
        matches!(operation, Operation::ChangeControl(_))
    });
    time_control(&report.settings.control).filter(|_| !changed)
}

/// The control in the notation of the tag `TimeControl`, if that can express it.
#[must_use]
pub fn time_control(control: &Control) -> Option<String> {
    if !control.is_equal() {
        return None;
    }
    let Stages { list, repeat } = &control.sides.white;
    let last = list.len().checked_sub(1)?;
    let fields = list.iter().enumerate().map(|(index, stage)| {
        let seconds = stage.base.as_nanos().checked_rem(1_000_000_000) == Some(0);
        let base = stage.base.as_nanos() / 1_000_000_000;
        let moves = match stage.moves {
            // the tag's last field repeats where it names moves
            Some(moves) if index < last || *repeat => format!("{moves}/"),
            None if index == last => String::new(),
            _ => return None,
        };
        match stage.method {
            _ if !seconds => None,
            Method::Hourglass => Some(format!("*{base}")),
            Method::Main { grant: Grant::None, overtime: Overtime::None } => {
                Some(format!("{moves}{base}"))
            }
            Method::Main {
                grant: Grant::Increment { each, cap: None },
                overtime: Overtime::None,
            } if each.as_nanos() % 1_000_000_000 == 0 => {
                Some(format!("{moves}{base}+{}", each.as_nanos() / 1_000_000_000))
            }
            _ => None,
        }
    });
    fields.collect::<Option<Vec<_>>>().map(|fields| fields.join(":"))
}
