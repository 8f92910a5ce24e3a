//! The table of supported instructions. An instruction that it does not have is refused, and
//! `docs/ptx.md` lists its forms; a test shows that each has a translation.
//!
//! A form is written as in the PTX ISA: `{.a}` may be missing, `a|b` is a choice, `<int>` is one of a
//! set of types ([`SETS`]). After a blank follow example operands, for the test: registers, of which those
//! that begin with `p` or `q` are predicates.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::syntax::{Instruction, list};

/// Names for alternatives.
pub const SETS: [(&str, &str); 10] = [
    ("int", "u16|u32|u64|s16|s32|s64"),
    ("bits", "b16|b32|b64"),
    ("float", "f32|f64"),
    ("half", "f16|bf16|f16x2|bf16x2"),
    (
        "type",
        "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64",
    ),
    (
        "space",
        "global|shared|shared::cta|shared::cluster|local|param|param::entry|param::func|const",
    ),
    ("shared", "global|shared|shared::cta|shared::cluster"),
    ("scope", "cta|cluster|gpu|sys"),
    (
        "columns",
        "8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256",
    ),
    // Any number of them, which change nothing.
    (
        "hint",
        "L1::evict_last|L1::evict_first|L1::evict_normal|L1::evict_unchanged|L1::no_allocate|L2::cache_hint|L2::64B|L2::128B|L2::256B",
    ),
];

/// A part of the table, and its forms.
pub type Group = (&'static str, &'static [&'static str]);

/// All forms.
pub const TABLE: &[Group] = &[
    ("Integers", super::table_forms::INTEGERS),
    ("Numbers of 32 and 64 bits", super::table_forms::FLOATS),
    ("Numbers of 16 bits", super::table_forms::HALVES),
    ("Conversions and moves", super::table_forms::MOVES),
    ("Predicates", super::table_forms::PREDICATES),
    ("Memory", super::table_forms::MEMORY),
    ("Asynchronous copies", super::table_forms::COPIES),
    ("Synchronisation", super::table_forms::ORDER),
    ("Matrices", super::table_forms::MATRICES),
    ("Warps", super::table_forms::WARPS),
    ("Control", super::table_forms::CONTROL),
    ("Others", super::table_forms::OTHERS),
];

/// A modifier, or one of several.
struct Modifier {
    optional: bool,
    words: Vec<String>,
    repeats: bool,
}

impl Modifier {
    fn admits(&self, word: &str) -> bool {
        match self.repeats {
            true => word.starts_with("L1::") || word.starts_with("L2::"),
            false => self.words.iter().any(|it| it == word),
        }
    }
}

/// A form, read.
struct Form {
    modifiers: Vec<Modifier>,
    /// The number of operands of the example, which may have fewer.
    operands: usize,
}

/// The alternatives of a modifier: a set may be one, or a piece of one.
fn alternatives(text: &'static str) -> Vec<String> {
    let expanded = |word: &str| -> Vec<String> {
        let set = word.split_once('<').and_then(|(before, rest)| {
            let (name, after) = rest.split_once('>')?;
            let (_, words) = SETS.iter().find(|it| it.0 == name)?;
            Some(
                words
                    .split('|')
                    .map(move |it| format!("{before}{it}{after}"))
                    .collect(),
            )
        });
        set.unwrap_or_else(|| vec![word.to_owned()])
    };
    text.split('|').flat_map(expanded).collect()
}

impl Form {
    /// The heads of a form, and what follows them.
    fn read(text: &'static str) -> (Vec<&'static str>, Self) {
        let opcode = text.split(' ').next().unwrap_or("");
        let end = opcode.find(['.', '{']).unwrap_or(opcode.len());
        let heads = opcode[..end].split('|').collect();
        let mut rest = &opcode[end..];
        let mut modifiers = Vec::new();
        while !rest.is_empty() {
            let optional = rest.starts_with('{');
            let inner = rest.trim_start_matches(['{', '.']);
            let end = inner.find(['.', '{', '}']).unwrap_or(inner.len());
            let (words, after) = inner.split_at(end);
            rest = after
                .strip_prefix('}')
                .filter(|_| optional)
                .unwrap_or(after);
            modifiers.push(Modifier {
                optional,
                words: alternatives(words),
                repeats: words == "<hint>",
            });
        }
        let operands = text.split_once(' ').map_or("", |it| it.1);
        (
            heads,
            Self {
                modifiers,
                operands: list(operands).len(),
            },
        )
    }

    fn fits(modifiers: &[Modifier], words: &[&str]) -> bool {
        let Some((modifier, others)) = modifiers.split_first() else {
            return words.is_empty();
        };
        let taken = words
            .split_first()
            .filter(|(word, _)| modifier.admits(word));
        let after = if modifier.repeats { modifiers } else { others };
        taken.is_some_and(|(_, rest)| Self::fits(after, rest))
            || (modifier.optional && Self::fits(others, words))
    }

    /// The same for words in any order, as assemblers accept them of accesses to memory.
    fn fits_in_any_order(modifiers: &[&Modifier], words: &[&str]) -> bool {
        let Some((word, rest)) = words.split_first() else {
            return modifiers.iter().all(|it| it.optional);
        };
        (0..modifiers.len()).any(|at| {
            let mut others = modifiers.to_vec();
            if !modifiers[at].repeats {
                others.remove(at);
            }
            modifiers[at].admits(word) && Self::fits_in_any_order(&others, rest)
        })
    }
}

static FORMS: LazyLock<HashMap<&'static str, Vec<Form>>> = LazyLock::new(|| {
    let mut all: HashMap<&str, Vec<Form>> = HashMap::new();
    for text in TABLE.iter().flat_map(|it| it.1) {
        for head in Form::read(text).0 {
            all.entry(head).or_default().push(Form::read(text).1);
        }
    }
    all
});

/// Whether the table has the instruction.
pub(super) fn has(instruction: &Instruction) -> bool {
    let words = instruction.modifiers();
    let is_access = matches!(instruction.head(), "ld" | "ldu" | "st" | "atom" | "red");
    let fits = |form: &Form| match is_access {
        true => Form::fits_in_any_order(&form.modifiers.iter().collect::<Vec<_>>(), &words),
        false => Form::fits(&form.modifiers, &words),
    };
    let forms = FORMS.get(instruction.head());
    forms.is_some_and(|all| all.iter().any(fits))
}

/// Why an instruction has no translation, as far as the table tells.
#[must_use]
pub fn reason(instruction: &Instruction) -> String {
    let name = instruction.name();
    let Some(forms) = FORMS.get(instruction.head()) else {
        return format!(
            "`{name}`: hirace knows no instruction `{}`",
            instruction.head()
        );
    };
    if !has(instruction) {
        let head = instruction.head();
        return format!("`{name}`: hirace knows no `{head}` with these modifiers");
    }
    let words = instruction.modifiers();
    let fitting = forms.iter().filter(|it| Form::fits(&it.modifiers, &words));
    let mut counts: Vec<usize> = fitting.map(|it| it.operands).collect();
    counts.sort_unstable();
    counts.dedup();
    let given = instruction.operands.len();
    match counts.as_slice() {
        [count] if *count != given => {
            let operands = if *count == 1 { "operand" } else { "operands" };
            format!("`{name}` takes {count} {operands}, and has {given}")
        }
        _ => format!("`{name}` with these operands"),
    }
}

/// Instructions of all forms, with operands: each alternative of each modifier at least once.
#[must_use]
pub fn examples() -> Vec<String> {
    let mut all = Vec::new();
    for text in TABLE.iter().flat_map(|it| it.1) {
        let operands = text.split_once(' ').map_or("", |it| it.1);
        let (heads, form) = Form::read(text);
        for head in heads {
            let usual = |modifier: &'_ Modifier| match modifier.optional {
                true => None,
                false => modifier.words.first().cloned(),
            };
            let usual: Vec<Option<String>> = form.modifiers.iter().map(usual).collect();
            let mut add = |chosen: &[Option<String>]| {
                let words: String = chosen.iter().flatten().map(|it| format!(".{it}")).collect();
                all.push(format!("{head}{words} {operands};"));
            };
            add(&usual);
            for (at, modifier) in form.modifiers.iter().enumerate() {
                // Other numbers of columns need other operands.
                for word in modifier.words.iter().filter(|it| !it.starts_with("m64n")) {
                    let mut chosen = usual.clone();
                    if chosen[at].as_ref() != Some(word) {
                        chosen[at] = Some(word.clone());
                        add(&chosen);
                    }
                }
            }
        }
    }
    all
}

/// The table as text in Markdown.
#[must_use]
pub fn document() -> String {
    let mut text = String::from("```text\n");
    for (name, words) in SETS {
        text.push_str(&format!("{:8} {words}\n", format!("<{name}>")));
    }
    text.push_str("```\n");
    for (group, forms) in TABLE {
        text.push_str(&format!("\n### {group}\n\n```text\n"));
        for form in *forms {
            let opcode = form.split(' ').next().unwrap_or("");
            text.push_str(&format!("{opcode}\n"));
        }
        text.push_str("```\n");
    }
    text
}
