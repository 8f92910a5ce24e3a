//! What an object that a compiler wrote contains.

use std::io::Read as _;
use std::path::Path;

/// Whether an object refers to hirace's runtime; `None` if that cannot be determined.
pub(super) fn needs_runtime(object: &Path) -> Option<bool> {
    if !object.is_file() {
        return Some(false);
    }
    let mut bytes = Vec::new();
    let mut file = std::fs::File::open(object).ok()?;
    file.read_to_end(&mut bytes).ok()?;
    let is_elf = bytes.starts_with(b"\x7fELF");
    // A mangled name in the namespace `hirace`, or a call by which host code reports an access.
    let named = || {
        let mut names = bytes.windows(8);
        names.any(|it| it == b"N6hirace" || it == b"__tsan_i")
    };
    is_elf.then(named)
}
