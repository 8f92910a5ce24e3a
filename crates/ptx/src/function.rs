//! Functions as C++: registers are local variables, branches are `goto`.

use std::collections::HashMap;
use std::fmt::Write as _;

use hirace_instrument::rewrite::ptx::{
    self, Assembly, Instruction, NO_SITE, Operand, Plan as Meaning, SITE, condition,
};
use hirace_instrument::rewrite::{Selection, escape};
use hirace_model::SiteKind;

use crate::launch::Plan;
use crate::module::{Function, Module, Position, Statement, StatementKind, Term, shown};
use crate::names::{self, identifier};
use crate::roots::Roots;
use crate::sites::{Place, SiteRef, Sites};
use crate::{Refused, variables};

mod control;

use control::label;

/// The most registers that a declaration may have.
const MAX_REGISTERS: u32 = 1 << 20;

/// Directives in functions that the translation needs nothing of.
const HARMLESS: [&str; 3] = [".pragma", ".callprototype", ".calltargets"];

/// A function that is being lowered.
pub(crate) struct Lowering<'m> {
    module: &'m Module,
    function: &'m Function,
    assembly: Assembly,
    /// The instructions by the number of their statement, with the registers told from special ones.
    instructions: HashMap<usize, Instruction>,
    /// The sites by the number of their statement.
    sites: HashMap<usize, SiteRef>,
    targets: HashMap<String, &'m [String]>,
    refused: Vec<Refused>,
}

impl<'m> Lowering<'m> {
    pub fn new(
        module: &'m Module,
        function: &'m Function,
        plan: &Plan,
        selection: &dyn Selection,
        sites: &mut Sites,
    ) -> Self {
        let mut out = Self {
            module,
            function,
            assembly: Assembly::default(),
            instructions: HashMap::new(),
            sites: HashMap::new(),
            targets: HashMap::new(),
            refused: Vec::new(),
        };
        out.declare();
        out.resolve();
        out.find_sites(plan, selection, sites);
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
        for statement in self.body() {
            match &statement.kind {
                StatementKind::Variable(variable) if variable.space == "reg" => {
                    for (name, count) in &variable.names {
                        self.registers(statement.line, name, *count, &variable.kind);
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

    fn registers(&mut self, line: u32, name: &str, count: Option<u32>, kind: &str) {
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
            let mut registers = self.assembly.registers.iter();
            let known = registers.find(|it| count.is_none() && it.0 == name);
            match known {
                Some((_, known)) if known != kind => {
                    self.refuse(line, format!("register `{name}` with another type"));
                }
                Some(_) => {}
                None => self.assembly.registers.push((name, kind.to_owned())),
            }
        }
    }

    /// Tells registers from special ones.
    fn resolve(&mut self) {
        let names = self.assembly.registers.iter().map(|it| it.0.as_str());
        let declared: std::collections::HashSet<&str> = names.collect();
        for (at, statement) in self.body().iter().enumerate() {
            if let StatementKind::Instruction(instruction, _) = &statement.kind {
                let mut instruction = instruction.clone();
                for operand in &mut instruction.operands {
                    resolve(operand, &|name| declared.contains(name));
                }
                self.instructions.insert(at, instruction);
            }
        }
    }

    fn find_sites(&mut self, plan: &Plan, selection: &dyn Selection, sites: &mut Sites) {
        let mut names: HashMap<String, String> = HashMap::new();
        let in_memory = |it: &&crate::module::Variable| it.space != "reg";
        let outer = self.module.variables.iter();
        let inner = self.body().iter().filter_map(|it| match &it.kind {
            StatementKind::Variable(variable) => Some(variable),
            _ => None,
        });
        for variable in outer.chain(inner).filter(in_memory) {
            if !matches!(variable.space.as_str(), "param" | "local") {
                names.insert(variable.name().to_owned(), names::plain(variable.name()));
            }
        }
        for (number, parameter) in self.function.parameters.iter().enumerate() {
            let shown = plan.argument_name(&self.function.name, number);
            let name = parameter.name().to_owned();
            names.insert(name, shown.unwrap_or_else(|| format!("parameter {number}")));
        }
        let mut order: Vec<usize> = self.instructions.keys().copied().collect();
        order.sort_unstable();
        let roots = Roots::of(order.iter().map(|at| &self.instructions[at]), names);
        let function = names::plain(&self.function.name);
        let mut location: Option<(Position, Option<Position>)> = None;
        for (at, statement) in self.body().iter().enumerate() {
            if let StatementKind::Location(own, inlined, _) = &statement.kind {
                location = Some((*own, *inlined));
            }
            let Some(instruction) = self.instructions.get(&at) else {
                continue;
            };
            let Some(meaning) = ptx::plan(instruction, &self.assembly) else {
                continue;
            };
            let (kind, variable) = match &meaning {
                Meaning::Access { access, .. } => (access.kind, roots.variable(access.base)),
                Meaning::Order(..) => (SiteKind::Sync, String::new()),
                Meaning::Exchange(_) => {
                    let written = ptx::destination(instruction).map(|it| roots.variable(it));
                    (SiteKind::Sync, written.unwrap_or_default())
                }
                Meaning::Plain(code) => {
                    sites.private += usize::from(code.contains("hirace_at"));
                    continue;
                }
            };
            if kind != SiteKind::Sync && !selection.monitors(&function, &variable) {
                sites.switched_off += 1;
                continue;
            }
            let place = match location.and_then(|(own, inlined)| own_position(own, inlined, sites))
            {
                Some(position) => Place::Source(position),
                None => Place::Ptx(statement.range.clone(), statement.line),
            };
            let text = match place {
                Place::Source(_) => format!("{} (PTX line {})", shown(statement), statement.line),
                Place::Ptx(..) => shown(statement),
            };
            let site = sites.add(place, kind, text, &variable, &function);
            self.sites.insert(at, site);
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
        for (at, statement) in self.body().iter().enumerate() {
            match &statement.kind {
                StatementKind::Label(name) => {
                    let _ = writeln!(out, "[[maybe_unused]] {}:;", label(name));
                }
                StatementKind::Instruction(instruction, terms) => {
                    let resolved = &self.instructions[&at];
                    match self.instruction(at, resolved, terms, sites) {
                        Some(code) => {
                            let _ = write!(
                                out,
                                "#line {} \"{}\"\n{code}\n",
                                statement.line,
                                escape(file)
                            );
                        }
                        None => refused.push(Refused {
                            line: statement.line,
                            what: format!("`{}`", instruction.name()),
                        }),
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
        let code = match instruction.head() {
            "bra" => self.branch(terms)?,
            "brx" => self.indexed_branch(instruction)?,
            "ret" => "return;".to_owned(),
            "exit" if self.function.is_entry => "return;".to_owned(),
            "call" => self.call(terms)?,
            _ => {
                let id = self.sites.get(&at).map(|it| sites.id(*it));
                self.meaning(instruction, id)?
            }
        };
        Some(format!("{condition}{{ {code} }}"))
    }

    fn meaning(&self, instruction: &Instruction, id: Option<String>) -> Option<String> {
        let meaning = ptx::plan(instruction, &self.assembly)?;
        Some(match (meaning, id) {
            (Meaning::Plain(code), _) => code,
            (Meaning::Order(function, more), Some(id)) if function != "not_modelled" => {
                format!("::hirace::{function}({id}{more});")
            }
            (Meaning::Exchange(code), Some(id)) => code.replace(SITE, &id),
            (
                Meaning::Access {
                    access,
                    compared,
                    pointer,
                    done,
                },
                id,
            ) => {
                // The configuration may leave the access out.
                let checked = id.as_ref();
                let checked = checked.map(|id| access.checked(id, compared.as_deref(), &pointer));
                let pointer = checked.unwrap_or(pointer);
                let done = done.replace(SITE, id.as_deref().unwrap_or(NO_SITE));
                format!("void* const hirace_at = {pointer}; {done}")
            }
            (Meaning::Order(..) | Meaning::Exchange(_), _) => return None,
        })
    }
}

/// The position to show for a `.loc`: that of the call if the function is one of the toolkit's.
fn own_position(own: Position, inlined: Option<Position>, sites: &Sites) -> Option<Position> {
    let path = sites.path_of(own.file)?;
    let toolkit = path.contains("/include/");
    match inlined {
        Some(outer) if toolkit => Some(outer),
        _ => Some(own),
    }
    .filter(|it| it.line > 0)
}

/// The C++ name of a function.
pub(crate) fn cpp_function(name: &str) -> String {
    format!("hirace_f_{}", identifier(name))
}

fn resolve(operand: &mut Operand, is_declared: &dyn Fn(&str) -> bool) {
    match operand {
        Operand::Register(name) => {
            if let Some(special) = name.strip_prefix('%').filter(|_| !is_declared(name)) {
                *operand = Operand::Special(special.to_owned());
            }
        }
        Operand::Address(base, offset) => {
            resolve(base, is_declared);
            if let Some(offset) = offset {
                resolve(offset, is_declared);
            }
        }
        Operand::Vector(elements) => elements.iter_mut().for_each(|it| resolve(it, is_declared)),
        Operand::Not(inner) => resolve(inner, is_declared),
        Operand::Pair(first, second) => {
            resolve(first, is_declared);
            resolve(second, is_declared);
        }
        _ => {}
    }
}
