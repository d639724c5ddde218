use super::*;
use crate::record::Fields;

/// Keys as they are typed: `^` is Esc, `$` Enter, anything else itself.
fn typed(machine: &mut Machine, phase: &str, keys: &str) -> Option<Wish> {
    let mut wish = None;
    for letter in keys.chars() {
        let code = match letter {
            '^' => KeyCode::Esc,
            '$' => KeyCode::Enter,
            letter => KeyCode::Char(letter),
        };
        wish = machine.key(&KeyEvent::new(code, KeyModifiers::NONE), phase);
    }
    wish
}

fn proposal(words: &str) -> Box<Proposal> {
    let errand = Errand::read(words).unwrap();
    let (before, after, says) = (Fields::new(), None, Vec::new());
    Box::new(Proposal { errand, seq: 7, before, after, says })
}

/// A machine that shows what this would do.
fn shown(words: &str) -> Machine {
    let mut machine = Machine::new();
    let wish = typed(&mut machine, "running", &format!(":{words}$"));
    let Some(Wish::Foresee { ticket, .. }) = wish else { panic!("{wish:?}") };
    machine.answer(ticket, Answer::Foreseen(proposal(words)));
    assert!(matches!(machine.mode, Mode::Shown { anew: false, .. }), "{:?}", machine.mode);
    machine
}

/// The words that a wish to foresee is about.
fn words(wish: Option<Wish>) -> Option<String> {
    match wish {
        Some(Wish::Foresee { errand, .. }) => Some(errand.words),
        _ => None,
    }
}

#[test]
fn a_key_or_a_line_asks_what_an_order_would_do_and_gives_none() {
    for (phase, keys, asked) in [
        ("ready", " ", "start"),
        ("running", " ", "pause"),
        ("paused", " ", "resume"),
        ("flagged", " ", "resume"),
        ("running", "w", "swap"),
        ("running", "l", "lock"),
        ("running", "L", "unlock"),
        ("paused", "d", "selftest"),
        ("paused", "u$", "undo"),
        ("paused", "u 2 --no-refund$", "undo 2 --no-refund"),
        ("paused", "swhite 5m + moves white 14$", "set white 5m + moves white 14"),
        ("paused", "xblack illegal-move$", "penalty black illegal-move"),
        ("paused", ":end 1-0$", "end 1-0"),
        ("paused", "?^n3m+2s$", "new 3m+2s"),
    ] {
        let mut machine = Machine::new();
        assert_eq!(words(typed(&mut machine, phase, keys)).as_deref(), Some(asked), "{keys}");
        assert!(matches!(machine.mode, Mode::Asking { .. }), "{keys}");
    }
}

#[test]
fn every_key_of_the_help_begins_a_command_that_is_there() {
    for (number, operation) in OPERATIONS.iter().enumerate() {
        let name = operation.begins.trim();
        assert!(super::super::errand::COMMANDS.contains(&name), "{name}");
        let twice = OPERATIONS.iter().skip(number + 1).find(|other| other.key == operation.key);
        assert!(twice.is_none() && !" :?q".contains(operation.key), "{}", operation.key);
        if operation.whole {
            assert!(Errand::read(name).is_ok(), "{name}");
        }
    }
}

#[test]
fn only_enter_on_what_was_shown_gives_an_order_and_for_the_line_it_was_shown_for() {
    for keys in [" ", "y", "p", "5", "^", "q"] {
        let mut machine = shown("pause lunch");
        let wish = typed(&mut machine, "running", keys);
        assert_eq!(wish, None, "{keys}");
    }
    let mut machine = shown("pause lunch");
    let wish = typed(&mut machine, "running", "$");
    let Some(Wish::Give { ticket, proposal }) = wish else { panic!("{wish:?}") };
    assert_eq!((proposal.errand.words.as_str(), proposal.seq), ("pause lunch", 7));
    assert_eq!(typed(&mut machine, "running", "$$^q "), None, "it is given once");
    machine.answer(ticket, Answer::Given);
    assert_eq!(machine.mode, Mode::Looking);
    assert_eq!(machine.done.as_deref(), Some("done: pause lunch"));
    typed(&mut machine, "paused", "x");
    assert_eq!(machine.done, None);
}

#[test]
fn nothing_is_confirmed_that_has_no_room_to_be_read() {
    let mut machine = shown("penalty white illegal-move");
    machine.legible = false;
    assert_eq!(typed(&mut machine, "running", "$"), None);
    assert!(matches!(machine.mode, Mode::Shown { .. }), "it still lies there");
    machine.legible = true;
    assert!(matches!(typed(&mut machine, "running", "$"), Some(Wish::Give { .. })));
}

#[test]
fn what_has_changed_since_is_shown_anew_and_asked_again() {
    let mut machine = shown("undo");
    let wish = typed(&mut machine, "paused", "$");
    let Some(Wish::Give { ticket, .. }) = wish else { panic!("{wish:?}") };
    let mut anew = proposal("undo");
    anew.seq = 9;
    machine.answer(ticket, Answer::Changed(anew));
    assert!(matches!(&machine.mode, Mode::Shown { anew: true, .. }), "{:?}", machine.mode);
    let wish = typed(&mut machine, "paused", "$");
    let Some(Wish::Give { proposal, .. }) = wish else { panic!("{wish:?}") };
    assert_eq!(proposal.seq, 9);
}

#[test]
fn what_only_shows_is_never_given() {
    let mut machine = shown("what-if 5m");
    assert_eq!(typed(&mut machine, "paused", "$"), None);
    assert_eq!(machine.mode, Mode::Looking);
}

#[test]
fn a_line_that_makes_no_sense_stays_to_be_corrected() {
    let mut machine = Machine::new();
    assert_eq!(typed(&mut machine, "paused", "swhite soon$"), None);
    let Mode::Typing { entry, complaint } = &machine.mode else { panic!("{:?}", machine.mode) };
    assert_eq!(entry.text(), "set white soon");
    assert!(complaint.join(" ").contains("soon"), "{complaint:?}");
    typed(&mut machine, "paused", "!");
    let Mode::Typing { complaint, .. } = &machine.mode else { panic!("{:?}", machine.mode) };
    assert!(complaint.is_empty());
}

#[test]
fn a_refusal_is_told_with_its_sentence() {
    for (failure, title) in [
        (Failure::refused("not while it runs"), "swap: refused"),
        (Failure::not_permitted("swap is for arbiters"), "swap: you may not"),
        (Failure::no_daemon("the daemon has gone"), "swap: nobody answers"),
    ] {
        let mut machine = Machine::new();
        let wish = typed(&mut machine, "running", "w");
        let Some(Wish::Foresee { ticket, .. }) = wish else { panic!("{wish:?}") };
        machine.answer(ticket, Answer::Failed(failure.clone()));
        let told = Mode::Told { title: title.to_owned(), lines: vec![failure.sentence] };
        assert_eq!(machine.mode, told);
        assert_eq!(typed(&mut machine, "running", "q"), None, "q closes what is told");
        assert_eq!(machine.mode, Mode::Looking);
    }
}

#[test]
fn an_answer_to_something_that_was_left_is_of_no_interest() {
    let mut machine = Machine::new();
    let wish = typed(&mut machine, "running", "w");
    let Some(Wish::Foresee { ticket: first, .. }) = wish else { panic!("{wish:?}") };
    typed(&mut machine, "running", "^");
    machine.answer(first, Answer::Foreseen(proposal("swap")));
    assert_eq!(machine.mode, Mode::Looking);
    typed(&mut machine, "running", "l");
    machine.answer(first, Answer::Foreseen(proposal("swap")));
    assert_eq!(machine.mode, Mode::Asking { words: "lock".to_owned() });
}

#[test]
fn q_and_control_c_leave_and_letting_a_key_go_does_nothing() {
    let mut machine = Machine::new();
    assert_eq!(typed(&mut machine, "running", "q"), Some(Wish::Leave));
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(shown("swap").key(&control_c, "running"), Some(Wish::Leave));
    let mut release = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
    release.kind = KeyEventKind::Release;
    assert_eq!(machine.key(&release, "running"), None);
    assert_eq!(typed(&mut machine, "running", ":q"), None, "a letter of a line");
}
