//! Axes of time.

use crate::control::notation::write_duration;
use crate::time::Span;

/// The steps between two marks of an axis, in seconds.
const STEPS: [i64; 20] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400,
    172_800, 864_000, 31_536_000,
];

/// Seconds as a number to draw by.
#[allow(clippy::cast_precision_loss, reason = "a picture needs no more than 15 digits")]
pub(super) fn seconds(span: Span) -> f64 {
    span.as_nanos() as f64 / 1e9
}

/// Marks from zero up to `longest`, at most about `most`, each with its label.
pub(super) fn marks(longest: Span, most: i64) -> Vec<(Span, String)> {
    let step = STEPS
        .into_iter()
        .map(Span::from_secs)
        .find(|step| longest.as_nanos() / step.as_nanos() <= most)
        .unwrap_or(Span::from_hours(8_760 * 50));
    let mut marks = Vec::new();
    let mut at = Span::ZERO;
    while at <= longest {
        marks.push((at, if at == Span::ZERO { "0".to_owned() } else { write_duration(at) }));
        at += step;
    }
    marks
}

/// The game's time on paper: playing time to scale, all stops equally wide.
#[derive(Debug)]
pub(super) struct Ruler {
    left: f64,
    /// Millimetres a second.
    scale: f64,
    /// How wide a stop is.
    gap: f64,
    began: Span,
    stops: Vec<(Span, Span)>,
}

/// The greatest width of a stop.
const WIDEST: f64 = 4.0;

impl Ruler {
    /// A ruler from `left` on, `width` wide, for a game that was played from `began` until `end`.
    pub(super) fn new(
        (left, width): (f64, f64),
        (began, end): (Span, Span),
        stops: impl Iterator<Item = (Span, Span)>,
    ) -> Ruler {
        let stops: Vec<_> = stops.filter(|(from, until)| from < until).collect();
        let share = width * 0.2 / f64::from(u32::try_from(stops.len().max(1)).unwrap_or(u32::MAX));
        let gap = share.min(WIDEST);
        let mut ruler = Ruler { left, scale: 0.0, gap, began, stops };
        let gaps = gap * f64::from(u32::try_from(ruler.stops.len()).unwrap_or(u32::MAX));
        let played = seconds(ruler.played(end));
        ruler.scale = (width - gaps) / if played > 0.0 { played } else { 1.0 };
        ruler
    }

    /// How long was played until then.
    pub(super) fn played(&self, at: Span) -> Span {
        let stopped = self.stops.iter().map(|(from, until)| (*until).min(at) - (*from).min(at));
        (at - self.began).or_zero() - stopped.fold(Span::ZERO, |sum, stopped| sum + stopped)
    }

    /// Where a point in time is.
    pub(super) fn x(&self, at: Span) -> f64 {
        let gaps: f64 = self
            .stops
            .iter()
            .filter(|(from, _)| *from < at)
            .map(|(from, until)| {
                let part = seconds(at.min(*until) - *from) / seconds(*until - *from);
                self.gap * part
            })
            .sum();
        self.left + seconds(self.played(at)) * self.scale + gaps
    }

    /// Where a mark for so much playing time is: before a stop that begins at that very time.
    pub(super) fn x_of_played(&self, played: Span) -> f64 {
        let gaps = self.stops.iter().filter(|(from, _)| self.played(*from) < played).count();
        let gaps = self.gap * f64::from(u32::try_from(gaps).unwrap_or(u32::MAX));
        self.left + seconds(played) * self.scale + gaps
    }

    /// Each stop: its place and width, and from when to when it lasted.
    pub(super) fn gaps(&self) -> impl Iterator<Item = (f64, f64, (Span, Span))> {
        self.stops.iter().map(|stop| (self.x(stop.0), self.gap, *stop))
    }
}
