//! The terminal's keyboard as fingers on the box's keys.
//!
//! Where the terminal tells when a key is let go, a key of the box is down for as long as the one
//! of the keyboard. Elsewhere each press is a tap. Capitals (and `_`, `*`) hold a key down until
//! it is typed again: two keys at once, or three seconds of ok.

use std::ops::ControlFlow;

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::board::sim::Simulator;
use crate::input::Key;

/// What stands in the help about the keys that hold.
pub(super) const HOLDING: &str = "A L P O _ *";

/// Hands on a simulator's keys.
#[derive(Debug)]
pub(super) struct Keyboard {
    simulator: Simulator,
    reports_releases: bool,
    /// Keys held until they are typed again.
    locked: Vec<Key>,
    /// Keys that are down for as long as the keyboard's are.
    down: Vec<Key>,
}

/// What a key of the keyboard stands for.
struct Meant {
    key: Key,
    /// Held until it is typed again.
    locks: bool,
}

impl Keyboard {
    pub(super) fn new(simulator: Simulator, reports_releases: bool) -> Self {
        Keyboard { simulator, reports_releases, locked: Vec::new(), down: Vec::new() }
    }

    /// Does what the event asks for; breaks if it asks for the end.
    pub(super) fn take(&mut self, event: &Event) -> ControlFlow<()> {
        match event {
            Event::Key(event) if ends(event) => return ControlFlow::Break(()),
            Event::Key(event) => {
                if let Some(meant) = meant(event) {
                    match event.kind {
                        KeyEventKind::Press => self.press(&meant),
                        KeyEventKind::Release => self.release(meant.key),
                        KeyEventKind::Repeat => {}
                    }
                }
            }
            // Releases go to another window from here on.
            Event::FocusLost => {
                for key in std::mem::take(&mut self.down) {
                    self.simulator.release(key);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn press(&mut self, meant: &Meant) {
        let key = meant.key;
        if self.locked.contains(&key) {
            self.locked.retain(|locked| *locked != key);
            self.simulator.release(key);
        } else if meant.locks {
            self.locked.push(key);
            self.simulator.hold(key);
        } else if self.reports_releases {
            self.down.push(key);
            self.simulator.hold(key);
        } else {
            self.simulator.tap(key);
        }
    }

    fn release(&mut self, key: Key) {
        if self.down.contains(&key) {
            self.down.retain(|down| *down != key);
            self.simulator.release(key);
        }
    }
}

/// `q` or Ctrl-C.
fn ends(event: &KeyEvent) -> bool {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    event.kind == KeyEventKind::Press
        && match event.code {
            KeyCode::Char('c') => control,
            KeyCode::Char('q') => !control,
            _ => false,
        }
}

fn meant(event: &KeyEvent) -> Option<Meant> {
    if event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return None;
    }
    let (key, capital) = match event.code {
        KeyCode::Left => (Key::Left, false),
        KeyCode::Right => (Key::Right, false),
        KeyCode::Enter => (Key::Ok, false),
        KeyCode::Char(c) => match c {
            'a' | 'A' => (Key::Left, c == 'A'),
            'l' | 'L' => (Key::Right, c == 'L'),
            ' ' => (Key::Pause, false),
            'p' | 'P' => (Key::Pause, c == 'P'),
            'o' | 'O' => (Key::Ok, c == 'O'),
            '-' => (Key::Minus, false),
            '_' => (Key::Minus, true),
            '+' | '=' => (Key::Plus, false),
            '*' => (Key::Plus, true),
            _ => return None,
        },
        _ => return None,
    };
    let locks = capital || event.modifiers.contains(KeyModifiers::SHIFT);
    // On many layouts `+` is typed with shift: that is not meant to hold.
    let locks = locks && event.code != KeyCode::Char('+');
    Some(Meant { key, locks })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pins;
    use crate::board::sim::SimPins;
    use crate::time::{Instant, Span};

    /// A keyboard, and the pins that its keys end in, looked at once a millisecond.
    struct Bench {
        keyboard: Keyboard,
        pins: SimPins,
        now: Instant,
    }

    impl Bench {
        fn new(reports_releases: bool) -> Self {
            let simulator = Simulator::new();
            let pins = simulator.pins();
            let keyboard = Keyboard::new(simulator, reports_releases);
            Bench { keyboard, pins, now: Instant::ZERO }
        }

        fn event(&mut self, event: Event) {
            assert!(self.keyboard.take(&event).is_continue());
        }

        fn typed(&mut self, code: KeyCode) {
            self.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        }

        fn let_go(&mut self, code: KeyCode) {
            let kind = KeyEventKind::Release;
            self.event(Event::Key(KeyEvent::new_with_kind(code, KeyModifiers::NONE, kind)));
        }

        /// The keys that are down after so many milliseconds.
        fn down_after(&mut self, ms: i64) -> Vec<&'static str> {
            self.now += Span::from_millis(ms);
            let seen = self.pins.read(self.now);
            let keys = [
                ("left", seen.left),
                ("right", seen.right),
                ("pause", seen.pause),
                ("minus", seen.minus),
                ("plus", seen.plus),
                ("ok", seen.ok),
            ];
            keys.into_iter().filter(|(_, down)| *down).map(|(name, _)| name).collect()
        }
    }

    #[test]
    fn without_releases_a_key_is_a_tap() {
        for (code, name) in [
            (KeyCode::Char('a'), "left"),
            (KeyCode::Left, "left"),
            (KeyCode::Char('l'), "right"),
            (KeyCode::Right, "right"),
            (KeyCode::Char(' '), "pause"),
            (KeyCode::Char('-'), "minus"),
            (KeyCode::Char('+'), "plus"),
            (KeyCode::Char('='), "plus"),
            (KeyCode::Enter, "ok"),
        ] {
            let mut bench = Bench::new(false);
            bench.typed(code);
            assert_eq!(bench.down_after(1), [name], "{code:?}");
            assert_eq!(bench.down_after(59), [name], "{code:?}");
            assert_eq!(bench.down_after(1), [""; 0], "{code:?}");
        }
    }

    #[test]
    fn a_capital_holds_a_key_until_it_is_typed_again_however() {
        for (hold, free, name) in
            [('A', 'A', "left"), ('O', 'o', "ok"), ('_', '-', "minus"), ('*', '+', "plus")]
        {
            let mut bench = Bench::new(false);
            bench.typed(KeyCode::Char(hold));
            bench.typed(KeyCode::Char('P'));
            assert!(bench.down_after(3_000).contains(&name));
            bench.typed(KeyCode::Char(free));
            assert_eq!(bench.down_after(1), ["pause"]);
        }
    }

    #[test]
    fn with_releases_a_key_is_down_as_long_as_the_keyboards() {
        let mut bench = Bench::new(true);
        bench.typed(KeyCode::Char('a'));
        bench.typed(KeyCode::Char('l'));
        assert_eq!(bench.down_after(500), ["left", "right"]);
        bench.let_go(KeyCode::Char('a'));
        assert_eq!(bench.down_after(1), ["right"]);
        bench.event(Event::FocusLost);
        assert_eq!(bench.down_after(1), [""; 0]);
    }

    #[test]
    fn with_releases_letting_go_of_shift_first_does_not_free_a_held_key() {
        let mut bench = Bench::new(true);
        bench.typed(KeyCode::Char('A'));
        bench.let_go(KeyCode::Char('a'));
        bench.event(Event::FocusLost);
        assert_eq!(bench.down_after(500), ["left"]);
    }

    #[test]
    fn q_and_control_c_end_the_picture_and_other_control_keys_do_nothing() {
        let mut bench = Bench::new(false);
        let key = |c, modifiers| Event::Key(KeyEvent::new(KeyCode::Char(c), modifiers));
        assert!(bench.keyboard.take(&key('q', KeyModifiers::NONE)).is_break());
        assert!(bench.keyboard.take(&key('c', KeyModifiers::CONTROL)).is_break());
        bench.event(key('a', KeyModifiers::CONTROL));
        bench.event(key('l', KeyModifiers::ALT));
        bench.typed(KeyCode::Char('c'));
        assert_eq!(bench.down_after(1), [""; 0]);
    }
}
