//! The C++ compiler, for tests of the device headers.

use std::ffi::OsString;
use std::process::{Command, Stdio};

/// `$CXX`, or `c++`; `None` with a message if it cannot be started.
pub fn compiler() -> Option<Command> {
    let name: OsString = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let answers = Command::new(&name)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !answers {
        super::tell::tell!("skipped: no C++ compiler");
        return None;
    }
    let mut command = Command::new(name);
    command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror"]);
    Some(command)
}
