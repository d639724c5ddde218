//! The signals: every line as an `Event`, in order, and bundled `PropertiesChanged`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};
use zbus::fdo::Properties;
use zbus::names::InterfaceName;
use zbus::object_server::SignalEmitter;
use zbus::{Connection, Variant};

use super::arbiter1::Arbiter1;
use super::clock1::Clock1;
use super::variant::{Counters, Dict, VariantError, to_dict};
use super::{CLOCK_PATH, NAME, properties};
use crate::control::Profile;
use crate::daemon::bridge::{Bridge, Lines, LinesError, Published, PublishedLine};

/// Announces what is published. It outlives connections: a line that could not be sent because the
/// bus died is sent when there is a bus again.
#[derive(Debug)]
pub(super) struct Announcer {
    lines: Lines,
    published: watch::Receiver<Published>,
    /// A line that is not surely sent.
    unsent: Option<Arc<PublishedLine>>,
    /// Who waits until everything published so far is sent.
    flushes: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
}

impl Announcer {
    /// Announces every line from now on.
    pub(super) fn new(
        bridge: &Bridge,
        flushes: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
    ) -> Self {
        Announcer { lines: bridge.lines(), published: bridge.published(), unsent: None, flushes }
    }

    /// Announces over a connection until that fails.
    pub(super) async fn run(&mut self, connection: &Connection) -> zbus::Result<()> {
        let emitter = SignalEmitter::new(connection, CLOCK_PATH)?;
        // Whoever has read a property before has read it here or later.
        let mut known = properties::values(&self.published.borrow_and_update());
        loop {
            if let Some(line) = &self.unsent {
                send(&emitter, line).await?;
                self.unsent = None;
            }
            // In this order: whoever waits for a flush has everything then.
            tokio::select! {
                biased;
                line = self.lines.recv() => match line {
                    Ok(line) => self.unsent = Some(line),
                    Err(missed @ LinesError::Missed(_)) => tracing::warn!("{missed}"),
                    Err(LinesError::Closed) => std::future::pending().await,
                },
                Ok(()) = self.published.changed() => {
                    let news = properties::values(&self.published.borrow_and_update());
                    tell_changes(&emitter, &known, &news).await?;
                    known = news;
                }
                Some(done) = self.flushes.recv() => {
                    // Who does not wait any more needs no answer.
                    let _ = done.send(());
                }
            }
        }
    }
}

async fn send(emitter: &SignalEmitter<'_>, line: &PublishedLine) -> zbus::Result<()> {
    let kind = line.content.kind();
    let details = details(line).map_err(|error| zbus::Error::Failure(error.to_string()))?;
    Clock1::event(emitter, line.seq, line.at.as_micros_floor(), kind, details).await?;
    Arbiter1::record(emitter, &line.game, line.seq, &line.text).await
}

/// The signal goes to every listener, so that under `fide` it must not tell the counters.
fn details(line: &PublishedLine) -> Result<Dict, VariantError> {
    let fide = line.settings.profile == Profile::Fide;
    let counters = if fide { Counters::Hidden } else { Counters::Shown };
    let mut details = to_dict(&line.content, counters)?;
    details.extend(to_dict(&line.annotations, counters)?);
    details.remove("kind");
    // A whole game, with its counters: `ExportState` and `Record` have it.
    details.remove("exported");
    details.insert("game".to_owned(), line.game.to_string().into());
    details.insert("at_ns".to_owned(), line.at.as_nanos().into());
    if let Some(origin) = &line.origin {
        details.insert("origin".to_owned(), origin.clone().into());
    }
    if !fide {
        let state = to_dict(&line.snapshot, Counters::Shown)?;
        details.insert("state".to_owned(), state.into());
    }
    Ok(details)
}

async fn tell_changes(
    emitter: &SignalEmitter<'_>,
    known: &[Variant<'static>],
    news: &[Variant<'static>],
) -> zbus::Result<()> {
    let changed: HashMap<&str, Variant<'_>> = properties::SIGNALLED
        .iter()
        .zip(known.iter().zip(news))
        .filter(|(_, (old, new))| old != new)
        .filter_map(|((name, _), (_, new))| Some((*name, new.try_clone().ok()?)))
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let interface = InterfaceName::from_static_str_unchecked(NAME);
    Properties::properties_changed(emitter, interface, changed, Cow::Borrowed(&[])).await
}
