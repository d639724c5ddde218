//! The daemon on the bus: proxies, connecting, and bus errors as errors of this program.

use std::collections::HashMap;
use std::time::Duration;

use zbus::fdo::{self, PropertiesProxy};
use zbus::{OwnedVariant, connection, proxy};

use super::arguments::BusAddress;
use super::exit::CliError;
use super::values;
use crate::bus::variant;
use crate::record::Fields;

/// The time limit for an answer. The daemon answers within milliseconds unless it hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// A dictionary as it comes from the bus.
pub(super) type ReplyDict = HashMap<String, OwnedVariant>;

/// Reading, for everybody.
#[proxy(
    interface = "org.flagfall.Clock1",
    default_service = "org.flagfall.Clock1",
    default_path = "/org/flagfall/Clock1"
)]
pub(super) trait ClockApi {
    /// One consistent picture.
    fn snapshot(&self) -> zbus::Result<ReplyDict>;
    /// Id, name, control, and whether it is shipped or own.
    fn list_presets(&self) -> zbus::Result<Vec<(String, String, String, String)>>;
    /// Canonical form, a sentence, the class.
    fn describe_control(&self, control: &str) -> zbus::Result<(String, String, String)>;
    /// The state that this game's presses would have led to under another control.
    fn what_if(&self, control: &str) -> zbus::Result<ReplyDict>;
    /// What an operation would do: the state with `before`, and the effects.
    fn preview(
        &self,
        operation: &str,
        args: variant::Dict,
    ) -> zbus::Result<(ReplyDict, Vec<ReplyDict>)>;
    /// Lines of a game's journal from a number on.
    fn read_journal(&self, game_id: &str, from_seq: u64, max: u32) -> zbus::Result<Vec<String>>;
    /// Id, when it began, control, how many lines.
    fn list_games(&self) -> zbus::Result<Vec<(String, String, String, i64)>>;
    /// Every line of the journal, after it has been written.
    #[zbus(signal)]
    fn event(&self, seq: u64, at_us: i64, kind: String, details: ReplyDict) -> zbus::Result<()>;
}

/// Changing, for arbiters.
#[proxy(
    interface = "org.flagfall.Arbiter1",
    default_service = "org.flagfall.Clock1",
    default_path = "/org/flagfall/Clock1"
)]
pub(super) trait ArbiterApi {
    /// Any operation by its name, with its members.
    fn apply(&self, operation: &str, args: variant::Dict) -> zbus::Result<ReplyDict>;
    fn save_preset(&self, id: &str, name: &str, control: &str) -> zbus::Result<()>;
    fn delete_preset(&self, id: &str) -> zbus::Result<()>;
    fn export_state(&self) -> zbus::Result<String>;
    fn import_state(&self, exported: &str) -> zbus::Result<ReplyDict>;
    fn self_test(&self) -> zbus::Result<()>;
}

/// A daemon that answered.
pub(super) struct Daemon {
    pub(super) clock: ClockApiProxy<'static>,
    pub(super) arbiter: ArbiterApiProxy<'static>,
    all: PropertiesProxy<'static>,
    /// The properties of `Clock1` at the time of connecting.
    pub(super) properties: Fields,
}

impl Daemon {
    /// Finds the daemon on a bus.
    pub(super) async fn connect(bus: &BusAddress) -> Result<Daemon, CliError> {
        let builder = match bus {
            BusAddress::System => connection::Builder::system(),
            BusAddress::Session => connection::Builder::session(),
            BusAddress::Address(address) => connection::Builder::address(address.as_str()),
        };
        let name = match bus {
            BusAddress::System => "the system bus".to_owned(),
            BusAddress::Session => "the session bus".to_owned(),
            BusAddress::Address(address) => format!("the bus at {address}"),
        };
        let connection =
            builder.method_timeout(PATIENCE).build().await.map_err(|error| {
                CliError::no_daemon(format!("{name} cannot be reached: {error}"))
            })?;
        let clock = ClockApiProxy::new(&connection).await?;
        let arbiter = ArbiterApiProxy::new(&connection).await?;
        let all = PropertiesProxy::builder(&connection)
            .destination("org.flagfall.Clock1")
            .path("/org/flagfall/Clock1")
            .build()
            .await?;
        let properties = match read_all(&all).await {
            Ok(properties) => properties,
            Err(fdo::Error::ServiceUnknown(_) | fdo::Error::NameHasNoOwner(_)) => {
                return Err(CliError::no_daemon(format!("no flagfalld answers on {name}")));
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Daemon { clock, arbiter, all, properties })
    }

    /// The properties of `Clock1` as they are now.
    pub(super) async fn properties_now(&self) -> Result<Fields, CliError> {
        read_all(&self.all).await.map_err(CliError::from)
    }

    /// A warning where the daemon has another version than this program.
    pub(super) fn version_skew(&self) -> Option<String> {
        let own = env!("CARGO_PKG_VERSION");
        let daemon = self.properties.get("Version")?.as_str()?;
        (daemon != own).then(|| {
            format!(
                "warning: this is flagfallctl {own}, the daemon is {daemon}; some commands may fail. \
                 After an upgrade, restart the daemon between two games"
            )
        })
    }

    /// The state now.
    pub(super) async fn snapshot(&self) -> Result<Fields, CliError> {
        let state = self.clock.snapshot().await?;
        Ok(values::fields(&state))
    }
}

async fn read_all(all: &PropertiesProxy<'_>) -> fdo::Result<Fields> {
    let interface = zbus::names::InterfaceName::from_static_str_unchecked("org.flagfall.Clock1");
    Ok(values::fields(&all.get_all(interface).await?))
}

impl From<zbus::Error> for CliError {
    fn from(error: zbus::Error) -> CliError {
        match error {
            zbus::Error::MethodError(name, message, _) => {
                let sentence = message.unwrap_or_else(|| name.to_string());
                if name.as_str() == "org.flagfall.Error.NotPermitted" {
                    return CliError::not_permitted(sentence);
                }
                let stale = name.as_str() == "org.flagfall.Error.Stale";
                CliError { stale, ..CliError::refused(sentence) }
            }
            zbus::Error::FDO(error) => (*error).into(),
            zbus::Error::InputOutput(error) => {
                CliError::no_daemon(format!("the daemon does not answer: {error}"))
            }
            other => CliError::refused(format!("the daemon's answer makes no sense: {other}")),
        }
    }
}

impl From<fdo::Error> for CliError {
    fn from(error: fdo::Error) -> CliError {
        match error {
            fdo::Error::AccessDenied(sentence) | fdo::Error::AuthFailed(sentence) => {
                CliError::not_permitted(format!(
                    "the bus does not let this user do that: {sentence}"
                ))
            }
            fdo::Error::UnknownMethod(sentence) => CliError::refused(format!(
                "the daemon is older than this console: {}. Restart it between two games, \
             `sudo systemctl restart flagfalld`, so that the installed one runs",
                sentence.trim_end_matches('.')
            )),
            fdo::Error::UnknownInterface(sentence)
            | fdo::Error::UnknownProperty(sentence)
            | fdo::Error::UnknownObject(sentence) => CliError::refused(format!(
                "the daemon does not know this, it may be of another version: {sentence}"
            )),
            fdo::Error::ServiceUnknown(_)
            | fdo::Error::NameHasNoOwner(_)
            | fdo::Error::NoReply(_)
            | fdo::Error::Timeout(_)
            | fdo::Error::TimedOut(_)
            | fdo::Error::Disconnected(_) => {
                CliError::no_daemon(format!("the daemon does not answer: {error}"))
            }
            fdo::Error::ZBus(error) => error.into(),
            fdo::Error::InvalidArgs(sentence) | fdo::Error::Failed(sentence) => {
                CliError::refused(sentence)
            }
            other => CliError::refused(other.to_string()),
        }
    }
}
