//! Four digits a side.

use super::*;

fn narrow(control: Control, profile: Profile) -> Table {
    let mut table = Table::new(control, |_| {});
    let settings = Settings { profile, ..*table.engine.settings() };
    table.engine = Engine::new(Instant::ZERO, settings);
    table.panel = table.panel.clone().of_width(Width::Four);
    table.command(&crate::engine::operation::Start::default().into());
    table
}

/// What the left side reads, half a second after half a second.
fn halves(table: &mut Table, count: i64) -> Vec<String> {
    (0..count)
        .map(|_| {
            let read = read(&table.view().frame.left).trim_start().to_owned();
            table.wait(Span::from_millis(500));
            read
        })
        .collect()
}

#[test]
fn hours_are_told_from_minutes_by_a_point_that_blinks() {
    let mut table = narrow(one(Span::from_hours(2), Method::PLAIN), Profile::Club);
    assert_eq!(halves(&mut table, 4), ["2.00", "200.", "2.00", "200."]);
    let mut table = narrow(one(Span::from_secs(3_600), Method::PLAIN), Profile::Club);
    assert_eq!(halves(&mut table, 4), ["1.00", "100.", "59.59", "59.59."]);
}

#[test]
fn a_running_delay_takes_turns_with_the_time_but_not_under_fide() {
    let control = one(mins(25), delay(s(3)));
    let mut table = narrow(control, Profile::Club);
    assert_eq!(
        halves(&mut table, 8),
        ["25.00", "25.00.", "d  2", "d  2.", "25.00", "25.00.", "25.00", "25.00."]
    );
    let mut table = narrow(control, Profile::Fide);
    assert_eq!(halves(&mut table, 4), ["25.03", "25.03.", "25.02", "25.02."]);
}

#[test]
fn marks_that_find_no_room_take_turns_and_a_fall_is_always_seen() {
    let mut table = narrow(
        stages(vec![stage(s(1), Method::PLAIN), stage(mins(25), Method::PLAIN)]),
        Profile::Club,
    );
    table.wait(s(1));
    let seen = halves(&mut table, 8);
    assert!(seen.iter().any(|shown| shown.starts_with('=')), "{seen:?}");
    assert!(seen.iter().any(|shown| shown.starts_with("24.5")), "{seen:?}");
    let mut table = narrow(one(s(1), Method::PLAIN), Profile::Club);
    table.wait(s(1));
    assert_eq!(halves(&mut table, 4), ["F1  ", "0.00", "F1  ", "0.00"]);
}

#[test]
fn a_menu_shows_what_blinks_else_both_halves_in_turn() {
    let window = |text: &str, blinking: u8, second: i64| {
        let line = Line { blinking, ..Line::word(text) };
        read(&face::window(&line, line.cells, s(second))).trim().to_owned()
    };
    assert_eq!(window("SEt", 0, 0), "5Et");
    assert_eq!((window("CHooSE", 0, 0), window("CHooSE", 0, 1)), ("CHoo".into(), "oo5E".into()));
    assert_eq!(window("12345678", 0b0000_0001, 0), "1234");
    assert_eq!(window("12345678", 0b1000_0000, 1), "5678");
    assert_eq!(window("12345678", 0b0001_0000, 0), "3456");
}

#[test]
fn what_is_shown_on_four_digits_stands_until_next_change() {
    for control in [
        one(Span::from_secs(3_605), delay(s(3))),
        one(s(8), byoyomi(3, s(5))),
        one(s(3), then(Overtime::Below { limit: Span::from_mins(20) })),
        stages(vec![stage(s(3), Method::PLAIN), stage(s(30), Method::PLAIN)]),
    ] {
        let mut table = narrow(control, Profile::Club);
        for _ in 0..60 {
            let view = table.view();
            let deadline = table.engine.next_deadline();
            let next = [view.next_change, deadline].into_iter().flatten().min();
            let Some(next) = next else { break };
            let last = next - Span::from_nanos(1);
            if last > table.now {
                assert_eq!(table.view_at(last).frame, view.frame, "at {last:?}");
            }
            let pass = next - table.now;
            table.wait(pass);
        }
    }
}
