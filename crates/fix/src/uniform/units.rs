//! Functions as the analysis takes them: in blocks, with their values and their callers.

use std::rc::Rc;

use hirace_ir::control::ControlFlow;
use hirace_ir::divergence::{Caller, Divergence, Group, Unit};
use hirace_ir::lower::{self, values};
use hirace_ir::values::Value;
use hirace_syntax::tree::{Field, Kind, Node};

use super::program::{OfFile, is_method};
use crate::syntax::{Lowered, Sources, Syntax};

/// The longest chain of calls to follow from a function to the kernel.
const MAX_CALL_DEPTH: usize = 4;

impl Sources<'_> {
    /// The blocks and values of a function in one of the files.
    pub(super) fn lowered(&self, syntax: &Syntax<'_>, function: Node<'_>) -> Rc<Lowered> {
        if let Some(known) = syntax.known.lowered.borrow().get(&function.start()) {
            return Rc::clone(known);
        }
        let program = OfFile {
            sources: self,
            syntax,
        };
        let flow = ControlFlow::of(hirace_ir::lower(lower::Source {
            name: syntax.name(function).unwrap_or_default(),
            text: syntax.text,
            body: function.child(Field::Body).unwrap_or(function),
            accesses: Vec::new(),
            opaque: None,
            program: &program,
        }));
        let values = values::values(source(syntax, function, &flow, &program));
        let made = Rc::new(Lowered {
            flow: Rc::new(flow),
            values: Rc::new(values),
        });
        let mut known = syntax.known.lowered.borrow_mut();
        known.insert(function.start(), Rc::clone(&made));
        made
    }

    /// What differs between the threads of a group in a function.
    pub(super) fn divergence(
        &self,
        syntax: &Syntax<'_>,
        function: Node<'_>,
        group: Group,
    ) -> Rc<Divergence> {
        let key = (function.start(), group);
        if let Some(known) = syntax.known.divergence.borrow().get(&key) {
            return Rc::clone(known);
        }
        let has_plain_warps = self.all().all(Syntax::has_plain_warps);
        let units = self.units(syntax, function);
        let made = Rc::new(Divergence::of(units, group, has_plain_warps));
        let mut known = syntax.known.divergence.borrow_mut();
        known.insert(key, Rc::clone(&made));
        made
    }

    /// A function and those that call it, directly or through others.
    fn units(&self, syntax: &Syntax<'_>, function: Node<'_>) -> Vec<Unit> {
        let mut found = vec![(syntax, function, 0)];
        let mut units: Vec<Unit> = Vec::new();
        while let Some(&(syntax, function, depth)) = found.get(units.len()) {
            let lowered = self.lowered(syntax, function);
            let is_kernel = syntax.is_kernel(function);
            let name = syntax.name(function);
            let name = name.filter(|_| !is_kernel && depth < MAX_CALL_DEPTH);
            let name = name.filter(|it| self.are_callers_known(it));
            let callers = name.and_then(|name| {
                let calls = self.calls(name).into_iter();
                let calls = calls.map(|(syntax, call)| {
                    let caller = call.enclosing_function()?;
                    let caller = caller.is(Kind::FunctionDefinition).then_some(caller)?;
                    let same = |it: &(&Syntax<'_>, Node<'_>, usize)| {
                        std::ptr::eq(it.0, syntax) && it.1 == caller
                    };
                    let unit = found.iter().position(same).unwrap_or_else(|| {
                        found.push((syntax, caller, depth + 1));
                        found.len() - 1
                    });
                    self.caller(unit, syntax, caller, call)
                });
                calls.collect::<Option<Vec<Caller>>>()
            });
            units.push(Unit {
                flow: Rc::clone(&lowered.flow),
                values: Rc::clone(&lowered.values),
                is_kernel,
                callers,
            });
        }
        units
    }

    fn caller(
        &self,
        unit: usize,
        syntax: &Syntax<'_>,
        function: Node<'_>,
        call: Node<'_>,
    ) -> Option<Caller> {
        let lowered = self.lowered(syntax, function);
        let program = OfFile {
            sources: self,
            syntax,
        };
        let source = source(syntax, function, &lowered.flow, &program);
        let Value::Call(value) = values::value(source, &lowered.values, call) else {
            return None;
        };
        if program.is_in_macro(call) {
            return None;
        }
        Some(Caller {
            unit,
            place: lowered.flow.place(call)?,
            call: *value,
        })
    }
}

/// What the lowering of a function's values begins with.
pub(super) fn source<'t, 'p>(
    syntax: &'p Syntax<'_>,
    function: Node<'t>,
    flow: &'p ControlFlow,
    program: &'p OfFile<'p>,
) -> values::Source<'t, 'p> {
    values::Source {
        text: syntax.text,
        definition: function,
        is_method: is_method(syntax, function),
        flow,
        program,
    }
}
