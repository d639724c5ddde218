"""What is wrong with an installation is done to it; `flagfallctl doctor` finds it, and what it says mends
it, but for SPI, which is switched on for the next start of a Pi: here its driver is bound again."""

import json
import re

from clock import phase_is, reachable, running_game, service, settle, state, until_health, verified


def doctor(pi):
    """The findings by what they are about, and the exit code."""
    code, said = pi.run("flagfallctl doctor --json")
    lines = said.splitlines()
    findings = [json.loads(line) for line in lines if line.startswith(("{", "["))]
    if len(findings) == 1 and isinstance(findings[0], list):
        findings = findings[0]
    assert findings, said
    # of two about the same, the first that is wrong counts
    found = {}
    for finding in sorted(findings, key=lambda finding: finding["verdict"] != "WRONG"):
        found.setdefault(finding["about"], finding)
    return code, found


def sound(pi):
    """Nothing is wrong, any more."""
    code, found = doctor(pi)
    assert code == 0, found
    assert not [f for f in found.values() if f["verdict"] == "WRONG"], found
    return found


def wrong(pi, about, *words):
    """Something is wrong about this and says so in these words; gives that, and all that is wrong."""
    code, found = doctor(pi)
    assert code != 0, found
    mended = [name for name, finding in found.items() if finding["verdict"] == "WRONG"]
    assert about in mended, found
    finding = found[about]
    for word in words:
        assert word in f"{finding['says']} {finding['remedy']}", finding
    return finding, mended


def keep(results, finding):
    """For the table in the end."""
    results.setdefault("doctor", "")
    results["doctor"] += f"  {finding['about']}: {finding['says']}\n      -> {finding['remedy']}\n"


def doctor_finds_nothing_on_a_sound_installation(pi, results):
    pi.said("flagfallctl new 3m+2s --abandon")
    found = sound(pi)
    for about in ["machine", "pins", "displays", "user", "bus policy", "games", "daemon", "real time"]:
        assert found[about]["verdict"] == "good", found[about]
    assert "Raspberry Pi 3" in found["machine"]["says"], found["machine"]


def doctor_finds_that_spi_is_off(pi, results):
    pi.said("echo spi0.0 >/sys/bus/spi/drivers/spidev/unbind")
    try:
        finding, _ = wrong(pi, "displays", "/dev/spidev0.0", "dtparam=spi=on")
    finally:
        pi.said("echo spi0.0 >/sys/bus/spi/drivers/spidev/bind")
    keep(results, finding)
    until_health(pi, lambda health: not health.get("display_fault"), "the displays stay away")
    sound(pi)


def doctor_finds_a_user_outside_the_group_of_the_pins(pi, results):
    pi.said("usermod -rG gpio flagfall; systemctl restart --no-block flagfalld")
    pi.until("journalctl -u flagfalld -n 20 --no-pager | grep -q 'group gpio'")
    said = pi.said("journalctl -u flagfalld -n 20 --no-pager -o cat | grep 'the pins cannot be used'")
    assert "/dev/gpiomem may not be opened" in said and "usermod -aG gpio" in said, said
    results["without rights the daemon says"] = said.splitlines()[-1]
    finding, mended = wrong(pi, "pins", "group gpio", "usermod -aG gpio flagfall")
    assert "daemon" in mended, "a clock without pins is none"
    keep(results, finding)
    pi.said("usermod -aG gpio flagfall; systemctl restart flagfalld")
    reachable(pi)
    sound(pi)


def doctor_finds_a_daemon_without_real_time_rights(pi, results):
    pi.said(
        "mkdir -p /etc/systemd/system/flagfalld.service.d; "
        "printf '[Service]\\nLimitRTPRIO=0\\n' >/etc/systemd/system/flagfalld.service.d/no.conf; "
        "systemctl daemon-reload; systemctl restart flagfalld"
    )
    reachable(pi)
    finding, mended = wrong(pi, "real time", "without real-time priority", "systemctl revert flagfalld")
    assert mended == ["real time"], mended
    keep(results, finding)
    # the clock plays all the same
    with pi.held("right"):
        settle(pi, {"left"}, "White's lamp, without rights")
    pi.said("systemctl revert flagfalld; flagfallctl end 1-0; systemctl restart flagfalld")
    assert not service(pi, "DropInPaths")
    reachable(pi)
    sound(pi)


def doctor_finds_a_bus_without_policy(pi, results):
    policy = "/usr/share/dbus-1/system.d/org.flagfall.Clock1.conf"
    pi.said(f"rm {policy}; systemctl reload dbus; systemctl restart flagfalld")
    finding, mended = wrong(pi, "bus policy", "org.flagfall.Clock1.conf", "--reinstall")
    assert "daemon" in mended, mended
    keep(results, finding)
    # the same package once more, which asks the bus to look; the clock asks for its name again and again
    pi.said("dpkg -i flagfall.deb", 300)
    reachable(pi)
    sound(pi)
    # as after every upgrade; the next step's card would not be taken again while a removed program runs
    pi.said("systemctl restart flagfalld")
    reachable(pi)


def doctor_finds_a_card_that_may_only_be_read_and_the_game_goes_on(pi, results):
    before = running_game(pi)
    # what a kernel does with a card that is worn out
    pi.said("sync; echo u >/proc/sysrq-trigger; sleep 1")
    with pi.held("right"):
        settle(pi, {"left"}, "White's lamp, on a card that may only be read")
    told = until_health(pi, lambda health: not health["disk_ok"], "nobody misses the card")
    results["on a card that may only be read the daemon says"] = told["disk_trouble"]
    finding, _ = wrong(pi, "games", "/var/lib/flagfall", "remount,rw")
    keep(results, finding)
    pi.said("mount -o remount,rw /")
    until_health(pi, lambda health: health["disk_ok"], "the card is not taken again")
    after = state(pi)
    assert after["game"] == before["game"] and after["black"]["moves"] == 3, after
    verified(pi)
    sound(pi)


def doctor_finds_a_clock_that_drifts(pi, results):
    # half a minute an hour, as it was measured on a Raspberry Pi 5
    pi.said("flagfallctl end 1-0; ./set-drift 405")
    code, found = doctor(pi)
    finding = found["oscillator"]
    assert code == 0 and finding["verdict"] == "note", found
    said = re.search(r"slow by (\d+) ms", finding["says"])
    remedy = re.search(r"calibration-ppm = ([\d.]+)", finding["remedy"])
    assert said and abs(int(said[1]) - 1458) < 20, finding
    assert remedy and abs(float(remedy[1]) - 405) < 5, finding
    keep(results, finding)
    pi.said(
        "cp /etc/flagfall/flagfalld.toml kept.toml; "
        "printf '[time]\\ncalibration-ppm = 405.0\\n' >>/etc/flagfall/flagfalld.toml; "
        "systemctl restart flagfalld"
    )
    reachable(pi)
    finding = sound(pi)["oscillator"]
    assert finding["verdict"] == "good" and "within" in finding["says"], finding
    pi.said("./set-drift 0; cp kept.toml /etc/flagfall/flagfalld.toml; systemctl restart flagfalld")
    reachable(pi)
    phase_is(pi, "ready")
