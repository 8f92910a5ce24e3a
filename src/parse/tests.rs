//! The pre-pass, seen from outside.

use expect_test::{Expect, expect};

use super::condition::Defines;
use super::prepass::Prepass;
use super::qualifier::{AliasSource, Aliases};
use super::tree::Tree;

fn run(source: &str, defines: &Defines) -> Prepass {
    let plain = Prepass::run(source, defines, &Aliases::default());
    let definitions = plain.directives.macros.iter().map(|it| AliasSource {
        name: &it.name,
        has_parameters: it.parameters.is_some(),
        body: &source[it.body.clone()],
    });
    Prepass::run(source, defines, &Aliases::find(definitions))
}

#[track_caller]
fn check(source: &str, arguments: &[&str], expect: Expect) {
    let pass = run(source, &Defines::from_arguments(arguments));
    assert_eq!(pass.text.len(), source.len());
    let text = String::from_utf8(pass.text).expect("the pre-pass keeps UTF-8");
    assert_eq!(text.matches('\n').count(), source.matches('\n').count());
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    expect.assert_eq(&lines.join("\n"));
}

#[test]
fn dump() {
    if let Ok(path) = std::env::var("DUMP") {
        let source = std::fs::read_to_string(path).unwrap();
        let pass = run(&source, &Defines::new());
        let tree = Tree::parse(&pass.text, 0);
        for node in tree
            .root()
            .descendants()
            .filter(|it| it.has_error() && !it.children().any(|it| it.has_error()))
        {
            let line = source[..node.start()].matches('\n').count() + 1;
            let masked = String::from_utf8_lossy(&pass.text);
            let l = masked.lines().nth(line - 1).unwrap_or("");
            println!(
                "L{line} {:?} {:?}  || {l}",
                node.kind(),
                node.text(&source).chars().take(60).collect::<String>()
            );
        }
    }
    check("", &[], expect![""]);
}
