//! Embeds the device headers, so that an installed `hirace` needs no files beside it, and generates
//! those that `device/toolkit.txt` lists.
//!
//! `include_dir` could embed them too, but does not notice new files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let device =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("device");
    let (root, list) = (device.join("hirace"), device.join("toolkit.txt"));
    println!("cargo::rerun-if-changed={}", root.display());
    println!("cargo::rerun-if-changed={}", list.display());
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    let name = |file: &Path| {
        file.strip_prefix(&root)
            .unwrap_or(file)
            .display()
            .to_string()
    };
    // Names, and expressions for their text.
    let mut headers: Vec<(String, String)> = files
        .iter()
        .map(|file| (name(file), format!("include_str!({file:?})")))
        .collect();
    headers.sort();
    let generated = generate(&fs::read_to_string(list)?, &headers);
    headers.extend(
        generated
            .into_iter()
            .map(|(name, text)| (name, format!("{text:?}"))),
    );
    headers.sort();
    let mut text = String::from("static EMBEDDED: &[(&str, &str)] = &[\n");
    for (name, expression) in &headers {
        writeln!(text, "    ({name:?}, {expression}),").map_err(io::Error::other)?;
    }
    text.push_str("];\n");
    for pair in headers.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "two headers have this name");
    }
    let output = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(output.join("headers.rs"), text)
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// The headers of `list`, with their texts. `others` are those that exist as files.
fn generate(list: &str, others: &[(String, String)]) -> Vec<(String, String)> {
    let mut generated = Vec::new();
    for group in list.split("\n\n") {
        let (mut names, mut targets) = (Vec::new(), Vec::new());
        let (mut needs, mut library, mut advice) = (None, None, None);
        for line in group.lines().filter(|line| !line.starts_with('#')) {
            match line.split_once(": ") {
                Some(("headers", words)) => names.extend(words.split_whitespace()),
                Some(("include", words)) => targets.extend(words.split_whitespace()),
                Some(("needs", year)) => needs = Some(year),
                Some(("missing", text)) => library = Some(text),
                Some(("advice", text)) => advice = Some(text),
                _ => panic!("toolkit.txt: unexpected line: {line}"),
            }
        }
        for name in names {
            let code = match advice {
                Some(advice) => missing(name, library, advice),
                None => require_standard(name, needs) + &forward(name, &targets, others),
            };
            let text = format!(
                "// Generated from device/toolkit.txt; do not edit.\n#pragma once\n\n{code}"
            );
            generated.push((format!("toolkit/{name}"), text));
        }
    }
    generated
}

fn require_standard(name: &str, needs: Option<&str>) -> String {
    needs.map_or_else(String::new, |year| {
        format!(
            "#if __cplusplus < 20{year}02L\n\
             #error \"hirace: <{name}> needs C++{year} on the CPU executor: pass -std=c++{year}\"\n\
             #endif\n"
        )
    })
}

fn forward(name: &str, targets: &[&str], others: &[(String, String)]) -> String {
    let mut text = String::new();
    // From the header's directory to the one that the paths start in.
    let up = "../".repeat(1 + name.matches('/').count());
    for target in targets {
        if *target == "<>" {
            text += &format!("#include <{}>\n", name.rsplit('/').next().unwrap_or(name));
        } else if target.ends_with('/') {
            let names = others.iter().map(|(name, _)| name);
            for name in names.filter(|name| name.starts_with(target)) {
                text += &format!("#include \"{up}{name}\"\n");
            }
        } else {
            text += &format!("#include \"{up}{target}\"\n");
        }
    }
    text
}

fn missing(name: &str, library: Option<&str>, advice: &str) -> String {
    let Some(library) = library else {
        return format!(
            "#error \"hirace: <{name}> is not supported by the CPU executor: {advice}\"\n"
        );
    };
    format!(
        "// A library that the executor does not have. If the real header follows on the include\n\
         // path, the program compiles, and calls are not checked. The include after the error keeps\n\
         // the compiler from listing every name that the program uses.\n\
         #pragma GCC system_header\n\
         #if __has_include_next(<{name}>)\n\
         #include_next <{name}>\n\
         #else\n\
         #error \"hirace: {library} ({name}) is not supported by the CPU executor: {advice}\"\n\
         #include \"see the error above: hirace has no {name}\"\n\
         #endif\n"
    )
}
