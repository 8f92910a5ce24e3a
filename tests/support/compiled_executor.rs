//! What programs for the CPU executor are compiled and linked with.

use std::path::PathBuf;
use std::sync::OnceLock;

use hirace::toolchain::cache::Cache;
use hirace::toolchain::{self, Runtime};

/// Where to search for headers.
pub fn includes() -> [PathBuf; 2] {
    let device = xtask::device_headers().expect("device headers");
    [device.clone(), device.join("hirace/toolkit")]
}

/// The executor that all tests share, as an object file.
pub fn runtime() -> PathBuf {
    static OBJECT: OnceLock<PathBuf> = OnceLock::new();
    let find = || {
        let cache = Cache::of_user().expect("the cache");
        let (compiler, leading) = toolchain::cxx().expect("a C++ compiler");
        let runtime = Runtime::find(&compiler, &leading, &cache, &includes(), &[]);
        let runtime = runtime.expect("no interrupt");
        runtime.expect("the executor compiles").object()
    };
    OBJECT.get_or_init(find).clone()
}
