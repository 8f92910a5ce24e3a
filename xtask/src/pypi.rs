//! Installs tools from PyPI below `target/`, once.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs `xtask/python/SCRIPT DIRECTORY`, unless it ran before with the same requirements, and
/// returns the path that it printed. A stamp in `target/FOLDER` records the requirements. `what` is
/// for messages.
pub(crate) fn installed(
    what: &str,
    folder: &str,
    script: &str,
    requirements: &str,
) -> Result<PathBuf, String> {
    let scripts = crate::root().join("xtask/python");
    let requirements = fs::read_to_string(scripts.join(requirements))
        .map_err(|error| format!("failed to read {requirements}: {error}"))?;
    let directory = crate::root().join("target").join(folder);
    let stamp = directory.join("stamp");

    fs::create_dir_all(&directory)
        .map_err(|error| format!("failed to create {}: {error}", directory.display()))?;
    // Tests of several crates may call this at the same time.
    let lock = File::create(directory.join("lock"))
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| format!("failed to lock {}: {error}", directory.display()))?;

    let known = fs::read_to_string(&stamp).unwrap_or_default();
    if let Some(path) = known.strip_prefix(&requirements) {
        let path = directory.join(path);
        if path.exists() {
            return Ok(path);
        }
    }

    eprintln!("installing {what} into {}", directory.display());
    let output = Command::new("python3")
        // No compiled copies of the scripts beside them.
        .arg("-B")
        .arg(scripts.join(script))
        .arg(&directory)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{what} is not installed: failed to start python3: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{what} is not installed: python3 could not get it from PyPI"
        ));
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    let path = PathBuf::from(stdout.trim().lines().last().unwrap_or_default());
    // Relative, so that a checkout can be moved.
    let relative = path.strip_prefix(&directory).unwrap_or(&path);
    fs::write(&stamp, format!("{requirements}{}", relative.display()))
        .map_err(|error| format!("failed to write {}: {error}", stamp.display()))?;
    drop(lock);
    Ok(path)
}
