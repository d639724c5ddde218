//! What the keys do. Pure: keys and answers in, wishes out.
//!
//! Nothing changes the clock but Enter on a proposal that was shown.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::super::exit::{Exit, Failure};
use super::entry::Entry;
use super::errand::Errand;
use super::foresight::Proposal;

/// A key, and the command that it begins.
pub(super) struct Operation {
    pub(super) key: char,
    pub(super) begins: &'static str,
    /// Nothing is to be typed behind it.
    pub(super) whole: bool,
}

/// The keys of the operations, as the help lists them.
pub(super) const OPERATIONS: [Operation; 24] = {
    const fn part(key: char, begins: &'static str) -> Operation {
        Operation { key, begins, whole: false }
    }
    const fn whole(key: char, begins: &'static str) -> Operation {
        Operation { key, begins, whole: true }
    }
    [
        part('s', "set "),
        part('a', "add "),
        part('m', "moves "),
        part('g', "stage "),
        part('y', "periods "),
        part('t', "stones "),
        part('u', "undo"),
        part('i', "insert-press"),
        part('p', "press "),
        part('x', "penalty "),
        part('k', "quickplay "),
        part('c', "confirm "),
        part('r', "resume "),
        part('z', "recover "),
        part('v', "arrived "),
        whole('w', "swap"),
        part('h', "change "),
        part('f', "what-if "),
        whole('l', "lock"),
        whole('L', "unlock"),
        part('o', "start-at "),
        part('n', "new "),
        part('e', "end "),
        whole('d', "selftest"),
    ]
};

/// What is on the screen beside the clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing.
    Looking,
    /// The keys.
    Help,
    /// A line is typed; why the last one made no sense.
    Typing { entry: Entry, complaint: Vec<String> },
    /// The daemon is asked what an errand would do.
    Asking { words: String },
    /// This is what it will do. `anew`: something has happened since it was shown first.
    Shown { proposal: Box<Proposal>, anew: bool },
    /// It was confirmed; the daemon does it.
    Giving { words: String },
    /// Something to be read: a refusal.
    Told { title: String, lines: Vec<String> },
}

/// What the machine wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// The watch to end.
    Leave,
    /// To know what an errand would do.
    Foresee { ticket: u64, errand: Box<Errand> },
    /// An errand done, for the line that it was shown for.
    Give { ticket: u64, proposal: Box<Proposal> },
}

/// What came of a wish.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// It would do this.
    Foreseen(Box<Proposal>),
    /// It is done.
    Given,
    /// It was not done, since something has happened; now it would do this.
    Changed(Box<Proposal>),
    /// It was refused, or nobody could be asked.
    Failed(Failure),
}

/// The machine.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) mode: Mode,
    /// What it shows can be read to the end: the terminal is large enough.
    pub(super) legible: bool,
    /// What was done last, until the next key.
    pub(super) done: Option<String>,
    /// The wish whose answer is waited for.
    ticket: u64,
}

impl Machine {
    pub(super) fn new() -> Machine {
        Machine { mode: Mode::Looking, legible: true, done: None, ticket: 0 }
    }

    /// Takes a key while the game is in `phase`.
    pub(super) fn key(&mut self, key: &KeyEvent, phase: &str) -> Option<Wish> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Some(Wish::Leave);
        }
        match &mut self.mode {
            Mode::Looking => self.begin(key, phase),
            Mode::Typing { entry, complaint } => match key.code {
                KeyCode::Esc => self.look(),
                KeyCode::Enter => match Errand::read(&entry.text()) {
                    Ok(errand) => self.foresee(errand),
                    Err(why) => {
                        *complaint = why;
                        None
                    }
                },
                _ => {
                    complaint.clear();
                    entry.key(key);
                    None
                }
            },
            Mode::Shown { proposal, .. } => match key.code {
                KeyCode::Esc | KeyCode::Char('q') => self.look(),
                // Nobody confirms what nobody can read.
                KeyCode::Enter if !self.legible => None,
                KeyCode::Enter if proposal.can_be_given() => {
                    let proposal = proposal.clone();
                    self.mode = Mode::Giving { words: proposal.errand.words.clone() };
                    self.ticket += 1;
                    Some(Wish::Give { ticket: self.ticket, proposal })
                }
                KeyCode::Enter => self.look(),
                _ => None,
            },
            Mode::Help | Mode::Told { .. } => match key.code {
                KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | '?') => self.look(),
                _ => None,
            },
            Mode::Asking { .. } if key.code == KeyCode::Esc => self.look(),
            // What was confirmed cannot be called back.
            Mode::Asking { .. } | Mode::Giving { .. } => None,
        }
    }

    /// Takes what came of a wish; of an older one it is of no interest any more.
    pub(super) fn answer(&mut self, ticket: u64, answer: Answer) {
        let words = match &self.mode {
            Mode::Asking { words } | Mode::Giving { words } => words.clone(),
            _ => return,
        };
        if ticket != self.ticket {
            return;
        }
        self.mode = match answer {
            Answer::Foreseen(proposal) => Mode::Shown { proposal, anew: false },
            Answer::Changed(proposal) => Mode::Shown { proposal, anew: true },
            Answer::Given => {
                self.done = Some(format!("done: {words}"));
                Mode::Looking
            }
            Answer::Failed(failure) => {
                let why = match failure.exit {
                    Exit::NotPermitted => "you may not",
                    Exit::NoDaemon => "nobody answers",
                    _ => "refused",
                };
                Mode::Told { title: format!("{words}: {why}"), lines: vec![failure.sentence] }
            }
        };
    }

    fn begin(&mut self, key: &KeyEvent, phase: &str) -> Option<Wish> {
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return None;
        }
        self.done = None;
        let KeyCode::Char(letter) = key.code else { return None };
        match letter {
            'q' => return Some(Wish::Leave),
            '?' => self.mode = Mode::Help,
            ':' => self.r#type(""),
            ' ' => {
                return self.read(match phase {
                    "ready" => "start",
                    "running" => "pause",
                    _ => "resume",
                });
            }
            letter => {
                let operation = OPERATIONS.iter().find(|operation| operation.key == letter)?;
                if operation.whole {
                    return self.read(operation.begins);
                }
                self.r#type(operation.begins);
            }
        }
        None
    }

    fn r#type(&mut self, beginning: &str) {
        let entry = Entry::beginning(beginning);
        self.mode = Mode::Typing { entry, complaint: Vec::new() };
    }

    fn read(&mut self, words: &str) -> Option<Wish> {
        self.foresee(Errand::read(words).ok()?)
    }

    fn foresee(&mut self, errand: Errand) -> Option<Wish> {
        self.mode = Mode::Asking { words: errand.words.clone() };
        self.ticket += 1;
        Some(Wish::Foresee { ticket: self.ticket, errand: Box::new(errand) })
    }

    fn look(&mut self) -> Option<Wish> {
        self.mode = Mode::Looking;
        None
    }
}

#[cfg(test)]
mod tests;
