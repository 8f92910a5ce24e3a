//! The CUDA driver and the GPUs that it lists.

use super::{Check, State};
use crate::gpu::{Gpu, Installed, Unavailable};

const HELP: &str = "NVIDIA's driver: Ubuntu: `ubuntu-drivers install`; Debian: `apt install \
    nvidia-driver libcuda1`; Fedora: akmod-nvidia and xorg-x11-drv-nvidia-cuda of RPM Fusion; \
    Arch: `pacman -S nvidia`; in a container: start it with `--gpus all` (NVIDIA Container Toolkit)";

/// Checks the driver and its GPUs.
pub(super) fn look(installed: &Result<Installed, Unavailable>) -> Vec<Check> {
    const NAME: &str = "CUDA driver";
    let installed = match installed {
        Ok(installed) => installed,
        Err(Unavailable::NoLibrary) => {
            let found = Unavailable::NoLibrary.to_string();
            return vec![Check::new(NAME, State::Missing, found).help(HELP)];
        }
        Err(error) => {
            let help = "if the driver was updated, restart the machine; `nvidia-smi` shows \
                        whether its kernel module is loaded";
            return vec![Check::new(NAME, State::Broken, error.to_string()).help(help)];
        }
    };
    let (major, minor) = installed.cuda;
    let supports = format!("supports CUDA {major}.{minor} and earlier");
    let found = match module_version() {
        Some(version) => format!("version {version}, {supports}"),
        None => supports,
    };
    let mut checks = vec![Check::new(NAME, State::Ok, found)];
    if installed.gpus.is_empty() {
        let check = Check::new("GPU", State::Missing, "the driver shows no GPU").help(
            "an NVIDIA GPU is needed; CUDA_VISIBLE_DEVICES may hide it; in a container, start \
             it with `--gpus all`",
        );
        checks.push(check);
    }
    checks.extend((installed.gpus.iter()).map(|it| Check::new("GPU", State::Ok, describe(it))));
    checks
}

fn describe(gpu: &Gpu) -> String {
    let (major, minor) = gpu.compute_capability;
    format!(
        "{}, compute capability {major}.{minor}, {:.1} GiB, {} multiprocessors",
        gpu.name,
        gpu.memory as f64 / f64::from(1 << 30),
        gpu.multiprocessors
    )
}

/// The version of the loaded kernel module: the driver's own number.
fn module_version() -> Option<String> {
    version(&std::fs::read_to_string("/proc/driver/nvidia/version").ok()?)
}

/// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Thu Jan ...": the first word that
/// consists of digits and dots.
fn version(text: &str) -> Option<String> {
    let is_version =
        |word: &&str| word.contains('.') && word.chars().all(|it| it.is_ascii_digit() || it == '.');
    let word = text.lines().next()?.split_whitespace().find(is_version)?;
    Some(word.to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn version_of_the_kernel_module() {
        let text = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build\nGCC version: 12.2.0\n";
        assert_eq!(super::version(text).as_deref(), Some("570.86.15"));
        assert_eq!(super::version("nothing\n"), None);
    }
}
