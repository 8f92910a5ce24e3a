//! A compiler's command line as a list of items with a meaning.

use std::path::Path;

use hirace_instrument::rewrite::DeviceLinkage;

/// One option with its value, or one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// As given: one argument, or two if the value is separate.
    pub given: Vec<String>,
    /// What it means to us.
    pub meaning: Meaning,
    /// The value, or the elements of a value that is a list.
    pub values: Vec<String>,
}

/// What an option is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A file to compile or to link.
    Input,
    /// `-I`.
    Include,
    /// `-isystem`.
    SystemInclude,
    /// `-iquote`.
    QuoteInclude,
    /// `-D`.
    Define,
    /// `-U`.
    Undefine,
    /// `-include`.
    ForcedInclude,
    /// `-o`.
    Output,
    /// `-odir`.
    OutputDirectory,
    /// `-x`.
    Language,
    /// `-MD`, `-MMD`: write dependencies while compiling.
    Dependencies,
    /// `-MF`.
    DependencyFile,
    /// `-MT`, `-MQ`, `-MP`.
    DependencyRule,
    /// The last stage to run.
    Stage(Stage),
    /// `-ccbin`.
    HostCompiler,
    /// `-Xcompiler`.
    HostOptions,
    /// `-Xlinker`.
    LinkerOptions,
    /// `-l`.
    Library,
    /// `-L`.
    LibraryPath,
    /// `-std`.
    Standard,
    /// `--default-stream`.
    DefaultStream,
    /// `-O`.
    Optimise,
    /// `-g`, `-G`.
    Debug,
    /// `-shared`, `-pg`, `-w`, `-v`: the same for the host compiler.
    Shared,
    /// An option that affects only device code for a GPU.
    Device,
    /// `-r` of nvcc and others without a counterpart on the CPU.
    Unsupported,
    /// Anything else.
    Other,
}

/// The last stage of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// An object.
    Object,
    /// Device code alone: PTX, cubin, fatbin and the like.
    DeviceCode,
    /// An object of linked device code.
    DeviceLink,
    /// A static library.
    Library,
    /// An executable or a shared library; the default.
    Link,
    /// No compilation: preprocessing, listing dependencies, versions, help, dry runs.
    Nothing,
}

/// A command line.
#[derive(Clone, Debug, Default)]
pub(super) struct Items(pub Vec<Item>);

impl Items {
    /// The last stage to run. [`Stage::Nothing`] takes precedence over all others.
    pub fn stage(&self) -> Stage {
        let mut stages = self.0.iter().filter_map(|item| match item.meaning {
            Meaning::Stage(stage) => Some(stage),
            _ => None,
        });
        let last = stages.clone().next_back();
        match stages.any(|stage| stage == Stage::Nothing) {
            true => Stage::Nothing,
            false => last.unwrap_or(Stage::Link),
        }
    }

    /// The value of the last item with this meaning.
    pub fn last(&self, meaning: Meaning) -> Option<&str> {
        let mut items = self.0.iter().rev();
        let item = items.find(|item| item.meaning == meaning)?;
        item.values.last().map(String::as_str)
    }

    /// Whether there is an item with this meaning.
    pub fn has(&self, meaning: Meaning) -> bool {
        self.0.iter().any(|item| item.meaning == meaning)
    }

    /// The values of all items with this meaning.
    pub fn values(&self, meaning: Meaning) -> impl Iterator<Item = &str> {
        let items = self.0.iter().filter(move |item| item.meaning == meaning);
        items.flat_map(|item| item.values.iter().map(String::as_str))
    }

    /// Whether the call does nothing but list dependencies: `-M`, `-MM`.
    pub fn lists_dependencies(&self) -> bool {
        const NAMES: [&str; 4] = [
            "-M",
            "-MM",
            "--generate-dependencies",
            "--generate-nonsystem-dependencies",
        ];
        self.0
            .iter()
            .any(|it| NAMES.contains(&it.given[0].as_str()))
    }

    /// Whether nvcc lets files share device functions and variables.
    pub fn device_linkage(&self) -> DeviceLinkage {
        let links = self.0.iter().any(|item| {
            let words: Vec<&str> = item.given.iter().flat_map(|it| it.split('=')).collect();
            match words.as_slice() {
                ["-dc" | "--device-c" | "-dw" | "--device-w", ..] => true,
                ["-rdc" | "--relocatable-device-code", value, ..] => *value == "true",
                _ => false,
            }
        });
        match links {
            true => DeviceLinkage::Linked,
            false => DeviceLinkage::PerFile,
        }
    }

    /// The inputs, each with its index and the language that `-x` selects.
    pub fn inputs(&self) -> Vec<(usize, &str, Option<&str>)> {
        let mut language = None;
        let mut inputs = Vec::new();
        for (index, item) in self.0.iter().enumerate() {
            match (item.meaning, item.values.first()) {
                (Meaning::Language, Some(value)) => {
                    language = Some(value.as_str()).filter(|&value| value != "none");
                }
                (Meaning::Input, Some(value)) => inputs.push((index, value.as_str(), language)),
                _ => {}
            }
        }
        inputs
    }
}

/// Whether a file of this name is CUDA source, unless `-x` overrides it.
pub(super) fn is_cuda(path: &str) -> bool {
    has_extension(path, &["cu"])
}

/// Whether a file of this name is C source.
pub(super) fn is_c(path: &str) -> bool {
    has_extension(path, &["c"])
}

/// Whether a file of this name is C++ source, unless `-x` overrides it.
pub(super) fn is_cxx(path: &str) -> bool {
    has_extension(path, &["cpp", "cc", "cxx", "c++", "C", "CPP", "cp"])
}

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(path).extension().and_then(|it| it.to_str());
    extension.is_some_and(|extension| extensions.contains(&extension))
}
