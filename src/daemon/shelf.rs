//! What the box keeps over a power cut: its five own controls, and how it looks and sounds.
//!
//! One small file in the state directory, written whole or not at all. Where there is no state
//! directory nothing outlives the daemon.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::control::{Control, notation};
use crate::display::MAX_BRIGHTNESS;
use crate::menu::catalogue::SLOTS;
use crate::menu::options::{Look, Sounding};
use crate::time::Span;

/// The file's name in the state directory.
const NAME: &str = "box.toml";

/// What is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// The own controls.
    pub slots: [Option<Control>; SLOTS],
    /// The look that was set at the box; `None`: the configuration's.
    pub look: Option<Look>,
}

/// Where it is kept.
#[derive(Clone, Debug)]
pub struct Shelf {
    directory: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Page {
    look: Option<LookPage>,
    #[serde(default)]
    own: Vec<OwnPage>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LookPage {
    brightness: u8,
    tenths_below_s: i64,
    sound: String,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct OwnPage {
    slot: usize,
    control: String,
}

const SOUNDS: [(Sounding, &str); 3] =
    [(Sounding::ByProfile, "auto"), (Sounding::On, "on"), (Sounding::Off, "off")];

impl Shelf {
    /// A shelf in that directory, and what lies there. What cannot be read is left out and said:
    /// a clock with fewer presets is better than none.
    #[must_use]
    pub fn open(directory: Option<&Path>) -> (Shelf, Kept) {
        let shelf = Shelf { directory: directory.map(Path::to_owned) };
        let Some(file) = shelf.file() else { return (shelf, Kept::default()) };
        let kept = match fs::read_to_string(&file) {
            Ok(text) => read(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kept::default()),
            Err(error) => Err(error.to_string()),
        };
        let kept = kept.unwrap_or_else(|why| {
            let file = file.display();
            tracing::warn!("{file} is passed over: {why}; it is written anew at the next change");
            Kept::default()
        });
        (shelf, kept)
    }

    fn file(&self) -> Option<PathBuf> {
        self.directory.as_ref().map(|directory| directory.join(NAME))
    }

    /// Keeps it: beside the old file first, then in its place. Blocks for the disk.
    ///
    /// # Errors
    /// The disk refuses; the old file is as it was.
    pub fn put(&self, kept: &Kept) -> io::Result<()> {
        let Some(file) = self.file() else { return Ok(()) };
        replace(&file, &toml::to_string(&write(kept)).map_err(io::Error::other)?)
    }
}

/// Writes a file whole or not at all: beside the old one first, then in its place.
pub(super) fn replace(file: &Path, text: &str) -> io::Result<()> {
    let beside = file.with_extension("new");
    let mut new = File::create(&beside)?;
    new.write_all(text.as_bytes())?;
    new.sync_all()?;
    fs::rename(&beside, file)?;
    file.parent().map_or(Ok(()), |directory| File::open(directory)?.sync_all())
}

fn read(text: &str) -> Result<Kept, String> {
    let page: Page = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    let mut kept = Kept::default();
    for OwnPage { slot, control } in page.own {
        let place = slot.checked_sub(1).and_then(|index| kept.slots.get_mut(index));
        let place =
            place.ok_or_else(|| format!("there is no slot {slot}: there are 1 to {SLOTS}"))?;
        *place = Some(notation::parse(&control).map_err(|error| error.to_string())?);
    }
    kept.look = page.look.map(|look| Look {
        brightness: look.brightness.min(MAX_BRIGHTNESS),
        tenths_below: Span::from_secs(look.tenths_below_s.clamp(0, 60)),
        sound: SOUNDS
            .into_iter()
            .find(|(_, word)| *word == look.sound)
            .map_or(Sounding::ByProfile, |(sound, _)| sound),
    });
    Ok(kept)
}

fn write(kept: &Kept) -> Page {
    let look = kept.look.map(|look| LookPage {
        brightness: look.brightness,
        tenths_below_s: look.tenths_below.ceil_div(1_000_000_000),
        sound: SOUNDS
            .into_iter()
            .find(|(sound, _)| *sound == look.sound)
            .map_or_else(String::new, |(_, word)| word.to_owned()),
    });
    let own = kept.slots.iter().zip(1..).filter_map(|(control, slot)| {
        control.as_ref().map(|control| OwnPage { slot, control: control.to_string() })
    });
    Page { look, own: own.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("flagfall-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn what_is_put_on_the_shelf_lies_there_after_a_power_cut() {
        let folder = folder("shelf");
        let (shelf, empty) = Shelf::open(Some(&folder));
        assert_eq!(empty, Kept::default());
        let control = |text| Some(notation::parse(text).unwrap());
        let look = Look { brightness: 3, tenths_below: Span::from_secs(20), sound: Sounding::Off };
        let kept = Kept {
            slots: [control("5m"), None, None, None, control("white 5m; black 4m")],
            look: Some(look),
        };
        shelf.put(&kept).unwrap();
        assert_eq!(Shelf::open(Some(&folder)).1, kept);
        fs::write(folder.join(NAME), "[[own]]\nslot = 6\ncontrol = \"5m\"\n").unwrap();
        assert_eq!(Shelf::open(Some(&folder)).1, Kept::default());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn without_a_directory_nothing_is_written_and_nothing_fails() {
        let (shelf, kept) = Shelf::open(None);
        assert_eq!(kept, Kept::default());
        shelf.put(&kept).unwrap();
    }
}
