//! Monitored, not monitored and switched off: all the places that report it.

use expect_test::expect;

use crate::harness::{CLEAN, RACY, Sandbox};

/// Accesses that are monitored, private, and not monitored: in a library function, and in a kernel
/// that does not parse.
const MIXED: &str = "\
#include <algorithm>
__global__ void k(int* a, int* ready) {
  int i = threadIdx.x;
  a[i] = i;
  std::fill_n(ready, 1, 1);
}
__global__ void odd(int* a) { a[0] = = 1; }
";

#[test]
fn of_a_tree() {
    let sandbox = Sandbox::new()
        .file("p/a.cu", MIXED)
        .file("p/b.cu", CLEAN)
        .file("p/host.cpp", "int f(int* p) { return *p; }\n")
        .file("p/broken.cu", "__global__ void k(int* a) { a[0] = 1;\n");
    let outcome = sandbox.run(&["instrument", "--coverage", "p"]);
    expect![[r#"
        file         functions  untouched  monitored  private  switched off  not monitored   share
        p/a.cu               2          1          1        4             0              2  33.3 %
        p/b.cu               1          0          1        1             0              0   100 %
        p/broken.cu          0          0          0        0             0              1     0 %
        all files            3          1          2        5             0              3    40 %

        not monitored:
          p/a.cu:5: `fill_n` is not part of the project, so its accesses are not checked (1 access)
          p/a.cu:7: kernel `odd` contains syntax that hirace cannot parse (line 7, column 38) (1 access)
          p/broken.cu:1: this brace is never closed (1 access)
    "#]]
    .assert_eq(&outcome.ends_with(0).stdout);
    // Nothing was written.
    assert!(!sandbox.path("hirace-out").exists());

    let json = sandbox.run(&["instrument", "--coverage", "--format", "json", "p"]);
    let json = json.ends_with(0).json();
    assert_eq!(json["schema"], "hirace-coverage/1");
    assert_eq!(json["total"]["percent"], 40.0);
    assert_eq!(json["files"][0]["file"], "p/a.cu");
    assert_eq!(json["files"][0]["coverage"]["untouched"], 1);
    assert_eq!(json["files"][0]["not_monitored"][0]["accesses"], 1);
    assert_eq!(json["files"][1]["not_monitored"], serde_json::json!([]));
}

#[test]
fn nothing_monitored() {
    let sandbox = Sandbox::with("int main() { return 0; }\n");
    sandbox
        .run(&["instrument", "--coverage", "a.cu"])
        .ends_with(2)
        .says("nothing monitored");
    sandbox
        .run(&["instrument", "--format", "json", "a.cu"])
        .ends_with(2)
        .says("--coverage");
}

#[test]
fn in_reports() {
    let text = format!(
        "{CLEAN}{}",
        MIXED.replace("odd(int* a)", "odd(int* a) /* x */")
    );
    let sandbox = Sandbox::with(text.replace("= = 1", "= 1"));
    sandbox
        .check(&["a.cu"])
        .ends_with(0)
        .says("coverage: 75 % of 4 accesses in device code are monitored, 1 not monitored");
    let json = sandbox.check(&["a.cu", "--format", "json"]).json();
    assert_eq!(json["coverage"]["monitored"], 3);
    assert_eq!(json["coverage"]["percent"], 75.0);
}

#[test]
fn comments_leave_code_out() {
    // One of two accesses: the other still races.
    let two = RACY.replacen(
        "*out = blockIdx.x;",
        "*out = blockIdx.x;\n  out[0] = 1; ",
        1,
    );
    let sandbox = Sandbox::with(two.replacen("blockIdx.x;\n", "0;  // hirace: ignore\n", 1));
    sandbox
        .check(&["a.cu"])
        .ends_with(1)
        .says("switched off (1 place): a.cu:2: `*out` (1 access), by a comment")
        .says("coverage: 50 % of 2 accesses in device code are monitored, 1 switched off")
        .says("hirace: 1 race (1 occurrence)");
    // A launch.
    let launch = RACY.replacen("(out);", "(out);  // hirace: ignore", 1);
    Sandbox::with(&launch)
        .check(&["a.cu"])
        .ends_with(2)
        .says("nothing monitored: the configuration, a comment or an option leaves out");
    // An atomic operation, which still orders what others access.
    let atomic = RACY.replacen(
        "*out = blockIdx.x;",
        "if (blockIdx.x == 0) *out = 1;\n  else atomicAdd(out, 1);",
        1,
    );
    let ignored = atomic.replacen("(out, 1);", "(out, 1);  // hirace: ignore", 1);
    Sandbox::with(&atomic)
        .check(&["a.cu"])
        .ends_with(1)
        .says("HR004");
    Sandbox::with(&ignored)
        .check(&["a.cu"])
        .ends_with(0)
        .says("no race found");
    // There is nothing else.
    let alone = RACY.replacen(
        "*out = blockIdx.x;",
        "atomicAdd(out, 1);  // hirace: ignore\n ",
        1,
    );
    let none = "nothing monitored: the configuration or a comment leaves out every access";
    Sandbox::with(&alone)
        .check(&["a.cu"])
        .ends_with(2)
        .says(none);
    // A mistake is reported and has no other effect.
    let misspelt = RACY.replacen("blockIdx.x;", "blockIdx.x;  // hirace: ingore", 1);
    let sandbox = Sandbox::with(misspelt);
    let warning = "a.cu:2:23: `hirace: ingore` is unknown";
    sandbox.check(&["a.cu"]).ends_with(1).says(warning);
    sandbox
        .run(&["instrument", "a.cu"])
        .ends_with(0)
        .says(warning);
}

#[test]
fn the_configuration_leaves_code_out() {
    let text =
        format!("{RACY}__global__ void other(int* out, int* log) {{ *out = 1; *log = 2; }}\n");
    let launches = "all_write<<<2, 1>>>(out);\n  other<<<2, 1>>>(out, out + 1);";
    let text = text.replacen("all_write<<<2, 1>>>(out);", launches, 1);
    let text = format!("__global__ void other(int* out, int* log);\n{text}");
    let config = "[[kernel]]\nname = \"oth*\"\nexclude-variables = [\"log\"]\nblocks = \"1..1\"\n";
    let sandbox = Sandbox::with(text).file("hirace.toml", config).file(
        "one.toml",
        format!("[monitor]\nexclude-kernels = [\"all_*\"]\n{config}"),
    );
    sandbox
        .check(&["a.cu"])
        .ends_with(1)
        .says("a.cu:10: kernel `other`: only block 1 is checked, by the configuration")
        .says("variable `log` in `other` (1 access), by the configuration")
        .says("hirace: 1 race (1 occurrence); 2 kernel launches and 3 accesses checked");
    // Its twin: the racy kernel is left out.
    sandbox
        .check(&["a.cu", "--config", "one.toml"])
        .ends_with(0)
        .says("a.cu:9: kernel `all_write`: nothing is checked, by the configuration")
        .says("no race found; 2 kernel launches and 1 access checked");
}

#[test]
fn patterns_that_match_nothing() {
    let config = "[monitor]\nkernels = [\"all_*\", \"typo\"]\nexclude-variables = [\"ou[t]\"]\n";
    let sandbox = Sandbox::with(RACY).file("hirace.toml", config);
    let outcome = sandbox.run(&["instrument", "--coverage", "a.cu"]);
    outcome.says("hirace.toml:2:21: the pattern `typo` matches nothing");
    assert_eq!(outcome.stderr.matches("matches nothing").count(), 1);
}
