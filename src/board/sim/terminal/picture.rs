//! The box as it stands on the table: two displays, lamps, keys, and below it what is said.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Flex, Layout, Margin, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Paragraph, Widget, Wrap};

use super::digits::{Glow, Size};
use super::keyboard::HOLDING;
use super::messages::Messages;
use crate::board::sim::Simulator;
use crate::control::Seat;
use crate::display::chain::Layout as Wired;
use crate::input::Contacts;
use crate::panel::Signals;

/// The colours, of the 256 that nearly every terminal has.
mod colour {
    use ratatui::style::Color;

    pub(super) const GLASS: Color = Color::Indexed(232);
    pub(super) const DARK_SEGMENT: Color = Color::Indexed(52);
    pub(super) const LIT_SEGMENT: [Color; 3] =
        [Color::Indexed(124), Color::Indexed(160), Color::Indexed(196)];
    pub(super) const LAMP: Color = Color::Indexed(220);
    pub(super) const CASE: Color = Color::Indexed(137);
    pub(super) const KEY: Color = Color::Indexed(250);
    pub(super) const QUIET: Color = Color::Indexed(243);
}

/// Everything that the picture shows of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scene {
    left: Display,
    right: Display,
    modules: Wired,
    lever: bool,
    contacts: Contacts,
    signals: Signals,
    reports_releases: bool,
    colour: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Display {
    segments: [u8; 8],
    brightness: u8,
}

impl Scene {
    /// The box as it is. `reports_releases` and `colour` say what the terminal can do.
    pub(super) fn of(simulator: &Simulator, reports_releases: bool, colour: bool) -> Scene {
        let display = |seat| Display {
            segments: simulator.segments(seat),
            brightness: simulator.brightness(seat),
        };
        Scene {
            left: display(Seat::Left),
            right: display(Seat::Right),
            modules: simulator.layout(),
            lever: simulator.has_lever(),
            contacts: simulator.contacts(),
            signals: simulator.signals(),
            reports_releases,
            colour,
        }
    }

    /// A colour, where there are colours.
    fn paint(&self, colour: Color) -> Color {
        if self.colour { colour } else { Color::Reset }
    }

    fn pen(&self, colour: Color) -> Style {
        Style::new().fg(self.paint(colour))
    }
}

/// Rows of lamps and keys.
const CONTROLS: u16 = 3;
/// The fewest rows for messages and their distance from the box.
const SAID: u16 = 4;

/// The box's columns: two displays, each with a frame and a space around it, and the case.
const fn box_width(size: Size) -> u16 {
    2 * (size.width() + 2) + 2 + 2
}

/// The box's rows.
const fn box_height(size: Size) -> u16 {
    (size.height() + 2) + CONTROLS + 2
}

/// Draws the box at the top of `area` in the size that fits, and the messages below.
pub(super) fn draw(scene: &Scene, messages: &Messages, area: Rect, buffer: &mut Buffer) {
    let fits = |size| area.width >= box_width(size) && area.height >= box_height(size) + SAID;
    let Some(size) = [Size::Blocks, Size::Bars].into_iter().find(|size| fits(*size)) else {
        return too_small(area, buffer);
    };
    let [case, _, said, help] = area.layout(&Layout::vertical([
        Constraint::Length(box_height(size)),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
    ]));
    let [case] =
        case.layout(&Layout::horizontal([Constraint::Length(box_width(size))]).flex(Flex::Center));
    draw_case(scene, size, case, buffer);
    let rows = messages.rows(usize::from(said.width), usize::from(said.height));
    let lines: Vec<Line<'_>> = rows.into_iter().map(Line::from).collect();
    Paragraph::new(lines).render(said, buffer);
    let keys = if scene.reports_releases {
        format!("keys go down and up with yours   {HOLDING} hold until typed again   q stops")
    } else {
        format!("a l space - + enter tap   {HOLDING} hold until typed again   q stops")
    };
    Line::styled(keys, scene.pen(colour::QUIET)).centered().render(help, buffer);
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let text = format!(
        "The box needs {} columns and {} rows, this terminal has {} and {}. \
         The clock goes on; q stops it.",
        box_width(Size::Bars),
        box_height(Size::Bars) + SAID,
        area.width,
        area.height
    );
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
}

fn draw_case(scene: &Scene, size: Size, area: Rect, buffer: &mut Buffer) {
    let mut case = Block::bordered()
        .border_type(BorderType::Double)
        .border_style(scene.pen(colour::CASE))
        .title(Line::from(" flagfall "));
    if scene.signals.buzzer {
        case = case.title(Line::from(" ♪ ").right_aligned());
    }
    let inner = case.inner(area);
    case.render(area, buffer);
    let [displays, controls] = inner.layout(&Layout::vertical([
        Constraint::Length(size.height() + 2),
        Constraint::Length(CONTROLS),
    ]));
    let seats = Layout::horizontal([Constraint::Fill(1); 2]).spacing(2);
    let [left, right] = displays.layout(&seats);
    let mut draw = |display, names, area| draw_display(scene, display, names, size, area, buffer);
    match scene.modules {
        Wired::Chained => {
            draw(scene.left, ["", ""], left);
            draw(scene.right, ["", ""], right);
        }
        Wired::Split => {
            draw(scene.left, [" CE0 ", ""], left);
            draw(scene.right, ["", " CE1 "], right);
        }
        Wired::Shared => {
            // Each side has the four digits at the right end of its own.
            let mut both = scene.right;
            both.segments[..4].copy_from_slice(&scene.left.segments[4..]);
            let middle = Layout::horizontal([Constraint::Length(size.width() + 2)]);
            let [middle] = displays.layout(&middle.flex(Flex::Center));
            draw(both, [" left ", " right "], middle);
        }
    }
    draw_controls(scene, controls, buffer);
}

/// A module, with names for its two ends.
fn draw_display(
    scene: &Scene,
    display: Display,
    [left, right]: [&str; 2],
    size: Size,
    area: Rect,
    buffer: &mut Buffer,
) {
    let frame = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(scene.pen(colour::QUIET))
        .title(Line::from(left))
        .title(Line::from(right).right_aligned())
        .style(Style::new().bg(scene.paint(colour::GLASS)));
    let glass = frame.inner(area);
    frame.render(area, buffer);
    let [dim, middling, bright] = colour::LIT_SEGMENT;
    let lit = match display.brightness {
        0..=4 => dim,
        5..=9 => middling,
        _ => bright,
    };
    let glow = Glow { lit: scene.paint(lit), dark: scene.colour.then_some(colour::DARK_SEGMENT) };
    size.draw(display.segments, glow, glass, buffer);
}

fn draw_controls(scene: &Scene, area: Rect, buffer: &mut Buffer) {
    let row = area.inner(Margin::new(1, 0));
    let [lamp_left, _, left, _, pause, minus, plus, ok, _, right, _, lamp_right] =
        row.layout(&Layout::horizontal([
            Constraint::Length(4),
            Constraint::Length(1),
            Constraint::Length(13),
            Constraint::Fill(1),
            Constraint::Length(7),
            Constraint::Length(5),
            Constraint::Length(5),
            Constraint::Length(7),
            Constraint::Fill(1),
            Constraint::Length(13),
            Constraint::Length(1),
            Constraint::Length(4),
        ]));
    draw_lamp(scene, scene.signals.lamp_left, lamp_left, buffer);
    draw_lamp(scene, scene.signals.lamp_right, lamp_right, buffer);
    let down = scene.contacts;
    for (label, hint, down, place) in [
        ("LEFT", "a ←", down.left, left),
        ("pause", "space", down.pause, pause),
        ("−", "-", down.minus, minus),
        ("+", "+", down.plus, plus),
        ("ok", "enter", down.ok, ok),
        ("RIGHT", "l →", down.right, right),
    ] {
        if scene.lever && matches!(label, "LEFT" | "RIGHT") {
            draw_lever_end(scene, label, hint, down, place, buffer);
        } else {
            draw_key(scene, label, hint, down, place, buffer);
        }
    }
}

/// An end of the lever: its edge is above while it is up, below while it lies there.
fn draw_lever_end(
    scene: &Scene,
    label: &str,
    hint: &str,
    down: bool,
    area: Rect,
    buffer: &mut Buffer,
) {
    let pen = scene.pen(if down { colour::LAMP } else { colour::KEY });
    let edge = |bar: &str| Line::styled(bar.repeat(usize::from(area.width)), pen);
    let face = Line::styled(label.to_owned(), pen).centered();
    let hint = Line::styled(hint.to_owned(), scene.pen(colour::QUIET)).centered();
    let rows = if down { [hint, face, edge("▀")] } else { [edge("▄"), face, hint] };
    Paragraph::new(rows.to_vec()).render(area, buffer);
}

/// A lit lamp is a full disc, a dark one a ring.
fn draw_lamp(scene: &Scene, lit: bool, area: Rect, buffer: &mut Buffer) {
    let (disc, colour) = if lit {
        (["▟██▙", "▜██▛"], colour::LAMP)
    } else {
        (["╭──╮", "╰──╯"], colour::QUIET)
    };
    let lines: Vec<Line<'_>> = disc.into_iter().map(Line::from).collect();
    Paragraph::new(lines).style(scene.pen(colour)).render(area, buffer);
}

/// A key with its label, and in its lower edge the keyboard's key for it. Pressed, it is thick.
fn draw_key(scene: &Scene, label: &str, hint: &str, down: bool, area: Rect, buffer: &mut Buffer) {
    let (border, pen) = if down {
        (BorderType::Thick, scene.pen(colour::LAMP))
    } else {
        (BorderType::Rounded, scene.pen(colour::KEY))
    };
    let cap = Block::bordered()
        .border_type(border)
        .border_style(pen)
        .title_bottom(Line::styled(hint, scene.pen(colour::QUIET)).centered());
    let face = cap.inner(area);
    cap.render(area, buffer);
    let label = Line::styled(label, pen).centered();
    if down { label.reversed() } else { label.bold() }.render(face, buffer);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Chain, Pins};
    use crate::display::Frame;
    use crate::display::chain::Driver;
    use crate::input::Key;
    use crate::time::{Instant, Span};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    /// A box in play: 3.00 on the left, 12.59 running on the right.
    fn box_in_play() -> Simulator {
        let simulator = Simulator::new();
        let mut chain = simulator.chain();
        for row in [
            [0x0C, 1, 0x0C, 1],
            [0x0B, 7, 0x0B, 7],
            [0x0A, 8, 0x0A, 8],
            [0x01, 0x7B, 0x01, 0x7E],
            [0x02, 0x5B, 0x02, 0x7E],
            [0x03, 0xED, 0x03, 0xF9],
            [0x04, 0x30, 0x04, 0],
        ] {
            chain.transfer(&row).unwrap();
        }
        let mut pins = simulator.pins();
        simulator.hold(Key::Left);
        simulator.hold(Key::Ok);
        pins.read(Instant::ZERO);
        pins.write(Signals { lamp_left: false, lamp_right: true, buzzer: true, sound: None });
        simulator
    }

    fn said() -> Messages {
        let mut messages = Messages::default();
        messages.push("A private bus is running. In another terminal:");
        messages.push("export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/tmp/flagfall-bus/socket");
        messages.push(
            "busctl call org.flagfall.Clock1 /org/flagfall/Clock1 org.flagfall.Arbiter1 \
             Pause s lunch",
        );
        messages
    }

    /// What the terminal shows; what shimmers through unlit is a dot.
    fn drawn(scene: &Scene, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(scene, &said(), frame.area(), frame.buffer_mut())).unwrap();
        let buffer = terminal.backend().buffer();
        let shown = |cell: &ratatui::buffer::Cell| match (cell.fg, cell.bg) {
            (colour::DARK_SEGMENT, _) => "·".to_owned(),
            _ => cell.symbol().to_owned(),
        };
        let rows = buffer.content().chunks(usize::from(width));
        let rows = rows.map(|row| row.iter().map(shown).collect::<String>().trim_end().to_owned());
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_box_in_a_terminal_of_80_by_24() {
        let scene = Scene::of(&box_in_play(), false, true);
        insta::assert_snapshot!(drawn(&scene, 80, 24));
    }

    #[test]
    fn the_box_in_a_wide_terminal() {
        let scene = Scene::of(&box_in_play(), true, true);
        insta::assert_snapshot!(drawn(&scene, 130, 30));
    }

    #[test]
    fn a_box_just_powered_on_is_dark_and_without_colours_nothing_shimmers() {
        let scene = Scene::of(&Simulator::new(), false, false);
        insta::assert_snapshot!(drawn(&scene, 80, 20));
    }

    /// `12.59` on each side, as the driver sends it to that box, with the lever thrown to the left.
    fn box_of(layout: Wired) -> Simulator {
        let simulator = Simulator::of(layout).with_lever();
        let mut digits = [0; 8];
        digits[4..].copy_from_slice(&[0x30, 0xED, 0x5B, 0x7B]);
        let frame = Frame { left: digits, right: digits, brightness: 8 };
        let mut chain = simulator.chain();
        for row in Driver::new(layout).show(&frame).as_slice() {
            chain.transfer(row.bytes()).unwrap();
        }
        let mut pins = simulator.pins();
        pins.read(Instant::ZERO);
        simulator.tap(Key::Left);
        pins.read(Instant::ZERO + Span::from_millis(1));
        pins.write(Signals { lamp_right: true, ..Signals::default() });
        simulator
    }

    #[test]
    fn a_lever_and_one_shared_module_are_drawn_as_they_are() {
        let scene = Scene::of(&box_of(Wired::Shared), true, true);
        insta::assert_snapshot!(drawn(&scene, 80, 20));
    }

    #[test]
    fn two_chip_selects_are_named_at_their_displays() {
        let scene = Scene::of(&box_of(Wired::Split), true, true);
        insta::assert_snapshot!(drawn(&scene, 80, 20));
    }

    #[test]
    fn a_lever_lies_where_it_was_thrown_until_it_is_thrown_back() {
        let simulator = Simulator::new().with_lever();
        let mut pins = simulator.pins();
        let mut lies = |ms| {
            let contacts = pins.read(Instant::ZERO + Span::from_millis(ms));
            (contacts.left, contacts.right)
        };
        assert_eq!(lies(0), (false, true), "where it lies when the power comes");
        simulator.tap(Key::Left);
        assert_eq!((lies(1), lies(1_000)), ((true, false), (true, false)));
        simulator.release(Key::Left);
        assert_eq!(lies(1_001), (true, false));
        simulator.hold(Key::Right);
        assert_eq!(lies(1_002), (false, true));
    }

    #[test]
    fn a_terminal_that_is_too_small_says_so() {
        let scene = Scene::of(&box_in_play(), false, true);
        insta::assert_snapshot!(drawn(&scene, 40, 12));
    }

    #[test]
    fn no_size_of_terminal_breaks_the_picture() {
        let scene = Scene::of(&box_in_play(), true, true);
        for width in [0, 1, 2, 20, 71, 72, 80, 119, 120, 300] {
            for height in [0, 1, 5, 13, 14, 15, 24, 60] {
                let area = Rect::new(0, 0, width, height);
                draw(&scene, &said(), area, &mut Buffer::empty(area));
            }
        }
    }

    #[test]
    fn a_scene_changes_with_whatever_can_be_seen() {
        let simulator = box_in_play();
        let before = Scene::of(&simulator, false, true);
        assert_eq!(Scene::of(&simulator, false, true), before);
        simulator.chain().transfer(&[0x0A, 2, 0x00, 0]).unwrap();
        assert_ne!(Scene::of(&simulator, false, true), before);
    }
}
