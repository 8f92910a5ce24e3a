//! Recognises the files with which build systems test a compiler; they are not instrumented.

use std::path::{Component, Path};

/// Whether an input is one of CMake's own: a file that identifies the compiler, or one of
/// `try_compile`.
pub(super) fn is_probe(input: &str) -> bool {
    let path = Path::new(input);
    let name = path.file_name().and_then(|name| name.to_str());
    if name.is_some_and(|name| name.starts_with("CMakeCUDACompiler")) {
        return true;
    }
    // CMake works in its scratch directory; sources may be elsewhere.
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    is_scratch(&absolute) || std::env::current_dir().is_ok_and(|directory| is_scratch(&directory))
}

fn is_scratch(path: &Path) -> bool {
    let names: Vec<&str> = path
        .components()
        .filter_map(|component| match component {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    names.windows(2).any(|pair| {
        // Also `CMakeFiles/4.1.0/CompilerIdCUDA`. Other directories contain files that the project
        // itself generates, such as unity sources.
        pair[0] == "CMakeFiles"
            && (["CMakeTmp", "CMakeScratch", "ShowIncludes"].contains(&pair[1])
                || pair[1].starts_with(|it: char| it.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_directories() {
        for (path, expect) in [
            (
                "/b/CMakeFiles/4.1.0/CompilerIdCUDA/CMakeCUDACompilerId.cu",
                true,
            ),
            ("/b/CMakeFiles/CMakeScratch/TryCompile-x/src.cu", true),
            ("/b/CMakeFiles/app.dir/Unity/unity_0_cu.cu", false),
            ("/p/src/a.cu", false),
        ] {
            assert_eq!(is_probe(path), expect, "{path}");
        }
    }
}
