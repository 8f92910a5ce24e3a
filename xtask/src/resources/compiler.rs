//! Compiles the kernels, and reads the results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{ARCHITECTURES, BUDGETS, FastPath, Kernel, NO_SHORTCUT, cubin, ptxas};
use crate::compile::Inputs;
use crate::gpu::KERNELS;
use crate::nvcc::Nvcc;
use crate::{files, parallel, process};

/// nvcc and its directories.
pub(super) struct Compiler<'a> {
    pub(super) nvcc: &'a Nvcc,
    /// The same as `hirace nvcc` calls it.
    pub(super) wrapped: Nvcc,
    /// hirace's headers.
    pub(super) include: PathBuf,
    /// All inputs of the benchmarks' compilations.
    pub(super) inputs: Inputs,
    /// The directory for compiled files and cached results.
    pub(super) out: PathBuf,
}

impl Compiler<'_> {
    /// The ptxas numbers of every kernel, compiled on two cores or more.
    pub(super) fn kernels(&self, bench: &Path) -> Result<Vec<Kernel>> {
        let jobs = ARCHITECTURES
            .into_iter()
            .flat_map(|architecture| KERNELS.iter().map(move |it| (it.name, architecture)));
        let kernels = parallel::map(jobs.collect(), |(name, architecture)| {
            let usage = |side: &str, nvcc: &Nvcc, options: &[&str]| {
                let unit = bench.join(side).join(format!("{name}.cu"));
                ptxas::usage_of(&self.messages(nvcc, &unit, architecture, options)?, name)
                    .with_context(|| format!("{}, {architecture}", unit.display()))
            };
            let checked = |options: &[&str]| {
                let options = [&[hirace::toolchain::gpu::MAX_REGISTERS], options].concat();
                usage("hirace", &self.wrapped, &options)
            };
            Ok(Kernel {
                name,
                architecture,
                plain: usage("plain", self.nvcc, &[])?,
                checked: checked(&[])?,
                without_shortcut: checked(&[NO_SHORTCUT])?,
            })
        });
        kernels.into_iter().collect()
    }

    /// The ptxas messages for a file; cached while its inputs are unchanged.
    fn messages(
        &self,
        nvcc: &Nvcc,
        unit: &Path,
        architecture: &str,
        options: &[&str],
    ) -> Result<String> {
        let mut command = self.command(nvcc, unit, architecture);
        command.args(options).args(["-Xptxas", "-v"]);
        let known = self
            .out
            .join(format!("{:016x}.txt", self.inputs.key(&command)));
        if let Ok(text) = fs::read_to_string(&known) {
            return Ok(text);
        }
        let binary = known.with_extension("cubin");
        let text = process::output(command.arg("-o").arg(&binary))?;
        files::write(&known, &text)?;
        Ok(text)
    }

    pub(super) fn fast_paths(&self) -> Result<Vec<FastPath>> {
        let mut paths = Vec::new();
        for architecture in ARCHITECTURES {
            let bytes = self.single_reads(architecture, &[])?;
            for (space, budget) in BUDGETS {
                paths.push(FastPath {
                    space,
                    architecture,
                    plain: cubin::instructions(&bytes, &format!("plain_{space}"))?.own,
                    checked: cubin::instructions(&bytes, &format!("checked_{space}"))?.own,
                    budget,
                });
            }
        }
        Ok(paths)
    }

    /// The kernels that perform one read each, as a binary.
    pub(super) fn single_reads(&self, architecture: &str, macros: &[&str]) -> Result<Vec<u8>> {
        let unit = crate::root().join("xtask/gpu/fast_path.cu");
        let binary = self.out.join(format!("fast_path.{architecture}.cubin"));
        let mut command = self.command(&self.wrapped, &unit, architecture);
        command.arg(hirace::toolchain::gpu::MAX_REGISTERS);
        process::output(command.args(macros).arg("-o").arg(&binary))?;
        files::read(&binary)
    }

    fn command(&self, nvcc: &Nvcc, unit: &Path, architecture: &str) -> Command {
        let mut command = nvcc.command_for(architecture);
        command.args(["-O2", "-cubin", "-I"]).arg(&self.include);
        command.arg(unit);
        command
    }
}

/// All inputs of the benchmarks' compilations.
pub(super) fn inputs(nvcc: &Nvcc, bench: &Path) -> Result<Inputs> {
    let mut inputs = Inputs::default();
    inputs.text(&nvcc.version);
    for file in files::below(bench)? {
        inputs.file(&file)?;
    }
    Ok(inputs)
}
