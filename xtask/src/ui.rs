//! The UI programs: CUDA programs below `tests/ui` with their expected findings.
//!
//! A file is one program, and also a second one, with `REPAIRED` defined, if its first lines say
//! so. `tests/ui/README.md` describes how to add one.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hirace::instrument;
use hirace::instrument::tree::{Content, Tree};
use hirace::toolchain::Arguments;

use crate::verdict::Expected;
use crate::{files, graphs};

/// The folder of programs with faults, which only the CPU executor finds.
pub const FAULTS: &str = "faults";

/// One of the two programs of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// The program that the file's first line describes.
    Original,
    /// Its repaired twin.
    Repaired,
}

impl Form {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Original, Self::Repaired];

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Repaired => "repaired",
        }
    }

    /// The suffix of its programs' names.
    fn suffix(self) -> &'static str {
        match self {
            Self::Original => "",
            Self::Repaired => ".repaired",
        }
    }

    /// The text of a file, with blank lines in place of the other form's text and of the directives
    /// that select a form.
    ///
    /// A compiler with or without `-DREPAIRED` sees the same program. The rewriter does not: it
    /// skips no check in a function with directives.
    #[must_use]
    pub fn text_of(self, text: &str) -> String {
        // For each open conditional, whether its branch belongs to this form; none for other
        // conditionals.
        let mut open: Vec<Option<bool>> = Vec::new();
        let mut kept = String::new();
        for line in text.lines() {
            let word = line.split_whitespace().next().unwrap_or_default();
            let is_ours = match line {
                "#ifdef REPAIRED" => Some(self == Self::Repaired),
                "#ifndef REPAIRED" => Some(self == Self::Original),
                _ => None,
            };
            let mut is_mark = is_ours.is_some();
            if word.starts_with("#if") {
                open.push(is_ours);
            } else if word == "#else"
                && let Some(Some(is_ours)) = open.last_mut()
            {
                *is_ours = !*is_ours;
                is_mark = true;
            } else if word == "#endif" {
                is_mark = open.pop().flatten().is_some();
            }
            if !is_mark && !open.contains(&Some(false)) {
                kept += line;
            }
            kept += "\n";
        }
        kept
    }

    /// Keeps only this form's text in all sources of a tree.
    pub fn keep_in(self, tree: &mut Tree) {
        for file in &mut tree.files {
            if let Content::Source(text) = &mut file.content {
                *text = self.text_of(text);
            }
        }
    }
}

/// A program with its expected findings.
#[derive(Clone, Debug)]
pub struct Program {
    /// Relative to the root of the repository.
    pub file: PathBuf,
    /// Which program of the file.
    pub form: Form,
    /// The expected result of a run.
    pub expected: Expected,
}

impl Program {
    /// Finds a program by its name, such as `barriers/tree_reduction.repaired`.
    ///
    /// # Errors
    /// There is no such program.
    pub fn named(name: &str) -> Result<Self, String> {
        let found = programs()?.into_iter().find(|it| it.to_string() == name);
        found.ok_or_else(|| format!("tests/ui has no program {name}"))
    }

    /// The program's sources.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn tree(&self) -> Result<Tree, String> {
        let files = std::slice::from_ref(&self.file);
        let tree = instrument::collect(files, &Arguments::default());
        let mut tree = tree.map_err(|error| error.to_string())?;
        self.form.keep_in(&mut tree);
        Ok(tree)
    }

    /// The name of its file, without the folder and the extension.
    #[must_use]
    pub fn stem(&self) -> String {
        let stem = self.file.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// The folder that contains it.
    #[must_use]
    pub fn topic(&self) -> String {
        let folder = self.file.parent().and_then(Path::file_name);
        folder.unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether it is one of those that need the order engine.
    #[must_use]
    pub fn tests_order(&self) -> bool {
        self.file.components().any(|it| it.as_os_str() == "order")
    }

    /// Whether it is in this part of all programs, of `parts`. That depends only on the name, so a
    /// new program does not move others.
    #[must_use]
    pub fn is_in_part(&self, part: u32, parts: u32) -> bool {
        self.stem().bytes().map(u32::from).sum::<u32>() % parts == part
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}{}", self.topic(), self.stem(), self.form.suffix())
    }
}

/// All programs, in the order of their files.
///
/// # Errors
/// A file's first lines are not of the form that `tests/ui/README.md` describes, two files of
/// different topics have one name, or a file cannot be read.
pub fn programs() -> Result<Vec<Program>, String> {
    let folder = crate::root().join("tests/ui");
    let files = files::below(&folder).map_err(|error| error.to_string())?;
    let mut programs: Vec<Program> = Vec::new();
    for path in files {
        if !files::has_extension(&path, &["cu"]) {
            continue;
        }
        let file = path.strip_prefix(crate::root()).unwrap_or(&path).to_owned();
        let about = |why: String| format!("{}: {why}", file.display());
        let text = std::fs::read_to_string(&path).map_err(|error| about(error.to_string()))?;
        let expected = Expected::parse(&text).map_err(about)?;
        let twin = expected.of_twin();
        if twin.is_some() != text.contains("REPAIRED") {
            return Err(about(
                "a twin needs both `// repaired: clean` and `#ifdef REPAIRED`".to_owned(),
            ));
        }
        let original = Program {
            file: file.clone(),
            form: Form::Original,
            expected,
        };
        if let Some(other) = programs.iter().find(|it| it.stem() == original.stem()) {
            return Err(about(format!(
                "has the same name as {}",
                other.file.display()
            )));
        }
        programs.push(original);
        programs.extend(twin.map(|expected| Program {
            file,
            form: Form::Repaired,
            expected,
        }));
    }
    Ok(programs)
}

/// Arguments of a program. `graph:NAME` becomes the path of a generated graph.
#[must_use]
pub fn arguments(words: &[String]) -> Vec<OsString> {
    let argument = |word: &String| match word.strip_prefix("graph:") {
        Some(name) => graph_folder().join(format!("{name}.egr")).into_os_string(),
        None => word.into(),
    };
    words.iter().map(argument).collect()
}

fn graph_folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = crate::root().join("target/graphs");
        graphs::ensure(&folder).expect("the generator writes its graphs");
        folder
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_keeps_its_lines_where_they_are() {
        let text = "a\n#ifdef REPAIRED\nb\n#else\nc\n#endif\nd\n#ifndef REPAIRED\ne\n#endif\n";
        assert_eq!(Form::Original.text_of(text), "a\n\n\n\nc\n\nd\n\ne\n\n");
        assert_eq!(Form::Repaired.text_of(text), "a\n\nb\n\n\n\nd\n\n\n\n");
    }

    #[test]
    fn other_conditionals_stay() {
        let text = "#ifdef REPAIRED\n#if A\nb\n#else\nc\n#endif\n#endif\n";
        assert_eq!(Form::Original.text_of(text), "\n\n\n\n\n\n\n");
        assert_eq!(
            Form::Repaired.text_of(text),
            "\n#if A\nb\n#else\nc\n#endif\n\n"
        );
        let text = "#if A\n#ifdef REPAIRED\nb\n#endif\n#else\nc\n#endif\n";
        assert_eq!(
            Form::Original.text_of(text),
            "#if A\n\n\n\n#else\nc\n#endif\n"
        );
        assert_eq!(
            Form::Repaired.text_of(text),
            "#if A\n\nb\n\n#else\nc\n#endif\n"
        );
    }
}
