//! nvcc: its version, and whether the driver and the GPUs can run its output.

use std::path::PathBuf;

use super::{Check, State, tools};
use crate::gpu::{Gpu, Version};
use hirace_toolchain::ask;

const HELP: &str = "CUDA toolkit 11.8 or later: https://developer.nvidia.com/cuda-downloads; \
    Debian, Ubuntu: `apt install nvidia-cuda-toolkit`; Arch: `pacman -S cuda`; or name nvcc in NVCC";

/// The lowest compute capability that has the memory instructions that the GPU backend uses.
const MIN_CAPABILITY: Version = (7, 0);

/// An nvcc that has reported its version.
pub(super) struct Nvcc {
    program: PathBuf,
    pub(super) version: Version,
}

/// Looks for nvcc.
pub(super) fn look() -> (Check, Option<Nvcc>) {
    const NAME: &str = "nvcc";
    let Some(program) = hirace_toolchain::gpu::nvcc() else {
        let check = Check::new(NAME, State::Missing, "no nvcc on the path");
        return (check.help(HELP), None);
    };
    let place = tools::place(&program, &[]);
    let text = match ask(&program, &[], &["--version"]) {
        Ok(text) => text,
        Err(silence) => return (tools::silent(NAME, &place, &silence).help(HELP), None),
    };
    let Some(version) = version(&text) else {
        let found = format!("`{place}` does not report its CUDA version");
        return (Check::new(NAME, State::Broken, found).help(HELP), None);
    };
    let found = format!("CUDA {}.{} ({place})", version.0, version.1);
    (
        Check::new(NAME, State::Ok, found),
        Some(Nvcc { program, version }),
    )
}

/// Parses "Cuda compilation tools, release 12.8, V12.8.93".
fn version(text: &str) -> Option<Version> {
    let (_, after) = text.split_once("release ")?;
    let number = after.split([',', ' ', '\n']).next()?;
    let (major, minor) = number.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Checks whether the driver runs nvcc's output (CUDA Compatibility, "minor version
/// compatibility").
pub(super) fn against_driver(nvcc: Version, driver: Version) -> Check {
    const NAME: &str = "nvcc and driver";
    let text = |(major, minor): Version| format!("{major}.{minor}");
    let (made, runs) = (text(nvcc), text(driver));
    if nvcc <= driver {
        let found = format!("nvcc is from CUDA {made}, the driver supports CUDA {runs}");
        Check::new(NAME, State::Ok, found)
    } else if nvcc.0 == driver.0 {
        let found = format!(
            "nvcc is from CUDA {made}, the driver supports CUDA {runs}: programs compiled for \
             this GPU run, and hirace compiles for it; PTX cannot be loaded"
        );
        let help = format!("nothing to do; to load PTX, update the driver to one for CUDA {made}");
        Check::new(NAME, State::Warning, found).help(help)
    } else {
        let found = format!(
            "nvcc is from CUDA {made}, the driver supports CUDA {runs}: it runs nothing that this \
             nvcc compiles"
        );
        let (major, minor) = nvcc;
        let help = format!(
            "update the driver to one for CUDA {major}, or install the package \
             cuda-compat-{major}-{minor} (data-centre GPUs), or an nvcc from CUDA {}",
            driver.0
        );
        Check::new(NAME, State::Broken, found).help(help)
    }
}

impl Nvcc {
    /// Checks whether nvcc compiles for the GPUs.
    pub(super) fn against_gpus(&self, gpus: &[Gpu]) -> Option<Check> {
        const NAME: &str = "nvcc and GPU";
        if gpus.is_empty() {
            return None;
        }
        let known = match ask(&self.program, &[], &["--list-gpu-code"]) {
            Ok(known) => known,
            Err(silence) => {
                let found = format!("`nvcc --list-gpu-code` {silence}");
                return Some(Check::new(NAME, State::Broken, found).help(HELP));
            }
        };
        for gpu in gpus {
            let architecture = gpu.architecture();
            if gpu.compute_capability < MIN_CAPABILITY {
                let found = format!(
                    "the GPU backend needs sm_70; {} is {architecture}",
                    gpu.name
                );
                let help = "use the cpu backend, or hide the GPU with CUDA_VISIBLE_DEVICES";
                return Some(Check::new(NAME, State::Broken, found).help(help));
            }
            if !known.lines().any(|line| line.trim() == architecture) {
                let found = format!("nvcc cannot compile for {architecture}: {}", gpu.name);
                let help = "a newer GPU needs a newer nvcc; a GPU that CUDA no longer supports \
                            needs an older one";
                return Some(Check::new(NAME, State::Broken, found).help(help));
            }
        }
        let found = format!("nvcc compiles for {}", architectures(gpus));
        Some(Check::new(NAME, State::Ok, found))
    }
}

fn architectures(gpus: &[Gpu]) -> String {
    let mut names: Vec<String> = gpus.iter().map(Gpu::architecture).collect();
    names.sort();
    names.dedup();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        let text = "Copyright\nCuda compilation tools, release 13.0, V13.0.88\nBuild cuda_13.0";
        assert_eq!(version(text), Some((13, 0)));
        assert_eq!(version("release x.y"), None);
        assert_eq!(version("nvcc: 12.0"), None);
    }

    #[test]
    fn newer_than_the_driver() {
        for (nvcc, driver, state) in [
            ((12, 4), (12, 4), State::Ok),
            ((12, 9), (13, 0), State::Ok),
            ((13, 1), (13, 0), State::Warning),
            ((13, 0), (12, 9), State::Broken),
        ] {
            let check = against_driver(nvcc, driver);
            assert_eq!(check.state, state, "{nvcc:?} {driver:?}");
            assert_eq!(check.help.is_some(), state != State::Ok);
        }
    }
}
