//! The two backends: what each needs, and whether it works.

use super::{Check, GpuOutcome, Outcome, State, driver, nvcc, tools, trial};
use crate::gpu::{self, Installed};
use hirace_model::Backend;

const CXX_HELP: &str = "Debian, Ubuntu: `apt install g++`; Fedora, RHEL: `dnf install gcc-c++`; \
    Arch: `pacman -S gcc`; or name a C++17 compiler in CXX";

/// Checks the CPU executor. `skip` gives a reason to compile nothing.
pub(super) fn cpu(skip: Option<&str>) -> Outcome {
    let compiler = compiler();
    let tried = if compiler.fails() {
        skipped("needs a C++ compiler")
    } else {
        skip.map_or_else(|| trial::run(Backend::Cpu), skipped)
    };
    Outcome::new(vec![compiler, tried])
}

fn compiler() -> Check {
    const NAME: &str = "C++ compiler";
    let Ok((program, leading)) = hirace_toolchain::cxx() else {
        return Check::new(
            NAME,
            State::Missing,
            "none of c++, g++ and clang++ is on the path",
        )
        .help(CXX_HELP);
    };
    tools::version(NAME, &program, &leading).unwrap_or_else(|check| check.help(CXX_HELP))
}

/// Checks nvcc, the driver and its GPUs. Also returns what the driver reported, if it reported
/// anything.
pub(super) fn gpu(skip: Option<&str>) -> (GpuOutcome, Option<Installed>) {
    let (nvcc_check, nvcc) = nvcc::look();
    let installed = gpu::installed();
    let mut checks = vec![nvcc_check];
    checks.extend(driver::look(&installed));
    let installed = installed.ok();
    if let (Some(nvcc), Some(installed)) = (&nvcc, &installed) {
        checks.push(nvcc::against_driver(nvcc.version, installed.cuda));
        checks.extend(nvcc.against_gpus(&installed.gpus));
    }
    checks.push(if checks.iter().any(Check::fails) {
        skipped("needs the items missing above")
    } else {
        skip.map_or_else(|| trial::run(Backend::Gpu), skipped)
    });
    let outcome = GpuOutcome {
        outcome: Outcome::new(checks),
        cuda: installed.as_ref().map(|it| it.cuda),
        gpus: installed.iter().flat_map(|it| it.gpus.clone()).collect(),
    };
    (outcome, installed)
}

fn skipped(why: &str) -> Check {
    Check::new(trial::NAME, State::Skipped, why)
}
