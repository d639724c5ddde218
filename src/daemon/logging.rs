//! What the daemon says: to the picture of the box while there is one, else to standard output
//! (what was asked for) and standard error (the log).
//!
//! The timing thread never comes here.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use super::config::LogLevel;

/// Where everything goes that the daemon says. Clones are the same voice.
#[derive(Clone, Debug, Default)]
pub struct Voice {
    picture: Arc<Mutex<Option<Sender<String>>>>,
}

impl Voice {
    /// Begins to log with this voice.
    #[must_use]
    pub fn start(level: LogLevel) -> Self {
        let voice = Voice::default();
        let level = match level {
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
            LogLevel::Trace => LevelFilter::TRACE,
        };
        // Of the libraries only what is asked for: what they report as errors is told here in
        // sentences.
        let libraries = if level >= LevelFilter::DEBUG { level } else { LevelFilter::OFF };
        let filter = Targets::new().with_target("flagfall", level).with_default(libraries);
        let lines = tracing_subscriber::fmt::layer()
            .event_format(Lines { journal: is_journal() })
            .with_writer(voice.clone());
        // A second voice in one process says nothing else.
        let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
        voice
    }

    /// Says something that was asked for, as it is.
    pub fn say(&self, text: &str) {
        if !self.tell_picture(text) {
            // Where nobody reads on there is nobody to tell.
            let _ = writeln!(io::stdout(), "{text}");
        }
    }

    /// From now on everything goes to a picture of the box, until [`Self::end_picture`].
    #[must_use]
    pub fn begin_picture(&self) -> Receiver<String> {
        let (sender, receiver) = channel();
        *self.picture() = Some(sender);
        receiver
    }

    /// The picture gets no more.
    pub fn end_picture(&self) {
        *self.picture() = None;
    }

    fn tell_picture(&self, text: &str) -> bool {
        self.picture().as_ref().is_some_and(|picture| picture.send(text.to_owned()).is_ok())
    }

    fn picture(&self) -> std::sync::MutexGuard<'_, Option<Sender<String>>> {
        self.picture.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> MakeWriter<'a> for Voice {
    type Writer = Entry;

    fn make_writer(&'a self) -> Entry {
        Entry { voice: self.clone(), text: Vec::new() }
    }
}

/// An entry of the log, said when it is whole.
#[derive(Debug)]
pub struct Entry {
    voice: Voice,
    text: Vec<u8>,
}

impl Write for Entry {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let text = String::from_utf8_lossy(&self.text);
        if !self.voice.tell_picture(text.trim_end()) {
            // Where the log cannot be written there is nobody to tell.
            let _ = io::stderr().write_all(&self.text);
        }
    }
}

/// Says why the daemon ends, also where it has not begun to log.
pub(super) fn last_words(sentence: &str) {
    for line in sentence.lines() {
        let level = if is_journal() { "<3>" } else { "" };
        // Where nobody reads on there is nobody to tell.
        let _ = writeln!(io::stderr(), "{level}{line}");
    }
}

/// Whether the log is read by systemd's journal.
fn is_journal() -> bool {
    std::env::var_os("JOURNAL_STREAM").is_some() && !io::stderr().is_terminal()
}

/// How an entry looks: its level, as systemd's journal reads it (`<4>`) or as people do.
struct Lines {
    journal: bool,
}

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let level = *event.metadata().level();
        if self.journal {
            write!(writer, "<{}>", priority(level))?;
        } else if level != Level::INFO {
            write!(writer, "{}: ", level.as_str().to_ascii_lowercase())?;
        }
        context.field_format().format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}

/// syslog's number of a level.
fn priority(level: Level) -> u8 {
    match level {
        Level::ERROR => 3,
        Level::WARN => 4,
        Level::INFO => 6,
        _ => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_go_to_the_picture_while_there_is_one() {
        let voice = Voice::default();
        let picture = voice.begin_picture();
        let mut entry = voice.make_writer();
        entry.write_all(b"one ").unwrap();
        entry.write_all(b"entry\n").unwrap();
        drop(entry);
        voice.say("a line");
        voice.end_picture();
        assert_eq!(picture.iter().collect::<Vec<_>>(), ["one entry", "a line"]);
        assert!(!voice.tell_picture("nobody hears this"));
    }
}
