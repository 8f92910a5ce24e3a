//! Hiding findings: suppression files, baselines and comments.

use crate::harness::{RACY, Sandbox};

/// Two kernels that race, each on its own variable.
const TWO: &str = "\
__global__ void first(int* left) { *left = blockIdx.x; }
__global__ void second(int* right) { *right = blockIdx.x; }

int main() {
  int *a, *b;
  cudaMalloc(&a, sizeof(int));
  cudaMalloc(&b, sizeof(int));
  first<<<2, 1>>>(a);
  second<<<2, 1>>>(b);
  return cudaDeviceSynchronize();
}
";

#[test]
fn what_is_suppressed_is_counted_and_not_shown() {
    let sandbox = Sandbox::with(TWO)
        .file("one.supp", "# known\nkernel:first code:HR006\n")
        .file("two.supp", "variable:rig*  # the rest\n");
    let outcome = sandbox.check(&["a.cu", "--suppressions", "one.supp"]);
    outcome
        .ends_with(1)
        .is_silent_on("kernel `first`")
        .says("kernel `second`")
        .says("hirace: 1 race (1 occurrence); 2 kernel launches and 4 accesses checked; 1 finding suppressed");

    let both = [
        "a.cu",
        "--suppressions",
        "one.supp",
        "--suppressions",
        "two.supp",
    ];
    sandbox
        .check(&both)
        .ends_with(0)
        .says("no other race found")
        .says("2 findings suppressed");
    let json = sandbox.check(&[&both[..], &["--format", "json"]].concat());
    let report = json.ends_with(0).json();
    assert_eq!(report["status"], "clean");
    assert_eq!(report["summary"]["races"], 0);
    assert_eq!(report["summary"]["suppressed"], 2);
    let hidden = &report["suppressed"];
    assert_eq!(hidden[0]["kernel"], "first");
    assert_eq!(hidden[0]["by"], "one.supp:2");
    assert_eq!(hidden[1]["variable"], "right");
    assert_eq!(hidden[1]["by"], "two.supp:1");
}

#[test]
fn the_configuration_names_files_beside_it() {
    let sandbox = Sandbox::new()
        .file("deep/a.cu", TWO)
        .file("hirace.toml", "[report]\nsuppressions = [\"known.supp\"]\n")
        .file("known.supp", "file:a.cu\n");
    sandbox
        .check(&["deep/a.cu"])
        .ends_with(0)
        .says("2 findings suppressed");
}

#[test]
fn suppressions_without_use_are_told() {
    let sandbox = Sandbox::with(RACY).file("s", "kernel:all_write\n\n  kernel:all_writ\n");
    sandbox
        .check(&["a.cu", "--suppressions", "s"])
        .ends_with(0)
        .says("warning: s:3:3: the suppression `kernel:all_writ` matched nothing")
        .is_silent_on("s:1:1");
}

#[test]
fn mistakes_have_a_position() {
    let sandbox = Sandbox::with(RACY)
        .file("s", "# known\nkernel:a kernal:all_write\n")
        .file("r.json", "earlier");
    sandbox
        .check(&[
            "a.cu",
            "--suppressions",
            "s",
            "--format",
            "human",
            "--write-baseline",
            "r.json",
        ])
        .ends_with(2)
        .says("[s:2:10]")
        .says("bad suppression: `kernal` is not a type of suppression")
        .says("the types are `code`, `kernel`, `file`");
    assert_eq!(sandbox.read("r.json"), "earlier");
    sandbox
        .check(&["a.cu", "--suppressions", "missing"])
        .ends_with(2)
        .says("cannot read `missing`");
}

#[test]
fn a_baseline_hides_what_was_found_and_nothing_else() {
    let text = RACY.replace("&out, sizeof(int)", "&out, 8");
    let sandbox = Sandbox::with(&text);
    sandbox
        .check(&["a.cu", "--write-baseline", "known"])
        .ends_with(1)
        .says("data race on global `out`");
    assert!(sandbox.read("known").contains(
        "# HR006: same location written by several threads, variable out, kernel all_write, \
         `*out` in a.cu\nfingerprint:"
    ));
    let known = ["a.cu", "--suppressions", "known"];
    sandbox.check(&known).ends_with(0);

    // Moved lines, and one more race.
    let grown = text.replace("  *out =", "  out[1] = blockIdx.x;\n  *out =");
    let sandbox = sandbox.file("a.cu", format!("// a line more\n{grown}"));
    sandbox
        .check(&known)
        .ends_with(1)
        .says("hirace: 1 race (1 occurrence)")
        .says("out[1]")
        .says("1 finding suppressed");

    // Written again, the file has both, although it is one of the suppression files.
    sandbox
        .check(&[&known[..], &["--write-baseline", "known"]].concat())
        .ends_with(1)
        .says("hirace: 2 races");
    sandbox.check(&known).ends_with(0);
}

#[test]
fn a_check_that_did_not_go_through_leaves_the_baseline_alone() {
    // One that checks its own results has run to its end.
    let judged = RACY.replace("  cudaFree(out);", "  return 3;");
    let sandbox = Sandbox::with(judged);
    sandbox
        .check(&["a.cu", "--write-baseline", "known"])
        .ends_with(1)
        .says("the program also ended with status 3");
    assert!(sandbox.read("known").contains("fingerprint:"));

    let killed = RACY.replace("  cudaFree(out);", "  std::abort();");
    let sandbox = Sandbox::with(format!("#include <cstdlib>\n{killed}")).file("known", "earlier");
    sandbox
        .check(&["a.cu", "--write-baseline", "known"])
        .ends_with(1)
        .says("the baseline was not written");
    assert_eq!(sandbox.read("known"), "earlier");
    sandbox
        .check(&["a.cu", "--write-baseline", "missing/known"])
        .ends_with(2)
        .says("cannot write");
}

#[test]
fn what_ended_the_run_cannot_be_suppressed() {
    let text = RACY.replace("*out = blockIdx.x;", "__trap();");
    let sandbox = Sandbox::with(text).file("s", "code:HF*\n");
    let report = sandbox
        .check(&["a.cu", "--suppressions", "s", "--format", "json"])
        .ends_with(1)
        .json();
    assert_eq!(report["status"], "faults");
    assert_eq!(report["summary"]["suppressed"], 0);
    assert_eq!(report["faults"][0]["code"], "HF006");
}

#[test]
fn comments_in_the_source_hide_what_is_found_at_their_lines() {
    let commented = TWO
        .replace(
            "blockIdx.x; }\n__global__ void second",
            "blockIdx.x; }  // hirace: suppress HR006: any of the values will do\n\
             // hirace: suppress-function\n__global__ void second",
        )
        .replace(
            "int main() {",
            "// hirace: suppress-next-line HR001\nint main() {",
        );
    let sandbox = Sandbox::with(&commented);
    let outcome = sandbox.check(&["a.cu", "--format", "human", "--format", "json"]);
    outcome
        .ends_with(0)
        .is_silent_on("a.cu:1:")
        .is_silent_on("a.cu:2:")
        .says(
            "warning: a.cu:5:1: the suppression `hirace: suppress-next-line HR001` matched nothing",
        )
        .says("no other race found")
        .says("2 findings suppressed");
    let report = outcome.json();
    assert_eq!(report["suppressed"][0]["by"], "a.cu:1");
    assert_eq!(report["suppressed"][0]["in_source"], true);
    assert_eq!(report["suppressed"][1]["by"], "a.cu:2");
    // Unlike ignored code, they are checked.
    assert_eq!(report["summary"]["accesses"], 4);
    assert_eq!(report["switched_off"], serde_json::json!([]));
    let sarif = sandbox.check(&["a.cu", "--format", "sarif"]).json();
    let hidden = &sarif["runs"][0]["results"][0]["suppressions"][0];
    assert_eq!(hidden["kind"], "inSource");

    // A program that stops at its first finding still shows it.
    sandbox
        .check(&["a.cu", "--halt-on-error"])
        .ends_with(1)
        .says("kernel `first`")
        .says("note: comments with `hirace: suppress` hide nothing under `halt_on_error`");
}

#[test]
fn comments_that_hide_nothing() {
    for (comment, says) in [
        ("suppress HR004", "`hirace: suppress HR004` matched nothing"),
        ("suppress HR999", "there is no code `HR999`"),
        ("supress", "`hirace: supress` is unknown"),
        (
            "suppress-next-line",
            "`hirace: suppress-next-line` matched nothing",
        ),
    ] {
        let racy = "*out = blockIdx.x;";
        let text = RACY.replace(racy, &format!("{racy}  // hirace: {comment}"));
        Sandbox::with(text)
            .check(&["a.cu"])
            .ends_with(1)
            .says("data race on global `out`")
            .says(says);
    }
    let text = format!("{RACY}// hirace: suppress-function\n");
    Sandbox::with(text)
        .check(&["a.cu"])
        .ends_with(1)
        .says("`hirace: suppress-function` has no effect: no function follows");
}

#[test]
fn reports_that_were_written_earlier() {
    let sandbox = Sandbox::with(TWO).file("one.supp", "kernel:first\n");
    let check = ["a.cu", "--format", "json", "--output", "r.json"];
    sandbox.check(&check).ends_with(1);
    let known = ["report", "r.json", "--suppressions", "one.supp"];
    let outcome = sandbox.run(&known);
    let text = &outcome.ends_with(0).stdout;
    assert!(!text.contains("kernel `first`"), "{text}");
    assert!(text.contains("hirace: 1 race (1 occurrence)"), "{text}");
    assert!(text.contains("; 1 finding suppressed"), "{text}");

    sandbox
        .run(&["report", "r.json", "--write-baseline", "all.supp"])
        .ends_with(0);
    let diff = ["report", "--diff", "r.json", "r.json"];
    let outcome = sandbox.run(&[&diff[..], &["--suppressions", "all.supp"]].concat());
    let text = &outcome.ends_with(0).stdout;
    assert!(
        text.contains("0 new, 0 no longer found, 0 found before"),
        "{text}"
    );
    sandbox
        .run(&["report", "r.json", "--suppressions", "missing"])
        .ends_with(2)
        .says("cannot read `missing`");
}
