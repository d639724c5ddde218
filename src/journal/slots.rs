//! The running time beside the journal: a small file of two slots, overwritten while a clock runs.
//!
//! A slot is 512 bytes, a sector: one JSON object, filled up with spaces. What was flushed last is
//! never overwritten until the other one was flushed, so whatever the power cut leaves, one slot
//! is whole.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The file's name in the state directory.
const NAME: &str = "running";
/// Bytes of a slot, its line's end included.
const SLOT: usize = 512;

/// How far a game's time had come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The game.
    pub game: String,
    /// Nanoseconds since it began.
    pub at_ns: i64,
    /// The daemon ended because it was asked to, and this is where it did.
    pub closed: bool,
}

/// The file, open.
#[derive(Debug)]
pub(super) struct Slots {
    file: File,
    sequence: u64,
}

impl Slots {
    /// Opens the file, and makes it where it is not there.
    pub(super) fn open(folder: &Path) -> io::Result<Slots> {
        let path = folder.join(NAME);
        let file =
            File::options().create(true).truncate(false).read(true).write(true).open(path)?;
        let known = newest(&read(&file)?);
        Ok(Slots { file, sequence: known.map_or(0, |(sequence, _)| sequence) })
    }

    /// Overwrites the slot that was not flushed last. Written it survives the process; to survive
    /// the power it is to be flushed.
    pub(super) fn write(&mut self, moment: &Moment) -> io::Result<()> {
        let sequence = self.sequence + 1;
        let place = if sequence.is_multiple_of(2) { 0 } else { SLOT };
        self.file.write_all_at(&slot(sequence, moment), u64::try_from(place).unwrap_or(0))
    }

    /// What was written last is being flushed: from now on the other slot is overwritten.
    pub(super) fn turn(&mut self) -> io::Result<File> {
        self.sequence += 1;
        self.file.try_clone()
    }
}

/// The newest running time that was recorded in a state directory; `None` where there is none.
///
/// # Errors
/// The file is there and cannot be read.
pub fn recorded(folder: &Path) -> io::Result<Option<Moment>> {
    match fs::read(folder.join(NAME)) {
        Ok(bytes) => Ok(newest(&bytes).map(|(_, moment)| moment)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn read(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 2 * SLOT];
    let mut read = 0;
    while let Some(rest) = bytes.get_mut(read..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, u64::try_from(read).unwrap_or(u64::MAX))? {
            0 => break,
            more => read += more,
        }
    }
    bytes.truncate(read);
    Ok(bytes)
}

fn slot(sequence: u64, moment: &Moment) -> Vec<u8> {
    let Moment { game, at_ns, closed } = moment;
    let own = format!(
        "{{\"sequence\":{sequence},\"game\":\"{game}\",\"at_ns\":{at_ns},\"closed\":{closed}}}"
    );
    let open = own.trim_end_matches('}');
    let line = format!("{open},\"checksum\":\"{}\"}}", checksum(&own));
    format!("{line:<width$}\n", width = SLOT - 1).into_bytes()
}

fn checksum(own: &str) -> String {
    Sha256::digest(own).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Of the slots that are whole, the one that was written last.
fn newest(bytes: &[u8]) -> Option<(u64, Moment)> {
    bytes.chunks(SLOT).filter_map(whole).max_by_key(|(sequence, _)| *sequence)
}

fn whole(bytes: &[u8]) -> Option<(u64, Moment)> {
    let line = std::str::from_utf8(bytes).ok()?.trim_end();
    let (own, sum) = line.strip_suffix("\"}")?.rsplit_once(",\"checksum\":\"")?;
    let own = format!("{own}}}");
    if sum != checksum(&own) {
        return None;
    }
    let own: Value = serde_json::from_str(&own).ok()?;
    let moment = Moment {
        game: own.get("game")?.as_str()?.to_owned(),
        at_ns: own.get("at_ns")?.as_i64()?,
        closed: own.get("closed")?.as_bool()?,
    };
    Some((own.get("sequence")?.as_u64()?, moment))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(at_ns: i64) -> Moment {
        Moment { game: "20261130-042053-3f9a".to_owned(), at_ns, closed: false }
    }

    fn at(folder: &Path) -> Option<i64> {
        recorded(folder).unwrap().map(|moment| moment.at_ns)
    }

    #[test]
    fn the_newest_time_is_read_back_also_by_the_next_daemon() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(at(folder.path()), None);
        for n in 1..6 {
            let mut slots = Slots::open(folder.path()).unwrap();
            slots.write(&moment(10 * n)).unwrap();
            assert_eq!(at(folder.path()), Some(10 * n));
            slots.turn().unwrap();
            slots.write(&moment(10 * n + 1)).unwrap();
            slots.write(&moment(10 * n + 2)).unwrap();
            assert_eq!(at(folder.path()), Some(10 * n + 2));
        }
    }

    #[test]
    fn whatever_byte_of_the_slot_being_written_is_lost_what_was_flushed_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let mut slots = Slots::open(folder.path()).unwrap();
        slots.write(&moment(1)).unwrap();
        slots.turn().unwrap();
        let flushed = read(&slots.file).unwrap();
        slots.write(&moment(2)).unwrap();
        let file = folder.path().join(NAME);
        let whole = fs::read(&file).unwrap();
        for torn in 0..SLOT {
            // The beginning is new, the rest is not.
            let mut bytes = whole.clone();
            let old = flushed.iter().copied().chain(std::iter::repeat(0));
            let unwritten = bytes.iter_mut().zip(old).enumerate();
            let slot = 0..SLOT;
            for (_, (byte, old)) in unwritten.filter(|(n, _)| slot.contains(n) && *n >= torn) {
                *byte = old;
            }
            fs::write(&file, &bytes).unwrap();
            let read = at(folder.path());
            assert!(read == Some(1) || read == Some(2) && bytes == whole, "{torn}: {read:?}");
        }
    }

    #[test]
    fn what_is_no_slot_is_not_guessed_at() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "{}", "\0\0\0\0", "{\"sequence\":1,\"checksum\":\"\"}"] {
            fs::write(folder.path().join(NAME), text).unwrap();
            assert_eq!(at(folder.path()), None, "{text}");
        }
    }
}
