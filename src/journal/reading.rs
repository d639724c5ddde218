//! Reading lines back. A torn end is recognised and set aside, never guessed at; damage in the
//! middle is named.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::folder::{file_of, games, is_game, torn_of};
use crate::record::chain::{After, LineHash, unseal};

/// How much of a file's end is looked at for its last line. Lines are about 1 KB.
const LAST: u64 = 64 << 10;

/// The journals in a state directory, for whoever reads. Reading hinders no writing.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
}

/// A game in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its name.
    pub id: String,
    /// When it began, RFC 3339; empty where its first line does not say so.
    pub started: String,
    /// Its control, as the first line has it.
    pub control: String,
    /// How many lines it has.
    pub records: u64,
}

/// The last game of a state directory, read in full.
#[derive(Debug)]
pub struct Last {
    /// Its name.
    pub game: String,
    /// Its lines.
    pub lines: Vec<String>,
    /// The hash of the last line: the next game's first line stands on it.
    pub hash: LineHash,
    /// How many bytes of a torn end were set aside, and where.
    pub torn: Option<(usize, PathBuf)>,
    /// The first line that is not right though others follow it; nothing was done about it.
    pub damage: Option<usize>,
}

impl Archive {
    /// The journals in a directory.
    #[must_use]
    pub fn new(path: &Path) -> Archive {
        Archive { path: path.to_owned() }
    }

    /// Lines of a game from a sequence number on, at most `most`; `None` where there is no such
    /// game.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn lines(&self, game: &str, from: u64, most: usize) -> io::Result<Option<Vec<String>>> {
        if !is_game(game) {
            return Ok(None);
        }
        let text = match fs::read(file_of(&self.path, game)) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let wanted = whole.filter(|line| seq(line).is_some_and(|seq| seq >= from));
        Ok(Some(wanted.take(most).map(str::to_owned).collect()))
    }

    /// The games, newest first. One whose file cannot be read stands there without its particulars.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn games(&self) -> io::Result<Vec<Game>> {
        let games = games(&self.path)?;
        Ok(games.into_iter().rev().map(|id| self.game(id)).collect())
    }

    fn game(&self, id: String) -> Game {
        let mut game = Game { id, started: String::new(), control: String::new(), records: 0 };
        let Ok((first, last)) = ends(&file_of(&self.path, &game.id)) else { return game };
        game.records = last.as_deref().and_then(seq).map_or(0, |seq| seq.saturating_add(1));
        if let Some(first) = first.and_then(|line| serde_json::from_str::<Value>(&line).ok()) {
            let member = |name| first.get(name).and_then(Value::as_str).unwrap_or_default();
            game.started = member("wall").to_owned();
            game.control = member("control").to_owned();
        }
        game
    }
}

/// Reads the last game of a state directory, and sets its torn end aside, if it has one; `None`
/// where there is no game yet.
///
/// # Errors
/// The directory or the file cannot be read, or the torn end cannot be set aside.
pub fn last(folder: &Path) -> io::Result<Option<Last>> {
    let Some(game) = games(folder)?.pop() else { return Ok(None) };
    let path = file_of(folder, &game);
    let bytes = fs::read(&path)?;
    let Scan { lines, hash, damage } = scan(&bytes);
    let whole: usize = lines.iter().map(|line| line.len() + 1).sum();
    let mut torn = None;
    if damage.is_none() && whole < bytes.len() {
        let end = bytes.get(whole..).unwrap_or_default();
        let aside = torn_of(folder, &game);
        let mut kept = File::options().create(true).append(true).open(&aside)?;
        kept.write_all(end)?;
        kept.sync_all()?;
        let file = File::options().write(true).open(&path)?;
        file.set_len(u64::try_from(whole).unwrap_or(u64::MAX))?;
        file.sync_all()?;
        torn = Some((end.len(), aside));
    }
    let lines = lines.into_iter().map(str::to_owned).collect();
    Ok(Some(Last { game, lines, hash, torn, damage }))
}

/// What a file holds.
struct Scan<'a> {
    /// The lines from the beginning that are right.
    lines: Vec<&'a str>,
    /// The hash of the last line, right or not: the next game's first line stands on it.
    hash: LineHash,
    /// The first line that is not, where that is no torn end.
    damage: Option<usize>,
}

/// A torn end is the last thing in a file and no whole line; all else that is not right is damage.
fn scan(bytes: &[u8]) -> Scan<'_> {
    let mut scan = Scan { lines: Vec::new(), hash: LineHash::NOTHING, damage: None };
    let mut pieces = bytes.split_inclusive(|byte| *byte == b'\n');
    while let Some(piece) = pieces.next() {
        let line = piece.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok());
        let sealed = line.and_then(unseal);
        let before = match line.filter(|_| scan.lines.is_empty()).and_then(After::of_line) {
            Some(after) => after.hash,
            None => scan.hash,
        };
        match (line, sealed) {
            (Some(line), Some((bare, hash))) if before.then(&bare) == hash => {
                scan.lines.push(line);
                scan.hash = hash;
            }
            (_, sealed) => {
                let hash = |piece: &[u8]| {
                    let line = std::str::from_utf8(piece).ok()?;
                    unseal(line.trim_end_matches('\n')).map(|(_, hash)| hash)
                };
                let sealed = sealed.map(|(_, hash)| hash);
                if let Some(last) = pieces.filter_map(hash).next_back().or(sealed) {
                    scan.damage = Some(scan.lines.len() + 1);
                    scan.hash = last;
                }
                break;
            }
        }
    }
    scan
}

/// The number of a line as the writer writes it: the first member.
fn seq(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("{\"seq\":")?;
    rest.split(',').next()?.parse().ok()
}

/// The first and the last whole line of a file.
fn ends(path: &Path) -> io::Result<(Option<String>, Option<String>)> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut part = |from: u64| -> io::Result<String> {
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        (&mut file).take(LAST).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (head, tail) = (part(0)?, part(length.saturating_sub(LAST))?);
    let first = head.split_once('\n').map(|(line, _)| line.to_owned());
    let last = tail
        .rsplit_once('\n')
        .map(|(lines, _)| lines.rsplit_once('\n').map_or(lines, |(_, line)| line).to_owned());
    Ok((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Fields;
    use crate::record::chain::Chain;

    const GAME: &str = "20261130-042053-3f9a";

    fn lines(count: u64) -> Vec<String> {
        let mut chain = Chain::after(LineHash::NOTHING);
        let line = |seq: u64| -> Fields {
            let members = [
                ("seq", Value::from(seq)),
                ("kind", "new_game".into()),
                ("wall", "2026-11-30T04:20:53Z".into()),
                ("control", "3m+2s".into()),
            ];
            members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
        };
        (0..count).map(|seq| chain.seal(Value::from(line(seq)).to_string())).collect()
    }

    fn folder(text: &[u8]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(file_of(folder.path(), GAME), text).unwrap();
        folder
    }

    #[test]
    fn wherever_the_last_line_is_torn_it_is_set_aside_and_the_lines_before_it_stay() {
        let all = lines(3);
        let whole = format!("{}\n{}\n", all[0], all[1]);
        for cut in 0..all[2].len() + 1 {
            let text = format!("{whole}{}", &all[2][..cut]);
            let folder = folder(text.as_bytes());
            let last = last(folder.path()).unwrap().unwrap();
            assert_eq!((last.lines.len(), last.damage), (2, None), "cut at {cut}");
            assert_eq!(fs::read_to_string(file_of(folder.path(), GAME)).unwrap(), whole);
            assert_eq!(last.torn.as_ref().map(|(bytes, _)| *bytes), (cut > 0).then_some(cut));
            if let Some((_, aside)) = last.torn {
                assert_eq!(fs::read_to_string(aside).unwrap(), &all[2][..cut]);
            }
        }
    }

    #[test]
    fn an_end_of_zeros_as_a_power_cut_leaves_it_is_torn_too() {
        let all = lines(2);
        let mut text = format!("{}\n{}\n", all[0], all[1]).into_bytes();
        text.extend([0; 700]);
        let last = last(folder(&text).path()).unwrap().unwrap();
        assert_eq!((last.lines.len(), last.damage), (2, None));
        assert_eq!(last.torn.map(|(bytes, _)| bytes), Some(700));
    }

    #[test]
    fn damage_in_the_middle_is_named_and_left_as_it_is() {
        let all = lines(4);
        let changed = all[1].replace("3m+2s", "9m+2s");
        let zeros = "\0".repeat(all[1].len());
        for (text, line) in [
            (format!("{}\n{changed}\n{}\n{}\n", all[0], all[2], all[3]), 2),
            (format!("{}\n{zeros}\n{}\n{}\n", all[0], all[2], all[3]), 2),
            (format!("{}\n{}\n{}\n", all[0], all[2], all[3]), 2),
            (format!("{}\n{}\n{changed}\n", all[0], all[1]), 3),
        ] {
            let folder = folder(text.as_bytes());
            let last = last(folder.path()).unwrap().unwrap();
            assert_eq!((last.damage, last.torn), (Some(line), None), "{text}");
            assert_eq!(fs::read_to_string(file_of(folder.path(), GAME)).unwrap(), text);
        }
    }

    #[test]
    fn lines_are_read_from_a_number_on_and_a_torn_one_is_none() {
        let all = lines(5);
        let folder = folder(format!("{}\n{}", all.join("\n"), &all[0][..9]).as_bytes());
        let archive = Archive::new(folder.path());
        let read = |from, most| archive.lines(GAME, from, most).unwrap().unwrap();
        assert_eq!(read(0, 1_000), all);
        assert_eq!(read(3, 1), all[3..4]);
        assert_eq!(read(5, 1), [""; 0]);
        for none in ["20261130-042053-0000", "../etc/passwd", ""] {
            assert_eq!(archive.lines(none, 0, 1).unwrap(), None, "{none}");
        }
    }

    #[test]
    fn the_list_of_games_tells_when_they_began_and_how_many_lines_they_have() {
        let folder = folder(format!("{}\n", lines(300).join("\n")).as_bytes());
        fs::write(file_of(folder.path(), "20261201-000000-0000"), "").unwrap();
        let games = Archive::new(folder.path()).games().unwrap();
        assert_eq!(games[0].id, "20261201-000000-0000");
        let expected = Game {
            id: GAME.to_owned(),
            started: "2026-11-30T04:20:53Z".to_owned(),
            control: "3m+2s".to_owned(),
            records: 300,
        };
        assert_eq!(games[1], expected);
    }
}
