//! A picture of the simulated box in the terminal.
