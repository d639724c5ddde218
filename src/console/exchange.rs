//! `export` and `import`: a game as a file, for another clock.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::json;

use super::bus::Daemon;
use super::exit::CliError;
use super::files;
use super::orders;
use super::output::Printer;

/// Names standard input or output in the place of a file.
pub(super) const STREAM: &str = "-";

/// The longest file that is read, in bytes, since a device may have no end.
const LONGEST: usize = 1 << 20;

/// Writes the game to a file.
pub(super) async fn export(daemon: &Daemon, file: &Path, output: &Printer) -> Result<(), CliError> {
    let game = daemon.arbiter.export_state().await?;
    if file == Path::new(STREAM) {
        return output.line(&game);
    }
    let name = file.display();
    files::put(file, format!("{game}\n").as_bytes())?;
    output.result(json!({"file": name.to_string()}), || format!("the game is in {name}"))
}

/// Continues the game in a file.
pub(super) async fn import(daemon: &Daemon, file: &Path, output: &Printer) -> Result<(), CliError> {
    let game = read(file)?;
    let state = orders::answered(daemon.arbiter.import_state(&game).await)?;
    orders::print(&format!("import {}", name(file)), &state, output)
}

fn read(file: &Path) -> Result<String, CliError> {
    // The bus has no NUL bytes in texts.
    let text = bytes(file, LONGEST).and_then(|bytes| {
        let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        text.ok_or_else(|| "is not text".to_owned())
    });
    text.map_err(|why| {
        let remedy = "give a file that `flagfallctl export` wrote";
        CliError::usage(format!("{} {why}; {remedy}", name(file)))
    })
}

/// The content of a file, of at most `longest` bytes; `-` is standard input.
///
/// # Errors
/// What is wrong, to be put after the name of the file.
pub(super) fn bytes(file: &Path, longest: usize) -> Result<Vec<u8>, String> {
    let source: io::Result<Box<dyn Read>> = if file == Path::new(STREAM) {
        Ok(Box::new(io::stdin().lock()))
    } else {
        File::open(file).map(|file| Box::new(file) as _)
    };
    let mut bytes = Vec::new();
    source
        .and_then(|source| source.take(longest as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() > longest { Err("is too long".to_owned()) } else { Ok(bytes) }
}

/// The name of a file in a message.
pub(super) fn name(file: &Path) -> String {
    if file == Path::new(STREAM) { "standard input".to_owned() } else { file.display().to_string() }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_cannot_be_an_export_is_said_to_be_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game");
        for (bytes, why) in [
            (&b"\xff\xfe"[..], "not text"),
            (b"{}\0", "not text"),
            (&vec![b' '; LONGEST + 1], "too long"),
        ] {
            fs::write(&file, bytes).unwrap();
            let failure = read(&file).unwrap_err();
            assert!(failure.sentence.contains(why), "{}", failure.sentence);
        }
        let failure = read(&folder.path().join("none")).unwrap_err();
        assert!(failure.sentence.contains("cannot be read"), "{}", failure.sentence);
    }
}
