//! A terminal taken for a picture, and given back as it was whatever happens.
//!
//! It does not know what is drawn: the simulated box and the console's watch screen both draw here.

use std::io::{self, IsTerminal, Stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableFocusChange, EnableFocusChange, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags,
    PushKeyboardEnhancementFlags,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
    supports_keyboard_enhancement,
};
use ratatui::layout::Rect;

/// The terminal is as the person left it.
const GIVEN_BACK: u8 = 0;
/// It shows the picture.
const TAKEN: u8 = 1;
/// It shows the picture and reports releases of keys.
const TAKEN_WITH_RELEASES: u8 = 2;

/// What has to be undone. Global because a panic on any thread has to undo it.
static STATE: AtomicU8 = AtomicU8::new(GIVEN_BACK);

/// Which keys a picture wants to hear of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// That they are pressed.
    Pressed,
    /// That they are pressed and, where the terminal can tell, that they are let go.
    PressedAndReleased,
}

/// The terminal while it shows the picture.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// True if there is a terminal to take: standard input and output are one.
    #[must_use]
    pub fn is_there() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Takes the terminal. It is given back when this is dropped, and before a panic's message is
    /// printed.
    ///
    /// # Errors
    /// The terminal cannot be set up; it is as it was.
    pub fn open(keys: Keys) -> io::Result<Screen> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let report = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                give_back();
                report(info);
            }));
        });
        Screen::take(keys).inspect_err(|_| give_back())
    }

    fn take(keys: Keys) -> io::Result<Screen> {
        STATE.store(TAKEN, SeqCst);
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen)?;
        // The protocol of the kitty terminal, which others speak, too: only with it is a key's
        // release known. A terminal that does not answer is one that does not speak it.
        if keys == Keys::PressedAndReleased && supports_keyboard_enhancement().unwrap_or(false) {
            STATE.store(TAKEN_WITH_RELEASES, SeqCst);
            let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
                | KeyboardEnhancementFlags::REPORT_EVENT_TYPES
                | KeyboardEnhancementFlags::REPORT_ALTERNATE_KEYS
                | KeyboardEnhancementFlags::REPORT_ALL_KEYS_AS_ESCAPE_CODES;
            execute!(io::stdout(), PushKeyboardEnhancementFlags(flags), EnableFocusChange)?;
        }
        Ok(Screen { terminal: Terminal::new(CrosstermBackend::new(io::stdout()))? })
    }

    /// Whether the terminal tells when a key is let go.
    #[must_use]
    pub fn reports_releases(&self) -> bool {
        STATE.load(SeqCst) == TAKEN_WITH_RELEASES
    }

    /// Draws; only what changed is sent. A terminal that a panic elsewhere has given back is left
    /// alone: its message stands there.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn draw(&mut self, draw: impl FnOnce(Rect, &mut Buffer)) -> io::Result<()> {
        if STATE.load(SeqCst) != GIVEN_BACK {
            self.terminal.draw(|frame| draw(frame.area(), frame.buffer_mut()))?;
        }
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Undoes whatever was done to the terminal; once. A step that fails leaves nothing better to do
/// than to try the next.
fn give_back() {
    let state = STATE.swap(GIVEN_BACK, SeqCst);
    if state == GIVEN_BACK {
        return;
    }
    if state == TAKEN_WITH_RELEASES {
        let _ = execute!(io::stdout(), DisableFocusChange, PopKeyboardEnhancementFlags);
    }
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// False where colours are not wanted: `NO_COLOR` is set and not empty.
#[must_use]
pub fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
