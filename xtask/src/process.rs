//! Starts other programs.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};

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

/// Like [`capture`], but kills the command, with all programs that it has started, when the time is
/// up. What it had printed until then is in the error.
pub fn capture_within(limit: Duration, command: &mut Command) -> Result<Output> {
    // Not a pipe: a program that survives would keep it open.
    let mut printed = tempfile::tempfile().context("failed to create a file for output")?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(printed.try_clone()?)
        .stderr(printed.try_clone()?)
        .process_group(0)
        .spawn()
        .with_context(|| format!("failed to start {}", show(command)))?;
    let end = Instant::now() + limit;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if Instant::now() > end {
            kill_process_group(Pid::from_child(&child), Signal::KILL)?;
            child.wait()?;
            break None;
        }
        thread::sleep(Duration::from_millis(50));
    };
    let mut bytes = Vec::new();
    printed.rewind()?;
    printed.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match status {
        Some(status) => Ok(Output {
            success: status.success(),
            text,
        }),
        None => bail!("{text}\nkilled after {} s", limit.as_secs()),
    }
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

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::capture_within;

    #[test]
    fn commands_end_with_all_that_they_have_started_when_time_is_up() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo begun; sleep 1000 & sleep 1000"]);
        let error = capture_within(Duration::from_millis(200), &mut command);
        let text = error.map(|it| it.text).expect_err("a limit").to_string();
        assert_eq!(text, "begun\n\nkilled after 0 s");

        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo error >&2; exit 3"]);
        let output = capture_within(Duration::from_secs(60), &mut command).expect("it ends");
        assert!(!output.success);
        assert_eq!(output.text, "out\nerror\n");
    }
}
