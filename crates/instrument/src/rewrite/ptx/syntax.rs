//! Parses the text of an `asm` statement as PTX instructions (PTX ISA, "Syntax").
//!
//! The text is the content of the string literals: `%0` names an operand of the statement, `%%` is
//! a percent sign. If a macro supplies a part of it, the effect of the instructions is unknown.

use std::collections::HashMap;

use super::declarations::{is_name, parameter, registers};
use super::template::{ARGUMENT, UNKNOWN};

pub use super::declarations::{Parameter, Register};

/// Why a text could not be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A macro supplies a part of the text.
    Macro,
    /// An `#if` changes the accesses.
    Directive,
    /// Calls and branches, which only the CPU executor carries out (`host.rs`).
    Branches,
    /// Anything else.
    Syntax,
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// `%0`: an operand of the statement, by number.
    Argument(usize),
    /// A register or a variable that the text declares, or `_`.
    Register(String),
    /// A special register, without the percent sign.
    Special(String),
    /// A number as PTX writes it, or the parameter of a macro in parentheses that stands for one.
    Number(String),
    /// `[base]`, `[base+offset]`.
    Address(Box<Self>, Option<Box<Self>>),
    /// `[base, {a, b}]`: a place in a tensor.
    Tensor(Box<Self>, Vec<Self>),
    /// `{a, b}`.
    Vector(Vec<Self>),
    /// `!p`.
    Not(Box<Self>),
    /// `a|b`: two results.
    Pair(Box<Self>, Box<Self>),
    /// Anything else.
    Other,
}

/// `@p` or `@!p` before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The predicate's register.
    pub register: String,
    /// Whether the instruction executes if it is false.
    pub negated: bool,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The predicate before it.
    pub guard: Option<Guard>,
    /// The opcode and its modifiers, without the dots.
    pub opcode: Vec<String>,
    /// The operands, the target first.
    pub operands: Vec<Operand>,
}

impl Instruction {
    /// The opcode without its modifiers.
    #[must_use]
    pub fn head(&self) -> &str {
        self.opcode.first().map_or("", String::as_str)
    }

    /// The modifiers.
    #[must_use]
    pub fn modifiers(&self) -> Vec<&str> {
        self.opcode.iter().skip(1).map(String::as_str).collect()
    }

    /// The opcode as written.
    #[must_use]
    pub fn name(&self) -> String {
        self.opcode.join(".")
    }
}

/// The content of an `asm` statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembly {
    /// The registers that it declares.
    pub registers: Vec<Register>,
    /// The variables of calls that it declares.
    pub parameters: Vec<Parameter>,
    /// The variables that it declares: the address of each as C++, in the state space of the
    /// variable.
    pub symbols: HashMap<String, String>,
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// The labels, each with the number of the instruction after it.
    pub labels: Vec<(String, usize)>,
    /// The lists of labels that `.branchtargets` declares, by name.
    pub targets: HashMap<String, Vec<String>>,
}

impl Assembly {
    /// Whether instructions may be repeated or left out, or done elsewhere.
    pub(crate) fn has_branches(&self) -> bool {
        self.instructions
            .iter()
            .any(|it| matches!(it.head(), "bra" | "brx" | "call"))
    }
}

/// Splits a template into instructions. `names` are the names of the statement's operands.
pub(crate) fn parse(template: &str, names: &[Option<String>]) -> Result<Assembly, Problem> {
    // `%=` makes a label different in each copy of the statement.
    let text = without_comments(template).replace("%=", "");
    if text.contains(UNKNOWN) {
        return Err(Problem::Macro);
    }
    let mut assembly = Assembly::default();
    let mut rest = text.trim_start_matches(between);
    while !rest.is_empty() {
        let end = rest.find(';').unwrap_or(rest.len());
        let mut statement = rest[..end].trim();
        while let Some((label, after)) = label(statement) {
            let next = assembly.instructions.len();
            assembly.labels.push((label.to_owned(), next));
            statement = after.trim_start_matches(between);
        }
        if let Some(targets) = statement.strip_prefix(".branchtargets") {
            let (name, _) = assembly.labels.pop().ok_or(Problem::Syntax)?;
            let targets = list(targets).into_iter().map(str::to_owned).collect();
            assembly.targets.insert(name, targets);
        } else if statement.is_empty() {
            // Nothing follows the label.
        } else if let Some(declared) = statement.strip_prefix(".reg") {
            registers(declared, &mut assembly.registers).ok_or(Problem::Syntax)?;
        } else if let Some(declared) = statement.strip_prefix(".param") {
            let declared = parameter(declared).ok_or(Problem::Syntax)?;
            let mut same = assembly
                .parameters
                .iter()
                .filter(|it| it.name == declared.name);
            match same.next() {
                Some(known) if *known != declared => return Err(Problem::Syntax),
                Some(_) => {}
                None => assembly.parameters.push(declared),
            }
        } else {
            let read = instruction(statement, names)?;
            assembly.instructions.push(read);
        }
        rest = rest[end..].trim_start_matches(between);
    }
    let declared: Vec<&str> = assembly.registers.iter().map(|it| &*it.0).collect();
    for instruction in &mut assembly.instructions {
        for operand in &mut instruction.operands {
            resolve(operand, &declared);
        }
    }
    Ok(assembly)
}

/// Whether `c` may be between instructions, such as the braces of scopes.
fn between(c: char) -> bool {
    c.is_whitespace() || matches!(c, '{' | '}' | ';')
}

/// Splits off a label.
fn label(statement: &str) -> Option<(&str, &str)> {
    let (name, rest) = statement.split_once(':')?;
    let name = name.trim_end();
    (is_name(name) && !rest.starts_with(':')).then_some((name, rest))
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            out.push('/');
            rest = &rest[1..];
            continue;
        };
        out.push(' ');
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

fn instruction(text: &str, names: &[Option<String>]) -> Result<Instruction, Problem> {
    let mut text = text;
    let mut guard = None;
    if let Some(guarded) = text.strip_prefix('@') {
        let end = guarded.find(char::is_whitespace).ok_or(Problem::Syntax)?;
        let (register, rest) = guarded.split_at(end);
        let negated = register.starts_with('!');
        let register = register.trim_start_matches(['!', '%']).to_owned();
        guard = Some(Guard { register, negated });
        text = rest.trim_start();
    }
    let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '[' | '(');
    let (opcode, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    if opcode.contains(ARGUMENT) {
        return Err(Problem::Macro);
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':');
    if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) || !opcode.chars().all(fits) {
        return Err(Problem::Syntax);
    }
    let opcode = opcode.split('.').map(str::to_owned).collect();
    let operands = list(rest).into_iter().map(|it| match inside(it, '(', ')') {
        // The results or the parameters of a call.
        Some(inner) => Operand::Vector(
            list(inner)
                .into_iter()
                .map(|it| operand(it, names))
                .collect(),
        ),
        None => operand(it, names),
    });
    Ok(Instruction {
        guard,
        opcode,
        operands: operands.collect(),
    })
}

/// Splits at commas outside brackets.
pub(super) fn list(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, character) in text.char_indices() {
        match character {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|it| !it.is_empty());
    parts
}

fn inside(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

fn operand(text: &str, names: &[Option<String>]) -> Operand {
    if let Some(inner) = inside(text, '[', ']') {
        return address(inner.trim(), names);
    }
    if let Some(inner) = inside(text, '{', '}') {
        return Operand::Vector(
            list(inner)
                .into_iter()
                .map(|it| operand(it, names))
                .collect(),
        );
    }
    if let Some(inner) = text.strip_prefix('!') {
        return Operand::Not(Box::new(operand(inner.trim(), names)));
    }
    if let Some((first, second)) = text.split_once('|') {
        let [first, second] = [first, second].map(|it| Box::new(operand(it.trim(), names)));
        return Operand::Pair(first, second);
    }
    if let Some(parameter) = inside(text, ARGUMENT, ARGUMENT).filter(|it| is_name(it)) {
        return Operand::Number(format!("({parameter})"));
    }
    let simple = |text: &str| match text.strip_prefix("%%").or(text.strip_prefix('%')) {
        Some(name) if is_name(name.split('.').next().unwrap_or("")) => {
            Operand::Special(name.to_owned())
        }
        Some(number) if text.starts_with("%[") => {
            let name = inside(number, '[', ']').map(str::trim);
            let found = names
                .iter()
                .position(|it| it.as_deref() == name && name.is_some());
            found.map_or(Operand::Other, Operand::Argument)
        }
        Some(number) => number.parse().map_or(Operand::Other, Operand::Argument),
        None if is_name(text) => Operand::Register(text.to_owned()),
        None if is_number(text) => Operand::Number(text.to_owned()),
        None => Operand::Other,
    };
    simple(text)
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '.')
}

fn address(text: &str, names: &[Option<String>]) -> Operand {
    if let Some((map, first)) = text.split_once(',') {
        let map = Box::new(operand(map.trim(), names));
        return match operand(first.trim(), names) {
            Operand::Vector(first) => Operand::Tensor(map, first),
            _ => Operand::Other,
        };
    }
    // A name has no `+`; a number has one only at its start.
    let Some(at) = text.get(1..).and_then(|it| it.find(['+', '-'])) else {
        return match operand(text, names) {
            Operand::Other => Operand::Other,
            base => Operand::Address(Box::new(base), None),
        };
    };
    let (base, offset) = text.split_at(at + 1);
    let (base, sum) = (operand(base.trim(), names), offset.strip_prefix('+'));
    let offset = operand(
        &sum.unwrap_or(offset).replace(char::is_whitespace, ""),
        names,
    );
    let fits = sum.is_some() || matches!(offset, Operand::Number(_));
    match (&base, &offset) {
        (Operand::Other, _) | (_, Operand::Other) => Operand::Other,
        _ if fits => Operand::Address(Box::new(base), Some(Box::new(offset))),
        _ => Operand::Other,
    }
}

/// Distinguishes declared registers from special ones: both may be written with a percent sign.
fn resolve(operand: &mut Operand, declared: &[&str]) {
    match operand {
        Operand::Special(name) if declared.contains(&name.as_str()) => {
            *operand = Operand::Register(std::mem::take(name));
        }
        Operand::Address(base, offset) => {
            resolve(base, declared);
            if let Some(offset) = offset {
                resolve(offset, declared);
            }
        }
        Operand::Tensor(map, elements) => {
            resolve(map, declared);
            elements.iter_mut().for_each(|it| resolve(it, declared));
        }
        Operand::Vector(elements) => elements.iter_mut().for_each(|it| resolve(it, declared)),
        Operand::Not(inner) => resolve(inner, declared),
        Operand::Pair(first, second) => {
            resolve(first, declared);
            resolve(second, declared);
        }
        _ => {}
    }
}
