//! What the menus show, and when that changes by itself.

use super::catalogue::slot_name;
use super::items::items;
use super::page::{Line, Page};
use super::{At, Game, Menu, Open, TIME_OUT, TOLD};
use crate::time::{Instant, Span};

/// How long each line of an outline is shown.
const TURN: Span = Span::from_secs(1);

impl Menu {
    /// What is up instead of the game's face, if anything.
    #[must_use]
    pub fn page(&self, game: &Game<'_>, now: Instant) -> Option<Page> {
        if let Some((message, _)) = self.told {
            return Some(message.page());
        }
        let Open { at, since, phase, .. } = self.open.as_ref()?;
        let turn = (now - *since).as_nanos() / TURN.as_nanos();
        Some(match at {
            At::First(item) => {
                let name = items(*phase).get(*item).map_or("", |item| item.name());
                Page::words("SEt", name)
            }
            At::Choose(choice) => self.offer_page(*choice, turn),
            At::Control(control) => self.control_page(*control, turn),
            At::Slots(slot) => Page { left: Line::word("oUn"), right: slot_name(*slot) },
            At::Compose(compose) => compose.page(&self.drafts[compose.slot]),
            At::Keeping(slot) => Page { left: slot_name(*slot), right: Line::word("--------") },
            At::Setting | At::Applying(_) | At::Changing(_) => Page::words("--------", "--------"),
            At::Correct(correct) => correct.page(),
            At::Options(options) => options.page(game.look, game.settings, game.white_on),
        })
    }

    /// When what is up next changes by itself.
    #[must_use]
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        let told = self.told.map(|(_, since)| since + TOLD);
        let open = self.open.as_ref().map(|open| {
            let out = open.since + TIME_OUT;
            let past = (now - open.since).as_nanos().rem_euclid(TURN.as_nanos());
            let turn = now + TURN - Span::from_nanos(past);
            if matches!(open.at, At::Choose(_) | At::Control(_)) { out.min(turn) } else { out }
        });
        [told, open].into_iter().flatten().min()
    }

    /// When the last stroke was: what blinks is lit from there on.
    #[must_use]
    pub fn touched(&self) -> Instant {
        let open = self.open.as_ref().map(|open| open.since);
        let told = self.told.map(|(_, since)| since);
        told.or(open).unwrap_or(Instant::ZERO)
    }
}
