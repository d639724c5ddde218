//! Fulfils what somebody at the box wishes by its menus and only the daemon can do: new games, kept
//! controls, a look that outlives a power cut, and powering off.
//!
//! It decides nothing about the game: the engine does, as for everybody who asks. It also tells the
//! box when the supply is low.

use std::convert::Infallible;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;

use super::bridge::{Bridge, Origin, Submission};
use super::power;
use super::shelf::{Kept, Shelf};
use crate::control::fingerprint::fingerprint;
use crate::control::notation;
use crate::control::presets::Presets;
use crate::control::{Control, Profile, Settings};
use crate::engine::operation::{ChangeControl, NewGame};
use crate::engine::{Phase, ReplacePolicy};
use crate::menu::catalogue::{Catalogue, MOST_PRESETS, Offer, SLOTS, Slot};
use crate::menu::options::GameOption;
use crate::menu::own::Own;
use crate::menu::{Choice, Message, Wish};
use crate::timing::PanelMessage;

/// The keeper.
#[derive(Debug)]
pub struct Keeper {
    bridge: Bridge,
    wishes: UnboundedReceiver<Wish>,
    /// What is on offer, by those who save and delete.
    collection: watch::Receiver<Arc<Presets>>,
    /// What the box offers, and which edition that is.
    presets: Arc<Presets>,
    edition: u32,
    shelf: Shelf,
    kept: Kept,
    power: Box<dyn power::Off>,
}

/// Everything that can be chosen on the box: of the presets the first 99, own ones last.
#[must_use]
pub fn catalogue(edition: u32, presets: &Presets, kept: &Kept) -> Catalogue {
    let surplus = presets.iter().count().saturating_sub(MOST_PRESETS);
    if surplus > 0 {
        tracing::warn!(
            "the box offers the first {MOST_PRESETS} presets: the last {surplus} own ones are not \
             on it; delete some that are not played"
        );
    }
    let presets = presets.iter().take(MOST_PRESETS).zip(1..);
    let slot = |index: usize| match kept.slots[index].as_ref() {
        Some(control) => Slot {
            offer: Some(Offer::of_slot(index, control)),
            own: Own::of(control).map(Box::new),
        },
        None => Slot::default(),
    };
    Catalogue {
        edition,
        presets: presets.map(|(preset, number)| Offer::of_preset(number, preset)).collect(),
        slots: core::array::from_fn::<Slot, SLOTS, _>(slot),
    }
}

impl Keeper {
    /// A keeper of what `shelf` has kept. What `collection` holds now is offered already, in the
    /// first edition.
    pub fn new(
        bridge: Bridge,
        wishes: UnboundedReceiver<Wish>,
        mut collection: watch::Receiver<Arc<Presets>>,
        (shelf, kept): (Shelf, Kept),
        power: Box<dyn power::Off>,
    ) -> Self {
        let presets = Arc::clone(&collection.borrow_and_update());
        Keeper { bridge, wishes, collection, presets, edition: 0, shelf, kept, power }
    }

    /// Fulfils wishes, and offers what is saved over the bus, for as long as there is a clock.
    pub async fn run(mut self) -> Infallible {
        loop {
            let order = tokio::select! {
                wish = self.wishes.recv() => match wish {
                    Some(wish) => self.fulfil(wish).await,
                    None => break,
                },
                Ok(()) = self.collection.changed() => Some(self.offer_anew()),
            };
            if let Some(order) = order {
                self.bridge.tell_panel(order).await;
            }
        }
        // The clock has ended: that is for others to say.
        std::future::pending().await
    }

    /// The presets are others now.
    fn offer_anew(&mut self) -> PanelMessage {
        self.presets = Arc::clone(&self.collection.borrow_and_update());
        self.edition = self.edition.wrapping_add(1);
        PanelMessage::Offers(Box::new(self.catalogue()))
    }

    fn catalogue(&self) -> Catalogue {
        catalogue(self.edition, &self.presets, &self.kept)
    }

    /// Does what is wished; what the box is to be told of it.
    async fn fulfil(&mut self, wish: Wish) -> Option<PanelMessage> {
        match wish {
            Wish::NewGame { choice, abandon } => Some(self.new_game(choice, abandon).await),
            Wish::ChangeControl(choice) => Some(self.change_control(choice).await),
            Wish::Option(option) => {
                let mut settings = self.settings();
                apply(&mut settings, option);
                self.set(settings, false).await.err()
            }
            Wish::Look(look) => {
                self.kept.look = Some(look);
                self.keep().await.err().map(PanelMessage::Tell)
            }
            Wish::Keep { slot, own } => Some(self.keep_control(slot, own).await),
            Wish::PowerOff => Some(self.power_off().await),
        }
    }

    /// What the present game is set to.
    fn settings(&self) -> Settings {
        let published = self.bridge.published();
        let published = published.borrow();
        Settings { white_on: published.state.white_on, ..(*published.settings) }
    }

    async fn new_game(&mut self, choice: Choice, abandon: bool) -> PanelMessage {
        let present = self.settings();
        let settings = match self.control(choice) {
            Some((control, Some(profile))) => {
                Settings { white_on: present.white_on, ..Settings::new(control, profile) }
            }
            Some((control, None)) => Settings { control, ..present },
            None => return PanelMessage::Refused(Message::Refused),
        };
        match self.set(settings, abandon).await {
            Ok(message) => PanelMessage::Done(message),
            Err(order) => order,
        }
    }

    /// The control of a choice, and a preset's profile. None where it was chosen from a list that
    /// has changed meanwhile: the new one is looked at first.
    fn control(&self, choice: Choice) -> Option<(Control, Option<Profile>)> {
        match choice {
            Choice::Preset { edition, place } => {
                let preset = self.presets.iter().nth(place).filter(|_| edition == self.edition)?;
                Some((preset.control, Some(preset.profile)))
            }
            Choice::Slot(slot) => Some(((*self.kept.slots.get(slot)?)?, None)),
        }
    }

    /// The paused game goes on under another control; its profile stays. The one that it has
    /// already changes nothing: periods that were used do not come back by it.
    async fn change_control(&mut self, choice: Choice) -> PanelMessage {
        let present = self.settings();
        let locked = self.bridge.published().borrow().state.locked;
        let allowed = present.switches.box_change && !locked;
        let Some((control, _)) = self.control(choice).filter(|_| allowed) else {
            return PanelMessage::Refused(Message::Refused);
        };
        if control != present.control {
            let how = ReplacePolicy::Kept;
            let change = ChangeControl { control: Box::new(control.into()), how };
            if let Err(why) = self.bridge.submit(Submission::new(change, Origin::Board)).await {
                tracing::info!("the control was not changed at the box: {why}");
                return PanelMessage::Refused(Message::Refused);
            }
        }
        PanelMessage::Done(mark(&Settings { control, ..present }))
    }

    /// Sets the clock; the mark by which boxes are compared.
    async fn set(&mut self, settings: Settings, abandon: bool) -> Result<Message, PanelMessage> {
        let mark = mark(&settings);
        let new_game = NewGame::of(&settings, abandon);
        match self.bridge.submit(Submission::new(new_game, Origin::Board)).await {
            Ok(_) => Ok(mark),
            Err(_) => Err(PanelMessage::Refused(Message::Refused)),
        }
    }

    async fn keep_control(&mut self, slot: usize, own: Box<Own>) -> PanelMessage {
        let control = own.control();
        let outcome = match notation::check(&control) {
            Ok(()) => {
                if let Some(kept) = self.kept.slots.get_mut(slot) {
                    *kept = Some(control);
                }
                if let Err(message) = self.keep().await {
                    self.bridge.tell_panel(PanelMessage::Tell(message)).await;
                }
                Ok(Box::new(self.catalogue()))
            }
            Err((side, stage, why)) => {
                tracing::info!("a control put together at the box cannot be kept: {why}");
                Err((side, stage))
            }
        };
        PanelMessage::Kept { slot, own, outcome }
    }

    async fn keep(&mut self) -> Result<(), Message> {
        let (shelf, kept) = (self.shelf.clone(), self.kept.clone());
        match tokio::task::spawn_blocking(move || shelf.put(&kept)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                tracing::warn!("the box's own controls and its look are not kept: {error}");
                Err(Message::NotKept)
            }
            Err(_) => Err(Message::NotKept),
        }
    }

    async fn power_off(&mut self) -> PanelMessage {
        if self.bridge.now_view().snapshot.phase == Phase::Running {
            return PanelMessage::Refused(Message::Refused);
        }
        match self.power.off().await {
            Ok(()) => PanelMessage::Tell(Message::PowerOff),
            Err(why) => {
                tracing::warn!("the box cannot be powered off: {why}");
                PanelMessage::Refused(Message::NoPowerOff)
            }
        }
    }
}

fn mark(settings: &Settings) -> Message {
    let mut mark = ['-'; 4];
    for (to, from) in mark.iter_mut().zip(fingerprint(settings).chars()) {
        *to = from;
    }
    Message::Mark(mark)
}

fn apply(settings: &mut Settings, option: GameOption) {
    match option {
        GameOption::Freeze(freeze) => settings.switches.freeze = freeze,
        GameOption::ShowMoves(show) => settings.switches.show_moves = show,
        GameOption::WhiteOn(seat) => settings.white_on = seat,
        GameOption::Profile(profile) => {
            settings.profile = profile;
            settings.switches = profile.switches();
        }
    }
}

/// Tells the box whenever the supply becomes low or recovers.
pub async fn watch_supply(bridge: Bridge, supply: power::Supply) -> Infallible {
    if !supply.is_there() {
        return std::future::pending().await;
    }
    let mut was_low = false;
    loop {
        let low = supply.is_low();
        if low != was_low {
            was_low = low;
            if low {
                tracing::warn!("the supply's voltage is too low: use a stronger supply or cable");
            } else {
                tracing::info!("the supply's voltage is right again");
            }
            bridge.tell_panel(PanelMessage::LowSupply(low)).await;
        }
        tokio::time::sleep(power::LOOK).await;
    }
}

#[cfg(test)]
mod tests;
