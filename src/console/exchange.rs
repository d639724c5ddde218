//! `export` and `import`: a game taken from one clock to another as a file.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use super::bus::{Daemon, failure};
use super::exit::Failure;
use super::orders;
use super::output::Output;

/// The name of the standard streams.
pub(super) const STREAM: &str = "-";

/// The longest file that is read, in bytes. Daemons read much less; this is for endless ones.
const LONGEST: usize = 1 << 20;

/// Writes the game into a file.
pub(super) async fn export(daemon: &Daemon, file: &Path, output: &Output) -> Result<(), Failure> {
    let game = daemon.arbiter.export_state().await.map_err(|error| failure(&error))?;
    if file == Path::new(STREAM) {
        return output.line(&game);
    }
    let name = file.display();
    put(file, format!("{game}\n").as_bytes())?;
    output.result(json!({"file": name.to_string()}), || format!("the game stands in {name}"))
}

/// Sets the clock to the game of a file.
pub(super) async fn import(daemon: &Daemon, file: &Path, output: &Output) -> Result<(), Failure> {
    let game = read(file)?;
    orders::print(&orders::answered(daemon.arbiter.import_state(&game).await)?, output)
}

/// Writes a file as a whole or not at all.
pub(super) fn put(file: &Path, text: &[u8]) -> Result<(), Failure> {
    write_whole(file, text).map_err(|error| {
        let name = file.display();
        Failure::unwritten(format!("{name} cannot be written: {error}; no file was changed"))
    })
}

/// Puts a file in place as a whole: whatever happens, either what stood there before is there or
/// all of the text.
fn write_whole(file: &Path, text: &[u8]) -> io::Result<()> {
    // what a link points to is written, not the link
    let place = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    if place.metadata().is_ok_and(|there| !there.is_file()) {
        // a device or a pipe has no old content, and is not replaced by a file
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

fn read(file: &Path) -> Result<String, Failure> {
    // a zero byte would be the end of the text on the bus
    let text = bytes(file, LONGEST).and_then(|bytes| {
        let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        text.ok_or_else(|| "is not text".to_owned())
    });
    text.map_err(|why| {
        let remedy = "give a file that `flagfallctl export` wrote";
        Failure::usage(format!("{} {why}; {remedy}", name(file)))
    })
}

/// What stands in a file of at most so many bytes; `-` is standard input.
///
/// # Errors
/// What is wrong with it, as a sentence goes on about the file.
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

/// What a file is called in a sentence.
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
