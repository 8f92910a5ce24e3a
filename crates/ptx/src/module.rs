//! A PTX file as a tree, and its tokens.

use std::collections::HashMap;
use std::fmt::Write as _;

use hirace_instrument::rewrite::ptx::{Guard, Instruction, Operand};

/// A PTX file.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The variables outside functions.
    pub variables: Vec<Variable>,
    /// The functions, with and without a body.
    pub functions: Vec<Function>,
    /// The paths of `.file`, by number.
    pub files: HashMap<u32, String>,
    /// The order of everything, for printing.
    pub items: Vec<Item>,
}

/// An item of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// A variable, by number.
    Variable(usize),
    /// A function, by number.
    Function(usize),
    /// Anything else, as tokens.
    Tokens(Vec<String>),
}

/// A variable, or several registers.
#[derive(Clone, Debug, Default)]
pub struct Variable {
    /// Its line.
    pub line: u32,
    /// Its state space: `reg`, `shared`, `global`, …
    pub space: String,
    /// Its alignment, if it is given.
    pub align: Option<u32>,
    /// The number of elements of a vector.
    pub vector: u32,
    /// The type of an element.
    pub kind: String,
    /// Its names; for registers, each may stand for several (`%r<10>`).
    pub names: Vec<(String, Option<u32>)>,
    /// Its dimensions; 0 for `[]`.
    pub dimensions: Vec<u64>,
    /// The tokens after `=`.
    pub initial: Option<Vec<String>>,
    /// All of its tokens.
    pub tokens: Vec<String>,
}

impl Variable {
    /// Its only name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.names.first().map_or("", |it| &it.0)
    }

    /// The bytes of an element.
    #[must_use]
    pub fn element_bytes(&self) -> u64 {
        let digits = self
            .kind
            .trim_start_matches(|it: char| it.is_ascii_alphabetic());
        digits.parse::<u64>().map_or(1, |bits| bits.div_ceil(8))
    }

    /// All of its bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let elements = self.dimensions.iter();
        let elements = elements.fold(1_u64, |all, it| all.saturating_mul(*it));
        let element = u64::from(self.vector).saturating_mul(self.element_bytes());
        elements.saturating_mul(element)
    }

    /// Its alignment in bytes.
    #[must_use]
    pub fn alignment(&self) -> u64 {
        let natural = self.element_bytes() * u64::from(self.vector);
        self.align.map_or(natural, u64::from).next_power_of_two()
    }
}

/// A kernel or a function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Its line.
    pub line: u32,
    /// Its name.
    pub name: String,
    /// Whether it is a kernel.
    pub is_entry: bool,
    /// Its results.
    pub results: Vec<Variable>,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// The tokens before the body, or all.
    pub head: Vec<String>,
    /// Its body.
    pub body: Option<Vec<Statement>>,
}

/// What a kernel says of its clusters (PTX ISA, "Cluster Dimension Directives").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    /// Their size in blocks, from `.reqnctapercluster`.
    pub required: Option<[u32; 3]>,
    /// Whether a launch has to give the size, unless the kernel does: `.explicitcluster`.
    pub is_explicit: bool,
    /// The most blocks of a cluster, from `.maxclusterrank`.
    pub max_blocks: Option<u32>,
}

impl Function {
    /// What its head says of clusters.
    #[must_use]
    pub fn clusters(&self) -> Clusters {
        let after = |directive: &str| {
            let at = self.head.iter().position(|it| it == directive)?;
            let rest = self.head[at + 1..].iter().step_by(2);
            // Numbers with commas between them; what comes after these is none.
            Some(rest.map_while(|it| it.parse::<u32>().ok()))
        };
        let required = after(".reqnctapercluster").map(|sizes| {
            let mut all = [1; 3];
            for (slot, size) in all.iter_mut().zip(sizes) {
                *slot = size;
            }
            all
        });
        Clusters {
            required,
            is_explicit: self.head.iter().any(|it| it == ".explicitcluster"),
            max_blocks: after(".maxclusterrank").and_then(|mut it| it.next()),
        }
    }
}

/// A position from `.loc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The number of the file.
    pub file: u32,
    /// 1-based.
    pub line: u32,
    /// 1-based; 0 if unknown.
    pub column: u32,
}

/// A statement of a function, with its line and its bytes in the text.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its line.
    pub line: u32,
    /// Its bytes.
    pub range: std::ops::Range<usize>,
    /// What it is.
    pub kind: StatementKind,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `NAME:`
    Label(String),
    /// `{` or `}`
    Brace(char),
    /// A declaration.
    Variable(Variable),
    /// `.loc`: a position, and that of the call if the function there was inlined.
    Location(Position, Option<Position>, Vec<String>),
    /// `NAME: .branchtargets A, B;`
    Targets(String, Vec<String>),
    /// Another directive.
    Directive(Vec<String>),
    /// An instruction.
    Instruction(Instruction, Vec<Term>),
}

/// An operand as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// An operand.
    Operand(Operand),
    /// `(a, b)`, as in calls.
    List(Vec<String>),
    /// Any other tokens.
    Tokens(Vec<String>),
}

impl Module {
    /// The kernels with a body.
    pub fn kernels(&self) -> impl Iterator<Item = &Function> {
        let functions = self.functions.iter();
        functions.filter(|it| it.is_entry && it.body.is_some())
    }

    /// The tokens of the file.
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        let mut out = Vec::new();
        for item in &self.items {
            match item {
                Item::Variable(number) => out.extend(self.variables[*number].tokens.clone()),
                Item::Function(number) => self.functions[*number].print(&mut out),
                Item::Tokens(tokens) => out.extend(tokens.clone()),
            }
        }
        out
    }
}

impl Function {
    fn print(&self, out: &mut Vec<String>) {
        out.extend(self.head.clone());
        let Some(body) = &self.body else { return };
        out.push("{".to_owned());
        for statement in body {
            statement.print(out);
        }
        out.push("}".to_owned());
    }
}

impl Statement {
    fn print(&self, out: &mut Vec<String>) {
        let mut push = |text: &str| out.push(text.to_owned());
        match &self.kind {
            StatementKind::Label(name) => {
                push(name);
                push(":");
            }
            StatementKind::Brace(brace) => push(&brace.to_string()),
            StatementKind::Variable(variable) => out.extend(variable.tokens.clone()),
            StatementKind::Location(_, _, tokens) | StatementKind::Directive(tokens) => {
                out.extend(tokens.clone());
            }
            StatementKind::Targets(name, targets) => {
                push(name);
                push(":");
                push(".branchtargets");
                separated(targets.iter().map(|it| vec![it.clone()]), out);
                out.push(";".to_owned());
            }
            StatementKind::Instruction(instruction, terms) => {
                if let Some(Guard { register, negated }) = &instruction.guard {
                    push("@");
                    if *negated {
                        push("!");
                    }
                    push(register);
                }
                push(&instruction.name());
                separated(terms.iter().map(Term::tokens), out);
                out.push(";".to_owned());
            }
        }
    }
}

fn separated(parts: impl Iterator<Item = Vec<String>>, out: &mut Vec<String>) {
    for (number, part) in parts.enumerate() {
        if number > 0 {
            out.push(",".to_owned());
        }
        out.extend(part);
    }
}

impl Term {
    fn tokens(&self) -> Vec<String> {
        let mut out = Vec::new();
        match self {
            Self::Operand(operand) => operand_tokens(operand, &mut out),
            Self::List(names) => {
                out.push("(".to_owned());
                separated(names.iter().map(|it| vec![it.clone()]), &mut out);
                out.push(")".to_owned());
            }
            Self::Tokens(tokens) => out.extend(tokens.clone()),
        }
        out
    }
}

fn operand_tokens(operand: &Operand, out: &mut Vec<String>) {
    let mut push = |text: &str| out.push(text.to_owned());
    match operand {
        Operand::Register(name) => push(name),
        Operand::Special(name) => push(&format!("%{name}")),
        Operand::Number(number) => match number.strip_prefix('-') {
            Some(number) => {
                push("-");
                push(number);
            }
            None => push(number),
        },
        Operand::Not(inner) => {
            push("!");
            operand_tokens(inner, out);
        }
        Operand::Pair(first, second) => {
            operand_tokens(first, out);
            out.push("|".to_owned());
            operand_tokens(second, out);
        }
        Operand::Vector(elements) => {
            push("{");
            let tokens = |it| {
                let mut tokens = Vec::new();
                operand_tokens(it, &mut tokens);
                tokens
            };
            separated(elements.iter().map(tokens), out);
            out.push("}".to_owned());
        }
        Operand::Tensor(map, first) => {
            push("[");
            operand_tokens(map, out);
            out.push(",".to_owned());
            operand_tokens(&Operand::Vector(first.clone()), out);
            out.push("]".to_owned());
        }
        Operand::Address(base, offset) => {
            push("[");
            operand_tokens(base, out);
            if let Some(offset) = offset {
                out.push("+".to_owned());
                operand_tokens(offset, out);
            }
            out.push("]".to_owned());
        }
        Operand::Argument(_) | Operand::Other => {}
    }
}

/// The statement as a short text: its tokens, with blanks where PTX writers put them.
#[must_use]
pub fn text(statement: &Statement) -> String {
    let mut tokens = Vec::new();
    statement.print(&mut tokens);
    let mut out = String::new();
    let mut spaced = false;
    for token in tokens.iter().filter(|it| *it != ";") {
        let glued = matches!(token.as_str(), "," | "]" | "}" | "+" | "|" | ":" | ")");
        if spaced && !glued {
            out.push(' ');
        }
        let _ = write!(out, "{token}");
        spaced = !matches!(
            token.as_str(),
            "[" | "{" | "@" | "!" | "+" | "-" | "|" | "("
        );
    }
    out
}
