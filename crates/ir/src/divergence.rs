//! Divergence: which values and decisions may differ between the threads of a group.
//!
//! That threads agreed in one run proves nothing for other input: `if (i < n)` holds for all threads if `n` happens to
//! fit. Here, a value is *uniform* if the text shows that all threads of the group that compute it together get the
//! same; otherwise it is *divergent* (Karrenberg and Hack, "Whole-Function Vectorization", CGO 2011; Rosemann, Moll and
//! Hack, "An Abstract Interpretation for SPMD Divergence on Reducible Control Flow Graphs", POPL 2021).
//!
//! # The analysis
//!
//! The state is a set of divergent definitions and decisions, in a function and in those that call it, directly or
//! through others. It begins empty and grows to the least fixpoint of three rules:
//!
//! - *Data.* A definition is divergent if its value is. Constants, parameters of a kernel and `blockIdx` are uniform,
//!   and so is what is computed from uniform values; `threadIdx` and results of unknown functions are not. A parameter
//!   of another function is uniform if its argument is in every call, and the result of a function if its arguments are
//!   and nothing that it names depends on the thread ([`Dependence`]).
//! - *Control.* A use of a variable is divergent if a definition that reaches it ([`crate::values`]) is, or if a
//!   divergent decision lies between the two: one on which it depends whether, and how often, the definition is
//!   executed, and both of whose outcomes lead to the use ([`ControlFlow::decisions_between`]). This covers threads
//!   that leave a loop after different numbers of iterations.
//! - *Shared memory.* A variable there is uniform although one thread alone may have written it if barriers of the group
//!   separate each write from the read, in both directions.
//!
//! # Why uniform values agree
//!
//! By induction over the time at which values are computed: take the first use at which two threads of the group that
//! are there together disagree. Each has executed one of the definitions that reach it. No decision between is
//! divergent, so that they took the same ones, and both executed the same definition, equally often. Its value was
//! uniform, so the two agreed on it before; they would have disagreed earlier.
//!
//! A variable that something else than a definition may change has no uniform value ([`Variable::escapes`]), and where
//! the text hides the control flow ([`Function::opaque`]), neither places nor variables with several definitions have
//! known decisions.
//!
//! Values read from memory at a uniform address count as uniform, too. Another thread may have written there in between;
//! then the decision on a barrier may come out differently, which the executor reports.
//!
//! # Lanes of a warp
//!
//! Lanes also agree on quotients and comparisons of numbers that rise from lane to lane by a fixed step: on
//! `threadIdx.x / 32` and `threadIdx.x < 64`.
//!
//! [`Variable::escapes`]: crate::values::Variable::escapes
//! [`Function::opaque`]: crate::function::Function::opaque

mod affine;
mod groups;
mod lanes;

use std::cell::Cell;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use hirace_syntax::names::{Meaning, meaning};

use crate::control::ControlFlow;
use crate::function::{BlockId, Effect, Place};
use crate::values::{Barrier, Call, DefinitionId, Dependence, Origin, Value, Values, VariableId};

pub use affine::WARP_SIZE;

/// The longest chain of variables to follow for the values of lanes, or for a group.
const MAX_VARIABLES: usize = 8;

/// A group of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// All threads of the block.
    Block,
    /// All lanes of a tile of so many, which are fewer than those of a warp.
    Tile(i64),
    /// All lanes of the warp.
    Warp,
    /// All threads of the cluster.
    Cluster,
    /// All threads of the grid.
    Grid,
}

impl Group {
    /// Whether the group has threads of several blocks.
    fn spans_blocks(self) -> bool {
        matches!(self, Self::Cluster | Self::Grid)
    }

    /// The number of lanes, if all are of one warp.
    pub fn lanes(self) -> Option<i64> {
        match self {
            Self::Tile(width) => Some(width),
            Self::Warp => Some(WARP_SIZE),
            Self::Block | Self::Cluster | Self::Grid => None,
        }
    }
}

/// A function, with those that call it.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its control flow.
    pub flow: Rc<ControlFlow>,
    /// Its values.
    pub values: Rc<Values>,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// Where it is called; `None` if that is not known.
    pub callers: Option<Vec<Caller>>,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The number of the calling function among the units.
    pub unit: usize,
    /// Where it calls.
    pub place: Place,
    /// What it calls.
    pub call: Call,
}

/// Which values and decisions may differ between the threads of a group.
#[derive(Debug)]
pub struct Divergence {
    units: Vec<Unit>,
    group: Group,
    /// Whether the threads of a warp differ only in `threadIdx.x`.
    has_plain_warps: bool,
    /// The length of the chain of variables that is being followed for the values of lanes, or for a group.
    followed: Cell<usize>,
    /// The units that are methods whose objects may differ.
    objects: FixedBitSet,
    /// For each unit, the definitions that may differ.
    definitions: Vec<FixedBitSet>,
    /// For each unit, the blocks whose decisions may differ.
    decisions: Vec<FixedBitSet>,
}

impl Divergence {
    /// The analysis of the first unit; the others are those that call it, directly or through others.
    pub fn of(units: Vec<Unit>, group: Group, has_plain_warps: bool) -> Self {
        let definitions = units.iter().map(|it| it.values.definitions.len());
        let definitions = definitions.map(FixedBitSet::with_capacity).collect();
        let decisions = units.iter().map(|it| it.flow.unknown_decisions()).collect();
        let objects = FixedBitSet::with_capacity(units.len());
        let mut state = Self {
            units,
            group,
            has_plain_warps,
            followed: Cell::new(0),
            objects,
            definitions,
            decisions,
        };
        while state.grow() {}
        state
    }

    /// Adds what follows from the state by the rules; whether that is anything.
    fn grow(&mut self) -> bool {
        let mut has_grown = false;
        for unit in 0..self.units.len() {
            if !self.objects.contains(unit) && !self.is_called_on_one_object(unit) {
                self.objects.insert(unit);
                has_grown = true;
            }
            let values = Rc::clone(&self.units[unit].values);
            for (number, definition) in values.definitions.iter().enumerate() {
                if !self.definitions[unit].contains(number)
                    && !self.is_uniform(unit, &definition.value)
                {
                    self.definitions[unit].insert(number);
                    has_grown = true;
                }
            }
            for (block, value) in &values.decisions {
                let block = block.index();
                if !self.decisions[unit].contains(block) && !self.is_uniform(unit, value) {
                    self.decisions[unit].insert(block);
                    has_grown = true;
                }
            }
        }
        has_grown
    }

    /// Whether all threads of the group that run the kernel reach a place.
    pub fn is_reached_by_all(&self, place: Place) -> bool {
        let mut seen = FixedBitSet::with_capacity(self.units.len());
        let mut waiting = vec![(0, place)];
        while let Some((number, place)) = waiting.pop() {
            let unit = &self.units[number];
            if !self.is_known(number, place)
                || !self.are_uniform(number, &unit.flow.decisions(place))
            {
                return false;
            }
            if unit.is_kernel || seen.put(number) {
                continue;
            }
            match &unit.callers {
                Some(callers) if !callers.is_empty() => {
                    waiting.extend(callers.iter().map(|it| (it.unit, it.place)));
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether a value in the first unit is the same for all threads of the group.
    pub fn agree_on(&self, value: &Value) -> bool {
        self.is_uniform(0, value)
    }

    /// Whether the call at a position in the first unit is a barrier of the group, or of a larger one.
    pub fn is_barrier(&self, position: usize) -> bool {
        self.is_barrier_in(0, position)
    }

    /// The last of the variables of the first unit that stand for a group like this one and are visible at a position.
    pub fn object_at(&self, position: usize) -> Option<&str> {
        let wanted = groups::object_of(self.group);
        let variables = self.units[0].values.variables.iter().enumerate();
        let mut visible = variables.filter(|(_, it)| {
            let is_outside = matches!(it.origin, Origin::Outside | Origin::Member);
            it.visible.contains(&position) && !is_outside
        });
        let found =
            visible.rfind(|(number, _)| groups::of_variable(self, 0, *number) == Some(wanted));
        found.map(|(_, it)| it.name.as_str())
    }

    /// What `read` finds, unless the chain of variables that led here is too long to follow.
    fn following<T>(&self, read: impl FnOnce() -> Option<T>) -> Option<T> {
        let length = self.followed.get();
        if length == MAX_VARIABLES {
            return None;
        }
        self.followed.set(length + 1);
        let found = read();
        self.followed.set(length);
        found
    }

    /// Whether the blocks show how control comes to a place.
    fn is_known(&self, unit: usize, place: Place) -> bool {
        let flow = &self.units[unit].flow;
        let opaque = flow.function().opaque.as_ref();
        opaque.is_none_or(|it| place.at <= it.from && !flow.is_repeated(place))
    }

    fn are_uniform(&self, unit: usize, decisions: &[BlockId]) -> bool {
        let divergent = &self.decisions[unit];
        decisions.iter().all(|it| !divergent.contains(it.index()))
    }

    fn is_uniform(&self, unit: usize, value: &Value) -> bool {
        let all = |values: Vec<&Value>| values.into_iter().all(|it| self.is_uniform(unit, it));
        match value {
            Value::Constant(_) => true,
            Value::Unknown => false,
            Value::This => !self.objects.contains(unit) && !self.changes_members(unit),
            Value::AtEntry(variable) => self.is_uniform_at_entry(unit, *variable),
            Value::Variable(variable, place) => self.is_uniform_variable(unit, *variable, *place),
            Value::Call(call) => self.is_uniform_result(unit, call),
            Value::Binary { .. } => {
                all(value.operands())
                    || self.group.lanes().is_some() && lanes::agree(self, unit, value)
            }
            Value::Member(..) | Value::Unary(..) | Value::ToInteger(_) | Value::Parts(_) => {
                all(value.operands())
            }
        }
    }

    /// Whether a method changes its object, by itself or by others that it calls.
    fn changes_members(&self, unit: usize) -> bool {
        let Values { variables, .. } = &*self.units[unit].values;
        let mut members = variables.iter().enumerate();
        members.any(|(number, it)| {
            let definitions = self.units[unit].values.definitions_of(number);
            it.origin == Origin::Member && (it.escapes || definitions.len() > 1)
        })
    }

    fn is_uniform_variable(&self, unit: usize, variable: VariableId, place: Place) -> bool {
        let Unit { flow, values, .. } = &self.units[unit];
        let Values { variables, .. } = &**values;
        let is_elsewhere = variables[variable].is_shared && self.group.spans_blocks();
        let is_assigned = || values.definitions_of(variable).len() > 1;
        let is_uniform = |definition: DefinitionId| {
            let from = values.definitions[definition].place;
            !self.definitions[unit].contains(definition)
                && self.are_uniform(unit, &flow.decisions_between(from, place))
                || self.is_shared_and_ordered(unit, definition, place)
        };
        !variables[variable].escapes
            && !is_elsewhere
            && (self.is_known(unit, place) || !is_assigned())
            && values
                .reaching(flow, variable, place)
                .into_iter()
                .all(is_uniform)
    }

    /// Whether all threads read the same value of a variable at a place, although one of them may have written it alone:
    /// it is in shared memory, and barriers separate the two.
    fn is_shared_and_ordered(&self, unit: usize, definition: DefinitionId, read: Place) -> bool {
        let Unit { flow, values, .. } = &self.units[unit];
        let definition = &values.definitions[definition];
        let write = definition.place;
        let is_barrier = |effect: &Effect| match effect {
            Effect::Barrier(_, range) | Effect::Call(range) => {
                self.is_barrier_in(unit, range.start)
            }
            _ => false,
        };
        definition.is_assignment
            && values.variables[definition.variable].is_shared
            && flow.is_separated(write, read, is_barrier)
            // In a loop, some threads may read what others write in the next iteration.
            && flow.is_separated(read, write, is_barrier)
    }

    fn is_barrier_in(&self, unit: usize, position: usize) -> bool {
        match self.units[unit].values.barriers.get(&position) {
            Some(Barrier::Block) => !self.group.spans_blocks(),
            Some(Barrier::Warp) => self.group.lanes().is_some(),
            Some(Barrier::Object(object)) => {
                groups::of(self, unit, object).is_some_and(|it| groups::joins(it, self.group))
            }
            None => false,
        }
    }

    /// Whether a variable has one value in all threads where the function begins.
    fn is_uniform_at_entry(&self, unit: usize, variable: VariableId) -> bool {
        let Unit {
            values, is_kernel, ..
        } = &self.units[unit];
        let variable = &values.variables[variable];
        match (variable.origin, variable.name.as_str()) {
            (Origin::Parameter(index), _) => {
                *is_kernel
                    || self.all_callers(unit, |caller| {
                        let argument = caller.call.arguments.get(index);
                        argument.is_some_and(|it| self.is_uniform(caller.unit, it))
                    })
            }
            (Origin::Member, _) => !self.objects.contains(unit),
            (_, "threadIdx") => false,
            (_, "blockIdx") => !self.group.spans_blocks(),
            _ => true,
        }
    }

    /// Whether the object of a method is the same for all threads, in all calls.
    fn is_called_on_one_object(&self, unit: usize) -> bool {
        self.all_callers(unit, |caller| {
            let object = caller.call.object.as_ref();
            object.is_some_and(|it| self.is_uniform(caller.unit, it))
        })
    }

    /// Whether the callers of a function are known, and all have a property.
    fn all_callers(&self, unit: usize, has: impl Fn(&Caller) -> bool) -> bool {
        let callers = &self.units[unit].callers;
        callers
            .as_ref()
            .is_some_and(|it| !it.is_empty() && it.iter().all(has))
    }

    fn is_uniform_result(&self, unit: usize, call: &Call) -> bool {
        let all_agree = |values: &[Value]| values.iter().all(|it| self.is_uniform(unit, it));
        let by_meaning = match meaning(call.name()).filter(|_| call.object.is_none()) {
            Some(Meaning::BlockBarrier) => !self.group.spans_blocks(),
            // Lanes with other masks get other results.
            Some(Meaning::WarpVote) => {
                self.group.lanes().is_some()
                    && all_agree(call.arguments.get(..1).unwrap_or_default())
            }
            _ => false,
        };
        let is_free = match call.depends {
            Dependence::Arguments => true,
            Dependence::Block => !self.group.spans_blocks(),
            Dependence::Thread => false,
        };
        let object = call.object.as_ref();
        by_meaning
            || groups::agree(self, unit, call)
            || is_free
                && object.is_none_or(|it| self.is_uniform(unit, it))
                && all_agree(&call.arguments)
    }
}
