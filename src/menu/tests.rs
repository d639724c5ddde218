//! The menus by themselves, on a real engine; the test plays the daemon.

use proptest::prelude::*;

use super::catalogue::{Offer, Slot};
use super::compose::{Part, next};
use super::options::GameOption;
use super::own::{OwnBlock, OwnSide};
use super::page::Line;
use super::*;
use crate::control::presets::{Preset, Presets};
use crate::control::{Control, Profile, notation};
use crate::display::read;
use crate::engine::{Command, Engine};

/// Everything that ships, and five empty slots.
pub(crate) fn shipped() -> Box<Catalogue> {
    let presets = Presets::shipped();
    let presets = presets.iter().zip(1..);
    Box::new(Catalogue {
        edition: 0,
        presets: presets.map(|(p, n)| Offer::of_preset(n, p)).collect(),
        slots: Default::default(),
    })
}

/// Menus in front of a game.
struct Bench {
    engine: Engine,
    menu: Menu,
    kept: [Option<Control>; SLOTS],
    now: Instant,
    look: Look,
}

impl Bench {
    fn new(control: &str) -> Bench {
        let settings = Settings::new(notation::parse(control).unwrap(), Profile::Club);
        Bench {
            engine: Engine::new(Instant::ZERO, Box::new(settings)),
            menu: Menu::new(shipped()),
            kept: Default::default(),
            now: Instant::ZERO,
            look: Look { brightness: 8, tenths_below: Span::ZERO, sound: options::Sounding::On },
        }
    }

    fn paused(control: &str) -> Bench {
        let mut bench = Bench::new(control);
        for command in [Command::Start { side: None }, Command::Pause] {
            let _ = bench.engine.command(bench.now, &command).unwrap();
        }
        bench
    }

    fn with<T>(&mut self, f: impl FnOnce(&mut Menu, &Game<'_>, Instant) -> T) -> T {
        let state = *self.engine.state();
        let snapshot = self.engine.snapshot(self.now);
        let game = Game {
            settings: self.engine.settings(),
            snapshot: &snapshot,
            white_on: state.white_on,
            began: state.began,
            look: self.look,
            locked: state.locked,
        };
        self.menu.follow(self.now, &state);
        f(&mut self.menu, &game, self.now)
    }

    fn lock(&mut self, locked: bool) {
        let _ = self.engine.command(self.now, &Command::Lock { locked }).unwrap();
        self.with(|_, _, _| ());
    }

    fn enter(&mut self) -> &mut Bench {
        self.with(Menu::enter);
        self
    }

    fn stroke(&mut self, key: Key, what: What) -> &mut Bench {
        let stroke = Stroke { key, what, at: self.now };
        if let Some(asked) = self.with(|menu, game, _| menu.take(stroke, game)) {
            self.do_it(asked);
        }
        self.wait(400)
    }

    fn press(&mut self, key: Key) -> &mut Bench {
        self.stroke(key, What::Pressed)
    }

    fn wait(&mut self, ms: i64) -> &mut Bench {
        self.now += Span::from_millis(ms);
        self.with(|_, _, _| ());
        self
    }

    fn do_it(&mut self, asked: Asked) {
        let now = self.now;
        match asked {
            Asked::Look(look) => self.look = look,
            Asked::Correct(changes) => {
                let done = self.engine.command(now, &Command::Adjust(changes)).is_ok();
                self.menu.corrected(done, now);
            }
            Asked::Wish(Wish::NewGame { choice, abandon }) => {
                let control = match choice {
                    Choice::Preset { place: index, .. } => {
                        Presets::shipped().iter().nth(index).map(|p| p.control.clone())
                    }
                    Choice::Slot(slot) => self.kept[slot].clone(),
                };
                let settings = Settings::new(control.unwrap(), Profile::Club);
                self.engine.new_game(now, Box::new(settings), abandon).unwrap();
            }
            Asked::Wish(Wish::Keep { slot, own }) => {
                let control = own.control();
                let outcome = match notation::check(&control) {
                    Ok(()) => {
                        let mut catalogue = shipped();
                        let offer = Some(Offer::of_slot(slot, &control));
                        catalogue.slots[slot] = Slot { offer, own: None };
                        self.kept[slot] = Some(control);
                        Ok(catalogue)
                    }
                    Err((side, stage, _)) => Err((side, stage)),
                };
                self.menu.kept(slot, own, outcome, now);
            }
            Asked::Wish(Wish::Option(option)) => {
                let mut settings = self.engine.settings().clone();
                if let GameOption::WhiteOn(seat) = option {
                    settings.white_on = seat;
                }
                self.engine.new_game(now, Box::new(settings), false).unwrap();
            }
            Asked::Wish(Wish::Look(_) | Wish::PowerOff) => {}
        }
    }

    /// Both displays, what blinks in brackets.
    fn shows(&mut self) -> String {
        let line = |line: Line| {
            let blinking = if line.blinking == 0 {
                String::new()
            } else {
                let mut up = line;
                for (place, cell) in up.cells.iter_mut().enumerate() {
                    if line.blinking >> place & 1 == 0 {
                        *cell = 0;
                    }
                }
                format!(" <{}>", read(&up.cells).trim())
            };
            format!("{}{blinking}", read(&line.cells).trim_end())
        };
        match self.with(|menu, game, now| menu.page(game, now)) {
            None => "the game".to_owned(),
            Some(page) => format!("{} | {}", line(page.left), line(page.right)),
        }
    }

    /// Where the making of a control is.
    fn making(&self) -> Option<(Part, Own)> {
        match self.menu.open {
            Some(Open { at: At::Compose(compose), .. }) => {
                Some((compose.part(), self.menu.drafts[compose.slot]))
            }
            _ => None,
        }
    }
}

/// Steps a number that is seen whole to another one: digit by digit, the shorter way round.
pub(crate) fn type_number(places: &[(u32, u32)], from: u32, to: u32, mut key: impl FnMut(Key)) {
    if from == to {
        return key(Key::Ok);
    }
    key(Key::Plus);
    for (weight, radix) in places {
        let (from, to) = (from / weight % radix, to / weight % radix);
        let up = (to + radix - from) % radix;
        let (times, step) =
            if up <= radix / 2 { (up, Key::Plus) } else { (radix - up, Key::Minus) };
        for _ in 0..times {
            key(step);
        }
        key(Key::Ok);
    }
}

const DURATION_PLACES: [(u32, u32); 9] = [
    (36_000_000, 10),
    (3_600_000, 10),
    (600_000, 6),
    (60_000, 10),
    (10_000, 6),
    (1_000, 10),
    (100, 10),
    (10, 10),
    (1, 10),
];
pub(crate) const COUNT_PLACES: [(u32, u32); 4] = [(1_000, 10), (100, 10), (10, 10), (1, 10)];

/// The number of a part, and its digits.
fn number(own: &Own, part: Part) -> Option<(u32, &'static [(u32, u32)])> {
    let side = |side: Side| -> &OwnSide { &own.sides[side] };
    let block = |s: Side, b: usize| -> OwnBlock { side(s).blocks[b] };
    Some(match part {
        Part::Alone(s) => (side(s).alone, &DURATION_PLACES),
        Part::Moves(s, i) => (side(s).stages[i].moves, &COUNT_PLACES),
        Part::Base(s, i) => (side(s).stages[i].base, &DURATION_PLACES),
        Part::Each(s, i) => (side(s).stages[i].each, &DURATION_PLACES),
        Part::Cap(s, i) => (side(s).stages[i].cap, &DURATION_PLACES),
        Part::Free(s) => (side(s).free, &DURATION_PLACES),
        Part::Periods(s) => (side(s).periods, &COUNT_PLACES),
        Part::Period(s) => (side(s).period, &DURATION_PLACES),
        Part::Stones(s, b) => (block(s, b).stones, &COUNT_PLACES),
        Part::Block(s, b) => (block(s, b).time, &DURATION_PLACES),
        Part::Below(s) => (side(s).below, &DURATION_PLACES),
        _ => return None,
    })
}

/// Enters a control into the first slot, with keys alone, and starts a game with it.
fn enter_own(bench: &mut Bench, target: &Own) {
    bench.enter().press(Key::Plus).press(Key::Ok).press(Key::Ok);
    while let Some((part, now)) = bench.making() {
        if part == Part::Done {
            bench.press(Key::Ok);
            break;
        }
        if let (Some((from, places)), Some((to, _))) = (number(&now, part), number(target, part)) {
            type_number(places, from, to, |key| {
                bench.press(key);
            });
            continue;
        }
        let right = |own: &Own| match part {
            Part::Sides => own.unequal == target.unequal,
            Part::Kind(s) => own.sides[s].kind == target.sides[s].kind,
            Part::Grant(s, i) => own.sides[s].stages[i].grant == target.sides[s].stages[i].grant,
            Part::Then(s, i) => own.sides[s].stages[i].then == target.sides[s].stages[i].then,
            Part::More(s, b) => {
                (own.sides[s].block_count > b + 1) == (target.sides[s].block_count > b + 1)
            }
            _ => true,
        };
        let mut turns = 0;
        while !bench.making().is_some_and(|(_, own)| right(&own)) {
            bench.press(Key::Plus);
            turns += 1;
            assert!(turns < 20, "{part:?} cannot be chosen");
        }
        bench.press(Key::Ok);
    }
    bench.press(Key::Ok);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_control_of_up_to_four_stages_can_be_entered_digit_by_digit(
        control in notation::tests::laws::control().prop_filter("fits", |c| Own::of(c).is_some())
    ) {
        let target = Own::of(&control).unwrap();
        prop_assert_eq!(&target.control(), &control);
        let mut bench = Bench::new("1h");
        enter_own(&mut bench, &target);
        prop_assert_eq!(&bench.engine.settings().control, &control);
        prop_assert!(!bench.menu.is_open());
    }
}

#[test]
fn every_shipped_preset_can_be_chosen_and_taken_into_the_making() {
    for (index, preset) in Presets::shipped().iter().enumerate() {
        let mut bench = Bench::new("7h");
        bench.with(Menu::choose);
        for _ in 0..index {
            bench.press(Key::Plus);
        }
        bench.press(Key::Ok);
        assert_eq!(bench.engine.settings().control, preset.control, "{}", preset.id);
        assert!(Own::of(&preset.control).is_some(), "{}", preset.id);
    }
}

#[test]
fn a_hold_leaps_over_ten_presets_and_minus_reaches_the_last_slot_first() {
    let mut bench = Bench::new("5m");
    bench.with(Menu::choose);
    bench.press(Key::Minus);
    assert_eq!(bench.shows(), "oUn 5 | --------");
    bench.press(Key::Plus).stroke(Key::Plus, What::Held(Span::from_secs(1)));
    assert_eq!(bench.shows(), "F.100-40 |  1n   40");
}

#[test]
fn who_chooses_stays_at_what_is_read_when_other_presets_are_on_offer() {
    type Ids = &'static [(&'static str, &'static str)];
    let with = |ids: Ids, edition| {
        let mut own = Presets::default();
        for (id, control) in ids {
            let control = notation::parse(control).unwrap();
            own.put(Preset::own(id, id, control, Profile::Club).unwrap());
        }
        let presets = Presets::shipped().with(&own);
        let offers = presets.iter().zip(1..).map(|(p, n)| Offer::of_preset(n, p)).collect();
        Box::new(Catalogue { edition, presets: offers, slots: Default::default() })
    };
    const BEFORE: Ids = &[("one", "1m"), ("two", "2m"), ("tri", "3m")];
    // Where each of them stands afterwards, and whether ok takes it at once.
    let cases: [(Ids, &str, bool); 4] = [
        (&[("two", "2m"), ("tri", "3m")], "two", true),
        (&[("one", "1m"), ("two", "2m+1s"), ("tri", "3m")], "two", false),
        (&[("one", "1m"), ("tri", "3m")], "tri", false),
        (&[("fide-classical", "9m"), ("one", "1m"), ("two", "2m"), ("tri", "3m")], "two", true),
    ];
    for (after, stands_at, at_once) in cases {
        let mut bench = Bench::new("5m");
        let old = bench.menu.renew(with(BEFORE, 1), bench.now);
        assert_eq!(old, shipped());
        bench.with(Menu::choose);
        for _ in 0..5 + 2 {
            bench.press(Key::Minus);
        }
        assert!(bench.shows().contains("tUo |      2.00"), "{}", bench.shows());
        let now = bench.now;
        bench.menu.renew(with(after, 2), now);
        if !at_once {
            assert_eq!(bench.shows(), "PrE5Et | CHAnGEd");
            bench.press(Key::Ok);
        }
        assert_eq!(bench.engine.settings().control.to_string(), "5m", "nothing was set");
        let Some(Open { at: At::Choose(choice), .. }) = bench.menu.open else { panic!() };
        assert_eq!(&*bench.menu.catalogue.offer(choice).unwrap().id, stands_at, "{after:?}");
    }
}

#[test]
fn an_impossible_control_is_refused_at_its_fault_and_nothing_entered_is_lost() {
    let mut own = Own::NEW;
    own.sides.white.stages[0].base = 0;
    let mut bench = Bench::new("5m");
    enter_own(&mut bench, &own);
    // The ok that would have chosen it has put the message away.
    let (part, now) = bench.making().unwrap();
    assert_eq!(part, Part::Base(Side::White, 0));
    assert_eq!(now.sides.white.stages[0].base, 0);
    // Longer than any control may be.
    own.sides.white.stages[0].base = 99 * 3_600_000 + 1;
    let mut bench = Bench::new("5m");
    enter_own(&mut bench, &own);
    assert_eq!(bench.making().unwrap().0, Part::Base(Side::White, 0));
}

#[test]
fn what_was_entered_outlives_pause_the_time_out_and_parts_that_are_switched_off() {
    let mut bench = Bench::new("5m");
    let press = |bench: &mut Bench, keys: &[Key]| {
        for key in keys {
            bench.press(*key);
        }
    };
    use Key::{Minus, Ok, Pause, Plus};
    bench.enter();
    // Own, slot 1, equal sides, stages, no moves, base: ten hours more.
    press(&mut bench, &[Plus, Ok, Ok, Ok, Ok, Ok, Plus, Plus]);
    assert_eq!(bench.making().unwrap().1.sides.white.stages[0].base, 36_300_000);
    bench.wait(59_000);
    assert!(bench.menu.is_open());
    bench.wait(1_000);
    assert!(!bench.menu.is_open(), "closed after a minute");
    bench.enter();
    press(&mut bench, &[Plus, Ok, Ok, Ok]);
    // Another kind, and back again.
    press(&mut bench, &[Plus, Minus]);
    let (part, own) = bench.making().unwrap();
    assert_eq!(part, Part::Kind(Side::White));
    assert_eq!(own.sides.white.stages[0].base, 36_300_000);
    press(&mut bench, &[Pause, Pause, Pause, Pause]);
    assert!(!bench.menu.is_open());
}

#[test]
fn pause_leads_back_from_everywhere_part_by_part() {
    let control =
        notation::parse("white 40/2h+30s cap 3h confirm, 1h canadian 3/1m then 2/1m; black 5m")
            .unwrap();
    let own = Own::of(&control).unwrap();
    let mut parts = vec![Part::Sides];
    while *parts.last().unwrap() != Part::Done {
        parts.push(next(&own, *parts.last().unwrap()));
    }
    let mut bench = Bench::new("5m");
    *bench.menu.drafts = [own; SLOTS];
    bench.enter().press(Key::Plus).press(Key::Ok).press(Key::Ok);
    for part in &parts {
        assert_eq!(bench.making().unwrap().0, *part);
        if *part != Part::Done {
            bench.press(Key::Ok);
        }
    }
    for part in parts.iter().rev() {
        assert_eq!(bench.making().unwrap().0, *part);
        bench.press(Key::Pause);
    }
    assert_eq!(bench.shows(), "oUn | oUn 1");
}

#[test]
fn a_correction_that_was_left_is_found_again_while_the_game_stands_as_it_stood() {
    let mut bench = Bench::paused("1h");
    bench.enter().press(Key::Ok).press(Key::Plus).press(Key::Plus);
    assert_eq!(bench.shows(), " 101.00.00 <1> | CLoC");
    bench.press(Key::Pause);
    assert_eq!(bench.shows(), "the game");
    assert_eq!(bench.engine.state().clocks.white.main, Span::from_hours(1), "nothing changed");
    bench.enter().press(Key::Ok);
    assert_eq!(bench.shows(), " 101.00.00 <1> | CLoC");
    bench.press(Key::Pause);
    for command in [Command::Resume { side: None }, Command::Pause] {
        bench.now += Span::from_secs(1);
        let _ = bench.engine.command(bench.now, &command).unwrap();
        bench.with(|_, _, _| ());
    }
    bench.enter().press(Key::Ok);
    assert_eq!(bench.shows(), "    59.59 | CLoC");
}

#[test]
fn a_refused_correction_keeps_what_was_entered() {
    let mut bench = Bench::paused("10s overtime 1m");
    bench.enter().press(Key::Ok);
    // White to minus ten seconds less than may be: -0.10 is fine, -2.10 is not.
    for key in [Key::Plus, Key::Plus, Key::Ok, Key::Ok, Key::Ok, Key::Ok, Key::Ok, Key::Plus] {
        bench.press(key);
    }
    bench.press(Key::Ok).press(Key::Ok).press(Key::Ok);
    for _ in 0..5 {
        bench.press(Key::Ok);
    }
    assert_eq!(bench.shows(), "CorrEct | donE");
    bench.press(Key::Ok);
    assert_eq!(bench.shows(), "Err | no");
    bench.press(Key::Ok);
    assert_eq!(bench.shows(), "    -1.10 | CLoC");
    assert_eq!(bench.engine.state().clocks.white.main, Span::from_secs(10));
}

#[test]
fn no_message_of_the_box_looks_like_a_time() {
    let mark = Message::Mark(['2', '4', '8', 'F']);
    for message in [
        Message::Locked,
        Message::Refused,
        Message::NoPowerOff,
        Message::PowerOff,
        Message::NotKept,
        Message::Undone,
        Message::Inserted,
        mark,
    ] {
        let page = message.page();
        for line in [page.left, page.right] {
            let text = read(&line.cells);
            let letters = text.chars().filter(|c| c.is_alphabetic()).count();
            assert!(letters > 0 && !text.contains('.') || text.starts_with('-'), "{text:?}");
        }
    }
}

#[test]
fn locked_means_locked() {
    let mut bench = Bench::paused("5m");
    bench.enter();
    bench.lock(true);
    assert!(!bench.menu.is_open(), "an open menu closes");
    bench.enter();
    assert_eq!(bench.shows(), "LoC | LoC");
    bench.wait(2_000);
    assert_eq!(bench.shows(), "the game");
    bench.with(Menu::choose);
    assert!(!bench.menu.is_open());
    bench.lock(false);
    bench.enter();
    assert!(bench.menu.is_open());
}

#[test]
fn a_menu_closes_when_the_clock_runs_or_another_game_stands_there() {
    let mut bench = Bench::new("5m");
    bench.enter();
    let _ = bench.engine.command(bench.now, &Command::Start { side: None }).unwrap();
    assert_eq!(bench.shows(), "the game");
    let mut bench = Bench::paused("5m");
    bench.enter().press(Key::Ok);
    let settings = bench.engine.settings().clone();
    bench.engine.new_game(bench.now, Box::new(settings), true).unwrap();
    assert_eq!(bench.shows(), "the game");
}

#[test]
fn the_pages_of_the_menus() {
    let mut pages = Vec::new();
    let mut walk = |name: &str, mut bench: Bench, keys: &str| {
        bench.enter();
        pages.push(format!("{name}\n   {}", bench.shows()));
        for key in keys.chars() {
            let key = match key {
                '+' => Key::Plus,
                '-' => Key::Minus,
                'o' => Key::Ok,
                _ => Key::Pause,
            };
            bench.press(key);
            let page = bench.shows();
            pages.push(format!(
                " {} {page}",
                match key {
                    Key::Plus => '+',
                    Key::Minus => '-',
                    Key::Ok => 'o',
                    _ => 'p',
                }
            ));
        }
    };
    walk("ready: choose", Bench::new("5m"), "o+++-opp");
    walk("ready: own, byo-yomi", Bench::new("5m"), "+o+ooo+ooooooooooo+o+++o+++++ooooooo");
    walk("ready: own, unequal", Bench::new("5m"), "+oo+o+oooooo");
    walk("ready: options", Bench::new("5m"), "++oo+o+o-o+o+o+o+o+o+o+op");
    walk("paused: correct a delay", Bench::paused("25m delay 5s"), "o+++oooooooo++ooooo+oo+oo");
    walk("paused: correct byo-yomi", Bench::paused("40/1h, 10m byoyomi 5x1m"), "oooooo+oooo");
    walk("paused: correct canadian", Bench::paused("canadian 20/5m"), "oooooooooooo");
    walk("paused: a new game", Bench::paused("5m"), "+op");
    insta::assert_snapshot!(pages.join("\n"));
}

#[test]
fn the_outline_of_a_control_takes_turns() {
    let mut lines = Vec::new();
    for control in [
        "5m",
        "3m+2s",
        "40/1h30m+30s, 30m+30s",
        "10m+5s cap 10m",
        "white 5m; black 4m delay 3s",
        "10m byoyomi 10x1m free 30s burn-on-entry",
        "1h canadian 10/5m then 20/5m",
        "25m overtime 10m",
        "hourglass 1m",
        "up 2h",
        "40/1h repeat",
        "40/2h confirm, 30m",
        "move 12h",
    ] {
        let outline = Offer::of_slot(0, &notation::parse(control).unwrap()).outline;
        let outline: Vec<String> = outline.iter().map(|line| read(&line.cells)).collect();
        lines.push(format!("{control}\n  [{}]", outline.join("] [")));
    }
    insta::assert_snapshot!(lines.join("\n"));
}
