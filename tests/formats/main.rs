//! Reports on programs of `tests/ui` in every machine-readable format: as expected, and valid
//! against the formats' schemas. `UPDATE_EXPECT=1` rewrites the expected reports.

use std::path::Path;
use std::sync::LazyLock;

use hirace::check::{self, RunOptions};
use hirace::config::{Config, Engine};
use hirace::error::{BuildStep, Error};
use hirace::model::Backend;
use hirace::options::ProgramOptions;
use hirace::report::{Failure, Report, github, html, json, junit, read, sarif, sources};
use hirace::table::Texts;
use hirace::toolchain::Output;
use jsonschema::Validator;
use serde_json::Value;
use xtask::ui::Program;

fn validator(schema: &str) -> Validator {
    // SARIF's schema has a bracket too many here, which makes the regular expression invalid.
    let schema = schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).expect("a schema is JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

static REPORT: LazyLock<Validator> =
    LazyLock::new(|| validator(include_str!("../../docs/report.schema.json")));
static SARIF: LazyLock<Validator> =
    LazyLock::new(|| validator(include_str!("schemas/sarif-2.1.0.json")));

static COMPILER_ARGUMENTS: LazyLock<Vec<String>> =
    LazyLock::new(|| ["-O0", "-g1"].map(str::to_owned).to_vec());

#[track_caller]
fn validate(schema: &Validator, text: &str) -> Value {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let errors: Vec<_> = schema
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    value
}

/// A program whose races are only possible ones to the state machine.
const POSSIBLE: &str = "half_warp_barrier";

/// The report on a UI program, as if it were in `/project`.
fn report(program: &Program) -> Report {
    let tree = program.tree().unwrap_or_else(|why| panic!("{why}"));
    let mut config = Config::builtin();
    if program.stem() == POSSIBLE {
        config.semantics.engine = Engine::Machine;
    }
    let built = check::build_tree(&tree, Backend::Cpu, &COMPILER_ARGUMENTS, &config);
    let built = built.unwrap_or_else(|error| panic!("{error}"));
    run(&built, &config).checked_in(Some(Path::new("/project")))
}

fn run(program: &check::Program, config: &Config) -> Report {
    let options = RunOptions {
        arguments: &[],
        seed: 0,
        jobs: Some(1),
        timeout: Some(120.0),
        block_order: None,
        output: Output::Discarded,
        control: &ProgramOptions::default(),
    };
    program.run(config, &options).expect("it runs")
}

#[track_caller]
fn check_report(name: &str, mut report: Report) {
    report.tool_version = "1.2.3".into();
    let text = json::render(&report);
    validate(&REPORT, &text);
    let back = read::parse("again", &text).expect("what was written can be read");
    assert_eq!(json::render(&back), text);
    expect(name, "json", &text);

    let log = sarif::render(&report);
    let mut log = validate(&SARIF, &log);
    // The rules are the same in all of them.
    let rules = log["runs"][0]["tool"]["driver"]["rules"].take();
    for result in log["runs"][0]["results"].as_array().expect("results") {
        let index = result["ruleIndex"].as_u64().expect("an index");
        assert_eq!(rules[index as usize]["id"], result["ruleId"]);
    }
    expect(name, "sarif", &format!("{log:#}\n"));
    expect(name, "xml", &junit::render(&report));
    expect(name, "github", &github::render(&report));
    let page = html::render(&report, &Texts::new());
    assert_eq!(html::render(&back, &Texts::new()), page);
    expect(name, "html.json", &format!("{:#}\n", data_of(&page)));
    // A report that was read back is written exactly as before.
    assert_eq!(sarif::render(&back), sarif::render(&report));
    assert_eq!(junit::render(&back), junit::render(&report));
    assert_eq!(github::render(&back), github::render(&report));
}

/// The data that the page's scripts draw.
#[track_caller]
fn data_of(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"report\">";
    let (_, rest) = page.split_once(begin).expect("the data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[track_caller]
fn expect(name: &str, format: &str, actual: &str) {
    let path = format!(
        "{}/tests/formats/expected/{name}.{format}",
        env!("CARGO_MANIFEST_DIR")
    );
    expect_test::expect_file![path].assert_eq(actual);
}

#[track_caller]
fn check(program: &str) {
    let program = Program::named(program).unwrap_or_else(|why| panic!("{why}"));
    let verdict = match program.stem() == POSSIBLE {
        true => "possible",
        false => program.expected.verdict.word(),
    };
    let name = format!("{verdict}_{}", program.stem());
    check_report(&name, report(&program));
}

#[test]
fn missing_block_barrier() {
    check("shared_memory/shared_struct");
}

#[test]
fn missing_warp_barrier() {
    check("warps/warp_reduction_no_syncwarp");
}

#[test]
fn different_blocks() {
    check("warps/monte_carlo_pi");
}

#[test]
fn atomic_and_plain() {
    check("atomics/atomic_and_plain_read");
}

#[test]
fn narrow_scope() {
    check("atomics/atomic_block_scope");
}

#[test]
fn several_races() {
    check("language/bits_and_plain_members");
}

#[test]
fn possible_race() {
    check("warps/half_warp_barrier");
}

#[test]
fn clean() {
    check("shared_memory/shared_struct.repaired");
}

#[test]
fn fault_with_two_places() {
    check("faults/divergent_barrier");
}

#[test]
fn fault_that_ended_the_run() {
    check("faults/global_past_end");
}

#[test]
fn fault_in_host_code() {
    check("faults/host_write");
}

#[test]
fn failure() {
    let failure = Failure::of_error(&Error::Compile {
        step: BuildStep::Compile,
        compiler: "c++".to_owned(),
        output: "a.cu:1:1: error: 100 % wrong, <that> & \u{1b}[31m\"this\"\u{1b}[0m\r\n".to_owned(),
    });
    check_report("failure", Report::failed(Some(Backend::Cpu), 7, failure));
}

/// A report with names of all characters that are special in some format.
#[test]
fn strange_names() {
    let known = include_str!("expected/race_shared_struct.json");
    let file = "dir, a/50% \"x\":<é>#[1].cu";
    let mut value: Value = serde_json::from_str(known).expect("JSON");
    let race = &mut value["races"][0];
    race["kernel"] = "f<int, (A & B)>::k\n".into();
    race["accesses"][1]["file"] = file.into();
    race["accesses"][1]["text"] = "p[i]<&q\\".into();
    let report = read::parse("strange", &value.to_string()).expect("a report");

    let log = validate(&SARIF, &sarif::render(&report));
    let result = &log["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
    let uri = "dir,%20a/50%25%20%22x%22%3A%3C%C3%A9%3E%23%5B1%5D.cu";
    assert_eq!(place["uri"], uri);
    let text = result["message"]["text"].as_str().expect("a text");
    assert!(text.contains("<é>#\\[1\\].cu:"), "{text}");

    let xml = junit::render(&report);
    let suites = quick_junit::Report::deserialize_from_str(&xml).expect("XML");
    let case = &suites.test_suites[0].test_cases[0];
    assert_eq!(case.extra["file"].as_str(), file);
    assert!(case.name.contains("p[i]<&q\\"), "{xml}");

    let annotation = github::render(&report);
    let (properties, message) = annotation.split_at(annotation.rfind("::").expect("two"));
    let escaped = "file=dir%2C a/50%25 \"x\"%3A<é>#[1].cu,line=";
    assert!(
        properties.starts_with(&format!("::error {escaped}")),
        "{annotation}"
    );
    assert_eq!(message.lines().count(), 1);
    assert!(annotation.contains("f<int, (A & B)>::k%0A"), "{annotation}");
}

#[test]
fn a_page_loads_nothing_and_holds_its_sources() {
    let files = ["examples/block_sum.cu".into()];
    let config = Config::builtin();
    let built = check::build(&files, Backend::Cpu, &COMPILER_ARGUMENTS, &config);
    let mut report = run(&built.expect("it compiles"), &config);
    let texts = sources::find(&mut report).texts;
    let page = html::render(&report, &texts);
    let data = data_of(&page);
    let file = &data["files"][0];
    assert_eq!(file["name"], "examples/block_sum.cu");
    let text = include_str!("../../examples/block_sum.cu");
    assert_eq!(file["text"], text);
    let site = &data["findings"][0]["sites"][0];
    assert_eq!(site["length"], "s_sum[t + stride]".len());

    // The only address on the page is the name of an XML namespace.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for loading in [
        "http:", "https:", "src=", "@import", "url(", "import(", "fetch(",
    ] {
        assert!(!page.contains(loading), "{loading}");
    }
    assert!(page.contains("content=\"default-src 'none'; script-src 'sha256-"));
    assert_eq!(page.matches("<script").count(), 2);
}

#[test]
fn names_are_no_markup_in_a_page() {
    let known = include_str!("expected/race_shared_struct.json");
    let attack = "</script><!-- <b>&amp; \u{2028}\u{2029}\\u003c {part}";
    let mut value: Value = serde_json::from_str(known).expect("JSON");
    let race = &mut value["races"][0];
    race["kernel"] = attack.into();
    race["accesses"][1]["file"] = attack.into();
    race["accesses"][1]["text"] = attack.into();
    let report = read::parse("strange", &value.to_string()).expect("a report");
    let texts = Texts::from([(attack.to_owned(), attack.repeat(2))]);
    let page = html::render(&report, &texts);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains(['\u{2028}', '\u{2029}']));
    assert!(!page.contains("<b>") && !page.contains("&amp;"));
    let data = data_of(&page);
    assert_eq!(data["findings"][0]["kernel"], attack);
    assert_eq!(data["files"][1]["text"], attack.repeat(2));
}

#[test]
fn what_is_suppressed_is_marked_in_sarif() {
    let known = include_str!("expected/race_shared_struct.json");
    let mut value: Value = serde_json::from_str(known).expect("JSON");
    let race = value["races"][0].take();
    value["races"] = serde_json::json!([]);
    value["suppressed"] = serde_json::json!([{
        "fingerprint": race["fingerprint"],
        "code": "HR001",
        "kernel": "k",
        "variable": "v",
        "file": "a.cu",
        "line": 3,
        "occurrences": 2,
        "by": "known.supp:7",
    }]);
    let report = read::parse("suppressed", &value.to_string()).expect("a report");
    let log = validate(&SARIF, &sarif::render(&report));
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["suppressions"][0]["kind"], "external");
    assert_eq!(
        result["suppressions"][0]["justification"],
        "suppressed by known.supp:7"
    );
    assert_eq!(
        result["message"]["text"],
        "missing block barrier on `v` in kernel `k`"
    );
    assert_eq!(
        result["partialFingerprints"]["hirace/v1"],
        race["fingerprint"]
    );
    assert_eq!(github::render(&report), "");
}

#[test]
fn rules_are_there_for_every_code() {
    let report = Report::failed(None, 0, Failure::default());
    let log = validate(&SARIF, &sarif::render(&report));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array();
    let rules = rules.expect("rules");
    let codes: Vec<_> = hirace::explain::list()
        .lines()
        .map(|line| line[..5].to_owned())
        .collect();
    assert_eq!(rules.len(), codes.len());
    for (rule, code) in rules.iter().zip(&codes) {
        assert_eq!(rule["id"], **code);
        let page = hirace::explain::page(code).expect("a page");
        assert_eq!(rule["help"]["markdown"], page);
        for text in ["/shortDescription/text", "/fullDescription/text", "/name"] {
            let text = rule.pointer(text).and_then(Value::as_str);
            assert!(text.is_some_and(|it| !it.is_empty()), "{rule}");
        }
    }
}

/// The schema must also reject what is not a report.
#[test]
fn the_schema_rejects_what_is_no_report() {
    let report = Report::failed(Some(Backend::Cpu), 0, Failure::default());
    let good: Value = serde_json::from_str(&json::render(&report)).expect("JSON");
    assert!(REPORT.is_valid(&good));
    for (key, value) in [
        ("schema", "hirace-report/2".into()),
        ("schema_version", "2.0".into()),
        ("seed", (-1).into()),
        ("status", "sunny".into()),
        ("races", serde_json::json!([{ "code": "HR001" }])),
        ("backend", "tpu".into()),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        assert!(!REPORT.is_valid(&bad), "{bad}");
    }
    for key in ["schema", "schema_version", "summary", "faults", "sources"] {
        let mut bad = good.clone();
        bad.as_object_mut().expect("an object").remove(key);
        assert!(!REPORT.is_valid(&bad), "without {key}");
    }
}
