//! The daemon as seen from the bus: proxies, connecting, and errors as failures.

use std::collections::HashMap;
use std::time::Duration;

use zbus::fdo::{self, PropertiesProxy};
use zbus::{OwnedVariant, Variant, connection, proxy};

use super::arguments::Bus;
use super::exit::Failure;
use super::values;
use crate::record::Fields;

/// How long a daemon may take to answer. It answers within a tick; this is for one that hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// A dictionary as it comes from the bus.
pub(super) type Dict = HashMap<String, OwnedVariant>;

/// What everybody may read.
#[proxy(
    interface = "org.flagfall.Clock1",
    default_service = "org.flagfall.Clock1",
    default_path = "/org/flagfall/Clock1"
)]
pub(super) trait Clock1 {
    /// One consistent picture.
    fn snapshot(&self) -> zbus::Result<Dict>;
    /// Id, name, control, and whether it is shipped or own.
    fn list_presets(&self) -> zbus::Result<Vec<(String, String, String, String)>>;
    /// Canonical form, a sentence, the class.
    fn describe_control(&self, control: &str) -> zbus::Result<(String, String, String)>;
    /// The state that this game's presses would have led to under another control.
    fn what_if(&self, control: &str) -> zbus::Result<Dict>;
    /// Lines of a game's journal from a number on.
    fn read_journal(&self, game_id: &str, from_seq: u64, max: u32) -> zbus::Result<Vec<String>>;
    /// Id, when it began, control, how many lines.
    fn list_games(&self) -> zbus::Result<Vec<(String, String, String, i64)>>;
    /// Every line of the journal, after it has been written.
    #[zbus(signal)]
    fn event(&self, seq: u64, at_us: i64, kind: String, details: Dict) -> zbus::Result<()>;
}

/// What arbiters may do.
#[proxy(
    interface = "org.flagfall.Arbiter1",
    default_service = "org.flagfall.Clock1",
    default_path = "/org/flagfall/Clock1"
)]
pub(super) trait Arbiter1 {
    fn new_game(&self, control: &str, options: HashMap<&str, Variant<'_>>) -> zbus::Result<Dict>;
    fn start(&self, side: &str) -> zbus::Result<Dict>;
    fn start_at(&self, unix_us: i64) -> zbus::Result<Dict>;
    fn pause(&self, reason: &str) -> zbus::Result<Dict>;
    fn resume(&self, side: &str) -> zbus::Result<Dict>;
    fn resume_instead(&self, side: &str) -> zbus::Result<Dict>;
    fn adjust(
        &self,
        changes: HashMap<String, Variant<'_>>,
        reason: &str,
        if_seq: u64,
    ) -> zbus::Result<Dict>;
    fn undo_press(&self, count: u32, refund: bool, if_seq: u64) -> zbus::Result<Dict>;
    fn insert_press(&self, count: u32, if_seq: u64) -> zbus::Result<Dict>;
    fn press(&self, side: &str) -> zbus::Result<Dict>;
    fn penalize(
        &self,
        offender: &str,
        offence: &str,
        after_reply: bool,
        if_seq: u64,
    ) -> zbus::Result<Dict>;
    fn quickplay_increment(&self, claimant: &str, if_seq: u64) -> zbus::Result<Dict>;
    fn change_control(&self, control: &str, how: &str) -> zbus::Result<Dict>;
    fn confirm_stage(&self, side: &str) -> zbus::Result<Dict>;
    fn swap_sides(&self) -> zbus::Result<Dict>;
    fn mark_arrived(&self, side: &str) -> zbus::Result<Dict>;
    fn end(&self, result: &str) -> zbus::Result<Dict>;
    fn choose_recovery(&self, candidate: &str) -> zbus::Result<Dict>;
    fn lock(&self, locked: bool) -> zbus::Result<Dict>;
    fn save_preset(&self, id: &str, name: &str, control: &str) -> zbus::Result<()>;
    fn delete_preset(&self, id: &str) -> zbus::Result<()>;
    fn export_state(&self) -> zbus::Result<String>;
    fn import_state(&self, exported: &str) -> zbus::Result<Dict>;
    fn self_test(&self) -> zbus::Result<()>;
}

/// A daemon that answered.
pub(super) struct Daemon {
    pub(super) clock: Clock1Proxy<'static>,
    pub(super) arbiter: Arbiter1Proxy<'static>,
    all: PropertiesProxy<'static>,
    /// The properties of `Clock1` as they were when it was asked first.
    pub(super) properties: Fields,
}

impl Daemon {
    /// Finds the daemon on a bus.
    pub(super) async fn connect(bus: &Bus) -> Result<Daemon, Failure> {
        let builder = match bus {
            Bus::System => connection::Builder::system(),
            Bus::Session => connection::Builder::session(),
            Bus::Address(address) => connection::Builder::address(address.as_str()),
        };
        let name = match bus {
            Bus::System => "the system bus".to_owned(),
            Bus::Session => "the session bus".to_owned(),
            Bus::Address(address) => format!("the bus at {address}"),
        };
        let connection =
            builder.method_timeout(PATIENCE).build().await.map_err(|error| {
                Failure::no_daemon(format!("{name} cannot be reached: {error}"))
            })?;
        let clock = Clock1Proxy::new(&connection).await.map_err(|error| failure(&error))?;
        let arbiter = Arbiter1Proxy::new(&connection).await.map_err(|error| failure(&error))?;
        let all = PropertiesProxy::builder(&connection)
            .destination("org.flagfall.Clock1")
            .path("/org/flagfall/Clock1")
            .build()
            .await
            .map_err(|error| failure(&error))?;
        let properties = match read_all(&all).await {
            Ok(properties) => properties,
            Err(fdo::Error::ServiceUnknown(_) | fdo::Error::NameHasNoOwner(_)) => {
                return Err(Failure::no_daemon(format!("no flagfalld answers on {name}")));
            }
            Err(error) => return Err(failure(&error.into())),
        };
        Ok(Daemon { clock, arbiter, all, properties })
    }

    /// The properties of `Clock1` as they are now.
    pub(super) async fn properties_now(&self) -> Result<Fields, Failure> {
        read_all(&self.all).await.map_err(|error| failure(&error.into()))
    }

    /// A warning where the daemon is of another version than this program.
    pub(super) fn version_skew(&self) -> Option<String> {
        let own = env!("CARGO_PKG_VERSION");
        let daemon = self.properties.get("Version")?.as_str()?;
        (daemon != own).then(|| {
            format!(
                "warning: this is flagfallctl {own}, the daemon is {daemon}; what one knows the \
                 other may not. After an upgrade, restart the daemon between two games"
            )
        })
    }

    /// The picture now.
    pub(super) async fn snapshot(&self) -> Result<Fields, Failure> {
        let state = self.clock.snapshot().await.map_err(|error| failure(&error))?;
        Ok(values::fields(&state))
    }
}

async fn read_all(all: &PropertiesProxy<'_>) -> fdo::Result<Fields> {
    let interface = zbus::names::InterfaceName::from_static_str_unchecked("org.flagfall.Clock1");
    Ok(values::fields(&all.get_all(interface).await?))
}

/// An error of the bus as the failure that it is to the arbiter.
pub(super) fn failure(error: &zbus::Error) -> Failure {
    match error {
        zbus::Error::MethodError(name, message, _) => {
            let sentence = message.clone().unwrap_or_else(|| name.to_string());
            if name.as_str() == "org.flagfall.Error.NotPermitted" {
                Failure::not_permitted(sentence)
            } else {
                let stale = name.as_str() == "org.flagfall.Error.Stale";
                Failure { stale, ..Failure::refused(sentence) }
            }
        }
        zbus::Error::FDO(error) => standard_failure(error),
        zbus::Error::InputOutput(error) => {
            Failure::no_daemon(format!("the daemon does not answer: {error}"))
        }
        other => Failure::refused(format!("the daemon's answer makes no sense: {other}")),
    }
}

/// The errors that the bus itself, or the daemon's library, gives.
fn standard_failure(error: &fdo::Error) -> Failure {
    match error {
        fdo::Error::AccessDenied(sentence) | fdo::Error::AuthFailed(sentence) => {
            Failure::not_permitted(format!("the bus does not let this user do that: {sentence}"))
        }
        fdo::Error::UnknownMethod(sentence) => Failure::refused(format!(
            "the daemon is older than this console: {}. Restart it between two games, \
             `sudo systemctl restart flagfalld`, so that the installed one runs",
            sentence.trim_end_matches('.')
        )),
        fdo::Error::UnknownInterface(sentence)
        | fdo::Error::UnknownProperty(sentence)
        | fdo::Error::UnknownObject(sentence) => Failure::refused(format!(
            "the daemon does not know this, it may be of another version: {sentence}"
        )),
        fdo::Error::ServiceUnknown(_)
        | fdo::Error::NameHasNoOwner(_)
        | fdo::Error::NoReply(_)
        | fdo::Error::Timeout(_)
        | fdo::Error::TimedOut(_)
        | fdo::Error::Disconnected(_) => {
            Failure::no_daemon(format!("the daemon does not answer: {error}"))
        }
        fdo::Error::ZBus(error) => failure(error),
        fdo::Error::InvalidArgs(sentence) | fdo::Error::Failed(sentence) => {
            Failure::refused(sentence.clone())
        }
        other => Failure::refused(other.to_string()),
    }
}
