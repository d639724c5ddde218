//! The way to the daemon: what it tells, what it is asked for, and finding it again when it was
//! gone.

use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::super::arguments::{Bus, Order};
use super::super::bus::{Daemon, failure};
use super::super::exit::{Exit, Failure};
use super::super::feed::{Feed, Told};
use super::super::{journal, orders};
use super::errand::{Errand, What};
use super::foresight::{Game, Proposal, cause};
use super::machine::{Answer, Wish};
use crate::control::{Control, notation};
use crate::record::Fields;

/// How often the daemon is asked how the clocks stand, beside after each event.
const LOOKS: Duration = Duration::from_secs(1);

/// How long a daemon that has gone is left alone before it is looked for again.
const PAUSE: Duration = Duration::from_millis(500);

/// How many lines from before the watch began are shown.
const EARLIER: u64 = 30;

/// How often a journal is read that grows meanwhile.
const TRIES: usize = 5;

/// What there is to tell the screen.
#[derive(Debug)]
pub(super) enum News {
    /// How everything stands.
    Picture { state: Fields, properties: Fields },
    /// Lines from before.
    Earlier(Vec<String>),
    /// A line.
    Line(Told),
    /// The daemon has gone; why.
    Lost(String),
    /// What came of a wish.
    Answer { ticket: u64, answer: Answer },
}

/// Why the daemon is not served any more.
enum End {
    /// Nobody watches any more.
    Unwatched,
    Lost(Failure),
}

impl From<Failure> for End {
    fn from(failure: Failure) -> End {
        End::Lost(failure)
    }
}

/// Serves the screen until that is gone.
pub(super) async fn run(
    mut daemon: Daemon,
    bus: Bus,
    news: UnboundedSender<News>,
    mut wishes: UnboundedReceiver<Wish>,
) {
    loop {
        match serve(&daemon, &news, &mut wishes).await {
            Err(End::Lost(failure)) => {
                let _ = news.send(News::Lost(failure.sentence));
            }
            Ok(()) | Err(End::Unwatched) => return,
        }
        daemon = loop {
            tokio::select! {
                wish = wishes.recv() => match wish {
                    None => return,
                    Some(wish) => refuse(wish, &news),
                },
                () = sleep(PAUSE) => {
                    if let Ok(daemon) = Daemon::connect(&bus).await {
                        break daemon;
                    }
                }
            }
        };
    }
}

/// There is nobody to ask.
fn refuse(wish: Wish, news: &UnboundedSender<News>) {
    if let Wish::Foresee { ticket, .. } | Wish::Give { ticket, .. } = wish {
        let answer = Answer::Failed(Failure::no_daemon("the daemon has gone"));
        let _ = news.send(News::Answer { ticket, answer });
    }
}

async fn serve(
    daemon: &Daemon,
    news: &UnboundedSender<News>,
    wishes: &mut UnboundedReceiver<Wish>,
) -> Result<(), End> {
    let tell = |tidings| news.send(tidings).map_err(|_| End::Unwatched);
    let mut feed = Feed::open(daemon).await?;
    let state = daemon.snapshot().await?;
    let from = orders::sequence(&state).saturating_sub(EARLIER);
    // Under fide they are not for everybody; then the list begins with what comes.
    tell(News::Earlier(journal::page(daemon, "", from).await.unwrap_or_default()))?;
    let mut looks = interval(LOOKS);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            told = feed.next() => {
                tell(News::Line(told?))?;
                looks.reset_immediately();
            }
            wish = wishes.recv() => match wish {
                None | Some(Wish::Leave) => return Ok(()),
                Some(Wish::Foresee { ticket, errand }) => {
                    let answer = match propose(daemon, &errand).await {
                        Ok(proposal) => Answer::Foreseen(Box::new(proposal)),
                        Err(failure) => Answer::Failed(failure),
                    };
                    tell(News::Answer { ticket, answer })?;
                }
                Some(Wish::Give { ticket, proposal }) => {
                    let answer = give(daemon, &proposal).await.unwrap_or_else(Answer::Failed);
                    tell(News::Answer { ticket, answer })?;
                    looks.reset_immediately();
                }
            },
            _ = looks.tick() => {
                let properties = daemon.properties_now().await?;
                let state = daemon.snapshot().await?;
                tell(News::Picture { state, properties })?;
            }
        }
    }
}

/// What an errand would do now.
async fn propose(daemon: &Daemon, errand: &Errand) -> Result<Proposal, Failure> {
    let mut says = Vec::new();
    let control = match &errand.what {
        What::Order(Order::New { control, .. } | Order::Change { control, .. }) => {
            Some(describe(daemon, &control.join(" "), &mut says).await?)
        }
        What::Would(control) => Some(describe(daemon, control, &mut says).await?),
        What::Order(Order::StartAt { time }) => {
            says.push(orders::instant(*time)?.words());
            None
        }
        What::SelfTest => {
            says.push(orders::SELF_TEST.to_owned());
            None
        }
        _ => None,
    };
    if let What::Would(control) = &errand.what {
        let before = daemon.snapshot().await?;
        let after = Some(orders::answered(daemon.clock.what_if(control).await)?);
        return Ok(proposal(errand, before, after, says));
    }
    let cause = cause(&errand.what, control.as_ref())?;
    let (before, game) = game(daemon).await?;
    let game = match game {
        Ok(game) => game,
        Err(why) => {
            let sentence = format!("what it does to the clocks cannot be foreseen: {why}");
            says.push(sentence);
            return Ok(proposal(errand, before, None, says));
        }
    };
    let Some(cause) = cause else {
        if let What::Order(Order::New { abandon, .. }) = &errand.what
            && let Some(refusal) = control.and_then(|control| game.refuses_new(control, *abandon))
        {
            return Err(refusal);
        }
        return Ok(proposal(errand, before, None, says));
    };
    let foreseen = game.foresee(&cause)?;
    says.extend(foreseen.effects);
    Ok(proposal(errand, before, Some(foreseen.after), says))
}

fn proposal(errand: &Errand, before: Fields, after: Option<Fields>, says: Vec<String>) -> Proposal {
    Proposal { errand: errand.clone(), seq: orders::sequence(&before), before, after, says }
}

/// A control as the daemon reads it, which knows its own presets.
async fn describe(
    daemon: &Daemon,
    words: &str,
    says: &mut Vec<String>,
) -> Result<Control, Failure> {
    let described = daemon.clock.describe_control(words).await;
    let (canonical, sentence, class) = described.map_err(|error| failure(&error))?;
    let control = notation::parse(&canonical);
    says.push(format!("{canonical} ({class}): {sentence}"));
    control.map_err(|error| {
        Failure::refused(format!("this console does not know the control {canonical}: {error}"))
    })
}

/// A picture, and the game that led to it; or why that cannot be had.
async fn game(daemon: &Daemon) -> Result<(Fields, Result<Game, String>), Failure> {
    for _ in 0..TRIES {
        let lines = match journal::whole(daemon, "").await {
            Ok(lines) => lines,
            Err(failure) if matches!(failure.exit, Exit::Refused | Exit::NotPermitted) => {
                return Ok((daemon.snapshot().await?, Err(failure.sentence)));
            }
            Err(failure) => return Err(failure),
        };
        let picture = daemon.snapshot().await?;
        let newest = lines.last().and_then(|line| journal::number(line));
        if newest == Some(orders::sequence(&picture)) {
            let game = Game::of(&lines, &picture);
            return Ok((picture, game));
        }
    }
    let picture = daemon.snapshot().await?;
    Ok((picture, Err("the journal does not tell all that has happened".to_owned())))
}

/// Does what was shown, if it would still do that.
async fn give(daemon: &Daemon, proposal: &Proposal) -> Result<Answer, Failure> {
    let Proposal { errand, seq, says, .. } = proposal;
    let given = match &errand.what {
        What::Would(_) => return Ok(Answer::Given),
        What::Adjust(changes) => orders::correct(daemon, *changes, *seq).await,
        What::Order(order) if orders::is_tied(order) => orders::give(daemon, order, *seq).await,
        // The bus does not tie these to a line, so that is looked at here.
        _ if orders::sequence(&daemon.snapshot().await?) != *seq => {
            return again(daemon, errand).await;
        }
        What::Order(Order::StartAt { time })
            if !says.contains(&orders::instant(*time)?.words()) =>
        {
            return again(daemon, errand).await;
        }
        What::Order(order) => orders::give(daemon, order, *seq).await,
        What::SelfTest => {
            let done = daemon.arbiter.self_test().await;
            done.map(|()| Fields::new()).map_err(|error| failure(&error))
        }
    };
    match given {
        Ok(_) => Ok(Answer::Given),
        Err(failure) if failure.stale => again(daemon, errand).await,
        Err(failure) => Err(failure),
    }
}

/// Something has happened since an errand was shown: this is what it does now.
async fn again(daemon: &Daemon, errand: &Errand) -> Result<Answer, Failure> {
    Ok(Answer::Changed(Box::new(propose(daemon, errand).await?)))
}

/// A line of the journal as an event that was told.
pub(super) fn told(line: &str) -> Option<Told> {
    let details: Fields = serde_json::from_str(line).ok()?;
    let kind = details.get("kind")?.as_str()?.to_owned();
    let seq = details.get("seq")?.as_u64()?;
    let at_us = crate::record::read_us(details.get("at_us")?).ok()?.as_micros_floor();
    Some(Told { seq, at_us, kind, details })
}
