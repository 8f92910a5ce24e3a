//! A checkout of IndigoSuite: its layout and its rules, with our own sources.
//!
//! The rules were compared with the suite's own generator: names and texts are the same to the byte.

use std::fs;
use std::path::Path;

use hirace_indigo::suite::{self, Label, Program};
use tempfile::TempDir;

/// Two tags on one line, bugs, a line that only one tag has, and several lines of one dimension.
const SUM: &str = "\
typedef int data_t; /*@long@*/ typedef long data_t; /*@float@*/ typedef float data_t;
#include \"common.h\"

__global__ void sum(data_t* total, const data_t* values, int n)
{
      int i = threadIdx.x; /*@persistent@*/
  if (i < n) { /*@persistent@*/ for (int i = threadIdx.x; i < n; i += blockDim.x) {
    /*@cond@*/ if (values[i] > 0) {
    atomicAdd(total, values[i]); /*@atomicBug@*/ *total += values[i];
    /*@cond@*/ }
  }
}

void serial_code(data_t* total, const data_t* values, int n)
{
  for (int i = 0; i < n; i++) {
    /*@cond@*/ if (values[i] > 0) {
    *total += values[i];
    /*@cond@*/ }
  }
}
";

/// A shuffle makes a barrier superfluous.
const FOLD_BLOCK: &str = "\
void fold() {
  store(); /*@shfl@*/ shuffle();
  __syncthreads(); /*@syncBug@*/
  load(); /*@shfl@*/
}
";

struct Checkout(TempDir);

impl Checkout {
    /// The repository's directories, with our sources and without a `configure.txt`.
    fn new() -> Self {
        let checkout = Self(TempDir::new().unwrap());
        checkout.write(
            "copyright.txt",
            "A suite of tests version 0.4.\n\nNobody's.\n",
        );
        checkout.write("Generators/sources_include/common.h", "");
        checkout.write("Generators/CUDA_sources/vertex_sum.idg", SUM);
        checkout.write("Generators/CUDA_sources/fold_block.idg", FOLD_BLOCK);
        checkout
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a `configure.txt` as the suite has it.
    fn configure(&self, bug: &str, pattern: &str, option: &str, data_type: &str) {
        let text = format!(
            "/**\n words and what they mean: bug: {{some}}\n**/\nCODE:\n  bug: {{{bug}}}\n  \
             pattern: {{{pattern}}}\n  option: {{{option}}}\n  dataType: {{{data_type}}}\n\
             INPUTS:\n  pattern: {{star}}\n"
        );
        self.write("Generators/configure.txt", &text);
    }

    fn programs(&self) -> Vec<Program> {
        let suite = suite::open(Some(self.path())).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(suite.name, "IndigoSuite 0.4");
        suite.programs
    }

    /// Checks the names of the selected programs.
    #[track_caller]
    fn check(&self, expect: &[&str]) {
        let names: Vec<String> = self.programs().into_iter().map(|one| one.name).collect();
        assert_eq!(names, expect);
    }

    #[track_caller]
    fn check_refused(&self, expect: &str) {
        let error = suite::open(Some(self.path())).unwrap_err().to_string();
        let root = format!("{}/", self.path().canonicalize().unwrap().display());
        let error = error.replace(&root, "");
        let named = format!("`{}` is not a suite: ", self.path().display());
        assert_eq!(error.strip_prefix(&named).unwrap_or(&error), expect);
    }
}

#[test]
fn programs_are_all_combinations_of_choices() {
    let programs = Checkout::new().programs();
    // Three types, and two choices in each other dimension.
    let sums = programs.iter().filter(|one| one.pattern == "vertex_sum");
    assert_eq!(sums.count(), 3 * 2 * 2 * 2);
    // A shuffle has no barrier that could be omitted.
    let folds = programs.iter().filter(|one| one.name.starts_with("fold"));
    let folds: Vec<&str> = folds.map(|one| one.name.as_str()).collect();
    assert_eq!(
        folds,
        ["fold_block", "fold_block_shfl", "fold_block_syncBug"]
    );
}

#[test]
fn programs_have_their_properties() {
    let checkout = Checkout::new();
    let programs = checkout.programs();
    let name = "vertex_sum_long_persistent_cond_atomicBug";
    let program = programs.iter().find(|one| one.name == name).unwrap();
    assert_eq!(program.options, ["long", "persistent", "cond"]);
    assert_eq!(program.bugs, ["atomicBug"]);
    assert_eq!(program.label, Label::Racy);
    let filled = program.arguments.fill(Path::new("g.egr"), 64, 4);
    assert_eq!(filled, ["g.egr", "64", "4"]);
    let root = checkout.path().canonicalize().unwrap();
    assert_eq!(program.includes, [root.join("Generators/sources_include")]);
    assert_eq!(
        program.text,
        "\
/* A suite of tests version 0.4.

Nobody's.
 */

typedef long data_t;
#include \"common.h\"

__global__ void sum(data_t* total, const data_t* values, int n)
{
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (values[i] > 0) {
      // atomicBug here
      *total += values[i];
    }
  }
}

void serial_code(data_t* total, const data_t* values, int n)
{
  for (int i = 0; i < n; i++) {
    if (values[i] > 0) {
      *total += values[i];
    }
  }
}
"
    );
}

#[test]
fn a_tag_without_text_removes_the_line() {
    let programs = Checkout::new().programs();
    let text = |name: &str| {
        let program = programs.iter().find(|one| one.name == name).unwrap();
        program.text.split_once("*/\n\n").unwrap().1.to_owned()
    };
    assert_eq!(
        text("fold_block"),
        "void fold() {\n  store();\n  __syncthreads();\n  load();\n}\n"
    );
    assert_eq!(
        text("fold_block_syncBug"),
        "void fold() {\n  store();\n  load();\n}\n"
    );
    assert_eq!(
        text("fold_block_shfl"),
        "void fold() {\n  shuffle();\n  __syncthreads();\n}\n"
    );
}

#[test]
fn sources_with_the_line_ends_of_other_systems_are_the_same() {
    let checkout = Checkout::new();
    let plain = checkout.programs();
    checkout.write(
        "Generators/CUDA_sources/vertex_sum.idg",
        &SUM.replace('\n', "\r\n"),
    );
    assert_eq!(checkout.programs(), plain);
}

#[test]
fn bugs_and_patterns_are_selected() {
    let checkout = Checkout::new();
    checkout.configure("hasbug", "fold", "all", "all");
    checkout.check(&["fold_block_syncBug"]);
    checkout.configure("nobug", "block, nothing_else", "all", "all");
    checkout.check_refused("Generators/configure.txt:6: no source has `nothing_else` in its name");
    checkout.configure("nobug", "block", "all", "all");
    checkout.check(&["fold_block", "fold_block_shfl"]);
    checkout.configure("hasbug, nobug", "fold", "all", "all");
    checkout.check(&["fold_block", "fold_block_shfl", "fold_block_syncBug"]);
    checkout.configure("hasbug", "all", "only_atomicBug", "int");
    checkout.check(&["vertex_sum_atomicBug"]);
}

#[test]
fn options_are_selected() {
    let checkout = Checkout::new();
    checkout.configure("nobug", "sum", "cond", "int");
    checkout.check(&["vertex_sum_cond", "vertex_sum_persistent_cond"]);
    checkout.configure("nobug", "sum", "~cond", "int");
    checkout.check(&["vertex_sum", "vertex_sum_persistent"]);
    checkout.configure("nobug", "sum", "only_cond", "int");
    checkout.check(&["vertex_sum_cond"]);
    // Several are alternatives, and a type is no option.
    checkout.configure("nobug", "all", "only_cond, shfl", "int, float");
    checkout.check(&[
        "fold_block_shfl",
        "vertex_sum_cond",
        "vertex_sum_float_cond",
    ]);
    checkout.configure("nobug", "sum", "all", "int");
    checkout.check(&[
        "vertex_sum",
        "vertex_sum_cond",
        "vertex_sum_persistent",
        "vertex_sum_persistent_cond",
    ]);
}

#[test]
fn data_types_are_selected() {
    let checkout = Checkout::new();
    checkout.configure("nobug", "sum", "only_cond", "long");
    checkout.check(&["vertex_sum_long_cond"]);
    checkout.configure("nobug", "sum", "only_cond", "~, long");
    checkout.check(&["vertex_sum_float_cond"]);
    checkout.configure("nobug", "sum", "only_cond", "all");
    checkout.check(&[
        "vertex_sum_cond",
        "vertex_sum_float_cond",
        "vertex_sum_long_cond",
    ]);
}

#[test]
fn unknown_words_are_refused_with_their_line() {
    let checkout = Checkout::new();
    checkout.configure("maybe", "all", "all", "all");
    checkout.check_refused(
        "Generators/configure.txt:5: `bug: {maybe}` is none of {all}, {hasbug}, {nobug} and \
         {hasbug, nobug}",
    );
    checkout.configure("all", "all", "all, ~condd", "all");
    checkout.check_refused("Generators/configure.txt:7: no source has the option `condd`");
    checkout.configure("all", "all", "all", "int, flaot");
    checkout.check_refused(
        "Generators/configure.txt:8: `flaot` is not a data type; there are all, int, short, long, \
         float, double, char",
    );
    checkout.write("Generators/configure.txt", "bug: {all}\n");
    checkout.check_refused(
        "Generators/configure.txt:1: no line with `**/` ends the comment at the top",
    );
    checkout.configure("hasbug", "fold", "shfl", "all");
    checkout.check_refused("`Generators/configure.txt` selects no program");
}

/// The same file also selects OpenMP programs, which hirace ignores.
#[test]
fn words_for_other_sources_are_accepted() {
    let checkout = Checkout::new();
    checkout.write(
        "Generators/OpenMP_sources/tasks.idg",
        "a(); /*@dynamic@*/ b();\n",
    );
    checkout.configure("nobug", "tasks, fold", "dynamic, shfl", "all");
    checkout.check(&["fold_block_shfl"]);
}

#[test]
fn mistakes_in_sources_have_a_line() {
    let checkout = Checkout::new();
    let source = "Generators/CUDA_sources/wrong.idg";
    checkout.write(
        source,
        "a(); /*@cond@*/ b();\nc(); /*@cond@*/ d(); /*@last@*/ e();\n",
    );
    checkout.check_refused(
        "Generators/CUDA_sources/wrong.idg:2: tag `last` can never be chosen: the alternatives of \
         `cond` are those of line 1",
    );
    checkout.write(source, "\n\na(); /*@no tag@*/\n");
    checkout.check_refused(
        "Generators/CUDA_sources/wrong.idg:3: `/*@` begins no tag; tags are letters and digits, as \
         in `/*@cond1@*/`",
    );
    fs::write(checkout.path().join(source), b"a();\nb(\xff);\n").unwrap();
    checkout.check_refused("Generators/CUDA_sources/wrong.idg:2: byte 0xff is not UTF-8");
}

#[test]
fn a_checkout_without_sources_is_refused() {
    let dir = TempDir::new().unwrap();
    fs::create_dir_all(dir.path().join("Generators/CUDA_sources")).unwrap();
    let error = suite::open(Some(dir.path())).unwrap_err().to_string();
    let root = dir.path().display();
    assert_eq!(
        error,
        format!("`{root}` is not a suite: there is no .idg file in `Generators/CUDA_sources`")
    );
    let missing = dir.path().join("elsewhere");
    let error = suite::open(Some(&missing)).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("cannot read `{root}/elsewhere`: No such file or directory (os error 2)")
    );
}

#[test]
fn ready_made_programs_have_their_labels_in_their_names() {
    let dir = TempDir::new().unwrap();
    for name in [
        "pull/pull_long_raceBug.cu",
        "pull/pull.cu",
        "other/scan_syncbug2.cu",
    ] {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "int main() {}\n").unwrap();
    }
    let suite = suite::open(Some(dir.path())).unwrap();
    let programs = suite
        .programs
        .iter()
        .map(|one| (one.name.as_str(), one.pattern.as_str(), one.label));
    assert_eq!(
        programs.collect::<Vec<_>>(),
        [
            ("pull", "pull", Label::Clean),
            ("pull_long_raceBug", "pull", Label::Racy),
            ("scan_syncbug2", "scan", Label::Racy),
        ]
    );
}
