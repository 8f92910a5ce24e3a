//! Generated files that are committed: from the specification of the state machine and the layouts
//! that C++ and Rust share, the table of contents of the rule pages, and the instructions of PTX.

use std::fs;

use anyhow::{Context, Result, bail};
use hirace::model::wire::cpp;
use hirace_fsm::emit::cuda;

use crate::document::with_section;

const FSM_TABLE: &str = "device/hirace/generated/fsm_table.h";
const WIRE: &str = "device/hirace/generated/wire.h";
const RULES: &str = "docs/rules/README.md";
const PTX: &str = "docs/ptx.md";

/// The content of each generated file, by its path from the root.
fn outputs() -> Result<[(&'static str, String); 4]> {
    let instructions = hirace::rewrite::ptx::table::document();
    Ok([
        (FSM_TABLE, cuda::header()),
        (WIRE, cpp::header()),
        (RULES, hirace::explain::index()),
        (PTX, with_section(PTX, "instructions", &instructions)?),
    ])
}

/// The generated files that are out of date.
fn outdated() -> Result<Vec<(&'static str, String)>> {
    let is_current = |name: &str, text: &String| {
        fs::read_to_string(crate::root().join(name)).ok().as_ref() == Some(text)
    };
    let mut all = Vec::from(outputs()?);
    all.retain(|(name, text)| !is_current(name, text));
    Ok(all)
}

/// Writes every generated file that is out of date.
pub fn write() -> Result<()> {
    for (name, text) in outdated()? {
        fs::write(crate::root().join(name), text)
            .with_context(|| format!("failed to write {name}"))?;
        println!("wrote {name}");
    }
    Ok(())
}

/// Fails and names the files if any differ from the output of [`write`].
pub fn check() -> Result<()> {
    let names: Vec<&str> = outdated()?.into_iter().map(|(name, _)| name).collect();
    if !names.is_empty() {
        bail!(
            "out of date: {}; run `cargo xtask codegen` to update",
            names.join(", ")
        );
    }
    println!("the generated files are up to date");
    Ok(())
}
