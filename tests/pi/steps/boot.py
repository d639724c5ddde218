"""The card as it is now is booted anew, with a stone on a button."""

import displays
from clock import goes_on_as, phase_is, reachable, running_game, state, trace, until_health


def at_a_cold_boot_the_displays_say_ready_and_a_stuck_button_is_no_press(pi, results):
    pi.said("flagfallctl new 3m+2s --abandon")
    pi.reboot(hold="right")
    reachable(pi)
    shown = displays.pictures(trace(pi))
    ready = [at for at, left, _ in shown if "3.02" in left]
    assert ready, displays.table(shown)
    results["cold boot: kernel's start until ready on the display"] = f"{ready[0]:.1f} s"
    results["displays after a cold boot"] = displays.table(shown[:4])
    assert state(pi)["phase"] == "ready", "a button that is down at boot is no press"
    until_health(pi, lambda health: health["stuck_buttons"] == ["right"], "it is not stuck")
    pi.release("right")
    until_health(pi, lambda health: health["stuck_buttons"] == [], "it stays stuck")
    with pi.held("right"):
        phase_is(pi, "running")


def a_power_cut_in_the_middle_of_a_game_brings_it_back_paused(pi, results):
    before = running_game(pi)
    # the presses are some tenths of a second old; nothing else is flushed for them
    pi.power_cut()
    pi.boot()
    reachable(pi)
    goes_on_as(pi, before, "paused")
