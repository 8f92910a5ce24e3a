//! `hirace check`.

use std::path::Path;

use super::chosen;
use super::run::{options, run_and_report, scheduled};
use crate::cli::check::Check;
use crate::exit::Exit;
use hirace_check::Checked;
use hirace_instrument::rewrite::Skip;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};

pub(super) fn run(arguments: &Check) -> Result<Exit> {
    let backend = chosen(arguments.backend);
    let first = arguments.files.first().map_or(Path::new("."), |file| file);
    run_and_report(&arguments.run, Some(backend), first, |config, control| {
        let mut compiler = arguments.cc_arg.clone();
        if let Some(lanes) = arguments.warp_size {
            if backend == Backend::Gpu {
                return Err(Error::Input {
                    message: "`--warp-size` needs the CPU executor: a GPU's warps have 32 lanes"
                        .to_owned(),
                    help: Some("add `--backend cpu`".to_owned()),
                });
            }
            compiler.push(format!("-DHIRACE_WARP_SIZE={lanes}"));
        }
        let mut config = config.clone();
        if arguments.check_all {
            config.skip = Skip::NOTHING;
        }
        config.cache.enabled &= !arguments.no_cache;
        let program = hirace_check::build(&arguments.files, backend, &compiler, &config)?;
        let options = options(&arguments.run, &arguments.args, &config, control);
        let report = scheduled(&arguments.run, &config, &options, |options| {
            program.run(&config, options)
        })?;
        Ok(Checked {
            report,
            texts: program.texts().clone(),
        })
    })
}
