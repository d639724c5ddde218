//! `describe` and `presets`.

use serde_json::{Value, json};

use super::bus::{Daemon, failure};
use super::exit::Failure;
use super::output::Output;
use crate::control::class::class_of;
use crate::control::presets::{self, Presets};
use crate::control::{Control, Profile, describe as description};

/// Says what a control means.
pub(super) fn describe(text: &str, output: &Output) -> Result<(), Failure> {
    let (control, profile) = presets::resolve(&Presets::shipped(), text)
        .map_err(|error| Failure::usage(format!("this is no time control: {error}")))?;
    let meaning = Meaning::of(&control, profile.unwrap_or_default());
    let json = json!({
        "canonical": meaning.canonical,
        "sentence": meaning.sentence,
        "control_class": meaning.class,
    });
    output.result(json, || meaning.text())
}

/// Lists the daemon's presets.
pub(super) async fn list(daemon: &Daemon, output: &Output) -> Result<(), Failure> {
    let presets = daemon.clock.list_presets().await.map_err(|error| failure(&error))?;
    let json: Value = presets
        .iter()
        .map(|(id, name, control, source)| {
            json!({"id": id, "name": name, "control": control, "source": source})
        })
        .collect();
    output.result(json, || {
        let width = |of: fn(&(String, String, String, String)) -> &String| {
            presets.iter().map(|preset| of(preset).chars().count()).max().unwrap_or(0)
        };
        let (ids, controls) = (width(|preset| &preset.0), width(|preset| &preset.2));
        let lines: Vec<_> = presets
            .iter()
            .map(|(id, name, control, _)| format!("{id:ids$}  {control:controls$}  {name}"))
            .collect();
        lines.join("\n")
    })
}

/// Shows one of the daemon's presets.
pub(super) async fn show(daemon: &Daemon, id: &str, output: &Output) -> Result<(), Failure> {
    let presets = daemon.clock.list_presets().await.map_err(|error| failure(&error))?;
    let Some((id, name, control, source)) = presets.iter().find(|preset| preset.0 == id) else {
        let near = presets
            .iter()
            .min_by_key(|preset| strsim::damerau_levenshtein(&preset.0, id))
            .map_or_else(String::new, |preset| format!(" (the nearest is `{}`)", preset.0));
        return Err(Failure::usage(format!(
            "no preset has the id `{id}`{near}; `flagfallctl presets` lists them all"
        )));
    };
    // the daemon's own words, since its notation is what the game would be set to
    let (canonical, sentence, class) =
        daemon.clock.describe_control(control).await.map_err(|error| failure(&error))?;
    let json = json!({
        "id": id, "name": name, "control": canonical, "source": source,
        "sentence": sentence, "control_class": class,
    });
    output.result(json, || {
        let meaning = Meaning { canonical, sentence, class };
        format!("preset    {id} ({source})\nname      {name}\n{}", meaning.text())
    })
}

/// Keeps a control under an id, and shows what is kept.
pub(super) async fn save(
    daemon: &Daemon,
    id: &str,
    name: &str,
    control: &str,
    output: &Output,
) -> Result<(), Failure> {
    daemon.arbiter.save_preset(id, name, control).await.map_err(|error| failure(&error))?;
    show(daemon, id, output).await
}

/// Has the daemon forget a preset.
pub(super) async fn delete(daemon: &Daemon, id: &str, output: &Output) -> Result<(), Failure> {
    daemon.arbiter.delete_preset(id).await.map_err(|error| failure(&error))?;
    output.result(json!({"deleted": id}), || format!("the preset {id} is deleted"))
}

struct Meaning {
    canonical: String,
    sentence: String,
    class: String,
}

impl Meaning {
    fn of(control: &Control, profile: Profile) -> Self {
        Meaning {
            canonical: control.to_string(),
            sentence: description::sentence(control),
            class: class_of(control, &profile.switches()).name().to_owned(),
        }
    }

    fn text(&self) -> String {
        format!(
            "control   {}\nmeaning   {}\nclass     {}",
            self.canonical, self.sentence, self.class
        )
    }
}
