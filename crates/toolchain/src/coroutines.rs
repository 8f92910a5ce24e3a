//! Whether kernels with barriers of their own become coroutines (`device/hirace/executor/scheduler/regions.h`).

use std::ffi::OsString;
use std::path::Path;

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

/// Whether kernels of a translation unit become coroutines with these options.
pub(super) fn are_in(unit: &Path, options: &[OsString]) -> bool {
    let text = std::fs::read(unit).ok();
    let text = text.filter(|_| options.iter().any(|it| it == WANTED));
    text.is_some_and(|it| String::from_utf8_lossy(&it).contains("HIRACE_BEGIN_REGIONS"))
}
