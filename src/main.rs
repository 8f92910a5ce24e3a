//! The `hirace` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    hirace::cli::main()
}
