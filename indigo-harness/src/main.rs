//! The `hirace-indigo` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    hirace_indigo::cli::main()
}
