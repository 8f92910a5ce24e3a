//! Which instructions are sites, and where they are.

use std::collections::HashMap;

use hirace_instrument::rewrite::ptx::{self, Instruction, Plan as Meaning};
use hirace_model::SiteKind;
use hirace_model::table::PTX_LINE;

use super::{Accesses, Lowering, calls};
use crate::module::{Position, Statement, StatementKind, text};
use crate::roots::Roots;
use crate::sites::{Place, Sites};
use crate::{names, read_only};

impl Lowering<'_> {
    /// Finds the sites of the function.
    pub(super) fn find_sites(&mut self, accesses: Accesses<'_>, sites: &mut Sites) {
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
            let array = match accesses {
                Accesses::Checked(Some(plan), _) => plan.argument_name(&self.function.name, number),
                Accesses::Checked(None, _) | Accesses::Interleaved => None,
            };
            let name = parameter.name().to_owned();
            names.insert(name, array.unwrap_or_else(|| format!("parameter {number}")));
        }
        let mut order: Vec<usize> = self.instructions.keys().copied().collect();
        order.sort_unstable();
        let roots = Roots::of(order.iter().map(|at| &self.instructions[at]), names);
        if let Accesses::Checked(_, checks) = accesses
            && checks.skip.read_only_memory
            && self.function.is_entry
        {
            let instructions = order.iter().map(|at| &self.instructions[at]);
            let parameters = &self.function.parameters;
            self.pointers = read_only::pointers(parameters, instructions, &self.assembly, &roots);
        }
        let function = names::plain(&self.function.name);
        let mut location: Option<(Position, Option<Position>)> = None;
        for (at, statement) in self.body().iter().enumerate() {
            if let StatementKind::Location(own, inlined, _) = &statement.kind {
                location = Some((*own, *inlined));
            }
            let Some(instruction) = self.instructions.get(&at) else {
                continue;
            };
            let Some((kind, variable)) = self.site_of(instruction, statement, &roots, sites) else {
                continue;
            };
            let monitors = match accesses {
                Accesses::Checked(_, checks) => checks.monitor.monitors(&function, &variable),
                Accesses::Interleaved => false,
            };
            if kind != SiteKind::Sync && !monitors {
                sites.switched_off += 1;
                continue;
            }
            let place = match location.and_then(|(own, inlined)| own_position(own, inlined, sites))
            {
                Some(position) => Place::Source(position),
                None => Place::Ptx(statement.range.clone(), statement.line),
            };
            let text = match place {
                Place::Source(_) => format!("{}{PTX_LINE}{})", text(statement), statement.line),
                Place::Ptx(..) => text(statement),
            };
            let site = sites.add(place, kind, text, &variable, &function);
            self.sites.insert(at, site);
        }
    }

    /// What an instruction does at its site, and to which variable; none if it has no site.
    fn site_of(
        &self,
        instruction: &Instruction,
        statement: &Statement,
        roots: &Roots,
        sites: &mut Sites,
    ) -> Option<(SiteKind, String)> {
        if let ("call", StatementKind::Instruction(_, terms)) =
            (instruction.head(), &statement.kind)
        {
            let function = calls::library_function(terms)?;
            return function.orders.then(|| (SiteKind::Sync, String::new()));
        }
        match ptx::plan(instruction, &self.assembly)? {
            Meaning::Access { access, .. } => Some((access.kind, roots.variable(access.base))),
            Meaning::Order(..) => Some((SiteKind::Sync, String::new())),
            Meaning::Exchange(_) => {
                let written = ptx::destination(instruction).map(|it| roots.variable(it));
                Some((SiteKind::Sync, written.unwrap_or_default()))
            }
            Meaning::Plain(code) => {
                sites.private += usize::from(code.contains("hirace_at"));
                None
            }
        }
    }
}

/// The file and the line to show for a `.loc`.
pub(super) fn source_line(
    own: Position,
    inlined: Option<Position>,
    sites: &Sites,
) -> Option<(&str, u32)> {
    let position = own_position(own, inlined, sites)?;
    Some((sites.path_of(position.file)?, position.line))
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
