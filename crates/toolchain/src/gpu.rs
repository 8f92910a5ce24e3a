//! Whether this machine can run the gpu backend.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether there are both nvcc and a GPU.
#[must_use]
pub fn available() -> bool {
    nvcc().is_some() && gpu_present()
}

/// The CUDA compiler: `$NVCC`, or `nvcc` on the path.
#[must_use]
pub fn nvcc() -> Option<PathBuf> {
    match std::env::var_os("NVCC") {
        Some(name) if !name.is_empty() => Some(PathBuf::from(name)),
        _ => on_path("nvcc"),
    }
}

fn gpu_present() -> bool {
    Path::new("/dev/nvidia0").exists()
        || Command::new("nvidia-smi")
            .arg("-L")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
}

/// The file that the shell would run for `name`.
#[must_use]
pub fn on_path(name: &str) -> Option<PathBuf> {
    all_on_path(name).into_iter().next()
}

/// All files of that name on the path, in order.
pub fn all_on_path(name: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .filter(|candidate| candidate.is_file())
        .collect()
}
