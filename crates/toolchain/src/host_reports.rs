//! Options that make host code report its accesses to memory.
//!
//! GCC then calls a function at each access, as for its own detector of races between threads
//! (`-fsanitize=thread`). The functions are the executor's (`host_reports.h`), and the
//! program is not linked with GCC's library: so these options are for compiling only, and are not
//! passed to a call that links.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use super::ask::is_gcc;

/// The last one but one because programs that know of GCC's detector would call its library.
const OPTIONS: [&str; 5] = [
    "-fsanitize=thread",
    "--param=tsan-instrument-func-entry-exit=0",
    "--param=tsan-distinguish-volatile=1",
    "-U__SANITIZE_THREAD__",
    "-DHIRACE_REPORTS_HOST",
];

/// The options for a compiler that is called with `options`; none if it does not have them, or if the
/// program has such options itself.
#[must_use]
pub fn options<'a>(
    program: &Path,
    leading: &[OsString],
    options: impl IntoIterator<Item = &'a str>,
) -> Option<Vec<OsString>> {
    let sanitized = |option: &str| option.starts_with("-fsanitize") || option == "-static-libtsan";
    if options.into_iter().any(sanitized) || !is_gcc(program, leading) {
        return None;
    }
    let accepted = Command::new(program)
        .args(leading)
        .args(OPTIONS)
        .args(["-fsyntax-only", "-x", "c++", "/dev/null"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    accepted.then(|| OPTIONS.map(OsString::from).to_vec())
}
