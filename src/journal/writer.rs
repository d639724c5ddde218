//! The thread that writes lines, each batch whole or not at all.
//!
//! Whoever has lines hands them over and is told when they are written. What cannot be written
//! waits, in order, and is tried again: a disk that is full for a while costs no line.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::flusher::{self, Flushing, Reached};
use super::folder::{Folder, file_of};
use super::slots::{Moment, Slots};

/// How many bytes may wait for a disk that takes none: thousands of lines.
const MOST_WAITING: usize = 16 << 20;
/// How often a disk that takes nothing is tried again.
const AGAIN: Duration = Duration::from_secs(1);
/// How often the running time is flushed; it is written more often.
const FLUSH_RUNNING: Duration = Duration::from_millis(900);
/// How long the end of the daemon waits for the disk.
const PATIENCE: Duration = Duration::from_secs(3);

/// Told when a batch is written, or could not be.
pub type Done = Box<dyn FnOnce() + Send>;

/// Lines of one game, each with its line end.
#[derive(Clone, Debug)]
pub struct Part {
    /// The game.
    pub game: Arc<str>,
    /// The number of the last line.
    pub last_seq: u64,
    /// The lines.
    pub text: String,
}

enum Order {
    Lines(Vec<Part>, Done),
    Running(Moment),
    End(Moment, Done),
}

/// A hand for the writing thread.
#[derive(Debug)]
pub struct Writer {
    folder: Folder,
    orders: Sender<Order>,
    status: Arc<Status>,
    flushing: Arc<Flushing>,
}

/// What the writing thread says about itself.
#[derive(Debug, Default)]
struct Status {
    /// Bytes that wait.
    waiting: AtomicUsize,
    /// Too much waited: of this game no more is recorded.
    given_up: Mutex<Option<Arc<str>>>,
    failing: AtomicBool,
    /// The disk is taken for a full one: a simulated box's fault.
    full: Arc<AtomicBool>,
    /// What the system said to the last failure.
    trouble: Mutex<Option<String>>,
}

impl Writer {
    /// Starts the writing and the flushing thread on a state directory.
    ///
    /// # Errors
    /// The file of the running time cannot be opened, or the system gives no thread.
    pub fn start(folder: Folder) -> io::Result<Writer> {
        let slots = Slots::open(folder.path())?;
        let (orders, ordered) = channel();
        let (status, flushing) = (Arc::new(Status::default()), Arc::new(Flushing::default()));
        let flush = flusher::spawn(folder.path().to_owned(), Arc::clone(&flushing))?;
        let mut desk = Desk {
            folder: folder.path().to_owned(),
            open: None,
            slots,
            slots_flushed: None,
            waiting: VecDeque::new(),
            status: Arc::clone(&status),
            flushing: Arc::clone(&flushing),
        };
        std::thread::Builder::new().name("flagfall-write".to_owned()).spawn(move || {
            let end = desk.work(&ordered);
            desk.flushing.end();
            // A panic of the thread has ended the process already.
            let _ = flush.join();
            if let Some(done) = end {
                done();
            }
        })?;
        Ok(Writer { folder, orders, status, flushing })
    }

    /// The state directory.
    #[must_use]
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Has lines written; `done` is called when they are, or when they have to wait for the disk.
    pub fn write(&self, mut parts: Vec<Part>, done: Done) {
        let mut given_up = self.status.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        parts.retain(|part| {
            let waiting = self.status.waiting.load(Relaxed).saturating_add(part.text.len());
            if waiting > MOST_WAITING {
                *given_up = Some(Arc::clone(&part.game));
            } else if given_up.as_ref() != Some(&part.game) {
                *given_up = None;
            }
            // Later lines of a game without the ones before would be no journal.
            given_up.is_none()
        });
        drop(given_up);
        let bytes = parts.iter().map(|part| part.text.len()).sum();
        self.status.waiting.fetch_add(bytes, Relaxed);
        // The thread ends only with the process.
        let _ = self.orders.send(Order::Lines(parts, done));
    }

    /// Records how far the running game's time has come.
    pub fn running(&self, moment: Moment) {
        let _ = self.orders.send(Order::Running(moment));
    }

    /// Writes and flushes everything and the running time, and ends the threads; gives up after
    /// some seconds where the disk does not answer. False where something was not written.
    #[must_use]
    pub fn end(&self, moment: Moment) -> bool {
        let (tell, told) = sync_channel(1);
        let done = Box::new(move || {
            let _ = tell.send(());
        });
        let _ = self.orders.send(Order::End(moment, done));
        told.recv_timeout(PATIENCE).is_ok() && self.is_well()
    }

    /// True while everything is written and flushed as it comes.
    #[must_use]
    pub fn is_well(&self) -> bool {
        let given_up = self.status.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        !self.status.failing.load(Relaxed) && !self.flushing.failing() && given_up.is_none()
    }

    /// While this is true the disk takes nothing, as if it were full: a simulated box's fault.
    #[must_use]
    pub fn full(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.status.full)
    }

    /// What the system said to the last line that could not be written.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.status.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The newest line that is on the disk: its game and its number.
    #[must_use]
    pub fn durable(&self) -> Option<Reached> {
        self.flushing.durable()
    }
}

/// The writing thread's own.
struct Desk {
    folder: PathBuf,
    open: Option<Open>,
    slots: Slots,
    slots_flushed: Option<Instant>,
    waiting: VecDeque<Part>,
    status: Arc<Status>,
    flushing: Arc<Flushing>,
}

/// The file of the running game.
struct Open {
    game: Arc<str>,
    file: Arc<File>,
    /// How long it is with whole lines only.
    length: u64,
    /// A line was written in part and could not be taken back yet.
    torn: bool,
}

impl Desk {
    /// Works until it is told to end; gives who is to be told that it has.
    fn work(&mut self, orders: &Receiver<Order>) -> Option<Done> {
        loop {
            let order = match self.waiting.is_empty() {
                true => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
                false => orders.recv_timeout(AGAIN),
            };
            match order {
                Ok(Order::Lines(parts, done)) => {
                    self.waiting.extend(parts);
                    self.write();
                    done();
                }
                Ok(Order::Running(moment)) => {
                    // While a clock runs these come more often than the pause is long.
                    self.write();
                    let written = self.running(&moment, false);
                    self.note(written);
                }
                Ok(Order::End(moment, done)) => {
                    self.write();
                    let written = self.running(&moment, true);
                    self.note(written);
                    return Some(done);
                }
                Err(RecvTimeoutError::Timeout) => self.write(),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Writes what waits, as far as the disk takes it.
    fn write(&mut self) {
        while let Some(part) = self.waiting.pop_front() {
            if let Err(error) = self.write_part(&part) {
                self.waiting.push_front(part);
                return self.note(Err(error));
            }
            self.status.waiting.fetch_sub(part.text.len(), Relaxed);
        }
        self.note(Ok(()));
    }

    fn write_part(&mut self, part: &Part) -> io::Result<()> {
        self.room()?;
        let open = match &mut self.open {
            Some(open) if open.game == part.game => open,
            _ => {
                let file = File::options()
                    .create(true)
                    .append(true)
                    .open(file_of(&self.folder, &part.game))?;
                let length = file.metadata()?.len();
                self.flushing.began(Arc::clone(&part.game));
                let game = Arc::clone(&part.game);
                self.open.insert(Open { game, file: Arc::new(file), length, torn: false })
            }
        };
        if open.torn {
            open.file.set_len(open.length)?;
            open.torn = false;
        }
        if let Err(error) = (&*open.file).write_all(part.text.as_bytes()) {
            open.torn = open.file.set_len(open.length).is_err();
            return Err(error);
        }
        open.length += u64::try_from(part.text.len()).unwrap_or(0);
        self.flushing.lines(&open.file, (Arc::clone(&part.game), part.last_seq));
        Ok(())
    }

    /// What a full disk answers, where one is simulated.
    fn room(&self) -> io::Result<()> {
        if self.status.full.load(Relaxed) { Err(Errno::NOSPC.into()) } else { Ok(()) }
    }

    fn running(&mut self, moment: &Moment, last: bool) -> io::Result<()> {
        self.room()?;
        self.slots.write(moment)?;
        let due = self.slots_flushed.is_none_or(|flushed| flushed.elapsed() >= FLUSH_RUNNING);
        if due || last {
            self.slots_flushed = Some(Instant::now());
            self.flushing.slots(self.slots.turn()?);
        }
        Ok(())
    }

    fn note(&self, written: io::Result<()>) {
        let failing = !self.waiting.is_empty() || written.is_err();
        self.status.failing.store(failing, Relaxed);
        if let Err(error) = written {
            let mut trouble = self.status.trouble.lock().unwrap_or_else(PoisonError::into_inner);
            *trouble = Some(error.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::journal::slots::recorded;

    const GAME: &str = "20261130-042053-3f9a";

    fn writer() -> (tempfile::TempDir, Writer) {
        let place = tempfile::tempdir().unwrap();
        let writer = Writer::start(Folder::open(place.path()).unwrap()).unwrap();
        (place, writer)
    }

    fn part(game: &str, last_seq: u64, text: &str) -> Part {
        Part { game: game.into(), last_seq, text: text.to_owned() }
    }

    /// Writes and waits until that is told.
    fn write(writer: &Writer, parts: Vec<Part>) {
        let (tell, told) = sync_channel(1);
        writer.write(parts, Box::new(move || tell.send(()).unwrap()));
        told.recv().unwrap();
    }

    fn moment(at_ns: i64) -> Moment {
        Moment { game: GAME.to_owned(), at_ns, closed: true }
    }

    #[test]
    fn lines_are_in_the_file_when_that_is_told_and_flushed_at_the_end() {
        let (place, writer) = writer();
        write(&writer, vec![part(GAME, 1, "a\nb\n")]);
        write(&writer, vec![part(GAME, 2, "c\n"), part("20261130-042053-3f9b", 0, "d\n")]);
        let text = |game| fs::read_to_string(file_of(place.path(), game)).unwrap();
        assert_eq!((text(GAME), text("20261130-042053-3f9b")), ("a\nb\nc\n".into(), "d\n".into()));
        let flushing = Arc::clone(&writer.flushing);
        assert!(writer.end(moment(7)));
        assert_eq!(flushing.durable(), Some(("20261130-042053-3f9b".into(), 0)));
        assert_eq!(recorded(place.path()).unwrap(), Some(moment(7)));
    }

    #[test]
    fn what_a_disk_does_not_take_waits_in_order_and_is_written_when_it_does() {
        let (place, writer) = writer();
        let file = file_of(place.path(), GAME);
        fs::create_dir(&file).unwrap();
        write(&writer, vec![part(GAME, 0, "a\n")]);
        write(&writer, vec![part(GAME, 1, "b\n")]);
        assert!(!writer.is_well() && writer.trouble().is_some());
        fs::remove_dir(&file).unwrap();
        write(&writer, vec![part(GAME, 2, "c\n")]);
        assert_eq!(fs::read_to_string(&file).unwrap(), "a\nb\nc\n");
        assert!(writer.end(moment(0)));
    }

    #[test]
    fn a_disk_that_is_taken_for_full_takes_nothing_until_it_is_not() {
        let (place, writer) = writer();
        let file = file_of(place.path(), GAME);
        write(&writer, vec![part(GAME, 0, "a\n")]);
        writer.full().store(true, Relaxed);
        write(&writer, vec![part(GAME, 1, "b\n")]);
        assert!(!writer.is_well());
        assert_eq!(writer.trouble().unwrap(), "No space left on device (os error 28)");
        assert_eq!(fs::read_to_string(&file).unwrap(), "a\n");
        writer.full().store(false, Relaxed);
        write(&writer, vec![part(GAME, 2, "c\n")]);
        assert!(writer.is_well());
        assert_eq!(fs::read_to_string(&file).unwrap(), "a\nb\nc\n");
    }

    #[test]
    fn where_too_much_waits_the_rest_of_that_game_is_given_up_and_the_next_one_is_not() {
        let (place, writer) = writer();
        let file = file_of(place.path(), GAME);
        fs::create_dir(&file).unwrap();
        let much = format!("{}\n", "x".repeat(MOST_WAITING / 2));
        write(&writer, vec![part(GAME, 0, "a\n"), part(GAME, 1, &much)]);
        write(&writer, vec![part(GAME, 2, &much)]);
        assert!(!writer.is_well());
        fs::remove_dir(&file).unwrap();
        write(&writer, vec![part(GAME, 3, "b\n"), part("20261130-042053-3f9b", 0, "d\n")]);
        assert_eq!(fs::read_to_string(&file).unwrap(), format!("a\n{much}"));
        let next = file_of(place.path(), "20261130-042053-3f9b");
        assert_eq!(fs::read_to_string(next).unwrap(), "d\n");
        assert!(writer.is_well());
    }
}
