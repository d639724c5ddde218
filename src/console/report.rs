//! `report`: a summary of a game, on the terminal or as a file.

use std::path::Path;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::arguments::ReportArgs;
use super::bus::Daemon;
use super::exchange;
use super::exit::CliError;
use super::files;
use super::journal;
use super::lines::LineSource;
use super::output::Printer;
use crate::report::pgn::{self, NoMerge};
use crate::report::{self, Book, Report};

/// The longest PGN that is read, in bytes: some ten thousand games.
const LONGEST_PGN: usize = 1 << 24;

/// True if a word names a file and not a game of the daemon: it has a dot or a slash, is `-`, or the
/// file exists.
pub(super) fn is_file(word: &str) -> bool {
    word == "-" || word.contains(['.', '/']) || Path::new(word).is_file()
}

/// Reports the game in a file.
pub(super) fn of_file(file: &str, what: &ReportArgs, output: &Printer) -> Result<(), CliError> {
    if file == "-" && what.moves.as_deref() == Some(Path::new(exchange::STREAM)) {
        let sentence =
            "standard input is either the game or its moves: name a file for one of them";
        return Err(CliError::usage(sentence.to_owned()));
    }
    let mut book = Book::default();
    let mut lines = LineSource::open(file)?;
    let mut number = 0;
    loop {
        let taken = match lines.next() {
            Ok(None) => break,
            Ok(Some(line)) => take(&mut book, line),
            Err(error) => Err(error),
        };
        match taken {
            Err(_) if lines.is_torn() && number > 0 => {
                output.message(&format!("{file}: torn at the end, reported up to line {number}"));
                break;
            }
            taken => taken?,
        }
        number += 1;
    }
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    deliver_report(book, &stem, what, output)
}

/// Reports a game of the daemon; without a name, the running one.
pub(super) async fn of_daemon(
    daemon: &Daemon,
    what: &ReportArgs,
    output: &Printer,
) -> Result<(), CliError> {
    let game = match &what.game {
        Some(game) => game.clone(),
        None => journal::running(daemon).await?,
    };
    let mut book = Book::default();
    for line in journal::up_to_now(daemon, &game).await? {
        take(&mut book, &line)?;
    }
    deliver_report(book, &game, what, output)
}

fn take(book: &mut Book, line: &str) -> Result<(), CliError> {
    book.line(line).map_err(|error| CliError::usage(error.to_string()))
}

fn deliver_report(
    book: Book,
    game: &str,
    what: &ReportArgs,
    output: &Printer,
) -> Result<(), CliError> {
    let report = book.close().map_err(|error| CliError::usage(error.to_string()))?;
    let zone = TimeZone::system();
    if let Some(file) = &what.svg {
        return deliver(file, report::picture::write(&report, game, &zone).as_bytes(), output);
    }
    if let Some(file) = &what.csv {
        let text = report::csv::write(&report).map_err(|error| {
            CliError::unwritten(format!("the table cannot be written: {error}"))
        })?;
        return deliver(file, text.as_bytes(), output);
    }
    if let Some(file) = &what.pgn {
        return pgn(&report, file, what, output);
    }
    output.result(with_name(&report, game), || report::table::write(&report, game, &zone))
}

/// The report as JSON, with the game's name.
fn with_name(report: &Report, game: &str) -> Value {
    let mut all = crate::record::Fields::new();
    all.insert("game".to_owned(), game.into());
    all.extend(report::json::object(report));
    all.into()
}

/// Writes a PGN: the given moves with their times, or only the times.
fn pgn(report: &Report, file: &Path, what: &ReportArgs, output: &Printer) -> Result<(), CliError> {
    let stream = file == Path::new(exchange::STREAM);
    let moves = match &what.moves {
        Some(moves) => Some(moves.as_path()),
        None => Some(file).filter(|file| !stream && file.is_file()),
    };
    let Some(moves) = moves else {
        output.message(
            "no PGN of the moves given: the times are at null moves (`--`); --moves FILE puts them \
             into a PGN",
        );
        let alone = pgn::alone(report, &TimeZone::system());
        return deliver(file, alone.as_bytes(), output);
    };
    let name = exchange::name(moves);
    let bytes = exchange::bytes(moves, LONGEST_PGN).map_err(|why| {
        CliError::usage(format!("{name} {why}; --moves takes a PGN of the moves"))
    })?;
    let (text, encoding) = decoded(bytes);
    let merged = pgn::merge(report, &text, what.which).map_err(|error| {
        let remedy = match error {
            NoMerge::Several(_) | NoMerge::Fewer { .. } => " with --which N",
            _ => "",
        };
        CliError::usage(format!("{name}: {error}{remedy}"))
    })?;
    if let Some(mismatch) = merged.mismatch() {
        output.message(&format!("{name}: {mismatch}"));
    }
    deliver(file, &encoded(&merged.text, encoding), output)
}

/// The encoding of a PGN: the standard says Latin-1, most programs write UTF-8.
#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    Latin1,
}

fn decoded(bytes: Vec<u8>) -> (String, Encoding) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, Encoding::Utf8),
        Err(error) => {
            (error.as_bytes().iter().copied().map(char::from).collect(), Encoding::Latin1)
        }
    }
}

fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Latin1 => text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
    }
}

/// Writes a report to its file.
fn deliver(file: &Path, text: &[u8], output: &Printer) -> Result<(), CliError> {
    if file == Path::new(exchange::STREAM) {
        return output.raw(text);
    }
    let name = file.display();
    files::put(file, text)?;
    output.result(json!({"file": name.to_string()}), || format!("the report is in {name}"))
}
