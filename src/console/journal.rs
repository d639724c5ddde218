//! `journal` and `games`.

use serde_json::{Value, json};

use super::bus::Daemon;
use super::exit::CliError;
use super::feed::Feed;
use super::output::Printer;

/// Lines per call: the daemon's limit.
const PAGE: u32 = 1_000;

/// Prints the journal of a game (empty: the running one); with `follow`, new lines, too.
pub(super) async fn run(
    daemon: &Daemon,
    game: &str,
    follow: bool,
    output: &Printer,
) -> Result<(), CliError> {
    // Subscribed before the first page is read, so that no line is missed.
    let mut feed = match follow {
        true => Some(Feed::open(daemon).await?),
        false => None,
    };
    // By its name, so that it stays the same game when the next one begins.
    let named = if game.is_empty() { running(daemon).await? } else { game.to_owned() };
    let mut reader = JournalReader::of(daemon, &named);
    reader.print(output).await?;
    let Some(feed) = &mut feed else { return Ok(()) };
    loop {
        let told = feed.next().await?;
        if told.game() == reader.game {
            reader.print(output).await?;
        } else if game.is_empty() && *told.game() > *reader.game {
            reader = JournalReader::of(daemon, told.game());
            reader.print(output).await?;
        }
    }
}

/// The running game's name.
pub(super) async fn running(daemon: &Daemon) -> Result<String, CliError> {
    let state = daemon.snapshot().await?;
    Ok(state.get("game").and_then(Value::as_str).unwrap_or_default().to_owned())
}

/// Reads the journal of a game page by page.
struct JournalReader<'a> {
    daemon: &'a Daemon,
    game: String,
    /// The number of the first line that was not read yet.
    next: u64,
}

impl<'a> JournalReader<'a> {
    fn of(daemon: &'a Daemon, game: &str) -> Self {
        JournalReader { daemon, game: game.to_owned(), next: 0 }
    }

    async fn print(&mut self, output: &Printer) -> Result<(), CliError> {
        self.rest().await?.iter().try_for_each(|line| output.line(line))
    }

    /// All lines that were not read yet.
    async fn rest(&mut self) -> Result<Vec<String>, CliError> {
        let mut rest = Vec::new();
        loop {
            let lines = page(self.daemon, &self.game, self.next).await?;
            let last = lines.len() < PAGE as usize;
            self.next = lines
                .iter()
                .filter_map(|line| number(line))
                .next_back()
                .map_or(self.next, |seq| seq.saturating_add(1));
            rest.extend(lines);
            if last {
                return Ok(rest);
            }
        }
    }
}

/// The journal of a game; where that is on the clock, with a query at the end for the present
/// state.
pub(super) async fn up_to_now(daemon: &Daemon, game: &str) -> Result<Vec<String>, CliError> {
    let mut reader = JournalReader::of(daemon, game);
    let mut lines = Vec::new();
    loop {
        lines.extend(reader.rest().await?);
        let now = daemon.snapshot().await?;
        if now.get("game").and_then(Value::as_str) != Some(game) {
            return Ok(lines);
        }
        // Lines that were written since the last page are read first.
        if now.get("seq").and_then(Value::as_u64).is_none_or(|seq| seq < reader.next) {
            if let Some(at_ns) = now.get("at_ns") {
                lines.push(json!({"kind": "query", "at_ns": at_ns}).to_string());
            }
            return Ok(lines);
        }
    }
}

/// A page of the journal from a line number on.
pub(super) async fn page(daemon: &Daemon, game: &str, from: u64) -> Result<Vec<String>, CliError> {
    daemon.clock.read_journal(game, from, PAGE).await.map_err(CliError::from)
}

pub(super) fn number(line: &str) -> Option<u64> {
    serde_json::from_str::<Value>(line).ok()?.get("seq")?.as_u64()
}

/// Lists the games whose journals are kept, newest first.
pub(super) async fn games(daemon: &Daemon, output: &Printer) -> Result<(), CliError> {
    let games = daemon.clock.list_games().await?;
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
