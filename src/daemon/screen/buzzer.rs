//! A buzzer that needs a tone, switched beside the displays.

use crate::board::{BuzzerFault, Tone};

/// The buzzer, if it is this thread's, and how it is.
#[derive(Debug)]
pub(super) struct Buzzer {
    tone: Option<Box<dyn Tone>>,
    on: bool,
    /// What stands in the way now.
    pub(super) fault: Option<BuzzerFault>,
}

impl Buzzer {
    pub(super) fn new(tone: Option<Box<dyn Tone>>) -> Self {
        Buzzer { tone, on: false, fault: None }
    }

    /// Switches the tone if it is to be another one. A repair switches it in any case, and is the
    /// only one to try again after a failure.
    pub(super) fn follow(&mut self, on: bool, repair: bool) {
        let Some(tone) = &mut self.tone else { return };
        let is_news = on != self.on && self.fault.is_none();
        self.on = on;
        if !(repair || is_news) {
            return;
        }
        let before = self.fault.take();
        match tone.sound(on) {
            Ok(()) if before.is_some() => tracing::info!("the buzzer sounds again"),
            Ok(()) => {}
            Err(fault) => {
                if before.is_none() {
                    tracing::warn!("{fault}; the clock goes on");
                }
                self.fault = Some(fault);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// What was asked of a tone, and whether it does it.
    #[derive(Clone, Debug, Default)]
    struct Heard(Arc<Mutex<(Vec<bool>, bool)>>);

    impl Tone for Heard {
        fn sound(&mut self, on: bool) -> Result<(), BuzzerFault> {
            let (asked, broken) = &mut *self.0.lock().unwrap();
            asked.push(on);
            if *broken { Err(BuzzerFault("no PWM".to_owned())) } else { Ok(()) }
        }
    }

    impl Heard {
        fn asked(&self) -> Vec<bool> {
            std::mem::take(&mut self.0.lock().unwrap().0)
        }

        fn breaks(&self, broken: bool) {
            self.0.lock().unwrap().1 = broken;
        }
    }

    #[test]
    fn the_tone_is_switched_when_it_changes_and_with_every_repair() {
        let heard = Heard::default();
        let mut buzzer = Buzzer::new(Some(Box::new(heard.clone())));
        for (on, repair) in [(false, false), (true, false), (true, false), (false, false)] {
            buzzer.follow(on, repair);
        }
        assert_eq!(heard.asked(), [true, false]);
        buzzer.follow(false, true);
        assert_eq!(heard.asked(), [false]);
    }

    #[test]
    fn a_buzzer_that_fails_is_tried_again_with_the_next_repair() {
        let heard = Heard::default();
        let mut buzzer = Buzzer::new(Some(Box::new(heard.clone())));
        heard.breaks(true);
        buzzer.follow(true, false);
        assert_eq!(buzzer.fault, Some(BuzzerFault("no PWM".to_owned())));
        buzzer.follow(false, false);
        assert_eq!(heard.asked(), [true], "nothing is tried before");
        heard.breaks(false);
        buzzer.follow(true, true);
        assert_eq!((heard.asked(), &buzzer.fault), (vec![true], &None));
    }

    #[test]
    fn a_buzzer_that_is_a_pin_is_nobodys_business_here() {
        let mut buzzer = Buzzer::new(None);
        buzzer.follow(true, true);
        assert_eq!(buzzer.fault, None);
    }
}
