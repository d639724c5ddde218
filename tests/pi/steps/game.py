"""A game by the buttons: its times, what the displays show, and what is heard."""

import json
import re
import time

import displays
from clock import BUS, CTL, phase_is, settle, state, trace, verified

# How well this side of the emulation knows when the Pi has seen a button, in seconds.
BLUR = 1.0


def a_game_is_played_by_the_buttons_and_its_times_are_right(pi, results):
    pi.said("flagfallctl new 8s+2s --abandon")
    trace(pi)
    pi.said(f"{CTL} watch --plain >events.jsonl & sleep 1")
    settle(pi, set(), "a clock that is ready")
    # White sits on the left; Black's press starts White's clock
    pressed = [time.monotonic()]
    with pi.held("right"):
        settle(pi, {"left"}, "White's lamp")
    for pressing, then in [("left", "right"), ("right", "left")] * 3:
        settle(pi, {pressing}, "the lamp of the side whose clock runs")
        time.sleep(0.4)
        pressed.append(time.monotonic())
        with pi.held(pressing):
            settle(pi, {then}, "the lamp of the other side")
    with pi.held("pause"):
        phase_is(pi, "paused")
    paused = state(pi)
    told = json.loads(pi.said(f"busctl --json=short call {BUS} org.flagfall.Clock1 Snapshot"))
    with pi.held("pause"):
        time.sleep(0.5)
    # White thinks for too long
    sounds = listened(pi)
    phase_is(pi, "flagged", 60)
    pi.said("flagfallctl end 0-1")
    pi.said("kill %1; wait", 20)
    verified(pi)
    events = [json.loads(line) for line in pi.said("cat events.jsonl").splitlines()]
    check_times(events)
    check_from_outside(events, pressed)
    kinds = [event["kind"] for event in events]
    assert "flag" in kinds and "pause" in kinds and "resume" in kinds, kinds
    assert paused["white"]["moves"] == paused["black"]["moves"] == 3, paused
    check_snapshot(told, paused)
    # 10 s before the end, in each of the last 5 s, and the flag: box.md 5
    assert 4 <= len(sounds) <= 7, f"the buzzer sounded for {sounds}"
    assert 1.1 < sounds[-1] < 2.5 and max(sounds[:-1]) < 1.1, f"the buzzer sounded for {sounds}"
    results["a game by the buttons"] = f"{len(events)} events, to the microsecond"
    results["the buzzer, in its last turn"] = ", ".join(f"{sound:.1f} s" for sound in sounds)


def listened(pi):
    """How long the buzzer sounded each time, until it had told of the flag; in seconds."""
    sounds, since = [], None
    deadline = time.monotonic() + 90
    while not (sounds and sounds[-1] > 1.1):
        assert time.monotonic() < deadline, f"nobody hears the flag; the buzzer sounded for {sounds}"
        now, on = time.monotonic(), "buzzer" in pi.levels()
        if on and since is None:
            since = now
        elif since is not None and not on:
            sounds.append(now - since)
            since = None
        time.sleep(0.01)
    return sounds


def check_times(events):
    """Each side has what it had, less what it thought, plus two seconds a move: to the microsecond."""
    left, running, since = None, None, 0
    grants = 0
    for event in events:
        now, told = event["details"]["at_ns"], event["details"].get("state")
        if told is None:
            continue
        if left is None:
            left = {side: told[side]["main_us"] * 1000 for side in ["white", "black"]}
        elif running:
            left[running] -= now - since
            since = now
        if event["kind"] == "press" and running == event["details"]["side"]:
            left[running] += 2_000_000_000
            grants += 1
        for side, nanos in left.items():
            off = told[side]["main_us"] - nanos / 1000
            assert abs(off) <= 1, f"{side} is off by {off} us at {event}"
        running, since = (told["to_move"], now) if told["phase"] == "running" else (None, now)
    assert grants == 6, f"{grants} presses were a move of the side to move"


def check_from_outside(events, pressed):
    """The turns are as long as whoever pressed the buttons says."""
    begun = next(event for event in events if event["kind"] in ("start", "press"))
    moves = [event for event in events if event["kind"] == "press" and event is not begun]
    told = [event["details"]["at_ns"] / 1e9 for event in [begun] + moves]
    assert len(told) == len(pressed), f"{len(pressed)} presses were {len(told)}"
    for at, by_clock in zip(pressed, told):
        off = (by_clock - told[0]) - (at - pressed[0])
        assert abs(off) < BLUR, f"a press is off by {off:.3f} s"


def check_snapshot(told, paused):
    """The bus gives busctl what it gives the console."""
    white = told["data"][0] if isinstance(told["data"], list) else told["data"]
    for side in ["white", "black"]:
        main = white[side]["data"]["main_us"]["data"]
        assert main == paused[side]["main_us"], f"{side}: {main} and {paused[side]}"


def the_displays_show_the_game(pi, results):
    shown = displays.pictures(trace(pi))
    results["displays of the game"] = displays.table(shown)
    faces = [(left, right) for _, left, right in shown]
    digits = [[re.sub(r"[^0-9.]", "", side.split(" ")[-1]) for side in face] for face in faces]
    seconds = [[side.rstrip(".") for side in face] for face in digits]
    assert ["10", "10"] in seconds, "both have eight seconds and two for the first move"
    white = [face[0] for face in seconds]
    assert any("0.00" in face for face in white), "nothing is left"
    # the last turn counts down, and no second is left out
    begin = max(at for at, text in enumerate(white) if text == "14")
    down = [text for text, before in zip(white[begin:], [""] + white[begin:]) if text != before]
    assert down[:15] == [*(str(second) for second in range(14, 0, -1)), "0.00"], down
    assert any("F1" in face[0] for face in faces), "White's flag fell first"
    assert all("?" not in side for face in faces for side in face), "no such segments"
