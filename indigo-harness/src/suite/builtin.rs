//! The suite that comes with hirace: six patterns of graph codes, with and without planted bugs.
//!
//! `docs/indigo-suite.md` describes the programs, their names and their exit statuses. `plan.rs`
//! lists them; their texts are in `suite/`. `tests/builtin` checks the labels.

mod plan;
mod template;

use std::path::Path;

use self::plan::Variant;
use self::template::{Tags, Templates};
use super::naming::{self, Named};
use super::{Program, Suite};
use crate::error::Result;

/// The exit status of a program that cannot run in the given shape.
pub const UNFIT: i32 = 3;

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../suite/", $name, ".cu")))),*]
    };
}

const TEMPLATES: Templates = templates![
    "atomic_max",
    "barrier",
    "barrier_or_bug",
    "best",
    "best_in_turn",
    "combine",
    "conditional_edge",
    "conditional_vertex",
    "edges",
    "finish",
    "inputs",
    "lanes_in_turn",
    "leader",
    "path_compression",
    "program",
    "pull",
    "push",
    "slots",
    "slots_again",
    "vertices",
    "worklist",
];

/// The built-in suite.
///
/// # Errors
/// None: tests would find any.
pub fn suite() -> Result<Suite> {
    let programs = plan::variants().iter().map(program).collect();
    Suite::new("built-in".into(), programs, Path::new("suite"))
}

fn program(variant: &Variant) -> Program {
    let mut name = format!("{}_{}", variant.pattern, variant.granularity);
    let tags: Tags<'_> = variant.tags().collect();
    let bugs: Tags<'_> = variant.bug.into_iter().collect();
    for tag in variant.options().chain(variant.bug) {
        name.push('_');
        name.push_str(tag);
    }
    let bugs_of_name: Vec<String> = bugs.iter().map(ToString::to_string).collect();
    let named = Named {
        pattern: variant.pattern.to_owned(),
        options: std::iter::once(variant.granularity)
            .chain(variant.options())
            .map(str::to_owned)
            .collect(),
        label: naming::label(&bugs_of_name),
        bugs: bugs_of_name,
    };
    let text = template::expand(TEMPLATES, "program", &tags, &bugs);
    Program::new(name, named, text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::suite::Label;

    #[test]
    fn every_choice_makes_a_text_of_its_own() {
        let suite = suite().unwrap();
        let texts: BTreeSet<&str> = suite.programs.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts.len(), suite.programs.len());
    }

    /// A misspelt word would be a tag that is never chosen.
    #[test]
    fn conditions_ask_for_tags_that_some_program_has() {
        let variants = plan::variants();
        let known: Tags<'_> = variants.iter().flat_map(Variant::tags).collect();
        for (name, text) in TEMPLATES {
            for word in template::words(text) {
                assert!(known.contains(word), "{name}.cu asks for `{word}`");
            }
        }
    }

    #[test]
    fn planted_bugs_are_marked_and_named() {
        for program in suite().unwrap().programs {
            let marked = program.text.contains("// BUG: ");
            assert_eq!(marked, !program.bugs.is_empty(), "{}", program.name);
            let clean =
                matches!(program.bugs.as_slice(), [] | [_]) && program.label == Label::Clean;
            assert_eq!(clean, !program.bugs.iter().any(|it| it != "boundsBug"));
            let named = Named::of_file(&program.name, &program.pattern);
            assert_eq!(named.pattern, program.pattern);
            assert_eq!(named.options, program.options);
            assert_eq!(named.bugs, program.bugs);
            assert_eq!(named.label, program.label);
        }
    }
}
