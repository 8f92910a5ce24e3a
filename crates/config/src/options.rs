//! `HIRACE_OPTIONS`, in the style of the sanitizers: `exitcode=66:log_path=races:halt_on_error=1`.
//!
//! `device/hirace/checker/options.h` parses the same text in programs that run without the
//! command. The command passes on only the options that the program itself must follow: which
//! launches to check, and when to stop.

use std::path::PathBuf;

use hirace_model::error::{Error, Result};

use crate::sample::Sample;

/// The variable's name.
pub const VARIABLE: &str = "HIRACE_OPTIONS";

/// The characters that separate options.
const SEPARATORS: [char; 6] = [' ', ',', ':', '\t', '\r', '\n'];

/// The options; those not given are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The exit status of `hirace` if there are findings.
    pub exitcode: Option<u8>,
    /// The file for the human report.
    pub log_path: Option<PathBuf>,
    /// The maximum number of races in that report; 0 for all.
    pub print_limit: Option<usize>,
    /// Suppression files.
    pub suppressions: Vec<PathBuf>,
    /// Options for the program itself.
    pub program: ProgramOptions,
}

/// The options that are passed on to a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramOptions {
    /// Whether the program stops at its first finding.
    pub halt_on_error: bool,
    /// Kernels to check; all if empty.
    pub kernels: Vec<String>,
    /// Kernels to exclude from these.
    pub excluded_kernels: Vec<String>,
    /// How many launches of these kernels to skip at the start.
    pub launch_skip: Option<u32>,
    /// How many launches to check after those.
    pub launch_count: Option<u32>,
    /// Which part of the run to check.
    pub sample: Vec<Sample>,
}

impl ProgramOptions {
    /// No options: every launch is checked, and the program runs to its end.
    pub const NONE: Self = Self {
        halt_on_error: false,
        kernels: Vec::new(),
        excluded_kernels: Vec::new(),
        launch_skip: None,
        launch_count: None,
        sample: Vec::new(),
    };
}

impl Options {
    /// The options in the environment of this process.
    ///
    /// # Errors
    /// An unknown option or a bad value.
    pub fn of_environment() -> Result<Self> {
        match std::env::var(VARIABLE) {
            Ok(text) => Self::parse(&text),
            Err(std::env::VarError::NotPresent) => Ok(Self::default()),
            Err(std::env::VarError::NotUnicode(_)) => Err(bad(0, "not UTF-8")),
        }
    }

    /// Parses the value of the variable.
    ///
    /// # Errors
    /// An unknown option or a bad value.
    pub fn parse(text: &str) -> Result<Self> {
        let mut options = Self::default();
        let mut at = 0;
        loop {
            let rest = &text[at..];
            let start = text.len() - rest.trim_start_matches(SEPARATORS).len();
            if start == text.len() {
                return Ok(options);
            }
            let rest = &text[start..];
            let length = rest
                .find(|it| it == '=' || SEPARATORS.contains(&it))
                .unwrap_or(rest.len());
            let name = &rest[..length];
            let Some(value) = rest[length..].strip_prefix('=') else {
                return Err(bad(start, &format!("`{name}` has no value")));
            };
            let value_at = text.len() - value.len();
            let value = match value.chars().next() {
                Some(quote @ ('\'' | '"')) => {
                    let inner = &value[1..];
                    let end = inner.find(quote);
                    let end = end.ok_or_else(|| bad(value_at, "unterminated quote"))?;
                    at = value_at + end + 2;
                    &inner[..end]
                }
                _ => {
                    let end = value.find(SEPARATORS).unwrap_or(value.len());
                    at = value_at + end;
                    &value[..end]
                }
            };
            options.set(name, value, start, value_at)?;
        }
    }

    fn set(&mut self, name: &str, value: &str, name_at: usize, value_at: usize) -> Result<()> {
        let number = |least: u32, most: u32| {
            let digits = value.bytes().all(|it| it.is_ascii_digit());
            let parsed = value.parse().ok().filter(|_| digits);
            parsed
                .filter(|it| (least..=most).contains(it))
                .ok_or_else(|| {
                    let message = format!("`{value}` is not a number from {least} to {most}");
                    bad(value_at, &message)
                })
        };
        let program = &mut self.program;
        match name {
            "exitcode" => self.exitcode = u8::try_from(number(1, 255)?).ok(),
            "log_path" => self.log_path = Some(value.into()),
            "suppressions" => self.suppressions.push(value.into()),
            "print_limit" => self.print_limit = Some(number(0, u32::MAX)? as usize),
            "halt_on_error" => program.halt_on_error = number(0, 1)? == 1,
            "kernel_name" => program.kernels.push(value.to_owned()),
            "kernel_name_exclude" => program.excluded_kernels.push(value.to_owned()),
            "launch_skip" => program.launch_skip = Some(number(0, u32::MAX)?),
            "launch_count" => program.launch_count = Some(number(1, u32::MAX)?),
            "sample" => {
                let sample = value.parse().map_err(|it: String| bad(value_at, &it))?;
                program.sample.push(sample);
            }
            _ => return Err(bad(name_at, &format!("unknown option `{name}`"))),
        }
        Ok(())
    }
}

impl ProgramOptions {
    /// The options as the value of the variable.
    #[must_use]
    pub fn text(&self) -> String {
        let quoted = |name: &str, value: &String| {
            let quote = if value.contains('\'') { '"' } else { '\'' };
            format!("{name}={quote}{value}{quote}")
        };
        let mut options = Vec::new();
        options.extend(self.halt_on_error.then(|| "halt_on_error=1".to_owned()));
        options.extend(self.kernels.iter().map(|it| quoted("kernel_name", it)));
        let excluded = self.excluded_kernels.iter();
        options.extend(excluded.map(|it| quoted("kernel_name_exclude", it)));
        options.extend(self.launch_skip.map(|it| format!("launch_skip={it}")));
        options.extend(self.launch_count.map(|it| format!("launch_count={it}")));
        // A comma separates options, too.
        options.extend(self.sample.iter().map(|it| format!("sample='{it}'")));
        options.join(":")
    }
}

fn bad(at: usize, message: &str) -> Error {
    Error::Input {
        message: format!("failed to read {VARIABLE}: character {}: {message}", at + 1),
        help: Some(
            "the options are exitcode, log_path, print_limit, suppressions, halt_on_error, \
             kernel_name, kernel_name_exclude, launch_skip, launch_count and sample"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_their_separators() {
        let parsed = Options::parse(
            " exitcode=66,log_path='a b':suppressions=\"x:y\" suppressions=z::print_limit=0\n",
        );
        let expected = Options {
            exitcode: Some(66),
            log_path: Some("a b".into()),
            print_limit: Some(0),
            suppressions: vec!["x:y".into(), "z".into()],
            ..Options::default()
        };
        assert_eq!(parsed.unwrap(), expected);
    }

    #[test]
    fn what_the_program_is_told_reads_back() {
        let text = "halt_on_error=1:kernel_name='a::b*':kernel_name_exclude='c d':launch_skip=2:launch_count=3:sample='launches=1/10,60s'";
        let program = Options::parse(text).unwrap().program;
        assert_eq!(program.text(), text);
        assert_eq!(ProgramOptions::default().text(), "");
    }

    #[test]
    fn mistakes_have_a_position() {
        for (text, expected) in [
            ("exitcode=1:exit=2", "character 12: unknown option `exit`"),
            (
                "exitcode=0",
                "character 10: `0` is not a number from 1 to 255",
            ),
            ("halt_on_error=yes", "character 15: `yes` is not"),
            ("launch_skip=+1", "character 13: `+1` is not"),
            (
                "sample=blocks",
                "character 8: `blocks` is not a sample such as",
            ),
            ("halt_on_error", "character 1: `halt_on_error` has no value"),
            ("log_path='a", "character 10: unterminated quote"),
        ] {
            let error = Options::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
