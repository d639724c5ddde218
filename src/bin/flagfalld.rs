//! flagfalld: the chess clock's daemon. Everything it does is in [`flagfall::daemon`].

use std::process::ExitCode;

fn main() -> ExitCode {
    flagfall::daemon::main()
}
