//! `flagfallctl watch` on a terminal of its own, with the real daemon.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::*;

/// Rows and columns of the terminal.
const SIZE: (u16, u16) = (30, 100);

/// A terminal with flagfallctl in it, as util-linux's `script` makes one.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    shown: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Terminal {
    fn open(bus: &Bus, arguments: &str) -> Terminal {
        let (rows, columns) = SIZE;
        let program = env!("CARGO_BIN_EXE_flagfallctl");
        let inside = format!(
            "stty rows {rows} cols {columns}; echo process $$; \
             exec '{program}' --bus '{}' {arguments}",
            bus.address()
        );
        let mut child = Command::new("script")
            .args(["--quiet", "--return", "--flush", "--command", &inside, "/dev/null"])
            .env("TERM", "xterm-256color")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("script: {error}; install the package bsdutils"));
        let keys = child.stdin.take().unwrap();
        let mut output = child.stdout.take().unwrap();
        let (send, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4_096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                if send.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let [rows, columns] = [rows, columns].map(|cells| NonZeroU16::new(cells).unwrap());
        Terminal { child, keys, shown, screen: vt100::Parser::new(rows, columns, 0) }
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the screen shows this, and gives the whole of it.
    fn shows(&mut self, part: &str) -> String {
        loop {
            let screen = self.screen.screen().contents();
            if screen.contains(part) {
                return screen;
            }
            let more = self.shown.recv_timeout(PATIENCE);
            let more = more.unwrap_or_else(|_| panic!("`{part}` was not shown, but\n{screen}"));
            self.screen.process(&more);
        }
    }

    /// The process that runs in it.
    fn process(&mut self) -> Pid {
        let screen = self.shows("process ");
        let number = screen.split("process ").nth(1).unwrap().split_whitespace().next().unwrap();
        Pid::from_raw(number.parse().unwrap()).unwrap()
    }

    /// Waits until the program has ended, and sees whether the terminal is as it was.
    fn ends(&mut self) -> ExitStatus {
        while let Ok(more) = self.shown.recv_timeout(PATIENCE) {
            self.screen.process(&more);
        }
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor(), "{}", screen.contents());
        self.child.wait().unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const WHITE: &str = "white";

#[tokio::test]
async fn a_key_pauses_the_running_game_once_it_is_confirmed() {
    let table = Table::lay().await;
    table.new_game("3m+2s", &[]).await;
    table.order("Start", &WHITE).await.unwrap();
    table.advance(10_000_000).await;
    let mut terminal = Terminal::open(&table.bus, "watch");
    let screen = terminal.shows("R U N N I N G");
    assert!(screen.contains("3m+2s") && screen.contains("WHITE ▶"), "{screen}");

    terminal.types(" ");
    let screen = terminal.shows("Enter does it");
    assert!(screen.contains("running, White to move → paused, White to move"), "{screen}");
    assert!(screen.contains("2:52.0 stays"), "{screen}");
    assert_eq!(text(&table.snapshot().await, "phase"), "running", "nothing is done yet");

    terminal.types("\r");
    terminal.shows("P A U S E D");
    assert_eq!(text(&table.snapshot().await, "phase"), "paused");
    terminal.types("q");
    assert_eq!(code(terminal.ends()), 0);
}

#[tokio::test]
async fn an_order_is_not_given_when_something_has_happened_since_it_was_shown() {
    let table = Table::lay().await;
    table.new_game("5m", &[]).await;
    table.order("Start", &WHITE).await.unwrap();
    table.order("Pause", &"").await.unwrap();
    let white = async || number(&side(&table.snapshot().await, WHITE), "main_us") / 1_000_000;
    let mut terminal = Terminal::open(&table.bus, "watch");
    terminal.shows("P A U S E D");
    // what the bus ties to a line, and what only the watch does
    for (typed, after) in [(":add white 1m\r", 420), (":change 5m\r", 480)] {
        terminal.types(typed);
        terminal.shows("Enter does it");
        let before = white().await;
        let by = std::collections::HashMap::from([("add_us", zbus::Variant::from(60_000_000_i64))]);
        let changes = std::collections::HashMap::from([(WHITE, zbus::Variant::from(by))]);
        table.order("Adjust", &(changes, "somebody else", 0_u64)).await.unwrap();
        terminal.types("\r");
        terminal.shows("nothing was done");
        assert_eq!(white().await, before + 60, "{typed}: only the other order was done");
        terminal.types("\r");
        terminal.shows("done: ");
        assert_eq!(white().await, after, "{typed}");
    }
}

#[tokio::test]
async fn a_watch_that_is_told_to_end_gives_the_terminal_back() {
    let table = Table::lay().await;
    for signal in [Signal::TERM, Signal::HUP] {
        let mut terminal = Terminal::open(&table.bus, "watch");
        let process = terminal.process();
        terminal.shows("R E A D Y");
        kill_process(process, signal).unwrap();
        assert_eq!(code(terminal.ends()), 0);
    }
}

#[tokio::test]
async fn a_watch_says_that_the_daemon_is_gone_and_finds_the_next_one() {
    let bus = Bus::start();
    let first = Daemon::on(&bus);
    named(&bus.connect().await).await;
    let mut terminal = Terminal::open(&bus, "watch");
    terminal.shows("R E A D Y");
    first.signal(Signal::KILL);
    terminal.shows("THE DAEMON IS GONE");
    terminal.types("w");
    terminal.shows("swap: no answer");
    // what is told lies over the lines
    terminal.types("q");
    let _next = Daemon::on(&bus);
    terminal.shows("the daemon is back");
}

#[tokio::test]
async fn without_a_terminal_each_event_is_a_line() {
    let table = Table::lay().await;
    let mut child = Command::new(env!("CARGO_BIN_EXE_flagfallctl"))
        .args(["--bus", &table.bus.address(), "watch"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let (send, line) = channel();
    std::thread::spawn(move || send.send(lines.next().unwrap().unwrap()));
    // told again until the watch listens, which nobody but itself knows
    let line = loop {
        table.order("Lock", &true).await.unwrap();
        if let Ok(line) = line.try_recv() {
            break line;
        }
    };
    assert!(line.contains("lock locked"), "{line}");
    child.kill().unwrap();
    child.wait().unwrap();
}
