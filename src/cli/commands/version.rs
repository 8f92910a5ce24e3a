//! `hirace --version`: what a bug report needs.

use hirace_model::Backend;
use hirace_model::error::Result;
use hirace_report::{SCHEMA, SCHEMA_VERSION};
use hirace_toolchain::plain;

/// Prints the version with the commit, the compilers and the schema of reports.
pub(super) fn print() -> Result<()> {
    let compiler = |backend| {
        let text = plain::version(backend).unwrap_or_default();
        let line = match backend {
            Backend::Cpu => text.lines().next(),
            Backend::Gpu => text.lines().find(|line| line.contains("release")),
        };
        line.unwrap_or("none").trim().to_owned()
    };
    hirace_terminal::print(&format!(
        "hirace {} ({})\nC++ compiler: {}\nCUDA compiler: {}\nreports: {SCHEMA}, version {SCHEMA_VERSION}\n",
        env!("CARGO_PKG_VERSION"),
        option_env!("HIRACE_COMMIT").unwrap_or("no commit is known"),
        compiler(Backend::Cpu),
        compiler(Backend::Gpu),
    ))
}
