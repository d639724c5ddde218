//! `doctor`: checks the installation and says how to fix it; changes nothing.
//!
//! [`probe`] reads the state of the machine and the daemon, [`findings`] judges it.

mod findings;
mod probe;

use serde_json::{Value, json};

use super::arguments::BusAddress;
use super::exit::CliError;
use super::output::{Ink, Printer};
use findings::{Finding, Verdict};

/// Prints all findings.
///
/// # Errors
/// Something is wrong.
pub(super) async fn run(bus: &BusAddress, output: &Printer) -> Result<(), CliError> {
    let findings = findings::findings(&probe::look(bus).await);
    let json: Vec<Value> = findings.iter().map(as_json).collect();
    output.result(json, || {
        findings.iter().map(|finding| as_text(finding, output)).collect::<Vec<_>>().join("\n")
    })?;
    match findings.iter().filter(|finding| finding.verdict == Verdict::Wrong).count() {
        0 => Ok(()),
        1 => Err(CliError::refused("one thing is wrong")),
        many => Err(CliError::refused(format!("{many} things are wrong"))),
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

fn as_text(finding: &Finding, output: &Printer) -> String {
    let name = format!("{:<6}", finding.verdict.name());
    let verdict = match finding.verdict {
        Verdict::Good => name,
        Verdict::Note => output.ink(Ink::Bold, &name),
        Verdict::Wrong => output.ink(Ink::Red, &name),
    };
    let remedy = finding.remedy.as_ref().map(|remedy| format!("\n{:19}-> {remedy}", ""));
    format!("{verdict} {:<11} {}{}", finding.about, finding.says, remedy.unwrap_or_default())
}
