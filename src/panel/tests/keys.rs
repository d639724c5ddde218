//! What keys mean.

use super::*;
use crate::engine::Operation;
use crate::engine::operation::{End, Pause, Resume, Start};

fn ready() -> Table {
    Table::new(one(mins(5), Method::PLAIN), |_| {})
}

fn paused(set: impl FnOnce(&mut Switches)) -> Table {
    let mut table = Table::started(one(mins(5), Method::PLAIN), set);
    table.wait(s(1)).pause();
    table
}

fn resume(side: Side) -> Meaning {
    Meaning::Operation(Operation::from(Resume { side: Some(side) }))
}

fn lamps(table: &mut Table) -> (bool, bool) {
    // A whole second: the lit half of a blinking lamp.
    let lit = table.view_at(ms(10_000)).signals;
    (lit.lamp_left, lit.lamp_right)
}

#[test]
fn the_pause_key_starts_pauses_and_resumes_by_the_phase() {
    let mut table = ready();
    assert_eq!(
        table.stroke(Key::Pause, What::Pressed),
        Some(Meaning::Operation(Operation::from(Start { side: None })))
    );
    table.command(&Operation::from(Start { side: None }));
    assert_eq!(
        table.stroke(Key::Pause, What::Pressed),
        Some(Meaning::Operation(Operation::from(Pause {})))
    );
    table.pause();
    assert_eq!(table.stroke(Key::Pause, What::Pressed), Some(resume(Side::White)));
    table.command(&Operation::from(Resume { side: None })).wait(mins(6));
    assert_eq!(
        table.stroke(Key::Pause, What::Pressed),
        Some(Meaning::Operation(Operation::from(Pause {}))),
        "a claim"
    );
    table.command(&Operation::from(End { result: crate::engine::GameResult::BlackWins }));
    assert_eq!(table.stroke(Key::Pause, What::Pressed), None);
}

#[test]
fn where_the_switch_asks_for_a_hold_only_ok_held_for_a_second_and_let_go_resumes() {
    let mut table = paused(|switches| switches.box_resume = BoxResume::Hold);
    for what in [What::Pressed, What::Held(s(1)), What::Released] {
        assert_eq!(table.stroke(Key::Pause, what), None, "pause {what:?}");
    }
    for (what, meaning) in [
        (What::Pressed, None),
        (What::Held(s(1)), None),
        (What::Held(s(2)), None),
        (What::Released, Some(resume(Side::White))),
    ] {
        assert_eq!(table.stroke(Key::Ok, what), meaning, "ok {what:?}");
    }
    let running = Table::started(one(mins(5), Method::PLAIN), |switches| {
        switches.box_resume = BoxResume::Hold;
    });
    for mut table in [paused(|switches| switches.box_resume = BoxResume::Short), running] {
        for what in [What::Pressed, What::Held(s(1)), What::Released] {
            assert_eq!(table.stroke(Key::Ok, what), None);
        }
    }
}

#[test]
fn while_paused_minus_and_plus_step_through_the_side_to_resume_shown_blinking() {
    for key in [Key::Minus, Key::Plus] {
        let mut table = paused(|_| {});
        assert_eq!(lamps(&mut table), (true, false));
        assert_eq!(table.stroke(key, What::Pressed), None);
        assert_eq!(lamps(&mut table), (false, true));
        assert_eq!(table.stroke(Key::Pause, What::Pressed), Some(resume(Side::Black)));
        table.stroke(key, What::Pressed);
        assert_eq!(lamps(&mut table), (true, false));
    }
}

#[test]
fn a_choice_of_the_side_to_resume_does_not_outlive_its_pause() {
    let mut table = paused(|_| {});
    table.stroke(Key::Minus, What::Pressed);
    table.command(&Operation::from(Resume { side: None }));
    let _ = table.view();
    table.wait(s(1)).pause();
    assert_eq!(lamps(&mut table), (true, false));
    assert_eq!(table.stroke(Key::Pause, What::Pressed), Some(resume(Side::White)));
}

#[test]
fn minus_and_plus_choose_nothing_while_the_clock_runs() {
    let mut table = Table::started(one(mins(5), Method::PLAIN), |_| {});
    table.stroke(Key::Minus, What::Pressed);
    table.stroke(Key::Plus, What::Pressed);
    table.stroke(Key::Plus, What::Pressed);
    table.pause();
    assert_eq!(table.stroke(Key::Pause, What::Pressed), Some(resume(Side::White)));
}

#[test]
fn a_players_press_is_the_engines_to_judge_in_every_phase() {
    let mut flagged = Table::started(one(s(5), Method::PLAIN), |_| {});
    flagged.wait(s(6));
    let running = Table::started(one(mins(5), Method::PLAIN), |_| {});
    for mut table in [ready(), running, paused(|_| {}), flagged] {
        let press = table.stroke(Key::Left, What::Pressed);
        assert_eq!(press, Some(Meaning::Press(Seat::Left)));
        let press = table.stroke(Key::Right, What::Pressed);
        assert_eq!(press, Some(Meaning::Press(Seat::Right)));
        for what in [What::Held(s(1)), What::Released] {
            assert_eq!(table.stroke(Key::Left, what), None);
        }
    }
}

#[test]
fn two_presses_in_one_poll_have_one_meaning() {
    let mut table = ready();
    let strokes = [Key::Left, Key::Right].map(|key| table.stroke(key, What::PressedTogether));
    assert_eq!(strokes, [Some(Meaning::PressBoth), None]);
}

#[test]
fn stuck_and_freed_keys_are_told() {
    let mut table = ready();
    for key in Key::ALL {
        assert_eq!(table.stroke(key, What::Stuck), Some(Meaning::Stuck(key)));
        assert_eq!(table.stroke(key, What::Freed), Some(Meaning::Freed(key)));
    }
}

#[test]
fn a_plus_key_that_is_stuck_does_not_ask_for_the_press_counter() {
    let mut table = Table::started(one(mins(30), Method::PLAIN), |switches| {
        switches.show_moves = ShowMoves::OnRequest;
    });
    table.stroke(Key::Plus, What::Pressed);
    table.stroke(Key::Plus, What::Stuck);
    assert_eq!(table.left(), "   E30.00");
}
