//! Which bus the daemon is served on.

use std::io;
use std::time::Duration;

use tokio::time::timeout;
use zbus::connection::Builder;
use zbus::fdo::RequestNameFlags;

use super::NAME;
use crate::daemon::config::Bus;
use crate::daemon::private_bus::PrivateBus;

/// How long the system bus may take to say whether the simulated box can be served on it.
const PATIENCE: Duration = Duration::from_secs(5);

/// A bus to serve on.
#[derive(Debug)]
pub enum Place {
    /// The system bus.
    System,
    /// The session bus.
    Session,
    /// The bus at that D-Bus address.
    At(String),
    /// A bus of our own, started again whenever it is gone.
    Private(PrivateBus),
}

impl Place {
    /// The bus that the configuration means. For the simulated box a private one takes the place
    /// of a system bus that is not to be had or does not give the name.
    pub async fn choose(bus: &Bus, simulated: bool) -> Place {
        match bus {
            Bus::System => Place::System,
            Bus::Session => Place::Session,
            Bus::At(address) => Place::At(address.clone()),
            Bus::Auto if !simulated => Place::System,
            Bus::Auto => match system_bus_serves().await {
                Ok(()) => Place::System,
                Err(why) => match PrivateBus::new() {
                    Ok(bus) => {
                        tracing::info!("the system bus is not to be had ({why}): a private bus");
                        Place::Private(bus)
                    }
                    Err(error) => {
                        tracing::warn!("there is no place for a private bus: {error}");
                        Place::System
                    }
                },
            },
        }
    }

    /// What somebody in another terminal can paste to ask the clock; nothing where everybody finds
    /// it anyway. No line is longer than a narrow terminal, or it could not be copied from there.
    #[must_use]
    pub fn invitation(&self) -> Option<String> {
        let Place::Private(bus) = self else {
            return None;
        };
        Some(format!(
            "export DBUS_SYSTEM_BUS_ADDRESS={}\n\
             busctl call org.flagfall.Clock1 /org/flagfall/Clock1 \\\n  \
             org.flagfall.Arbiter1 Pause s ''",
            bus.address()
        ))
    }

    /// The way to the bus, to be built.
    ///
    /// # Errors
    /// The private bus could not be started.
    pub(super) async fn builder(&mut self) -> io::Result<Builder<'static>> {
        Ok(match self {
            Place::System => Builder::system(),
            Place::Session => Builder::session(),
            Place::At(address) => Builder::address(address.as_str()),
            Place::Private(bus) => {
                bus.ensure().await?;
                Builder::address(bus.address().as_str())
            }
        })
    }

    /// True where the daemon's own user is at home and may do everything.
    pub(super) fn is_own(&self) -> bool {
        match self {
            Place::System => false,
            Place::Session | Place::Private(_) => true,
            Place::At(address) => {
                let system = zbus::Address::system().map(|address| address.to_string());
                !system.is_ok_and(|system| system == *address)
            }
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::System => f.write_str("the system bus"),
            Place::Session => f.write_str("the session bus"),
            Place::At(address) => write!(f, "the bus at {address}"),
            Place::Private(bus) => write!(f, "the private bus at {}", bus.address()),
        }
    }
}

/// Whether there is a system bus that gives us the name.
async fn system_bus_serves() -> Result<(), String> {
    let ask = async {
        let connection = Builder::system().build().await?;
        connection.request_name_with_flags(NAME, RequestNameFlags::DO_NOT_QUEUE).await?;
        connection.release_name(NAME).await
    };
    match timeout(PATIENCE, ask).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it does not answer".to_owned()),
    }
}
