//! Files that the console writes: as a whole or not at all, and never through a foreign link.
//!
//! An arbiter may run the console as root and name a file in a folder that others may write to. A
//! link that another user put there could lead the write to any file of the system.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Gid, Uid, fchown};
use rustix::process::geteuid;

use super::exit::CliError;

/// How many links a path may lead through, as in the kernel.
const MAX_LINKS: usize = 40;

/// Writes a file as a whole or not at all.
pub(super) fn put(file: &Path, text: &[u8]) -> Result<(), CliError> {
    write_whole(file, text).map_err(|error| {
        let name = file.display();
        CliError::unwritten(format!("{name} cannot be written: {error}; no file was changed"))
    })
}

/// Replaces a file: afterwards it holds either its old text or the new one. It keeps its mode and,
/// where this user may give files away, its owner.
fn write_whole(file: &Path, text: &[u8]) -> io::Result<()> {
    let place = resolve(file)?;
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let old = place.metadata().ok();
    if let Some(old) = &old {
        let sticky = folder.metadata()?.mode() & 0o1000 != 0;
        if sticky && !is_trusted(old) {
            return Err(refused("it belongs to another user in a folder that all may write to"));
        }
        if place.is_symlink() || !old.is_file() {
            return write_into(&place, text);
        }
    }
    let mut new = tempfile::Builder::new();
    if old.is_none() {
        // less the umask
        new.permissions(Permissions::from_mode(0o666));
    }
    let mut new = new.tempfile_in(folder)?;
    new.write_all(text)?;
    if let Some(old) = old {
        let (user, group) = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
        // only root may give a file away; anyone else owns what they wrote
        let _ = fchown(new.as_file(), Some(user), Some(group));
        new.as_file().set_permissions(Permissions::from_mode(old.mode() & 0o777))?;
    }
    new.as_file().sync_all()?;
    new.persist(&place).map(drop).map_err(|error| error.error)
}

/// Writes into a device, a pipe or an open descriptor, which stays what it is.
fn write_into(place: &Path, text: &[u8]) -> io::Result<()> {
    let mut options = File::options();
    if !place.is_symlink() {
        options.custom_flags(libc::O_NOFOLLOW);
    }
    options.write(true).open(place)?.write_all(text)
}

/// The path without links. A link of a user who is neither this one nor root is refused.
fn resolve(file: &Path) -> io::Result<PathBuf> {
    let mut place = PathBuf::new();
    let mut rest: Vec<OsString> = reversed(file);
    let mut links = 0;
    while let Some(part) = rest.pop() {
        let next = place.join(part);
        let found = match fs::symlink_metadata(&next) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && rest.is_empty() => None,
            found => Some(found?),
        };
        let Some(link) = found.filter(Metadata::is_symlink) else {
            place = next;
            continue;
        };
        if !is_trusted(&link) {
            let name = next.display();
            return Err(refused(&format!("{name} is another user's link; name the file itself")));
        }
        if place.starts_with("/proc") && rest.is_empty() {
            // an open descriptor (`/dev/stdout`): what it leads to need not have a path
            return Ok(next);
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(rustix::io::Errno::LOOP.into());
        }
        rest.extend(reversed(&fs::read_link(&next)?));
    }
    Ok(place)
}

fn reversed(path: &Path) -> Vec<OsString> {
    path.components().rev().map(|part: Component<'_>| part.as_os_str().to_owned()).collect()
}

/// Whether a file is this user's or root's.
fn is_trusted(file: &Metadata) -> bool {
    [0, geteuid().as_raw()].contains(&file.uid())
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{FileTypeExt, symlink};

    use super::*;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_a_link_of_ones_own_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("game"), folder.path().join("link"));
        write_whole(&file, b"old and longer").unwrap();
        symlink("game", &link).unwrap();
        symlink(&link, folder.path().join("absolute")).unwrap();
        write_whole(&folder.path().join("absolute"), b"new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        symlink("there-not", folder.path().join("dangling")).unwrap();
        write_whole(&folder.path().join("dangling"), b"new").unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("there-not")).unwrap(), "new");
        symlink("loop", folder.path().join("loop")).unwrap();
        assert!(write_whole(&folder.path().join("loop"), b"new").is_err());
        assert_eq!(entries(folder.path()), 6, "nothing else is left behind");
    }

    #[test]
    fn the_mode_of_a_file_that_is_there_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game");
        for mode in [0o600, 0o640, 0o444, 0o666] {
            fs::write(&file, "old").unwrap();
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            write_whole(&file, b"new").unwrap();
            assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, mode);
            fs::remove_file(&file).unwrap();
        }
    }

    /// Only root can make links for others: elsewhere this tests nothing.
    #[test]
    fn a_link_or_file_of_another_user_is_not_followed_in_a_sticky_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o1777)).unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("secret")).unwrap();
        fs::write(at("secret/file"), "old").unwrap();
        symlink("secret/file", at("link")).unwrap();
        symlink("secret", at("folder")).unwrap();
        fs::write(at("foreign"), "old").unwrap();
        for name in ["link", "folder", "foreign"] {
            if std::os::unix::fs::lchown(at(name), Some(65_534), None).is_err() {
                return;
            }
        }
        for name in ["link", "folder/file", "folder/new", "foreign"] {
            let error = write_whole(&at(name), b"new").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{name}");
        }
        assert_eq!(fs::read_to_string(at("secret/file")).unwrap(), "old");
        assert_eq!((entries(folder.path()), entries(&at("secret"))), (4, 1));
        // elsewhere root keeps a file its owner's
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        write_whole(&at("foreign"), b"new").unwrap();
        assert_eq!(fs::metadata(at("foreign")).unwrap().uid(), 65_534);
    }

    #[test]
    fn what_is_no_file_is_written_to_and_stays_what_it_is() {
        write_whole(Path::new("/dev/null"), b"text").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        write_whole(Path::new("/dev/stderr"), b"").unwrap();
        let folder = tempfile::tempdir().unwrap();
        assert!(write_whole(folder.path(), b"text").is_err(), "a folder is no file");
        assert!(write_whole(&folder.path().join("none/game"), b"text").is_err());
    }
}
