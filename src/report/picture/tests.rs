//! The page holds together: words are on it, and none on top of others.

use jiff::tz::TimeZone;
use svg::parser::Event as Part;

use super::*;
use crate::report::Book;
use crate::report::tests::{eventful, report_of};

/// A box around words, by what their letters take at most on average.
#[derive(Debug)]
struct Words {
    words: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

fn words_on(page: &str) -> Vec<Words> {
    let mut found = Vec::new();
    let mut open = None;
    for part in svg::read(page).unwrap() {
        match part {
            Part::Tag("text", svg::node::element::tag::Type::Start, attributes) => {
                open = Some(attributes);
            }
            Part::Text(words) => {
                let Some(attributes) = open.take() else { continue };
                let number = |name: &str| attributes[name].parse::<f64>().unwrap();
                let (x, y, size) = (number("x"), number("y"), number("font-size"));
                let letters = f64::from(u32::try_from(words.chars().count()).unwrap());
                let width = letters * size * 0.5;
                let left = match attributes.get("text-anchor").map(|anchor| &**anchor) {
                    Some("end") => x - width,
                    Some("middle") => x - width / 2.0,
                    _ => x,
                };
                let (right, top, bottom) = (left + width, y - size * 0.7, y);
                found.push(Words { words: words.to_owned(), left, right, top, bottom });
            }
            Part::Error(error) => panic!("{error}"),
            _ => {}
        }
    }
    found
}

fn long_game(control: &str, turns: u32, pause_every: u32) -> Report {
    let mut book = Book::default();
    // Numbered as a journal's: what comes after a fallen flag is refused.
    let mut seq = 0..;
    let mut line = |text: String| {
        let number = format!(r#"{{"seq":{},"#, seq.next().unwrap());
        book.line(&text.replacen('{', &number, 1)).unwrap();
    };
    line(format!(r#"{{"kind":"new_game","at_us":0,"control":"{control}","profile":"fide"}}"#));
    line(r#"{"kind":"start","at_us":0}"#.to_owned());
    let mut at = 0_u64;
    for turn in 0..turns {
        at += u64::from(turn * 7919 % 97 + 1) * 1_000_000;
        if turn % pause_every == pause_every - 1 {
            let reason = "a reason that is long enough to need more room than there is on a page";
            line(format!(r#"{{"kind":"pause","at_us":{at},"reason":"{reason}"}}"#));
            at += 1_000_000;
            line(format!(r#"{{"kind":"resume","at_us":{at}}}"#));
        }
        let side = ["white", "black"][turn as usize % 2];
        line(format!(r#"{{"kind":"press","at_us":{at},"side":"{side}"}}"#));
    }
    book.close().unwrap()
}

fn pages() -> Vec<String> {
    let name = "20261128-140000-0000";
    [
        eventful(),
        report_of(r#""control":"3m+2s""#, &[]),
        report_of(r#""control":"40/2h, 20/1h, 15m+30s""#, &[r#"0 "kind":"start""#]),
        long_game("40/1h30m+30s, 30m+30s", 160, 40),
        long_game("40/1h30m+30s, 30m+30s", 160, 8),
        long_game("40/1h30m+30s, 30m+30s", 160, 3),
        long_game("20h", 1_000, 30),
        long_game("white 60/5m, 0s+3s; black 60/4m, 0s+3s", 130, 50),
        long_game("move 3s continue", 90, 1_000),
    ]
    .iter()
    .map(|report| write(report, name, &TimeZone::UTC))
    .collect()
}

#[test]
fn no_words_lie_on_others_or_beside_the_page() {
    for (page, number) in pages().iter().zip(0..) {
        let words = words_on(page);
        assert!(words.len() > 10, "page {number}");
        for (index, one) in words.iter().enumerate() {
            assert!(one.left > 5.0 && one.right < 205.0, "page {number}: {one:?}");
            assert!(one.top > 5.0 && one.bottom < 292.0, "page {number}: {one:?}");
            for other in &words[index + 1..] {
                let apart = one.right <= other.left
                    || other.right <= one.left
                    || one.bottom <= other.top
                    || other.bottom <= one.top;
                let (one, other) = (&one.words, &other.words);
                assert!(apart, "page {number}: `{one}` lies on `{other}`");
            }
        }
    }
}

#[test]
fn what_people_wrote_is_escaped_and_control_characters_are_not_in_it() {
    let report = report_of(
        r#""control":"5m""#,
        &[r#"0 "kind":"start""#, r#"1 "kind":"pause","reason":"a <b> & \"c\" \u0001""#],
    );
    let page = write(&report, "<game>", &TimeZone::UTC);
    assert!(page.contains("a &lt;b&gt; &amp; \"c\" \u{fffd}"), "{page}");
    assert!(page.contains("Game &lt;game&gt;"), "{page}");
}

#[test]
fn everything_that_the_legend_promises_is_drawn() {
    let page = &pages()[0];
    for part in [
        "Thinking time per move",
        "Time left until the flag",
        "stage 2",
        "url(#hatched)",
        "phone in the hall",
        "illegal move",
        "White 1: 0:05.0 used",
        "210mm",
        "0-1",
    ] {
        assert!(page.contains(part), "{part}");
    }
}
