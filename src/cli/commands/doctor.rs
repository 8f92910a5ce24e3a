//! `hirace doctor`.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::cli::TextFormat;
use crate::cli::doctor::Doctor;
use crate::exit::Exit;
use hirace_doctor::Options;
use hirace_model::Backend;
use hirace_model::error::Result;
use hirace_terminal::{print, tell};
use hirace_toolchain::cache::Cache;
use hirace_toolchain::{gpu, interrupt};

pub(super) fn run(arguments: &Doctor) -> Result<Exit> {
    let backend = match arguments.backend {
        Some(backend) => backend.into(),
        None if arguments.self_test => Backend::Gpu,
        None => Backend::Cpu,
    };
    if arguments.clear_cache {
        Cache::of_user()?.clear()?;
    }
    let diagnosis = hirace_doctor::diagnose(Options {
        backend,
        quick: arguments.quick,
        self_test: (arguments.self_test).then(|| arguments.seed.unwrap_or_else(new_seed)),
    });
    // An interrupted diagnosis is incomplete and must not be printed.
    interrupt::check()?;
    print(&match arguments.format {
        TextFormat::Human => hirace_doctor::render(&diagnosis),
        TextFormat::Json => hirace_doctor::json(&diagnosis),
    })?;
    if let (Some(test), Backend::Gpu) = (&diagnosis.self_test, backend) {
        gpu::remember_self_test(test.outcome.works)?;
    }
    if arguments.self_test && diagnosis.self_test.is_none() {
        tell(match backend {
            Backend::Cpu => "hirace: self-test not run: the CPU backend does not work\n",
            Backend::Gpu => {
                "hirace: self-test not run: the GPU backend does not work; --backend cpu tests \
                 the same code as C++\n"
            }
        });
    }
    Ok(if diagnosis.works {
        Exit::Clean
    } else {
        Exit::CouldNotCheck
    })
}

/// A number that is unlikely to repeat in the next run, and short enough to retype.
fn new_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |it| u64::from(it.subsec_nanos()))
}
