//! Several programs in one translation unit.
//!
//! nvcc reads the headers of a program three times, which is most of its work. Programs that
//! include the same headers compile in a fraction of the time if each is put into a namespace after
//! them. No check is lost: no program sees a header that it does not include itself, its macros are
//! undefined after it, all its code goes through every pass of nvcc, and if a unit fails, its
//! programs are compiled one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// Most programs in one unit. With more of them the headers no longer matter, and a change to one
/// program recompiles too many others.
const MOST: usize = 16;

/// The header that nvcc includes by itself.
const IMPLICIT: &str = "<cuda_runtime.h>";

/// A program in one file.
#[derive(Debug)]
pub struct Program {
    /// The file.
    pub path: PathBuf,
    /// The headers in its `#include` lines; quoted ones by their whole path.
    headers: BTreeSet<String>,
    /// The macros that it defines.
    macros: BTreeSet<String>,
    /// Whether it means the same inside a namespace, after its headers.
    can_share: bool,
}

impl Program {
    /// Reads the program at `path`, whose text is `text`.
    pub fn of(path: PathBuf, text: &str) -> Self {
        let (mut headers, mut macros) = (BTreeSet::new(), BTreeSet::new());
        let mut can_share = !names_global_scope(text);
        for line in text.lines() {
            if let Some(rest) = directive(line, "include") {
                // A header may test a macro.
                can_share &= macros.is_empty();
                match header(rest, &path) {
                    Some(header) => drop(headers.insert(header)),
                    None => can_share = false,
                }
            } else if let Some(rest) = directive(line, "define") {
                let is_name = |it: char| it.is_alphanumeric() || it == '_';
                let end = rest.find(|it| !is_name(it)).unwrap_or(rest.len());
                macros.insert(rest[..end].to_owned());
            }
        }
        headers.remove(IMPLICIT);
        Self {
            path,
            headers,
            macros,
            can_share,
        }
    }
}

/// The text after `#NAME` on a line.
fn directive<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix(name)?;
    (!rest.starts_with(|it: char| it.is_alphanumeric() || it == '_')).then(|| rest.trim())
}

/// The header of an `#include` in `file`; none if a macro names it.
fn header(text: &str, file: &Path) -> Option<String> {
    if let Some((name, _)) = text.strip_prefix('<').and_then(|it| it.split_once('>')) {
        return Some(format!("<{name}>"));
    }
    let (name, _) = text.strip_prefix('"')?.split_once('"')?;
    let mut path = PathBuf::new();
    for part in file.parent()?.join(name).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
    }
    Some(format!("\"{}\"", path.display()))
}

/// Whether a program uses `::NAME` for a name of its own.
///
/// Hooks use `::hirace`, which is declared before the programs. After a name or a closing bracket,
/// `::` names a member.
fn names_global_scope(text: &str) -> bool {
    text.match_indices("::").any(|(at, _)| {
        let is_member = text[..at]
            .ends_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '>' | ')' | ':'));
        let name = &text[at + 2..];
        !is_member
            && name.starts_with(|it: char| it.is_alphabetic() || it == '_')
            && !name.starts_with("hirace::")
    })
}

/// Divides programs into units; those that must be alone come last, each in its own.
pub fn units(programs: Vec<Program>) -> Vec<Vec<Program>> {
    let mut alike: BTreeMap<BTreeSet<String>, Vec<Program>> = BTreeMap::new();
    let mut alone = Vec::new();
    for program in programs {
        if program.can_share {
            let headers = program.headers.clone();
            alike.entry(headers).or_default().push(program);
        } else {
            alone.push(vec![program]);
        }
    }
    let mut units = Vec::new();
    for mut programs in alike.into_values() {
        while programs.len() > MOST {
            let rest = programs.split_off(MOST);
            units.push(std::mem::replace(&mut programs, rest));
        }
        units.push(programs);
    }
    units.append(&mut alone);
    units
}

/// The text of a unit: several programs as one, with an empty `main`.
pub fn text(unit: &[Program]) -> String {
    let mut text = String::new();
    for header in unit.iter().flat_map(|it| &it.headers) {
        let line = format!("#include {header}\n");
        if !text.contains(&line) {
            text += &line;
        }
    }
    for (number, program) in unit.iter().enumerate() {
        let path = program.path.display();
        let _ = writeln!(
            text,
            "namespace program_{number} {{\n#include \"{path}\"\n}}"
        );
        for name in &program.macros {
            let _ = writeln!(text, "#undef {name}");
        }
    }
    text + "int main() {}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(name: &str, text: &str) -> Program {
        Program::of(PathBuf::from("/ui/barriers").join(name), text)
    }

    #[test]
    fn only_programs_with_the_same_headers_share() {
        let units = units(vec![
            program("a.cu", "#include <cstdio>\n#include <cuda_runtime.h>\n"),
            program("b.cu", "#include <vector>\n"),
            program("c.cu", "# include <cstdio> // printf\n"),
            program("d.cu", "#include <cstdio>\n#include <vector>\n"),
        ]);
        let names: Vec<Vec<_>> = units
            .iter()
            .map(|unit| unit.iter().map(|it| it.path.file_stem().unwrap()).collect())
            .collect();
        assert_eq!(names, [vec!["a", "c"], vec!["d"], vec!["b"]]);
    }

    #[test]
    fn a_unit_has_a_limit() {
        let programs = (0..MOST + 1).map(|it| program(&it.to_string(), ""));
        let sizes: Vec<usize> = units(programs.collect()).iter().map(Vec::len).collect();
        assert_eq!(sizes, [MOST, 1]);
    }

    #[test]
    fn headers_come_first_and_macros_end_with_their_program() {
        let unit = [
            program("a.cu", "#include \"../common/egr.h\"\n#define N 3\n"),
            program("b.cu", "#include \"../common/egr.h\"\n#define F(x) x\n"),
        ];
        assert_eq!(
            text(&unit),
            "#include \"/ui/common/egr.h\"\n\
             namespace program_0 {\n#include \"/ui/barriers/a.cu\"\n}\n#undef N\n\
             namespace program_1 {\n#include \"/ui/barriers/b.cu\"\n}\n#undef F\n\
             int main() {}\n"
        );
    }

    #[test]
    fn what_would_mean_something_else_in_a_namespace_stands_alone() {
        for text in [
            "cudaMemcpyToSymbol(::total, &zero, 4);",
            "#define ASK 1\n#include <vector>",
            "#include HEADER",
        ] {
            assert!(!program("a.cu", text).can_share, "{text}");
        }
        for text in [
            "::hirace::read(1u, a[i]);",
            "std::vector<int>::iterator it;",
            "typename decltype(f())::type x;",
            "a ? b :: c;",
        ] {
            assert!(program("a.cu", text).can_share, "{text}");
        }
    }
}
