"""What a person reads on the displays, from the kernel's own trace of what went through SPI.

Written from the data sheet of the MAX7219 (Maxim 19-4452) and docs/box.md, not from the daemon's
sources, so that both cannot be wrong alike."""

import re

# bit 7 = point, bits 6 to 0 = segments a to g
SHAPES = {
    0x7E: "0", 0x30: "1", 0x6D: "2", 0x79: "3", 0x33: "4", 0x5B: "5", 0x5F: "6", 0x70: "7",
    0x7F: "8", 0x7B: "9", 0x00: " ", 0x01: "-", 0x08: "_", 0x09: "=", 0x77: "A", 0x1F: "b",
    0x4E: "C", 0x0D: "c", 0x3D: "d", 0x4F: "E", 0x47: "F", 0x5E: "G", 0x37: "H", 0x17: "h",
    0x38: "J", 0x0E: "L", 0x15: "n", 0x1D: "o", 0x67: "P", 0x73: "q", 0x05: "r", 0x0F: "t",
    0x3E: "U", 0x1C: "u", 0x3B: "y",
}  # fmt: skip

TRANSFER = re.compile(r" (\d+\.\d+): spi_transfer_start: .*len=(\d+) tx=\[([0-9a-f-]+)\]")


# How long the wire rests between two pictures, in seconds.
RESTS = 0.15


class Chip:
    """One display: eight digits, digit 7 on the left."""

    def __init__(self):
        self.registers = {}

    def word(self, register, value):
        if register:
            self.registers[register & 0x0F] = value

    def reads(self):
        on = self.registers.get(0x0C) == 1 and self.registers.get(0x0F, 0) == 0
        plain = self.registers.get(0x09) == 0 and self.registers.get(0x0B) == 7
        if not (on and plain):
            return ""
        text = ""
        for digit in range(8, 0, -1):
            segments = self.registers.get(digit, 0)
            text += SHAPES.get(segments & 0x7F, "?") + ("." if segments & 0x80 else "")
        return text.strip()


def pictures(trace):
    """Every picture that stood for a while: (seconds since the kernel's start, left, right)."""
    left, right = Chip(), Chip()
    shown = []
    for at, length, sent in TRANSFER.findall(trace):
        row = [int(byte, 16) for byte in sent.split("-")]
        assert int(length) == len(row) == 4, f"a row of two chips has four bytes, not {length}"
        # What is sent first has passed on to the farther chip, the right one, when CS rises.
        right.word(row[0], row[1])
        left.word(row[2], row[3])
        at = float(at)
        # a picture is whole when the wire rests: an emulated Pi takes its time between two rows
        if shown and at - shown[-1][0] < RESTS:
            shown.pop()
        shown.append((at, left.reads(), right.reads()))
    return [now for before, now in zip([(0, "", "")] + shown, shown) if now[1:] != before[1:]]


def table(pictures):
    """The pictures for people."""
    lines = [f"{'s since boot':>12}  {'left':>10}  {'right':>10}"]
    lines += [f"{at:12.3f}  {left:>10}  {right:>10}" for at, left, right in pictures]
    return "\n".join(lines)
