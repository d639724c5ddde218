//! `describe` and `presets`.

use serde_json::{Value, json};

use super::bus::Daemon;
use super::exit::CliError;
use super::output::Printer;
use crate::control::class::class_of;
use crate::control::presets::{self, Presets};
use crate::control::{Control, Profile, describe as description};

/// Says what a control means.
pub(super) fn describe(text: &str, output: &Printer) -> Result<(), CliError> {
    let (control, profile) = presets::resolve(&Presets::shipped(), text)
        .map_err(|error| CliError::usage(format!("not a time control: {error}")))?;
    let meaning = ControlInfo::of(&control, profile.unwrap_or_default());
    let json = json!({
        "canonical": meaning.canonical,
        "sentence": meaning.sentence,
        "control_class": meaning.class,
    });
    output.result(json, || meaning.text())
}

/// Lists the daemon's presets.
pub(super) async fn list(daemon: &Daemon, output: &Printer) -> Result<(), CliError> {
    let presets = daemon.clock.list_presets().await?;
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
pub(super) async fn show(daemon: &Daemon, id: &str, output: &Printer) -> Result<(), CliError> {
    let presets = daemon.clock.list_presets().await?;
    let Some((id, name, control, source)) = presets.iter().find(|preset| preset.0 == id) else {
        let near = presets
            .iter()
            .min_by_key(|preset| strsim::damerau_levenshtein(&preset.0, id))
            .map_or_else(String::new, |preset| format!(" (the nearest is `{}`)", preset.0));
        return Err(CliError::usage(format!(
            "no preset has the id `{id}`{near}; `flagfallctl presets` lists them all"
        )));
    };
    let (canonical, sentence, class) = daemon.clock.describe_control(control).await?;
    let json = json!({
        "id": id, "name": name, "control": canonical, "source": source,
        "sentence": sentence, "control_class": class,
    });
    output.result(json, || {
        let meaning = ControlInfo { canonical, sentence, class };
        format!("preset    {id} ({source})\nname      {name}\n{}", meaning.text())
    })
}

/// Saves a control under an id, and shows it.
pub(super) async fn save(
    daemon: &Daemon,
    id: &str,
    name: &str,
    control: &str,
    output: &Printer,
) -> Result<(), CliError> {
    daemon.arbiter.save_preset(id, name, control).await?;
    show(daemon, id, output).await
}

/// Deletes a preset.
pub(super) async fn delete(daemon: &Daemon, id: &str, output: &Printer) -> Result<(), CliError> {
    daemon.arbiter.delete_preset(id).await?;
    output.result(json!({"deleted": id}), || format!("the preset {id} is deleted"))
}

struct ControlInfo {
    canonical: String,
    sentence: String,
    class: String,
}

impl ControlInfo {
    fn of(control: &Control, profile: Profile) -> Self {
        ControlInfo {
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
