//! Compiling for the CPU executor: the common part of both compiler families.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::copies::{Copies, config_for};
use super::items::{Items, Meaning, Stage, is_c, is_cuda, is_cxx};
use super::probe;
use hirace_instrument::rewrite::DeviceLinkage;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_toolchain::cache::Cache;
use hirace_toolchain::{Call, Runtime, is_gcc, is_toolkit_library};

/// The executor's headers, for every translation unit of the program.
pub(super) struct Headers {
    pub include: PathBuf,
    macros: Vec<String>,
    cache: Cache,
}

impl Headers {
    /// The headers as configured for `sources`.
    pub fn find(sources: &[SourceInput<'_>]) -> Result<Self> {
        let config = config_for(sources.first().map(|source| source.path))?;
        let cache = Cache::of_user()?;
        Ok(Self {
            include: hirace_instrument::headers::cached(&cache)?,
            macros: config.macros(Backend::Cpu),
            cache,
        })
    }

    /// Where the compiler searches for them.
    fn directories(&self) -> [PathBuf; 2] {
        [self.include.clone(), self.include.join("hirace/toolkit")]
    }

    /// The executor, compiled for sources that `compiler` compiles with `options`.
    pub fn runtime(&self, compiler: &Path, options: &[OsString]) -> Result<Option<Runtime>> {
        let options: Option<Vec<&str>> = options.iter().map(|it| it.to_str()).collect();
        match options {
            Some(options) => {
                Runtime::find(compiler, &[], &self.cache, &self.directories(), &options)
            }
            None => Ok(None),
        }
    }

    /// The options that make a C++ compiler find them, as system headers, so that the user's
    /// warning options do not apply to them.
    pub fn options(&self) -> Vec<OsString> {
        let system = |directory: PathBuf| ["-isystem".into(), directory.into()];
        let mut options = self.directories().map(system).concat();
        options.extend(self.macros.iter().map(OsString::from));
        options
    }

    /// The options with which sources include first what is implicit: hirace's header in CUDA files, and in those of a
    /// PyTorch extension what makes its tensors a GPU's.
    pub fn implicit(&self, sources: &[SourceInput<'_>], items: &Items) -> Vec<OsString> {
        let device = self.include.join("hirace");
        let cuda = sources.iter().any(|source| source.cuda);
        let extension = !sources.is_empty() && is_pytorch_extension(items);
        let mut options: Vec<OsString> = Vec::new();
        if extension {
            options.extend(["-I".into(), device.join("pytorch").into()]);
        }
        let implicit = [
            (cuda, "hirace.cuh"),
            (extension, "pytorch/extension.h"),
            (extension && cuda, "pytorch/allocator.h"),
        ];
        for (_, header) in implicit.into_iter().filter(|(is_needed, _)| *is_needed) {
            options.extend(["-include".into(), device.join(header).into()]);
        }
        options
    }
}

/// Whether sources are those of a PyTorch extension: `torch.utils.cpp_extension` defines the name of each.
fn is_pytorch_extension(items: &Items) -> bool {
    let mut defined = items.values(Meaning::Define);
    defined.any(|it| it.split('=').next() == Some("TORCH_EXTENSION_NAME"))
}

/// A source among the inputs.
#[derive(Clone, Copy)]
pub(super) struct SourceInput<'a> {
    /// Its index among the items of the command line.
    pub index: usize,
    pub path: &'a str,
    /// Whether it is CUDA rather than C++.
    pub cuda: bool,
}

/// The sources among the inputs.
pub(super) fn sources(items: &Items) -> Vec<SourceInput<'_>> {
    let inputs = items.inputs().into_iter();
    inputs
        .filter_map(|(index, path, language)| {
            let (cuda, cxx) = match language {
                Some(language) => (["cu", "cuda"].contains(&language), language == "c++"),
                None => (is_cuda(path), is_cxx(path)),
            };
            (cuda || cxx).then_some(SourceInput { index, path, cuda })
        })
        .collect()
}

/// Copies of the sources, if they or their headers contain device code.
pub(super) fn copies(
    sources: &[SourceInput<'_>],
    items: &Items,
    call: &Call,
    linkage: DeviceLinkage,
) -> Result<Option<Copies>> {
    let names: Vec<&str> = sources
        .iter()
        .map(|source| source.path)
        .filter(|path| Path::new(path).is_file() && !probe::is_probe(path))
        .collect();
    if names.is_empty() {
        return Ok(None);
    }
    let cuda = sources.iter().any(|source| source.cuda);
    let made = Copies::make(
        &names,
        items,
        Backend::Cpu,
        &(&call.program, &call.arguments),
        cuda,
        linkage,
    );
    match made {
        Ok(copies) => Ok(copies),
        Err(Error::Empty { .. }) => Ok(None),
        // The C++ compiler may still accept the file.
        Err(error) if !cuda && error.kind() == "input" => {
            let names = names.join(", ");
            hirace_terminal::tell(&format!(
                "hirace: warning: not monitored: {names}: {error}\n"
            ));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Adds inputs, with `-x` for those whose name does not show that they are now C++. It adds no
/// more than needed, because compiler caches do not support every `-x`.
#[derive(Default)]
pub(super) struct Inputs {
    /// The last `-x`.
    language: Option<&'static str>,
}

impl Inputs {
    /// A source, or its copy.
    pub fn source(
        &mut self,
        out: &mut Vec<OsString>,
        source: SourceInput<'_>,
        copies: Option<&Copies>,
    ) {
        if !is_cxx(source.path) || self.language.is_some_and(|it| it != "c++") {
            self.speak(out, Some("c++"));
        }
        let copy = copies.and_then(|copies| copies.of(source.path));
        out.push(copy.map_or_else(|| source.path.into(), Into::into));
    }

    /// An object, a library, or a source in C, which is compiled as such unless it needs CUDA's headers:
    /// these are C++ here.
    pub fn other(&mut self, out: &mut Vec<OsString>, path: &str) {
        let language = match is_c(path) {
            true if names_cuda(path) => Some("c++"),
            true => Some("c"),
            false => None,
        };
        self.speak(out, language);
        out.push(path.into());
    }

    fn speak(&mut self, out: &mut Vec<OsString>, language: Option<&'static str>) {
        if self.language != language {
            out.extend(["-x".into(), language.unwrap_or("none").into()]);
            self.language = language;
        }
    }
}

/// Whether a source mentions CUDA: a header, or a function of the runtime.
fn names_cuda(path: &str) -> bool {
    std::fs::read(path).is_ok_and(|text| text.windows(4).any(|it| it == b"cuda"))
}

/// `-I` and the like, with the copy of each directory before it. A CUDA toolkit's directory is
/// searched last, so that the executor's headers hide those of the same name.
pub(super) fn include(meaning: Meaning, directory: &str, copies: Option<&Copies>) -> Vec<OsString> {
    let option = match meaning {
        _ if Path::new(directory).join("cuda_runtime_api.h").is_file() => "-idirafter",
        Meaning::SystemInclude => "-isystem",
        Meaning::QuoteInclude => "-iquote",
        _ => "-I",
    };
    let copy = copies.and_then(|copies| copies.of(directory));
    copy.into_iter()
        .chain([PathBuf::from(directory)])
        .flat_map(|path| [option.into(), path.into()])
        .collect()
}

/// Lines in the debug information, unless the options say how much there is to be: reports name the lines of faults
/// and of allocations, which may be in files without device code.
pub(super) fn lines(stage: Stage, options: &[OsString]) -> Option<OsString> {
    let is_level = |it: &OsString| it.to_string_lossy().starts_with("-g");
    let compiles = stage != Stage::Nothing && !options.iter().any(is_level);
    compiles.then(|| "-g1".into())
}

/// Options that hide the copies from the user.
pub(super) fn disguise(copies: &Copies, compiler: &Path) -> Vec<OsString> {
    let mut map = OsString::from("-ffile-prefix-map=");
    map.push(copies.root());
    map.push("=");
    map.push(copies.original_root());
    // Columns and carets would refer to the instrumented text.
    let excerpts = match is_gcc(compiler, &[]) {
        true => "-fno-diagnostics-show-caret",
        false => "-fno-caret-diagnostics",
    };
    let mut options = vec![map, "-fno-show-column".into(), excerpts.into()];
    for directory in copies.quoted() {
        options.extend(["-iquote".into(), directory.into()]);
    }
    options
}

/// Whether the executor implements the library of the CUDA toolkit in this file.
pub(super) fn is_runtime_file(path: &str) -> bool {
    let name = Path::new(path).file_name().and_then(|name| name.to_str());
    let stem = name.and_then(|name| name.strip_prefix("lib")?.split('.').next());
    let library = name.is_some_and(|name| name.contains(".so") || name.ends_with(".a"));
    library && stem.is_some_and(is_toolkit_library)
}
