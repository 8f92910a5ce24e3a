//! Earlier builds, keyed by their inputs.
//!
//! | directory | contents |
//! |---|---|
//! | `sources` | generated programs, as files |
//! | `graphs` | input graphs |
//! | `built` | directories of executables |
//! | `index` | a file for each built program: its path |
//!
//! Every entry is complete: it is written elsewhere in the cache and then moved. So any number of
//! sweeps may share a cache, a killed sweep leaves nothing incomplete, and the directory may be
//! deleted while no sweep runs.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use hirace::check::batch::Built;
use sha2::{Digest as _, Sha256};
use tempfile::{NamedTempFile, TempDir};

use crate::error::{Error, Result};

/// A cache directory.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

/// SHA-256 of several texts, in hexadecimal digits. It includes their lengths, so that different
/// lists of texts differ.
#[must_use]
pub fn digest<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Cache {
    /// The cache in `directory`, or in the user's cache directory.
    ///
    /// # Errors
    /// The directory cannot be created, or the environment names none.
    pub fn open(directory: Option<&Path>) -> Result<Self> {
        let root = match directory {
            Some(directory) => directory.to_owned(),
            None => default_root().ok_or_else(|| {
                Error::Usage(
                    "neither XDG_CACHE_HOME nor HOME is set; name a directory with --cache".into(),
                )
            })?,
        };
        for part in ["sources", "graphs", "built", "index"] {
            let part = root.join(part);
            fs::create_dir_all(&part).map_err(|source| Error::write(&part, source))?;
        }
        // Programs are started by this path from any directory.
        let root = fs::canonicalize(&root).map_err(|source| Error::read(&root, source))?;
        Ok(Self { root })
    }

    /// A file for a text that is not on disk. Its directory is named by the content, so the file
    /// can have the name that reports and messages show.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn source(&self, name: &str, text: &str) -> Result<PathBuf> {
        let directory = self.root.join("sources").join(&digest([text])[..16]);
        self.keep(&directory.join(name), text.as_bytes())
    }

    /// A file for a graph with that content.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn graph(&self, name: &str, content: &[u8]) -> Result<PathBuf> {
        let directory = self.root.join("graphs").join(&digest([content])[..16]);
        self.keep(&directory.join(name), content)
    }

    /// The program built with that key, if its executable still exists.
    #[must_use]
    pub fn built(&self, key: &str) -> Option<Built> {
        let text = fs::read(self.entry(key)).ok()?;
        let built: Built = serde_json::from_slice(&text).ok()?;
        built.executable.is_file().then_some(built)
    }

    /// A directory for building.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn build_directory(&self) -> Result<TempDir> {
        let built = self.root.join("built");
        tempfile::Builder::new()
            .prefix(".unfinished-")
            .tempdir_in(&built)
            .map_err(|source| Error::write(&built, source))
    }

    /// Moves the results of a build into the cache, and records each program by its key. Returns
    /// their new paths.
    ///
    /// # Errors
    /// The disk is full, or the cache was removed.
    pub fn keep_built(
        &self,
        directory: TempDir,
        programs: Vec<(String, Built)>,
    ) -> Result<Vec<Built>> {
        let from = directory.keep();
        let name = from.file_name().expect("a directory has a name");
        let name = name.to_string_lossy().replace(".unfinished-", "");
        let to = self.root.join("built").join(name);
        fs::rename(&from, &to).map_err(|source| Error::write(&to, source))?;
        programs
            .into_iter()
            .map(|(key, mut built)| {
                let name = built.executable.file_name();
                built.executable = to.join(name.expect("an executable has a name"));
                let text = serde_json::to_vec(&built).expect("it is data");
                self.keep(&self.entry(&key), &text)?;
                Ok(built)
            })
            .collect()
    }

    fn entry(&self, key: &str) -> PathBuf {
        self.root.join("index").join(key)
    }

    /// Writes a file completely or not at all.
    fn keep(&self, path: &Path, content: &[u8]) -> Result<PathBuf> {
        if fs::read(path).is_ok_and(|there| there == content) {
            return Ok(path.to_owned());
        }
        let failed = |source| Error::write(path, source);
        let directory = path.parent().expect("a file in the cache");
        fs::create_dir_all(directory).map_err(failed)?;
        let mut file = NamedTempFile::new_in(directory).map_err(failed)?;
        file.write_all(content).map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        Ok(path.to_owned())
    }
}

/// The user's cache directory (XDG Base Directory Specification).
fn default_root() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache")))
        .map(|caches| caches.join("hirace-indigo"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_built_is_found_until_it_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(folder.path())).unwrap();
        let directory = cache.build_directory().unwrap();
        let executable = directory.path().join("batch");
        fs::write(&executable, "executable").unwrap();
        let built = Built {
            executable,
            member: Some(3),
            alone: None,
            first_site: 17,
        };
        assert_eq!(cache.built("key"), None);
        let kept = cache
            .keep_built(directory, vec![("key".into(), built)])
            .unwrap();
        assert_eq!(cache.built("key").as_ref(), kept.first());
        assert_eq!((kept[0].member, kept[0].first_site), (Some(3), 17));
        assert_eq!(fs::read(&kept[0].executable).unwrap(), b"executable");
        fs::remove_file(&kept[0].executable).unwrap();
        assert_eq!(cache.built("key"), None);
    }

    #[test]
    fn a_damaged_entry_is_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(folder.path())).unwrap();
        fs::write(cache.entry("key"), "{\"executable\": ").unwrap();
        assert_eq!(cache.built("key"), None);
    }

    #[test]
    fn texts_do_not_run_into_one_another() {
        assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
        assert_ne!(digest(["ab"]), digest(["ab", ""]));
    }

    #[test]
    fn a_source_keeps_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(folder.path())).unwrap();
        let first = cache.source("pull.cu", "one").unwrap();
        let second = cache.source("pull.cu", "two").unwrap();
        assert_ne!(first, second);
        assert!(first.ends_with("pull.cu") && second.ends_with("pull.cu"));
        assert_eq!(cache.source("pull.cu", "one").unwrap(), first);
    }
}
