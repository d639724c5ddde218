//! `replay --verify`: checks the hash chain and that the replay gives the recorded effects and states.

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::CliError;
use super::lines::LineSource;
use super::output::Printer;
use super::replay::StepWriter;
use crate::record::chain::{After, LineHash, unseal};
use crate::record::verify::{Verify, VerifyError};

/// Checks a file line by line and prints a line for each cause.
pub(super) fn run(file: &str, ns: bool, output: &Printer) -> Result<(), CliError> {
    let mut lines = LineSource::open(file)?;
    let mut steps = StepWriter::new(ns, output);
    let mut verify = Verify::default();
    let checked = check(file, &mut lines, &mut verify, &mut steps);
    steps.flush()?;
    let (number, first) = checked?;
    let Some(hash) = verify.last_hash() else {
        output.message(&format!(
            "{file}: no line has a hash, so it is not known whether lines were changed, removed or \
             inserted; every recorded effect and state of its {number} lines comes out again"
        ));
        return Ok(());
    };
    let neighbours = Neighbours::of(Path::new(file));
    let before = neighbours.check_before(&first)?;
    let after = neighbours.check_after(number, hash)?;
    output.message(&format!(
        "{file}: the hash chain holds from the first to the last of its {number} lines; every \
         recorded effect and state comes out again. {before}; {after}"
    ));
    Ok(())
}

/// Checks all lines; gives their number, and the first one.
fn check(
    file: &str,
    lines: &mut LineSource,
    verify: &mut Verify,
    steps: &mut StepWriter<'_>,
) -> Result<(usize, String), CliError> {
    let mut number = 0;
    let mut first = String::new();
    let mut line = lines.next().map(|line| line.map(str::to_owned));
    loop {
        let present = match line {
            Ok(None) => return Ok((number, first)),
            Err(_) if number > 0 && lines.is_torn() => return Err(torn(file, number)),
            present => present?.unwrap_or_default(),
        };
        // `is_torn` is about the line that was read last.
        let is_torn = verify.last_hash().is_some() && lines.is_torn();
        line = lines.next().map(|line| line.map(str::to_owned));
        let following = line.as_ref().ok().and_then(Option::as_deref);
        match verify.line(&present, following) {
            Err(_) if is_torn => return Err(torn(file, number)),
            step => {
                step.map_err(|error| wrong(&error))?.map_or(Ok(()), |step| steps.write(&step))?
            }
        }
        if number == 0 {
            first = present;
        }
        number += 1;
    }
}

/// The power failed while the rest was being written.
fn torn(file: &str, number: usize) -> CliError {
    CliError::refused(format!("{file}: torn at the end, proven up to line {number}"))
}

fn wrong(error: &VerifyError) -> CliError {
    match error {
        VerifyError::Malformed(_) => CliError::usage(error.to_string()),
        VerifyError::Differs { .. } => CliError::refused(error.to_string()),
    }
}

/// The other games in the file's folder.
struct Neighbours {
    folder: PathBuf,
    /// The game's name: that of the file.
    game: String,
}

impl Neighbours {
    fn of(file: &Path) -> Neighbours {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        let game = file.file_stem().map(|name| name.to_string_lossy().into_owned());
        Neighbours { folder, game: game.unwrap_or_default() }
    }

    /// Checks that the chain continues that of the game before.
    fn check_before(&self, first: &str) -> Result<String, CliError> {
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
        Err(CliError::refused(format!(
            "line 1: it stands on another last line of game {game} than lies beside it: the end \
             of that game was changed or taken out"
        )))
    }

    /// Checks that the next game continues this chain.
    fn check_after(&self, number: usize, hash: LineHash) -> Result<String, CliError> {
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
            Some((name, after)) if after.game == self.game => Err(CliError::refused(format!(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::chain::Chain;

    fn sealed() -> Vec<String> {
        let mut chain = Chain::after(LineHash::NOTHING);
        let lines = [
            r#"{"seq":0,"schema":2,"at_ns":0,"kind":"new_game","control":"10s"}"#,
            r#"{"seq":1,"at_ns":0,"kind":"start"}"#,
            r#"{"seq":2,"at_ns":0,"kind":"turn","side":"white","wall":"2026-11-30T04:20:53Z"}"#,
        ];
        lines.map(|line| chain.seal(line.to_owned())).to_vec()
    }

    /// How many lines of a file hold, or why they do not.
    fn checked(bytes: &[u8]) -> Result<usize, CliError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.jsonl");
        fs::write(&file, bytes).unwrap();
        let output = Printer::new(true);
        let mut lines = LineSource::open(file.to_str().unwrap()).unwrap();
        let mut steps = StepWriter::new(false, &output);
        check("game", &mut lines, &mut Verify::default(), &mut steps).map(|(number, _)| number)
    }

    #[test]
    fn an_end_that_a_power_cut_tore_is_said_to_be_torn_and_not_changed() {
        let all = sealed();
        let whole = format!("{}\n{}\n", all[0], all[1]);
        let torn = Err(CliError::refused("game: torn at the end, proven up to line 2"));
        for cut in 1..all[2].len() {
            let end = format!("{whole}{}", &all[2][..cut]);
            assert_eq!(checked(end.as_bytes()), torn, "cut at {cut}");
            assert_eq!(checked(format!("{end}\0\0").as_bytes()), torn, "zeros from {cut}");
        }
        assert_eq!(checked(format!("{whole}{}", "\0".repeat(700)).as_bytes()), torn);
        let half_a_letter = [whole.as_bytes(), b"{\"seq\":2,\"reason\":\"\xc3"].concat();
        assert_eq!(checked(&half_a_letter), torn);
        assert_eq!(checked(whole.as_bytes()), Ok(2));
        assert_eq!(checked(format!("{whole}{}", all[2]).as_bytes()), Ok(3));
    }

    #[test]
    fn a_line_that_was_changed_is_not_said_to_be_torn() {
        let all = sealed();
        let changed = all[2].replace("white", "black");
        for bytes in [
            format!("{}\n{}\n{changed}\n", all[0], all[1]),
            format!("{}\n{}\n{changed}", all[0], all[1]),
            format!("{}\n{}\n\0\0\0\n{}\n", all[0], all[1], all[2]),
            format!("{}\n{}\n{}", all[0], &all[1][..9], all[2]),
        ] {
            let failure = checked(bytes.as_bytes()).unwrap_err();
            assert_eq!(failure.exit, crate::console::exit::CliExit::Refused);
            assert!(!failure.sentence.contains("torn"), "{}", failure.sentence);
        }
    }
}
