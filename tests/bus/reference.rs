//! The reference is complete and right: docs/dbus.md has every member with its signature, what it
//! tells to type works, and what it says is refused is refused by that name.

use std::collections::BTreeSet;

use futures_util::StreamExt;
use rustix::process::Signal;
use zbus::fdo::MonitoringProxy;
use zbus::message::Type;

use super::introspection::offered;
use super::manual::{SITUATIONS, arrange, typed};
use crate::common::*;

const REFERENCE: &str = include_str!("../../docs/dbus.md");
const INTERFACES: &str = include_str!("../../config/dbus/org.flagfall.Clock1.xml");

/// A line to type.
#[derive(Debug)]
struct Example {
    /// The method in whose section it stands.
    method: String,
    line: String,
    /// The error that it leads to.
    refused: Option<String>,
}

/// The lines of all sections, in their order.
fn examples() -> Vec<Example> {
    let mut examples = Vec::new();
    for section in REFERENCE.split("\n### `").skip(1) {
        let (method, section) = section.split_once('(').unwrap_or(("", ""));
        let section = section.split("\n## ").next().unwrap().split("\n### ").next().unwrap();
        for point in section.split("\n- ").skip(1) {
            let point = point.split("\n\n").next().unwrap().replace('\n', " ");
            let mut quoted = point.split('`').skip(1).step_by(2);
            let refused = (!point.starts_with("`busctl ")).then(|| quoted.next().unwrap());
            let line = quoted.find(|quoted| quoted.starts_with("busctl "));
            examples.extend(line.map(|line| Example {
                method: method.to_owned(),
                line: line.to_owned(),
                refused: refused.map(str::to_owned),
            }));
        }
    }
    examples
}

/// Every member of the interfaces as the reference writes it.
fn members() -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut methods, mut others) = (BTreeSet::new(), BTreeSet::new());
    let offered = offered(INTERFACES);
    for line in &offered {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, kind, name, ..] = words[..] else { continue };
        let arguments = |direction: &str| {
            let mut arguments = Vec::new();
            for number in 1.. {
                let start = format!("{} {kind} {name} {number}: ", words[0]);
                let Some(argument) = offered.iter().find_map(|line| line.strip_prefix(&start))
                else {
                    break;
                };
                arguments.extend(argument.strip_prefix(direction).map(str::to_owned));
            }
            arguments.join(", ")
        };
        // The line of the member itself: after its name come type and access, if anything.
        match kind {
            "method" if words.len() == 4 && words[3].is_empty() => {
                let answer = Some(arguments("out ")).filter(|answer| !answer.is_empty());
                let answer = answer.map(|answer| format!(" → {answer}")).unwrap_or_default();
                methods.insert(format!("### `{name}({}){answer}`", arguments("in ")));
            }
            "signal" if words.len() == 4 && words[3].is_empty() => {
                others.insert(format!("| `{name}({})` |", arguments("out ")));
            }
            "property" if words.len() == 4 && words[3].ends_with("read") => {
                let signature = words[3].trim_end_matches("read");
                others.insert(format!("| `{name}` | `{signature}` |"));
            }
            _ => {}
        }
    }
    (methods, others)
}

#[test]
fn every_member_of_the_interfaces_stands_in_the_reference_and_nothing_else() {
    let (methods, others) = members();
    let written: BTreeSet<String> =
        REFERENCE.lines().filter(|line| line.starts_with("### `")).map(str::to_owned).collect();
    assert_eq!(written, methods);
    assert!(others.contains("| `Health` | `a{sv}` |"), "{others:#?}");
    for member in others {
        assert!(REFERENCE.contains(&format!("\n{member}")), "{member}");
    }
    for method in methods {
        let name = &method[5..method.find('(').unwrap()];
        let works = |example: &Example| example.method == name && example.refused.is_none();
        assert!(examples().iter().any(works), "no line shows how {name} is called");
    }
}

#[tokio::test]
async fn every_key_of_health_and_of_a_snapshot_stands_in_the_reference() {
    let table = Table::lay().await;
    let health = table.health().await;
    table.new_game("40/1h30m delay 5s, 30m byoyomi 3x30s", &[]).await;
    let state = table.snapshot().await;
    let white = side(&state, "white");
    for key in health.keys().chain(state.keys()).chain(white.keys()) {
        assert!(REFERENCE.contains(&format!("`{key}`")), "{key}");
    }
}

/// The situations of the manual, and those in which the reference says more.
const FURTHER: [&[&str]; 2] = [
    // ready, and nothing has happened
    &["flagfallctl new 3m+2s --abandon"],
    // running, and what was played before is not known
    &[
        "flagfallctl new 1h --abandon",
        "flagfallctl start",
        "flagfallctl press white",
        "flagfallctl pause",
        "flagfallctl export imported.json",
        "flagfallctl import imported.json",
    ],
];

#[tokio::test]
async fn every_line_of_the_reference_does_what_it_says() {
    let bus = Bus::start();
    let (address, state) = (bus.address(), tempfile::tempdir().unwrap());
    let start = || {
        let mut daemon = Daemon::command();
        daemon.args(["--sim-time", "manual", "--bus", &address]).arg("--state").arg(state.path());
        Daemon::start(&mut daemon)
    };
    let mut daemon = start();
    named(&bus.connect().await).await;
    let folder = tempfile::tempdir().unwrap();
    let mut errors = Errors::of(&bus).await;
    let examples = examples();
    for example in &examples {
        let Example { method, line, refused } = example;
        assert!(line.contains(&format!(" {method}")), "in the section of {method}: {line}");
        let mut said = Vec::new();
        let mut found = false;
        for situation in 0..SITUATIONS.len() + FURTHER.len() + 1 {
            if let Some(further) = situation.checked_sub(SITUATIONS.len()) {
                match FURTHER.get(further) {
                    Some(lines) => lines.iter().for_each(|line| {
                        typed(&address, folder.path(), line).unwrap();
                    }),
                    None => {
                        // back from a power cut
                        arrange(&address, folder.path(), 1);
                        daemon.signal(Signal::KILL);
                        daemon.end();
                        daemon = start();
                        daemon.logs("on the bus as org.flagfall.Clock1");
                    }
                }
            } else {
                arrange(&address, folder.path(), situation);
            }
            errors.forget().await;
            let answer = typed(&address, folder.path(), &variables(line));
            let outcome = match answer {
                Ok(()) => None,
                Err(sentence) => Some((errors.next().await, sentence)),
            };
            let name = outcome.as_ref().map(|(name, _)| name.clone());
            if name == refused.as_ref().map(|error| format!("org.flagfall.Error.{error}")) {
                found = true;
                break;
            }
            said.push(outcome);
        }
        assert!(found, "{example:?} never does that, but: {said:#?}");
    }
    assert!(examples.len() > 70, "only {} lines were found", examples.len());
}

/// The variables of the page before a line.
fn variables(line: &str) -> String {
    let set = REFERENCE.lines().filter_map(|line| line.strip_prefix("$ "));
    set.chain([line]).collect::<Vec<_>>().join("\n")
}

/// The errors that the clock answers with, by name.
struct Errors(zbus::MessageStream);

impl Errors {
    async fn of(bus: &Bus) -> Errors {
        let connection = bus.connect().await;
        let rule = "type='error'".try_into().unwrap();
        let monitor = MonitoringProxy::new(&connection).await.unwrap();
        let stream = zbus::MessageStream::from(&connection);
        monitor.become_monitor(&[rule], 0).await.unwrap();
        Errors(stream)
    }

    /// The name of the next one.
    async fn next(&mut self) -> String {
        loop {
            let message = within("an error", self.0.next()).await.unwrap().unwrap();
            if message.message_type() == Type::Error {
                return message.header().error_name().unwrap().to_string();
            }
        }
    }

    /// What came until now is of no interest.
    async fn forget(&mut self) {
        use futures_util::FutureExt;
        while self.0.next().now_or_never().is_some() {}
    }
}
