//! `replay --verify`: a game in which everything happened comes out again; what was changed, taken
//! out or put in is found and named.

use crate::common::*;
use crate::*;

type Options<'a> = std::collections::HashMap<&'a str, zbus::Variant<'a>>;

/// A game in which much happens, at times that are no whole microseconds' business, and the next
/// one's beginning.
async fn eventful() -> (Kept, PathBuf) {
    let kept = Kept::lay("manual").await;
    let of_a_side = |key: &'static str, value: zbus::Variant<'static>| {
        let change: Options<'static> = Options::from([(key, value)]);
        Options::from([("white", zbus::Variant::from(change))])
    };
    kept.order("NewGame", &("2/10s+1s, 5s byoyomi 2x3s", Options::new())).await.unwrap();
    // A start by hand, both at once, one after the other, and in the wrong turn.
    kept.advance(1_234_567).await;
    kept.tap("right").await;
    kept.advance(777_777).await;
    kept.tap("left").await;
    kept.tap("right").await;
    kept.advance(654_321).await;
    kept.tap("left").await;
    kept.advance(654_321).await;
    kept.tap("right").await;
    kept.advance(333_333).await;
    // What is refused has its lines, too.
    kept.order("Resume", &"").await.unwrap_err();
    kept.order("NewGame", &("5m", Options::new())).await.unwrap_err();
    kept.order("Pause", &"a claim").await.unwrap();
    let minute = of_a_side("add_us", zbus::Variant::from(1_500_001_i64));
    kept.order("Adjust", &(minute, "as agreed", 0_u64)).await.unwrap();
    kept.order("Resume", &"").await.unwrap();
    kept.order("Press", &"white").await.unwrap();
    kept.advance(250_001).await;
    kept.order("UndoPress", &(1_u32, false, 0_u64)).await.unwrap();
    kept.order("Resume", &"black").await.unwrap();
    // A button that sticks, and a flag.
    kept.call::<()>(SIMULATOR, "Hold", &"plus").await.unwrap();
    kept.advance(60_000_000).await;
    kept.order("End", &"0-1").await.unwrap();
    let file = kept.journal().await;
    kept.order("NewGame", &("5m", Options::new())).await.unwrap();
    (kept, file)
}

#[tokio::test]
async fn a_game_in_which_everything_happened_comes_out_again() {
    let (kept, file) = eventful().await;
    let all = kinds(&lines(&file));
    for kind in [
        "new_game",
        "press",
        "turn",
        "ignored",
        "resume",
        "refused",
        "pause",
        "adjust",
        "undo_press",
        "stage",
        "flag",
        "warning",
        "end",
    ] {
        assert!(all.iter().any(|known| known == kind), "{kind} did not happen: {all:?}");
    }
    assert!(lines(&file).iter().any(|line| line.contains("\"both\":true")));
    let (code, said) = verify(&file);
    assert_eq!(code, 0, "{said}");
    let next = kept.journal().await;
    let beside = next.file_name().unwrap().to_str().unwrap();
    assert!(said.contains(&format!("{beside} stands on its last line")), "{said}");
    assert_verified(&next);
}

#[tokio::test]
async fn a_line_that_was_changed_taken_out_or_put_in_is_found_and_named() {
    let (_kept, file) = eventful().await;
    let all = lines(&file);
    let spoil = |what: &dyn Fn(&mut Vec<String>)| {
        let mut spoiled = all.clone();
        what(&mut spoiled);
        std::fs::write(&file, format!("{}\n", spoiled.join("\n"))).unwrap();
        let (code, said) = verify(&file);
        assert_eq!(code, 1, "{said}");
        said
    };
    // Every single line, each in three ways.
    for n in 0..all.len() {
        let number = format!("line {}: ", n + 1);
        let said = spoil(&|lines| lines[n] = lines[n].replacen("\"at_ns\":", "\"at_ns\":1", 1));
        assert!(said.contains(&number), "line {} was changed: {said}", n + 1);
        let last = n + 1 == all.len();
        let said = spoil(&|lines| drop(lines.remove(n)));
        let where_it_shows = if last { format!("line {n}: ") } else { number.clone() };
        assert!(said.contains(&where_it_shows), "line {} was taken out: {said}", n + 1);
        let said = spoil(&|lines| lines.insert(n, all[n / 2].clone()));
        let named = [n + 1, n + 2].map(|number| said.contains(&format!("line {number}: ")));
        assert!(named.contains(&true), "something was put in before line {}: {said}", n + 1);
    }
    let changed = spoil(&|lines| lines[3] = lines[3].replacen("\"wall\":\"2", "\"wall\":\"1", 1));
    assert!(changed.contains("line 4: it was changed"), "{changed}");
    let out = spoil(&|lines| drop(lines.remove(3)));
    assert!(out.contains("line 4: its number is 4 where 3 is expected"), "{out}");
    let put_in = spoil(&|lines| lines.insert(3, lines[3].replacen("\"seq\":3", "\"seq\":2", 1)));
    assert!(put_in.contains("line 4: it was put in"), "{put_in}");
    let tail = spoil(&|lines| lines.truncate(lines.len() - 2));
    assert!(tail.contains("what stood behind this one was taken out"), "{tail}");
}

#[tokio::test]
async fn a_forger_who_computes_every_hash_anew_is_betrayed_by_the_rules() {
    use flagfall::record::chain::{After, Chain, LineHash, unseal};
    let (_kept, file) = eventful().await;
    let all = lines(&file);
    let first = After::of_line(&all[0]).map_or(LineHash::NOTHING, |after| after.hash);
    let forge = |line: usize, from: &str, to: &str| {
        let mut chain = Chain::after(first);
        let forged: Vec<_> = all
            .iter()
            .enumerate()
            .map(|(n, text)| {
                let (bare, _) = unseal(text).unwrap();
                let bare = if n == line { bare.replacen(from, to, 1) } else { bare };
                chain.seal(bare)
            })
            .collect();
        std::fs::write(&file, format!("{}\n", forged.join("\n"))).unwrap();
        verify(&file)
    };
    let (number, _) =
        all.iter().enumerate().find(|(_, line)| line.contains("\"kind\":\"flag\"")).unwrap();
    for (from, to) in [("\"first\":true", "\"first\":false"), ("\"points\":null", "\"points\":10")]
    {
        let (code, said) = forge(number, from, to);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains(&format!("line {}: ", number + 1)), "{said}");
    }
    // A malformed line is another thing.
    std::fs::write(&file, "{\"kind\":\"new_game\",\"at_us\":0}\n").unwrap();
    assert_eq!(verify(&file).0, 2);
}
