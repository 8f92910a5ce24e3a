//! `hirace module`: for programs that load PTX, or compile CUDA C++, while they run.

use std::path::Path;

use crate::cli::Module;
use crate::exit::Exit;
use hirace_check::modules::{self, Source};
use hirace_config::Config;
use hirace_model::error::{Error, Result};
use hirace_terminal::print;

/// Prints the path of the library that a module was compiled to.
pub(super) fn run(arguments: &Module) -> Result<Exit> {
    let named = std::env::var_os("HIRACE_CONFIG").filter(|it| !it.is_empty());
    let config = Config::load(named.as_deref().map(Path::new), &arguments.file)?;
    let library = match arguments.source {
        true => modules::of_source(&source(arguments)?, &config)?,
        false => modules::of_ptx(&arguments.file, arguments.keep, &config)?,
    };
    print(&format!("{}\n", library.display()))?;
    Ok(Exit::Clean)
}

/// The program and its headers in a file: the size of each text comes before it, with the name of a header.
fn source(arguments: &Module) -> Result<Source> {
    let file = &arguments.file;
    let whole = std::fs::read_to_string(file).map_err(|source| Error::read(file, source))?;
    let mut parts = parts(&whole).ok_or_else(|| Error::Input {
        message: format!("`{}` is damaged", file.display()),
        help: None,
    })?;
    let (_, text) = parts.remove(0);
    Ok(Source {
        name: arguments.name.clone(),
        text,
        headers: parts,
        expressions: arguments.expression.clone(),
        options: arguments.options.clone(),
    })
}

/// Names and texts, of which there is at least one.
fn parts(whole: &str) -> Option<Vec<(String, String)>> {
    let mut parts = Vec::new();
    let mut rest = whole;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n')?;
        let (size, name) = line.split_once(' ').unwrap_or((line, ""));
        let size: usize = size.parse().ok()?;
        parts.push((name.to_owned(), after.get(..size)?.to_owned()));
        rest = &after[size..];
    }
    (!parts.is_empty()).then_some(parts)
}
