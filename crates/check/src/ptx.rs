//! Programs in PTX.

use std::path::{Path, PathBuf};

use hirace_config::Config;
use hirace_instrument::tree::Role;
use hirace_instrument::{Copy, Instrumented};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::table::Tables;
use hirace_ptx::{Checks, Plan, Ptx};
use hirace_report::Input;
use hirace_terminal::progress;
use hirace_toolchain as toolchain;

use super::Program;
use super::build::{FIRST_BASE, arguments, finish};

/// The file in a program's directory with what it reads when it runs.
pub(super) const VALUES: &str = "launch-values";

/// Translates and compiles the PTX file `ptx` with the launches of the file `launch`, for the CPU
/// executor.
///
/// # Errors
/// A file has mistakes, or an instruction has no translation.
pub fn build_ptx(
    ptx: &Path,
    launch: &Path,
    compiler_arguments: &[String],
    config: &Config,
) -> Result<Program> {
    let ptx = Ptx::read(ptx)?;
    let plan = Plan::read(launch, &ptx)?;
    build_ptx_plan(&ptx, &plan, compiler_arguments, config)
}

/// The same for what was read, or put together without files.
///
/// # Errors
/// An instruction has no translation, or the compiler cannot be run.
pub fn build_ptx_plan(
    ptx: &Ptx,
    plan: &Plan,
    compiler_arguments: &[String],
    config: &Config,
) -> Result<Program> {
    let checks = Checks {
        monitor: &config.monitor,
        skip: config.skip,
    };
    let translated = hirace_ptx::translate(ptx, plan, checks, FIRST_BASE)?;
    let mut tables = Tables::default();
    for table in translated.tables {
        tables.add(table);
    }
    let instrumented = Instrumented {
        files: vec![Copy {
            path: PathBuf::from("program.cpp"),
            display: ptx.name(),
            role: Role::Named,
            bytes: translated.text.into_bytes(),
            instrumented: true,
        }],
        tables,
        kernels: translated.kernels,
        launches: translated.launches,
        device_functions: translated.device_functions,
        texts: translated.texts,
        ..Instrumented::default()
    };
    let arguments = arguments(Backend::Cpu, &with_options(compiler_arguments), config);
    let bar = progress::spinner("{spinner} compiling, {pos} of {len} done, {elapsed}");
    bar.set_length(1);
    let program = finish(instrumented, Backend::Cpu, &arguments, config, &bar);
    bar.finish_and_clear();
    let input = Input::Ptx;
    let places = translated.places;
    let program = program.map(|it| Program {
        input,
        places,
        ..it
    })?;
    let values = program.directory.path().join(VALUES);
    std::fs::write(&values, translated.values).map_err(|error| Error::write(&values, error))?;
    Ok(program)
}

/// The options for translated PTX, before those of the user: only `fma` is fused, as an instruction instead of a call
/// of the library if this machine has it. What GCC does beyond `-O1` takes a third of the time, and little of it makes
/// code faster that a compiler has optimised before (`cargo xtask bench --ptx`).
pub(super) fn with_options(compiler_arguments: &[String]) -> Vec<String> {
    let mut options = vec!["-ffp-contract=off".to_owned()];
    if toolchain::cxx().is_ok_and(|(program, leading)| toolchain::is_gcc(&program, &leading)) {
        options.extend(["-O1", "-fcaller-saves"].map(str::to_owned));
    }
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") {
        options.push("-mfma".to_owned());
    }
    options.extend(compiler_arguments.iter().cloned());
    options
}
