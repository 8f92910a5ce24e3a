//! The machine in Murphi, for an independent proof by a model checker.

use crate::alphabet::{Access, Relation, State, Sync};
use crate::check::Shape;
use crate::fields::{Fields, Masks};
use crate::table::{Table, Transition};

/// The parts of a complete model.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The text of `murphi/driver.m`, the frame for the machine.
    pub driver: &'a str,
    /// The text of `murphi/cover.m`, or none for plain Murphi: only rumur knows `cover`.
    pub cover: Option<&'a str>,
    /// The transitions.
    pub table: &'a Table,
    /// The fields that each state keeps.
    pub masks: &'a Masks,
    /// The grid.
    pub shape: Shape,
    /// Whether shadow words keep only the fields that their state keeps.
    pub masked: bool,
    /// Whether the driver drops accesses that others make irrelevant.
    pub forgetful: bool,
}

impl Model<'_> {
    /// The text of the model.
    ///
    /// # Panics
    /// If the driver is not the text of `murphi/driver.m`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.driver.to_owned();
        for (name, value) in [
            ("BLOCKS", self.shape.blocks()),
            ("WARPS", self.shape.warps_per_block()),
            ("THREADS", self.shape.threads_per_warp()),
            ("MASKED", self.masked.into()),
            ("FORGETFUL", self.forgetful.into()),
        ] {
            set_constant(&mut text, name, value);
        }
        replace(&mut text, "--include types\n", &types());
        let functions = functions(self.table, self.masks);
        replace(&mut text, "--include functions\n", &functions);
        if let Some(cover) = self.cover {
            text.push('\n');
            text += cover;
            text.push('\n');
            text += &states_are_reached();
        }
        text
    }
}

fn set_constant(text: &mut String, name: &str, value: usize) {
    let start = format!("\n  {name}: ");
    let at = text
        .find(&start)
        .unwrap_or_else(|| panic!("the driver has no constant {name}"))
        + start.len();
    let length = text[at..]
        .find(';')
        .unwrap_or_else(|| panic!("the constant {name} has no end"));
    text.replace_range(at..at + length, &value.to_string());
}

fn replace(text: &mut String, marker: &str, with: &str) {
    assert_eq!(text.matches(marker).count(), 1, "{marker:?} in the driver");
    *text = text.replace(marker, with);
}

/// The enumerations. The states have the paper's names. Enumerators share one namespace in Murphi,
/// so the others are prefixed with their type's name.
fn types() -> String {
    [
        enumeration("State", &State::ALL.map(state)),
        enumeration("Access", &Access::ALL.map(access)),
        enumeration("Sync", &Sync::ALL.map(sync)),
        enumeration("Relation", &Relation::ALL.map(relation)),
    ]
    .concat()
}

fn enumeration(name: &str, enumerators: &[String]) -> String {
    format!(
        "type {name}: enum {{\n{}\n}};\n",
        wrap("  ", enumerators, "")
    )
}

fn state(state: State) -> String {
    state.name().to_owned()
}

fn access(access: Access) -> String {
    format!("access_{}", access.identifier())
}

fn sync(sync: Sync) -> String {
    format!("sync_{}", sync.identifier())
}

fn relation(relation: Relation) -> String {
    format!("relation_{}", relation.identifier())
}

fn functions(table: &Table, masks: &Masks) -> String {
    let mut text = function(
        "-- The state after an access.",
        "next_state(state: State; access: Access; sync: Sync; relation: Relation): State",
        &next_state(table),
    );
    for (field, name) in Fields::EACH {
        text.push('\n');
        text += &function(
            &format!("-- Whether a word in this state keeps its field {name}."),
            &format!("keeps_{name}(state: State): boolean"),
            &choose("state", &State::ALL, state, |at| {
                vec![format!("return {};", masks.keep(at).contains(field))]
            }),
        );
    }
    text
}

fn function(comment: &str, head: &str, body: &[String]) -> String {
    let body: String = body.iter().map(|line| format!("  {line}\n")).collect();
    format!("{comment}\nfunction {head};\nbegin\n{body}endfunction;\n")
}

fn next_state(table: &Table) -> Vec<String> {
    choose("state", &State::ALL, state, |state| {
        choose("access", &Access::ALL, access, |access| {
            choose("relation", &Relation::ALL, relation, |relation| {
                choose("sync", &Sync::ALL, sync, |sync| {
                    let next = table.next(Transition {
                        state,
                        access,
                        sync,
                        relation,
                    });
                    vec![format!("return {next};")]
                })
            })
        })
    })
}

/// The lines of a switch with one case per distinct set of lines, or only those lines if they are
/// the same for all values.
fn choose<T: Copy>(
    subject: &str,
    values: &[T],
    name: impl Fn(T) -> String,
    lines: impl Fn(T) -> Vec<String>,
) -> Vec<String> {
    let mut cases: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for &value in values {
        let lines = lines(value);
        match cases.iter_mut().find(|(_, others)| *others == lines) {
            Some((names, _)) => names.push(name(value)),
            None => cases.push((vec![name(value)], lines)),
        }
    }
    if let [(_, lines)] = cases.as_slice() {
        return lines.clone();
    }
    let mut switch = vec![format!("switch {subject}")];
    for (names, lines) in cases {
        let labels = wrap("case ", &names, ":");
        match (labels.contains('\n'), lines.as_slice()) {
            (false, [line]) => switch.push(format!("{labels} {line}")),
            (_, lines) => {
                switch.extend(labels.lines().map(str::to_owned));
                switch.extend(lines.iter().map(|line| format!("  {line}")));
            }
        }
    }
    switch.push("endswitch;".to_owned());
    switch
}

/// A list separated by commas, six to a line.
fn wrap(before: &str, names: &[String], after: &str) -> String {
    let lines: Vec<_> = names.chunks(6).map(|names| names.join(", ")).collect();
    let indent = " ".repeat(before.len());
    format!("{before}{}{after}", lines.join(&format!(",\n{indent}")))
}

/// Properties in rumur's dialect that the check reaches each state.
fn states_are_reached() -> String {
    State::ALL
        .map(|state| format!("cover \"{state}\" word.state = {state};\n"))
        .concat()
}
