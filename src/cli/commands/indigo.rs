//! `hirace indigo`: the harness, which is a separate program.

use std::ffi::OsString;
use std::path::PathBuf;

use hirace_model::error::Error;
use hirace_toolchain::{Call, gpu};

const NAME: &str = "hirace-indigo";

/// Replaces this process with the harness in the directory of this program or, failing that, on the
/// path. Returns only if there is no harness.
pub(super) fn run(arguments: Vec<OsString>) -> Error {
    let program = beside()
        .or_else(|| gpu::on_path(NAME))
        .unwrap_or_else(|| NAME.into());
    let call = Call {
        program: program.into(),
        arguments,
        environment: Vec::new(),
    };
    match call.replace() {
        Error::Toolchain { name, source, .. } => Error::Toolchain {
            what: "harness",
            name,
            source,
            help: "it is a separate package: run `cargo install --path indigo-harness` in \
                   hirace's sources",
        },
        other => other,
    }
}

fn beside() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let harness = own.with_file_name(NAME);
    harness.is_file().then_some(harness)
}
