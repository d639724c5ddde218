//! The presets on offer: the shipped ones, and the arbiter's own, which outlive a power cut.
//!
//! The own ones are one file in the state directory, in the format of the shipped file, written
//! whole or not at all. Where there is no state directory they live as long as the daemon.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::shelf::replace;
use crate::control::presets::{Preset, Presets};

/// The file's name in the state directory.
const NAME: &str = "presets.toml";

/// The presets.
#[derive(Clone, Debug)]
pub struct Collection {
    file: Option<PathBuf>,
    own: Arc<Mutex<Presets>>,
    all: watch::Sender<Arc<Presets>>,
}

/// Why an own preset was not saved or deleted. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// No own preset has that id.
    #[error("no own preset is called `{0}`; the shipped ones cannot be deleted")]
    Unknown(String),
    /// The file would be too long.
    #[error("so many own presets cannot be kept: delete one first")]
    TooMany,
    /// The disk refuses.
    #[error("the presets cannot be written: {0}")]
    Disk(#[from] io::Error),
}

impl Collection {
    /// The presets, with the own ones that lie in the directory. A file that cannot be read is left
    /// as it is and said: the shipped ones are always there.
    #[must_use]
    pub fn open(directory: Option<&Path>) -> Self {
        let file = directory.map(|directory| directory.join(NAME));
        let own = file.as_deref().map_or(Ok(Presets::default()), read).unwrap_or_else(|why| {
            tracing::warn!("the own presets are not on offer: {why}");
            Presets::default()
        });
        let all = watch::Sender::new(Arc::new(Presets::shipped().with(&own)));
        Collection { file, own: Arc::new(Mutex::new(own)), all }
    }

    /// Every preset on offer.
    #[must_use]
    pub fn all(&self) -> Arc<Presets> {
        Arc::clone(&self.all.borrow())
    }

    /// Every preset on offer, to be waited on.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Arc<Presets>> {
        self.all.subscribe()
    }

    /// True if an arbiter has saved the preset of that id.
    #[must_use]
    pub fn is_own(&self, id: &str) -> bool {
        self.locked().get(id).is_some()
    }

    /// Saves an own preset, in the place of the one that has its id. Blocks for the disk.
    ///
    /// # Errors
    /// See [`CollectionError`].
    pub fn save(&self, preset: Preset) -> Result<(), CollectionError> {
        self.change(|own| {
            own.put(preset);
            Ok(())
        })
    }

    /// Deletes an own preset. Blocks for the disk.
    ///
    /// # Errors
    /// See [`CollectionError`].
    pub fn delete(&self, id: &str) -> Result<(), CollectionError> {
        self.change(|own| match own.remove(id) {
            true => Ok(()),
            false => Err(CollectionError::Unknown(id.chars().take(40).collect())),
        })
    }

    fn change(
        &self,
        change: impl FnOnce(&mut Presets) -> Result<(), CollectionError>,
    ) -> Result<(), CollectionError> {
        let mut kept = self.locked();
        let mut own = kept.clone();
        change(&mut own)?;
        let text = own.to_toml();
        if Presets::from_toml(&text).as_ref() != Ok(&own) {
            return Err(CollectionError::TooMany);
        }
        if let Some(file) = &self.file {
            replace(file, &text)?;
        }
        // Under the lock, so that the newest is published last.
        self.all.send_replace(Arc::new(Presets::shipped().with(&own)));
        *kept = own;
        Ok(())
    }

    /// Whole after every step, so a panic elsewhere does not spoil it.
    fn locked(&self) -> MutexGuard<'_, Presets> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(file: &Path) -> Result<Presets, String> {
    match fs::read_to_string(file) {
        Ok(text) => Presets::from_toml(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Presets::default()),
        Err(error) => return Err(format!("{}: {error}", file.display())),
    }
    .map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Profile, notation};

    fn preset(id: &str, control: &str) -> Preset {
        let control = notation::parse(control).unwrap();
        Preset::own(id, "Club evening", control, Profile::Club).unwrap()
    }

    #[test]
    fn an_own_preset_outlives_the_daemon_and_stands_before_a_shipped_one() {
        let directory = tempfile::tempdir().unwrap();
        let collection = Collection::open(Some(directory.path()));
        let shipped = collection.all().iter().count();
        collection.save(preset("club", "7m+3s")).unwrap();
        collection.save(preset("fide-classical", "1h")).unwrap();
        let again = Collection::open(Some(directory.path()));
        assert_eq!(again.all().iter().count(), shipped + 1);
        assert_eq!(again.all().get("fide-classical").unwrap().control.to_string(), "1h");
        assert!(again.is_own("club") && again.is_own("fide-classical"));
        again.delete("fide-classical").unwrap();
        assert_ne!(again.all().get("fide-classical").unwrap().control.to_string(), "1h");
        let refused = again.delete("fide-classical").unwrap_err().to_string();
        assert!(refused.contains("the shipped ones cannot be deleted"), "{refused}");
    }

    #[test]
    fn a_preset_that_the_disk_does_not_take_is_not_on_offer() {
        let directory = tempfile::tempdir().unwrap();
        let collection = Collection::open(Some(&directory.path().join("gone")));
        let refused = collection.save(preset("club", "7m+3s")).unwrap_err().to_string();
        assert!(refused.contains("cannot be written"), "{refused}");
        assert!(!collection.is_own("club") && collection.all().get("club").is_none());
    }

    #[test]
    fn a_file_that_is_no_presets_file_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(NAME);
        fs::write(&file, "[[preset]]\nid = 3").unwrap();
        let collection = Collection::open(Some(directory.path()));
        assert_eq!(*collection.all(), Presets::shipped());
        assert_eq!(fs::read_to_string(&file).unwrap(), "[[preset]]\nid = 3");
    }
}
