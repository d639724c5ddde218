//! `replay --verify`: is a journal what was written, and does all of it come out again?

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::Failure;
use super::output::Output;
use super::replay::{Lines, print};
use crate::record::chain::{After, LineHash, unseal};
use crate::record::verify::{Verify, VerifyError};

/// Checks a file line by line and prints a line for each cause, as it goes.
pub(super) fn run(file: &str, ns: bool, output: &Output) -> Result<(), Failure> {
    let mut lines = Lines::open(file)?;
    let mut verify = Verify::default();
    let mut number = 0;
    let mut first = None;
    let mut line = lines.next()?.map(str::to_owned);
    while let Some(present) = line {
        let following = lines.next()?.map(str::to_owned);
        let step = verify.line(&present, following.as_deref()).map_err(|error| wrong(&error))?;
        if let Some(step) = step {
            print(&step, ns, output)?;
        }
        number += 1;
        first.get_or_insert(present);
        line = following;
    }
    let Some(hash) = verify.last_hash() else {
        output.message(&format!(
            "{file}: no line carries a hash, so whether lines were changed, taken out or put in is \
             not known; every recorded effect and state of its {number} lines comes out again"
        ));
        return Ok(());
    };
    let beside = Beside::of(Path::new(file));
    let before = beside.check_before(first.as_deref().unwrap_or_default())?;
    let behind = beside.check_behind(number, hash)?;
    output.message(&format!(
        "{file}: the hash chain holds from the first to the last of its {number} lines; every \
         recorded effect and state comes out again. {before}; {behind}"
    ));
    Ok(())
}

fn wrong(error: &VerifyError) -> Failure {
    match error {
        VerifyError::Malformed(_) => Failure::usage(error.to_string()),
        VerifyError::Differs { .. } => Failure::refused(error.to_string()),
    }
}

/// The other games in the file's folder.
struct Beside {
    folder: PathBuf,
    /// The game's name: that of the file.
    game: String,
}

impl Beside {
    fn of(file: &Path) -> Beside {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        let game = file.file_stem().map(|name| name.to_string_lossy().into_owned());
        Beside { folder, game: game.unwrap_or_default() }
    }

    /// The first line stands on the last one of the game before.
    fn check_before(&self, first: &str) -> Result<String, Failure> {
        let Some(After { game, hash }) = After::of_line(first) else {
            return Ok("no game stands before it".to_owned());
        };
        let text = fs::read_to_string(self.folder.join(format!("{game}.jsonl")));
        let Some(last) = text.ok().and_then(|text| last_hash(&text)) else {
            return Ok(format!("the game before, {game}, does not lie beside it"));
        };
        if last == hash {
            return Ok(format!("it stands on the last line of {game}"));
        }
        Err(Failure::refused(format!(
            "line 1: it stands on another last line of game {game} than lies beside it: the end \
             of that game was changed or taken out"
        )))
    }

    /// The next game stands on the last line.
    fn check_behind(&self, number: usize, hash: LineHash) -> Result<String, Failure> {
        let names = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let later =
            |name: &String| name.ends_with(".jsonl") && **name > *format!("{}.jsonl", self.game);
        let next = names.filter(later).min().and_then(|name| {
            let text = fs::read_to_string(self.folder.join(&name)).ok()?;
            Some((name, After::of_line(text.lines().next()?)?))
        });
        match next {
            Some((name, after)) if after.game == self.game && after.hash == hash => {
                Ok(format!("{name} stands on its last line"))
            }
            Some((name, after)) if after.game == self.game => Err(Failure::refused(format!(
                "line {number}: {name} stands on another last line: what stood behind this one was \
                 taken out, or its end was changed"
            ))),
            _ => Ok("no game lies beside it that stands on it, so a removed end would not show"
                .to_owned()),
        }
    }
}

fn last_hash(text: &str) -> Option<LineHash> {
    let whole = text.rfind('\n').and_then(|end| text.get(..end))?;
    unseal(whole.lines().next_back()?).map(|(_, hash)| hash)
}
