//! `hirace --version`: what a bug report needs.

use std::fs;
use std::path::Path;

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
        option_env!("HIRACE_COMMIT").map_or_else(checked_out, str::to_owned),
        compiler(Backend::Cpu),
        compiler(Backend::Gpu),
    ))
}

/// The commit that the checkout of a debug build is at. It is read now, and may be a later one: if it was compiled in, each commit would
/// compile the program again.
fn checked_out() -> String {
    let git = Path::new(env!("CARGO_MANIFEST_DIR")).join(".git");
    let read = |name: &str| fs::read_to_string(git.join(name)).ok();
    let commit = || {
        let head = read("HEAD")?;
        let Some(branch) = head.trim().strip_prefix("ref: ") else {
            return Some(head);
        };
        let packed = || {
            let all = read("packed-refs")?;
            let line = all.lines().find(|it| it.ends_with(&format!(" {branch}")))?;
            Some(line.to_owned())
        };
        read(branch).or_else(packed)
    };
    match commit().filter(|_| cfg!(debug_assertions)) {
        Some(commit) => format!(
            "debug build; its checkout is at {} now",
            commit.get(..8).unwrap_or(&commit)
        ),
        None => "no commit is known".to_owned(),
    }
}
