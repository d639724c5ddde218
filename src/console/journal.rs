//! `journal` and `games`: what was written down, for everybody who may read it.

use futures_util::StreamExt;
use serde_json::{Value, json};

use super::bus::{Daemon, failure};
use super::exit::Failure;
use super::output::Output;
use super::values;

/// How many lines are asked for at a time: as many as the daemon gives.
const PAGE: u32 = 1_000;

/// Prints the lines of a game (empty: the running one) as they stand in the journal; `follow`: and
/// those that come.
pub(super) async fn run(
    daemon: &Daemon,
    game: &str,
    follow: bool,
    output: &Output,
) -> Result<(), Failure> {
    // Listened to before the first page is read, so that nothing falls between the two.
    let mut events = match follow {
        true => Some(daemon.clock.receive_event().await.map_err(|error| failure(&error))?),
        false => None,
    };
    let mut owners =
        daemon.clock.inner().receive_owner_changed().await.map_err(|error| failure(&error))?;
    let mut reader = Reader { daemon, game: game.to_owned(), next: 0 };
    if game.is_empty() {
        // By its name, so that it is the same game when the next one has begun.
        reader.game = running(daemon).await?;
    }
    reader.page_through(output).await?;
    let Some(events) = &mut events else { return Ok(()) };
    loop {
        tokio::select! {
            biased;
            event = events.next() => {
                let Some(event) = event else { break };
                let event = event.args().map_err(|error| failure(&error))?;
                let details = values::fields(&event.details);
                let of = details.get("game").and_then(Value::as_str).unwrap_or_default();
                if of == reader.game {
                    reader.page_through(output).await?;
                } else if game.is_empty() && *of > *reader.game {
                    reader = Reader { daemon, game: of.to_owned(), next: 0 };
                    reader.page_through(output).await?;
                }
            }
            owner = owners.next() => {
                if owner.flatten().is_none() {
                    break;
                }
            }
        }
    }
    Err(Failure::no_daemon("the daemon has gone"))
}

/// The running game's name.
pub(super) async fn running(daemon: &Daemon) -> Result<String, Failure> {
    let state = daemon.snapshot().await?;
    Ok(state.get("game").and_then(Value::as_str).unwrap_or_default().to_owned())
}

/// Where the reading of a game stands.
struct Reader<'a> {
    daemon: &'a Daemon,
    game: String,
    /// The number of the line that was not read yet.
    next: u64,
}

impl Reader<'_> {
    /// Prints every line that is there.
    async fn page_through(&mut self, output: &Output) -> Result<(), Failure> {
        loop {
            let lines = self.page().await?;
            lines.iter().try_for_each(|line| output.line(line))?;
            if lines.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    /// The next lines, at most a page.
    async fn page(&mut self) -> Result<Vec<String>, Failure> {
        let page = self.daemon.clock.read_journal(&self.game, self.next, PAGE).await;
        let lines = page.map_err(|error| failure(&error))?;
        for line in &lines {
            let seq = serde_json::from_str::<Value>(line).ok();
            let seq = seq.and_then(|line| line.get("seq")?.as_u64());
            self.next = seq.map_or(self.next, |seq| seq.saturating_add(1));
        }
        Ok(lines)
    }
}

/// Every line of a game, and where it is the running one, a question for how it stands now.
pub(super) async fn up_to_now(daemon: &Daemon, game: &str) -> Result<Vec<String>, Failure> {
    let mut reader = Reader { daemon, game: game.to_owned(), next: 0 };
    let mut lines = Vec::new();
    loop {
        let page = reader.page().await?;
        let last = page.len() < PAGE as usize;
        lines.extend(page);
        if !last {
            continue;
        }
        let now = daemon.snapshot().await?;
        if now.get("game").and_then(Value::as_str) != Some(game) {
            return Ok(lines);
        }
        // Where something has happened since the page was read, it is read first.
        if now.get("seq").and_then(Value::as_u64).is_none_or(|seq| seq < reader.next) {
            if let Some(at_us) = now.get("at_us") {
                lines.push(json!({"kind": "query", "at_us": at_us}).to_string());
            }
            return Ok(lines);
        }
    }
}

/// Lists the games whose journals are kept, newest first.
pub(super) async fn games(daemon: &Daemon, output: &Output) -> Result<(), Failure> {
    let games = daemon.clock.list_games().await.map_err(|error| failure(&error))?;
    let json: Vec<Value> = games
        .iter()
        .map(|(id, started, control, records)| {
            json!({"id": id, "started": started, "control": control, "records": records})
        })
        .collect();
    output.result(json, || {
        let row = |(id, started, control, records): &(String, String, String, i64)| {
            format!("{id:<20}  {started:<24}  {records:>7}  {control}")
        };
        let head = format!("{:<20}  {:<24}  {:>7}  control", "game", "started", "records");
        std::iter::once(head).chain(games.iter().map(row)).collect::<Vec<_>>().join("\n")
    })
}
