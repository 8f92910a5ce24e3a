//! Embeds the device headers, so that an installed `hirace` needs no files beside it.
//!
//! `include_dir` would do it too, but does not notice new files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default())
        .join("../../device/hirace");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    list(&root, &mut files)?;
    files.sort();
    let mut text = String::from("static EMBEDDED: &[(&str, &str)] = &[\n");
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file);
        writeln!(text, "    ({name:?}, include_str!({file:?})),").map_err(io::Error::other)?;
    }
    text.push_str("];\n");
    let output = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(output.join("headers.rs"), text)
}

fn list(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            list(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}
