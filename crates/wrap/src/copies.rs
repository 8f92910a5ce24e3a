//! Instrumented copies for one compiler call.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::items::{Items, Meaning};
use super::{CHECK_ALL, is_set};
use hirace_config::Config;
use hirace_instrument::rewrite::{DeviceLinkage, Skip};
use hirace_instrument::tree::{Collector, Content, Tree, normal};
use hirace_instrument::{Bases, Instrumented, Plan, includes, output, shares_memory};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::source_text;
use hirace_toolchain::cache::Cache;
use hirace_toolchain::{Arguments, temporary_directory};

/// The instrumented copies of the sources of one call. Dropping this removes them.
pub(super) struct Copies {
    scratch: Scratch,
    tree: Tree,
    instrumented: Instrumented,
    /// The `hirace.toml` that decided what is monitored.
    pub config: Option<PathBuf>,
    /// Options that the copies must be compiled with.
    pub macros: Vec<String>,
}

/// The configuration for a call whose first source is `source`.
pub(super) fn config_for(source: Option<&str>) -> Result<Config> {
    let named = std::env::var_os("HIRACE_CONFIG").filter(|value| !value.is_empty());
    let source = Path::new(source.unwrap_or("."));
    let mut config = Config::load(named.as_deref().map(Path::new), source)?;
    if is_set(CHECK_ALL) {
        config.skip = Skip::NOTHING;
    }
    Ok(config)
}

impl Copies {
    /// Instruments `inputs` and the headers that they include. `items` are those of the whole
    /// command line; `call` identifies it. `None` if no file contains device code, unless the
    /// inputs are `cuda` sources. `linkage` says whether other calls share device functions.
    pub fn make(
        inputs: &[&str],
        items: &Items,
        backend: Backend,
        call: &impl Hash,
        cuda: bool,
        linkage: DeviceLinkage,
    ) -> Result<Option<Self>> {
        let config = config_for(inputs.first().copied())?;
        let arguments = arguments(items);
        let mut collector = Collector::new(&arguments);
        for input in inputs {
            collector.named(Path::new(input))?;
            // Sources that only include others, such as those of CMake's unity builds.
            for included in absolute_includes(input) {
                collector.named(&included)?;
            }
        }
        let mut tree = collector.finish()?;
        leave_alone(&mut tree);
        if !cuda && !tree.sources().any(|(_, text)| may_hold_device_code(text)) {
            return Ok(None);
        }
        let plan = Plan {
            backend,
            selection: &config.monitor,
            arguments: &arguments,
            mark_copies: true,
            bases: Bases::File,
            linkage,
            skip: config.skip,
            describe: false,
        };
        let instrumented = hirace_instrument::survey(&tree, plan)?;
        if !cuda && !instrumented.files.iter().any(|copy| copy.instrumented) {
            return Ok(None);
        }
        let scratch = Scratch::new(call)?;
        let copies = Self {
            scratch,
            tree,
            instrumented,
            macros: config.macros(backend),
            config: config.origin,
        };
        output::fill(&copies.root(), &copies.instrumented)?;
        for input in inputs {
            copies.redirect(input)?;
        }
        Ok(Some(copies))
    }

    /// Makes absolute includes in the copy of `input` refer to copies.
    fn redirect(&self, input: &str) -> Result<()> {
        let includes = absolute_includes(input);
        let Some(copy) = self.of(input).filter(|_| !includes.is_empty()) else {
            return Ok(());
        };
        let bytes = std::fs::read(&copy).map_err(|it| Error::read(&copy, it))?;
        let text = source_text::decode(bytes);
        let text = includes.iter().fold(text, |text, included| {
            let included = included.display().to_string();
            match self.of(&included) {
                Some(copy) => text.replace(
                    &format!("\"{included}\""),
                    &format!("\"{}\"", copy.display()),
                ),
                None => text,
            }
        });
        std::fs::write(&copy, source_text::encode(&text))
            .map_err(|source| Error::write(&copy, source))
    }

    /// Whether the host and kernels share memory.
    pub fn share_memory(&self) -> bool {
        self.texts().any(shares_memory)
    }

    /// The texts of the copies.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.instrumented.files.iter().map(|it| &it.bytes[..])
    }

    /// The root of the copied tree.
    pub fn root(&self) -> PathBuf {
        self.scratch.directory.join("src")
    }

    /// The directory whose copy is [`Self::root`].
    pub fn original_root(&self) -> &Path {
        &self.tree.root
    }

    /// The path of a file beside the copies.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.scratch.directory.join(name)
    }

    /// The copy of a file, or of a directory that has copies in it.
    pub fn of(&self, path: &str) -> Option<PathBuf> {
        let absolute = normal(Path::new(path)).ok()?;
        let relative = absolute.strip_prefix(&self.tree.root).ok()?;
        Some(self.root().join(relative)).filter(|copy| copy.exists())
    }

    /// Directories to search for `#include "…"`: those of the originals, for includes that only the
    /// compiler can resolve. Each one's copy comes before it, because these directories are
    /// searched before all others.
    pub fn quoted(&self) -> Vec<PathBuf> {
        let mut directories = Vec::new();
        for original in &self.instrumented.originals {
            directories.extend(self.of(&original.display().to_string()));
            directories.push(original.clone());
        }
        directories
    }

    /// The user's name for a file that the compiler read; `None` for our own headers.
    pub fn original(&self, read: &str, headers: &Path) -> Option<String> {
        let absolute = normal(Path::new(read)).ok()?;
        if absolute.starts_with(headers) {
            return None;
        }
        let Ok(relative) = absolute.strip_prefix(self.root()) else {
            return Some(read.to_owned());
        };
        let copy = self
            .instrumented
            .files
            .iter()
            .find(|it| it.path == relative);
        Some(copy.map_or_else(
            || self.tree.root.join(relative).display().to_string(),
            |copy| copy.display.clone(),
        ))
    }
}

/// The files that a source includes by an absolute path in quotes.
fn absolute_includes(input: &str) -> Vec<PathBuf> {
    let text = source_text::decode(std::fs::read(input).unwrap_or_default());
    includes::directives(&text)
        .filter(|include| include.quoted)
        .map(|include| PathBuf::from(include.name))
        .filter(|path| path.is_absolute() && path.is_file())
        .collect()
}

/// The arguments that decide which files belong together, and which branch of an `#if` is taken.
fn arguments(items: &Items) -> Arguments {
    let mut raw = Vec::new();
    for item in &items.0 {
        if item.meaning == Meaning::ForcedInclude {
            let values = item.values.iter();
            raw.extend(values.flat_map(|it| ["-include".to_owned(), it.clone()]));
        }
        let option = match item.meaning {
            Meaning::Include | Meaning::SystemInclude => "-I",
            Meaning::QuoteInclude => "-iquote",
            Meaning::Define => "-D",
            Meaning::Undefine => "-U",
            _ => continue,
        };
        let values = item.values.iter().filter(|value| !is_library(value));
        raw.extend(values.map(|value| format!("{option}{value}")));
    }
    Arguments::parse(&raw)
}

/// Whether a directory contains CUDA's C++ libraries, which come with the toolkit or separately.
fn is_library(directory: &str) -> bool {
    ["cub/cub.cuh", "thrust/version.h", "cuda/std/version"]
        .iter()
        .any(|header| Path::new(directory).join(header).is_file())
}

/// Leaves out headers with `#include_next`: in a copy, the next header would be the original of
/// the same header.
fn leave_alone(tree: &mut Tree) {
    tree.files.retain(|file| match &file.content {
        Content::Source(text) => !text.contains("include_next"),
        Content::Opaque(..) => true,
    });
}

/// A quick search of the text, so that C++ files without CUDA cost little.
fn may_hold_device_code(text: &str) -> bool {
    [
        "__device__",
        "__global__",
        "__shared__",
        "<<<",
        "cudaLaunch",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// A directory with the same name whenever the same call runs, so that anything that a compiler
/// derives from file names stays the same: module names, and the keys of compiler caches.
struct Scratch {
    directory: PathBuf,
    /// Held while the directory is in use.
    _lock: Option<File>,
    _unique: Option<tempfile::TempDir>,
}

impl Scratch {
    fn new(call: &impl Hash) -> Result<Self> {
        let parent = Cache::of_user()?.directory().join("copies");
        let mut hasher = DefaultHasher::new();
        call.hash(&mut hasher);
        std::env::current_dir().ok().hash(&mut hasher);
        let directory = parent.join(format!("{:016x}", hasher.finish()));
        if let Some(lock) = lock(&directory) {
            let left = directory.join("src");
            if left.exists() {
                std::fs::remove_dir_all(&left).map_err(|source| Error::write(left, source))?;
            }
            return Ok(Self {
                directory,
                _lock: Some(lock),
                _unique: None,
            });
        }
        // The same call is running now, or we may not write the cache.
        let unique = temporary_directory()?;
        Ok(Self {
            directory: unique.path().to_owned(),
            _lock: None,
            _unique: Some(unique),
        })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Fails only if another process cleans up.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Locks a directory for this process.
fn lock(directory: &Path) -> Option<File> {
    std::fs::create_dir_all(directory).ok()?;
    let path = directory.join("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .ok()?;
    file.try_lock().ok()?;
    // The previous owner may have removed the file since we opened it.
    let (ours, there) = (file.metadata().ok()?, std::fs::metadata(&path).ok()?);
    (ours.ino() == there.ino()).then_some(file)
}
