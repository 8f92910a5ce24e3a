//! `hirace build`: a build system's own command, with hirace in front of its compilers.

use std::ffi::OsString;
use std::process::ExitCode;

use super::{BACKEND, CHECK_ALL, status, toolkit};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_toolchain::Call;

/// Runs `command` where `nvcc` and the C++ compilers are hirace's wrappers; without a GPU,
/// where the toolkit is hirace's, too. With `check_all`, no access goes without a check.
///
/// # Errors
/// The wrappers cannot be made, or the command cannot be started.
pub fn run(command: &[OsString], backend: Backend, check_all: bool) -> Result<ExitCode> {
    let Some((program, arguments)) = command.split_first() else {
        return Ok(ExitCode::FAILURE);
    };
    let toolkit = toolkit::make()?;
    let bin = toolkit.join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        [bin.clone()]
            .into_iter()
            .chain(std::env::split_paths(&path)),
    )
    .map_err(|error| Error::Input {
        message: format!("PATH cannot hold `{}`: {error}", bin.display()),
        help: Some("name another directory in HIRACE_CACHE".to_owned()),
    })?;
    let mut environment = vec![("PATH", path), ("NVCC", bin.join("nvcc").into())];
    let name = match backend {
        Backend::Cpu => {
            for variable in ["CUDA_PATH", "CUDA_HOME", "CUDAToolkit_ROOT"] {
                environment.push((variable, toolkit.clone().into()));
            }
            environment.push(("CUDACXX", bin.join("nvcc").into()));
            // A compiler that the user named keeps its place behind the wrapper.
            let cxx = match std::env::var_os("CXX").filter(|value| !value.is_empty()) {
                Some(named) => toolkit::in_front(&named)?,
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
    let call = Call {
        program: program.clone(),
        arguments: arguments.to_vec(),
        environment,
    };
    Ok(status(call.run()?))
}
