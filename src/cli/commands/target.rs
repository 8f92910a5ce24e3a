//! The file that a report goes to; its old content stays until the new report is complete.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use hirace_model::error::{Error, Result};

/// A destination for a report, found writable before the check starts.
pub(super) enum Target {
    /// A regular file, existing or not: the report is written beside it, then renamed.
    File {
        path: PathBuf,
        staging: NamedTempFile,
    },
    /// Something that cannot be replaced, such as `/dev/null` or a pipe.
    Device { path: PathBuf },
}

impl Target {
    pub fn open(path: &Path) -> Result<Self> {
        let unwritable = |source| Error::write(path, source);
        let special = match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(unwritable(std::io::ErrorKind::IsADirectory.into()));
            }
            Ok(metadata) => !metadata.is_file(),
            Err(_) => false,
        };
        if special {
            return Ok(Self::Device {
                path: path.to_owned(),
            });
        }
        if path.exists() {
            // Renaming would replace even a file that we are not allowed to write.
            let existing = std::fs::OpenOptions::new().append(true).open(path);
            existing.map_err(unwritable)?;
        }
        // Replace the target of a link, not the link itself.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        // The mode that `File::create` gives a new file, less the user's umask.
        let mode = std::fs::Permissions::from_mode(0o666);
        let staging = tempfile::Builder::new()
            .prefix(".hirace-")
            .permissions(mode)
            .tempfile_in(directory)
            .map_err(unwritable)?;
        // An existing file keeps its permissions.
        if let Ok(existing) = std::fs::metadata(&path) {
            let kept = staging.as_file().set_permissions(existing.permissions());
            kept.map_err(unwritable)?;
        }
        Ok(Self::File { path, staging })
    }

    pub fn write(self, text: impl AsRef<[u8]>) -> Result<()> {
        match self {
            Self::Device { path } => {
                let written = std::fs::OpenOptions::new()
                    .write(true)
                    .open(&path)
                    .and_then(|mut file| file.write_all(text.as_ref()));
                match written {
                    Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                        Err(Error::write(path, error))
                    }
                    _ => Ok(()),
                }
            }
            Self::File { path, mut staging } => {
                let written = staging.write_all(text.as_ref());
                written.map_err(|source| Error::write(&path, source))?;
                staging
                    .persist(&path)
                    .map(drop)
                    .map_err(|error| Error::write(&path, error.error))
            }
        }
    }
}
