//! The introspection is that of the files in `config/dbus`, names and signatures to the letter.

use std::collections::BTreeSet;

use crate::common::*;

/// What an introspection offers, a line each, without regard to order; the interfaces that every
/// object has are left out.
pub(super) fn offered(xml: &str) -> BTreeSet<String> {
    let mut offered = BTreeSet::new();
    let (mut interface, mut member, mut arguments) = (String::new(), String::new(), 0);
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        if rest[start..].starts_with("<!--") {
            let end = rest[start..].find("-->").expect("a comment ends");
            rest = &rest[start + end + 3..];
            continue;
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let get = |name: &str| {
            let value = tag.split_once(&format!(" {name}=\"")).map(|(_, value)| value);
            value.and_then(|value| value.split_once('"')).map_or("", |(value, _)| value)
        };
        match tag.split([' ', '/']).next().unwrap_or_default() {
            "interface" => interface = get("name").to_owned(),
            kind @ ("method" | "signal" | "property") => {
                (member, arguments) = (format!("{interface} {kind} {}", get("name")), 0);
                offered.insert(format!("{member} {}{}", get("type"), get("access")));
            }
            "arg" => {
                arguments += 1;
                // A signal's argument has no direction but out.
                let direction = get("direction");
                let direction = if direction.is_empty() { "out" } else { direction };
                offered.insert(format!(
                    "{member} {arguments}: {direction} {} {}",
                    get("name"),
                    get("type")
                ));
            }
            "annotation" => {
                offered.insert(format!("{member} {}={}", get("name"), get("value")));
            }
            _ => {}
        }
    }
    offered.retain(|line| !line.starts_with("org.freedesktop.DBus."));
    offered
}

async fn introspect(table: &Table, path: &str) -> BTreeSet<String> {
    let interface = (path, "org.freedesktop.DBus.Introspectable");
    let xml: String = table.call(interface, "Introspect", &()).await.unwrap();
    offered(&xml)
}

#[tokio::test]
async fn the_bus_offers_what_the_files_say() {
    let table = Table::lay().await;
    let clock = offered(include_str!("../../config/dbus/org.flagfall.Clock1.xml"));
    assert!(clock.contains("org.flagfall.Arbiter1 method UndoPress 3: in if_seq t"), "{clock:#?}");
    assert_eq!(introspect(&table, CLOCK.0).await, clock);
    let simulator = offered(include_str!("../../config/dbus/org.flagfall.Simulator1.xml"));
    assert!(simulator.contains("org.flagfall.Simulator1 method Wave 2: in edges a(xb)"));
    assert_eq!(introspect(&table, SIMULATOR.0).await, simulator);
}
