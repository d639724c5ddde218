//! The simulated display chain: two MAX7219 chips behind one chip select, fed bit by bit.

use std::sync::{Arc, Mutex};

use super::chip::Chip;
use super::locked;
use crate::board::{Chain, DisplayFault};
use crate::control::Seat;

/// What the display thread sends rows to.
#[derive(Debug)]
pub struct SimChain {
    pub(super) modules: Arc<Mutex<Modules>>,
    pub(super) behind: Behind,
}

/// What hangs behind a chip select.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// Both modules in a chain.
    Both,
    /// One module alone.
    One(Seat),
}

/// Both modules in the order of the wire: the left one nearest the Pi (`box.md` 1).
#[derive(Debug)]
pub(super) struct Modules {
    /// The shift registers: the first word sent ends up in the farthest chip, so in front here.
    wire: [u8; 4],
    left: Chip,
    right: Chip,
    /// How many words were sent.
    pub(super) words: usize,
    /// Every transfer fails.
    pub(super) spi_error: bool,
}

impl Modules {
    /// Two modules just powered on.
    pub(super) const fn new() -> Self {
        Modules {
            wire: [0; 4],
            left: Chip::POWERED_ON,
            right: Chip::POWERED_ON,
            words: 0,
            spi_error: false,
        }
    }

    /// The chip of that seat's display.
    pub(super) fn chip(&self, seat: Seat) -> &Chip {
        match seat {
            Seat::Left => &self.left,
            Seat::Right => &self.right,
        }
    }

    /// A spike on the wires: no register of either chip holds what was sent to it. The left one
    /// hangs in display test, the right one in shutdown: the two upsets seen in the field.
    pub(super) fn scramble(&mut self) {
        self.left.scramble(true);
        self.right.scramble(false);
    }

    /// Shifts `row` through the chips behind a chip select and latches what then stands in them.
    fn shift(&mut self, behind: Behind, row: &[u8]) {
        if let (Behind::One(seat), Some(word)) = (behind, row.last_chunk::<2>()) {
            let chip = if seat == Seat::Left { &mut self.left } else { &mut self.right };
            return chip.take(*word);
        }
        for &byte in row {
            let [_, second, third, fourth] = self.wire;
            self.wire = [second, third, fourth, byte];
        }
        let [far_address, far_value, near_address, near_value] = self.wire;
        self.right.take([far_address, far_value]);
        self.left.take([near_address, near_value]);
    }
}

impl Chain for SimChain {
    fn transfer(&mut self, row: &[u8]) -> Result<(), DisplayFault> {
        let mut modules = locked(&self.modules);
        if modules.spi_error {
            return Err(DisplayFault(
                "the simulated SPI bus refused the transfer: the fault spi-error is on; \
                 switch it off to repair the bus"
                    .to_owned(),
            ));
        }
        modules.words += row.len() / 2;
        modules.shift(self.behind, row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(modules: &mut Modules, rows: &[&[u8]]) {
        for row in rows {
            modules.shift(Behind::Both, row);
        }
    }

    #[test]
    fn the_first_word_of_a_row_reaches_the_farthest_chip() {
        let mut modules = Modules::new();
        let rows: [&[u8]; 3] =
            [&[0x0C, 1, 0x0C, 1], &[0x0B, 7, 0x0B, 7], &[0x02, 0x11, 0x05, 0x22]];
        send(&mut modules, &rows);
        assert_eq!(modules.right.lit(), [0, 0x11, 0, 0, 0, 0, 0, 0]);
        assert_eq!(modules.left.lit(), [0, 0, 0, 0, 0x22, 0, 0, 0]);
    }

    #[test]
    fn a_row_for_one_chip_alone_pushes_the_old_word_on_as_on_the_wire() {
        let mut modules = Modules::new();
        send(&mut modules, &[&[0x0C, 1, 0x0B, 7], &[0x0C, 1]]);
        assert_eq!(modules.right, {
            let mut chip = Chip::POWERED_ON;
            chip.take([0x0C, 1]);
            chip.take([0x0B, 7]);
            chip
        });
    }
}
