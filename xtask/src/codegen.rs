//! Files that are generated and committed: from the specification of the state machine, from the
//! layouts that C++ and Rust share, and the table of contents of the pages behind the codes.

use std::fs;

use anyhow::{Context, Result, bail};
use hirace::model::wire::cpp;
use hirace_fsm::emit::{cuda, murphi};
use hirace_fsm::{Masks, Table};

const FSM_TABLE: &str = "device/hirace/generated/fsm_table.h";
const WIRE: &str = "device/hirace/generated/wire.h";
const MURPHI_ANALYSIS: &str = "murphi/analysis.m";
const RULES: &str = "docs/rules/README.md";

/// What each generated file must hold, by its path from the root.
fn outputs() -> Vec<(&'static str, String)> {
    let table = Table::EXACT;
    vec![
        (FSM_TABLE, cuda::header()),
        (WIRE, cpp::header()),
        (
            MURPHI_ANALYSIS,
            murphi::analysis(&table, &Masks::of(&table)),
        ),
        (RULES, hirace::explain::index()),
    ]
}

/// Writes every generated file.
pub fn write() -> Result<()> {
    for (name, text) in outputs() {
        let path = crate::root().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, text).with_context(|| format!("failed to write {name}"))?;
        println!("wrote {name}");
    }
    Ok(())
}

/// Fails, naming the files, when one differs from what [`write`] would write.
pub fn check() -> Result<()> {
    let stale: Vec<_> = outputs()
        .into_iter()
        .filter(|(name, text)| {
            fs::read_to_string(crate::root().join(name)).ok().as_ref() != Some(text)
        })
        .map(|(name, _)| name)
        .collect();
    if !stale.is_empty() {
        bail!(
            "out of date: {}; `cargo xtask codegen` writes it anew",
            stale.join(", ")
        );
    }
    println!("the generated files are up to date");
    Ok(())
}
