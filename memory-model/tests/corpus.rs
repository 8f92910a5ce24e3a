//! The corpus: each test with its expected verdict, and the reason for it.

use std::path::{Path, PathBuf};

use hirace_memory_model::{litmus, models, verdict};

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut open = vec![root];
    let mut files = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "litmus") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn verdicts_are_as_argued() {
    let model = models::shipped("ptx").expect("the model");
    let mut wrong = Vec::new();
    let files = files();
    for path in &files {
        let name = path.file_stem().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(path).expect("a file");
        let test = match litmus::parse(&name, &text) {
            Ok(test) => test,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let expected = test
            .comments
            .iter()
            .find_map(|it| it.strip_prefix("expect: "));
        let expected = expected.unwrap_or_else(|| panic!("{name} has no `expect: …`"));
        let found = verdict::judge(&test, &name, &text, &model, &verdict::Settings::default());
        let said = match found {
            Ok(found) => {
                let mut said = vec![if found.holds { "holds" } else { "fails" }];
                said.extend(found.race.then_some("race"));
                said.extend(found.may_hang.then_some("may hang"));
                said.join(", ")
            }
            Err(error) => error.to_string(),
        };
        if said != expected {
            wrong.push(format!("{name}: expected `{expected}`, got `{said}`"));
        }
    }
    assert!(
        wrong.is_empty(),
        "of {}:\n{}",
        files.len(),
        wrong.join("\n")
    );
}
