#!/usr/bin/env python3
"""The package on an emulated Raspberry Pi: installed, played with, maltreated, removed.

play.py IMAGE CARD RESULTS STORY [STEP...]    (tests/pi/run calls it)

A story's steps run in their order, on one card that has no flagfall at first: an evening at the board,
and a workshop where the clock is examined and taken off again. The first step that fails ends the run
with the daemon's log."""

import sys
import time

from pi import Pi
from steps import boot, buzzer, doctor, faults, game, package

TRACE = "trace_event=spi:spi_transfer_start trace_buf_size=4M"

EVENING = [
    package.the_package_installs_and_the_clock_runs_and_is_reachable,
    package.the_clock_has_its_devices_its_rights_and_little_else,
    package.everybody_reads_but_only_arbiters_and_root_change,
    game.a_game_is_played_by_the_buttons_and_its_times_are_right,
    game.the_displays_show_the_game,
    faults.without_spi_the_clock_goes_on_and_the_displays_come_back,
    faults.a_bus_that_dies_takes_nothing_along,
    faults.a_timing_thread_that_stands_still_is_noticed,
    faults.a_killed_daemon_comes_back_with_the_game_paused,
    faults.a_daemon_that_is_killed_and_not_started_leaves_lamps_and_buzzer_off,
    buzzer.a_passive_buzzer_gets_its_tone_from_the_kernel_and_is_silent_after_a_kill,
    package.an_upgrade_leaves_a_running_game_alone,
    faults.a_bus_that_starts_late_finds_a_clock_that_runs,
    doctor.doctor_finds_a_user_outside_the_group_of_the_pins,
    doctor.doctor_finds_a_daemon_without_real_time_rights,
    boot.at_a_cold_boot_the_displays_say_ready_and_a_stuck_button_is_no_press,
    boot.a_power_cut_in_the_middle_of_a_game_brings_it_back_paused,
]

WORKSHOP = [
    package.installed_without_a_bus_the_clock_runs_and_is_found_when_there_is_one,
    doctor.doctor_finds_nothing_on_a_sound_installation,
    doctor.doctor_finds_that_spi_is_off,
    doctor.doctor_finds_a_bus_without_policy,
    doctor.doctor_finds_a_card_that_may_only_be_read_and_the_game_goes_on,
    doctor.doctor_finds_a_clock_that_drifts,
    package.removed_and_purged_nothing_is_left_and_nothing_broken,
]

STORIES = {"evening": EVENING, "workshop": WORKSHOP}


class Table:
    """A Pi that can be booted anew."""

    def __init__(self, image, card):
        self.image, self.card = image, card
        self.pi = None
        self.boot()

    def boot(self, hold=None):
        began = time.monotonic()
        self.pi = Pi(self.image, self.card, TRACE)
        if hold:
            self.pi.hold(hold)
        self.pi.shell()
        print(f" (booted in {time.monotonic() - began:.0f} s)", flush=True)

    def reboot(self, hold=None):
        self.pi.shut_down()
        self.boot(hold)

    def __getattr__(self, name):
        return getattr(self.pi, name)


def main():
    image, card, results_file, story = sys.argv[1:5]
    wanted = sys.argv[5:]
    names = [step.__name__ for step in STORIES[story]]
    for step in wanted:
        if step not in names:
            sys.exit(f"play.py: {step} is no step of {story}: there are {', '.join(names)}")
    results = {}
    pi = Table(image, card)
    try:
        for step in STORIES[story]:
            if wanted and step.__name__ not in wanted:
                continue
            began = time.monotonic()
            print(f"  {step.__name__.replace('_', ' ')} ...", end="", flush=True)
            try:
                step(pi, results)
            except (AssertionError, TimeoutError) as failure:
                print(" FAILED", flush=True)
                print(failure, file=sys.stderr)
                if pi.process.poll() is None:
                    print(pi.run("journalctl -b -n 60 --no-pager", 60)[1], file=sys.stderr)
                return 1
            print(f" {time.monotonic() - began:.0f} s", flush=True)
    finally:
        pi.power_cut()
    with open(results_file, "a", encoding="utf-8") as file:
        for name, value in results.items():
            value = str(value).rstrip("\n")
            file.write(f"{name}:\n{value}\n" if "\n" in value else f"{name}: {value}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
