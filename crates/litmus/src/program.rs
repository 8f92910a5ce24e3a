//! A litmus test as a CUDA program.
//!
//! What depends on the test is written here: constants, and the code of its threads. The rest is in
//! `program/*.cuh`, and copied into the program, so that it stands alone.

mod cpp;
mod ptx;
mod text;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hirace_memory_model::litmus::ast::{
    Address, AtomicOp, Instruction, Location, LocationId, MemoryOperation, Operand, Proxy, Term,
    Test, Type, Value,
};
use hirace_memory_model::states;
use hirace_memory_model::trace::FIRST_ADDRESS;

const HISTOGRAM: &str = include_str!("program/histogram.cuh");
const GPU: &str = include_str!("program/gpu.cuh");
const THREAD: &str = include_str!("program/thread.cuh");
const EXECUTOR: &str = include_str!("program/executor.cuh");

/// Instances of a test in a block, if they do not share barriers.
const INSTANCES: usize = 4;

/// Numbers of barriers in a block (PTX ISA, "barrier").
const BARRIERS: Value = 16;

/// Where a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// A GPU: the threads are PTX.
    Gpu,
    /// The CPU executor: the threads are C++.
    Executor,
}

impl Machine {
    /// Its name, on the command line and in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Executor => "cpu",
        }
    }
}

/// The text of the program.
///
/// # Errors
/// What the machine cannot run.
pub fn program(test: &Test, machine: Machine) -> Result<String, String> {
    let layout = Layout::of(test)?;
    let body: fn(&Layout<'_>, usize) -> Result<String, String> = match machine {
        Machine::Gpu => ptx::body,
        Machine::Executor => cpp::body,
    };
    let mut text = format!(
        "// The litmus test {}, as `hirace litmus run` runs it.\n\n\
         #include <cstdio>\n#include <cstdlib>\n#include <map>\n#include <utility>\n\
         #include <vector>\n\n",
        test.name
    );
    layout.constants(&mut text);
    let parameters = match machine {
        Machine::Gpu => "long long zero, long long *result, int &cut",
        Machine::Executor => {
            let _ = writeln!(text, "\n{THREAD}");
            "long long *result, int *arrived, unsigned &noise, int &cut"
        }
    };
    let _ = write!(
        text,
        "\nstatic __device__ void run(int role, long long *const *location, {parameters}) {{\n  \
         (void)location;\n  switch (role) {{\n"
    );
    for thread in 0..test.threads.len() {
        layout.case(&mut text, thread, &body(&layout, thread)?);
    }
    text += "  }\n}\n\n";
    let runner = match machine {
        Machine::Gpu => GPU,
        Machine::Executor => EXECUTOR,
    };
    let _ = write!(text, "{HISTOGRAM}\n{runner}");
    Ok(text)
}

/// Where a thread of the test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    block: usize,
    warp: usize,
    lane: usize,
}

/// What a test needs of a grid.
struct Layout<'a> {
    test: &'a Test,
    places: Vec<Place>,
    /// The terms of a state.
    terms: Vec<Term>,
    has_barriers: bool,
}

impl<'a> Layout<'a> {
    fn of(test: &'a Test) -> Result<Self, String> {
        let mut gpus: Vec<u32> = test.threads.iter().map(|it| it.placement.gpu).collect();
        gpus.dedup();
        if gpus.len() > 1 {
            return Err("threads on several GPUs cannot be run".to_owned());
        }
        if test.threads.iter().any(|it| it.placement.cluster.is_some()) {
            return Err("clusters cannot be run".to_owned());
        }
        for location in &test.locations {
            if location.alias.is_some() {
                let name = &location.name;
                return Err(format!("`{name}` is an alias, and aliases cannot be run"));
            }
        }
        let lines = || test.threads.iter().flat_map(|thread| &thread.code);
        if lines().any(|line| uses_other_proxy(&line.instruction)) {
            return Err("surfaces, textures and constant memory cannot be run".to_owned());
        }
        let places = places(test);
        let has_barriers =
            lines().any(|line| matches!(line.instruction, Instruction::Barrier { .. }));
        if has_barriers && places.iter().any(|it| it.lane > 0) {
            return Err("barriers of threads in one warp cannot be run".to_owned());
        }
        Ok(Self {
            test,
            places,
            terms: states::observed(test),
            has_barriers,
        })
    }

    /// How many warps of the thread's block run threads of the test.
    fn warps_beside(&self, thread: usize) -> usize {
        let block = self.places[thread].block;
        let beside = self.places.iter().filter(|it| it.block == block);
        beside.map(|it| it.warp).collect::<BTreeSet<_>>().len()
    }

    /// How many threads of the test run in the thread's block.
    fn threads_beside(&self, thread: usize) -> usize {
        let block = self.places[thread].block;
        self.places.iter().filter(|it| it.block == block).count()
    }

    /// The locations that a thread names.
    fn locations_of(&self, thread: usize) -> Vec<LocationId> {
        text::locations(&self.test.threads[thread])
    }

    /// The type of an access. One through a register without a type has that of the location, which
    /// is known only if all locations have the same.
    fn type_of(&self, operation: &MemoryOperation) -> Result<Type, String> {
        let locations = &self.test.locations;
        match (operation.value_type, &operation.address) {
            (Some(given), _) => Ok(given),
            (None, Address::Location(id)) => Ok(locations[*id].value_type),
            (None, Address::Register(register)) => {
                let first = locations.first().map_or(Type::S64, |it| it.value_type);
                let same = locations.iter().all(|it| it.value_type == first);
                let suffix = first.name();
                same.then_some(first).ok_or_else(|| {
                    format!("the access to [{register}] needs a type, such as .{suffix}")
                })
            }
        }
    }

    /// A barrier that the test does not use.
    fn free_barrier(&self) -> Value {
        let code = self.test.threads.iter().flat_map(|it| &it.code);
        let used: BTreeSet<Value> = code
            .filter_map(|line| match &line.instruction {
                Instruction::Barrier {
                    number: Operand::Constant(number),
                    ..
                } => Some(*number),
                _ => None,
            })
            .collect();
        let free = (0..BARRIERS).rev().find(|it| !used.contains(it));
        free.unwrap_or(BARRIERS - 1)
    }

    /// The constants that the runner needs.
    fn constants(&self, text: &mut String) {
        let count = |of: fn(&Place) -> usize| self.places.iter().map(of).max().unwrap_or(0) + 1;
        let instances = if self.has_barriers { 1 } else { INSTANCES };
        let locations = self.test.locations.len().max(1);
        for (name, value) in [
            ("threads", self.places.len()),
            ("blocks", count(|it| it.block)),
            ("warps", count(|it| it.warp)),
            ("instances_per_block", instances),
            ("locations", locations),
            ("values", self.terms.len()),
        ] {
            let _ = writeln!(text, "constexpr int {name} = {value};");
        }
        let _ = writeln!(
            text,
            "constexpr int free_barrier = {};\n\
             // The model's address of the first location; those of the others follow.\n\
             constexpr long long first_address = {FIRST_ADDRESS}ll;",
            self.free_barrier()
        );
        let of_terms: Vec<String> = self
            .terms
            .iter()
            .map(|term| match term {
                Term::Location(id) => id.to_string(),
                _ => "-1".to_owned(),
            })
            .collect();
        let _ = writeln!(
            text,
            "// The location that a value of a state is, or -1 for a register.\n\
             constexpr int location_of_value[] = {{{}}};\n",
            of_terms.join(", ")
        );
        self.switch(text, "initial(int location)", "0", &|location| {
            let initial = location.initial.cast_unsigned();
            format!("(long long){initial}ull;  // {}", location.name)
        });
        *text +=
            "// Each location has a slot of 64 bits, of which its type says how many it uses.\n";
        let head = "value_of(int location, long long slot)";
        self.switch(text, head, "slot", &|location| {
            format!("({})slot;", cpp::c_type(location.value_type))
        });
        let locations = self.test.locations.iter().enumerate();
        let shared = locations.filter(|(_, it)| it.shared);
        let shared: Vec<_> = shared.map(|(id, _)| format!("location == {id}")).collect();
        let shared = match shared.is_empty() {
            true => "(void)location, false".to_owned(),
            false => shared.join(" || "),
        };
        let _ = writeln!(
            text,
            "static __host__ __device__ bool is_shared(int location) {{ return {shared}; }}\n"
        );
        *text += "// The thread of the test that a thread of the grid runs, or -1.\n\
                  static __host__ __device__ int role_of(int block, int warp, int lane) {\n";
        for (thread, place) in self.places.iter().enumerate() {
            let Place { block, warp, lane } = place;
            let _ = writeln!(
                text,
                "  if (block == {block} && warp == {warp} && lane == {lane}) return {thread};"
            );
        }
        *text += "  return -1;\n}\n";
    }

    /// A function that returns a value for each location, or else `default`.
    fn switch(
        &self,
        text: &mut String,
        head: &str,
        default: &str,
        value: &dyn Fn(&Location) -> String,
    ) {
        *text +=
            &format!("static __host__ __device__ long long {head} {{\n  switch (location) {{\n");
        for (id, location) in self.test.locations.iter().enumerate() {
            *text += &format!("    case {id}: return {}\n", value(location));
        }
        *text += &format!("  }}\n  return {default};\n}}\n\n");
    }

    /// A thread: its registers, its code, and what is observed of it.
    fn case(&self, text: &mut String, thread: usize, body: &str) {
        let code = &self.test.threads[thread];
        let _ = writeln!(text, "    case {thread}: {{  // {}", code.name);
        for register in text::registers(code) {
            let own = |it: &&(usize, String, Value)| it.0 == thread && it.1 == register;
            let initial = self.test.registers.iter().find(own).map_or(0, |it| it.2);
            let initial = initial.cast_unsigned();
            let _ = writeln!(
                text,
                "      long long v_{register} = (long long){initial}ull;"
            );
        }
        text.push_str(body);
        let registers = text::registers(code);
        for (index, term) in self.terms.iter().enumerate() {
            match term {
                Term::Register(of, register) if *of == thread && registers.contains(register) => {
                    let _ = writeln!(text, "      result[{index}] = v_{register};");
                }
                _ => {}
            }
        }
        text.push_str("      return;\n    }\n");
    }
}

/// Whether PTX and CUDA have the operation for this type.
fn check_atomic(op: &AtomicOp, value_type: Type) -> Result<(), String> {
    let bits = value_type.bits;
    if bits < 32 {
        return Err(format!("atomic operations of {bits} bits cannot be run"));
    }
    match op.only {
        Some(only) if only.bits != bits => {
            Err(format!("PTX has `{}` for {} bits only", op.name, only.bits))
        }
        _ => Ok(()),
    }
}

/// Whether the instruction is for another proxy than the generic one.
fn uses_other_proxy(instruction: &Instruction) -> bool {
    let operation = instruction.memory_operation();
    operation.is_some_and(|it| it.proxy != Proxy::Generic)
        || matches!(instruction, Instruction::ProxyFence { proxy: Some(_) })
}

/// Blocks, warps and lanes by number from 0, in the order in which the test names them.
fn places(test: &Test) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut blocks: Vec<u32> = Vec::new();
    // A thread whose warp is not given has one of its own.
    let mut warps: Vec<Vec<Option<u32>>> = Vec::new();
    for thread in &test.threads {
        let placement = thread.placement;
        let known = blocks.iter().position(|it| *it == placement.cta);
        let block = known.unwrap_or_else(|| {
            blocks.push(placement.cta);
            warps.push(Vec::new());
            blocks.len() - 1
        });
        let of_block = &mut warps[block];
        let same = |it: &Option<u32>| it.is_some() && *it == placement.warp;
        let warp = of_block.iter().position(same).unwrap_or_else(|| {
            of_block.push(placement.warp);
            of_block.len() - 1
        });
        let beside = places
            .iter()
            .filter(|it| it.block == block && it.warp == warp);
        let lane = beside.count();
        places.push(Place { block, warp, lane });
    }
    places
}
