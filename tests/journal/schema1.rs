//! A game whose journal an earlier release wrote, in schema 1.

use rustix::process::Signal;

use crate::common::*;
use crate::*;

const GAME: &str = "20261201-044714-0fee";
/// Written by the last release before schema 2: default times, offences, a refusal, an undo.
const JOURNAL: &str = include_str!("schema1.jsonl");

#[tokio::test]
async fn a_game_from_a_journal_of_schema_1_continues_in_a_journal_of_its_own_and_is_never_lost() {
    let (bus, state) = (Bus::start(), tempfile::tempdir().unwrap());
    let old = file(state.path(), GAME);
    std::fs::write(&old, JOURNAL).unwrap();
    let (daemon, caller) = start(&bus, state.path(), "manual").await;
    let mut kept = Kept { daemon, caller, bus, state };
    let game = text(&kept.snapshot().await, "game");
    assert_ne!(game, GAME);
    let mut black = 5_514_999_222;
    // The second start is the one that would find a journal of two schemas.
    for start in 0..3 {
        let snapshot = kept.snapshot().await;
        assert_eq!(text(&snapshot, "game"), game, "start {start}");
        assert_eq!(text(&snapshot, "phase"), "paused");
        assert_eq!(text(&snapshot, "to_move"), "black");
        assert_eq!((left(&snapshot, "white"), left(&snapshot, "black")), (3_627_000_000, black));
        assert_eq!(number(&side(&snapshot, "black"), "moves"), 3);
        assert_eq!(std::fs::read_to_string(&old).unwrap(), JOURNAL, "start {start}");
        kept.order("Resume", &"").await.unwrap();
        kept.advance(1_000_000).await;
        kept.order("Pause", &"").await.unwrap();
        black -= 1_000_000;
        let journal = kept.journal().await;
        assert_eq!(kinds(&lines(&journal))[..2], ["new_game", "import"]);
        let first = lines(&journal).remove(0);
        assert_eq!(member(&first, "/after/game"), GAME);
        assert_verified(&journal);
        kept = kept.restart(Signal::KILL, "manual").await;
    }
    let (code, said) = verify(&old);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(&format!("{game}.jsonl stands on its last line")), "{said}");
}

#[test]
fn hashes_of_schema_1_are_checked_over_the_bytes_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let copy = file(folder.path(), GAME);
    std::fs::write(&copy, JOURNAL).unwrap();
    assert_verified(&copy);
    // The same value in other digits.
    std::fs::write(&copy, JOURNAL.replace("\"at_us\":5000000,", "\"at_us\":5000000.0,")).unwrap();
    let (code, said) = verify(&copy);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("line 4"), "{said}");
}
