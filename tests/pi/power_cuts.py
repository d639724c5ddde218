#!/usr/bin/env python3
"""The plug pulled at random instants of running games, with the card kept.

power_cuts.py IMAGE NUMBER RESULTS [SEED]    (tests/pi/run calls it; the image is one of tests/pi/plug)

After each cut the same game must be there, paused, with every press that was older than 50 ms, with
at most a second of the running side's thinking lost, and with a chain that verifies."""

import json
import random
import sys
import time

from pi import Pi

CTL = "flagfallctl --json"
# A press is on the card when it is so old; what is younger may be there or not.
WRITTEN = 0.05
# What may be lost of the running side's thinking, and how well this test knows when the plug was
# pulled: the guest runs, and looks at its pins, when QEMU lets it.
LOST, BLUR = 1.0, 0.5
# Every so many cuts another game begins.
CUTS_A_GAME = 5


class Game:
    """What is known from outside."""

    def __init__(self, game):
        self.game = game
        self.presses = 0
        # When the last button was pressed since power came, and the one before it.
        self.pressed = self.before = None


def status(pi):
    return json.loads(pi.until(f"{CTL} status"))["state"]


def boot(image):
    pi = Pi(image, f"{image}/card.img")
    pi.shell()
    return pi


def play(pi, game, chance):
    """Some presses at random, and a random wait; the plug is to be pulled then."""
    for _ in range(chance.randint(1, 6)):
        time.sleep(chance.uniform(0.2, 0.8))
        pressing = "left" if pi.levels() & {"left"} else "right"
        game.before, game.pressed = game.pressed, time.monotonic()
        pi.hold(pressing)
        while pressing in pi.levels():
            assert time.monotonic() < game.pressed + 20, f"{pressing} is pressed, and nothing happens"
        game.presses += 1
        # sometimes so soon that a finger is still on the button
        time.sleep(chance.uniform(0.0, 0.1))
        pi.release(pressing)
    time.sleep(chance.choice([0, chance.uniform(0, 0.1), chance.uniform(0, 4)]))


def look_after(pi, game, cut, number):
    """What has become of the game. Gives whether the last press was kept, how old it was, and what is
    lost of the running side's thinking, in seconds."""
    found = status(pi)
    assert found["game"] == game.game, f"the game {game.game} is lost: {found}"
    assert found["phase"] == "paused", found
    lines = [json.loads(line) for line in pi.said("flagfallctl journal").splitlines()]
    presses = sum(line["kind"] == "press" for line in lines)
    age = cut - game.pressed
    kept = presses == game.presses
    assert kept or (age < WRITTEN + BLUR and presses == game.presses - 1), (
        f"{game.presses} presses were made, the last {age:.3f} s before the plug was pulled, and "
        f"{presses} are in the journal"
    )
    recovered = [line for line in lines if line["kind"] == "recovered"][-1]
    thought = (
        recovered["last_press"][f"{found['to_move']}_ns"]
        - recovered["last_record"][f"{found['to_move']}_ns"]
    ) / 1e9
    # of a press that is lost the turn before goes on; where that began before the last start, nobody
    # knows from outside how long it was
    since = game.pressed if kept else game.before
    lost = cut - since - thought if since else 0.0
    assert -BLUR < lost < LOST + BLUR, f"{lost:.3f} s of thinking are lost: {recovered}"
    code, said = pi.run("flagfallctl journal | flagfallctl replay - --verify >/dev/null")
    assert code == 0, f"the chain is broken: {said}"
    last = "kept" if kept else "lost"
    told = f"{lost * 1000:.0f}" if since else "-"
    print(f"  {number:>4}  {presses:>7}  {age:>9.3f}  {last}  {told:>9}  intact", flush=True)
    game.presses, game.pressed = presses, None
    return kept, age, lost if since else None


def main():
    image, number, results = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1_000_000)
    print(f"  {number} power cuts, seed {seed}")
    print("   cut  presses  since (s)  last  lost (ms)  chain")
    chance = random.Random(seed)
    pi, game, seen = boot(image), None, []
    try:
        for cut in range(number):
            if cut % CUTS_A_GAME == 0:
                pi.until("flagfallctl new 2h --abandon")
                game = Game(status(pi)["game"])
                pi.said("flagfallctl start")
            else:
                pi.said("flagfallctl resume")
            play(pi, game, chance)
            instant = time.monotonic()
            pi.power_cut()
            pi = boot(image)
            seen.append(look_after(pi, game, instant, cut + 1))
    finally:
        pi.power_cut()
    summary = sums_up(seen)
    print(f"  {summary}")
    with open(results, "a", encoding="utf-8") as file:
        file.write(f"power cuts: {summary}\n")


def sums_up(seen):
    """All cuts in a line."""
    young = [age for kept, age, _ in seen if not kept]
    lost = sorted(lost for _, _, lost in seen if lost is not None)
    pressed = f", the oldest {max(young) * 1000:.0f} ms before its cut" if young else ""
    thought = (
        f"; thinking lost: median {lost[len(lost) // 2] * 1000:.0f} ms, most {lost[-1] * 1000:.0f} ms"
        if lost
        else ""
    )
    return (
        f"{len(seen)}, every game back and paused, every chain intact; last presses lost: "
        f"{len(young)}{pressed}{thought}"
    )


if __name__ == "__main__":
    main()
