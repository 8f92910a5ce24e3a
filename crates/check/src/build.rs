//! Instrumenting and compiling one program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;

use super::{Program, cached, needs};
use hirace_config::Config;
use hirace_instrument::rewrite::DeviceLinkage;
use hirace_instrument::tree::{Role, Tree};
use hirace_instrument::{Bases, Instrumented, Plan, headers, output, shares_memory};
use hirace_model::Backend;
use hirace_model::error::Result;
use hirace_report::Input;
use hirace_terminal::progress;
use hirace_toolchain::cache::Cache;
use hirace_toolchain::{self as toolchain, Arguments, Compiler, Job, temporary_directory};

/// Instruments and compiles the program that consists of `files`, in a temporary directory.
/// `compiler_arguments` are those of an ordinary build, such as `-Iinclude`.
///
/// # Errors
/// The files are not valid source text, do not use CUDA or do not compile.
pub fn build(
    files: &[PathBuf],
    backend: Backend,
    compiler_arguments: &[String],
    config: &Config,
) -> Result<Program> {
    let tree = hirace_instrument::collect(files, &Arguments::parse(compiler_arguments))?;
    let bar = progress::spinner("{spinner} compiling, {pos} of {len} done, {elapsed}");
    bar.set_length(files.len() as u64);
    let program = compile(&tree, backend, compiler_arguments, config, &bar);
    bar.finish_and_clear();
    program.map_err(needs::explained)
}

/// Instruments and compiles a program whose texts may differ from the files on disk.
///
/// # Errors
/// Those of [`build`].
pub fn build_tree(
    tree: &Tree,
    backend: Backend,
    compiler_arguments: &[String],
    config: &Config,
) -> Result<Program> {
    let bar = ProgressBar::hidden();
    compile(tree, backend, compiler_arguments, config, &bar)
}

fn compile(
    tree: &Tree,
    backend: Backend,
    compiler_arguments: &[String],
    config: &Config,
    progress: &ProgressBar,
) -> Result<Program> {
    let arguments = arguments(backend, compiler_arguments, config);
    let bases = Bases::From(FIRST_BASE);
    let instrumented = instrumented(tree, backend, &arguments, config, bases)?;
    finish(instrumented, backend, &arguments, config, progress)
}

/// Compiles a program in a temporary directory.
pub(super) fn finish(
    instrumented: Instrumented,
    backend: Backend,
    arguments: &Arguments,
    config: &Config,
    progress: &ProgressBar,
) -> Result<Program> {
    let directory = temporary_directory()?;
    let executable = directory.path().join("program");
    let cache = Storage::of(config)?;
    let include = cache.headers(directory.path())?;
    compile_copies(
        &instrumented,
        backend,
        arguments,
        &Place {
            scratch: directory.path(),
            include: &include,
            executable: &executable,
            storage: &cache,
            is_library: false,
        },
        progress,
    )?;
    Ok(Program {
        directory: Arc::new(directory),
        executable,
        member: None,
        backend,
        input: Input::Cuda,
        instrumented,
        places: Vec::new(),
        lists_inlined: lists_inlined(arguments),
        loaded: Arc::default(),
    })
}

/// Whether debug information lists functions that were inlined: less than the compiler's usual one does not.
fn lists_inlined(arguments: &Arguments) -> bool {
    let mut levels = arguments.raw.iter().rev();
    let last = levels.find(|it| it.starts_with("-g"));
    last.is_none_or(|it| it != "-g0" && it != "-g1")
}

/// The number of a program's first site.
pub(super) const FIRST_BASE: u32 = 1;

/// Where a program is compiled.
pub(super) struct Place<'a> {
    /// A directory for the copies, objects and messages.
    pub(super) scratch: &'a Path,
    /// The directory of the device headers.
    pub(super) include: &'a Path,
    /// The executable to write.
    pub(super) executable: &'a Path,
    /// The cache.
    pub(super) storage: &'a Storage,
    /// Whether a library for a program that loads modules is made, rather than a program.
    pub(super) is_library: bool,
}

/// The cache, if the configuration enables it.
#[derive(Debug)]
pub(super) struct Storage {
    cache: Option<Cache>,
    most: u64,
}

impl Storage {
    pub(super) fn of(config: &Config) -> Result<Self> {
        Ok(Self {
            cache: config.cache.enabled.then(Cache::of_user).transpose()?,
            most: config.cache.bytes,
        })
    }

    /// Where to search for the device headers: in the cache, or below `directory` if the cache
    /// cannot be written.
    pub(super) fn headers(&self, directory: &Path) -> Result<PathBuf> {
        if let Some(Ok(include)) = self.cache.as_ref().map(headers::cached) {
            return Ok(include);
        }
        let include = directory.join("include");
        headers::write(&include)?;
        Ok(include)
    }

    /// The compiler with a compiled executor from the cache. This needs headers from the cache,
    /// whose path identifies their content.
    pub(super) fn with_runtime(
        &self,
        compiler: Compiler,
        include: &Path,
        includes: &[PathBuf],
        arguments: &Arguments,
    ) -> Result<Compiler> {
        match &self.cache {
            Some(cache) if include.starts_with(cache.directory()) => {
                compiler.with_runtime(cache, includes, arguments)
            }
            _ => Ok(compiler),
        }
    }

    /// The compiler with the header that a unit with this text begins with from the cache, precompiled; likewise.
    pub(super) fn with_precompiled(
        &self,
        compiler: Compiler,
        (include, includes): (&Path, &[PathBuf]),
        arguments: &Arguments,
        text: &[u8],
    ) -> Result<Compiler> {
        match (&self.cache, first_header(text)) {
            (Some(cache), Some(header)) if include.starts_with(cache.directory()) => {
                compiler.with_precompiled(cache, includes, arguments, header)
            }
            _ => Ok(compiler),
        }
    }
}

/// The header, one of ours, that a translation unit includes before anything else than directives.
fn first_header(text: &[u8]) -> Option<&str> {
    let lines = text.split(|it| *it == b'\n');
    let directives = lines.take_while(|it| it.starts_with(b"#"));
    let mut included = directives.filter_map(|it| it.strip_prefix(b"#include <"));
    std::str::from_utf8(included.next()?)
        .ok()?
        .strip_suffix('>')
}

/// The compiler's arguments besides our own options.
pub(super) fn arguments(
    backend: Backend,
    compiler_arguments: &[String],
    config: &Config,
) -> Arguments {
    Arguments::parse(&[&config.macros(backend), compiler_arguments].concat())
}

/// The copies of a program's files.
pub(super) fn instrumented(
    tree: &Tree,
    backend: Backend,
    arguments: &Arguments,
    config: &Config,
    bases: Bases,
) -> Result<Instrumented> {
    hirace_instrument::tree(
        tree,
        Plan {
            backend,
            selection: &config.monitor,
            arguments,
            mark_copies: true,
            bases,
            linkage: DeviceLinkage::Unknown,
            skip: config.skip,
            describe: false,
        },
    )
}

/// The directories to search for our own headers.
pub(super) fn own_includes(include: &Path, backend: Backend) -> Vec<PathBuf> {
    let mut includes = vec![include.to_owned()];
    if backend == Backend::Cpu {
        // Headers that replace the toolkit's, which may not be installed.
        includes.push(include.join("hirace/toolkit"));
    }
    includes
}

/// Writes a program's copies and compiles them.
pub(super) fn compile_copies(
    instrumented: &Instrumented,
    backend: Backend,
    arguments: &Arguments,
    place: &Place<'_>,
    progress: &ProgressBar,
) -> Result<()> {
    let own = own_includes(place.include, backend);
    let root = place.scratch.join("src");
    let mut includes = own.clone();
    let searched: Vec<PathBuf> = instrumented
        .searched
        .iter()
        .map(|searched| root.join(searched))
        .collect();
    // Directories for quoted includes are searched before all others, so the instrumented copies
    // must be there too, before the originals.
    let mut quotes = searched.clone();
    quotes.extend(instrumented.originals.iter().cloned());
    includes.extend(searched);
    let units: Vec<PathBuf> = instrumented
        .files
        .iter()
        .filter(|copy| copy.role == Role::Named)
        .map(|copy| root.join(&copy.path))
        .collect();
    progress.set_length(units.len() as u64);
    let identity = toolchain::identity(backend)?;
    let cache = match backend {
        // Who makes a library keeps it.
        Backend::Cpu if !place.is_library => place.storage.cache.as_ref(),
        Backend::Cpu | Backend::Gpu => None,
    };
    let kept = cache.and_then(|cache| {
        let key = cached::key(instrumented, &identity, arguments, place.include)?;
        Some((cache, key))
    });
    if let Some((cache, key)) = &kept
        && cached::take(cache, key, place.executable)
    {
        return Ok(());
    }
    output::fill(&root, instrumented)?;
    let arguments = &arguments.with_forced_includes(|path| {
        let shown = hirace_instrument::tree::tidy(path);
        let mut copies = instrumented.files.iter();
        let copy = copies.find(|copy| copy.display == shown && path.is_file())?;
        Some(root.join(&copy.path))
    });
    let compiler = Compiler::find(backend, &includes, &quotes, arguments)?;
    let compiler = complete(compiler, instrumented, (backend, &own), arguments, place)?;
    compiler.run(&Job {
        units: &units,
        scratch: place.scratch,
        executable: place.executable,
        progress,
        dependencies: kept.is_some(),
    })?;
    if let Some((cache, key)) = &kept {
        cached::keep(cache, key, place.executable, place.scratch, units.len());
        cache.shrink(place.storage.most);
    }
    Ok(())
}

/// The compiler with what it needs of the executor, from the cache.
fn complete(
    compiler: Compiler,
    instrumented: &Instrumented,
    (backend, own): (Backend, &[PathBuf]),
    arguments: &Arguments,
    place: &Place<'_>,
) -> Result<Compiler> {
    let compiler = match backend {
        _ if place.is_library => compiler.for_library(),
        Backend::Cpu | Backend::Gpu => {
            place
                .storage
                .with_runtime(compiler, place.include, own, arguments)?
        }
    };
    let mut texts = instrumented.files.iter().map(|copy| &copy.bytes);
    let compiler = match texts.any(|text| shares_memory(text)) {
        true => compiler.with_host_reports(arguments),
        false => compiler,
    };
    let mut named = instrumented.files.iter();
    let first = named.find(|copy| copy.role == Role::Named && copy.instrumented);
    match first {
        Some(copy) => {
            let places = (place.include, own);
            let storage = place.storage;
            storage.with_precompiled(compiler, places, arguments, &copy.bytes)
        }
        None => Ok(compiler),
    }
}
