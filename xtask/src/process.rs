//! Starts other programs.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// The cargo that started this program, or the one on `PATH`.
pub fn cargo() -> Command {
    let mut command =
        Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(crate::root());
    command
}

/// The C++ compiler: `CXX`, or `c++`.
pub fn cxx() -> OsString {
    std::env::var_os("CXX")
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| OsString::from("c++"))
}

/// Whether `program` can be started and answers `--version`.
pub fn is_there(program: impl AsRef<OsStr>) -> bool {
    Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a command with our standard output and error; its failure is an error.
pub fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", show(command));
    let status = command
        .status()
        .with_context(|| format!("failed to start {}", show(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", show(command));
    }
    Ok(())
}

/// The result of a finished command.
pub struct Output {
    /// Whether it exited with 0.
    pub success: bool,
    /// Standard output followed by standard error.
    pub text: String,
}

/// Runs a command quietly and returns what it printed.
pub fn capture(command: &mut Command) -> Result<Output> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("failed to start {}", show(command)))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    Ok(Output {
        success: output.status.success(),
        text,
    })
}

/// Runs a command quietly and returns what it printed; its failure is an error.
pub fn output(command: &mut Command) -> Result<String> {
    let output = capture(command)?;
    if !output.success {
        bail!("{} failed:\n{}", show(command), output.text);
    }
    Ok(output.text)
}

/// Processor time of all programs that this one has started and waited for; zero if the system does
/// not report it as Linux does.
pub fn children_time() -> Duration {
    // "pid (name) state …": user and system time of children are the 16th and 17th field, in ticks.
    // Linux has a hundred ticks per second everywhere.
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default();
    let ticks = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum::<u64>();
    Duration::from_millis(10 * ticks)
}

/// Runs a command, passes its standard output on line by line, and calls `see` with each line.
///
/// Returns whether it exited with 0.
pub fn tee(command: &mut Command, mut see: impl FnMut(&str)) -> Result<bool> {
    println!("$ {}", show(command));
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("failed to start {}", show(command)))?;
    let stdout = child.stdout.take().context("the child has no output")?;
    for line in BufReader::new(stdout).split(b'\n') {
        let line = line.context("failed to read the output of the child")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        see(&line);
    }
    Ok(child.wait()?.success())
}

/// The command as one would type it, approximately, for messages.
pub fn show(command: &Command) -> String {
    let mut program = command.get_program();
    if std::env::var_os("CARGO").is_some_and(|cargo| cargo == program) {
        program = OsStr::new("cargo");
    }
    std::iter::once(program)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
