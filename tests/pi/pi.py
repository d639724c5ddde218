"""An emulated Raspberry Pi 3 whose buttons are pressed, whose lamps are read and whose plug is pulled
from outside."""

import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

# The BCM2837's registers: set, clear and read the levels of GPIO 0 to 31.
GPSET0, GPCLR0, GPLEV0 = 0x3F20001C, 0x3F200028, 0x3F200034

# A test that is ended ends its emulator, too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))

# docs/wiring.md
BUTTONS = {"left": 17, "right": 27, "pause": 22, "minus": 23, "plus": 24, "ok": 25}
LAMP_LEFT, LAMP_RIGHT, BUZZER = 5, 6, 13


class Pi:
    """A Pi that boots from a card's image. `kernel_arguments` come last on the kernel's line."""

    def __init__(self, image, card, kernel_arguments=""):
        self.folder = tempfile.TemporaryDirectory()
        self.console = b""
        self.commands = 0
        self.start = time.monotonic()
        line = (
            "console=ttyAMA0,115200 root=/dev/mmcblk0 rw rootwait panic=-1 quiet loglevel=1 "
            f"systemd.show_status=0 {kernel_arguments}"
        )
        wires = f"{self.folder.name}/qtest"
        self.process = subprocess.Popen(
            [
                # one thread for all emulated cores: on a small machine it boots ten times faster
                *("qemu-system-aarch64", "-M", "raspi3b", "-accel", "tcg,thread=single"),
                *("-kernel", f"{image}/vmlinuz", "-initrd", f"{image}/initrd.img"),
                *("-dtb", f"{image}/pi.dtb", "-append", line),
                *("-drive", f"file={card},if=sd,format=raw"),
                *("-display", "none", "-monitor", "none", "-no-reboot", "-serial", "stdio"),
                # registers are written and read from outside, beside a running machine
                *("-qtest", f"unix:{wires},server=on,wait=off", "-qtest-log", "none"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
        )
        atexit.register(self.power_cut)
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        self.wires = socket.socket(socket.AF_UNIX)
        self.answers = self.wires.makefile("r")
        self._wait(lambda: self._connects(wires), 20, "QEMU's test socket")
        self.wires.settimeout(60)
        # All lines start low, and a button is pressed while its line is low: a pull-up's work.
        for button in BUTTONS:
            self.release(button)

    def _listen(self):
        while data := os.read(self.process.stdout.fileno(), 65536):
            self.console += data

    def _connects(self, wires):
        try:
            self.wires.connect(wires)
            return True
        except OSError:
            return False

    def _wait(self, condition, patience, what):
        deadline = time.monotonic() + patience
        while not condition():
            gone = self.process.poll() is not None or b"Kernel panic" in self.console
            if gone or time.monotonic() > deadline:
                raise TimeoutError(f"{what} did not come:\n{self._tail()}")
            time.sleep(0.02)

    def _tail(self):
        return "the console ended with\n" + self.console[-3000:].decode(errors="replace")

    # --- the serial console ---

    def wait_for(self, text, patience=900):
        self._wait(lambda: text.encode() in self.console, patience, repr(text))

    def shell(self, patience=900):
        """Waits for the shell on the console, and makes it fit for a program."""
        self.wait_for("pi#", patience)
        self._type("stty -echo; PS1=; PS2=; export SYSTEMD_COLORS=0; cd /root; echo shell-'is'-there")
        self.wait_for("shell-is-there")

    def _type(self, line):
        assert len(line) < 4000, "a terminal's line is not longer"
        os.write(self.process.stdin.fileno(), line.encode() + b"\n")

    def run(self, command, patience=300):
        """Runs a command in the shell; gives its exit code and what it said, stderr too."""
        self.commands += 1
        start, end = f"<{self.commands}<", f">{self.commands}>"
        seen = len(self.console)
        self._type(f"echo '{start}'; {{ {command}\n}} </dev/null 2>&1; echo \"{end}$?$\"")
        mark = end.encode()
        self._wait(
            lambda: b"$" in self.console[seen:].partition(mark)[2], patience, f"the end of {command}"
        )
        said = self.console[seen:].partition(start.encode() + b"\r\n")[2]
        said, _, code = said.partition(mark)
        return int(code.partition(b"$")[0]), said.decode(errors="replace").replace("\r", "")

    def said(self, command, patience=300):
        """What a command says that must not fail."""
        code, said = self.run(command, patience)
        assert code == 0, f"{command} ended with {code}:\n{said}"
        return said.strip()

    def until(self, command, patience=300):
        """Runs a command again and again until it succeeds; gives what it said."""
        deadline = time.monotonic() + patience
        while True:
            code, said = self.run(command)
            if code == 0:
                return said.strip()
            assert time.monotonic() < deadline, f"{command} still ends with {code}:\n{said}"
            time.sleep(0.3)

    # --- the wires ---

    def _ask(self, request):
        try:
            self.wires.sendall(request.encode() + b"\n")
            answer = self.answers.readline().split()
        except OSError as error:
            raise TimeoutError(f"QEMU does not answer ({error}):\n{self._tail()}") from None
        if not answer:
            raise TimeoutError(f"QEMU is gone:\n{self._tail()}")
        return answer

    def _drive(self, line, high):
        """Drives a line that is an input in the Pi: its level takes what is set or cleared."""
        self._ask(f"writel {GPSET0 if high else GPCLR0:#x} {1 << line:#x}")

    def hold(self, button):
        self._drive(BUTTONS[button], False)

    def release(self, button):
        self._drive(BUTTONS[button], True)

    @contextlib.contextmanager
    def held(self, button):
        """A button is down meanwhile: best until its effect is seen, since a busy machine's emulator
        may not look for a while."""
        self.hold(button)
        try:
            yield
        finally:
            self.release(button)
            time.sleep(0.15)

    def levels(self):
        """Which of the lamps and the buzzer are on."""
        levels = int(self._ask(f"readl {GPLEV0:#x}")[1], 16)
        lines = {"left": LAMP_LEFT, "right": LAMP_RIGHT, "buzzer": BUZZER}
        return {name for name, line in lines.items() if levels >> line & 1}

    # --- the plug ---

    def power_cut(self):
        """What was not written to the card is gone."""
        self.process.kill()
        self.process.wait()
        atexit.unregister(self.power_cut)
        self.listener.join()
        for end in [self.process.stdin, self.process.stdout, self.answers, self.wires]:
            end.close()
        self.folder.cleanup()

    def shut_down(self):
        """Ends everything in order. A Pi cannot switch itself off, but start anew, which ends QEMU."""
        self._type("systemctl reboot --no-wall")
        try:
            self.process.wait(120)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the Pi does not go down:\n{self._tail()}") from None
        finally:
            self.power_cut()
