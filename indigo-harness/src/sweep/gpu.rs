//! Whether tools that need a GPU can run here, or can only compile.

use hirace::model::Backend;
use hirace::toolchain::{gpu, plain};

use super::execute;
use super::tool::Tool;
use crate::error::{Error, Result};

/// The availability of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gpu {
    /// Programs can be run.
    Here,
    /// Programs can only be compiled.
    Absent,
}

impl Gpu {
    /// Determines whether the requirements of `tools` are met.
    pub fn find(tools: &[Tool]) -> Result<Self> {
        let wanted: Vec<Tool> = tools
            .iter()
            .copied()
            .filter(|tool| tool.form().backend() == Backend::Gpu)
            .collect();
        let here = gpu::available();
        if let Some(tool) = wanted.first() {
            if gpu::nvcc().is_none() {
                return Err(Error::Usage(format!(
                    "{tool} needs nvcc; install the CUDA toolkit, or name its compiler in NVCC"
                )));
            }
            plain::version(Backend::Gpu)?;
        }
        if here && wanted.contains(&Tool::Racecheck) && gpu::on_path(execute::SANITIZER).is_none() {
            return Err(Error::Usage(format!(
                "racecheck needs {}, which comes with the CUDA toolkit",
                execute::SANITIZER
            )));
        }
        Ok(if here { Self::Here } else { Self::Absent })
    }
}
