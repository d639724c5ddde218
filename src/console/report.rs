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
use crate::report::pgn::{self, NoMerge};
use crate::report::{self, Book, Report};

/// The longest PGN that is read, in bytes: some ten thousand games.
const LONGEST_PGN: usize = 1 << 24;

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
    if file == "-" && what.moves.as_deref() == Some(Path::new(exchange::STREAM)) {
        let sentence =
            "standard input is either the game or its moves: name a file for one of them";
        return Err(Failure::usage(sentence.to_owned()));
    }
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
    if let Some(file) = &what.svg {
        return deliver(file, report::picture::write(&report, game, &zone).as_bytes(), output);
    }
    if let Some(file) = &what.csv {
        let text = report::csv::write(&report)
            .map_err(|error| Failure::unwritten(format!("the table cannot be written: {error}")))?;
        return deliver(file, text.as_bytes(), output);
    }
    if let Some(file) = &what.pgn {
        return pgn(&report, file, what, output);
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

/// Writes a PGN: the given moves with their times, or the times alone.
fn pgn(
    report: &Report,
    file: &Path,
    what: &arguments::Report,
    output: &Output,
) -> Result<(), Failure> {
    let stream = file == Path::new(exchange::STREAM);
    let moves = match &what.moves {
        Some(moves) => Some(moves.as_path()),
        None => Some(file).filter(|file| !stream && file.is_file()),
    };
    let Some(moves) = moves else {
        output.message(
            "no PGN of the moves is there: the times stand at null moves (`--`); with --moves FILE \
             they are put into a PGN",
        );
        let alone = pgn::alone(report, &TimeZone::system());
        return deliver(file, alone.as_bytes(), output);
    };
    let name = exchange::name(moves);
    let bytes = exchange::bytes(moves, LONGEST_PGN)
        .map_err(|why| Failure::usage(format!("{name} {why}; --moves takes a PGN of the moves")))?;
    let (text, encoding) = decoded(bytes);
    let merged = pgn::merge(report, &text, what.which).map_err(|error| {
        let remedy = match error {
            NoMerge::Several(_) | NoMerge::Fewer { .. } => " with --which N",
            _ => "",
        };
        Failure::usage(format!("{name}: {error}{remedy}"))
    })?;
    if let Some(mismatch) = merged.mismatch() {
        output.message(&format!("{name}: {mismatch}"));
    }
    deliver(file, &encoded(&merged.text, encoding), output)
}

/// How a PGN is written: the standard says Latin-1, most programs UTF-8.
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

/// Writes a rendering into its file, and says so.
fn deliver(file: &Path, text: &[u8], output: &Output) -> Result<(), Failure> {
    if file == Path::new(exchange::STREAM) {
        return output.raw(text);
    }
    let name = file.display();
    exchange::put(file, text)?;
    output.result(json!({"file": name.to_string()}), || format!("the report stands in {name}"))
}
