//! `report`: a game told afterwards, on the terminal or as a file.

use std::path::Path;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::arguments;
use super::bus::Daemon;
use super::exchange;
use super::exit::Failure;
use super::journal;
use super::output::Output;
use super::replay::Lines;
use crate::report::{self, Book, Report};

/// Whether a word names a file and not a game of the daemon's: it has a dot or a slash in it, is
/// `-`, or the file is there.
pub(super) fn is_file(word: &str) -> bool {
    word == "-" || word.contains(['.', '/']) || Path::new(word).is_file()
}

/// Tells the game that stands in a file.
pub(super) fn of_file(
    file: &str,
    what: &arguments::Report,
    output: &Output,
) -> Result<(), Failure> {
    let mut book = Book::default();
    let mut lines = Lines::open(file)?;
    while let Some(line) = lines.next()? {
        take(&mut book, line)?;
    }
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    tell(book, &stem, what, output)
}

/// Tells a game of the daemon's; none named: the running one.
pub(super) async fn of_daemon(
    daemon: &Daemon,
    what: &arguments::Report,
    output: &Output,
) -> Result<(), Failure> {
    let game = match &what.game {
        Some(game) => game.clone(),
        None => journal::running(daemon).await?,
    };
    let mut book = Book::default();
    for line in journal::up_to_now(daemon, &game).await? {
        take(&mut book, &line)?;
    }
    tell(book, &game, what, output)
}

fn take(book: &mut Book, line: &str) -> Result<(), Failure> {
    book.line(line).map_err(|error| Failure::usage(error.to_string()))
}

fn tell(book: Book, game: &str, what: &arguments::Report, output: &Output) -> Result<(), Failure> {
    let report = book.close().map_err(|error| Failure::usage(error.to_string()))?;
    let zone = TimeZone::system();
    if let Some(file) = &what.csv {
        let text = report::csv::write(&report)
            .map_err(|error| Failure::unwritten(format!("the table cannot be written: {error}")))?;
        return deliver(file, &text, output);
    }
    output.result(with_name(&report, game), || report::table::write(&report, game, &zone))
}

/// The object with the game's name in front.
fn with_name(report: &Report, game: &str) -> Value {
    let mut all = crate::record::Fields::new();
    all.insert("game".to_owned(), game.into());
    all.extend(report::json::object(report));
    all.into()
}

/// Writes a rendering into its file, and says so.
fn deliver(file: &Path, text: &str, output: &Output) -> Result<(), Failure> {
    if file == Path::new(exchange::STREAM) {
        return output.raw(text.as_bytes());
    }
    let name = file.display();
    exchange::put(file, text)?;
    output.result(json!({"file": name.to_string()}), || format!("the report stands in {name}"))
}
