//! `export` and `import`: a game as a file, for another clock. And writing files in general.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use super::bus::Daemon;
use super::exit::CliError;
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
    put(file, format!("{game}\n").as_bytes())?;
    output.result(json!({"file": name.to_string()}), || format!("the game is in {name}"))
}

/// Continues the game in a file.
pub(super) async fn import(daemon: &Daemon, file: &Path, output: &Printer) -> Result<(), CliError> {
    let game = read(file)?;
    let state = orders::answered(daemon.arbiter.import_state(&game).await)?;
    orders::print(&format!("import {}", name(file)), &state, output)
}

/// Writes a file completely or not at all.
pub(super) fn put(file: &Path, text: &[u8]) -> Result<(), CliError> {
    write_whole(file, text).map_err(|error| {
        let name = file.display();
        CliError::unwritten(format!("{name} cannot be written: {error}; no file was changed"))
    })
}

fn write_whole(file: &Path, text: &[u8]) -> io::Result<()> {
    // A link stays a link.
    let place = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    if place.metadata().is_ok_and(|there| !there.is_file()) {
        // A device or a pipe must not be replaced by a file.
        return File::options().write(true).open(&place)?.write_all(text);
    }
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut new = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    new.write_all(text)?;
    new.as_file().sync_all()?;
    new.persist(&place).map(drop).map_err(|error| error.error)
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
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("game"), folder.path().join("link"));
        write_whole(&file, b"old and longer").unwrap();
        std::os::unix::fs::symlink("game", &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left behind");
    }

    #[test]
    fn what_is_no_file_is_written_to_and_stays_what_it_is() {
        use std::os::unix::fs::FileTypeExt;
        write_whole(Path::new("/dev/null"), b"text").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let folder = tempfile::tempdir().unwrap();
        assert!(write_whole(folder.path(), b"text").is_err(), "nobody writes into a folder so");
        assert!(write_whole(&folder.path().join("none/game"), b"text").is_err());
    }

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
