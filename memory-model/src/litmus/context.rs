//! The meaning of the names in a thread's instructions.

use std::collections::HashMap;

use hirace_model::error::{Error, Result};

use super::ast::{Address, LocationId, Operand, Span};
use super::names::{Locations, Registers, looks_like_register};
use super::source::Source;
use super::statement::{Raw, RawKind};

/// The names of a thread.
pub(super) struct Context<'c, 's> {
    pub(super) source: &'c Source<'s>,
    pub(super) locations: &'c mut Locations,
    pub(super) registers: &'c mut Registers,
    /// The index of the instruction after each label.
    pub(super) labels: &'c HashMap<&'s str, usize>,
}

impl Context<'_, '_> {
    /// A register that receives a value.
    pub(super) fn target(&self, raw: &Raw<'_>) -> Result<String> {
        match raw.kind {
            RawKind::Name(name) if !self.locations.is_declared(name) => Ok(name.to_owned()),
            RawKind::Name(name) => {
                let message = format!("expected a register, but `{name}` is a location");
                Err(self.error(raw, message))
            }
            RawKind::Bracketed(_) | RawKind::Number(_) => {
                Err(self.error(raw, "expected a register for the result"))
            }
        }
    }

    /// A register or a number whose value is read.
    pub(super) fn value(&mut self, raw: &Raw<'_>) -> Result<Operand> {
        match raw.kind {
            RawKind::Number(number) => Ok(Operand::Constant(number)),
            RawKind::Name(name) => Ok(Operand::Register(self.register(name, &raw.span)?)),
            RawKind::Bracketed(_) => {
                let help = "load the value into a register first";
                let message = "expected a register or a number, found an address";
                Err(self.source.error_with_help(raw.span.clone(), message, help))
            }
        }
    }

    /// A register whose value is read. One that is assigned nowhere must look like a register.
    pub(super) fn register(&mut self, name: &str, span: &Span) -> Result<String> {
        if self.is_register(name) {
            if !self.registers.assigned.contains(name) {
                self.registers.read.insert(name.to_owned());
            }
            return Ok(name.to_owned());
        }
        let span = span.clone();
        if self.locations.find(name).is_some() {
            let help = "load its value with `ld`, or its address with `mov`, into a register first";
            let message = format!("expected a register or a number, but `{name}` is a location");
            return Err(self.source.error_with_help(span, message, help));
        }
        let help = "no instruction of this thread assigns it";
        let message = format!("unknown register `{name}`");
        Err(self.source.error_with_help(span, message, help))
    }

    /// The location of `x` or `[x]`, or the register of `[r0]`.
    pub(super) fn address(&mut self, raw: &Raw<'_>) -> Result<Address> {
        let (name, bracketed) = match raw.kind {
            RawKind::Name(name) => (name, false),
            RawKind::Bracketed(name) => (name, true),
            RawKind::Number(_) => {
                return Err(self.error(raw, "expected a location or `[register]`"));
            }
        };
        if !self.is_register(name) {
            return Ok(Address::Location(self.locations.intern(name)));
        }
        if !self.registers.assigned.contains(name) {
            let help = format!("assign it first: `mov {name}, x`");
            let message = format!("register `{name}` never receives an address");
            return Err(self.source.error_with_help(raw.span.clone(), message, help));
        }
        if !bracketed {
            let help = format!("write `[{name}]` to access the location whose address it holds");
            let message = format!("expected a location, but `{name}` is a register");
            return Err(self.source.error_with_help(raw.span.clone(), message, help));
        }
        Ok(Address::Register(name.to_owned()))
    }

    /// The location whose address an operand such as the `x` in `mov r0, x` means.
    pub(super) fn location(&mut self, raw: &Raw<'_>) -> Option<LocationId> {
        match raw.kind {
            RawKind::Name(name) if !self.is_register(name) => Some(self.locations.intern(name)),
            _ => None,
        }
    }

    /// The index of the instruction after a label.
    pub(super) fn label(&self, raw: &Raw<'_>) -> Result<usize> {
        let RawKind::Name(name) = raw.kind else {
            return Err(self.error(raw, "expected a label"));
        };
        self.labels.get(name).copied().ok_or_else(|| {
            let mut known: Vec<_> = self.labels.keys().copied().collect();
            known.sort_unstable();
            let help = match known.as_slice() {
                [] => "this thread has no labels".to_owned(),
                known => format!("the labels of this thread are {}", known.join(", ")),
            };
            let message = format!("unknown label `{name}`");
            self.source.error_with_help(raw.span.clone(), message, help)
        })
    }

    /// A mistake in an operand.
    pub(super) fn error(&self, raw: &Raw<'_>, message: impl Into<String>) -> Error {
        self.source.error(raw.span.clone(), message)
    }

    fn is_register(&self, name: &str) -> bool {
        let assigned = self.registers.assigned.contains(name);
        !self.locations.is_declared(name) && (assigned || looks_like_register(name))
    }
}
