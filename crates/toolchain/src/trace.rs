//! The commands that hirace runs, and how long each took: for `--verbose`.

use std::io::Write as _;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

static SHOWN: AtomicBool = AtomicBool::new(false);

/// From now on, each command is shown on standard error.
pub fn show_commands() {
    SHOWN.store(true, Ordering::Relaxed);
}

/// Says what became of something that hirace can do without.
pub(super) fn note(text: &str) {
    if SHOWN.load(Ordering::Relaxed) {
        let _ = writeln!(std::io::stderr(), "+ {text}");
    }
}

/// A command that runs. Dropping it shows the command.
pub(super) struct Shown {
    command: Option<String>,
    start: Instant,
}

impl Shown {
    pub(super) fn of(command: &Command) -> Self {
        Self {
            command: SHOWN.load(Ordering::Relaxed).then(|| text(command)),
            start: Instant::now(),
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(command) = &self.command {
            let seconds = self.start.elapsed().as_secs_f64();
            // There is nowhere to report that standard error is closed.
            let _ = writeln!(std::io::stderr(), "+ {command}  # {seconds:.2} s");
        }
    }
}

/// The command as a shell reads it, with the variables that are set for it.
fn text(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        Some(format!(
            "{}={}",
            name.to_string_lossy(),
            quoted(&value?.to_string_lossy())
        ))
    });
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|it| quoted(&it.to_string_lossy()));
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    match word.chars().all(plain) && !word.is_empty() {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_text_as_it_was() {
        let mut command = Command::new("c++");
        command
            .args(["-DNAME=it's", "a b.cu", "-O2", ""])
            .env("LANG", "C");
        assert_eq!(
            text(&command),
            r"LANG=C c++ '-DNAME=it'\''s' 'a b.cu' -O2 ''"
        );
    }
}
