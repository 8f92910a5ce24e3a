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

use hirace_sample::{Sample, VARIABLE};

use crate::change::Change;
use crate::verdict::Expected;
use crate::{files, graphs};

/// What a program's `// nvcc:` line says if nvcc cannot compile it.
pub const NOT_FOR_NVCC: &str = "none";

/// The folder of all programs, relative to the root.
const FOLDER: &str = "tests/ui";

/// So many changed files are tested in full, whatever the sample; of more, the sample is.
const MAX_CHANGED: usize = 24;

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

    /// The folder below `tests/ui` that contains it, such as `barriers` or `order`.
    #[must_use]
    pub fn topic(&self) -> String {
        let first = self.path().components().next();
        first.map_or_else(String::new, |it| it.as_os_str().display().to_string())
    }

    /// Its file, relative to `tests/ui`.
    fn path(&self) -> &Path {
        self.file.strip_prefix(FOLDER).unwrap_or(&self.file)
    }

    /// The files that belong to it, relative to the root: the program and its expected output.
    #[must_use]
    pub fn files(&self) -> [PathBuf; 3] {
        ["cu", "stderr", "fix.diff"].map(|extension| self.file.with_extension(extension))
    }
}

/// Whether a filter selects a test. The filter is a list of parts of names, separated by commas. A
/// part with a slash is a path from `tests/ui` on, so `atomics/` does not select `order/atomics/`.
fn is_selected(name: &str, filter: &str) -> bool {
    filter.split(',').any(|part| match part.contains('/') {
        true => name.starts_with(part),
        false => name.contains(part),
    })
}

/// Which tests of programs run: those that a filter selects; without one, a sample of them and
/// those of programs that changed in the last day, unless many did.
pub struct Choice {
    filter: Option<String>,
    is_exact: bool,
    /// Whether everything that the filter selects runs, not a sample of it.
    is_whole: bool,
    sample: Sample,
    change: Change,
}

impl Choice {
    /// By the filter of a harness's arguments, which selects whole names if `is_exact`.
    #[must_use]
    pub fn new(filter: Option<String>, is_exact: bool) -> Self {
        let sample = Sample::current();
        println!("sample: {VARIABLE}={sample} repeats it");
        Self {
            filter,
            is_exact,
            is_whole: true,
            sample,
            change: Change::of_a_day(),
        }
    }

    /// Takes samples of what the filter selects, too, if that is more than `most` programs.
    #[must_use]
    pub fn with_samples_of_more_than(mut self, most: usize, programs: &[Program]) -> Self {
        let selected = programs.iter().filter(|it| self.takes(it, "", 1));
        self.is_whole = selected.count() <= most;
        self
    }

    /// Whether the test of `program` whose name ends with `suffix` runs, if a sample has one of
    /// `every` such tests.
    #[must_use]
    pub fn takes(&self, program: &Program, suffix: &str, every: u64) -> bool {
        let name = format!("{program}{suffix}");
        let is_selected = match &self.filter {
            Some(filter) if self.is_exact => name == *filter,
            Some(filter) => is_selected(&name, filter),
            None => true,
        };
        let is_in_sample = || self.sample.takes(&name, every) || self.has_changed(program);
        is_selected && (self.filter.is_some() && self.is_whole || is_in_sample())
    }

    fn has_changed(&self, program: &Program) -> bool {
        let is_small = self.change.below(FOLDER).count() <= MAX_CHANGED;
        is_small && program.files().iter().any(|file| self.change.touches(file))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.path().with_extension("");
        write!(f, "{}{}", name.display(), self.form.suffix())
    }
}

/// All programs, in the order of their files.
///
/// # Errors
/// A file's first lines are not of the form that `tests/ui/README.md` describes, two files of
/// different topics have one name, or a file cannot be read.
pub fn programs() -> Result<Vec<Program>, String> {
    let folder = crate::root().join(FOLDER);
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
    fn a_filter_with_a_slash_is_a_path() {
        let barrier = "barriers/tree_reduction.repaired";
        let grid = "order/grid_barriers/arrival";
        let selected = |filter| [barrier, grid].map(|name| is_selected(name, filter));
        assert_eq!(selected("barriers/"), [true, false]);
        assert_eq!(selected("order/"), [false, true]);
        assert_eq!(selected("grid_barriers/"), [false, false]);
        assert_eq!(selected("order/grid_barriers/"), [false, true]);
        assert_eq!(selected("barriers/tree_reduction"), [true, false]);
        assert_eq!(selected("arrival"), [false, true]);
        assert_eq!(selected("barriers/,order/grid"), [true, true]);
        assert_eq!(selected("tree_reduction/"), [false, false]);
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
