//! Tells the box what it suffers from, so that it is seen where nobody reads a log.

use std::convert::Infallible;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::bridge::Bridge;
use crate::bus::Standing;
use crate::panel::Troubles;
use crate::timing::PanelMessage;

/// How often is looked.
const LOOK: Duration = Duration::from_secs(1);

/// Tells the box of every trouble that comes or goes. A simulated box is on no tournament's table:
/// there nothing is said of a real-time priority that was denied.
pub(super) async fn watch(
    bridge: Bridge,
    standing: watch::Receiver<Standing>,
    simulated: bool,
) -> Infallible {
    let mut told = Troubles::default();
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        looks.tick().await;
        let health = bridge.health();
        let troubles = Troubles {
            card: health.disk_trouble.is_some(),
            bus: matches!(&*standing.borrow(), Standing::NoBus(_) | Standing::NoName(_)),
            priority: !(simulated || health.granted.degradations.is_empty()),
        };
        if troubles != told {
            told = troubles;
            bridge.tell_panel(PanelMessage::Troubles(troubles)).await;
        }
    }
}
