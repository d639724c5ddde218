//! The state directory: one daemon's at a time, a file a game.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Games that are kept.
const MOST_GAMES: usize = 200;
/// Bytes that are kept.
const MOST_BYTES: u64 = 64 << 20;

/// The name of the file by whose lock a daemon holds the directory.
const LOCK: &str = "lock";

/// A state directory that is this process's own.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Let go by the system when the process ends, however it does.
    _lock: File,
}

/// Why a state directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another daemon has it.
    #[error(
        "another flagfalld keeps its journal in {0}: end that one, or give this one a directory \
         of its own with --state"
    )]
    Locked(PathBuf),
    /// It cannot be made or written.
    #[error("the state directory {path} cannot be used: {error}; name another one with --state")]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl Folder {
    /// Makes the directory if it is not there, and takes it.
    ///
    /// # Errors
    /// See [`FolderError`].
    pub fn open(path: &Path) -> Result<Folder, FolderError> {
        let unusable = |error| FolderError::Unusable { path: path.to_owned(), error };
        fs::create_dir_all(path).map_err(unusable)?;
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path.join(LOCK))
            .map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => Ok(Folder { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(FolderError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => Err(unusable(error)),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the oldest games until at most 200 and at most 64 MiB are left; the newest one and
    /// `keep` stay in any case.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn tidy(path: &Path, keep: &str) -> io::Result<()> {
        let (mut kept, mut bytes) = (0, 0_u64);
        for game in games(path)?.iter().rev() {
            let file = file_of(path, game);
            kept += 1;
            bytes = bytes.saturating_add(fs::metadata(&file)?.len());
            let one_too_many = kept > MOST_GAMES || bytes > MOST_BYTES;
            if one_too_many && kept > 1 && game != keep {
                fs::remove_file(&file)?;
                match fs::remove_file(torn_of(path, game)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// The games of a state directory, oldest first: their names sort as they began.
///
/// # Errors
/// The directory cannot be read.
pub fn games(path: &Path) -> io::Result<Vec<String>> {
    let mut games = Vec::new();
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        let game = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
        games.extend(game.filter(|game| is_game(game)).map(str::to_owned));
    }
    games.sort();
    Ok(games)
}

/// The file of a game.
#[must_use]
pub fn file_of(path: &Path, game: &str) -> PathBuf {
    path.join(format!("{game}.jsonl"))
}

/// Where the torn end of a game's file is kept.
#[must_use]
pub fn torn_of(path: &Path, game: &str) -> PathBuf {
    path.join(format!("{game}.torn"))
}

/// True for a game's name, as `20261130-042053-3f9a`: nothing else ever becomes part of a path.
#[must_use]
pub fn is_game(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    let digits =
        |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    let hex = |part: &str| part.len() == 4 && part.bytes().all(|b| b.is_ascii_hexdigit());
    matches!(parts[..], [day, time, part] if digits(day, 8) && digits(time, 6) && hex(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path, game: &str, bytes: u64) {
        File::create(file_of(path, game)).unwrap().set_len(bytes).unwrap();
    }

    fn name(n: usize) -> String {
        format!("20261130-{n:06}-0000")
    }

    #[test]
    fn a_directory_belongs_to_one_daemon_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b");
        let first = Folder::open(&path).unwrap();
        let second = Folder::open(&path).unwrap_err();
        assert!(matches!(second, FolderError::Locked(_)), "{second}");
        assert!(second.to_string().contains("--state"), "{second}");
        drop(first);
        Folder::open(&path).unwrap();
    }

    #[test]
    fn what_is_no_directory_is_said_with_what_would_work() {
        let place = tempfile::NamedTempFile::new().unwrap();
        let error = Folder::open(&place.path().join("state")).unwrap_err().to_string();
        assert!(error.contains("cannot be used") && error.contains("--state"), "{error}");
    }

    #[test]
    fn only_names_of_games_are_names() {
        assert!(is_game("20261130-042053-3f9a"));
        for no in ["", "..", "20261130-042053", "20261130-042053-3f9g", "../20261130-042053-3f9a"] {
            assert!(!is_game(no), "{no}");
        }
    }

    #[test]
    fn the_newest_200_games_stay_and_torn_ends_go_with_theirs() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path();
        for n in 0..203 {
            touch(path, &name(n), 1);
        }
        fs::write(torn_of(path, &name(0)), "x").unwrap();
        fs::write(torn_of(path, &name(3)), "x").unwrap();
        fs::write(path.join("presets.toml"), "").unwrap();
        Folder::tidy(path, &name(202)).unwrap();
        let left = games(path).unwrap();
        assert_eq!((left.len(), left.first()), (200, Some(&name(3))));
        assert!(!torn_of(path, &name(0)).exists() && torn_of(path, &name(3)).exists());
        assert!(path.join("presets.toml").exists());
    }

    #[test]
    fn at_most_64_mib_stay_but_the_running_game_whatever_its_size() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path();
        for n in 0..4 {
            touch(path, &name(n), 30 << 20);
        }
        Folder::tidy(path, &name(3)).unwrap();
        assert_eq!(games(path).unwrap(), [name(2), name(3)]);
        touch(path, &name(4), 90 << 20);
        touch(path, &name(5), 1);
        Folder::tidy(path, &name(4)).unwrap();
        assert_eq!(games(path).unwrap(), [name(4), name(5)]);
    }
}
