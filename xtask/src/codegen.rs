//! Generated files that are committed: from the specification of the state machine and the layouts
//! that C++ and Rust share, headers that only forward, and the table of contents of the rule pages.

mod toolkit;

use std::fs;

use anyhow::{Context, Result, bail};
use hirace::model::wire::cpp;
use hirace_fsm::emit::{cuda, murphi};
use hirace_fsm::{Masks, Table};

const FSM_TABLE: &str = "device/hirace/generated/fsm_table.h";
const WIRE: &str = "device/hirace/generated/wire.h";
const MURPHI_ANALYSIS: &str = "murphi/analysis.m";
const RULES: &str = "docs/rules/README.md";

/// The content of each generated file, by its path from the root.
fn outputs() -> Result<Vec<(String, String)>> {
    let table = Table::EXACT;
    let mut outputs = toolkit::headers()?;
    outputs.extend([
        (FSM_TABLE.to_owned(), cuda::header()),
        (WIRE.to_owned(), cpp::header()),
        (
            MURPHI_ANALYSIS.to_owned(),
            murphi::analysis(&table, &Masks::of(&table)),
        ),
        (RULES.to_owned(), hirace::explain::index()),
    ]);
    Ok(outputs)
}

/// Generated files that nothing generates any more.
fn stale(outputs: &[(String, String)]) -> Result<Vec<String>> {
    let names: Vec<String> = outputs.iter().map(|(name, _)| name.clone()).collect();
    toolkit::stale(&names)
}

/// Writes every generated file that is out of date, and removes those that are no longer generated.
pub fn write() -> Result<()> {
    let outputs = outputs()?;
    for (name, text) in &outputs {
        let path = crate::root().join(name);
        if fs::read_to_string(&path).ok().as_ref() == Some(text) {
            continue;
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, text).with_context(|| format!("failed to write {name}"))?;
        println!("wrote {name}");
    }
    for name in stale(&outputs)? {
        fs::remove_file(crate::root().join(&name))?;
        println!("removed {name}");
    }
    Ok(())
}

/// Fails and names the files if any differ from the output of [`write`].
pub fn check() -> Result<()> {
    let outputs = outputs()?;
    let mut differing = stale(&outputs)?;
    differing.extend(
        outputs
            .into_iter()
            .filter(|(name, text)| {
                fs::read_to_string(crate::root().join(name)).ok().as_ref() != Some(text)
            })
            .map(|(name, _)| name),
    );
    if !differing.is_empty() {
        bail!(
            "out of date: {}; run `cargo xtask codegen` to update",
            differing.join(", ")
        );
    }
    println!("the generated files are up to date");
    Ok(())
}
