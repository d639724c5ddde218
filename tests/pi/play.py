#!/usr/bin/env python3
"""The package on an emulated Raspberry Pi: installed, played with, maltreated, removed.

play.py IMAGE CARD RESULTS    (tests/pi/run calls it)

The steps run in their order, on one card; the first that fails ends the run with the daemon's log."""

import json
import re
import sys
import time

import displays
from pi import Pi

CTL = "flagfallctl --json"
BUS = "org.flagfall.Clock1 /org/flagfall/Clock1"
TRACE = "trace_event=spi:spi_transfer_start trace_buf_size=4M"
STEPS = []


def step(function):
    STEPS.append(function)
    return function


# --- looking ---


def state(pi):
    """The snapshot, as everybody reads it."""
    return json.loads(pi.said(f"{CTL} status"))["state"]


def health(pi):
    return json.loads(pi.said(f"{CTL} status"))["health"]


def service(pi, name):
    return pi.said(f"systemctl show -P {name} flagfalld")


def reachable(pi):
    """Waits until the clock answers on the bus; gives its process."""
    pi.until(f"{CTL} status >/dev/null")
    return service(pi, "MainPID")


def phase_is(pi, phase, patience=30):
    pi.until(f"""{CTL} status | grep -q '"phase":"{phase}"'""", patience)


def trace(pi):
    return pi.said("cat /sys/kernel/tracing/trace; echo >/sys/kernel/tracing/trace", 300)


def settle(pi, wanted, what):
    """Waits until lamps and buzzer are as wanted."""
    deadline = time.monotonic() + 20
    while (levels := pi.levels()) != wanted:
        assert time.monotonic() < deadline, f"{what}: {levels} instead of {wanted}"
        time.sleep(0.02)


def keeps_journal(pi):
    """Whether this daemon has the journal on the disk: then a game outlives its process."""
    return pi.run("flagfalld --help | grep -q -e --state")[0] == 0


def after_a_death(pi):
    """The phase that a game which was running has after the daemon has died and come again."""
    return "paused" if keeps_journal(pi) else "ready"


# --- the first boot: a card without flagfall ---


@step
def the_package_installs_and_the_clock_runs_and_is_reachable(pi, results):
    began = time.monotonic()
    said = pi.said("dpkg -i flagfall.deb", 300)
    assert "rror" not in said, said
    # at first the bus does not know the policy: the clock runs, asks again, and gets its name
    assert service(pi, "ActiveState") == "active", service(pi, "ActiveState")
    reachable(pi)
    results["seconds from dpkg -i to an answer on the bus"] = round(time.monotonic() - began, 1)
    assert pi.said("systemctl is-enabled flagfalld") == "enabled"
    assert service(pi, "FragmentPath") == "/usr/lib/systemd/system/flagfalld.service"
    assert not service(pi, "DropInPaths"), "the unit runs as it is shipped"
    assert state(pi)["phase"] == "ready"


@step
def the_clock_has_its_devices_its_rights_and_little_else(pi, results):
    told = health(pi)
    for right in ["realtime_granted", "memory_locked", "bus_ok"]:
        assert told[right] is True, told
    assert told["degradations"] == [] and told["spi_errors"] == 0, told
    board = pi.said(f"busctl get-property {BUS} org.flagfall.Clock1 Board")
    assert board == 's "rpi"', board
    assert "flagfalld" in pi.said("cat /proc/$(pidof flagfalld)/cmdline | tr '\\0' ' '")
    priority = pi.said("ps -L -o comm=,cls=,rtprio= -p $(pidof flagfalld)")
    assert re.search(r"flagfall-rt +FF +50", priority), priority
    exposed = pi.said("systemd-analyze security --no-pager flagfalld | tail -n 1")
    exposure = float(re.search(r"(\d+\.\d)", exposed)[1])
    results["exposure (systemd-analyze security)"] = exposure
    assert exposure <= 0.8, exposed
    memory = pi.said("grep VmRSS /proc/$(pidof flagfalld)/status")
    results["resident memory"] = memory.split(":")[1].strip()


@step
def everybody_reads_but_only_arbiters_and_root_change(pi, results):
    pi.said(
        "systemd-sysusers --inline 'u stranger -' 'u arbiter -' 'm arbiter flagfall-arbiter'"
    )
    call = f"busctl call {BUS} org.flagfall"

    def by(user, command):
        return pi.run(f"runuser -u {user} -- {command}")

    for user in ["stranger", "arbiter", "root"]:
        for reading in [
            f"{call}.Clock1 Snapshot",
            f"busctl get-property {BUS} org.flagfall.Clock1 Phase",
            f"busctl introspect {BUS}",
            "flagfallctl status",
        ]:
            code, said = by(user, reading)
            assert code == 0, f"{user}: {reading}: {said}"
    for user in ["arbiter", "root"]:
        for order in ["Start s ''", "Pause s 'illegal move'", "Resume s ''", "Pause s ''"]:
            code, said = by(user, f"{call}.Arbiter1 {order}")
            assert code == 0, f"{user}: {order}: {said}"
        assert by(user, "flagfallctl new 3m+2s --abandon")[0] == 0
    before = state(pi)["seq"]
    code, said = by("stranger", f"{call}.Arbiter1 Start s ''")
    assert code != 0 and "denied" in said.lower(), said
    code, said = by("stranger", "flagfallctl start")
    assert code == 4 and "usermod -aG flagfall-arbiter" in said, said
    # nor is the clock anybody else's to be
    code, said = by(
        "arbiter",
        "busctl call org.freedesktop.DBus / org.freedesktop.DBus RequestName su "
        "org.flagfall.Clock1 2",
    )
    assert code != 0 and "denied" in said, said
    assert state(pi)["seq"] == before, "nothing has happened"


@step
def a_game_is_played_by_the_buttons_and_its_times_are_right(pi, results):
    pi.said("flagfallctl new 8s+2s --abandon")
    trace(pi)
    pi.said(f"{CTL} watch --plain >events.jsonl & sleep 1")
    settle(pi, set(), "a clock that is ready")
    # White sits on the left; Black's press starts White's clock
    pi.tap("right")
    for pressing, then in [("left", "right"), ("right", "left")] * 3:
        settle(pi, {pressing}, "the lamp of the side whose clock runs")
        time.sleep(0.4)
        pi.tap(pressing)
        settle(pi, {then}, "the lamp of the other side")
    pi.tap("pause")
    phase_is(pi, "paused")
    paused = state(pi)
    pi.tap("pause")
    phase_is(pi, "running")
    # White thinks for too long
    phase_is(pi, "flagged", 60)
    pi.said("flagfallctl end 0-1")
    pi.said("kill %1; wait", 20)
    events = [json.loads(line) for line in pi.said("cat events.jsonl").splitlines()]
    check_times(events)
    kinds = [event["kind"] for event in events]
    assert kinds.count("press") == 7 - (kinds[0] == "start"), kinds
    assert "flag" in kinds, kinds
    assert paused["white"]["moves"] == paused["black"]["moves"] == 3, paused
    results["a game by the buttons"] = f"{kinds.count('press')} presses, {len(events)} events"


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


@step
def the_displays_show_the_game(pi, results):
    shown = displays.pictures(trace(pi))
    results["displays"] = displays.table(shown)
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


# --- what goes wrong in a hall ---


def running_game(pi):
    pi.said("flagfallctl new 1h --abandon; flagfallctl start")
    settle(pi, {"left"}, "White's lamp")


@step
def without_spi_the_clock_goes_on_and_the_displays_come_back(pi, results):
    running_game(pi)
    process, before = reachable(pi), state(pi)
    pi.said("echo spi0.0 >/sys/bus/spi/drivers/spidev/unbind")
    pi.until(f"{CTL} status | grep -q display_fault")
    fault = health(pi)["display_fault"]
    assert "/dev/spidev0.0" in fault, fault
    results["without SPI"] = fault
    pi.tap("left")
    settle(pi, {"right"}, "Black's lamp, without displays")
    pi.said("echo spi0.0 >/sys/bus/spi/drivers/spidev/bind")
    pi.until(f"! {CTL} status | grep -q display_fault")
    trace(pi)
    time.sleep(2.5)
    shown = displays.pictures(trace(pi))
    assert shown and "59.5" in shown[-1][1], displays.table(shown)
    assert reachable(pi) == process and state(pi)["game"] == before["game"]


@step
def a_bus_that_dies_takes_nothing_along(pi, results):
    running_game(pi)
    process, before = reachable(pi), state(pi)
    began = time.monotonic()
    pi.said("systemctl kill -s KILL dbus.service")
    pi.tap("left")
    settle(pi, {"right"}, "Black's lamp, without a bus")
    assert reachable(pi) == process
    results["seconds from the bus's death to an answer on the new one"] = round(
        time.monotonic() - began, 1
    )
    after = state(pi)
    assert after["game"] == before["game"] and after["phase"] == "running", after
    assert after["to_move"] == "black", after


@step
def a_timing_thread_that_stands_still_is_noticed(pi, results):
    running_game(pi)
    process = reachable(pi)
    began = time.monotonic()
    pi.said(f"chmod +x stop-thread; ./stop-thread {process} flagfall-rt >stopped & sleep 1")
    assert pi.said("cat stopped") == "stopped"
    pi.until(f"test $(systemctl show -P NRestarts flagfalld) = 1", 60)
    results["seconds from a standing timing thread to a new one"] = round(
        time.monotonic() - began, 1
    )
    assert reachable(pi) != process
    assert "atchdog" in pi.said("journalctl -u flagfalld -n 40 --no-pager")
    phase_is(pi, after_a_death(pi))


@step
def a_killed_daemon_comes_back_and_leaves_no_buzzer_on(pi, results):
    running_game(pi)
    process = reachable(pi)
    restarts = int(service(pi, "NRestarts"))
    began = time.monotonic()
    pi.said("systemctl kill -s KILL flagfalld")
    pi.until(f"test $(systemctl show -P NRestarts flagfalld) = {restarts + 1}")
    assert reachable(pi) != process
    results["seconds from SIGKILL to an answer"] = round(time.monotonic() - began, 1)
    phase_is(pi, after_a_death(pi))
    if not keeps_journal(pi):
        settle(pi, set(), "no lamp is left on by a daemon that was killed")


@step
def an_upgrade_leaves_a_running_game_alone(pi, results):
    running_game(pi)
    process, before = reachable(pi), state(pi)
    pi.said("echo '# mine' >>/etc/flagfall/flagfalld.toml")
    said = pi.said("dpkg -i flagfall-next.deb", 300)
    assert "between two games" in said, said
    after = state(pi)
    assert reachable(pi) == process and after["game"] == before["game"], after
    assert after["phase"] == "running", after
    assert "# mine" in pi.said("cat /etc/flagfall/flagfalld.toml")
    pi.said("systemctl restart flagfalld")
    assert reachable(pi) != process


@step
def a_bus_that_starts_late_finds_a_clock_that_runs(pi, results):
    pi.said("flagfallctl new 3m+2s --abandon")
    pi.said("systemctl stop flagfalld; systemctl stop dbus.socket dbus.service")
    pi.said("systemctl start flagfalld")
    assert service(pi, "ActiveState") == "active"
    pi.tap("right")
    settle(pi, {"left"}, "White's lamp, before there is a bus")
    assert "not" in service(pi, "StatusText") or "cannot" in service(pi, "StatusText")
    pi.said("systemctl start dbus.socket dbus.service")
    reachable(pi)
    assert state(pi)["phase"] == "running"
    pi.said("systemctl --no-block restart systemd-logind")


# --- the second boot: the card as it is now, and a stone on a button ---


@step
def at_a_cold_boot_the_displays_say_ready_and_a_stuck_button_is_no_press(pi, results):
    pi.said("flagfallctl new 3m+2s --abandon")
    pi.reboot(hold="right")
    reachable(pi)
    shown = displays.pictures(trace(pi))
    ready = [at for at, left, _ in shown if "3.02" in left]
    assert ready, displays.table(shown)
    results["seconds from the kernel's start to ready on the display"] = round(ready[0], 1)
    results["displays after a cold boot"] = displays.table(shown[:4])
    assert state(pi)["phase"] == "ready", "a button that is down at boot is no press"
    pi.until(f"{CTL} status | grep -q '\"stuck_buttons\":\\[\"right\"\\]'")
    pi.release("right")
    pi.until(f"{CTL} status | grep -q '\"stuck_buttons\":\\[\\]'")
    pi.tap("right")
    phase_is(pi, "running")


@step
def removed_and_purged_nothing_is_left_and_nothing_broken(pi, results):
    pi.said("dpkg -r flagfall", 300)
    assert pi.run("pidof flagfalld")[0] != 0
    settle(pi, set(), "lamps are off")
    assert pi.run("test -e /etc/flagfall/flagfalld.toml")[0] == 0, "a conffile outlives removal"
    pi.said("dpkg -P flagfall", 300)
    left = pi.said(
        "find / -xdev -name '*flagfall*' -not -path '/root/*' -not -path '/var/log/*' "
        "-not -path '/var/lib/systemd/deb-systemd-*' -not -path '/proc/*'"
    )
    assert left == "", left
    failed = pi.said("systemctl --failed --no-legend --plain")
    assert "flagfall" not in failed and "dbus" not in failed, failed
    pi.said("dpkg -i flagfall.deb", 300)
    reachable(pi)


class Table:
    """A Pi that can be booted anew."""

    def __init__(self, image, card):
        self.image, self.card = image, card
        self.pi = None
        self.boot()

    def boot(self, hold=None):
        self.pi = Pi(self.image, self.card, TRACE)
        if hold:
            self.pi.hold(hold)
        self.pi.shell()

    def reboot(self, hold=None):
        self.pi.shut_down()
        self.boot(hold)

    def __getattr__(self, name):
        return getattr(self.pi, name)


def main():
    image, card, results_file = sys.argv[1:4]
    wanted = sys.argv[4:]
    results = {}
    pi = Table(image, card)
    results["seconds to a shell (host)"] = round(time.monotonic() - pi.start, 1)
    try:
        for test in STEPS:
            if wanted and test.__name__ not in wanted:
                continue
            began = time.monotonic()
            print(f"  {test.__name__.replace('_', ' ')} ...", end="", flush=True)
            try:
                test(pi, results)
            except (AssertionError, TimeoutError) as failure:
                print(" FAILED", flush=True)
                print(failure, file=sys.stderr)
                if pi.process.poll() is None:
                    print(pi.run("journalctl -b -n 60 --no-pager", 60)[1], file=sys.stderr)
                return 1
            print(f" {time.monotonic() - began:.0f} s", flush=True)
        # all of it on the card, for the power cuts
        pi.shut_down()
    finally:
        pi.power_cut()
    with open(results_file, "w") as file:
        for name, value in results.items():
            value = str(value)
            file.write(f"{name}:\n{value}\n" if "\n" in value else f"{name}: {value}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
