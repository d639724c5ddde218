//! Buses that die and names that are taken.

use std::time::Instant;

use rustix::process::Signal;

use crate::common::*;

#[tokio::test]
async fn time_goes_on_while_the_bus_is_dead_and_the_name_comes_back_with_it() {
    let mut bus = Bus::start();
    let daemon = Daemon::start(Daemon::command().args(["--bus", &bus.address()]));
    let connection = bus.connect().await;
    named(&connection).await;
    let snapshot = async |connection: &zbus::Connection| -> Dict {
        let call = connection.call_method(Some(NAME), CLOCK.0, Some(CLOCK.1), "Snapshot", &());
        within("Snapshot", call).await.unwrap().body().deserialize().unwrap()
    };
    let start = connection.call_method(Some(NAME), ARBITER.0, Some(ARBITER.1), "Start", &"");
    within("Start", start).await.unwrap();
    let before = snapshot(&connection).await;

    let outage = Instant::now();
    bus.kill();
    daemon.logs("has gone; the clock goes on");
    bus.start_again();
    let connection = bus.connect().await;
    named(&connection).await;
    let outage = i64::try_from(outage.elapsed().as_micros()).unwrap();

    let after = snapshot(&connection).await;
    let passed = number(&after, "at_us") - number(&before, "at_us");
    assert!(passed >= outage, "{passed} us passed for the clock, {outage} us for us");
    let used = number(&side(&before, "white"), "remaining_us")
        - number(&side(&after, "white"), "remaining_us");
    assert!((passed - used).abs() <= 1, "{passed} us passed, {used} us were used");
    assert_eq!(text(&after, "phase"), "running");
    assert_eq!(text(&after, "game"), text(&before, "game"));
}

#[tokio::test]
async fn a_second_daemon_does_not_take_the_name_and_gets_it_when_the_first_is_gone() {
    let bus = Bus::start();
    let first = Daemon::on(&bus);
    let connection = bus.connect().await;
    let owner = named(&connection).await;
    let mut second = Daemon::on(&bus);
    second.logs("belongs to another program");
    assert_eq!(named(&connection).await, owner);

    first.signal(Signal::KILL);
    second.logs("on the bus as org.flagfall.Clock1");
    assert_ne!(named(&connection).await, owner);
    second.signal(Signal::TERM);
    assert_eq!(code(second.end()), 0);
}

#[tokio::test]
async fn a_bus_that_is_not_there_yet_is_waited_for() {
    let mut bus = Bus::start();
    bus.kill();
    let daemon = Daemon::on(&bus);
    daemon.logs("cannot be used");
    bus.start_again();
    named(&bus.connect().await).await;
    daemon.logs("on the bus as org.flagfall.Clock1");
}
