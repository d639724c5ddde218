//! A control as an English sentence for players.
//!
//! Says what the control means, not what the switches of a profile make of it.

use super::notation::write_duration;
use super::{Control, Grant, Method, Overtime, Stage, Stages};
use crate::time::Span;

/// A sentence, or one for each side, that says what the control means.
#[must_use]
pub fn sentence(control: &Control) -> String {
    if control.is_equal() {
        format!("Each side has {}.", side(&control.sides.white))
    } else {
        let [white, black] = [&control.sides.white, &control.sides.black].map(side);
        format!("White has {white}. Black has {black}.")
    }
}

fn side(stages: &Stages) -> String {
    let common = common_grant(stages);
    let mut text = String::new();
    let mut previous: Option<&Stage> = None;
    // The first move of the stage, as long as it is known.
    let mut first_move = Some(1);
    for (index, stage) in stages.list.iter().enumerate() {
        let is_last = !stages.has_next(index);
        text.push_str(previous.map_or("", transition));
        text.push_str(&time_of(stage, index == 0, is_last, stages.repeat));
        if common.is_none() {
            text.push_str(&own_grant(stage, is_last, first_move));
        }
        text.push_str(&overtime_of(stage));
        first_move = first_move.zip(stage.moves).map(|(first, moves)| first + moves);
        previous = Some(stage);
    }
    if let Some(grant) = common {
        let from = if stages.list.len() > 1 { " from move 1 on" } else { "" };
        text.push_str(&granted(&grant, &format!("each move{from}")));
    }
    text
}

/// The grant that all stages share; `None` if they differ, or if overtime is to be told after it.
fn common_grant(stages: &Stages) -> Option<Grant> {
    let grant = stages.list.first().and_then(grant_of)?;
    let shared = stages.list.iter().all(|stage| {
        matches!(&stage.method,
            Method::Main { grant: other, overtime: Overtime::None } if *other == grant)
    });
    shared.then_some(grant)
}

fn grant_of(stage: &Stage) -> Option<Grant> {
    match stage.method {
        Method::Main { grant, .. } if grant != Grant::None => Some(grant),
        _ => None,
    }
}

/// What leads from this stage to the next.
fn transition(stage: &Stage) -> &'static str {
    match (stage.moves, stage.confirm) {
        (None, _) => ", then, for both sides as soon as one reaches zero, ",
        (Some(_), true) => ", then, once the arbiter confirms it, ",
        (Some(_), false) => ", then ",
    }
}

/// The time of a stage and what it is for.
fn time_of(stage: &Stage, is_first: bool, is_last: bool, repeats: bool) -> String {
    let time = words(stage.base);
    match &stage.method {
        Method::Hourglass => {
            return format!("{time} in an hourglass: the time that a side uses goes to the other");
        }
        Method::PerMove { stays_at_zero: false } => return format!("{time} for each move"),
        Method::PerMove { stays_at_zero: true } => {
            return format!("{time} for each move, and no flag falls at zero");
        }
        Method::Gong => {
            return format!("{time} a turn, after which the clock changes sides by itself");
        }
        Method::CountUp { limit: None } => {
            return "a clock that counts up from zero without a limit".to_owned();
        }
        Method::CountUp { limit: Some(limit) } => {
            return format!("a clock that counts up from zero to {}", words(*limit));
        }
        Method::Main { overtime: Overtime::None, .. } => {}
        Method::Main { .. } => return main_before_overtime(stage, &time, is_first),
    }
    let time = match (stage.base, is_first) {
        (Span::ZERO, true) => "no main time".to_owned(),
        (Span::ZERO, false) => "no more main time".to_owned(),
        _ => time,
    };
    let purpose = match (stage.moves, is_first, is_last) {
        (Some(moves), _, true) if repeats => format!(" for every {}", counted(moves, "move")),
        (Some(moves), true, _) => format!(" for {}", counted(moves, "move")),
        (Some(1), false, _) => " for the next move".to_owned(),
        (Some(moves), false, _) => format!(" for the next {moves} moves"),
        (None, true, true) => " for the whole game".to_owned(),
        (None, false, true) => " for the rest of the game".to_owned(),
        (None, _, false) => String::new(),
    };
    time + &purpose
}

/// Main time where overtime follows; nothing where there is neither main time nor a grant.
fn main_before_overtime(stage: &Stage, time: &str, is_first: bool) -> String {
    match (stage.base, grant_of(stage), is_first) {
        (Span::ZERO, None, _) => String::new(),
        (Span::ZERO, Some(_), true) => "no main time".to_owned(),
        (Span::ZERO, Some(_), false) => "no more main time".to_owned(),
        _ => time.to_owned(),
    }
}

/// The grant of one stage where the stages differ.
fn own_grant(stage: &Stage, is_last: bool, first_move: Option<u32>) -> String {
    let Some(grant) = grant_of(stage) else { return String::new() };
    let moves = match (stage.moves, is_last, first_move) {
        (Some(_), false, _) => "each of these moves".to_owned(),
        (None, false, _) => "each move until then".to_owned(),
        (_, true, Some(1)) => "each move".to_owned(),
        (_, true, Some(first)) => format!("each move from move {first} on"),
        (_, true, None) => "each move from then on".to_owned(),
    };
    granted(&grant, &moves)
}

fn granted(grant: &Grant, moves: &str) -> String {
    match grant {
        Grant::None => String::new(),
        Grant::Increment { each, cap: None } => {
            format!(", with {} added for {moves}", words(*each))
        }
        Grant::Increment { each, cap: Some(cap) } => {
            format!(", with {} added for {moves} but never above {}", words(*each), words(*cap))
        }
        Grant::Delay { each } => {
            format!(", with {} of delay for {moves}", words(*each))
        }
        Grant::Bronstein { each } => {
            format!(", with up to {} of the time used given back for {moves}", words(*each))
        }
    }
}

fn overtime_of(stage: &Stage) -> String {
    let Method::Main { overtime, .. } = &stage.method else { return String::new() };
    let has_main = stage.base.is_positive() || grant_of(stage).is_some();
    let then = if has_main { ", then " } else { "" };
    match overtime {
        Overtime::None => String::new(),
        Overtime::Byoyomi { periods, each, free, burn_on_entry } => {
            let free = free.map_or(String::new(), |free| {
                format!("{} free of charge for each move and ", words(free))
            });
            let lost = if *burn_on_entry { "begun" } else { "used up" };
            format!(
                "{then}{free}{} of {}, full again for each move and lost when {lost}",
                counted(*periods, "byo-yomi period"),
                words(*each)
            )
        }
        Overtime::Canadian { blocks } => {
            let last = blocks.len().saturating_sub(1);
            let blocks: Vec<String> = blocks
                .iter()
                .enumerate()
                .map(|(index, block)| {
                    let every = if index == last { "every " } else { "" };
                    format!("{} for {every}{}", words(block.time()), counted(block.stones, "move"))
                })
                .collect();
            format!("{then}{}, and what is left unused is lost", blocks.join(", then "))
        }
        Overtime::Below { limit } => format!(
            ", then up to {} of overtime at 10 penalty points for each minute or part of one",
            words(*limit)
        ),
    }
}

/// A duration in words: "1 hour 30 minutes".
fn words(span: Span) -> String {
    let short = write_duration(span);
    let mut rest = short.as_str();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (number, behind) = rest.split_at(rest.find(char::is_alphabetic).unwrap_or(rest.len()));
        let (unit, next) = behind.split_at(behind.find(char::is_numeric).unwrap_or(behind.len()));
        let unit = match unit {
            "h" => "hour",
            "m" => "minute",
            "s" => "second",
            _ => "millisecond",
        };
        parts.push(counted(number.parse().unwrap_or_default(), unit));
        rest = next;
    }
    parts.join(" ")
}

/// "1 move", "40 moves".
fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::notation::parse;

    #[test]
    fn every_kind_of_control_reads_as_a_sentence() {
        let texts = [
            "5m",
            "3m+2s",
            "10m+5s cap 10m",
            "40/1h30m+30s, 30m+30s",
            "40/2h, 20/1h, 15m+30s",
            "40/2h+10s, 20/1h+30s, 15m+30s",
            "40/1h repeat",
            "40/2h, 20/1h repeat",
            "2h, 15m",
            "2h, 10m+30s",
            "40/2h confirm, 30m",
            "60/5m, 0s+3s",
            "1/5m, 1/5m, 5m",
            "0s+10s",
            "25m delay 5s",
            "40/1h30m delay 5s, 30m delay 5s",
            "25m bronstein 5s",
            "1h byoyomi 5x1m",
            "1h+10s byoyomi 5x1m",
            "byoyomi 30x1m",
            "10m byoyomi 1x20s",
            "byoyomi 10x1m free 30s burn-on-entry",
            "10m byoyomi 10x1m free 30s",
            "30m canadian 20/5m",
            "1h canadian 10/5m then 20/5m then 30/5m",
            "canadian 3/3m",
            "40/2h, 1h byoyomi 5x1m",
            "25m overtime 10m",
            "hourglass 1m",
            "move 10s",
            "move 10s continue",
            "gong 10s",
            "up",
            "up 1h",
            "white 5m; black 4m",
            "white 60/5m, 0s+3s; black 60/4m, 0s+3s",
            "1h1m1s1ms",
        ];
        let sentences: String = texts
            .iter()
            .map(|text| format!("{text}\n    {}\n", sentence(&parse(text).expect("a control"))))
            .collect();
        insta::assert_snapshot!(sentences, @r#"
    5m
        Each side has 5 minutes for the whole game.
    3m+2s
        Each side has 3 minutes for the whole game, with 2 seconds added for each move.
    10m+5s cap 10m
        Each side has 10 minutes for the whole game, with 5 seconds added for each move but never above 10 minutes.
    40/1h30m+30s, 30m+30s
        Each side has 1 hour 30 minutes for 40 moves, then 30 minutes for the rest of the game, with 30 seconds added for each move from move 1 on.
    40/2h, 20/1h, 15m+30s
        Each side has 2 hours for 40 moves, then 1 hour for the next 20 moves, then 15 minutes for the rest of the game, with 30 seconds added for each move from move 61 on.
    40/2h+10s, 20/1h+30s, 15m+30s
        Each side has 2 hours for 40 moves, with 10 seconds added for each of these moves, then 1 hour for the next 20 moves, with 30 seconds added for each of these moves, then 15 minutes for the rest of the game, with 30 seconds added for each move from move 61 on.
    40/1h repeat
        Each side has 1 hour for every 40 moves.
    40/2h, 20/1h repeat
        Each side has 2 hours for 40 moves, then 1 hour for every 20 moves.
    2h, 15m
        Each side has 2 hours, then, for both sides as soon as one reaches zero, 15 minutes for the rest of the game.
    2h, 10m+30s
        Each side has 2 hours, then, for both sides as soon as one reaches zero, 10 minutes for the rest of the game, with 30 seconds added for each move from then on.
    40/2h confirm, 30m
        Each side has 2 hours for 40 moves, then, once the arbiter confirms it, 30 minutes for the rest of the game.
    60/5m, 0s+3s
        Each side has 5 minutes for 60 moves, then no more main time for the rest of the game, with 3 seconds added for each move from move 61 on.
    1/5m, 1/5m, 5m
        Each side has 5 minutes for 1 move, then 5 minutes for the next move, then 5 minutes for the rest of the game.
    0s+10s
        Each side has no main time for the whole game, with 10 seconds added for each move.
    25m delay 5s
        Each side has 25 minutes for the whole game, with 5 seconds of delay for each move.
    40/1h30m delay 5s, 30m delay 5s
        Each side has 1 hour 30 minutes for 40 moves, then 30 minutes for the rest of the game, with 5 seconds of delay for each move from move 1 on.
    25m bronstein 5s
        Each side has 25 minutes for the whole game, with up to 5 seconds of the time used given back for each move.
    1h byoyomi 5x1m
        Each side has 1 hour, then 5 byo-yomi periods of 1 minute, full again for each move and lost when used up.
    1h+10s byoyomi 5x1m
        Each side has 1 hour, with 10 seconds added for each move, then 5 byo-yomi periods of 1 minute, full again for each move and lost when used up.
    byoyomi 30x1m
        Each side has 30 byo-yomi periods of 1 minute, full again for each move and lost when used up.
    10m byoyomi 1x20s
        Each side has 10 minutes, then 1 byo-yomi period of 20 seconds, full again for each move and lost when used up.
    byoyomi 10x1m free 30s burn-on-entry
        Each side has 30 seconds free of charge for each move and 10 byo-yomi periods of 1 minute, full again for each move and lost when begun.
    10m byoyomi 10x1m free 30s
        Each side has 10 minutes, then 30 seconds free of charge for each move and 10 byo-yomi periods of 1 minute, full again for each move and lost when used up.
    30m canadian 20/5m
        Each side has 30 minutes, then 5 minutes for every 20 moves, and what is left unused is lost.
    1h canadian 10/5m then 20/5m then 30/5m
        Each side has 1 hour, then 5 minutes for 10 moves, then 5 minutes for 20 moves, then 5 minutes for every 30 moves, and what is left unused is lost.
    canadian 3/3m
        Each side has 3 minutes for every 3 moves, and what is left unused is lost.
    40/2h, 1h byoyomi 5x1m
        Each side has 2 hours for 40 moves, then 1 hour, then 5 byo-yomi periods of 1 minute, full again for each move and lost when used up.
    25m overtime 10m
        Each side has 25 minutes, then up to 10 minutes of overtime at 10 penalty points for each minute or part of one.
    hourglass 1m
        Each side has 1 minute in an hourglass: the time that a side uses goes to the other.
    move 10s
        Each side has 10 seconds for each move.
    move 10s continue
        Each side has 10 seconds for each move, and no flag falls at zero.
    gong 10s
        Each side has 10 seconds a turn, after which the clock changes sides by itself.
    up
        Each side has a clock that counts up from zero without a limit.
    up 1h
        Each side has a clock that counts up from zero to 1 hour.
    white 5m; black 4m
        White has 5 minutes for the whole game. Black has 4 minutes for the whole game.
    white 60/5m, 0s+3s; black 60/4m, 0s+3s
        White has 5 minutes for 60 moves, then no more main time for the rest of the game, with 3 seconds added for each move from move 61 on. Black has 4 minutes for 60 moves, then no more main time for the rest of the game, with 3 seconds added for each move from move 61 on.
    1h1m1s1ms
        Each side has 1 hour 1 minute 1 second 1 millisecond for the whole game.
    "#);
    }
}
