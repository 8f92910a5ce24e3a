//! The names of a test: locations, registers and threads.

use std::collections::{HashMap, HashSet};

use hirace_model::error::{Error, Result};

use super::ast::{Address, Instruction, Line, Location, LocationId, Span, Thread, Type};
use super::cursor::Cursor;
use super::lexer::Kind;
use super::source::Source;

/// The locations of a test.
#[derive(Default)]
pub(super) struct Locations {
    /// In the order in which the text names them.
    pub(super) list: Vec<Location>,
    ids: HashMap<String, LocationId>,
    /// How many of them the block of declarations names.
    declared: usize,
    /// Where the text first gives a location's state space, and whether it is shared memory.
    spaces: HashMap<LocationId, (bool, Span)>,
    /// The locations whose type the text gives.
    typed: HashSet<LocationId>,
    /// Where the text gives the initial value.
    pub(super) initial_at: HashMap<LocationId, Span>,
}

impl Locations {
    /// A location that was named before.
    pub(super) fn find(&self, name: &str) -> Option<LocationId> {
        self.ids.get(name).copied()
    }

    /// A location, new if it was not named before.
    pub(super) fn intern(&mut self, name: &str) -> LocationId {
        if let Some(id) = self.find(name) {
            return id;
        }
        let id = self.list.len();
        self.list.push(Location {
            name: name.to_owned(),
            value_type: Type::S64,
            initial: 0,
            alias: None,
            shared: false,
        });
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The block of declarations ends.
    pub(super) fn end_declarations(&mut self) {
        self.declared = self.list.len();
    }

    /// Whether the block of declarations names this location.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.find(name).is_some_and(|id| id < self.declared)
    }

    /// The location whose memory this location accesses.
    pub(super) fn base(&self, id: LocationId) -> LocationId {
        self.list[id].alias.map_or(id, |it| it.memory)
    }

    /// The text says at `span` that the location is in shared memory, or in global memory.
    pub(super) fn set_space(
        &mut self,
        source: &Source<'_>,
        id: LocationId,
        shared: bool,
        span: &Span,
    ) -> Result<()> {
        let base = self.base(id);
        let known = self.spaces.entry(base).or_insert((shared, span.clone()));
        if known.0 != shared {
            let name = &self.list[base].name;
            let message = format!("`{name}` is both in shared and in global memory");
            return Err(source.error(span.clone(), message));
        }
        self.list[base].shared = shared;
        Ok(())
    }

    /// The text says at `span` that the location has this type, or accesses it so. All accesses
    /// must have one size: the model knows none that overlap in part.
    pub(super) fn set_type(
        &mut self,
        source: &Source<'_>,
        id: LocationId,
        value_type: Type,
        span: &Span,
    ) -> Result<()> {
        let base = self.base(id);
        let location = &mut self.list[base];
        if self.typed.insert(base) {
            location.value_type = value_type;
        } else if location.value_type.bits != value_type.bits {
            let (name, known) = (&location.name, location.value_type.name());
            let message = format!(
                "`{name}` has {} bits here, but its type is .{known}",
                value_type.bits
            );
            let help = "all accesses to a location must have the same size";
            return Err(source.error_with_help(span.clone(), message, help));
        }
        Ok(())
    }

    /// The locations whose addresses these are, and which have no type yet, have that of the first
    /// access through a register that gives one.
    pub(super) fn set_types_of_addresses(&mut self, threads: &[Thread]) {
        let lines = || threads.iter().flat_map(|it| &it.code);
        let through_register = |line: &Line| {
            let operation = line.instruction.memory_operation()?;
            let is_register = matches!(operation.address, Address::Register(_));
            operation.value_type.filter(|_| is_register)
        };
        let Some(value_type) = lines().find_map(through_register) else {
            return;
        };
        for line in lines() {
            if let Instruction::AddressOf { location, .. } = line.instruction {
                let base = self.base(location);
                if self.typed.insert(base) {
                    self.list[base].value_type = value_type;
                }
            }
        }
    }

    /// Turns initial values into numbers of the locations' types, which are all known now.
    pub(super) fn fit_initial_values(&mut self, source: &Source<'_>) -> Result<()> {
        for id in 0..self.list.len() {
            let base = &self.list[self.base(id)];
            let (value_type, initial) = (base.value_type, base.initial);
            if let Some(span) = self.initial_at.get(&id)
                && !value_type.holds(initial)
            {
                let message = format!(
                    "{initial} is not a number of the type .{}",
                    value_type.name()
                );
                return Err(source.error(span.clone(), message));
            }
            self.list[id].value_type = value_type;
            self.list[id].initial = value_type.fit(initial);
        }
        Ok(())
    }

    /// Where the text says that the location is in shared memory.
    pub(super) fn shared_at(&self, id: LocationId) -> Option<Span> {
        let (shared, span) = self.spaces.get(&id)?;
        shared.then(|| span.clone())
    }
}

/// The registers of a thread.
#[derive(Default)]
pub(super) struct Registers {
    /// Declared, or the target of an instruction.
    pub(super) assigned: HashSet<String>,
    /// Read, but not assigned.
    pub(super) read: HashSet<String>,
}

impl Registers {
    /// Their names, in order.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .assigned
            .union(&self.read)
            .map(String::as_str)
            .collect();
        names.sort_unstable();
        names
    }

    /// Whether the thread uses a register of this name.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.assigned.contains(name) || self.read.contains(name)
    }
}

/// Whether a name that is assigned nowhere is a register by its looks: `r0`, `rd12`, `p1`.
pub(super) fn looks_like_register(name: &str) -> bool {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = name[..name.len() - digits.len()].to_ascii_lowercase();
    !digits.is_empty()
        && digits.chars().all(|c| c.is_ascii_digit())
        && matches!(letters.as_str(), "r" | "rd" | "rs" | "rh" | "p")
}

/// How the text refers to a thread.
#[derive(Clone)]
pub(super) struct ThreadName<'s> {
    kind: Kind<'s>,
    span: Span,
}

impl<'s> ThreadName<'s> {
    /// Reads `P1`, `T1` or `1`.
    pub(super) fn read(cursor: &mut Cursor<'s>) -> Result<Self> {
        let span = cursor.here();
        match cursor.peek() {
            Some(kind @ (Kind::Word(_) | Kind::Number(_))) => {
                cursor.advance();
                Ok(Self { kind, span })
            }
            _ => Err(cursor.unexpected("a thread such as `P0`")),
        }
    }

    /// The index of the thread in `names`.
    pub(super) fn find(&self, source: &Source<'_>, names: &[String]) -> Result<usize> {
        let found = match self.kind {
            Kind::Number(number) => {
                let number = number.to_string();
                names.iter().position(|name| name[1..] == number)
            }
            Kind::Word(word) => names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(word)),
            Kind::Sign(_) => None,
        };
        found.ok_or_else(|| self.unknown(source, names))
    }

    fn unknown(&self, source: &Source<'_>, names: &[String]) -> Error {
        let written = source.folded(self.span.clone());
        let help = format!("the threads are {}", names.join(", "));
        source.error_with_help(self.span.clone(), format!("no thread `{written}`"), help)
    }
}
