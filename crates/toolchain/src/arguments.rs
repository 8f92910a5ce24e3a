//! The user's compiler arguments, as far as hirace interprets them: include directories, the
//! language standard, the GPU. (`hirace_syntax::Defines` reads macros.)

use std::path::{Path, PathBuf};

/// The `--cc-arg` arguments, raw and interpreted.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// The arguments in order, as given but for standards older than C++17, which the device headers
    /// need: they are C++17.
    pub raw: Vec<String>,
    /// `-iquote`: searched for `#include "…"` only.
    pub quote_directories: Vec<PathBuf>,
    /// `-I` and `-isystem`.
    pub include_directories: Vec<PathBuf>,
    /// `-include`: read before each source file.
    pub forced_includes: Vec<PathBuf>,
    /// Whether the user chose a language standard.
    pub has_standard: bool,
    /// Whether the user chose a GPU architecture.
    pub has_architecture: bool,
}

impl Arguments {
    /// Parses arguments in the syntax that GCC, Clang and nvcc share.
    #[must_use]
    pub fn parse(raw: &[String]) -> Self {
        let raw = with_new_standard(raw);
        let mut arguments = Self {
            raw: raw.clone(),
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

    /// The arguments for a C++ compiler: all but nvcc's options for device code, and libraries that
    /// the executor implements.
    #[must_use]
    pub fn for_host(&self) -> Vec<&str> {
        let mut kept = Vec::new();
        let mut rest = self.raw.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            let name = argument.trim_start_matches('-');
            let (name, joined) = name
                .split_once('=')
                .map_or((name, false), |(it, _)| (it, true));
            if !argument.starts_with('-') {
                kept.push(argument);
            } else if argument.strip_prefix("-l").is_some_and(is_toolkit_library) {
                // The executor is in the program.
            } else if HOST_VALUES.contains(&name) {
                let value = argument.split_once('=').map(|(_, value)| value);
                let value = value.or_else(|| rest.next()).unwrap_or_default();
                kept.extend(value.split(','));
            } else if name == "default-stream" {
                let value = argument.split_once('=').map(|(_, value)| value);
                if value.or_else(|| rest.next()) == Some("per-thread") {
                    kept.push(PER_THREAD);
                }
            } else if DEVICE_VALUES.contains(&name) {
                if !joined {
                    rest.next();
                }
            } else if !DEVICE_FLAGS.contains(&name) {
                kept.push(argument);
            }
        }
        kept
    }

    /// The same with other files in the place of those that are read before each source file. `copy` finds them.
    #[must_use]
    pub fn with_forced_includes(&self, copy: impl Fn(&Path) -> Option<PathBuf>) -> Self {
        let mut out = self.clone();
        let mut is_value = false;
        for argument in &mut out.raw {
            let (option, value) = match FORCED.iter().find_map(|it| argument.strip_prefix(*it)) {
                _ if is_value => ("", argument.as_str()),
                Some(joined) if joined.starts_with('=') => {
                    argument.split_at(argument.len() - joined.len() + 1)
                }
                _ => ("", ""),
            };
            let found = copy(Path::new(value)).filter(|_| !value.is_empty());
            is_value = FORCED.contains(&argument.as_str());
            if let Some(found) = found {
                *argument = format!("{option}{}", found.display());
            }
        }
        out
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
            Meaning::Forced => self.forced_includes.push(value.into()),
        }
    }
}

/// Whether a standard is older than C++17, which the device headers need.
#[must_use]
pub fn is_old_standard(name: &str) -> bool {
    let digits = name.trim_start_matches(|it: char| !it.is_ascii_digit());
    ["98", "03", "11", "14", "0x", "1y"].contains(&digits)
}

/// The arguments with C++17 in the place of older standards, as `-std=c++14` or nvcc's `--std c++14`.
fn with_new_standard(raw: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = raw.iter();
    while let Some(argument) = rest.next() {
        let option = argument.trim_start_matches('-');
        let name = match option.strip_prefix("std=") {
            Some(name) if argument.starts_with('-') => Some(name.to_owned()),
            None if matches!(argument.as_str(), "-std" | "--std") => rest.next().cloned(),
            _ => None,
        };
        out.push(match name {
            Some(name) if is_old_standard(&name) && name.starts_with("gnu") => {
                "-std=gnu++17".to_owned()
            }
            Some(name) if is_old_standard(&name) => "-std=c++17".to_owned(),
            Some(name) => format!("-std={name}"),
            None => argument.clone(),
        });
    }
    out
}

/// Splits arguments into options and what is for the linker alone: objects, libraries, and its options.
pub(crate) fn split_inputs(arguments: Vec<&str>) -> (Vec<&str>, Vec<&str>) {
    let (mut options, mut inputs) = (Vec::new(), Vec::new());
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        let is_file = !argument.starts_with('-');
        let mut linker_options = ["-l", "-L", "-Wl,", "-Xlinker"].iter();
        let list = match is_file || linker_options.any(|it| argument.starts_with(it)) {
            true => &mut inputs,
            false => &mut options,
        };
        list.push(argument);
        if option_form(argument) == Some(OptionForm::ValueFollows) {
            list.extend(rest.next());
        }
    }
    (options, inputs)
}

/// How an option of a compiler looks on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionForm {
    /// One argument.
    Alone,
    /// The next argument is its value.
    ValueFollows,
}

/// The form of a compiler's option; `None` if it is none. Options with one dash are taken for a
/// compiler's; those with two only if nvcc knows them.
#[must_use]
pub fn option_form(argument: &str) -> Option<OptionForm> {
    let name = argument.strip_prefix('-')?;
    let long = name.strip_prefix('-');
    let (name, joined) = match long.unwrap_or(name).split_once('=') {
        Some((name, _)) => (name, true),
        None => (long.unwrap_or(name), false),
    };
    let takes_value = matches!(name, "default-stream" | "std")
        || DEVICE_VALUES.contains(&name)
        || HOST_VALUES.contains(&name)
        || SEPARATE_VALUES.contains(&name);
    let is_known = takes_value || DEVICE_FLAGS.contains(&name) || LONG_FLAGS.contains(&name);
    match (long, takes_value && !joined) {
        (Some(_), _) if !is_known => None,
        (_, true) => Some(OptionForm::ValueFollows),
        (_, false) => Some(OptionForm::Alone),
    }
}

/// Options with a value that GCC, Clang and nvcc share, if the value is an argument of its own.
const SEPARATE_VALUES: [&str; 11] = [
    "D",
    "I",
    "L",
    "U",
    "Xlinker",
    "include",
    "include-path",
    "iquote",
    "isystem",
    "l",
    "x",
];

/// Options of nvcc whose value is a list of options for the host's compiler.
const HOST_VALUES: [&str; 2] = ["Xcompiler", "compiler-options"];

/// Options with two dashes and no value that are for the host's compiler.
const LONG_FLAGS: [&str; 2] = ["pthread", "std"];

/// The macro that nvcc defines for `--default-stream per-thread`.
const PER_THREAD: &str = "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1";

/// Options of nvcc without a value that affect only device code.
const DEVICE_FLAGS: [&str; 19] = [
    "G",
    "device-debug",
    "expt-relaxed-constexpr",
    "expt-extended-lambda",
    "extended-lambda",
    "generate-line-info",
    "lineinfo",
    "restrict",
    "use_fast_math",
    "allow-unsupported-compiler",
    "extra-device-vectorization",
    "forward-unknown-to-host-compiler",
    "forward-unknown-opts",
    "keep",
    "dlink-time-opt",
    "dlto",
    "resource-usage",
    "source-in-ptx",
    "Wno-deprecated-gpu-targets",
];

/// The libraries of the CUDA toolkit that the executor implements.
pub const TOOLKIT_LIBRARIES: [&str; 11] = [
    "cudart",
    "cudart_static",
    "cudadevrt",
    "cuda",
    "cublas",
    "cublas_static",
    "cufft",
    "cufft_static",
    "curand",
    "curand_static",
    "nvToolsExt",
];

/// Whether the executor implements the library `name` of the CUDA toolkit.
#[must_use]
pub fn is_toolkit_library(name: &str) -> bool {
    TOOLKIT_LIBRARIES.contains(&name)
}

/// Options of nvcc with a value that affect only device code, or which compiler it calls and how.
const DEVICE_VALUES: [&str; 26] = [
    "arch",
    "code",
    "fmad",
    "ftz",
    "gencode",
    "generate-code",
    "gpu-architecture",
    "maxrregcount",
    "prec-div",
    "prec-sqrt",
    "ptxas-options",
    "rdc",
    "relocatable-device-code",
    "Xptxas",
    "ccbin",
    "compiler-bindir",
    "cudart",
    "diag-error",
    "diag-suppress",
    "diag-warn",
    "nvlink-options",
    "t",
    "threads",
    "Xcudafe",
    "Xfatbin",
    "Xnvlink",
];

#[derive(Clone, Copy)]
enum Meaning {
    Quote,
    Include,
    Forced,
}

/// The options that name a header to read first.
const FORCED: [&str; 2] = ["-include", "--pre-include"];

const OPTIONS: [(&str, Meaning); 6] = [
    ("-iquote", Meaning::Quote),
    ("-isystem", Meaning::Include),
    ("--include-path", Meaning::Include),
    ("-I", Meaning::Include),
    (FORCED[0], Meaning::Forced),
    (FORCED[1], Meaning::Forced),
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
    fn what_a_host_compiler_takes() {
        let arguments = parse(&[
            "-O2",
            "-arch=sm_90",
            "--expt-relaxed-constexpr",
            "-Xptxas",
            "-v",
            "-DN=arch",
            "-lm",
            "-lcurand",
        ]);
        assert_eq!(arguments.for_host(), ["-O2", "-DN=arch", "-lm"]);
    }

    #[test]
    fn what_only_a_linker_takes() {
        let arguments = "-O2 a.o -I b -L lib -lc --sysroot=/d -Wl,-s e.a -include f.h -pthread";
        let (options, inputs) = split_inputs(arguments.split(' ').collect());
        assert_eq!(
            options.join(" "),
            "-O2 -I b --sysroot=/d -include f.h -pthread"
        );
        assert_eq!(inputs.join(" "), "a.o -L lib -lc -Wl,-s e.a");
    }

    #[test]
    fn standard_and_architecture() {
        let calls = parse(&[
            "-ccbin",
            "g++",
            "--threads=4",
            "--default-stream",
            "per-thread",
            "-O1",
        ]);
        assert_eq!(calls.for_host(), [PER_THREAD, "-O1"]);
        assert!(parse(&["-std=c++20"]).has_standard);
        let old = parse(&["-std=gnu++14", "-DN", "--std", "c++11", "-std=c++20"]);
        assert_eq!(old.raw, ["-std=gnu++17", "-DN", "-std=c++17", "-std=c++20"]);
        assert!(parse(&["-arch=sm_90"]).has_architecture);
        assert!(!parse(&["-O2"]).has_standard);
    }
}
