//! How `hirace nvcc` identifies itself without nvcc: enough for build systems to recognise a CUDA
//! compiler and find its toolkit.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::items::{Items, Meaning, Stage};
use super::toolkit;
use hirace_model::error::{Error, Result};
use hirace_toolchain::cxx;

/// An input that is not a file: CMake uses it to find the toolkit.
pub(super) const PROBE: &str = "__cmake_determine_cuda";

/// The version that `cuda/compiler_identity.h` defines in macros.
const RELEASE: &str = "12.8";

/// Names another version for `nvcc --version`: PyTorch builds extensions only with the version of its own toolkit.
const VERSION: &str = "HIRACE_CUDA_VERSION";

/// The answer to `--version` and the like.
pub(super) fn answer(items: &Items) -> Result<Option<String>> {
    let query = items
        .0
        .iter()
        .find(|item| item.meaning == Meaning::Stage(Stage::Nothing));
    Ok(match query.map_or("", |it| &it.given[0]) {
        "-V" | "--version" => {
            let release = release()?;
            Some(format!(
                "nvcc: hirace {} in place of the Cuda compiler driver, for its CPU executor\n\
                 Cuda compilation tools, release {release}, V{release}.0\n",
                env!("CARGO_PKG_VERSION")
            ))
        }
        "-h" | "--help" => Some(
            "Accepts nvcc's options and compiles with the C++ compiler for hirace's CPU executor.\n\
             See docs/integration.md.\n"
                .to_owned(),
        ),
        "-arch-ls" | "--list-gpu-arch" => Some("compute_90\n".to_owned()),
        "-code-ls" | "--list-gpu-code" => Some("sm_90\n".to_owned()),
        "-clean" | "--clean-targets" => Some(String::new()),
        _ => None,
    })
}

/// The version that `nvcc --version` prints.
fn release() -> Result<String> {
    let Some(named) = std::env::var_os(VERSION).filter(|it| !it.is_empty()) else {
        return Ok(RELEASE.to_owned());
    };
    let named = named.to_string_lossy();
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|digit| digit.is_ascii_digit());
    match named.split_once('.') {
        Some((major, minor)) if is_number(major) && is_number(minor) => Ok(named.into_owned()),
        _ => Err(Error::Input {
            message: format!("{VERSION} is `{named}`, which is not the version of a CUDA toolkit"),
            help: Some(format!("a version has two numbers, as in {VERSION}=13.2")),
        }),
    }
}

/// Prints the lines of `nvcc -v` that build systems read.
pub(super) fn describe(compiler: &Path) -> Result<()> {
    let top = toolkit::make()?;
    let top = top.display();
    let mut text = String::new();
    let path = std::env::var("PATH").unwrap_or_default();
    let libraries = format!("-L\"{top}/lib64\"");
    for (name, value) in [
        ("TOP", top.to_string()),
        ("NVVMIR_LIBRARY_DIR", format!("{top}/nvvm/libdevice")),
        ("PATH", format!("{top}/bin:{path}")),
        ("INCLUDES", format!("\"-I{top}/include\"")),
        ("LIBRARIES", libraries.clone()),
    ] {
        // Writing to a string does not fail.
        let _ = writeln!(text, "#$ {name}={value}");
    }
    // The default architecture, and how a program would be linked.
    let _ = writeln!(text, "#$ hirace -arch compute_90");
    let _ = writeln!(
        text,
        "#$ \"{}\" -o \"a.out\" {libraries} -lcudadevrt -lcudart_static",
        compiler.display()
    );
    hirace_terminal::tell(&text);
    Ok(())
}

/// The C++ compiler that the wrappers call.
pub(super) fn real_compiler() -> Result<PathBuf> {
    let found = ["g++", "c++", "clang++"]
        .into_iter()
        .find_map(toolkit::unwrapped);
    match found {
        Some(path) => Ok(path),
        None => cxx().map(|(program, _)| program),
    }
}
