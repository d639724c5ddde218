"""What goes wrong in a hall, while a game runs."""

import time

import displays
from clock import goes_on_as, health, reachable, running_game, service, settle, state, trace
from clock import until_health


def without_spi_the_clock_goes_on_and_the_displays_come_back(pi, results):
    before = running_game(pi)
    process = reachable(pi)
    pi.said("echo spi0.0 >/sys/bus/spi/drivers/spidev/unbind")
    # first the open device fails, then there is none to be opened
    told = until_health(
        pi, lambda health: "dtparam=spi=on" in health.get("display_fault", ""), "no remedy is told"
    )
    results["without SPI the daemon says"] = told["display_fault"]
    with pi.held("right"):
        settle(pi, {"left"}, "White's lamp, without displays")
    pi.said("echo spi0.0 >/sys/bus/spi/drivers/spidev/bind")
    until_health(pi, lambda health: not health.get("display_fault"), "the displays stay away")
    trace(pi)
    time.sleep(2.5)
    shown = displays.pictures(trace(pi))
    assert shown and "59" in shown[-1][1], displays.table(shown)
    assert reachable(pi) == process and state(pi)["game"] == before["game"]


def a_bus_that_dies_takes_nothing_along(pi, results):
    before = running_game(pi)
    process = reachable(pi)
    began = time.monotonic()
    pi.said("systemctl kill -s KILL dbus.service")
    with pi.held("right"):
        settle(pi, {"left"}, "White's lamp, without a bus")
    assert reachable(pi) == process
    results["the bus killed, until an answer on the new one"] = f"{time.monotonic() - began:.1f} s"
    after = state(pi)
    assert after["game"] == before["game"] and after["phase"] == "running", after
    assert after["to_move"] == "white" and after["black"]["moves"] == 3, after
    assert health(pi)["bus_ok"] is True


def a_timing_thread_that_stands_still_is_noticed(pi, results):
    before = running_game(pi)
    process = reachable(pi)
    restarts = int(service(pi, "NRestarts"))
    began = time.monotonic()
    pi.said(f"./stop-thread {process} flagfall-rt >stopped & sleep 1")
    assert pi.said("cat stopped") == "stopped"
    pi.until(f"test $(systemctl show -P NRestarts flagfalld) = {restarts + 1}", 60)
    took = time.monotonic() - began
    results["timing thread stopped, until a new daemon"] = f"{took:.1f} s"
    assert reachable(pi) != process
    assert "atchdog" in pi.said("journalctl -u flagfalld -n 40 --no-pager")
    goes_on_as(pi, before, "paused")


def a_killed_daemon_comes_back_with_the_game_paused(pi, results):
    before = running_game(pi)
    process = reachable(pi)
    restarts = int(service(pi, "NRestarts"))
    time.sleep(1.5)
    pi.said("systemctl kill -s KILL flagfalld")
    began = time.monotonic()
    pi.until(f"test $(systemctl show -P NRestarts flagfalld) = {restarts + 1}")
    assert reachable(pi) != process
    results["SIGKILL, until an answer"] = f"{time.monotonic() - began:.1f} s"
    recovered = goes_on_as(pi, before, "paused")
    thought = (recovered["last_press"]["black_ns"] - recovered["last_record"]["black_ns"]) / 1e9
    assert thought > 1.0, f"of Black's thinking only {thought} s are left: {recovered}"
    in_force(pi, recovered, "last_record")
    pi.said("flagfallctl recover last-press")
    in_force(pi, recovered, "last_press")
    pi.said("flagfallctl resume")
    with pi.held("right"):
        settle(pi, {"left"}, "White's lamp, in the game that goes on")


def in_force(pi, recovered, candidate):
    """Black's clock stands as that candidate says, to the rounding of a microsecond."""
    stands, told = state(pi)["black"]["main_us"], recovered[candidate]["black_ns"] / 1000
    assert abs(stands - told) <= 1, f"{stands} us are left, and {candidate} is {told} us"


def a_daemon_that_is_killed_and_not_started_leaves_lamps_and_buzzer_off(pi, results):
    before = running_game(pi)
    # stopped before systemd starts it again: what its unit does after a death is done all the same
    pi.said("systemctl kill -s KILL flagfalld; systemctl stop flagfalld")
    assert pi.run("pidof flagfalld")[0] != 0
    assert service(pi, "ExecMainStatus") == "9", "it was not killed"
    assert pi.levels() == set(), pi.levels()
    pi.said("systemctl start flagfalld")
    reachable(pi)
    goes_on_as(pi, before, "paused")


def a_bus_that_starts_late_finds_a_clock_that_runs(pi, results):
    pi.said("flagfallctl new 3m+2s --abandon")
    pi.said("systemctl stop flagfalld; systemctl stop dbus.socket dbus.service")
    pi.said("systemctl start flagfalld")
    assert service(pi, "ActiveState") == "active"
    with pi.held("right"):
        settle(pi, {"left"}, "White's lamp, before there is a bus")
    told = service(pi, "StatusText")
    assert "bus cannot be used" in told, told
    pi.said("systemctl start dbus.socket dbus.service; systemctl restart systemd-logind")
    reachable(pi)
    assert state(pi)["phase"] == "running"
