"""The package: installed, what it may do, upgraded, removed, and installed where no bus runs."""

import re
import time

from clock import BUS, health, journal, phase_is, reachable, running_game, service, settle, state


def the_package_installs_and_the_clock_runs_and_is_reachable(pi, results):
    began = time.monotonic()
    said = pi.said("dpkg -i flagfall.deb", 300)
    assert "rror" not in said and "arning" not in said, said
    # at first the bus does not know the policy: the clock runs, asks again, and gets its name
    assert service(pi, "ActiveState") == "active", service(pi, "ActiveState")
    reachable(pi)
    results["dpkg -i until an answer on the bus"] = f"{time.monotonic() - began:.1f} s"
    assert pi.said("systemctl is-enabled flagfalld") == "enabled"
    assert service(pi, "FragmentPath") == "/usr/lib/systemd/system/flagfalld.service"
    assert not service(pi, "DropInPaths"), "the unit runs as it is shipped"
    assert state(pi)["phase"] == "ready"


def the_clock_has_its_devices_its_rights_and_little_else(pi, results):
    told = health(pi)
    for right in ["realtime_granted", "memory_locked", "bus_ok", "disk_ok"]:
        assert told[right] is True, told
    assert told["degradations"] == [] and told["spi_errors"] == 0, told
    board = pi.said(f"busctl get-property {BUS} org.flagfall.Clock1 Board")
    assert board == 's "rpi"', board
    priority = pi.said("ps -L -o comm=,cls=,rtprio= -p $(pidof flagfalld)")
    assert re.search(r"flagfall-rt +FF +50", priority), priority
    capabilities = pi.said("grep -E 'Cap(Prm|Eff|Bnd)' /proc/$(pidof flagfalld)/status")
    assert re.findall(r"[0-9a-f]{16}", capabilities) == ["0" * 16] * 3, capabilities
    devices = pi.said("ls -l /proc/$(pidof flagfalld)/fd | grep -o '/dev/[a-z0-9.]*' | sort -u")
    own = {"/dev/gpiochip0", "/dev/spidev0.0"}
    assert own <= set(devices.split()) <= own | {"/dev/null"}, devices
    exposed = pi.said("systemd-analyze security --no-pager flagfalld | tail -n 1")
    exposure = float(re.search(r"(\d+\.\d)", exposed)[1])
    results["exposure by systemd-analyze security"] = exposure
    assert exposure <= 0.8, exposed
    memory = pi.said("grep VmRSS /proc/$(pidof flagfalld)/status")
    results["resident memory after the start"] = memory.split(":")[1].strip()


def everybody_reads_but_only_arbiters_and_root_change(pi, results):
    pi.said(
        "systemd-sysusers --inline 'u stranger -' 'u arbiter -' 'm arbiter flagfall-arbiter'"
    )
    call = f"busctl call {BUS} org.flagfall"

    def by(user, command):
        return pi.run(f"setpriv --reuid {user} --regid {user} --init-groups {command}")

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
        written = [line["origin"] for line in journal(pi) if line["kind"] == "pause"]
        assert written == [f"bus:{user}"] * 2, written
        assert by(user, "flagfallctl new 3m+2s --abandon")[0] == 0
    before = state(pi)
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
    after = state(pi)
    assert after["seq"] == before["seq"] and after["phase"] == "ready", "nothing has happened"
    # the box's menu may switch the Pi off, and a stranger may not
    login = "org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager"
    pi.said("systemctl start polkit")
    for user, answer in [("flagfall", 's "yes"'), ("stranger", 's "challenge"')]:
        code, said = by(user, f"busctl call {login} CanPowerOff")
        assert code == 0 and said.strip() == answer, f"{user}: {said}"


def an_upgrade_leaves_a_running_game_alone(pi, results):
    before = running_game(pi)
    process = reachable(pi)
    pi.said("echo '# mine' >>/etc/flagfall/flagfalld.toml")
    said = pi.said("dpkg -i flagfall-next.deb", 300)
    assert "between two games" in said, said
    after = state(pi)
    assert reachable(pi) == process and after["game"] == before["game"], after
    assert after["phase"] == "running", after
    with pi.held("right"):
        settle(pi, {"left"}, "White's lamp, after the upgrade")
    assert "# mine" in pi.said("cat /etc/flagfall/flagfalld.toml")
    pi.said("flagfallctl end 1-0; systemctl restart flagfalld")
    assert reachable(pi) != process
    assert pi.said("dpkg-query -W -f '${Version}' flagfall").endswith(".1")


def removed_and_purged_nothing_is_left_and_nothing_broken(pi, results):
    running_game(pi)
    pi.said("dpkg -r flagfall", 300)
    assert pi.run("pidof flagfalld")[0] != 0
    settle(pi, set(), "lamps are off")
    assert pi.run("test -e /etc/flagfall/flagfalld.toml")[0] == 0, "a conffile outlives removal"
    assert pi.run("ls /var/lib/flagfall/*.jsonl")[0] == 0, "games outlive removal"
    pi.said("dpkg -P flagfall", 300)
    left = pi.said(
        "find / -xdev -name '*flagfall*' -not -path '/root/*' -not -path '/var/log/*' "
        "-not -path '/proc/*'"
    )
    assert left == "", left
    failed = pi.said("systemctl --failed --no-legend --plain")
    assert "flagfall" not in failed and "dbus" not in failed, failed
    pi.said("busctl call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus GetId")


def installed_without_a_bus_the_clock_runs_and_is_found_when_there_is_one(pi, results):
    pi.said("systemctl stop dbus.socket dbus.service")
    pi.said("dpkg -i flagfall.deb", 300)
    assert service(pi, "ActiveState") == "active", service(pi, "ActiveState")
    with pi.held("right"):
        settle(pi, {"left"}, "White's lamp, before there is a bus")
    pi.said("systemctl start dbus.socket dbus.service; systemctl restart systemd-logind")
    reachable(pi)
    phase_is(pi, "running")
    pi.said("flagfallctl end 1-0")
