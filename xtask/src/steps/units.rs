//! Several programs in one translation unit.
//!
//! nvcc reads the headers of a program three times, which is most of its work. Programs compile in a
//! fraction of the time if each is put into a namespace after the headers of all of them
//! ([`batch::compile_only`]). Its macros are undefined after it, all its code goes through every
//! pass of nvcc, and if a unit fails, its programs are compiled one by one. Only an `#include` that
//! a program lacks is not noticed, if another program of the unit has it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use hirace::check::batch::{self, Flat};
use hirace::instrument;
use hirace::toolchain::Arguments;

use crate::compile::Compilation;

/// Most programs in one unit. With more of them the headers no longer matter, and a change to one
/// program recompiles too many others.
const MAX_PROGRAMS: usize = 16;

/// The header that nvcc includes by itself.
const IMPLICIT: &str = "<cuda_runtime.h>";

/// The compilations of programs, each in one file: one of each unit, whose parts are those of its
/// programs.
///
/// The texts of units are written to `made`. `compilation` makes one for a file, of that name, that
/// depends on these sources; `name` gives the name of a program.
///
/// # Errors
/// A program cannot be read, a text not be written, or a function fails.
pub fn compilations(
    programs: Vec<PathBuf>,
    made: &Path,
    name: impl Fn(&Path) -> Result<String>,
    compilation: impl Fn(String, &Path, &[&Path]) -> Result<Compilation>,
) -> Result<Vec<Compilation>> {
    let programs = programs.into_iter().enumerate();
    let programs = programs
        .map(|(number, path)| Program::read(number, path))
        .collect::<Result<Vec<_>>>()?;
    let mut compilations = Vec::new();
    for (number, unit) in units(programs).iter().enumerate() {
        let files: Vec<&Path> = unit.iter().map(|it| it.path.as_path()).collect();
        let separate = files
            .iter()
            .map(|&it| compilation(name(it)?, it, &[it]))
            .collect::<Result<Vec<_>>>()?;
        if let [_] = *files {
            compilations.extend(separate);
            continue;
        }
        let file = made.join(format!("unit_{number}.cu"));
        fs::create_dir_all(made)
            .and_then(|()| fs::write(&file, text(unit)))
            .with_context(|| format!("failed to write {}", file.display()))?;
        let of_all = format!("{} and {} more", name(files[0])?, files.len() - 1);
        let mut whole = compilation(of_all, &file, &files)?;
        whole.parts = separate;
        compilations.push(whole);
    }
    Ok(compilations)
}

/// A program in one file.
#[derive(Debug)]
struct Program {
    path: PathBuf,
    /// The program as one text; `None` if it might mean something else in a namespace.
    flat: Option<Flat>,
}

impl Program {
    /// Reads the program at `path`. No two programs of a unit may have the same `number`.
    fn read(number: usize, path: PathBuf) -> Result<Self> {
        let arguments = Arguments::default();
        let tree = instrument::collect(std::slice::from_ref(&path), &arguments)?;
        let texts = tree.sources().map(|(_, text)| text.as_bytes());
        let flat = Flat::of(number, &tree, texts, &arguments).ok();
        Ok(Self { path, flat })
    }

    /// The headers that it needs an `#include` for.
    fn headers(&self) -> Option<BTreeSet<String>> {
        let mut headers: BTreeSet<_> = self.flat.as_ref()?.headers.iter().cloned().collect();
        headers.remove(IMPLICIT);
        Some(headers)
    }
}

/// Divides programs into units; those that must be compiled separately come last, each in its own.
fn units(programs: Vec<Program>) -> Vec<Vec<Program>> {
    let (mut shared, separate): (Vec<Program>, Vec<Program>) =
        programs.into_iter().partition(|it| it.flat.is_some());
    // Programs with the same headers, or most of them, come together.
    shared.sort_by_cached_key(Program::headers);
    let mut units = Vec::new();
    while !shared.is_empty() {
        let rest = shared.split_off(shared.len().min(MAX_PROGRAMS));
        units.push(std::mem::replace(&mut shared, rest));
    }
    units.extend(separate.into_iter().map(|it| vec![it]));
    units
}

/// The text of a unit.
fn text(unit: &[Program]) -> String {
    let flat: Vec<&Flat> = unit.iter().filter_map(|it| it.flat.as_ref()).collect();
    batch::compile_only(&flat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use instrument::tree::{Content, Role, SourceFile, Tree};

    fn program(number: usize, text: &str) -> Program {
        let path = PathBuf::from(format!("/ui/barriers/{number}.cu"));
        let tree = Tree {
            files: vec![SourceFile {
                path: path.clone(),
                display: path.display().to_string(),
                content: Content::Source(text.to_owned()),
                role: Role::Named,
            }],
            root: PathBuf::from("/ui"),
            searched: Vec::new(),
        };
        let flat = Flat::of(number, &tree, [text.as_bytes()], &Arguments::default()).ok();
        Program { path, flat }
    }

    #[test]
    fn programs_with_the_same_headers_are_neighbours() {
        let units = units(vec![
            program(0, "#include <cstdio>\n#include <cuda_runtime.h>\n"),
            program(1, "#include <vector>\n"),
            program(2, "# include <cstdio> // printf\n"),
            program(3, "#include HEADER\n"),
        ]);
        let names: Vec<Vec<_>> = units
            .iter()
            .map(|unit| unit.iter().map(|it| it.path.file_stem().unwrap()).collect())
            .collect();
        assert_eq!(names, [vec!["0", "2", "1"], vec!["3"]]);
    }

    #[test]
    fn a_unit_has_a_limit() {
        let programs = (0..MAX_PROGRAMS + 1).map(|number| program(number, ""));
        let sizes: Vec<usize> = units(programs.collect()).iter().map(Vec::len).collect();
        assert_eq!(sizes, [MAX_PROGRAMS, 1]);
    }
}
