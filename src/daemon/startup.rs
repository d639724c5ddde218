//! How the clock starts: with the game that was interrupted, or with a new one.
//!
//! An interrupted game is rebuilt by replaying its causes, and comes back paused. What was recorded
//! is never guessed at: where it cannot be replayed, that is said, the journal stays as it is, and
//! a new game begins. A journal of schema 1 is never appended to: its game continues in a journal
//! of its own, as an import.

use std::path::Path;

use super::bridge::{GameIds, Origin};
use super::config::Config;
use crate::control::Settings;
use crate::engine::operation::{Import, NewGame, Recovered};
use crate::engine::{Game, Operation, Phase};
use crate::journal::reading::{self, Last};
use crate::journal::slots;
use crate::record::Content;
use crate::record::chain::{After, Chain, LineHash};
use crate::record::verify::{Followup, Verify};
use crate::time::{Instant, Span};

/// How the daemon starts.
#[derive(Debug)]
pub struct Startup {
    /// The game.
    pub first_game: FirstGame,
    /// Gives names to further games.
    pub ids: GameIds,
    /// Goes on from the last line there is.
    pub chain: Chain,
}

/// The game that the clock begins with.
#[derive(Debug)]
pub enum FirstGame {
    /// A new one.
    New {
        /// What it is set to.
        settings: Settings,
        /// The last game of the journal.
        after: Option<After>,
    },
    /// The one that was interrupted.
    Recovered(Box<RecoveredGame>),
    /// The one that was interrupted, in a journal of its own.
    Imported {
        /// The game, on a time line that begins with that journal.
        game: Box<Game>,
        /// The journal that it comes from.
        after: After,
        /// The first lines of the new journal, with who caused them.
        lines: Vec<(Followup, Option<Origin>)>,
    },
}

/// A game that is taken up again.
#[derive(Debug)]
pub struct RecoveredGame {
    /// Its name.
    pub id: String,
    /// The game, on a time line that begins with it.
    pub game: Game,
    /// Where its time stands.
    pub from: Instant,
    /// The number of its next line.
    pub next_seq: u64,
    /// The lines that are to be written first, with who caused them.
    pub lines: Vec<(Followup, Option<Origin>)>,
}

impl Startup {
    /// A new game without any before.
    #[must_use]
    pub fn afresh(config: &Config) -> Self {
        let first_game = FirstGame::New { settings: config.game, after: None };
        Startup { first_game, ids: GameIds::default(), chain: Chain::after(LineHash::NOTHING) }
    }

    /// Where the box's time line is to begin.
    #[must_use]
    pub fn from(&self) -> Instant {
        match &self.first_game {
            FirstGame::New { .. } | FirstGame::Imported { .. } => Instant::ZERO,
            FirstGame::Recovered(taken_up) => taken_up.from,
        }
    }

    /// Looks at the last game in a state directory; `goes_on`: it is to be taken up again, if it
    /// was interrupted.
    #[must_use]
    pub fn after(directory: &Path, goes_on: bool, config: &Config) -> Self {
        let last = match reading::last(directory) {
            Ok(Some(last)) => last,
            Ok(None) => return Startup::afresh(config),
            Err(error) => {
                tracing::error!("the journal in {} cannot be read: {error}", directory.display());
                return Startup::afresh(config);
            }
        };
        let Last { game: id, hash, .. } = &last;
        if let Some((bytes, aside)) = &last.torn {
            tracing::warn!(
                "the journal of game {id} ended in a torn line: its {bytes} bytes are kept in {}",
                aside.display()
            );
        }
        let ids = GameIds::after(id);
        let chain = Chain::after(*hash);
        let after = After { game: id.clone(), hash: *hash };
        let taken_up = match last.damage {
            Some(line) => Err(format!("its line {line} is damaged")),
            None if goes_on => take_up(&last, directory, config, &after),
            None => Ok(None),
        };
        let first_game = match taken_up {
            Ok(Some(taken_up)) => {
                tracing::info!("game {id} is taken up again");
                taken_up
            }
            Ok(None) => FirstGame::New { settings: config.game, after: Some(after) },
            Err(why) => {
                tracing::error!(
                    "game {id} cannot be taken up again: {why}; its journal stays as it is, \
                     `flagfallctl replay` shows how far it goes"
                );
                FirstGame::New { settings: config.game, after: Some(after) }
            }
        };
        Startup { first_game, ids, chain }
    }
}

/// A game as its lines tell it.
struct Rebuilt {
    game: Game,
    next_seq: u64,
    last_at: Span,
    /// Its journal is of schema 1.
    schema1: bool,
    /// What is due by the end and was not written.
    unwritten: Vec<Followup>,
}

/// Rebuilds the last game; `None` where it is over, or never was more than the configured one.
fn take_up(
    last: &Last,
    directory: &Path,
    config: &Config,
    after: &After,
) -> Result<Option<FirstGame>, String> {
    let moment = slots::recorded(directory).unwrap_or_else(|error| {
        tracing::warn!("the running time cannot be read: {error}");
        None
    });
    let moment = moment.filter(|moment| moment.game == last.game);
    let time = moment.as_ref().map_or(Span::ZERO, |moment| Span::from_nanos(moment.at_ns));
    let Some(rebuilt) = rebuild(last, time)? else { return Ok(None) };
    let Rebuilt { mut game, next_seq, last_at, schema1, unwritten } = rebuilt;
    let (phase, settings) = (game.engine().phase(), game.engine().settings());
    let configured = last.lines.first().is_some_and(|line| line.contains(BY_ITSELF))
        && !last.lines.iter().any(|line| line.contains(IMPORTED));
    if phase == Phase::Ended || phase == Phase::Ready && configured && *settings != config.game {
        return Ok(None);
    }
    let at = last_at.max(time);
    if schema1 {
        return import(&game, at, after.clone()).map(Some);
    }
    let mut lines: Vec<_> = unwritten.into_iter().map(|effect| (effect, None)).collect();
    if phase != Phase::Ready {
        let closed = moment.is_some_and(|moment| moment.closed);
        lines.push(recover(&mut game, at, if closed { "stopped" } else { "cut-off" })?);
    }
    let (id, from) = (last.game.clone(), Instant::ZERO + at);
    let recovered = RecoveredGame { id, game, from, next_seq, lines };
    Ok(Some(FirstGame::Recovered(Box::new(recovered))))
}

/// Continues a game, as it stood at that time, in a journal of its own.
fn import(old: &Game, at: Span, after: After) -> Result<FirstGame, String> {
    let saved = old.engine().save(Instant::ZERO + at);
    let mut game = Game::new(Instant::ZERO, saved.settings);
    let line = |operation: Operation, game: &Game| {
        let snapshot = game.engine().snapshot(Instant::ZERO);
        let content = Content::Operation(operation);
        (Followup { at: Span::ZERO, content, snapshot }, Some(Origin::Recovery))
    };
    let mut lines = vec![line(NewGame::of(&saved.settings, false).into(), &game)];
    let import = Operation::from(Import { exported: Some(Box::new(saved)), state: None });
    let _ = game.apply(Instant::ZERO, &import).map_err(|refusal| refusal.to_string())?;
    lines.push(line(import, &game));
    Ok(FirstGame::Imported { game: Box::new(game), after, lines })
}

/// Replays the lines, and lets happen what is due by `time`.
fn rebuild(last: &Last, time: Span) -> Result<Option<Rebuilt>, String> {
    let mut verify = Verify::default();
    for line in &last.lines {
        verify.line(line, None).map_err(|error| error.to_string())?;
    }
    let (next_seq, last_at) = (verify.next_seq(), verify.last_at());
    let unwritten = verify.unwritten(last_at.max(time)).map_err(|error| error.to_string())?;
    let replay = verify.into_replay();
    let schema1 = replay.is_schema1();
    let game = replay.into_game();
    Ok(game.map(|game| Rebuilt { game, next_seq, last_at, schema1, unwritten }))
}

/// How the first line of a game looks that the daemon set by itself.
const BY_ITSELF: &str = r#","origin":"recovery","#;
/// How the line of an import looks.
const IMPORTED: &str = r#""kind":"import""#;

/// Pauses a game that was interrupted at that time, and gives the line of it.
fn recover(game: &mut Game, at: Span, why: &str) -> Result<(Followup, Option<Origin>), String> {
    let now = Instant::ZERO + at;
    let recovered = Recovered { why: why.to_owned(), ..Recovered::default() };
    let _ = game.apply(now, &recovered.into()).map_err(|refusal| refusal.to_string())?;
    let recovered = game.engine().recovered(why);
    let content = Content::Operation(recovered.into());
    let snapshot = game.engine().snapshot(now);
    Ok((Followup { at, content, snapshot }, Some(Origin::Recovery)))
}
