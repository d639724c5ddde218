//! A short mark by which two boxes show that they are set alike.
//!
//! It does not protect against anybody: four characters are for eyes, not for proofs.

use core::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::{Settings, Switches};

/// Four characters over control, profile and every switch; upper-case hexadecimal digits, all of
/// which seven segments can show. Who sits where is not in it: it concerns the table, not the
/// timing.
#[must_use]
pub fn fingerprint(settings: &Settings) -> String {
    let mut text = format!("{}\n{}\n", settings.control, settings.profile.name());
    for &name in Switches::NAMES {
        let value = settings.switches.get(name).unwrap_or_default();
        text.push_str(name);
        text.push('=');
        text.push_str(&value);
        text.push('\n');
    }
    let digest = Sha256::digest(text);
    digest.iter().take(2).fold(String::new(), |mut mark, byte| {
        // Writing to a String cannot fail.
        let _ = write!(mark, "{byte:02X}");
        mark
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::notation::parse;
    use crate::control::{Profile, Seat};

    fn settings(control: &str, profile: Profile) -> Settings {
        Settings::new(parse(control).expect("a control"), profile)
    }

    #[test]
    fn equally_set_clocks_show_the_same_mark() {
        let mark = fingerprint(&settings("3m+2s", Profile::Fide));
        assert_eq!(mark, fingerprint(&settings("3+2", Profile::Fide)));
        let mut turned = settings("3m+2s", Profile::Fide);
        turned.white_on = Seat::Right;
        assert_eq!(mark, fingerprint(&turned));
        assert_eq!(mark, "180E", "a released mark stays as it is, so that boxes can be compared");
    }

    #[test]
    fn control_profile_and_every_switch_change_the_mark() {
        let base = settings("3m+2s", Profile::Fide);
        let mut marks = vec![
            fingerprint(&base),
            fingerprint(&settings("3m+3s", Profile::Fide)),
            fingerprint(&settings("3m+2s", Profile::Club)),
        ];
        for (name, value) in [
            ("freeze", "false"),
            ("first-to-move", "black"),
            ("start-press", "either"),
            ("first-increment", "false"),
            ("stage-trigger", "zero"),
            ("pause-at-stage", "true"),
            ("show-moves", "never"),
            ("default-time", "30m"),
            ("box-resume", "short"),
            ("end-sound", "true"),
            ("penalty-amounts", "nothing"),
            ("box-change", "true"),
            ("player-pause", "false"),
        ] {
            let mut changed = base;
            changed.switches.set(name, value).expect("a switch");
            marks.push(fingerprint(&changed));
        }
        assert!(marks.iter().all(|mark| {
            mark.len() == 4 && mark.chars().all(|c| matches!(c, '0'..='9' | 'A'..='F'))
        }));
        let count = marks.len();
        marks.sort();
        marks.dedup();
        assert_eq!(marks.len(), count);
    }
}
