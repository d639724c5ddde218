//! The documents name nothing that is not there.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The folders of the repository; a word that begins with one of them is a path.
const FOLDERS: [&str; 7] = ["src/", "docs/", "config/", "packaging/", "systemd/", "tests/", ".ci/"];

fn documents() -> Vec<PathBuf> {
    let folders = [Path::new(ROOT).to_owned(), Path::new(ROOT).join("docs")];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|ext| ext == "md")).collect()
}

/// Every file that a text names, as it is to be looked for from `folder`.
fn named(text: &str, folder: &Path) -> Vec<PathBuf> {
    let quoted = text.split('`').skip(1).step_by(2);
    let from_the_root = quoted
        .filter_map(|word| word.split_whitespace().next())
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .map(|word| Path::new(ROOT).join(word));
    let links = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#']).next())
        .filter(|link| !link.is_empty() && !link.contains(':'))
        .map(|link| folder.join(link));
    from_the_root.chain(links).collect()
}

#[test]
fn every_file_that_a_document_names_is_there() {
    let mut found = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for path in named(&text, document.parent().unwrap()) {
            assert!(path.exists(), "{} names {}", document.display(), path.display());
            found += 1;
        }
    }
    assert!(found > 30, "only {found} files are named: does this test still look?");
}

#[test]
fn paths_and_links_are_seen_and_addresses_are_not() {
    let text = "see `src/a.rs`, [b](b.md#c), [d](https://e.org/f), `g.rs`, [h](#i)";
    let want = [Path::new(ROOT).join("src/a.rs"), Path::new("docs").join("b.md")];
    assert_eq!(named(text, Path::new("docs")), want);
}

#[test]
fn the_toolchain_is_the_oldest_compiler_that_is_promised() {
    let read = |file: &str| fs::read_to_string(Path::new(ROOT).join(file)).unwrap();
    let (toolchain, manifest) = (read("rust-toolchain.toml"), read("Cargo.toml"));
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap().to_owned();
        line.split('"').nth(1).unwrap().to_owned()
    };
    let (pinned, promised) = (value(&toolchain, "channel"), value(&manifest, "rust-version"));
    assert!(
        pinned.starts_with(&promised),
        "rust-toolchain.toml has {pinned}, Cargo.toml {promised}"
    );
}

#[test]
fn the_unit_opens_no_spi_device_but_the_displays() {
    // /dev/spidev10.0 is the boot flash of a Raspberry Pi 5: no wildcard, no other bus.
    let unit = fs::read_to_string(Path::new(ROOT).join("systemd/flagfalld.service")).unwrap();
    let devices: Vec<_> = unit
        .lines()
        .filter(|line| line.starts_with("DeviceAllow=") && line.contains("spi"))
        .collect();
    assert_eq!(devices, ["DeviceAllow=/dev/spidev0.0 rw", "DeviceAllow=/dev/spidev0.1 rw"]);
    assert!(unit.lines().all(|line| !line.starts_with("RestrictRealtime=")));
}
