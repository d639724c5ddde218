//! The self-test: everything glows and sounds for a while, so that what is broken is seen.

use super::{Panel, Signals, View};
use crate::display::{DIGITS, Frame};
use crate::engine::{Phase, State};
use crate::time::{Instant, Span};

/// How long it lasts.
pub const SELF_TEST: Span = Span::from_secs(3);

/// All segments of a display, points included.
const ALL: [u8; DIGITS] = [0xFF; DIGITS];

impl Panel {
    /// Begins the self-test.
    pub fn begin_self_test(&mut self, now: Instant) {
        self.self_test = Some(now + SELF_TEST);
    }

    /// What is shown during a self-test. A clock that begins to run ends it: the players come first.
    pub(super) fn self_test(&mut self, state: &State, now: Instant) -> Option<View> {
        let until = self.self_test.filter(|until| now < *until && state.phase != Phase::Running);
        self.self_test = until;
        Some(View {
            frame: Frame { left: ALL, right: ALL, brightness: self.look.brightness },
            signals: Signals { lamp_left: true, lamp_right: true, buzzer: true, sound: None },
            next_change: Some(until?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Profile, Settings, notation};
    use crate::engine::Engine;
    use crate::engine::operation::Start;
    use crate::panel::{Look, Sounding};

    #[test]
    fn everything_glows_for_three_seconds_or_until_a_clock_runs() {
        let settings = Settings::new(notation::parse("5m").unwrap(), Profile::Fide);
        let mut engine = Engine::new(Instant::ZERO, settings);
        let mut panel =
            Panel::new(Look { brightness: 8, tenths_below: Span::ZERO, sound: Sounding::On });
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let all = |panel: &mut Panel, engine: &Engine, ms| {
            let view = panel.render(&settings, engine.state(), at(ms));
            view.frame.left == ALL && view.frame.right == ALL && view.signals.buzzer
        };
        assert!(!all(&mut panel, &engine, 0));
        panel.begin_self_test(at(0));
        assert!(all(&mut panel, &engine, 0) && all(&mut panel, &engine, 2_999));
        assert!(!all(&mut panel, &engine, 3_000) && !all(&mut panel, &engine, 3_001));
        panel.begin_self_test(at(4_000));
        let _ = engine.apply(at(4_500), &Start { side: None }.into()).unwrap();
        assert!(!all(&mut panel, &engine, 4_500));
    }
}
