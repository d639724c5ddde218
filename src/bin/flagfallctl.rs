//! flagfallctl: the arbiter's console. Everything it does is in [`flagfall::console`].

use std::process::ExitCode;

fn main() -> ExitCode {
    flagfall::console::main()
}
