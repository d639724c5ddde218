//! The daemon on D-Bus: thin adapters between the bus and the daemon's bridge.
//!
//! No game is decided here and no time kept. What can be asked, read and heard is described in
//! the introspection (`config/dbus/`); that and this room must say the same, a test compares them.
//!
//! | looking for | see |
//! |---|---|
//! | what everybody may read | `clock1` |
//! | what arbiters may do | `arbiter1` |
//! | the simulated box | `simulator1` |
//! | who may what | `who` |
//! | connecting, the name, and what happens when the bus dies | `link` |
//! | the signals | `announcer` |
//! | dictionaries | `variant` (serde over them), `dict` (out), `arguments` (in) |
//! | limits of the work for callers | `workload` |

mod announcer;
mod arbiter1;
mod arguments;
mod clock1;
mod dict;
mod errors;
mod link;
mod place;
mod properties;
mod simulator1;
pub mod variant;
mod who;
mod workload;

pub use link::{Link, Standing};
pub use place::Place;

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};

use workload::Workload;

use crate::board::sim::Simulator;
use crate::board::sim::manual::ManualHandle;
use crate::control::Settings;
use crate::daemon::bridge::Bridge;
use crate::daemon::collection::Collection;
use crate::journal::reading::Archive;

/// The name on the bus.
pub const NAME: &str = "org.flagfall.Clock1";
/// The object of the clock.
pub const CLOCK_PATH: &str = "/org/flagfall/Clock1";
/// The object of the simulated box.
pub const SIMULATOR_PATH: &str = "/org/flagfall/Simulator1";

/// What is served.
#[derive(Debug)]
pub struct Service {
    /// The running clock.
    pub bridge: Bridge,
    /// What a new game is set to where nothing else is said.
    pub defaults: Settings,
    /// The presets on offer.
    pub presets: Collection,
    /// `rpi` or `sim`.
    pub board: &'static str,
    /// What the time line goes by.
    pub timebase: &'static str,
    /// The simulated box, where there is one.
    pub simulation: Option<Simulation>,
    /// The journals of all games, or why there are none.
    pub journal: Result<Archive, Arc<str>>,
}

/// The simulated box, for whoever tests.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Its keys and displays.
    pub simulator: Simulator,
    /// Its time, where that is manual.
    pub manual: Option<ManualHandle>,
}

/// What the interfaces share.
#[derive(Debug)]
struct Served {
    service: Service,
    standing: watch::Receiver<Standing>,
    workload: Arc<Workload>,
    /// Asks the announcer to answer when everything published until now has been sent.
    flush: mpsc::UnboundedSender<oneshot::Sender<()>>,
}

impl Served {
    /// Waits until every line published until now has been sent as a signal.
    async fn announced(&self) {
        let (done, wait) = oneshot::channel();
        // An error means that nobody announces any more: then there is nothing to wait for.
        let _ = self.flush.send(done);
        let _ = wait.await;
    }
}
