//! What the daemon says to the face of the box.

use super::messages::BoxOrder;
use crate::menu::catalogue::Catalogue;
use crate::panel::Panel;
use crate::time::Instant;

/// Shows or keeps what the daemon says to the box; gives back what it has to drop.
pub(super) fn obey(panel: &mut Panel, at: Instant, order: BoxOrder) -> Option<Box<Catalogue>> {
    let menu = panel.menu();
    match order {
        BoxOrder::Kept { slot, own, outcome } => return menu.kept(slot, own, outcome, at),
        BoxOrder::Offers(catalogue) => return Some(menu.renew(catalogue, at)),
        BoxOrder::Done(message) => menu.done(message, at),
        BoxOrder::Refused(message) => menu.refused(message, at),
        BoxOrder::Tell(message) => menu.tell(message, at),
        BoxOrder::SelfTest => panel.begin_self_test(at),
        BoxOrder::Troubles(troubles) => panel.set_troubles(troubles),
        BoxOrder::LowSupply(low) => panel.set_low_supply(low),
    }
    None
}
