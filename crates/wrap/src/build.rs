//! `hirace build`: runs a build system's command with hirace's compiler wrappers.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use super::{BACKEND, CHECK_ALL, Family, NVCC_HELP, no_compiler, status, toolkit};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_toolchain::Call;

/// The architectures that PyTorch compiles extensions for.
const PYTORCH_TARGETS: &str = "TORCH_CUDA_ARCH_LIST";

/// Runs `command` with hirace's wrappers on the path as `nvcc` and the C++ compilers; for the CPU,
/// with hirace's toolkit too. With `check_all`, every access is checked.
///
/// # Errors
/// The wrappers cannot be written, there is no nvcc for the GPU, or the command cannot be started.
pub fn run(command: &[OsString], backend: Backend, check_all: bool) -> Result<ExitCode> {
    Ok(status(call(command, backend, check_all)?.run()?))
}

/// The command of [`run`], with the environment in which it uses the wrappers. The command is not empty.
///
/// # Errors
/// The wrappers cannot be written, or there is no nvcc for the GPU.
pub fn call(command: &[OsString], backend: Backend, check_all: bool) -> Result<Call> {
    let (program, arguments) = command.split_first().expect("the command is not empty");
    let named = named_nvcc();
    if backend == Backend::Gpu && named.is_none() && toolkit::unwrapped("nvcc").is_none() {
        // Many build systems would hide what the wrapper says.
        return Err(no_compiler(Family::Nvcc, "nvcc".as_ref(), NVCC_HELP));
    }
    let toolkit = toolkit::make()?;
    let bin = toolkit.join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        [bin.clone()]
            .into_iter()
            .chain(std::env::split_paths(&path))
            .chain(named),
    )
    .map_err(|error| Error::Input {
        message: format!("PATH cannot contain `{}`: {error}", bin.display()),
        help: Some("name another directory in HIRACE_CACHE".to_owned()),
    })?;
    let mut environment = vec![("PATH", path), ("NVCC", bin.join("nvcc").into())];
    let name = match backend {
        Backend::Cpu => {
            for variable in ["CUDA_PATH", "CUDA_HOME", "CUDAToolkit_ROOT"] {
                environment.push((variable, toolkit.clone().into()));
            }
            environment.push(("CUDACXX", bin.join("nvcc").into()));
            // PyTorch builds extensions for the GPUs that it finds, and fails if there are none.
            if std::env::var_os(PYTORCH_TARGETS).is_none_or(|it| it.is_empty()) {
                environment.push((PYTORCH_TARGETS, "9.0".into()));
            }
            // The wrapper calls the compiler that the user named.
            let cxx = match std::env::var_os("CXX").filter(|value| !value.is_empty()) {
                Some(named) => toolkit::wrapping(&named)?,
                None => bin.join("c++").into(),
            };
            environment.push(("CXX", cxx));
            "cpu"
        }
        Backend::Gpu => "gpu",
    };
    environment.push((BACKEND, name.into()));
    if check_all {
        environment.push((CHECK_ALL, "1".into()));
    }
    Ok(Call {
        program: program.clone(),
        arguments: arguments.to_vec(),
        environment,
    })
}

/// The directory of the nvcc that the user names in NVCC, if there is none on the path: the wrapper takes
/// over that variable.
fn named_nvcc() -> Option<PathBuf> {
    let named = PathBuf::from(std::env::var_os("NVCC")?);
    let is_nvcc = named.file_name().is_some_and(|it| it == "nvcc") && named.is_file();
    let is_needed = is_nvcc && toolkit::unwrapped("nvcc").is_none() && !toolkit::is_shim(&named);
    let path = is_needed.then(|| std::path::absolute(&named).ok())?;
    Some(path?.parent()?.to_owned())
}
