//! Whether kernels with barriers of their own become coroutines (`device/hirace/executor/scheduler/regions.h`).

use std::ffi::OsString;
use std::path::Path;

use super::ask::gcc_version;

/// Makes them coroutines.
const WANTED: &str = "-DHIRACE_REGIONS";

/// The opposite, as the last option.
pub(super) const NONE: &str = "-UHIRACE_REGIONS";

/// The first version of GCC whose coroutines can be relied on; it is the only compiler that has them in C++17.
const FIRST_VERSION: u32 = 11;

/// Options for a version of GCC; none for another compiler.
pub(super) fn options(gcc: Option<u32>) -> &'static [&'static str] {
    match gcc {
        Some(FIRST_VERSION..) => &["-fcoroutines", WANTED],
        _ => &[],
    }
}

/// Options for a compiler and the instrumented text of files that it compiles; none if they make no difference. With
/// them, the compiler may reject what is no mistake in a kernel: then it is called again without.
pub fn coroutines<'t>(
    compiler: &Path,
    mut texts: impl Iterator<Item = &'t [u8]>,
) -> &'static [&'static str] {
    match texts.any(may_become) {
        true => options(gcc_version(compiler, &[])),
        false => &[],
    }
}

/// Whether kernels of a translation unit become coroutines with these options.
pub(super) fn are_in(unit: &Path, options: &[OsString]) -> bool {
    let text = std::fs::read(unit).ok();
    let text = text.filter(|_| options.iter().any(|it| it == WANTED));
    text.is_some_and(|it| may_become(&it))
}

fn may_become(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).contains("HIRACE_BEGIN_REGIONS")
}
