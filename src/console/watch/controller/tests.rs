use super::*;
use crate::record::Fields;

/// Keys as they are typed: `^` is Esc, `$` Enter, anything else itself.
fn typed(controller: &mut Controller, phase: &str, keys: &str) -> Option<WatchRequest> {
    let mut request = None;
    for letter in keys.chars() {
        let code = match letter {
            '^' => KeyCode::Esc,
            '$' => KeyCode::Enter,
            letter => KeyCode::Char(letter),
        };
        request = controller.key(&KeyEvent::new(code, KeyModifiers::NONE), phase);
    }
    request
}

fn preview(words: &str) -> Box<CommandPreview> {
    let command = TypedCommand::read(words).unwrap();
    let (before, after, notes) = (Fields::new(), None, Vec::new());
    Box::new(CommandPreview { command, call: None, seq: 7, before, after, notes })
}

/// A controller that shows what this would do.
fn shown(words: &str) -> Controller {
    let mut controller = Controller::new();
    let request = typed(&mut controller, "running", &format!(":{words}$"));
    let Some(WatchRequest::Preview { request_id, .. }) = request else { panic!("{request:?}") };
    controller.outcome(request_id, Outcome::Previewed(preview(words)));
    assert!(
        matches!(controller.mode, Mode::Confirming { changed: false, .. }),
        "{:?}",
        controller.mode
    );
    controller
}

/// The words of the command that a preview is asked for.
fn words(request: Option<WatchRequest>) -> Option<String> {
    match request {
        Some(WatchRequest::Preview { command, .. }) => Some(command.words),
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
        let mut controller = Controller::new();
        assert_eq!(words(typed(&mut controller, phase, keys)).as_deref(), Some(asked), "{keys}");
        assert!(matches!(controller.mode, Mode::Previewing { .. }), "{keys}");
    }
}

#[test]
fn every_key_of_the_help_begins_a_command_that_is_there() {
    for (number, (key, words)) in KEYS.iter().enumerate() {
        let name = words.trim_end_matches([' ', '$']);
        assert!(super::super::command::is_known(name), "{name}");
        let twice = KEYS.iter().skip(number + 1).find(|(other, _)| other == key);
        assert!(twice.is_none() && !" :?q".contains(*key), "{key}");
        if words.ends_with('$') {
            assert!(TypedCommand::read(name).is_ok(), "{name}");
        }
    }
}

#[test]
fn only_enter_on_what_was_shown_gives_an_order_and_for_the_line_it_was_shown_for() {
    for keys in [" ", "y", "p", "5", "^", "q"] {
        let mut controller = shown("pause lunch");
        let request = typed(&mut controller, "running", keys);
        assert_eq!(request, None, "{keys}");
    }
    let mut controller = shown("pause lunch");
    let request = typed(&mut controller, "running", "$");
    let Some(WatchRequest::Apply { request_id, preview }) = request else { panic!("{request:?}") };
    assert_eq!((preview.command.words.as_str(), preview.seq), ("pause lunch", 7));
    assert_eq!(typed(&mut controller, "running", "$$^q "), None, "it is given once");
    controller.outcome(request_id, Outcome::Done);
    assert_eq!(controller.mode, Mode::Idle);
    assert_eq!(controller.done.as_deref(), Some("done: pause lunch"));
    typed(&mut controller, "paused", "x");
    assert_eq!(controller.done, None);
}

#[test]
fn nothing_is_confirmed_that_has_no_room_to_be_read() {
    let mut controller = shown("penalty white illegal-move");
    controller.legible = false;
    assert_eq!(typed(&mut controller, "running", "$"), None);
    assert!(matches!(controller.mode, Mode::Confirming { .. }), "it still lies there");
    controller.legible = true;
    assert!(matches!(typed(&mut controller, "running", "$"), Some(WatchRequest::Apply { .. })));
}

#[test]
fn what_has_changed_since_is_shown_anew_and_asked_again() {
    let mut controller = shown("undo");
    let request = typed(&mut controller, "paused", "$");
    let Some(WatchRequest::Apply { request_id, .. }) = request else { panic!("{request:?}") };
    let mut changed = preview("undo");
    changed.seq = 9;
    controller.outcome(request_id, Outcome::Changed(changed));
    assert!(
        matches!(&controller.mode, Mode::Confirming { changed: true, .. }),
        "{:?}",
        controller.mode
    );
    let request = typed(&mut controller, "paused", "$");
    let Some(WatchRequest::Apply { preview, .. }) = request else { panic!("{request:?}") };
    assert_eq!(preview.seq, 9);
}

#[test]
fn what_only_shows_is_never_given() {
    let mut controller = shown("what-if 5m");
    assert_eq!(typed(&mut controller, "paused", "$"), None);
    assert_eq!(controller.mode, Mode::Idle);
}

#[test]
fn a_line_that_makes_no_sense_stays_to_be_corrected() {
    let mut controller = Controller::new();
    assert_eq!(typed(&mut controller, "paused", "swhite soon$"), None);
    let Mode::Typing { edit, complaint } = &controller.mode else {
        panic!("{:?}", controller.mode)
    };
    assert_eq!(edit.text(), "set white soon");
    assert!(complaint.join(" ").contains("soon"), "{complaint:?}");
    typed(&mut controller, "paused", "!");
    let Mode::Typing { complaint, .. } = &controller.mode else { panic!("{:?}", controller.mode) };
    assert!(complaint.is_empty());
}

#[test]
fn a_refusal_is_told_with_its_sentence() {
    for (failure, title) in [
        (CliError::refused("not while it runs"), "swap: refused"),
        (CliError::not_permitted("swap is for arbiters"), "swap: permission denied"),
        (CliError::no_daemon("the daemon has gone"), "swap: no answer"),
    ] {
        let mut controller = Controller::new();
        let request = typed(&mut controller, "running", "w");
        let Some(WatchRequest::Preview { request_id, .. }) = request else { panic!("{request:?}") };
        controller.outcome(request_id, Outcome::Failed(failure.clone()));
        let told = Mode::Message { title: title.to_owned(), lines: vec![failure.sentence] };
        assert_eq!(controller.mode, told);
        assert_eq!(typed(&mut controller, "running", "q"), None, "q closes what is told");
        assert_eq!(controller.mode, Mode::Idle);
    }
}

#[test]
fn an_answer_to_something_that_was_left_is_of_no_interest() {
    let mut controller = Controller::new();
    let request = typed(&mut controller, "running", "w");
    let Some(WatchRequest::Preview { request_id: first, .. }) = request else {
        panic!("{request:?}")
    };
    typed(&mut controller, "running", "^");
    controller.outcome(first, Outcome::Previewed(preview("swap")));
    assert_eq!(controller.mode, Mode::Idle);
    typed(&mut controller, "running", "l");
    controller.outcome(first, Outcome::Previewed(preview("swap")));
    assert_eq!(controller.mode, Mode::Previewing { words: "lock".to_owned() });
}

#[test]
fn q_and_control_c_leave_and_letting_a_key_go_does_nothing() {
    let mut controller = Controller::new();
    assert_eq!(typed(&mut controller, "running", "q"), Some(WatchRequest::Leave));
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(shown("swap").key(&control_c, "running"), Some(WatchRequest::Leave));
    let mut release = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
    release.kind = KeyEventKind::Release;
    assert_eq!(controller.key(&release, "running"), None);
    assert_eq!(typed(&mut controller, "running", ":q"), None, "a letter of a line");
}
