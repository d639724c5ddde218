//! Correcting a game that stands: sheet by sheet, and nothing changes before the last ok.
//!
//! White's time, Black's time, both press counters, both stages; where a side is in byo-yomi or
//! Canadian, its periods or stones and the time of the running one. Times are main time, what the
//! allowance is stands beside it.

use super::entry::{CLOCK, COUNT, Entry, Passed, SIGNED_CLOCK};
use super::page::{Line, Page};
use crate::control::{BySide, Method, Overtime, Seat, Settings, Side};
use crate::display::glyph::{NUMERALS, POINT, encode};
use crate::engine::{Adjustment, SideView, Snapshot};
use crate::time::{Instant, Span};

const SECOND: i64 = 1_000_000_000;

/// What one sheet is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// Main time.
    Clock,
    /// The press counter.
    Presses,
    /// The stage.
    Stage,
    /// Byo-yomi periods left.
    Periods,
    /// Canadian stones left.
    Stones,
    /// Time left of the running period or block.
    Overtime,
}

impl Sheet {
    const ALL: [Sheet; 6] = [
        Sheet::Clock,
        Sheet::Presses,
        Sheet::Stage,
        Sheet::Periods,
        Sheet::Stones,
        Sheet::Overtime,
    ];

    const fn name(self) -> &'static str {
        match self {
            Sheet::Clock => "CLoC",
            Sheet::Presses => "PrESS",
            Sheet::Stage => "StAGE",
            Sheet::Periods => "PEriod",
            Sheet::Stones => "StonES",
            Sheet::Overtime => "LEFt",
        }
    }
}

/// What was entered for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sheets {
    clock: Entry,
    presses: Entry,
    stage: u32,
    stages: u32,
    periods: Option<Entry>,
    stones: Option<Entry>,
    overtime: Option<Entry>,
}

/// A correction in the making.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correct {
    /// The game that it was begun on.
    began: Instant,
    views: BySide<SideView>,
    white_on: Seat,
    sides: BySide<Sheets>,
    /// Which sheet is up; `None`: all are done.
    up: Option<(Sheet, Side)>,
}

impl Correct {
    /// Begins on a game that stands.
    #[must_use]
    pub fn new(snapshot: &Snapshot, settings: &Settings, white_on: Seat, began: Instant) -> Self {
        let sides = BySide::from_fn(|side| Sheets::new(&snapshot.sides[side], settings, side));
        let up = Some((Sheet::Clock, Side::White));
        Correct { began, views: snapshot.sides, white_on, sides, up }
    }

    /// True while the game stands as it stood when this was begun.
    #[must_use]
    pub fn fits(&self, snapshot: &Snapshot, began: Instant) -> bool {
        self.began == began && self.views == snapshot.sides
    }

    /// Goes back to the first sheet; what was entered stays.
    pub fn rewind(&mut self, white_on: Seat) {
        self.white_on = white_on;
        self.up = Some((Sheet::Clock, Side::White));
    }

    /// Plus or minus.
    pub fn step(&mut self, up: bool) {
        match self.up {
            None => self.rewind(self.white_on),
            Some((Sheet::Stage, side)) => {
                let Sheets { stage, stages, .. } = &mut self.sides[side];
                *stage =
                    if up { *stage % *stages + 1 } else { (*stage + *stages - 2) % *stages + 1 };
            }
            Some((sheet, side)) => {
                if let Some(entry) = self.sides[side].entry(sheet) {
                    entry.step(up);
                }
            }
        }
    }

    /// Ok; true where everything is done and to be applied.
    pub fn pass(&mut self) -> bool {
        let Some((sheet, side)) = self.up else { return true };
        if let Some(entry) = self.sides[side].entry(sheet)
            && entry.pass() == Passed::Within
        {
            return false;
        }
        self.up = self.next();
        false
    }

    /// Ok held: the rest of a number is as it should be.
    pub fn finish(&mut self) {
        let Some((sheet, side)) = self.up else { return };
        if let Some(entry) = self.sides[side].entry(sheet)
            && entry.is_open()
        {
            entry.close();
            self.up = self.next();
        }
    }

    fn next(&self) -> Option<(Sheet, Side)> {
        let sheets = Sheet::ALL.into_iter().flat_map(|sheet| Side::BOTH.map(|side| (sheet, side)));
        let behind = sheets.skip_while(|sheet| Some(*sheet) != self.up).skip(1);
        behind.into_iter().find(|(sheet, side)| self.sides[*side].has(*sheet))
    }

    /// The difference that all sheets make.
    #[must_use]
    pub fn adjustments(&self) -> BySide<Adjustment> {
        BySide::from_fn(|side| self.sides[side].adjustment(&self.views[side]))
    }

    /// The sheet that is up: the number on its side's display, its name on the other.
    #[must_use]
    pub fn page(&self) -> Page {
        let Some((sheet, side)) = self.up else { return Page::words("CorrEct", "donE") };
        let here = match sheet {
            Sheet::Stage => {
                let Sheets { stage, stages, .. } = self.sides[side];
                let mut line = Line::DARK.number(5, stage).number(7, stages);
                line.cells[6] = encode('-');
                line.blinking = 1 << 5;
                line
            }
            _ => {
                let mut sheets = self.sides[side];
                sheets.entry(sheet).map_or(Line::DARK, |entry| entry.line())
            }
        };
        let mut name = Line::word(sheet.name());
        let allowance = self.views[side].allowance;
        if sheet == Sheet::Clock && allowance.is_positive() {
            name = beside(name, allowance);
        }
        Page::facing(side.seat(self.white_on), here, name)
    }
}

/// An allowance at the right end: `d 5`, from 100 s on in minutes with a point.
fn beside(mut line: Line, allowance: Span) -> Line {
    let seconds = u32::try_from(allowance.ceil_div(SECOND)).unwrap_or(u32::MAX);
    line.cells[5] = encode('d');
    if seconds < 100 {
        line.number(7, seconds)
    } else {
        let minutes = seconds.div_ceil(60).min(99);
        line = line.number(7, minutes);
        line.cells[7] = NUMERALS[(minutes % 10) as usize] | POINT;
        line
    }
}

impl Sheets {
    fn new(view: &SideView, settings: &Settings, side: Side) -> Sheets {
        let stages = &settings.control.sides[side];
        let index = usize::try_from(view.stage).unwrap_or(1).saturating_sub(1);
        let below = stages.get(index).is_some_and(|stage| {
            matches!(stage.method, Method::Main { overtime: Overtime::Below { .. }, .. })
        });
        let seconds = |span: Span| {
            let size = span.max(-span).ceil_div(SECOND);
            u32::try_from(size).unwrap_or(u32::MAX).min(999 * 3_600)
        };
        let clock = if below { SIGNED_CLOCK } else { CLOCK };
        let count = |count: u32| Entry::new(COUNT, count.min(9_999), false);
        Sheets {
            clock: Entry::new(clock, seconds(view.main), below && view.main.is_negative()),
            presses: count(view.moves),
            stage: view.stage,
            stages: u32::try_from(stages.list.len()).unwrap_or(1).max(1),
            periods: view.periods.map(count),
            stones: view.stones.map(count),
            overtime: view.overtime.map(|left| Entry::new(CLOCK, seconds(left), false)),
        }
    }

    fn has(&self, sheet: Sheet) -> bool {
        match sheet {
            Sheet::Clock | Sheet::Presses | Sheet::Stage => true,
            Sheet::Periods => self.periods.is_some(),
            Sheet::Stones => self.stones.is_some(),
            Sheet::Overtime => self.overtime.is_some(),
        }
    }

    fn entry(&mut self, sheet: Sheet) -> Option<&mut Entry> {
        match sheet {
            Sheet::Clock => Some(&mut self.clock),
            Sheet::Presses => Some(&mut self.presses),
            Sheet::Stage => None,
            Sheet::Periods => self.periods.as_mut(),
            Sheet::Stones => self.stones.as_mut(),
            Sheet::Overtime => self.overtime.as_mut(),
        }
    }

    /// Only what was stepped changes, and keeps its parts of a second otherwise.
    fn adjustment(&self, view: &SideView) -> Adjustment {
        let changed =
            |entry: &Option<Entry>| entry.filter(Entry::is_changed).map(|entry| entry.size());
        let main = self.clock.is_changed().then(|| Span::from_secs(self.clock.value()));
        Adjustment {
            main,
            add: None,
            moves: changed(&Some(self.presses)),
            stage: (self.stage != view.stage).then_some(self.stage),
            stage_time: false,
            periods: changed(&self.periods),
            stones: changed(&self.stones),
            overtime: changed(&self.overtime).map(|secs| Span::from_secs(i64::from(secs))),
        }
    }
}
