//! flagfall: a tournament chess clock. This page is the map of the house.
//!
//! The crate holds no other program than the two thin ones in `src/bin`: `flagfalld`, the daemon
//! ([`daemon::main`]), and `flagfallctl`, the arbiter's console ([`console::main`]).
//!
//! | room | job | knows |
//! |---|---|---|
//! | [`time`] | instants and spans, integer nanoseconds | nothing |
//! | [`control`] | a time control as a value; notation, presets, profiles | `time` |
//! | [`engine`] | the game: turns, stages, flags, the arbiter's operations | `control` |
//! | [`record`] | journal lines, replay | `engine` |
//! | [`input`] | contacts to strokes: bounce, stuck keys, holding | `time` |
//! | [`menu`] | the menus of the box | `engine`, `input`, `display` |
//! | [`sounds`] | when the buzzer is on | `control` |
//! | [`panel`] | what strokes mean, what the box shows | `engine`, `input`, `menu`, `sounds`, `display` |
//! | [`display`] | seven-segment glyphs, MAX7219 words | `control` |
//! | [`report`] | a game told afterwards: table, CSV, PGN, SVG | `record`, [`panel::reading`] |
//! | [`terminal`] | a terminal taken for a picture and given back | nothing |
//! | [`board`] | the world's edge: pins, chips, time; real and simulated | the pure rooms |
//! | [`timing`] | the real-time thread, which owns engine and pins | the pure rooms, `board` |
//! | [`journal`] | lines on the disk, written, flushed and read back | [`record::chain`] |
//! | [`daemon`] | puts it together; the bridge between thread and bus | all |
//! | [`bus`] | the D-Bus interfaces, and who may do what | `daemon` |
//! | [`console`] | flagfallctl | `record`, [`panel::reading`], and the bus as anybody's |
//!
//! The rooms down to `display` are pure: no clock, file, thread, bus or wire is named there. The
//! test `tests/house.rs` keeps that, and who may know whom, to the letter.
//!
//! The way of a press: [`board::Pins`] gives levels, [`input`] makes a stroke with the stamp of its
//! first contact, [`panel`] gives it a meaning, [`engine::Engine::apply`] decides. All of that is
//! one tick of [`timing`]. What came of it goes through a ring to [`daemon::bridge`], and from there
//! to whoever asked, and to everybody as a signal.

#![deny(unsafe_code)]

pub mod board;
pub mod bus;
pub mod console;
pub mod control;
pub mod daemon;
pub mod display;
pub mod engine;
pub mod input;
pub mod journal;
pub mod menu;
mod named;
pub mod panel;
pub mod record;
pub mod report;
pub mod sounds;
pub mod terminal;
pub mod time;
pub mod timing;
