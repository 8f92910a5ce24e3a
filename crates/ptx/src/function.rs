//! Functions as C++: registers are local variables, branches are `goto`.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use hirace_instrument::rewrite::escape;
use hirace_instrument::rewrite::ptx::{
    self, Assembly, Instruction, NO_SITE, Operand, Plan as Meaning, SITE, condition,
};
use hirace_model::SiteKind;

use crate::module::{Function, Module, Statement, StatementKind, Term};
use crate::names::{cpp_function, function_address};
use crate::plan::Plan;
use crate::read_only::{self, Pointer};
use crate::sites::{SiteRef, Sites};
use crate::{Checks, Refused, variables};

mod calls;
mod control;
mod needed;
mod operand_types;
mod places;
mod scopes;

use control::label;
use needed::Needed;
use scopes::Scopes;

/// The most registers that a declaration may have.
const MAX_REGISTERS: u32 = 1 << 20;

/// Directives in functions that the translation needs nothing of.
const HARMLESS: [&str; 3] = [".pragma", ".callprototype", ".calltargets"];

/// What becomes of accesses to memory that threads share.
#[derive(Clone, Copy)]
pub(crate) enum Accesses<'a> {
    /// They have hooks, unless the configuration leaves them out. A launch file, if there is one, names the
    /// arrays that are passed.
    Checked(Option<&'a Plan>, Checks<'a>),
    /// They have none, but other threads may run before each of them.
    Interleaved,
}

/// A function that is being lowered.
pub(crate) struct Lowering<'m> {
    module: &'m Module,
    interleaves: bool,
    function: &'m Function,
    assembly: Assembly,
    scopes: Scopes,
    /// The instructions by the number of their statement, with the registers told from special ones.
    instructions: HashMap<usize, Instruction>,
    /// The sites by the number of their statement.
    sites: HashMap<usize, SiteRef>,
    targets: HashMap<String, &'m [String]>,
    /// The names of registers, which no other scope has.
    declared: HashSet<String>,
    /// The reads that are only needed under a guard.
    needed: Needed,
    /// Its pointers, if it is a kernel that can only read some of what they lead to.
    pointers: Vec<Pointer>,
    refused: Vec<Refused>,
    /// What an assembler would not accept.
    mistakes: Vec<Refused>,
}

impl<'m> Lowering<'m> {
    pub fn new(
        module: &'m Module,
        function: &'m Function,
        accesses: Accesses<'_>,
        sites: &mut Sites,
    ) -> Self {
        let mut out = Self {
            module,
            interleaves: matches!(accesses, Accesses::Interleaved),
            function,
            assembly: Assembly::default(),
            scopes: Scopes::of(function.body.as_deref().unwrap_or(&[])),
            instructions: HashMap::new(),
            sites: HashMap::new(),
            targets: HashMap::new(),
            declared: HashSet::new(),
            needed: Needed::default(),
            pointers: Vec::new(),
            refused: Vec::new(),
            mistakes: Vec::new(),
        };
        out.declare();
        out.resolve();
        out.check();
        out.needed = Needed::of(out.body(), &out.instructions);
        out.find_sites(accesses, sites);
        out
    }

    fn body(&self) -> &'m [Statement] {
        self.function.body.as_deref().unwrap_or(&[])
    }

    fn refuse(&mut self, line: u32, what: String) {
        self.refused.push(Refused { line, what });
    }

    /// Registers and variables.
    fn declare(&mut self) {
        for (key, variable) in self.module.variables.iter().enumerate() {
            let address = variables::address(variable, key + 1);
            self.symbol(variable.name(), address);
        }
        for function in self.module.functions.iter().filter(|it| it.body.is_some()) {
            self.symbol(&function.name, Some(function_address(&function.name)));
        }
        let function = self.function;
        let parameters = function.parameters.iter().chain(&function.results);
        for parameter in parameters {
            if parameter.space == "reg" {
                self.refuse(
                    function.line,
                    format!("register parameter `{}`", parameter.name()),
                );
            }
            self.symbol(parameter.name(), variables::address(parameter, 0));
        }
        for (at, statement) in self.body().iter().enumerate() {
            match &statement.kind {
                StatementKind::Variable(variable) if variable.space == "reg" => {
                    for (name, count) in &variable.names {
                        self.registers(at, name, *count, &variable.kind);
                    }
                }
                StatementKind::Variable(variable) => {
                    // No two have the same place in the text.
                    let key = self.module.variables.len() + 1 + statement.range.start;
                    let address = variables::address(variable, key);
                    if address.is_none() || variable.initial.is_some() {
                        let what = format!("variable `{}` in a function", variable.name());
                        self.refuse(statement.line, what);
                    }
                    self.symbol(variable.name(), address);
                }
                StatementKind::Targets(name, targets) => {
                    self.targets.insert(name.clone(), targets);
                }
                _ => {}
            }
        }
    }

    fn symbol(&mut self, name: &str, address: Option<String>) {
        if let Some(address) = address {
            self.assembly.symbols.insert(name.to_owned(), address);
        }
    }

    /// Declares registers, in the statement `at`.
    fn registers(&mut self, at: usize, name: &str, count: Option<u32>, kind: &str) {
        let line = self.body()[at].line;
        let names: Vec<String> = match count {
            None => vec![name.to_owned()],
            Some(count) if count <= MAX_REGISTERS => {
                (0..count).map(|it| format!("{name}{it}")).collect()
            }
            Some(_) => {
                self.refuse(line, format!("the number of registers `{name}`"));
                return;
            }
        };
        for name in names {
            let unique = self.scopes.name_at(at, &name);
            if !self.declared.insert(unique.clone()) {
                let what = format!("the register `{name}` is declared twice");
                self.mistakes.push(Refused { line, what });
                return;
            }
            self.assembly.registers.push((unique, kind.to_owned()));
        }
    }

    /// Tells registers from special ones, and from others of the same name.
    fn resolve(&mut self) {
        for (at, statement) in self.body().iter().enumerate() {
            if let StatementKind::Instruction(instruction, _) = &statement.kind {
                let mut instruction = instruction.clone();
                let known = |name: &str| {
                    let unique = self.scopes.name_at(at, name);
                    self.declared.contains(&unique).then_some(unique)
                };
                if let Some(guard) = &mut instruction.guard
                    && let Some(unique) = known(&guard.register)
                {
                    guard.register = unique;
                }
                for operand in &mut instruction.operands {
                    resolve(operand, &known);
                }
                self.instructions.insert(at, instruction);
            }
        }
    }

    /// The C++ function, without its body.
    pub fn signature(&self) -> String {
        let name = cpp_function(&self.function.name);
        let given = self
            .function
            .results
            .iter()
            .chain(&self.function.parameters);
        let given: Vec<String> = given
            .map(|it| {
                format!(
                    "[[maybe_unused]] unsigned char* {}",
                    variables::cpp_name(it.name())
                )
            })
            .collect();
        format!("[[maybe_unused]] void {name}({})", given.join(", "))
    }

    /// Writes the function, if it has a body.
    pub fn write(&self, sites: &Sites, file: &str, out: &mut String, refused: &mut Vec<Refused>) {
        for it in &self.refused {
            refused.push(Refused {
                line: it.line,
                what: it.what.clone(),
            });
        }
        if self.function.body.is_none() {
            return;
        }
        let _ = writeln!(out, "{} {{", self.signature());
        out.push_str(&ptx::declarations(&self.assembly));
        let _ = write!(out, "[[maybe_unused]] bool {} = false; ", ptx::CARRY);
        let mut sizes: HashMap<&str, &crate::module::Variable> = HashMap::new();
        for statement in self.body() {
            if let StatementKind::Variable(variable) = &statement.kind
                && matches!(variable.space.as_str(), "local" | "param")
            {
                // Blocks of calls declare the same names again.
                let known = sizes.entry(variable.name()).or_insert(variable);
                if known.bytes() < variable.bytes() {
                    *known = variable;
                }
            }
        }
        let mut locals: Vec<_> = sizes.into_values().collect();
        locals.sort_by_key(|it| it.line);
        for variable in locals {
            out.push_str(&variables::local(variable));
        }
        out.push('\n');
        out.push_str(&read_only::enter(&self.pointers));
        // Where a run was stopped, and faults that are no accesses, get their lines from these.
        let mut line = None;
        for (at, statement) in self.body().iter().enumerate() {
            if let StatementKind::Location(own, inlined, _) = &statement.kind {
                line = places::source_line(*own, *inlined, sites);
            }
            match &statement.kind {
                StatementKind::Label(name) => {
                    let name = label(&self.scopes.name_at(at, name));
                    let _ = writeln!(out, "[[maybe_unused]] {name}:;");
                }
                StatementKind::Instruction(instruction, terms) => {
                    let resolved = &self.instructions[&at];
                    match self.instruction(at, resolved, terms, sites) {
                        Some(code) => {
                            let (file, line) = line.unwrap_or((file, statement.line));
                            let file = escape(file);
                            let _ = write!(out, "#line {line} \"{file}\"\n{code}\n");
                        }
                        None => {
                            let reason = self.reason(at, instruction, terms);
                            let source = line.map(|(file, line)| format!(", from {file}:{line}"));
                            refused.push(Refused {
                                line: statement.line,
                                what: reason + &source.unwrap_or_default(),
                            });
                        }
                    }
                }
                StatementKind::Directive(tokens)
                    if !tokens.iter().any(|it| HARMLESS.contains(&it.as_str())) =>
                {
                    refused.push(Refused {
                        line: statement.line,
                        what: format!("directive `{}`", tokens[0]),
                    });
                }
                _ => {}
            }
        }
        out.push_str("}\n");
    }

    /// An instruction as C++.
    fn instruction(
        &self,
        at: usize,
        instruction: &Instruction,
        terms: &[Term],
        sites: &Sites,
    ) -> Option<String> {
        let condition = condition(instruction, &self.assembly)?;
        let id = self.sites.get(&at).map(|it| sites.id(*it));
        let code = match instruction.head() {
            "bra" => self.branch(at, terms)?,
            "brx" => self.indexed_branch(at, instruction)?,
            "ret" => "return;".to_owned(),
            "exit" if self.function.is_entry => "return;".to_owned(),
            "exit" => "::hirace::cpu::exit_thread();".to_owned(),
            "call" => self.call(at, terms, id)?,
            _ => self.meaning(at, instruction, id)?,
        };
        let later = self.needed.after(at).iter();
        let later: String = later.filter_map(|it| self.late_check(*it, sites)).collect();
        Some(format!("{condition}{{ {code} }}{later}"))
    }

    fn meaning(&self, at: usize, instruction: &Instruction, id: Option<String>) -> Option<String> {
        let meaning = ptx::plan(instruction, &self.assembly)?;
        Some(match (meaning, id) {
            (Meaning::Plain(code), _) => code,
            (Meaning::Order(function, more), Some(id)) => {
                format!("::hirace::{function}({id}{more});")
            }
            (Meaning::Exchange(code), Some(id)) => code.replace(SITE, &id),
            (
                Meaning::Access {
                    access,
                    compared,
                    before: first,
                    pointer,
                    done,
                },
                id,
            ) => {
                // The configuration may leave the access out.
                let checked = id.as_ref();
                let checked = checked.map(|id| access.checked(id, compared.as_deref(), &pointer));
                let under_guard = self.guard_of(at).zip(checked.as_ref());
                let (before, pointer) = match under_guard {
                    Some(_) if self.needed.is_checked_later(at) => (String::new(), pointer),
                    Some((guard, check)) => (format!("{guard}{{ (void)({check}); }} "), pointer),
                    None => (String::new(), checked.unwrap_or(pointer)),
                };
                let known = id.as_deref().unwrap_or(NO_SITE);
                let [first, done] = [first, done].map(|it| it.replace(SITE, known));
                let others = match (self.interleaves, access.kind) {
                    (false, _) => "",
                    (true, SiteKind::Read) => "::hirace::cpu::begin_strong_access(true); ",
                    (true, _) => "::hirace::cpu::begin_strong_access(false); ",
                };
                format!("{first}{others}{before}void* const hirace_at = {pointer}; {done}")
            }
            (Meaning::Order(..) | Meaning::Exchange(_), _) => return None,
        })
    }
}

fn resolve(operand: &mut Operand, known: &dyn Fn(&str) -> Option<String>) {
    match operand {
        Operand::Register(name) => match (known(name), name.strip_prefix('%')) {
            (Some(unique), _) => *name = unique,
            (None, Some(special)) => *operand = Operand::Special(special.to_owned()),
            (None, None) => {}
        },
        Operand::Address(base, offset) => {
            resolve(base, known);
            if let Some(offset) = offset {
                resolve(offset, known);
            }
        }
        Operand::Tensor(map, first) => {
            resolve(map, known);
            first.iter_mut().for_each(|it| resolve(it, known));
        }
        Operand::Vector(elements) => elements.iter_mut().for_each(|it| resolve(it, known)),
        Operand::Not(inner) => resolve(inner, known),
        Operand::Pair(first, second) => {
            resolve(first, known);
            resolve(second, known);
        }
        _ => {}
    }
}
