//! Checks one program, and says what became of it.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::Value;

use super::find::Program;
use crate::process;

/// What became of a program.
pub(super) struct Outcome {
    pub(super) compiles: bool,
    /// Whether it ended by itself.
    pub(super) ends: bool,
    /// Whether it exited with 0. Most programs do so only if their results are right.
    pub(super) right: bool,
    /// Data races, those that are only possible, and faults other than warnings.
    pub(super) races: u64,
    pub(super) possible: u64,
    pub(super) faults: u64,
    pub(super) accesses: u64,
    /// Why there is no verdict.
    pub(super) missing: String,
    pub(super) seconds: u64,
    /// Whether only a part of its work was checked, because all of it took too long.
    pub(super) sampled: bool,
}

/// How long the checks of a program may take that is checked in part.
const SAMPLE: &str = "20s";

impl Outcome {
    /// The verdict in a word or two.
    pub(super) fn verdict(&self) -> String {
        let mut parts = Vec::new();
        match self.races {
            0 => {}
            1 => parts.push("1 race".to_owned()),
            count => parts.push(format!("{count} races")),
        }
        if self.possible > 0 {
            parts.push(format!("{} possible", self.possible));
        }
        match self.faults {
            0 => {}
            1 => parts.push("1 fault".to_owned()),
            count => parts.push(format!("{count} faults")),
        }
        let checked = self.ends && (self.right || self.accesses > 0);
        let sample = if self.sampled { " (in part)" } else { "" };
        match (parts.is_empty(), checked) {
            (true, true) => format!("clean{sample}"),
            (true, false) => "none".to_owned(),
            (false, _) => format!("{}{sample}", parts.join(", ")),
        }
    }

    pub(super) fn summary(&self) -> String {
        let missing = if self.missing.is_empty() { "" } else { ": " };
        format!(
            "{}, {} s{missing}{}",
            self.verdict(),
            self.seconds,
            self.missing
        )
    }
}

/// Checks a program with the time that it may take; if that is too little, a part of its work.
pub(super) fn check(hirace: &Path, program: &Program, limit: Duration) -> Result<Outcome> {
    let whole = attempt(hirace, program, limit, &[])?;
    if whole.missing != TIME {
        return Ok(whole);
    }
    let part = attempt(hirace, program, limit, &["--sample", SAMPLE])?;
    Ok(match part.ends {
        true => Outcome {
            sampled: true,
            ..part
        },
        false => whole,
    })
}

/// Why there is no verdict, if the program did not end in time.
const TIME: &str = "time";

fn attempt(hirace: &Path, program: &Program, limit: Duration, options: &[&str]) -> Result<Outcome> {
    let results = crate::root().join("target/programs/results");
    std::fs::create_dir_all(&results)?;
    let report = results.join(format!("{}.json", program.name.replace('/', "-")));
    let _ = std::fs::remove_file(&report);
    // A run that is asked to end reports what was found until then.
    let mut command = Command::new("timeout");
    command
        .arg(limit.as_secs().to_string())
        .arg(hirace)
        .current_dir(&program.directory)
        .args(["check", "--backend", "cpu", "--format", "json", "--output"])
        .arg(&report)
        .args(options);
    for option in &program.options {
        command.arg(format!("--cc-arg={option}"));
    }
    command.args(&program.sources);
    command.arg("--").args(&program.arguments);
    let started = Instant::now();
    let ran = process::capture_within(limit + Duration::from_secs(30), &mut command);
    let seconds = started.elapsed().as_secs();
    let text = match &ran {
        Ok(output) => output.text.clone(),
        Err(error) => error.to_string(),
    };
    let json = std::fs::read(&report).unwrap_or_default();
    let json: Value = serde_json::from_slice(&json).unwrap_or_default();
    Ok(read(&json, &text, program, seconds))
}

/// What a report says; `text` is what the command and the program printed.
fn read(json: &Value, text: &str, program: &Program, seconds: u64) -> Outcome {
    let count = |key: &str| json["summary"][key].as_u64().unwrap_or(0);
    let kind = json["failure"]["kind"].as_str();
    let stopped = json.is_null() || kind == Some("interrupted");
    let compiles =
        !matches!(kind, Some("compile" | "input")) && (!stopped || count("launches") > 0);
    let ends = compiles && !stopped && matches!(kind, None | Some("exit" | "nothing-monitored"));
    let missing = match kind {
        Some("compile" | "input") if !program.needs.is_empty() => program.needs.join(", "),
        Some("compile") => first_error(text).unwrap_or_else(|| last_words(json)),
        _ if stopped => TIME.to_owned(),
        None => String::new(),
        Some(_) => last_words(json),
    };
    Outcome {
        compiles,
        ends,
        right: ends && kind != Some("exit"),
        races: count("races").saturating_sub(count("possible")),
        possible: count("possible"),
        faults: count("faults"),
        accesses: count("accesses"),
        missing,
        seconds,
        sampled: false,
    }
}

/// The failure in words, without the paths of this machine.
fn last_words(json: &Value) -> String {
    let message = json["failure"]["message"].as_str().unwrap_or_default();
    shortened(message)
}

/// The compiler's first error, if it printed one.
fn first_error(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains("error"));
    let line = line.or_else(|| {
        text.lines()
            .find(|line| line.contains("undefined reference"))
    })?;
    let message = line.split_once("error: ");
    Some(shortened(message.map_or(line, |(_, message)| message)))
}

/// One line of at most 100 characters, without directories.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let words = line.split(' ').map(|word| match word.rfind('/') {
        Some(at) if word.contains("/work") || word.starts_with(['/', '`']) => &word[at + 1..],
        _ => word,
    });
    let line = words.collect::<Vec<_>>().join(" ").replace('|', "\\|");
    line.chars().take(100).collect()
}
