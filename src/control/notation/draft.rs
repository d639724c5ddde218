//! What a reader hands over: a control, not yet known to be possible, with the places of its
//! stages in the text.

use core::ops::Range;

use super::cursor::Cursor;
use super::error::Fault;
use crate::control::{BySide, Control, MAX_STAGES, Stage, Stages};

/// A control as it was read.
#[derive(Debug)]
pub(super) struct Draft {
    sides: BySide<DraftStages>,
}

/// One side's stages as they were read.
#[derive(Clone, Debug, Default)]
pub(super) struct DraftStages {
    list: Vec<Stage>,
    places: Vec<Range<usize>>,
    /// The last stage starts again.
    pub(super) repeat: bool,
}

impl DraftStages {
    /// Adds the stage that `cursor` has read since `start`.
    pub(super) fn push(
        &mut self,
        stage: Stage,
        start: usize,
        cursor: &Cursor<'_>,
    ) -> Result<(), Fault> {
        let place = cursor.since(start);
        if self.list.len() == MAX_STAGES {
            return Err(Fault::impossible(
                place,
                format!("a side has at most {MAX_STAGES} stages"),
                format!("leave out what follows the {MAX_STAGES}th stage"),
            ));
        }
        self.list.push(stage);
        self.places.push(place);
        Ok(())
    }

    /// The stages read so far, for what is said of all of them at the end.
    pub(super) fn stages_mut(&mut self) -> &mut [Stage] {
        &mut self.list
    }
}

impl Draft {
    /// A control whose sides are alike.
    pub(super) fn both(stages: DraftStages) -> Self {
        Draft { sides: BySide::both(stages) }
    }

    /// A control whose sides each have their own stages.
    pub(super) fn unequal(white: DraftStages, black: DraftStages) -> Self {
        Draft { sides: BySide { white, black } }
    }

    /// The control, if it is a possible one.
    pub(super) fn finish(self) -> Result<Control, Fault> {
        let places = self.sides.clone().map(|side| side.places);
        let control = Control {
            sides: self
                .sides
                .map(|side| Stages { list: side.list.into_iter().collect(), repeat: side.repeat }),
        };
        match super::check::check(&control) {
            Ok(()) => Ok(control),
            Err(objection) => {
                let place = places[objection.side].get(objection.stage).cloned();
                Err(Fault::impossible(place.unwrap_or(0..0), objection.why, objection.remedy))
            }
        }
    }
}
