//! What the compiler arguments given by the user mean to us: include directories, the
//! language standard, the GPU. (Macros are read by [`crate::parse::Defines`].)

use std::path::PathBuf;

/// The arguments after `--cc-arg`, as they were given and as we understand them.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// As given, in order.
    pub raw: Vec<String>,
    /// `-iquote`: searched for `#include "…"` only.
    pub quote_directories: Vec<PathBuf>,
    /// `-I` and `-isystem`.
    pub include_directories: Vec<PathBuf>,
    /// The user chose a language standard.
    pub has_standard: bool,
    /// The user chose a GPU architecture.
    pub has_architecture: bool,
}

impl Arguments {
    /// Reads arguments in the syntax that GCC, Clang and nvcc share.
    #[must_use]
    pub fn parse(raw: &[String]) -> Self {
        let mut arguments = Self {
            raw: raw.to_vec(),
            ..Self::default()
        };
        let mut rest = raw.iter();
        while let Some(argument) = rest.next() {
            let option = OPTIONS
                .iter()
                .find_map(|(name, option)| Some((argument.strip_prefix(name)?, option)));
            let Some((joined, option)) = option else {
                arguments.note_flag(argument);
                continue;
            };
            // `-Idir` and `-I dir`, `--include-path=dir` alike.
            let value = match joined {
                "" => rest.next().map(String::as_str),
                joined => Some(joined.strip_prefix('=').unwrap_or(joined)),
            };
            if let Some(value) = value {
                arguments.apply(*option, value);
            }
        }
        arguments
    }

    fn note_flag(&mut self, argument: &str) {
        self.has_standard |= ["-std", "--std"]
            .iter()
            .any(|prefix| argument.starts_with(prefix));
        self.has_architecture |= ["-arch", "--gpu-architecture", "-gencode", "--generate-code"]
            .iter()
            .any(|prefix| argument.starts_with(prefix));
    }

    fn apply(&mut self, option: Meaning, value: &str) {
        match option {
            Meaning::Quote => self.quote_directories.push(value.into()),
            Meaning::Include => self.include_directories.push(value.into()),
        }
    }
}

#[derive(Clone, Copy)]
enum Meaning {
    Quote,
    Include,
}

const OPTIONS: [(&str, Meaning); 4] = [
    ("-iquote", Meaning::Quote),
    ("-isystem", Meaning::Include),
    ("--include-path", Meaning::Include),
    ("-I", Meaning::Include),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Arguments {
        let owned: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        Arguments::parse(&owned)
    }

    #[test]
    fn joined_and_separate_values() {
        let arguments = parse(&["-Ia", "-I", "b", "-isystem", "c", "-iquote", "d", "-O3"]);
        let include: Vec<_> = ["a", "b", "c"].map(PathBuf::from).into();
        assert_eq!(arguments.include_directories, include);
        assert_eq!(arguments.quote_directories, [PathBuf::from("d")]);
    }

    #[test]
    fn standard_and_architecture() {
        assert!(parse(&["-std=c++20"]).has_standard);
        assert!(parse(&["-arch=sm_90"]).has_architecture);
        assert!(!parse(&["-O2"]).has_standard);
    }
}
