"""A passive buzzer, installed as docs/wiring.md says."""

from clock import health, reachable, service, until_health

CHANNEL = "/sys/class/pwm/pwmchip0/pwm1"
DROP_IN = "/etc/systemd/system/flagfalld.service.d"
CONFIG = "/etc/flagfall/flagfalld.toml"


def sounds(pi, on, patience=20):
    pi.until(f"grep -q {int(on)} {CHANNEL}/enable", patience)


def a_passive_buzzer_gets_its_tone_from_the_kernel_and_is_silent_after_a_kill(pi, results):
    pi.said(f"cp {CONFIG} config-before; printf '[sounds]\\nbuzzer = \"passive\"\\n' >>{CONFIG}")
    pi.said("modprobe -r pwm-bcm2835; systemctl restart flagfalld")
    told = until_health(pi, lambda health: health.get("buzzer_fault"), "nobody misses the PWM")
    assert "dtoverlay=pwm,pin=13,func=4" in told["buzzer_fault"], told
    # as dtoverlay=pwm does it
    pi.said("modprobe pwm-bcm2835")
    until_health(pi, lambda health: "drop-in" in health["buzzer_fault"], "no drop-in is named")
    pi.said(f"mkdir -p {DROP_IN}; cp /usr/share/flagfall/passive-buzzer.conf {DROP_IN}/")
    pi.said("systemctl daemon-reload; systemctl restart flagfalld")
    reachable(pi)
    assert "buzzer_fault" not in health(pi), health(pi)
    pi.said("flagfallctl selftest")
    sounds(pi, True)
    assert "buzzer" not in pi.levels(), "the pin is the kernel's"
    tone = pi.said(f"cat {CHANNEL}/period {CHANNEL}/duty_cycle").split()
    assert tone == ["370370", "185185"], tone
    sounds(pi, False)
    process = reachable(pi)
    pi.said("flagfallctl selftest")
    sounds(pi, True)
    # killed while it sounds, and not started again
    killed = f"cat {CHANNEL}/enable; kill -KILL {process}; systemctl stop flagfalld"
    assert pi.said(killed) == "1", "it was silent before"
    assert service(pi, "ExecMainStatus") == "9", "it was not killed"
    sounds(pi, False, 0)
    pi.said(f"rm -r {DROP_IN}; mv config-before {CONFIG}")
    pi.said("systemctl daemon-reload; systemctl start flagfalld")
    reachable(pi)
