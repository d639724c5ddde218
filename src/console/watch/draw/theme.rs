//! The styles of the screen. Nothing depends on colours alone.

use ratatui::style::{Color, Modifier, Style};

#[derive(Debug)]
pub(super) struct Theme {
    colour: bool,
}

/// From the 256 colours that nearly every terminal has.
mod colour {
    use ratatui::style::Color;

    pub(super) const RUNNING: Color = Color::Indexed(222);
    pub(super) const STANDING: Color = Color::Indexed(252);
    pub(super) const ALARM: Color = Color::Indexed(203);
    pub(super) const GOOD: Color = Color::Indexed(114);
    pub(super) const QUIET: Color = Color::Indexed(245);
    pub(super) const INK: Color = Color::Indexed(234);
    pub(super) const PAUSED: Color = Color::Indexed(180);
    pub(super) const READY: Color = Color::Indexed(110);
}

impl Theme {
    pub(super) fn new(colour: bool) -> Theme {
        Theme { colour }
    }

    fn of(&self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// A bar of a colour, or reversed without colours.
    fn bar(&self, colour: Color) -> Style {
        match self.colour {
            true => Style::new().fg(colour::INK).bg(colour).add_modifier(Modifier::BOLD),
            false => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
        }
    }

    pub(super) fn plain(&self) -> Style {
        Style::new()
    }

    pub(super) fn quiet(&self) -> Style {
        match self.colour {
            true => self.of(colour::QUIET),
            false => Style::new().add_modifier(Modifier::DIM),
        }
    }

    pub(super) fn title(&self) -> Style {
        self.bar(colour::STANDING)
    }

    pub(super) fn key(&self) -> Style {
        self.bar(colour::QUIET)
    }

    pub(super) fn alarm(&self) -> Style {
        self.of(colour::ALARM).add_modifier(Modifier::BOLD)
    }

    pub(super) fn done(&self) -> Style {
        self.of(colour::GOOD).add_modifier(Modifier::BOLD)
    }

    /// Digits of a clock; `live` is false where the state is old.
    pub(super) fn digits(&self, runs: bool, fell: bool, live: bool) -> Style {
        match (live, fell, runs) {
            (false, _, _) => self.quiet().add_modifier(Modifier::DIM),
            (_, true, _) => self.alarm(),
            (_, _, true) => self.of(colour::RUNNING).add_modifier(Modifier::BOLD),
            _ => self.of(colour::STANDING),
        }
    }

    /// The frame of a clock.
    pub(super) fn frame(&self, to_move: bool, runs: bool) -> Style {
        match (runs, to_move) {
            (true, _) => self.of(colour::RUNNING).add_modifier(Modifier::BOLD),
            (false, true) => self.plain(),
            (false, false) => self.quiet(),
        }
    }

    /// The bar with the phase.
    pub(super) fn banner(&self, phase: &str) -> Style {
        self.bar(match phase {
            "running" => colour::GOOD,
            "paused" => colour::PAUSED,
            "flagged" => colour::ALARM,
            "ready" => colour::READY,
            _ => colour::QUIET,
        })
    }
}
