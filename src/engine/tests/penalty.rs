//! Penalties and the quickplay increment (`timing.md` 6; Laws 7.5, 9.5; Guidelines III).

use super::*;
use crate::engine::operation::{Penalty, Quickplay, Start};

const MIN: i64 = 60_000;

fn penalty(offender: Side, offence: Offence) -> Operation {
    Operation::from(Penalty { offender, offence, after_reply: false })
}

/// White has 1:30 and is to move, Black has 0:40.
fn short_of_time(control: &str) -> Game {
    let mut game = Game::started(control, Profile::Fide);
    game.pause().set_main(White, 90_000).set_main(Black, 40_000);
    game
}

#[test]
fn an_illegal_move_is_taken_back_and_the_opponent_gets_its_time() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    game.pause().set_main(White, 20_000).set_main(Black, 10_000).resume(None);
    game.moves(&[4_000]).wait(1_500);
    game.command(penalty(White, Offence::IllegalMove)).unwrap();
    let snapshot = game.snapshot();
    assert_eq!((snapshot.phase, snapshot.to_move), (Phase::Paused, White));
    assert_eq!(game.both(), (16_000, 70_000));
    assert_eq!((game.side(White).moves, game.side(White).penalties.illegal_move), (0, 1));
    game.resume(None).wait(1_000);
    assert_eq!(game.both(), (15_000, 70_000), "the resumption credits nothing");
}

#[test]
fn the_amount_goes_by_class_and_profile() {
    use Offence::{IllegalMove, QuickplayClaim, WrongClaim};
    for (control, profile, offence, minutes) in [
        ("1h30m+30s", Profile::Fide, IllegalMove, 2),
        ("1h30m+30s", Profile::Fide, WrongClaim, 2),
        ("1h30m+30s", Profile::Fide, QuickplayClaim, 2),
        ("15m+10s", Profile::Fide, IllegalMove, 1),
        ("15m+10s", Profile::Club, WrongClaim, 1),
        ("15m+10s", Profile::Fide, QuickplayClaim, 2),
        ("3m+2s", Profile::Fide, IllegalMove, 1),
        ("3m+2s", Profile::Us, IllegalMove, 2),
        ("10m byoyomi 3x30s", Profile::Club, IllegalMove, 2),
        ("10m byoyomi 3x30s", Profile::Go, IllegalMove, 0),
        ("10m byoyomi 3x30s", Profile::Go, WrongClaim, 0),
        ("10m byoyomi 3x30s", Profile::Go, QuickplayClaim, 2),
        ("up 1h", Profile::Club, WrongClaim, 0),
    ] {
        let mut game = Game::ready(control, profile);
        game.command(Operation::from(Start { side: Some(White) })).unwrap();
        game.moves(&[1_000]);
        let before = game.left(Black);
        game.command(penalty(White, offence)).unwrap();
        assert_eq!(game.left(Black) - before, minutes * MIN, "{control}, {profile:?}, {offence:?}");
        assert_eq!(game.side(White).penalties.of(offence), 1);
    }
}

#[test]
fn a_wrong_claim_takes_no_press_back_and_leaves_the_move_where_it_is() {
    for (offender, left) in [(White, (183_000, 180_000 + MIN)), (Black, (183_000 + MIN, 180_000))] {
        let mut game = Game::started("3m+2s", Profile::Fide);
        game.moves(&[1_000]).wait(2_000);
        game.command(penalty(offender, Offence::WrongClaim)).unwrap();
        let snapshot = game.snapshot();
        assert_eq!((snapshot.phase, snapshot.to_move), (Phase::Paused, Black));
        assert_eq!(snapshot.sides.white.moves, 1);
        assert_eq!(game.both(), left);
    }
}

#[test]
fn only_a_move_that_the_offender_completed_last_is_taken_back_or_with_the_reply() {
    for (after_reply, moves, white, to_move) in
        [(false, (1, 1), 183_000, White), (true, (0, 0), 181_000, White)]
    {
        let mut game = Game::started("3m+2s", Profile::Fide);
        game.moves(&[1_000, 3_000]);
        let offence = Offence::IllegalMove;
        game.command(Operation::from(Penalty { offender: White, offence, after_reply })).unwrap();
        let snapshot = game.snapshot();
        assert_eq!((snapshot.sides.white.moves, snapshot.sides.black.moves), moves);
        assert_eq!((game.left(White), snapshot.to_move), (white, to_move));
    }
}

#[test]
fn only_the_second_illegal_move_of_a_side_raises_the_second_offence() {
    let offence = Offence::IllegalMove;
    let raised = Effect::OffenceLimit { side: White, offence, count: 2 };
    let mut game = Game::started("3m+2s", Profile::Fide);
    for (offender, offence, times) in [
        (White, Offence::WrongClaim, 0),
        (White, Offence::WrongClaim, 0),
        (White, Offence::IllegalMove, 0),
        (Black, Offence::IllegalMove, 0),
        (White, Offence::IllegalMove, 1),
        (White, Offence::IllegalMove, 1),
    ] {
        game.command(penalty(offender, offence)).unwrap();
        let raised = game.log.iter().filter(|output| output.effect == raised).count();
        assert_eq!(raised, times, "{offence:?} by {offender}");
    }
    assert_eq!(game.both(), (182_000 + MIN, 182_000 + 5 * MIN), "it adds all the same");
}

#[test]
fn an_undo_keeps_the_time_and_the_count_of_a_penalty() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    game.moves(&[1_000]).command(penalty(White, Offence::WrongClaim)).unwrap();
    game.undo(1, true);
    assert_eq!(game.both(), (181_000, 182_000 + MIN));
    assert_eq!(game.side(White).penalties.wrong_claim, 1);
}

#[test]
fn in_an_hourglass_the_offender_pays_nothing() {
    let mut game = Game::started("hourglass 30s", Profile::Club);
    game.moves(&[5_000]).command(penalty(White, Offence::WrongClaim)).unwrap();
    assert_eq!(game.both(), (25_000, 35_000 + 2 * MIN));
}

#[test]
fn a_penalty_lifts_the_opponents_fall() {
    let mut game = Game::started("10s", Profile::Fide);
    game.moves(&[1_000]).wait(10_000);
    game.command(penalty(White, Offence::WrongClaim)).unwrap();
    let snapshot = game.snapshot();
    assert_eq!((snapshot.phase, snapshot.sides.black.flag), (Phase::Paused, None));
    assert!(snapshot.first_flag.is_some() && game.has(Effect::FlagLifted { side: Black }));
}

#[test]
fn before_the_start_nobody_is_penalised_and_no_claim_is_granted() {
    let mut game = Game::ready("25m", Profile::Fide);
    for command in
        [penalty(White, Offence::IllegalMove), Operation::from(Quickplay { claimant: White })]
    {
        assert_eq!(game.refused(command).kind(), RefusalKind::WrongPhase);
    }
}

#[test]
fn a_granted_quickplay_claim_brings_five_seconds_a_move_and_the_opponent_two_minutes() {
    let mut game = short_of_time("25m");
    game.command(Operation::from(Quickplay { claimant: White })).unwrap();
    assert_eq!(game.both(), (95_000, 165_000));
    assert_eq!(game.snapshot().phase, Phase::Paused);
    game.resume(None).moves(&[1_000, 1_000]);
    assert_eq!(game.both(), (99_000, 169_000));
    game.undo(2, true);
    assert_eq!(game.both(), (94_000, 165_000), "what was granted stays");
    assert!(
        game.command(Operation::from(Quickplay { claimant: White })).is_err(),
        "and is granted once"
    );
}

#[test]
fn a_quickplay_claim_needs_plain_time_a_last_stage_and_less_than_two_minutes() {
    for control in [
        "5m",
        "25m+10s",
        "25m delay 5s",
        "25m bronstein 5s",
        "25m byoyomi 1x10s",
        "25m canadian 5/1m",
        "25m overtime 1m",
        "40/1h30m, 30m",
        "hourglass 1m",
    ] {
        let mut game = short_of_time(control);
        let refusal = game.refused(Operation::from(Quickplay { claimant: White }));
        assert_eq!(refusal.kind(), RefusalKind::InvalidArgument, "{control}");
    }
    let mut game = short_of_time("25m");
    let refusal = game.refused(Operation::from(Quickplay { claimant: Black }));
    assert!(refusal.to_string().contains("to move"), "{refusal}");
    game.set_main(White, 120_000);
    game.refused(Operation::from(Quickplay { claimant: White }));
    game.set_main(White, 119_999).command(Operation::from(Quickplay { claimant: White })).unwrap();
    let mut fallen = short_of_time("25m");
    fallen.resume(None).wait(90_000);
    let refusal = fallen.refused(Operation::from(Quickplay { claimant: White }));
    assert_eq!(refusal, Refusal::NoTime { side: White });
}
