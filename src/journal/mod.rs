//! The journal on the disk: files and threads. No bus, no rules of the game, no clock: lines come
//! as text, and the running time as a number.
//!
//! | looking for | see |
//! |---|---|
//! | the state directory, its lock, names of games, rotation | [`folder`] |
//! | lines read back: a torn end, damage, the list of games | [`reading`] |
//! | the thread that writes | [`writer`] |
//! | the thread that flushes | `flusher` |
//! | the running time beside the journal | [`slots`] |
//!
//! Every line is written whole before anybody hears of it; that it is on the disk is the flusher's
//! care, behind. Whoever writes lines here never waits for the disk itself: it is told when they
//! are written, and may go on before.

mod flusher;
pub mod folder;
pub mod reading;
pub mod slots;
pub mod writer;
