//! The tone of a passive buzzer, made by the kernel's hardware PWM and switched through sysfs.
//!
//! The display thread switches it, never the timing thread: a write to sysfs may block. Which pin
//! the tone comes out of the device tree says (`dtoverlay=pwm`), so no pin is touched here. Source:
//! the kernel's driver-api/pwm.rst, "Using PWMs with the sysfs interface".

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::{BuzzerFault, Tone};

/// Where the kernel keeps its PWM controllers.
const FOLDER: &str = "/sys/class/pwm";

/// The tones that can be chosen, in hertz: what a piezo disc is heard at.
pub const TONES: RangeInclusive<u32> = 100..=20_000;

/// A channel of a PWM controller, and its tone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The controller: `/sys/class/pwm/pwmchip` and this number.
    pub chip: u8,
    /// Its channel. GPIO 13 is channel 1 on every Raspberry Pi.
    pub channel: u8,
    /// The tone in hertz, one of [`TONES`].
    pub hertz: u32,
}

impl Default for Channel {
    /// Channel 1 of the first controller, where most piezo discs are loudest.
    fn default() -> Self {
        Channel { chip: 0, channel: 1, hertz: 2_700 }
    }
}

/// A passive buzzer. Dropped, it is silent.
#[derive(Debug)]
pub struct Pwm {
    folder: PathBuf,
    channel: Channel,
    /// Its period is set.
    ready: bool,
}

impl Pwm {
    /// The buzzer of that channel. Nothing is touched before it sounds or is silenced.
    #[must_use]
    pub fn new(channel: Channel) -> Self {
        Pwm::below(Path::new(FOLDER), channel)
    }

    fn below(folder: &Path, channel: Channel) -> Self {
        let folder = folder.join(format!("pwmchip{}", channel.chip));
        Pwm { folder, channel, ready: false }
    }

    /// Switches the tone off if it is on; for after a kill, when nobody could.
    ///
    /// # Errors
    /// It is on, and cannot be switched off; the sentence says what to check.
    pub fn silence(&self) -> Result<(), BuzzerFault> {
        match std::fs::read_to_string(self.file("enable")) {
            Ok(enable) if enable.trim() != "0" => self.set("enable", 0),
            _ => Ok(()),
        }
    }

    /// Takes the channel and sets its tone, silent.
    fn prepare(&self) -> Result<(), BuzzerFault> {
        if !self.file("").exists() {
            let export = self.folder.join("export");
            write(&export, self.channel.channel.into()).map_err(|error| self.fault(&error))?;
        }
        self.silence()?;
        let period = 1_000_000_000 / self.channel.hertz;
        // A pulse is never longer than its period, whatever was set before; and a channel that
        // nobody has used takes no pulse before it has a period.
        if self.set("period", period).is_err() {
            self.set("duty_cycle", 0)?;
            self.set("period", period)?;
        }
        self.set("duty_cycle", period / 2)
    }

    fn set(&self, file: &str, value: u32) -> Result<(), BuzzerFault> {
        write(&self.file(file), value).map_err(|error| self.fault(&error))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("pwm{}", self.channel.channel)).join(name)
    }

    /// Why the tone cannot be switched, and what to do.
    fn fault(&self, error: &io::Error) -> BuzzerFault {
        let (folder, Channel { channel, hertz, .. }) = (self.folder.display(), self.channel);
        let remedy = match error.kind() {
            ErrorKind::NotFound => "is not there: add the line dtoverlay=pwm,pin=13,func=4 to \
                 /boot/firmware/config.txt, restart the Raspberry Pi, and name the controller as \
                 pwm-chip"
                .to_owned(),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                "may not be written: the service needs the drop-in of docs/wiring.md, \"A passive \
                 buzzer\""
                    .to_owned()
            }
            ErrorKind::InvalidInput => {
                format!("does not make {hertz} Hz: choose another tone-hz")
            }
            _ => format!("does not work ({error}): see that nothing else uses it"),
        };
        BuzzerFault(format!("the buzzer does not sound: {folder}, channel {channel}, {remedy}"))
    }
}

impl Tone for Pwm {
    fn sound(&mut self, on: bool) -> Result<(), BuzzerFault> {
        if !self.ready {
            self.prepare()?;
            self.ready = true;
        }
        let set = self.set("enable", on.into());
        // Whoever took the channel away may give it back.
        self.ready = set.is_ok();
        set
    }
}

impl Drop for Pwm {
    fn drop(&mut self) {
        if self.ready {
            let _ = self.silence();
        }
    }
}

/// Writes a number into a file that the kernel has made; makes none.
fn write(file: &Path, value: u32) -> io::Result<()> {
    OpenOptions::new().write(true).open(file)?.write_all(value.to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const CHANNEL: Channel = Channel { chip: 2, channel: 1, hertz: 2_500 };

    /// Files where the kernel would have its own, the channel's with these contents.
    fn controller(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let channel = folder.path().join("pwmchip2/pwm1");
        fs::create_dir_all(&channel).unwrap();
        for (name, value) in files {
            fs::write(channel.join(name), value).unwrap();
        }
        folder
    }

    fn read(folder: &tempfile::TempDir, name: &str) -> String {
        let file = folder.path().join("pwmchip2/pwm1").join(name);
        fs::read_to_string(file).unwrap().trim().to_owned()
    }

    const FRESH: [(&str, &str); 3] = [("enable", "0"), ("period", "0"), ("duty_cycle", "0")];

    #[test]
    fn a_tone_is_set_half_on_half_off_and_switched() {
        let folder = controller(&FRESH);
        let mut buzzer = Pwm::below(folder.path(), CHANNEL);
        buzzer.sound(true).unwrap();
        assert_eq!(read(&folder, "period"), "400000");
        assert_eq!(read(&folder, "duty_cycle"), "200000");
        assert_eq!(read(&folder, "enable"), "1");
        buzzer.sound(false).unwrap();
        assert_eq!(read(&folder, "enable"), "0");
    }

    #[test]
    fn a_buzzer_that_is_dropped_is_silent() {
        let folder = controller(&FRESH);
        let mut buzzer = Pwm::below(folder.path(), CHANNEL);
        buzzer.sound(true).unwrap();
        drop(buzzer);
        assert_eq!(read(&folder, "enable"), "0");
    }

    #[test]
    fn what_somebody_else_left_on_is_silenced_and_nothing_else_is_touched() {
        let folder = controller(&[("enable", "1\n"), ("period", "77"), ("duty_cycle", "7")]);
        Pwm::below(folder.path(), CHANNEL).silence().unwrap();
        assert_eq!(read(&folder, "enable"), "0");
        assert_eq!(
            (read(&folder, "period"), read(&folder, "duty_cycle")),
            ("77".into(), "7".into())
        );
        let nothing = tempfile::tempdir().unwrap();
        assert_eq!(Pwm::below(nothing.path(), CHANNEL).silence(), Ok(()));
    }

    #[test]
    fn each_fault_names_the_controller_and_its_remedy() {
        let nothing = tempfile::tempdir().unwrap();
        let mut buzzer = Pwm::below(nothing.path(), CHANNEL);
        let fault = buzzer.sound(true).unwrap_err().to_string();
        assert!(fault.contains("pwmchip2, channel 1, is not there"), "{fault}");
        assert!(fault.contains("dtoverlay=pwm,pin=13,func=4"), "{fault}");
        for (kind, remedy) in [
            (ErrorKind::PermissionDenied, "drop-in of docs/wiring.md"),
            (ErrorKind::ReadOnlyFilesystem, "drop-in of docs/wiring.md"),
            (ErrorKind::InvalidInput, "does not make 2500 Hz: choose another tone-hz"),
            (ErrorKind::ResourceBusy, "nothing else uses it"),
        ] {
            let says = buzzer.fault(&io::Error::from(kind)).to_string();
            assert!(says.contains(remedy), "{says}");
        }
    }

    #[test]
    fn a_channel_that_comes_later_sounds_then() {
        let folder = controller(&[]);
        let mut buzzer = Pwm::below(folder.path(), CHANNEL);
        assert!(buzzer.sound(true).is_err());
        for (name, value) in FRESH {
            fs::write(folder.path().join("pwmchip2/pwm1").join(name), value).unwrap();
        }
        buzzer.sound(true).unwrap();
        assert_eq!(read(&folder, "enable"), "1");
    }
}
