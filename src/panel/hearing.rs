//! What the panel is told, and which of it sounds.

use super::{Panel, Sounding};
use crate::control::{Profile, Settings};
use crate::engine::{Effect, FlagKind, Operation};
use crate::menu::Message;
use crate::sounds::Sound;
use crate::time::Instant;

impl Panel {
    /// Whether the engine accepted an operation of this box.
    pub fn answered(
        &mut self,
        operation: &Operation,
        done: bool,
        settings: &Settings,
        now: Instant,
    ) {
        match operation {
            Operation::Adjust(_) => self.menu.corrected(done, settings, now),
            Operation::UndoPress(_) if done => self.menu.tell(Message::Undone, now),
            Operation::InsertPress(_) if done => self.menu.tell(Message::Inserted, now),
            _ => {}
        }
        if !done {
            self.sound(Sound::Refused, settings, now);
        }
    }

    /// An operation of the arbiter was carried out, here or over the bus: sounds end.
    pub fn operated(&mut self, operation: &Operation) {
        if !matches!(operation, Operation::Start(_) | Operation::Resume(_)) {
            self.sounds.hush();
            self.lost_period = None;
        }
    }

    /// A press counted.
    pub fn pressed(&mut self, settings: &Settings, now: Instant) {
        self.sound(Sound::Press, settings, now);
    }

    /// Something followed from an event.
    pub fn hear(&mut self, effect: &Effect, settings: &Settings, now: Instant) {
        match effect {
            Effect::Flag { flag: FlagKind::Fall, .. } => self.sound(Sound::Flag, settings, now),
            Effect::Stage { .. } | Effect::StagePending { .. } => {
                self.sound(Sound::Stage, settings, now);
            }
            Effect::Period { side, .. } => {
                self.lost_period = Some((*side, now));
                self.sound(Sound::Period, settings, now);
            }
            _ => {}
        }
    }

    pub(super) fn sound(&mut self, sound: Sound, settings: &Settings, now: Instant) {
        if may_sound(sound, self.look.sound, settings) {
            self.sounds.hear(sound, now);
        }
    }
}

/// Whether an event may sound: by the owner's choice, and what tells of time by the switch
/// `end-sound`, too (`box.md` 5, Laws 11.5).
pub(super) fn may_sound(sound: Sound, sounding: Sounding, settings: &Settings) -> bool {
    let allowed = match sounding {
        Sounding::On => true,
        Sounding::Off => false,
        Sounding::ByProfile => !matches!(settings.profile, Profile::Fide | Profile::Us),
    };
    allowed && (settings.switches.end_sound || !sound.tells_time())
}
