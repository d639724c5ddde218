//! `journal` and `games`: what was written down, for everybody who may read it.

use serde_json::{Value, json};

use super::bus::{Daemon, failure};
use super::exit::Failure;
use super::feed::Feed;
use super::output::Output;

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
    let mut feed = match follow {
        true => Some(Feed::open(daemon).await?),
        false => None,
    };
    // By its name, so that it is the same game when the next one has begun.
    let named = if game.is_empty() { running(daemon).await? } else { game.to_owned() };
    let mut reader = Reader::of(daemon, &named);
    reader.print(output).await?;
    let Some(feed) = &mut feed else { return Ok(()) };
    loop {
        let told = feed.next().await?;
        if told.game() == reader.game {
            reader.print(output).await?;
        } else if game.is_empty() && *told.game() > *reader.game {
            reader = Reader::of(daemon, told.game());
            reader.print(output).await?;
        }
    }
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

impl<'a> Reader<'a> {
    fn of(daemon: &'a Daemon, game: &str) -> Self {
        Reader { daemon, game: game.to_owned(), next: 0 }
    }

    /// Prints every line that is there.
    async fn print(&mut self, output: &Output) -> Result<(), Failure> {
        self.rest().await?.iter().try_for_each(|line| output.line(line))
    }

    /// Every line that is there and was not read yet.
    async fn rest(&mut self) -> Result<Vec<String>, Failure> {
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

/// Every line of a game, from number 0 on; the game on the clock where none is named.
pub(super) async fn whole(daemon: &Daemon, game: &str) -> Result<Vec<String>, Failure> {
    Reader::of(daemon, game).rest().await
}

/// Every line of a game, and where it is the running one, a question for how it stands now.
pub(super) async fn up_to_now(daemon: &Daemon, game: &str) -> Result<Vec<String>, Failure> {
    let mut reader = Reader::of(daemon, game);
    let mut lines = Vec::new();
    loop {
        lines.extend(reader.rest().await?);
        let now = daemon.snapshot().await?;
        if now.get("game").and_then(Value::as_str) != Some(game) {
            return Ok(lines);
        }
        // Where something has happened since the last page was read, it is read first.
        if now.get("seq").and_then(Value::as_u64).is_none_or(|seq| seq < reader.next) {
            if let Some(at_us) = now.get("at_us") {
                lines.push(json!({"kind": "query", "at_us": at_us}).to_string());
            }
            return Ok(lines);
        }
    }
}

/// The lines of a game from a number on, a page at most.
pub(super) async fn page(daemon: &Daemon, game: &str, from: u64) -> Result<Vec<String>, Failure> {
    daemon.clock.read_journal(game, from, PAGE).await.map_err(|error| failure(&error))
}

/// A line's number.
pub(super) fn number(line: &str) -> Option<u64> {
    serde_json::from_str::<Value>(line).ok()?.get("seq")?.as_u64()
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
