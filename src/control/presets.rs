//! Controls with a name: the presets file, and what a user may say in place of a control.
//!
//! Opens no file: it is handed the text.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::notation::{self, NotationError, Problem};
use super::quote::{MAX_NAME, quote};
use super::{Control, Profile};

/// A control with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What the command line and the bus call it: small letters, digits and hyphens.
    pub id: String,
    /// For people.
    pub name: String,
    /// What seven-segment digits show: 1 to [`MAX_LABEL`] characters, all of which they can form.
    pub label: String,
    /// The control.
    pub control: Control,
    /// The profile whose switches a game with it starts from.
    pub profile: Profile,
}

/// The presets of a file, in its order. A clone shares them until one of the two is changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presets {
    list: Arc<Vec<Preset>>,
}

/// The most characters of a label, points included.
pub const MAX_LABEL: usize = 8;

/// The letters that seven segments can form in one of their two cases.
const READABLE: &str = "ABCDEFGHIJLNOPQRSTUY";

/// The longest text that is compared with the ids when something like an id is not found.
const LONGEST_ID: usize = 40;

/// The longest name of an arbiter's own preset.
const LONGEST_NAME: usize = 80;

/// The longest file, in bytes, that is read at all: room for a thousand presets and more.
pub const MAX_FILE: usize = 1 << 18;

/// The most characters of what the parser says; it quotes as much as there is.
const MAX_MESSAGE: usize = 200;

/// The presets that come with the program.
const SHIPPED: &str = include_str!("../../config/presets.toml");

/// Why a presets file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// The text is no TOML, or not the TOML of presets.
    #[error("presets, line {line}: {message}")]
    File {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// A preset cannot be as it is.
    #[error("preset `{id}`: {why}")]
    Preset {
        /// Which one.
        id: String,
        /// What is wrong with it, and what would be right.
        why: String,
    },
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    preset: Vec<Entry>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    name: String,
    label: String,
    control: String,
    profile: Option<String>,
}

impl Presets {
    /// The presets that come with the program.
    #[must_use]
    pub fn shipped() -> Presets {
        // A test reads the shipped file; no presets are better than no clock.
        static READ: LazyLock<Presets> =
            LazyLock::new(|| Presets::from_toml(SHIPPED).unwrap_or_default());
        READ.clone()
    }

    /// Reads a presets file; all of it is taken, or none.
    ///
    /// # Errors
    /// The text is no presets file, or a preset in it cannot be.
    pub fn from_toml(text: &str) -> Result<Presets, PresetError> {
        if text.len() > MAX_FILE {
            return Err(PresetError::File {
                line: line_of(text, MAX_FILE),
                message: format!(
                    "the file goes on beyond {MAX_FILE} bytes: keep the presets that are played"
                ),
            });
        }
        let file: File = toml::from_str(text).map_err(|error| PresetError::File {
            line: line_of(text, error.span().map_or(0, |span| span.start)),
            message: quote(&error.message().replace('\n', " "), MAX_MESSAGE),
        })?;
        let mut presets = Presets::default();
        for entry in file.preset {
            let id = quote(&entry.id, MAX_NAME);
            let preset = entry.check(&presets);
            let preset = preset.map_err(|why| PresetError::Preset { id, why })?;
            Arc::make_mut(&mut presets.list).push(preset);
        }
        Ok(presets)
    }

    /// Writes a presets file that reads back as these.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let entry = |preset: &Preset| Entry {
            id: preset.id.clone(),
            name: preset.name.clone(),
            label: preset.label.clone(),
            control: preset.control.to_string(),
            profile: Some(preset.profile.name().to_owned()),
        };
        let file = File { preset: self.iter().map(entry).collect() };
        // Texts in tables can always be written.
        toml::to_string(&file).unwrap_or_default()
    }

    /// These, and an arbiter's own: an id in both means the own one.
    #[must_use]
    pub fn with(&self, own: &Presets) -> Presets {
        let shipped = self.iter().filter(|preset| own.get(&preset.id).is_none());
        Presets { list: Arc::new(shipped.chain(own.iter()).cloned().collect()) }
    }

    /// Puts a preset under its id, in the place of another one that has it.
    pub fn put(&mut self, preset: Preset) {
        let list = Arc::make_mut(&mut self.list);
        match list.iter_mut().find(|other| other.id == preset.id) {
            Some(other) => *other = preset,
            None => list.push(preset),
        }
    }

    /// Takes the preset of that id away; false if there is none.
    pub fn remove(&mut self, id: &str) -> bool {
        let before = self.list.len();
        Arc::make_mut(&mut self.list).retain(|preset| preset.id != id);
        self.list.len() < before
    }

    /// The preset of that id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Preset> {
        self.list.iter().find(|preset| preset.id == id)
    }

    /// The presets in the order of their file.
    pub fn iter(&self) -> impl Iterator<Item = &Preset> {
        self.list.iter()
    }

    /// The first id that contains the text, or the one that is most like it.
    fn nearest(&self, text: &str) -> Option<&str> {
        let containing = self.iter().map(|preset| preset.id.as_str()).find(|id| id.contains(text));
        containing.or_else(|| self.most_alike(text))
    }

    fn most_alike(&self, text: &str) -> Option<&str> {
        self.iter()
            .map(|preset| (strsim::jaro_winkler(text, &preset.id), preset.id.as_str()))
            .filter(|(likeness, _)| *likeness > 0.8)
            .max_by(|(one, _), (other, _)| one.total_cmp(other))
            .map(|(_, id)| id)
    }
}

impl Preset {
    /// A preset of an arbiter's own. Its label is what seven segments can show of the name.
    ///
    /// # Errors
    /// What is wrong with the id or the name, and what would be right.
    pub fn own(id: &str, name: &str, control: Control, profile: Profile) -> Result<Preset, String> {
        if id.len() > LONGEST_ID {
            return Err(format!("an id has at most {LONGEST_ID} characters"));
        }
        if name.chars().count() > LONGEST_NAME {
            return Err(format!("a name has at most {LONGEST_NAME} characters"));
        }
        let label = [name, id].into_iter().find_map(label_of).unwrap_or_else(|| "OUN".to_owned());
        let entry = Entry {
            id: id.to_owned(),
            name: name.to_owned(),
            label,
            control: control.to_string(),
            profile: Some(profile.name().to_owned()),
        };
        entry.check(&Presets::default())
    }
}

impl Entry {
    /// The preset, if it can stand beside those before it; else why not.
    fn check(self, earlier: &Presets) -> Result<Preset, String> {
        if !is_id(&self.id) {
            return Err("an id begins with a small letter and has small letters, digits and \
                        hyphens, as in `fide-classical`"
                .to_owned());
        }
        if notation::parse(&self.id).is_ok() {
            return Err("the id is a time control itself: give it another name".to_owned());
        }
        if earlier.get(&self.id).is_some() {
            return Err("another preset has the same id: give one of them another".to_owned());
        }
        if self.name.trim().is_empty() {
            return Err("`name` is empty: write what people call it".to_owned());
        }
        check_label(&self.label)?;
        let control = notation::parse(&self.control)
            .map_err(|error| format!("`control` cannot be used: {error}"))?;
        let profile = match self.profile {
            None => Profile::default(),
            Some(name) => Profile::from_name(&name).ok_or_else(|| {
                let names = Profile::ALL.map(Profile::name).join(", ");
                format!(
                    "no profile is called `{}`; the profiles are {names}",
                    quote(&name, MAX_NAME)
                )
            })?,
        };
        Ok(Preset { id: self.id, name: self.name, label: self.label, control, profile })
    }
}

fn is_id(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn check_label(label: &str) -> Result<(), String> {
    let length = label.chars().count();
    if !(1..=MAX_LABEL).contains(&length) {
        return Err(format!(
            "`label` has {length} characters: write 1 to {MAX_LABEL}, points included"
        ));
    }
    match label.chars().find(|c| !is_readable(*c)) {
        Some(c) => Err(format!(
            "`label` has `{c}`, which seven segments cannot show: use digits, `-`, `.`, blanks \
             and the letters {READABLE} in either case"
        )),
        None => Ok(()),
    }
}

fn is_readable(c: char) -> bool {
    c.is_ascii_digit() || "-. ".contains(c) || READABLE.contains(c.to_ascii_uppercase())
}

/// What seven segments can show of a name, W and V written as U; `None` where no letter or digit is
/// left.
fn label_of(name: &str) -> Option<String> {
    let written = |c| match c {
        'W' | 'w' | 'V' | 'v' | 'Ü' | 'ü' => 'U',
        'Ä' | 'ä' => 'A',
        'Ö' | 'ö' => 'o',
        other => other,
    };
    let label: String =
        name.trim().chars().map(written).filter(|c| is_readable(*c)).take(MAX_LABEL).collect();
    label.contains(|c: char| c.is_alphanumeric()).then(|| label.trim().to_owned())
}

/// The line, from 1, of a byte of the text.
fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// A preset's id, or any notation: the control, and the preset's profile.
///
/// # Errors
/// The text is neither; what looks like an id is told the nearest one.
pub fn resolve(presets: &Presets, text: &str) -> Result<(Control, Option<Profile>), NotationError> {
    let id = text.trim();
    if let Some(preset) = presets.get(id) {
        return Ok((preset.control, Some(preset.profile)));
    }
    match notation::parse(text) {
        Ok(control) => Ok((control, None)),
        Err(error) if is_id(id) && id.len() <= LONGEST_ID && error.suggestion.is_none() => {
            Err(NotationError {
                problem: Problem::Expected("a time control or the id of a preset".to_owned()),
                remedy: "write a control as in `3m+2s`, or the id of a preset".to_owned(),
                suggestion: presets.nearest(id).map(str::to_owned),
                ..error
            })
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_own_preset_is_labelled_with_what_seven_segments_can_show() {
        for (id, name, label) in [
            ("club", "Club evening", "Club eUe"),
            ("x", "Winter V", "Uinter U"),
            ("tuesday", "Mm", "tuesday"),
            ("tuesday", "--", "tuesday"),
            ("k", "火曜日", "OUN"),
            ("b-10", "Übung 10+5", "Ubung 10"),
        ] {
            let control = notation::parse("5m").unwrap();
            let preset = Preset::own(id, name, control, Profile::Club).unwrap();
            assert_eq!(preset.label, label, "{id} {name}");
        }
    }

    #[test]
    fn the_shipped_presets_are_all_of_the_list_and_written_canonically() {
        let read = Presets::from_toml(SHIPPED).expect("the shipped file");
        assert_eq!(Presets::shipped(), read);
        let controls: Vec<String> = read.iter().map(|preset| preset.control.to_string()).collect();
        for control in &controls {
            assert!(SHIPPED.contains(&format!("control = \"{control}\"\n")), "{control}");
        }
        for control in [
            "3m+2s",
            "5m",
            "5m+3s",
            "10m",
            "10m+5s",
            "15m+10s",
            "25m+10s",
            "1h+30s",
            "1h30m+30s",
            "40/1h30m+30s, 30m+30s",
            "40/1h40m+30s, 20/50m+30s, 15m+30s",
            "40/2h, 30m+30s",
            "40/2h, 20/1h, 15m+30s",
            "40/2h, 0s+10s",
            "40/1h15m+30s, 15m+30s",
            "white 5m; black 4m",
            "white 60/5m, 0s+3s; black 60/4m, 0s+3s",
            "white 6m; black 5m",
            "white 40/10m, 0s+1s; black 40/7m, 0s+1s",
            "25m",
            "1h",
            "2h",
            "2h, 30m",
            "2h, 1h",
            "2h, 1h, 30m",
            "35/1h15m, 15m",
            "5m bronstein 3s",
            "25m bronstein 10s",
            "1h55m bronstein 5s",
            "30m delay 5s",
            "1h delay 5s",
            "40/1h30m delay 5s, 30m delay 5s",
            "1h byoyomi 5x1m",
            "45m byoyomi 4x45s",
            "30m canadian 20/5m",
            "1h canadian 10/5m then 20/5m then 30/5m",
            "byoyomi 30x1m",
            "byoyomi 10x1m free 30s burn-on-entry",
            "10m byoyomi 10x1m free 30s burn-on-entry",
            "byoyomi 480x1m",
            "20m byoyomi 3x40s",
            "10m byoyomi 1x20s",
            "hourglass 1m",
            "hourglass 3m",
            "gong 10s",
            "move 10s",
            "25m overtime 10m",
            "14m delay 12s",
        ] {
            assert!(controls.iter().any(|shipped| shipped == control), "{control} is missing");
        }
    }

    #[test]
    fn no_two_shipped_presets_look_alike_on_the_box() {
        let presets = Presets::shipped();
        let mut labels: Vec<&str> = presets.iter().map(|preset| preset.label.as_str()).collect();
        let count = labels.len();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), count);
    }

    #[test]
    fn an_id_or_any_notation_names_a_control() {
        let presets = Presets::shipped();
        let (control, profile) = resolve(&presets, " fide-classical ").expect("a preset");
        assert_eq!(control.to_string(), "40/1h30m+30s, 30m+30s");
        assert_eq!(profile, Some(Profile::Fide));
        let (control, profile) = resolve(&presets, "3+2").expect("a notation");
        assert_eq!((control.to_string().as_str(), profile), ("3m+2s", None));
    }

    #[test]
    fn what_is_neither_is_told_the_nearest() {
        let sentence = |text| resolve(&Presets::shipped(), text).expect_err(text).to_string();
        insta::assert_snapshot!(sentence("fide-clasical"), @r"at character 1: expected a time control or the id of a preset, found `fide-clasical`; did you mean `fide-classical`?");
        insta::assert_snapshot!(sentence("blitz"), @r"at character 1: expected a time control or the id of a preset, found `blitz`; did you mean `fide-blitz`?");
        insta::assert_snapshot!(sentence("qqq"), @r"at character 1: expected a time control or the id of a preset, found `qqq`; write a control as in `3m+2s`, or the id of a preset");
        insta::assert_snapshot!(sentence("5m+3"), @r"at character 4: expected a duration with its unit (h, m, s or ms), found `3`; did you mean `5m+3s`?");
        insta::assert_snapshot!(sentence("5"), @r"at character 1: expected a duration with its unit (h, m, s or ms), found `5`; did you mean `5m`?");
    }

    #[test]
    fn a_wrong_file_is_refused_with_the_line_or_the_preset() {
        let preset = |id: &str, label: &str, control: &str, profile: &str| {
            format!(
                "[[preset]]\nid = \"{id}\"\nname = \"n\"\nlabel = \"{label}\"\n\
                 control = \"{control}\"\nprofile = \"{profile}\"\n"
            )
        };
        let sentence = |text: &str| Presets::from_toml(text).expect_err(text).to_string();
        insta::assert_snapshot!(sentence("[[preset]]\nid = \"a\"\nlable = \"A\"\n"), @r"presets, line 3: unknown field `lable`, expected one of `id`, `name`, `label`, `control`, `profile`");
        insta::assert_snapshot!(sentence("[[preset]]\nid = \"a\"\nname = \"n\"\n"), @r"presets, line 1: missing field `label`");
        insta::assert_snapshot!(sentence("[[preset]\n"), @r"presets, line 1: unclosed array table, expected `]`");
        insta::assert_snapshot!(sentence(&preset("A b", "A", "5m", "fide")), @r"preset `A b`: an id begins with a small letter and has small letters, digits and hyphens, as in `fide-classical`");
        insta::assert_snapshot!(sentence(&preset("up", "A", "5m", "fide")), @r"preset `up`: the id is a time control itself: give it another name");
        insta::assert_snapshot!(sentence(&preset("a", "ABCDEFGHI", "5m", "fide")), @r"preset `a`: `label` has 9 characters: write 1 to 8, points included");
        insta::assert_snapshot!(sentence(&preset("a", "5M", "5m", "fide")), @r"preset `a`: `label` has `M`, which seven segments cannot show: use digits, `-`, `.`, blanks and the letters ABCDEFGHIJLNOPQRSTUY in either case");
        insta::assert_snapshot!(sentence(&preset("a", "A", "5", "fide")), @r"preset `a`: `control` cannot be used: at character 1: expected a duration with its unit (h, m, s or ms), found `5`; did you mean `5m`?");
        insta::assert_snapshot!(sentence(&preset("a", "A", "5m", "fidé")), @r"preset `a`: no profile is called `fidé`; the profiles are fide, us, club, go");
        let twice = preset("a", "A", "5m", "fide").repeat(2);
        insta::assert_snapshot!(sentence(&twice), @r"preset `a`: another preset has the same id: give one of them another");
    }

    #[test]
    fn a_preset_without_a_profile_is_the_clubs() {
        let text =
            "[[preset]]\nid = \"a\"\nname = \"n\"\nlabel = \"A\"\ncontrol = \"90'+30\\\"\"\n";
        let presets = Presets::from_toml(text).expect("a presets file");
        let preset = presets.get("a").expect("the preset");
        assert_eq!(preset.profile, Profile::Club);
        assert_eq!(preset.control.to_string(), "1h30m+30s");
    }
}
