//! `doctor`: looks whether flagfall is installed as it must be, and says what to do where it is not.
//!
//! It mends nothing. [`probe`] looks at the machine and the daemon, [`findings`] makes sentences of
//! what was seen, without looking at anything.

mod findings;
mod probe;

use serde_json::{Value, json};

use super::arguments::Bus;
use super::exit::Failure;
use super::output::{Ink, Output};
use findings::{Finding, Verdict};

/// Prints every finding, what is wrong with its remedy.
///
/// # Errors
/// Something is wrong, so that `doctor && play` does not play.
pub(super) async fn run(bus: &Bus, output: &Output) -> Result<(), Failure> {
    let findings = findings::findings(&probe::look(bus).await);
    let json: Vec<Value> = findings.iter().map(as_json).collect();
    output.result(json, || {
        findings.iter().map(|finding| as_text(finding, output)).collect::<Vec<_>>().join("\n")
    })?;
    match findings.iter().filter(|finding| finding.verdict == Verdict::Wrong).count() {
        0 => Ok(()),
        1 => Err(Failure::refused("one thing is wrong")),
        many => Err(Failure::refused(format!("{many} things are wrong"))),
    }
}

fn as_json(finding: &Finding) -> Value {
    json!({
        "about": finding.about,
        "verdict": finding.verdict.name(),
        "says": finding.says,
        "remedy": finding.remedy,
    })
}

fn as_text(finding: &Finding, output: &Output) -> String {
    let name = format!("{:<6}", finding.verdict.name());
    let verdict = match finding.verdict {
        Verdict::Good => name,
        Verdict::Note => output.ink(Ink::Bold, &name),
        Verdict::Wrong => output.ink(Ink::Red, &name),
    };
    let remedy = finding.remedy.as_ref().map(|remedy| format!("\n{:19}-> {remedy}", ""));
    format!("{verdict} {:<11} {}{}", finding.about, finding.says, remedy.unwrap_or_default())
}
