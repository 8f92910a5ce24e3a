//! `hirace check`.

use std::path::Path;

use super::chosen;
use super::run::{options, run_and_report, scheduled};
use crate::cli::BackendChoice;
use crate::cli::check::Check;
use crate::exit::Exit;
use hirace_check::Checked;
use hirace_instrument::rewrite::Skip;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};

/// The PTX file and its launch file, if the program is PTX.
fn ptx(arguments: &Check) -> Result<Option<(&Path, &Path)>> {
    let is_ptx = |file: &&std::path::PathBuf| file.extension().is_some_and(|it| it == "ptx");
    let input = |message: &str, help: &str| {
        Err(Error::Input {
            message: message.to_owned(),
            help: Some(help.to_owned()),
        })
    };
    match (arguments.files.iter().find(is_ptx), &arguments.launch) {
        (None, None) => Ok(None),
        (None, Some(_)) => input("`--launch` is for a PTX file", "give a file `NAME.ptx`"),
        (Some(_), None) => input(
            "a PTX file has no host code to launch its kernels",
            "describe the launches in a file, and add `--launch FILE`; docs/ptx.md says how",
        ),
        (Some(_), Some(_)) if arguments.files.len() > 1 => input(
            "a PTX file is checked alone",
            "give one PTX file and no other",
        ),
        (Some(_), Some(_)) if matches!(arguments.backend, BackendChoice::Gpu) => input(
            "PTX files run on the CPU executor only",
            "omit `--backend gpu`",
        ),
        (Some(_), Some(_)) if !arguments.args.is_empty() => input(
            "a PTX file's program has no arguments",
            "the launch file gives the kernels' arguments",
        ),
        (Some(file), Some(launch)) => Ok(Some((file, launch))),
    }
}

pub(super) fn run(arguments: &Check) -> Result<Exit> {
    let backend = match arguments.launch {
        Some(_) => Backend::Cpu,
        None => chosen(arguments.backend),
    };
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
        let program = match ptx(arguments)? {
            Some((file, launch)) => hirace_check::build_ptx(file, launch, &compiler, &config)?,
            None => hirace_check::build(&arguments.files, backend, &compiler, &config)?,
        };
        let options = options(&arguments.run, &arguments.args, &config, control);
        let mut report = scheduled(&arguments.run, &config, &options, |options| {
            program.run(&config, options)
        })?;
        hirace_fix::complete_help(&mut report, &program.texts(), Some(&compiler));
        Ok(Checked {
            report,
            texts: program.texts(),
        })
    })
}
