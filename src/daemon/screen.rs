//! The display thread: brings the newest picture to the chips, and its tone to a passive buzzer.
//!
//! It draws nothing and has no clock: pictures and repairs come from the timing thread, which
//! never waits for it. Displays that do not answer are tried again with each repair, from opening
//! the bus on, so that they heal by themselves.

mod buzzer;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::watch;

use crate::board::{BuzzerFault, Chain, DisplayFault, Tone};
use crate::display::Frame;
use crate::display::chain::{Driver, Layout};
use crate::timing::{DisplayUpdate, Waker};
use buzzer::Buzzer;

/// The thread's name.
pub const NAME: &str = "flagfall-screen";

/// How long a daemon that ends waits for its last picture.
const PATIENCE: Duration = Duration::from_secs(1);

/// How the displays are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The number of the last picture that was dealt with, shown or not.
    pub shown: u64,
    /// How often every register was written anew.
    pub repairs: u64,
    /// Failures to open the bus or to send a row.
    pub spi_errors: u64,
    /// What stands in the way now.
    pub fault: Option<DisplayFault>,
    /// What keeps a passive buzzer silent.
    pub buzzer_fault: Option<BuzzerFault>,
}

/// A display thread that runs.
#[derive(Debug)]
pub struct Screen {
    status: watch::Receiver<Status>,
    bell: Waker,
    stop: Arc<AtomicBool>,
    /// Disconnected when the thread has ended.
    ended: mpsc::Receiver<()>,
    thread: JoinHandle<()>,
}

/// Starts the display thread. `open` opens the chain of chips: at the first picture, and again
/// after each failure. `tone` is the buzzer's, where the timing thread cannot switch it.
///
/// # Errors
/// The system gives no thread.
pub fn spawn<C, F>(
    display_updates: triple_buffer::Output<DisplayUpdate>,
    bell: Waker,
    layout: Layout,
    open: F,
    tone: Option<Box<dyn Tone>>,
) -> io::Result<Screen>
where
    C: Chain + 'static,
    F: FnMut() -> Result<C, DisplayFault> + Send + 'static,
{
    let (tell, status) = watch::channel(Status::default());
    let stop = Arc::new(AtomicBool::new(false));
    let (rung, stopped) = (bell.clone(), Arc::clone(&stop));
    let (lives, ended) = mpsc::channel();
    let thread = std::thread::Builder::new().name(NAME.to_owned()).spawn(move || {
        live(Displays::new(layout, open, tone), display_updates, &rung, &stopped, &tell);
        drop(lives);
    })?;
    Ok(Screen { status, bell, stop, ended, thread })
}

impl Screen {
    /// How the displays are, to be read or waited on.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<Status> {
        self.status.clone()
    }

    /// Ends the thread; what stays on the displays is no time, and the buzzer is silent.
    pub fn stop(self) {
        self.stop.store(true, Relaxed);
        self.bell.wake();
        // A bus that hangs holds up nobody's end: the thread goes with the process.
        if self.ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            tracing::warn!("the displays hang, and keep showing what they show");
            return;
        }
        // A panic of the thread has ended the process already.
        let _ = self.thread.join();
    }
}

fn live<C: Chain, F: FnMut() -> Result<C, DisplayFault>>(
    mut displays: Displays<C, F>,
    mut display_updates: triple_buffer::Output<DisplayUpdate>,
    bell: &Waker,
    stop: &AtomicBool,
    tell: &watch::Sender<Status>,
) {
    while !stop.load(Relaxed) {
        // An interrupted wait only means one look too many.
        let _ = poll(&mut [PollFd::new(bell, PollFlags::IN)], None);
        bell.take();
        if display_updates.update() {
            displays.show(display_updates.output_buffer());
            tell.send_replace(displays.status.clone());
        }
    }
    displays.leave();
}

/// The displays and the buzzer, and how they are reached.
struct Displays<C, F> {
    open: F,
    chain: Option<C>,
    driver: Driver,
    /// The repairs asked for until the last picture.
    repairs: u64,
    frame: Frame,
    buzzer: Buzzer,
    status: Status,
}

impl<C: Chain, F: FnMut() -> Result<C, DisplayFault>> Displays<C, F> {
    fn new(layout: Layout, open: F, tone: Option<Box<dyn Tone>>) -> Self {
        Displays {
            open,
            chain: None,
            driver: Driver::new(layout),
            repairs: 0,
            frame: Frame::default(),
            buzzer: Buzzer::new(tone),
            status: Status::default(),
        }
    }

    /// Shows a picture. While the chips do not answer, only those that are to be repairs try; so it
    /// is with the buzzer.
    fn show(&mut self, post: &DisplayUpdate) {
        let repair = post.repairs != self.repairs;
        self.repairs = post.repairs;
        self.frame = post.frame;
        self.sound(post.buzzer, repair);
        if repair || self.chain.is_some() {
            let sent = self.send(repair);
            self.judge(sent);
        }
        self.status.shown = post.number;
    }

    fn sound(&mut self, on: bool, repair: bool) {
        self.buzzer.follow(on, repair);
        self.status.buzzer_fault.clone_from(&self.buzzer.fault);
    }

    fn send(&mut self, repair: bool) -> Result<(), DisplayFault> {
        let chain = match &mut self.chain {
            Some(chain) => chain,
            None => self.chain.insert((self.open)()?),
        };
        let rows = if repair {
            self.status.repairs += 1;
            self.driver.repair(&self.frame)
        } else {
            self.driver.show(&self.frame)
        };
        rows.as_slice().iter().try_for_each(|row| chain.transfer(row.bytes()))
    }

    /// Counts a failure and begins anew after it; says when displays go and when they come back.
    fn judge(&mut self, sent: Result<(), DisplayFault>) {
        let before = self.status.fault.take();
        match sent {
            Ok(()) if before.is_some() => tracing::info!("the displays answer again"),
            Ok(()) => {}
            Err(fault) => {
                if before.is_none() {
                    tracing::warn!("the displays do not answer, the clock goes on: {fault}");
                }
                self.status.spi_errors += 1;
                self.status.fault = Some(fault);
                self.chain = None;
                self.driver.forget();
            }
        }
    }

    /// Leaves something on the displays that nobody takes for a running clock.
    fn leave(&mut self) {
        self.sound(false, true);
        self.frame = Frame::off(self.frame.brightness);
        if self.chain.is_some() {
            let sent = self.send(false);
            self.judge(sent);
        }
    }
}

#[cfg(test)]
mod tests;
