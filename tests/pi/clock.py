"""What the steps ask of the clock on a Pi, and wait for."""

import json
import time

CTL = "flagfallctl --json"
BUS = "org.flagfall.Clock1 /org/flagfall/Clock1"


def status(pi):
    """What everybody may read."""
    return json.loads(pi.said(f"{CTL} status"))


def state(pi):
    return status(pi)["state"]


def health(pi):
    return status(pi)["health"]


def until_health(pi, condition, what, patience=60):
    """Waits for the clock's health to be as wanted; gives it."""
    deadline = time.monotonic() + patience
    while not condition(told := health(pi)):
        assert time.monotonic() < deadline, f"{what}: {told}"
        time.sleep(0.3)
    return told


def service(pi, name):
    return pi.said(f"systemctl show -P {name} flagfalld")


def reachable(pi):
    """Waits until the clock answers on the bus; gives its process."""
    pi.until(f"{CTL} status >/dev/null")
    return service(pi, "MainPID")


def phase_is(pi, phase, patience=30):
    pi.until(f"""{CTL} status | grep -q '"phase":"{phase}"'""", patience)


def journal(pi):
    """The lines of the game that the clock shows."""
    return [json.loads(line) for line in pi.said("flagfallctl journal").splitlines()]


def verified(pi):
    """The journal's chain is whole, and a replay of the causes gives what was recorded."""
    code, said = pi.run("flagfallctl journal | flagfallctl replay - --verify >/dev/null")
    assert code == 0, f"the journal does not verify: {said}"


def trace(pi):
    """What went through SPI since the last time that somebody asked."""
    return pi.said("cat /sys/kernel/tracing/trace; echo >/sys/kernel/tracing/trace", 300)


def settle(pi, wanted, what, patience=20):
    """Waits until lamps and buzzer are as wanted."""
    deadline = time.monotonic() + patience
    while (levels := pi.levels()) != wanted:
        assert time.monotonic() < deadline, f"{what}: {levels} instead of {wanted}"
        time.sleep(0.02)


def running_game(pi):
    """A game of an hour, in which White has made three moves and Black two."""
    pi.said("flagfallctl new 1h --abandon; flagfallctl start")
    for pressing, then in [("left", "right"), ("right", "left")] * 2 + [("left", "right")]:
        settle(pi, {pressing}, "the lamp of the side whose clock runs")
        with pi.held(pressing):
            settle(pi, {then}, "the lamp of the other side")
    return state(pi)


def goes_on_as(pi, before, phase):
    """The same game as before a death, with every press, and a journal that verifies."""
    phase_is(pi, phase)
    after = state(pi)
    for what in ["game", "to_move"]:
        assert after[what] == before[what], f"{what}: {before} became {after}"
    for side in ["white", "black"]:
        assert after[side]["moves"] == before[side]["moves"], f"{before} became {after}"
    assert after["white"]["main_us"] == before["white"]["main_us"], "White does not think"
    lines = journal(pi)
    recovered = [line for line in lines if line["kind"] == "recovered"]
    assert recovered, "nobody is told that the clock was away"
    verified(pi)
    return recovered[-1]
