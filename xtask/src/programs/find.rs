//! Finds the programs of a package, and what they need besides CUDA.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::Package;
use crate::files::{below, has_extension, read};

/// A program.
pub(super) struct Program {
    /// The package's name and the path below its root.
    pub(super) name: String,
    /// The directory in which it runs: it may open files there.
    pub(super) directory: PathBuf,
    pub(super) sources: Vec<PathBuf>,
    /// Options for the compiler.
    pub(super) options: Vec<String>,
    /// Its own arguments.
    pub(super) arguments: Vec<&'static str>,
    /// Libraries that it includes headers of and that the CPU executor does not have.
    pub(super) needs: Vec<&'static str>,
}

/// What programs include, and the name under which one would look for it.
const LIBRARIES: [(&str, &[&str]); 13] = [
    ("OpenGL", &["helper_gl", "GL/", "GLES", "glut"]),
    ("EGL", &["EGL/"]),
    ("Direct3D", &["d3d", "D3D", "DirectX", "dxgi"]),
    ("Vulkan", &["ulkan"]),
    ("NVRTC", &["nvrtc"]),
    ("driver API", &["<cuda.h>", "\"cuda.h\"", "drvapi"]),
    ("MPI", &["mpi.h"]),
    ("NvSci", &["nvsci", "nvmedia"]),
    ("cuDLA", &["cudla"]),
    ("cuSPARSE", &["cusparse"]),
    ("cuSOLVER", &["cusolver"]),
    ("NPP", &["npp"]),
    ("FreeImage", &["FreeImage"]),
];

/// Arguments for some programs.
const ARGUMENTS: &str = include_str!("arguments.txt");

/// The sources of a directory; those in a folder `src` belong to the directory above it.
type Directories = BTreeMap<PathBuf, Vec<(PathBuf, String)>>;

/// The programs with device code below the package's root, in the order of their names.
pub(super) fn programs(package: &Package) -> Result<Vec<Program>> {
    let mut directories = Directories::new();
    for file in below(&package.root)? {
        if !has_extension(&file, &["cu", "cpp", "cc", "cxx", "c"]) {
            continue;
        }
        let text = String::from_utf8_lossy(&read(&file)?).into_owned();
        let mut directory = file.parent().unwrap_or(&package.root);
        if directory.ends_with("src") {
            directory = directory.parent().unwrap_or(directory);
        }
        let sources = directories.entry(directory.to_owned()).or_default();
        sources.push((file, text));
    }
    let mut programs = Vec::new();
    for (directory, sources) in directories {
        let mains = sources.iter().filter(|(_, text)| has_main(text)).count();
        if mains == 1 {
            programs.extend(program(package, &directory, &directory, &sources));
        } else {
            for source in sources.iter().filter(|(_, text)| has_main(text)) {
                let name = source.0.with_extension("");
                programs.extend(program(
                    package,
                    &name,
                    &directory,
                    std::slice::from_ref(source),
                ));
            }
        }
    }
    Ok(programs)
}

/// Whether a source defines `main`.
fn has_main(text: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with("int main(") || line.starts_with("int main ("))
}

/// The program with these sources, unless none of them is CUDA.
fn program(
    package: &Package,
    name: &Path,
    directory: &Path,
    sources: &[(PathBuf, String)],
) -> Option<Program> {
    if !sources.iter().any(|(file, _)| has_extension(file, &["cu"])) {
        return None;
    }
    let name = name.strip_prefix(&package.root).unwrap_or(name);
    let includes: Vec<&str> = sources
        .iter()
        .flat_map(|(_, text)| text.lines())
        .filter(|line| {
            let rest = line.trim_start().strip_prefix('#');
            rest.is_some_and(|it| it.trim_start().starts_with("include"))
        })
        .collect();
    let included = |parts: &[&str]| {
        let has = |line: &&str| parts.iter().any(|part| line.contains(part));
        includes.iter().any(has)
    };
    let needs = LIBRARIES.iter().filter(|(_, parts)| included(parts));
    let own = [directory.to_owned(), directory.join("inc")];
    let mut options: Vec<String> = own
        .iter()
        .chain(&package.include)
        .map(|it| format!("-I{}", it.display()))
        .collect();
    if included(&["omp.h"]) {
        options.push("-fopenmp".to_owned());
    }
    let name = format!("{}/{}", package.name, name.display());
    Some(Program {
        arguments: arguments(&name),
        name,
        directory: directory.to_owned(),
        sources: sources.iter().map(|(file, _)| file.clone()).collect(),
        options,
        needs: needs.map(|(name, _)| *name).collect(),
    })
}

/// The arguments of a program in the list.
fn arguments(name: &str) -> Vec<&'static str> {
    let lines = ARGUMENTS.lines().filter(|it| !it.starts_with('#'));
    let mut lines = lines.map(str::split_whitespace);
    let mine = lines.find_map(|mut words| (words.next() == Some(name)).then_some(words));
    mine.into_iter().flatten().collect()
}
