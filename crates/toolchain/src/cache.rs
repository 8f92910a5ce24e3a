//! The cache: device headers, the compiled executor and compiled programs.
//!
//! `$HIRACE_CACHE`, or else `hirace` in the user's cache directory, has a directory for each kind
//! of entry, and in it one for each entry, whose name is a hash of its inputs. An entry is filled
//! under another name and renamed into place, so that existing entries are complete even if a
//! process was killed while it filled one. A process that needs an entry that another one is
//! filling waits for it. An entry's modification time is that of its last use; if the cache grows
//! too large, the least recently used entries are removed first.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hirace_model::error::{Error, Result};
use sha2::{Digest as _, Sha256};

use super::trace;

/// The content of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The device headers.
    Headers,
    /// A directory that looks like a CUDA toolkit.
    Toolkit,
    /// The CPU executor, compiled.
    Runtime,
    /// A program, instrumented and compiled.
    Program,
    /// A module that programs load.
    Module,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Headers,
        Self::Toolkit,
        Self::Runtime,
        Self::Program,
        Self::Module,
    ];

    /// The kinds that are removed when the cache grows too large. The others are small, and
    /// dependency files and build directories refer to them.
    const BOUNDED: [Self; 3] = [Self::Runtime, Self::Program, Self::Module];

    /// The name of the directory, and of an entry in a message.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Headers => "headers",
            Self::Toolkit => "toolkit",
            Self::Runtime => "runtime",
            Self::Program => "program",
            Self::Module => "module",
        }
    }
}

/// The name of an entry: a hash of all its inputs.
#[derive(Clone, Debug)]
pub struct Key(Sha256);

impl Key {
    /// A key for an entry of the kind `what`; keys of different kinds differ.
    #[must_use]
    pub fn new(what: &str) -> Self {
        Self(Sha256::new())
            .with(what)
            .with(env!("CARGO_PKG_VERSION"))
    }

    /// The key with one more part. The hash includes its length, so that no two lists of parts are
    /// alike.
    #[must_use]
    pub fn with(mut self, part: impl AsRef<[u8]>) -> Self {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    /// The key as a file name.
    #[must_use]
    pub fn name(&self) -> String {
        let hash = self.0.clone().finalize();
        hash.iter().take(16).map(|it| format!("{it:02x}")).collect()
    }
}

/// The cache of this user.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

/// The size of all entries of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The number of entries.
    pub entries: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// Incomplete entries of killed processes are removed after this time.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

impl Cache {
    /// The cache, which need not exist yet.
    ///
    /// # Errors
    /// The current directory is not known.
    pub fn of_user() -> Result<Self> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let directory = if let Some(named) = variable("HIRACE_CACHE") {
            PathBuf::from(named)
        } else if let Some(cache) = variable("XDG_CACHE_HOME") {
            PathBuf::from(cache).join("hirace")
        } else if let Some(home) = variable("HOME") {
            PathBuf::from(home).join(".cache/hirace")
        } else {
            let user = rustix::process::getuid().as_raw();
            std::env::temp_dir().join(format!("hirace-{user}"))
        };
        let root = std::path::absolute(&directory)
            .map_err(|source| Error::system("find the current directory", source))?;
        Ok(Self { root })
    }

    /// Its directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.root
    }

    /// Whether entries can be added.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        std::fs::create_dir_all(&self.root).is_ok() && tempfile::tempfile_in(&self.root).is_ok()
    }

    /// The directory of an entry, if it exists. This counts as a use.
    #[must_use]
    pub fn find(&self, kind: Kind, key: &Key) -> Option<PathBuf> {
        let entry = self.entry(kind, key);
        entry.is_dir().then(|| {
            // A user who may not write the entry may still read it.
            let _ = File::open(&entry).and_then(|it| it.set_modified(SystemTime::now()));
            entry
        })
    }

    /// The directory of a part of the runtime, as with [`Cache::once`]. None if `fill` fails: a program can do without
    /// the entry, and the trace says that it does, beginning with `without`.
    ///
    /// # Errors
    /// The user has interrupted us.
    pub fn once_or_without(
        &self,
        key: &Key,
        without: &str,
        fill: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<Option<PathBuf>> {
        match self.once(Kind::Runtime, key, fill) {
            Ok(entry) => Ok(Some(entry)),
            Err(Error::Interrupted) => Err(Error::Interrupted),
            Err(error) => {
                trace::note(&format!("{without}: {error}"));
                Ok(None)
            }
        }
    }

    /// The directory of an entry, which `fill` creates if it does not exist.
    ///
    /// # Errors
    /// Those of `fill`, or the cache cannot be written.
    pub fn once(
        &self,
        kind: Kind,
        key: &Key,
        fill: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<PathBuf> {
        if let Some(entry) = self.find(kind, key) {
            return Ok(entry);
        }
        let entry = self.entry(kind, key);
        let parent = self.root.join(kind.name());
        let failed = |source| Error::write(&entry, source);
        std::fs::create_dir_all(&parent).map_err(failed)?;
        // The system releases the lock, however this process ends.
        let lock = File::create(entry.with_extension("lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        if entry.is_dir() {
            return Ok(entry);
        }
        let staging = tempfile::Builder::new()
            .prefix(".new-")
            .tempdir_in(&parent)
            .map_err(failed)?;
        let fresh = staging.path().join("entry");
        std::fs::create_dir(&fresh).map_err(failed)?;
        fill(&fresh)?;
        std::fs::rename(&fresh, &entry).map_err(failed)?;
        Ok(entry)
    }

    /// Removes an entry that is no longer valid.
    pub fn remove(&self, kind: Kind, key: &Key) {
        remove(&self.entry(kind, key));
    }

    /// The size of all entries of a kind.
    #[must_use]
    pub fn usage(&self, kind: Kind) -> Usage {
        let entries = self.entries(kind);
        Usage {
            entries: entries.len() as u64,
            bytes: entries.iter().map(|it| it.bytes).sum(),
        }
    }

    /// Removes compiled code, least recently used first, until it takes at most `bytes`, and the
    /// incomplete entries of killed processes.
    pub fn shrink(&self, bytes: u64) {
        let mut entries: Vec<Entry> = Kind::BOUNDED
            .into_iter()
            .flat_map(|kind| self.entries(kind))
            .collect();
        entries.sort_by_key(|it| it.used);
        let mut total: u64 = entries.iter().map(|it| it.bytes).sum();
        for entry in entries {
            if total <= bytes {
                break;
            }
            total -= entry.bytes;
            remove(&entry.path);
        }
        for kind in Kind::ALL {
            self.remove_abandoned(kind);
        }
    }

    /// Removes everything.
    ///
    /// # Errors
    /// Something cannot be removed.
    pub fn clear(&self) -> Result<()> {
        // Configured build trees name the stand-in toolkit; it takes next to no space.
        for kind in Kind::ALL.into_iter().filter(|it| *it != Kind::Toolkit) {
            let directory = self.root.join(kind.name());
            match std::fs::remove_dir_all(&directory) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::write(directory, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn entry(&self, kind: Kind, key: &Key) -> PathBuf {
        self.root.join(kind.name()).join(key.name())
    }

    fn entries(&self, kind: Kind) -> Vec<Entry> {
        let listed = std::fs::read_dir(self.root.join(kind.name()));
        let directories = listed.into_iter().flatten().flatten();
        directories
            .filter(|it| !it.file_name().to_string_lossy().contains('.'))
            .filter_map(|it| {
                Some(Entry {
                    used: it.metadata().and_then(|it| it.modified()).ok()?,
                    bytes: bytes_below(&it.path()),
                    path: it.path(),
                })
            })
            .collect()
    }

    fn remove_abandoned(&self, kind: Kind) {
        let listed = std::fs::read_dir(self.root.join(kind.name()));
        for file in listed.into_iter().flatten().flatten() {
            let old = file
                .metadata()
                .and_then(|it| it.modified())
                .is_ok_and(|it| it.elapsed().is_ok_and(|age| age > ABANDONED));
            if old && file.file_name().to_string_lossy().starts_with(".new-") {
                remove(&file.path());
            }
        }
    }
}

struct Entry {
    path: PathBuf,
    used: SystemTime,
    bytes: u64,
}

/// Removes an entry. It is renamed first, so that no partly removed entry is found.
fn remove(path: &Path) {
    let gone = path.with_extension("gone");
    if std::fs::rename(path, &gone).is_ok() {
        let _ = std::fs::remove_dir_all(gone);
    }
    let _ = std::fs::remove_file(path.with_extension("lock"));
}

fn bytes_below(directory: &Path) -> u64 {
    let listed = std::fs::read_dir(directory);
    let files = listed.into_iter().flatten().flatten();
    files
        .map(|file| match file.metadata() {
            Ok(metadata) if metadata.is_dir() => bytes_below(&file.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, Cache) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("cache");
        (directory, Cache { root })
    }

    fn write(bytes: usize) -> impl Fn(&Path) -> Result<()> {
        move |entry| {
            std::fs::write(entry.join("file"), vec![0; bytes]).unwrap();
            Ok(())
        }
    }

    #[test]
    fn an_entry_is_made_once() {
        let (_directory, cache) = cache();
        let key = Key::new("test").with("a");
        let first = cache.once(Kind::Program, &key, write(3)).unwrap();
        let never = |_: &Path| panic!("it is there");
        assert_eq!(cache.once(Kind::Program, &key, never).unwrap(), first);
        let usage = Usage {
            entries: 1,
            bytes: 3,
        };
        assert_eq!(cache.usage(Kind::Program), usage);
    }

    #[test]
    fn what_fails_leaves_nothing() {
        let (_directory, cache) = cache();
        let key = Key::new("test");
        let failed = cache.once(Kind::Runtime, &key, |entry| {
            write(3)(entry)?;
            Err(Error::Interrupted)
        });
        assert!(failed.is_err());
        assert_eq!(cache.find(Kind::Runtime, &key), None);
        assert_eq!(cache.usage(Kind::Runtime), Usage::default());
        assert!(cache.once(Kind::Runtime, &key, write(3)).is_ok());
    }

    #[test]
    fn the_least_recently_used_entry_goes_first() {
        let (_directory, cache) = cache();
        let keys = ["a", "b", "c"].map(|it| Key::new("test").with(it));
        for (age, key) in keys.iter().enumerate() {
            let entry = cache.once(Kind::Program, key, write(100)).unwrap();
            let then = SystemTime::now() - Duration::from_secs(100 - age as u64);
            File::open(entry).unwrap().set_modified(then).unwrap();
        }
        assert!(cache.find(Kind::Program, &keys[0]).is_some());
        cache.shrink(250);
        let left = keys
            .each_ref()
            .map(|it| cache.find(Kind::Program, it).is_some());
        assert_eq!(left, [true, false, true]);
    }

    #[test]
    fn keys_tell_parts_apart() {
        let name = |parts: &[&str]| {
            let key = parts.iter().fold(Key::new("test"), Key::with);
            key.name()
        };
        assert_ne!(name(&["ab", "c"]), name(&["a", "bc"]));
        assert_ne!(name(&["ab"]), name(&["ab", ""]));
        assert_eq!(name(&["ab", "c"]), name(&["ab", "c"]));
    }

    #[test]
    fn several_threads_make_one_entry() {
        let (_directory, cache) = cache();
        let key = Key::new("test");
        let made = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let fill = |entry: &Path| {
                        made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        std::thread::sleep(Duration::from_millis(20));
                        write(3)(entry)
                    };
                    cache.once(Kind::Headers, &key, fill).unwrap();
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }
}
