//! flagfallctl against a stand-in for the daemon on a bus of its own: answers that a real daemon
//! gives rarely (another version, no permission), and the very words of each call.

// what the tests lean on fails as loudly as they do
#![allow(clippy::expect_used, clippy::panic)]

use std::collections::HashMap;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use zbus::object_server::SignalEmitter;
use zbus::{Connection, DBusError, OwnedVariant, Variant, connection, interface};

type Dict = HashMap<String, Variant<'static>>;

#[derive(Debug, DBusError)]
#[zbus(prefix = "org.flagfall.Error")]
enum Refusal {
    #[zbus(error)]
    Bus(zbus::Error),
    WrongPhase(String),
    NotPermitted(String),
    InvalidControl(String),
}

fn side(remaining_us: i64) -> Variant<'static> {
    let members: Dict = HashMap::from([
        ("remaining_us".to_owned(), remaining_us.into()),
        ("main_us".to_owned(), remaining_us.into()),
        ("stage".to_owned(), 1_u32.into()),
        ("moves".to_owned(), 13_u32.into()),
        ("moves_to_stage".to_owned(), 27_u32.into()),
    ]);
    members.into()
}

fn state() -> Dict {
    HashMap::from([
        ("game".to_owned(), "a-game".into()),
        ("seq".to_owned(), 33_u64.into()),
        ("at_us".to_owned(), 3_723_400_000_i64.into()),
        ("phase".to_owned(), "running".into()),
        ("to_move".to_owned(), "white".into()),
        ("first_flag".to_owned(), "black".into()),
        ("first_flag_at_us".to_owned(), 60_000_000_i64.into()),
        ("first_flag_white_us".to_owned(), 1_500_000_i64.into()),
        ("first_flag_black_us".to_owned(), 0_i64.into()),
        ("white".to_owned(), side(5_398_400_000)),
        ("black".to_owned(), side(59_950_001)),
    ])
}

/// Where a penalty leads to: White has two minutes more.
fn penalised() -> Dict {
    let mut black: Dict = side(59_950_001).try_into().expect("a{sv}");
    let counts = HashMap::from([("illegal-move", 2_u32), ("wrong-claim", 0)]);
    black.insert("penalties".to_owned(), counts.into());
    let before = state();
    let mut state = state();
    state.insert("before".to_owned(), before.into());
    state.insert("phase".to_owned(), "paused".into());
    state.insert("white".to_owned(), side(5_518_400_000));
    state.insert("black".to_owned(), black.into());
    state
}

struct Clock {
    version: &'static str,
    previews: Calls,
}

#[interface(name = "org.flagfall.Clock1")]
impl Clock {
    #[zbus(property(emits_changed_signal = "const"))]
    async fn version(&self) -> &str {
        self.version
    }
    #[zbus(property)]
    async fn control(&self) -> &str {
        "40/1h30m+30s, 30m+30s"
    }
    #[zbus(property(emits_changed_signal = "false"))]
    async fn health(&self) -> HashMap<String, OwnedVariant> {
        let value = |value: Variant<'static>| OwnedVariant::try_from(value).expect("no descriptor");
        HashMap::from([
            ("realtime_granted".to_owned(), value(false.into())),
            ("spi_errors".to_owned(), value(3_u64.into())),
            ("disk_ok".to_owned(), value(true.into())),
            ("stuck_buttons".to_owned(), value(vec!["left"].into())),
        ])
    }
    async fn snapshot(&self) -> Dict {
        state()
    }
    async fn list_presets(&self) -> Vec<(String, String, String, String)> {
        let preset = ("blitz", "FIDE blitz", "3m+2s", "shipped");
        vec![(preset.0.into(), preset.1.into(), preset.2.into(), preset.3.into())]
    }
    async fn describe_control(&self, control: String) -> (String, String, String) {
        (control, "Three minutes each.".to_owned(), "blitz".to_owned())
    }
    async fn preview(
        &self,
        operation: String,
        args: HashMap<String, OwnedVariant>,
    ) -> (Dict, Vec<Dict>) {
        let effect: Dict = HashMap::from([
            ("kind".to_owned(), "flag_lifted".into()),
            ("side".to_owned(), "white".into()),
            ("at_ns".to_owned(), 7_i64.into()),
        ]);
        self.previews.lock().expect("not poisoned").push(format!("{operation} {}", sorted(&args)));
        (penalised(), vec![effect])
    }
    async fn what_if(&self, control: String) -> Result<Dict, Refusal> {
        match control.as_str() {
            "3m+2s" => Ok(state()),
            other => Err(Refusal::InvalidControl(format!("`{other}` is no time control"))),
        }
    }
    #[zbus(signal)]
    async fn event(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        at_us: i64,
        kind: &str,
        details: Dict,
    ) -> zbus::Result<()>;
}

/// Every call as it came, written out.
type Calls = Arc<Mutex<Vec<String>>>;

struct Arbiter {
    calls: Calls,
}

impl Arbiter {
    fn heard(&self, call: String) -> Result<Dict, Refusal> {
        self.calls.lock().expect("not poisoned").push(call);
        Ok(state())
    }
}

const EXPORT: &str = r#"{"flagfall-export":1,"control":"3m+2s"}"#;

/// A dictionary in the order of its keys.
fn sorted(dict: &HashMap<String, OwnedVariant>) -> String {
    let inner = |value: &OwnedVariant| {
        let value = value.try_clone().expect("no descriptor");
        match HashMap::<String, OwnedVariant>::try_from(value) {
            Ok(dict) => format!("({})", sorted(&dict)),
            Err(_) => String::new(),
        }
    };
    let text = |value: &OwnedVariant| match inner(value) {
        dict if !dict.is_empty() => dict,
        _ => value.to_string(),
    };
    let mut all: Vec<_> =
        dict.iter().map(|(key, value)| format!("{key}={}", text(value))).collect();
    all.sort();
    all.join(" ")
}

#[interface(name = "org.flagfall.Arbiter1")]
impl Arbiter {
    async fn apply(
        &self,
        operation: String,
        args: HashMap<String, OwnedVariant>,
    ) -> Result<Dict, Refusal> {
        self.heard(format!("{operation} {}", sorted(&args)))?;
        match operation.as_str() {
            "resume" => {
                Err(Refusal::WrongPhase("resume is not possible: the clock runs".to_owned()))
            }
            "end" => Err(Refusal::NotPermitted("user mallory may not end the game".to_owned())),
            "penalty" => Ok(penalised()),
            _ => Ok(state()),
        }
    }
    async fn save_preset(&self, id: String, name: String, control: String) -> Result<(), Refusal> {
        self.heard(format!("save_preset [{id}] [{name}] [{control}]")).map(drop)
    }
    async fn delete_preset(&self, id: String) -> Result<(), Refusal> {
        self.heard(format!("delete_preset [{id}]")).map(drop)
    }
    async fn export_state(&self) -> String {
        EXPORT.to_owned()
    }
    async fn import_state(&self, exported: String) -> Result<Dict, Refusal> {
        self.heard(format!("import_state [{exported}]"))
    }
    async fn self_test(&self) -> Result<(), Refusal> {
        self.heard("self_test".to_owned()).map(drop)
    }
}

/// A bus with a stand-in daemon on it.
struct Stage {
    address: String,
    connection: Option<Connection>,
    calls: Calls,
    _bus: Child,
    _folder: tempfile::TempDir,
}

impl Stage {
    async fn new(version: &'static str) -> Stage {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bus = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address=1"])
            .arg(format!("--address=unix:path={}", folder.path().join("bus").display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("dbus-daemon starts");
        let mut lines = BufReader::new(bus.stdout.take().expect("piped")).lines();
        let address = lines.next_line().await.expect("readable").expect("an address");
        let calls = Calls::default();
        let connection = connection::Builder::address(address.as_str())
            .serve_at("/org/flagfall/Clock1", Clock { version, previews: calls.clone() })
            .serve_at("/org/flagfall/Clock1", Arbiter { calls: calls.clone() })
            .name("org.flagfall.Clock1")
            .build()
            .await
            .expect("a stand-in daemon");
        Stage { address, connection: Some(connection), calls, _bus: bus, _folder: folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagfallctl"));
        command.args(["--bus", &self.address]).args(arguments).kill_on_drop(true);
        command
    }

    async fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().await.expect("flagfallctl runs")
    }

    async fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_slice(&self.run(arguments).await.stdout).expect("JSON")
    }

    fn last_call(&self) -> Option<String> {
        self.calls.lock().expect("not poisoned").pop()
    }
}

const SAME: &str = env!("CARGO_PKG_VERSION");

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[tokio::test]
async fn each_order_is_one_call_with_its_very_words() {
    let stage = Stage::new(SAME).await;
    for (arguments, call) in [
        ("start", "start if_seq=0"),
        ("start black", "start if_seq=0 side=\"black\""),
        ("pause", "pause if_seq=0"),
        ("pause arbiter called", "pause if_seq=0 reason=\"arbiter called\""),
        (
            "pause --reason phone --on-behalf-of Anna",
            "pause if_seq=0 on_behalf_of=\"Anna\" reason=\"phone\"",
        ),
        ("press white", "press if_seq=0 side=\"white\""),
        ("confirm black", "confirm_stage if_seq=0 side=\"black\""),
        ("resume white --instead", "resume_instead if_seq=0 side=\"white\""),
        ("resume --instead", "resume_instead if_seq=0 side=\"black\""),
        ("insert-press", "insert_press count=1 if_seq=0"),
        ("insert-press 2", "insert_press count=2 if_seq=0"),
        ("swap", "swap_sides if_seq=0"),
        ("arrived black", "arrived if_seq=0 side=\"black\""),
        ("change 3m+2s", "change_control control=\"3m+2s\" how=\"kept\" if_seq=0"),
        (
            "change 40/2h, 30m+30s --replayed",
            "change_control control=\"40/2h, 30m+30s\" how=\"replayed\" if_seq=0",
        ),
        (
            "penalty black illegal-move",
            "penalty if_seq=0 offence=\"illegal-move\" offender=\"black\"",
        ),
        (
            "penalty black illegal-move --after-reply",
            "penalty after_reply=true if_seq=0 offence=\"illegal-move\" offender=\"black\"",
        ),
        ("quickplay white", "quickplay claimant=\"white\" if_seq=0"),
        ("start-at off", "start_at if_seq=0 unix_us=0"),
        ("lock", "lock if_seq=0 locked=true"),
        ("unlock", "lock if_seq=0 locked=false"),
        ("undo", "undo_press count=1 if_seq=0 refund=true"),
        ("undo 3 --no-refund", "undo_press count=3 if_seq=0 refund=false"),
        ("new 40/2h, 30m+30s", "new_game control=\"40/2h, 30m+30s\" if_seq=0"),
        (
            "new 3+2 --profile us --set freeze=true --set first-to-move=black --white-on right \
             --abandon",
            "new_game abandon=true control=\"3+2\" if_seq=0 profile=\"us\" \
             switches=(first-to-move=\"black\" freeze=true) white_on=\"right\"",
        ),
        ("set white 5:00", "adjust if_seq=0 white=(main_us=300000000)"),
        (
            "add black -1m --reason noise",
            "adjust black=(add_us=-60000000) if_seq=0 reason=\"noise\"",
        ),
        (
            "moves white 39 + stage white 1 --with-time + set black 12:34 + periods black 3",
            "adjust black=(main_us=754000000 periods=3) if_seq=0 \
             white=(moves=39 stage=1 stage_time=true)",
        ),
    ] {
        let output = stage.run(&arguments.split_whitespace().collect::<Vec<_>>()).await;
        assert_eq!(output.status.code(), Some(0), "{arguments}: {}", text(&output.stderr));
        let heard = stage.last_call().unwrap_or_default();
        let heard = ["uint64 ", "uint32 ", "int64 "]
            .iter()
            .fold(heard, |text, unit| text.replace(unit, ""));
        assert_eq!(heard, call, "{arguments}");
        assert!(output.stderr.is_empty(), "{arguments}");
        let printed = text(&output.stdout);
        assert!(printed.contains("White") && printed.contains("1:29:58.4"), "{printed}");
    }
}

#[tokio::test]
async fn a_refusal_is_exit_code_1_with_the_daemons_own_sentence() {
    let stage = Stage::new(SAME).await;
    let output = stage.run(&["resume"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("resume is not possible: the clock runs"));
    assert!(output.stdout.is_empty());
}

#[tokio::test]
async fn a_daemon_that_does_not_know_a_method_is_said_to_be_older() {
    let stage = Stage::new(SAME).await;
    let output = stage.run(&["journal"]).await;
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    for part in ["the daemon is older than this console: ", "ReadJournal", "restart"] {
        assert!(errors.contains(part), "{errors} lacks {part}");
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_exit_code_2_and_reaches_no_daemon() {
    let stage = Stage::new(SAME).await;
    for (arguments, part) in [
        ("insert-press 0", "0 is not in 1.."),
        ("penalty white illegal", "illegal-move"),
        ("penalty white wrong-claim --after-reply", "leave it out"),
        ("start-at 25:00", "10:00 or 10:00:30, or off"),
        ("presets save club", "<NAME>"),
        ("import /nowhere/game", "/nowhere/game cannot be read"),
    ] {
        let output = stage.run(&arguments.split(' ').collect::<Vec<_>>()).await;
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
        assert!(errors.contains(part), "{arguments}: {errors} lacks {part}");
        assert_eq!(stage.last_call(), None, "{arguments}");
    }
}

#[tokio::test]
async fn a_penalty_says_what_it_did_to_both_clocks() {
    let stage = Stage::new(SAME).await;
    let penalty = ["penalty", "black", "illegal-move"];
    let printed = text(&stage.run(&penalty).await.stdout);
    assert_eq!(
        printed,
        "penalty black illegal-move\n\
         before\n\
         > White   1:29:58.4   stage 1, 13 moves, 27 to the next stage\n\
         \x20 Black      1:00.0   stage 1, 13 moves, 27 to the next stage\n\
         running, White to move\n\
         after\n\
         | White   1:31:58.4   stage 1, 13 moves, 27 to the next stage\n\
         \x20 Black      1:00.0   stage 1, 13 moves, 27 to the next stage, 2 illegal moves\n\
         paused, White to move\n"
    );
    let json = stage.json(&[&penalty[..], &["--json"]].concat()).await;
    assert_eq!(json["before"]["white"]["remaining_us"], 5_398_400_000_i64);
    assert_eq!(json["white"]["remaining_us"], 5_518_400_000_i64);
    assert_eq!(json["black"]["penalties"]["illegal-move"], 2);
}

#[tokio::test]
async fn a_dry_run_shows_both_clocks_and_the_effects_and_does_nothing() {
    let stage = Stage::new(SAME).await;
    let output = stage.run(&["penalty", "black", "illegal-move", "--dry-run"]).await;
    let printed = text(&output.stdout);
    for part in ["nothing was done", "1:29:58.4", "1:31:58.4", "flag lifted white"] {
        assert!(printed.contains(part), "{printed} lacks {part}");
    }
    let call = "penalty offence=\"illegal-move\" offender=\"black\"";
    assert_eq!(stage.last_call().as_deref(), Some(call));
    assert_eq!(stage.last_call(), None, "it is not applied");
    let output = stage.run(&["status", "--dry-run"]).await;
    assert_eq!(output.status.code(), Some(2));
}

#[tokio::test]
async fn what_if_shows_the_clocks_under_another_control() {
    let stage = Stage::new(SAME).await;
    let printed = text(&stage.run(&["what-if", "3m+2s"]).await.stdout);
    assert!(printed.contains("White   1:29:58.4"), "{printed}");
    let output = stage.run(&["what-if", "3", "minutes"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("`3 minutes` is no time control"));
}

#[tokio::test]
async fn starting_at_a_time_of_the_day_prints_the_instant() {
    const DAY_US: i64 = 86_400_000_000;
    let stage = Stage::new(SAME).await;
    let output = stage.command(&["start-at", "10:00", "--json"]).env("TZ", "UTC0").output().await;
    let json: serde_json::Value =
        serde_json::from_slice(&output.expect("flagfallctl runs").stdout).expect("JSON");
    let call = stage.last_call().expect("a call");
    let unix_us = call.rsplit_once(' ').and_then(|(_, number)| number.parse::<i64>().ok());
    assert_eq!(unix_us.map(|us| us.rem_euclid(DAY_US)), Some(DAY_US / 24 * 10), "{call}");
    assert_eq!(json["phase"], "running");
    let output = stage.command(&["start-at", "10:00"]).env("TZ", "EAT-3").output().await;
    let printed = text(&output.expect("flagfallctl runs").stdout);
    assert!(printed.contains("starts at "), "{printed}");
    assert!(printed.contains(" 10:00:00 +03:00"), "{printed}");
}

#[tokio::test]
async fn a_game_is_taken_out_and_put_in_by_files_and_streams() {
    let stage = Stage::new(SAME).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.json").display().to_string();
    let line = format!("{EXPORT}\n");

    assert_eq!(text(&stage.run(&["export", "-"]).await.stdout), line);
    assert_eq!(stage.json(&["export", &file, "--json"]).await["file"], *file);
    assert_eq!(std::fs::read_to_string(&file).expect("written"), line);
    let output = stage.run(&["export", "/nowhere/game"]).await;
    assert_eq!(output.status.code(), Some(74));
    assert!(text(&output.stderr).contains("/nowhere/game cannot be written"));

    let printed = text(&stage.run(&["import", &file]).await.stdout);
    assert!(printed.contains("White   1:29:58.4"), "{printed}");
    assert_eq!(stage.last_call(), Some(format!("import_state [{line}]")));
    let input = std::fs::File::open(&file).expect("there");
    let output = stage.command(&["import", "-"]).stdin(input).output().await;
    assert!(output.expect("flagfallctl runs").status.success());
    assert_eq!(stage.last_call(), Some(format!("import_state [{line}]")));
}

#[tokio::test]
async fn the_self_test_says_what_to_look_for() {
    let stage = Stage::new(SAME).await;
    let printed = text(&stage.run(&["selftest"]).await.stdout);
    assert!(printed.contains("three seconds"), "{printed}");
    assert_eq!(stage.last_call().as_deref(), Some("self_test"));
    assert_eq!(stage.json(&["selftest", "--json"]).await["selftest"], "started");
}

#[tokio::test]
async fn no_permission_is_exit_code_4_with_the_group_and_when_it_counts() {
    let stage = Stage::new(SAME).await;
    let output = stage.run(&["end", "1-0"]).await;
    assert_eq!(output.status.code(), Some(4));
    let errors = text(&output.stderr);
    for part in ["mallory", "flagfall-arbiter", "next login"] {
        assert!(errors.contains(part), "{errors} lacks {part}");
    }
}

#[tokio::test]
async fn a_daemon_of_another_version_is_warned_of_and_served() {
    let stage = Stage::new("9.9.9").await;
    let output = stage.run(&["start"]).await;
    assert_eq!(output.status.code(), Some(0));
    let errors = text(&output.stderr);
    assert!(errors.contains("9.9.9") && errors.contains(SAME), "{errors}");
}

#[tokio::test]
async fn a_bus_without_a_daemon_is_exit_code_3() {
    let mut stage = Stage::new(SAME).await;
    let connection = stage.connection.take().expect("there");
    connection.close().await.expect("it goes");
    let output = stage.run(&["status"]).await;
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("no flagfalld answers") && errors.contains("systemctl"), "{errors}");
}

#[tokio::test]
async fn the_status_tells_an_arbiter_everything_at_a_glance() {
    let stage = Stage::new(SAME).await;
    let printed = text(&stage.run(&["status"]).await.stdout);
    for part in [
        "> White   1:29:58.4   stage 1, 13 moves, 27 to the next stage",
        "  Black      1:00.0   stage 1, 13 moves",
        "running, White to move",
        "Black at 1:00.0; White had 0:01.5, Black 0:00.0",
        "40/1h30m+30s, 30m+30s",
        "a-game, begun 1:02:03.4 ago, line 33",
        "no real-time rights",
        "3 errors on the way to the displays",
        "stuck buttons: left",
    ] {
        assert!(printed.contains(part), "{printed}lacks {part}");
    }
    let json = stage.run(&["status", "--json"]).await.stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(json["version"], SAME);
    assert_eq!(json["state"]["white"]["remaining_us"], 5_398_400_000_i64);
    assert_eq!(json["health"]["spi_errors"], 3);
}

#[tokio::test]
async fn presets_are_listed_shown_kept_and_deleted() {
    let stage = Stage::new(SAME).await;
    let printed = text(&stage.run(&["presets"]).await.stdout);
    assert_eq!(printed, "blitz  3m+2s  FIDE blitz\n");
    let printed = text(&stage.run(&["presets", "show", "blitz"]).await.stdout);
    for part in ["FIDE blitz", "3m+2s", "Three minutes each.", "shipped"] {
        assert!(printed.contains(part), "{printed}lacks {part}");
    }
    let output = stage.run(&["presets", "show", "blits"]).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`blitz`"));
    let printed =
        text(&stage.run(&["presets", "save", "blitz", "Our blitz", "3m+2s"]).await.stdout);
    assert!(printed.starts_with("preset    blitz"), "{printed}");
    assert_eq!(stage.last_call().as_deref(), Some("save_preset [blitz] [Our blitz] [3m+2s]"));
    assert_eq!(stage.json(&["presets", "delete", "blitz", "--json"]).await["deleted"], "blitz");
    assert_eq!(stage.last_call().as_deref(), Some("delete_preset [blitz]"));
}

#[tokio::test]
async fn watching_prints_each_event_as_a_line_until_the_daemon_goes() {
    let mut stage = Stage::new(SAME).await;
    let connection = stage.connection.take().expect("there");
    let mut child = stage
        .command(&["watch", "--plain"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("flagfallctl starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let emitter = SignalEmitter::new(&connection, "/org/flagfall/Clock1").expect("a path");
    // told again until the watcher has subscribed, which nobody but itself knows
    let first = loop {
        let details: Dict = HashMap::from([
            ("game".to_owned(), "a-game".into()),
            ("side".to_owned(), "white".into()),
            ("flag".to_owned(), "fall".into()),
            ("first".to_owned(), true.into()),
        ]);
        Clock::event(&emitter, 7, 10_000_000, "flag", details).await.expect("sent");
        match tokio::time::timeout(Duration::from_millis(20), lines.next_line()).await {
            Ok(line) => break line.expect("readable").expect("a line"),
            Err(_) => continue,
        }
    };
    let words: Vec<_> = first.split_whitespace().collect();
    // the signal told no clocks, as under fide: they were asked for
    let clocks = ["W>", "1:29:58.4", "B", "1:00.0"];
    assert_eq!(words[..6], ["7", "0:10.000", "flag", "white", "fall", "first"]);
    assert_eq!(words[6..], clocks);
    connection.close().await.expect("it goes");
    let output = child.wait_with_output().await.expect("it ends");
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("the daemon has gone"));
}
