//! What the box says of itself.

use super::*;

/// Both displays in the middle of each second, as long as they are the same throughout.
fn each_second(table: &mut Table, seconds: i64) -> Vec<String> {
    (0..seconds)
        .map(|second| {
            let middle = table.now + s(second) + Span::from_millis(250);
            let frame = table.view_at(middle).frame;
            format!("{}|{}", read(&frame.left).trim(), read(&frame.right).trim())
        })
        .collect()
}

#[test]
fn troubles_are_said_one_second_in_five_while_no_clock_runs_and_not_when_they_are_over() {
    let mut table = Table::new(one(mins(5), Method::PLAIN), |_| {});
    let times = "5.00|5.00";
    table.panel.set_troubles(Troubles { card: true, bus: false, priority: true });
    assert_eq!(
        each_second(&mut table, 10),
        [times, times, times, times, "Err|CArd", times, times, times, times, "Err|5LoU"]
    );
    table.command(&crate::engine::operation::Start::default().into());
    let running = each_second(&mut table, 10);
    assert!(!running.iter().any(|shown| shown.contains("Err")), "{running:?}");
    table.pause();
    assert!(each_second(&mut table, 5).contains(&"Err|CArd".to_owned()));
    table.panel.set_troubles(Troubles::default());
    assert!(!each_second(&mut table, 10).iter().any(|shown| shown.contains("Err")));
    assert_eq!(Table::new(one(mins(5), Method::PLAIN), |_| {}).view().next_change, None);
}

#[test]
fn what_is_shown_with_troubles_stands_until_next_change() {
    let mut table = Table::new(one(mins(5), Method::PLAIN), |_| {});
    table.panel.set_troubles(Troubles { card: true, bus: true, priority: true });
    for _ in 0..20 {
        let view = table.view();
        let next = view.next_change.unwrap();
        assert!(next > table.now);
        assert_eq!(table.view_at(next - Span::from_nanos(1)).frame, view.frame);
        table.now = next;
    }
    assert!(table.now > ms(25_000), "it is not drawn more often than it changes");
}

#[test]
fn a_menu_and_a_word_to_a_player_come_before_troubles() {
    let mut table = paused_table(|_| {});
    table.panel.set_troubles(Troubles { card: true, bus: true, priority: true });
    table.wait(s(8));
    assert_eq!(table.left(), "Err     ");
    table.act(Key::Right, What::Pressed);
    assert_eq!(table.right(), "PAU5E   ");
    table.hold(Key::Ok, 3);
    for _ in 0..8 {
        assert_eq!(table.left(), "5Et     ");
        table.wait(s(1));
    }
}
