//! What the menus show.

use super::*;

#[test]
fn no_message_of_the_box_looks_like_a_time() {
    let mark = Message::Mark(['2', '4', '8', 'F']);
    for message in [
        Message::Locked,
        Message::Refused,
        Message::NoPowerOff,
        Message::PowerOff,
        Message::NotKept,
        Message::Changed,
        Message::Undone,
        Message::Inserted,
        mark,
    ] {
        let page = message.page();
        for line in [page.left, page.right] {
            let text = read(&line.cells);
            let letters = text.chars().filter(|c| c.is_alphabetic()).count();
            assert!(letters > 0 && !text.contains('.') || text.starts_with('-'), "{text:?}");
        }
    }
}

#[test]
fn the_pages_of_the_menus() {
    let mut pages = Vec::new();
    let mut walk = |name: &str, mut bench: Bench, keys: &str| {
        bench.enter();
        pages.push(format!("{name}\n   {}", bench.shows()));
        for key in keys.chars() {
            let key = match key {
                '+' => Key::Plus,
                '-' => Key::Minus,
                'o' => Key::Ok,
                _ => Key::Pause,
            };
            bench.press(key);
            let page = bench.shows();
            pages.push(format!(
                " {} {page}",
                match key {
                    Key::Plus => '+',
                    Key::Minus => '-',
                    Key::Ok => 'o',
                    _ => 'p',
                }
            ));
        }
    };
    walk("ready: choose", Bench::new("5m"), "o+++-opp");
    walk("ready: own, byo-yomi", Bench::new("5m"), "+o+ooo+ooooooooooo+o+++o+++++ooooooo");
    walk("ready: own, unequal", Bench::new("5m"), "+oo+o+oooooo");
    walk("ready: options", Bench::new("5m"), "++oo+o+o-o+o+o+o+o+o+o+op");
    walk("paused: correct a delay", Bench::paused("25m delay 5s"), "o+++oooooooo++ooooo+oo+oo");
    walk("paused: correct byo-yomi", Bench::paused("40/1h, 10m byoyomi 5x1m"), "oooooo+oooo");
    walk("paused: correct canadian", Bench::paused("canadian 20/5m"), "oooooooooooo");
    walk("paused: another control", Bench::paused("5m"), "oooooooo++-o");
    walk("paused: a new game", Bench::paused("5m"), "+op");
    insta::assert_snapshot!(pages.join("\n"));
}

#[test]
fn the_outline_of_a_control_takes_turns() {
    let mut lines = Vec::new();
    for control in [
        "5m",
        "3m+2s",
        "40/1h30m+30s, 30m+30s",
        "10m+5s cap 10m",
        "white 5m; black 4m delay 3s",
        "10m byoyomi 10x1m free 30s burn-on-entry",
        "1h canadian 10/5m then 20/5m",
        "25m overtime 10m",
        "hourglass 1m",
        "up 2h",
        "40/1h repeat",
        "40/2h confirm, 30m",
        "move 12h",
    ] {
        let outline = Offer::of_slot(0, &notation::parse(control).unwrap()).outline;
        let outline: Vec<String> = outline.iter().map(|line| read(&line.cells)).collect();
        lines.push(format!("{control}\n  [{}]", outline.join("] [")));
    }
    insta::assert_snapshot!(lines.join("\n"));
}
