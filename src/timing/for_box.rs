//! What the daemon says to the face of the box.

use super::messages::PanelMessage;
use crate::menu::catalogue::Catalogue;
use crate::panel::Panel;
use crate::time::Instant;

/// Shows or keeps what the daemon says to the box; gives back what it has to drop.
pub(super) fn obey(panel: &mut Panel, at: Instant, order: PanelMessage) -> Option<Box<Catalogue>> {
    let menu = panel.menu();
    match order {
        PanelMessage::Kept { slot, own, outcome } => return menu.kept(slot, own, outcome, at),
        PanelMessage::Offers(catalogue) => return Some(menu.renew(catalogue, at)),
        PanelMessage::Done(message) => menu.done(message, at),
        PanelMessage::Refused(message) => menu.refused(message, at),
        PanelMessage::Tell(message) => menu.tell(message, at),
        PanelMessage::SelfTest => panel.begin_self_test(at),
        PanelMessage::Troubles(troubles) => panel.set_troubles(troubles),
        PanelMessage::LowSupply(low) => panel.set_low_supply(low),
    }
    None
}
