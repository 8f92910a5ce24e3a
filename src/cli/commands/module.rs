//! `hirace module`: for programs that load PTX while they run.

use std::path::Path;

use crate::cli::Module;
use crate::exit::Exit;
use hirace_check::modules;
use hirace_config::Config;
use hirace_model::error::Result;
use hirace_terminal::print;

/// Prints the path of the library that a module was compiled to.
pub(super) fn run(arguments: &Module) -> Result<Exit> {
    let named = std::env::var_os("HIRACE_CONFIG").filter(|it| !it.is_empty());
    let config = Config::load(named.as_deref().map(Path::new), &arguments.file)?;
    let library = modules::of_ptx(&arguments.file, arguments.keep, &config)?;
    print(&format!("{}\n", library.display()))?;
    Ok(Exit::Clean)
}
