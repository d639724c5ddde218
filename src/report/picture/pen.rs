//! Lines, areas and words on the page; everything in millimetres.

use svg::Node;
use svg::node::Text;
use svg::node::element::Element;

/// How a text is aligned to its point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    /// Begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// Ends there.
    End,
}

/// A group that is drawn into.
pub(super) struct Pen {
    group: Element,
}

/// How a line or an area looks; `None` is not drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    pub(super) fill: Option<&'static str>,
    pub(super) stroke: Option<&'static str>,
    pub(super) width: f64,
    pub(super) dashes: Option<&'static str>,
}

impl Style {
    pub(super) const fn line(stroke: &'static str, width: f64) -> Style {
        Style { fill: None, stroke: Some(stroke), width, dashes: None }
    }

    pub(super) const fn area(fill: &'static str) -> Style {
        Style { fill: Some(fill), stroke: None, width: 0.0, dashes: None }
    }

    fn on(self, element: &mut Element) {
        element.assign("fill", self.fill.unwrap_or("none"));
        if let Some(stroke) = self.stroke {
            element.assign("stroke", stroke);
            element.assign("stroke-width", number(self.width));
        }
        if let Some(dashes) = self.dashes {
            element.assign("stroke-dasharray", dashes);
        }
    }
}

impl Pen {
    pub(super) fn new() -> Pen {
        Pen { group: Element::new("g") }
    }

    pub(super) fn into_group(self) -> Element {
        self.group
    }

    /// Words of this size; `bold` or not.
    pub(super) fn text(
        &mut self,
        (x, y): (f64, f64),
        (size, bold): (f64, bool),
        anchor: Anchor,
        words: &str,
    ) {
        let mut text = Element::new("text");
        text.assign("x", number(x));
        text.assign("y", number(y));
        text.assign("font-size", number(size));
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => text.assign("text-anchor", "middle"),
            Anchor::End => text.assign("text-anchor", "end"),
        }
        if bold {
            text.assign("font-weight", "bold");
        }
        text.append(Text::new(printable(words)));
        self.group.append(text);
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), style: Style) {
        let mut line = Element::new("line");
        for (name, value) in [("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)] {
            line.assign(name, number(value));
        }
        style.on(&mut line);
        self.group.append(line);
    }

    /// A rectangle; `title` is what a pointer over it reads.
    pub(super) fn area(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        style: Style,
        title: &str,
    ) {
        let mut area = Element::new("rect");
        for (name, value) in [("x", x), ("y", y), ("width", width), ("height", height)] {
            area.assign(name, number(value));
        }
        style.on(&mut area);
        self.titled(area, title);
    }

    /// A circle with words in it.
    pub(super) fn badge(&mut self, (x, y): (f64, f64), words: &str, title: &str) {
        let mut circle = Element::new("circle");
        for (name, value) in [("cx", x), ("cy", y), ("r", 1.75)] {
            circle.assign(name, number(value));
        }
        Style { fill: Some("white"), ..Style::line("black", 0.2) }.on(&mut circle);
        self.titled(circle, title);
        self.text((x, y + 0.85), (2.3, false), Anchor::Middle, words);
    }

    /// A line through points, or an area within them.
    pub(super) fn path(&mut self, points: &[(f64, f64)], style: Style, title: &str) {
        let points: Vec<_> =
            points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
        let name = if style.fill.is_some() { "polygon" } else { "polyline" };
        let mut path = Element::new(name);
        path.assign("points", points.join(" "));
        path.assign("stroke-linejoin", "round");
        style.on(&mut path);
        self.titled(path, title);
    }

    fn titled(&mut self, mut element: Element, title: &str) {
        if !title.is_empty() {
            let mut words = Element::new("title");
            words.append(Text::new(printable(title)));
            element.append(words);
        }
        self.group.append(element);
    }
}

/// A number as it is written: hundredths of a millimetre are enough.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Replaces control characters, which XML cannot contain.
fn printable(words: &str) -> String {
    words
        .chars()
        .map(|c| if c.is_control() || "\u{fffe}\u{ffff}".contains(c) { '\u{fffd}' } else { c })
        .collect()
}
