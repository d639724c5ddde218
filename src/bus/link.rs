//! The link to the bus: connects, serves, asks for the name, and begins anew whenever the bus is
//! gone. The clock goes on without it.

use std::convert::Infallible;
use std::fmt;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};
use zbus::Connection;
use zbus::fdo::{NameOwnerChangedStream, RequestNameFlags};

use super::announcer::Announcer;
use super::arbiter1::Arbiter1;
use super::clock1::Clock1;
use super::simulator1::Simulator1;
use super::who::Who;
use super::{CLOCK_PATH, NAME, Place, SIMULATOR_PATH, Served, Service};

/// The first pause before another try; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause before another try.
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How often the name is asked for again.
const NAME_PAUSE: Duration = Duration::from_secs(1);
/// How long a bus may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How the daemon stands with the bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has not tried yet.
    Connecting,
    /// There is no bus; the sentence says why.
    NoBus(String),
    /// It is on the bus, but not by its name; the sentence says why.
    NoName(String),
    /// It is on the bus by its name.
    Named,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Connecting => f.write_str("not on the bus yet"),
            Standing::NoBus(why) | Standing::NoName(why) => f.write_str(why),
            Standing::Named => f.write_str("on the bus"),
        }
    }
}

/// The link, not yet running.
#[derive(Debug)]
pub struct Link {
    place: Place,
    served: Arc<Served>,
    announcer: Announcer,
    standing: watch::Sender<Standing>,
}

impl Link {
    /// A link that will serve on a bus. Lines are announced from now on, also those that come
    /// before the bus does.
    #[must_use]
    pub fn new(service: Service, place: Place) -> Self {
        let (standing, seen) = watch::channel(Standing::Connecting);
        let (flush, flushes) = mpsc::unbounded_channel();
        let announcer = Announcer::new(&service.bridge, flushes);
        let served = Arc::new(Served { service, standing: seen, workload: Arc::default(), flush });
        Link { place, served, announcer, standing }
    }

    /// How the daemon stands with the bus, to be read or waited on.
    #[must_use]
    pub fn standing(&self) -> watch::Receiver<Standing> {
        self.standing.subscribe()
    }

    /// Serves for ever.
    pub async fn run(mut self) -> Infallible {
        let mut pause = FIRST_PAUSE;
        loop {
            let why = match self.serve().await {
                Ok(()) => {
                    pause = FIRST_PAUSE;
                    format!("{} has gone", self.place)
                }
                Err(error) => format!("{} cannot be used: {error}", self.place),
            };
            self.stand(Standing::NoBus(why));
            sleep(pause).await;
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    /// Serves until the bus is gone.
    async fn serve(&mut self) -> zbus::Result<()> {
        let (asking, who, gone, connection) = timeout(PATIENCE, self.connect())
            .await
            .unwrap_or_else(|_| Err(zbus::Error::Failure("it does not answer".to_owned())))?;
        let named = ask_name(&connection).await;
        self.stand(named.clone());
        tokio::select! {
            () = connection.closed() => {}
            () = asking.closed() => {}
            () = forget(&who, gone) => {}
            // Only a dead connection does not take a signal.
            _ = self.announcer.run(&connection) => {}
            () = retry_name(&connection, named, &self.standing) => {}
        }
        // Whatever ended it, nothing of this connection is to go on.
        let _ = connection.close().await;
        Ok(())
    }

    /// Two connections: one that serves, with all its objects there before it can be called, and
    /// one to ask who calls.
    async fn connect(
        &mut self,
    ) -> zbus::Result<(Connection, Arc<Who>, NameOwnerChangedStream, Connection)> {
        let asking = self.place.builder().await?.method_timeout(PATIENCE).build().await?;
        let own_user = self.place.is_own().then(|| rustix::process::geteuid().as_raw());
        let (who, gone) = Who::new(&asking, own_user).await?;
        let clock = Clock1 { served: Arc::clone(&self.served), who: Arc::clone(&who) };
        let arbiter = Arbiter1::new(Arc::clone(&self.served), Arc::clone(&who));
        let mut builder = self
            .place
            .builder()
            .await?
            .method_timeout(PATIENCE)
            .serve_at(CLOCK_PATH, clock)
            .serve_at(CLOCK_PATH, arbiter);
        if let Some(simulation) = self.served.service.simulation.clone() {
            let simulator = Simulator1 { served: Arc::clone(&self.served), simulation };
            builder = builder.serve_at(SIMULATOR_PATH, simulator);
        }
        Ok((asking, who, gone, builder.build().await?))
    }

    fn stand(&self, standing: Standing) {
        stand(&self.standing, standing);
    }
}

/// Tells how it stands, and logs it where it is new.
fn stand(tell: &watch::Sender<Standing>, standing: Standing) {
    tell.send_if_modified(|known| {
        if *known == standing {
            return false;
        }
        match &standing {
            Standing::Named => tracing::info!("on the bus as {NAME}"),
            Standing::Connecting => {}
            Standing::NoBus(why) | Standing::NoName(why) => {
                tracing::warn!("{why}; the clock goes on, and tries again");
            }
        }
        *known = standing;
        true
    });
}

/// Asks for the name. It is never taken from another daemon, nor given to one.
async fn ask_name(connection: &Connection) -> Standing {
    let asked = connection.request_name_with_flags(NAME, RequestNameFlags::DO_NOT_QUEUE).await;
    match asked {
        Ok(_) => Standing::Named,
        Err(zbus::Error::NameTaken) => Standing::NoName(format!(
            "the name {NAME} belongs to another program on this bus: end the other flagfalld, \
             or serve on another bus with --bus"
        )),
        Err(error) => Standing::NoName(format!(
            "the bus does not give the name {NAME}: {error}; it may not know the policy of the \
             package yet (org.flagfall.Clock1.conf), or this user is not the one it names"
        )),
    }
}

/// Asks for the name again and again until it is there; never ends.
async fn retry_name(
    connection: &Connection,
    mut standing: Standing,
    tell: &watch::Sender<Standing>,
) {
    while standing != Standing::Named {
        sleep(NAME_PAUSE).await;
        standing = ask_name(connection).await;
        stand(tell, standing.clone());
    }
    pending().await
}

/// Forgets callers that leave the bus, until the bus is gone.
async fn forget(who: &Who, mut gone: NameOwnerChangedStream) {
    while let Some(change) = gone.next().await {
        if let Ok(change) = change.args() {
            who.forget(change.name());
        }
    }
}
