//! Requests to the timing thread that are not answered yet, and the game as it follows from what
//! the timing thread has reported.
//!
//! It is locked for moments only; the timing thread never comes here.

use std::collections::HashMap;

use rtrb::{Producer, PushError};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::{Answer, Origin, Published, Submission, SubmitError};
use crate::engine::{Engine, Game, Snapshot};
use crate::input::Key;
use crate::menu::Wish;
use crate::record::{Annotations, Content};
use crate::time::{Instant, Span};
use crate::timing::{PanelMessage, Request, Task};

/// How an answer comes back.
pub(super) type Reply = oneshot::Sender<Result<Answer, SubmitError>>;

/// A request that is not answered yet.
#[derive(Debug)]
pub(super) struct PendingRequest {
    pub(super) origin: Origin,
    pub(super) annotations: Annotations,
    /// The game that the operation puts in place, where it does.
    pub(super) prepared: Option<Box<Engine>>,
    /// The game at the instant of the operation, without it.
    pub(super) before: Option<Snapshot>,
    pub(super) effects: Vec<(Span, Content)>,
    pub(super) outcome: Result<(), SubmitError>,
    pub(super) reply: Reply,
}

/// Everything that waits, and the game.
#[derive(Debug)]
pub(super) struct PendingRequests {
    requests: Producer<Request>,
    /// Where requests of the box's menu go.
    pub(super) wishes: UnboundedSender<Wish>,
    next_id: u32,
    pub(super) waiting: HashMap<u32, PendingRequest>,
    /// Callers that wait until every event so far is published.
    pub(super) fences: Vec<oneshot::Sender<()>>,
    /// How many events that are state changes have been published.
    pub(super) state_changes: u64,
    /// The timing thread's game, followed by applying the same operations at the same instants.
    pub(super) game: Game,
    pub(super) low_power: bool,
    pub(super) stuck: Vec<Key>,
    /// The timing thread has ended.
    pub(super) closed: bool,
}

impl PendingRequests {
    pub(super) fn new(
        requests: Producer<Request>,
        wishes: UnboundedSender<Wish>,
        game: Game,
    ) -> Self {
        PendingRequests {
            requests,
            wishes,
            next_id: 0,
            waiting: HashMap::new(),
            fences: Vec::new(),
            state_changes: 0,
            game,
            low_power: false,
            stuck: Vec::new(),
            closed: false,
        }
    }

    /// Sends a request that arrived at `at`, when `published` was the newest line; the answer comes
    /// through `reply`.
    pub(super) fn submit(
        &mut self,
        submission: Submission,
        at: Instant,
        published: &Published,
        reply: Reply,
    ) -> Result<(), SubmitError> {
        if self.closed {
            return Err(SubmitError::Gone);
        }
        let Submission { operation, origin, annotations, condition } = submission;
        let seq_is_old = condition.if_seq != 0
            && !(published.state_change..=published.seq).contains(&condition.if_seq);
        let game_is_other = condition.if_game.is_some_and(|game| *game != *published.game);
        if seq_is_old || game_is_other {
            let (game, newest) = (published.game.clone(), published.seq);
            return Err(SubmitError::Stale { game, newest });
        }
        let prepared = self.game.prepare(at, &operation)?;
        // Replayed presses are those until now: nothing may come between.
        let conditional = condition.if_seq != 0 || super::is_replayed(&operation);
        let only_after = conditional.then_some(self.state_changes);
        let task = match prepared.clone() {
            Some(game) => Task::Adopt { operation, game, only_after },
            None => Task::Apply { operation, only_after },
        };
        let id = self.push(task, at).map_err(|_| SubmitError::Busy)?;
        let pending = PendingRequest {
            origin,
            annotations,
            prepared,
            before: None,
            effects: Vec::new(),
            outcome: Ok(()),
            reply,
        };
        self.waiting.insert(id, pending);
        Ok(())
    }

    /// Sends something for the face of the box; given back where too many requests wait.
    pub(super) fn send_to_panel(
        &mut self,
        message: PanelMessage,
        at: Instant,
    ) -> Result<(), PanelMessage> {
        match self.push(Task::Panel(message), at) {
            Err(Task::Panel(message)) => Err(message),
            _ => Ok(()),
        }
    }

    #[expect(clippy::result_large_err, reason = "a task that finds no room is handed back whole")]
    fn push(&mut self, task: Task, at: Instant) -> Result<u32, Task> {
        let id = self.next_id;
        match self.requests.push(Request { id, at, task }) {
            Ok(()) => {
                self.next_id = id.wrapping_add(1);
                Ok(id)
            }
            Err(PushError::Full(Request { task, .. })) => Err(task),
        }
    }

    /// The timing thread has ended: no request is answered any more.
    pub(super) fn close(&mut self) {
        self.closed = true;
        self.waiting.clear();
        self.fences.clear();
    }
}
