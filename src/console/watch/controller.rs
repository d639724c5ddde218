//! What the keys do. Pure: keys and outcomes in, requests out.
//!
//! Only Enter on a preview that is shown changes the clock.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::super::exit::{CliError, CliExit};
use super::command::{CommandPreview, TypedCommand};
use super::line_edit::LineEdit;

/// The keys of the commands, as the help lists them, with what is typed for each. A space or a
/// letter at the end: the rest is typed by the arbiter; `$`: Enter follows at once.
pub(super) const KEYS: [(char, &str); 24] = [
    ('s', "set "),
    ('a', "add "),
    ('m', "moves "),
    ('g', "stage "),
    ('y', "periods "),
    ('t', "stones "),
    ('u', "undo"),
    ('i', "insert-press"),
    ('p', "press "),
    ('x', "penalty "),
    ('k', "quickplay "),
    ('c', "confirm "),
    ('r', "resume "),
    ('z', "recover "),
    ('v', "arrived "),
    ('w', "swap$"),
    ('h', "change "),
    ('f', "what-if "),
    ('l', "lock$"),
    ('L', "unlock$"),
    ('o', "start-at "),
    ('n', "new "),
    ('e', "end "),
    ('d', "selftest$"),
];

/// The command of the space bar in that phase.
pub(super) fn space(phase: &str) -> &'static str {
    match phase {
        "ready" => "start",
        "running" => "pause",
        _ => "resume",
    }
}

/// What the screen shows besides the clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Idle,
    Help,
    /// A line is typed; `complaint` says why the last one was not understood.
    Typing {
        edit: LineEdit,
        complaint: Vec<String>,
    },
    /// Waits for the preview of a command.
    Previewing {
        words: String,
    },
    /// Shows what the command will do. `changed`: another line was written since it was shown first.
    Confirming {
        preview: Box<CommandPreview>,
        changed: bool,
    },
    /// Waits for a command that was confirmed.
    Applying {
        words: String,
    },
    Message {
        title: String,
        lines: Vec<String>,
    },
}

/// What the keys ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WatchRequest {
    Leave,
    Preview { request_id: u64, command: Box<TypedCommand> },
    Apply { request_id: u64, preview: Box<CommandPreview> },
}

/// What came of a request.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Previewed(Box<CommandPreview>),
    Done,
    /// Nothing was done, since another line had been written; now the command would do this.
    Changed(Box<CommandPreview>),
    Failed(CliError),
}

#[derive(Debug)]
pub(super) struct Controller {
    pub(super) mode: Mode,
    /// The terminal is large enough for the whole dialog.
    pub(super) legible: bool,
    /// What was done last, until the next key.
    pub(super) done: Option<String>,
    /// The newest request; outcomes of older ones are ignored.
    request_id: u64,
}

impl Controller {
    pub(super) fn new() -> Controller {
        Controller { mode: Mode::Idle, legible: true, done: None, request_id: 0 }
    }

    /// Takes a key while the game is in `phase`.
    pub(super) fn key(&mut self, key: &KeyEvent, phase: &str) -> Option<WatchRequest> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Some(WatchRequest::Leave);
        }
        match &mut self.mode {
            Mode::Idle => self.begin(key, phase),
            Mode::Typing { edit, complaint } => match key.code {
                KeyCode::Esc => self.close(),
                KeyCode::Enter => match TypedCommand::read(&edit.text()) {
                    Ok(command) => self.preview(command),
                    Err(why) => {
                        *complaint = why;
                        None
                    }
                },
                _ => {
                    complaint.clear();
                    edit.key(key);
                    None
                }
            },
            Mode::Confirming { preview, .. } => match key.code {
                KeyCode::Esc | KeyCode::Char('q') => self.close(),
                // What cannot be read must not be confirmed.
                KeyCode::Enter if !self.legible => None,
                KeyCode::Enter if preview.can_be_applied() => {
                    let preview = preview.clone();
                    self.mode = Mode::Applying { words: preview.command.words.clone() };
                    self.request_id += 1;
                    Some(WatchRequest::Apply { request_id: self.request_id, preview })
                }
                KeyCode::Enter => self.close(),
                _ => None,
            },
            Mode::Help | Mode::Message { .. } => match key.code {
                KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | '?') => self.close(),
                _ => None,
            },
            Mode::Previewing { .. } if key.code == KeyCode::Esc => self.close(),
            // A command that was confirmed cannot be called back.
            Mode::Previewing { .. } | Mode::Applying { .. } => None,
        }
    }

    /// Takes what came of a request.
    pub(super) fn outcome(&mut self, request_id: u64, outcome: Outcome) {
        let (Mode::Previewing { words } | Mode::Applying { words }) = &self.mode else { return };
        if request_id != self.request_id {
            return;
        }
        self.mode = match outcome {
            Outcome::Previewed(preview) => Mode::Confirming { preview, changed: false },
            Outcome::Changed(preview) => Mode::Confirming { preview, changed: true },
            Outcome::Done => {
                self.done = Some(format!("done: {words}"));
                Mode::Idle
            }
            Outcome::Failed(failure) => {
                let why = match failure.exit {
                    CliExit::NotPermitted => "permission denied",
                    CliExit::NoDaemon => "no answer",
                    _ => "refused",
                };
                Mode::Message { title: format!("{words}: {why}"), lines: vec![failure.sentence] }
            }
        };
    }

    fn begin(&mut self, key: &KeyEvent, phase: &str) -> Option<WatchRequest> {
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return None;
        }
        self.done = None;
        let KeyCode::Char(letter) = key.code else { return None };
        let words = match letter {
            'q' => return Some(WatchRequest::Leave),
            '?' => {
                self.mode = Mode::Help;
                return None;
            }
            ' ' => return self.preview(TypedCommand::read(space(phase)).ok()?),
            ':' => "",
            letter => KEYS.iter().find(|(key, _)| *key == letter)?.1,
        };
        if let Some(whole) = words.strip_suffix('$') {
            return self.preview(TypedCommand::read(whole).ok()?);
        }
        self.mode = Mode::Typing { edit: LineEdit::new(words), complaint: Vec::new() };
        None
    }

    fn preview(&mut self, command: TypedCommand) -> Option<WatchRequest> {
        self.mode = Mode::Previewing { words: command.words.clone() };
        self.request_id += 1;
        Some(WatchRequest::Preview { request_id: self.request_id, command: Box::new(command) })
    }

    fn close(&mut self) -> Option<WatchRequest> {
        self.mode = Mode::Idle;
        None
    }
}

#[cfg(test)]
mod tests;
