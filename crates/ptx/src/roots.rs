//! The variable that an address is derived from.
//!
//! A register has a root if everything that is assigned to it, through copies, conversions and sums,
//! leads to the same variable. An index has none, so `s + 4 * i` has the root `s`. Of a sum, only what `cvta` made counts,
//! if there is such an operand: an index into bytes may come from the size of an array, which is a parameter too.

use std::collections::{HashMap, HashSet};

use hirace_instrument::rewrite::ptx::{Instruction, Operand};

/// What is known about the root of a register; its own name, not that shown.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Root {
    One(String),
    Several,
}

/// The roots of the registers of a function.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    known: HashMap<String, Root>,
    /// The registers that `cvta` made, or sums of these.
    pointers: HashSet<String>,
    /// The names of variables and parameters, as shown.
    names: HashMap<String, String>,
}

impl Roots {
    /// Finds the roots in `instructions`; `names` are those of variables and parameters.
    pub fn of<'a>(
        instructions: impl Iterator<Item = &'a Instruction> + Clone,
        names: HashMap<String, String>,
    ) -> Self {
        let mut out = Self {
            known: HashMap::new(),
            pointers: HashSet::new(),
            names,
        };
        while instructions.clone().any(|it| out.is_new_pointer(it)) {}
        // A root only goes from none to one to several, so this ends.
        loop {
            let mut changed = false;
            for instruction in instructions.clone() {
                changed |= out.step(instruction);
            }
            if !changed {
                return out;
            }
        }
    }

    /// Whether an instruction makes a pointer that was not known.
    fn is_new_pointer(&mut self, instruction: &Instruction) -> bool {
        let Some((Operand::Register(target), sources)) = instruction.operands.split_first() else {
            return false;
        };
        let is_pointer = match instruction.head() {
            "cvta" => true,
            "mov" | "add" | "sub" | "selp" => sources.iter().any(|it| self.is_pointer(it)),
            _ => false,
        };
        is_pointer && self.pointers.insert(target.clone())
    }

    fn is_pointer(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Register(name) if self.pointers.contains(name))
    }

    fn step(&mut self, instruction: &Instruction) -> bool {
        let Some((Operand::Register(target), sources)) = instruction.operands.split_first() else {
            return false;
        };
        let sources = match instruction.head() {
            "mov" | "cvta" | "cvt" | "add" | "sub" | "and" | "or" | "selp" => sources,
            // The last operand is what is added.
            "mad" | "fma" => sources.get(2..).unwrap_or(&[]),
            // A number of 32 bits is an index.
            "ld" if instruction.modifiers().contains(&"param") && is_wide(instruction) => sources,
            _ => return false,
        };
        let is_sum = matches!(instruction.head(), "add" | "sub");
        let has_pointer = is_sum && sources.iter().any(|it| self.is_pointer(it));
        let mut changed = false;
        for source in sources {
            if has_pointer && !self.is_pointer(source) {
                continue;
            }
            let Some(root) = self.root(source) else {
                continue;
            };
            let merged = match self.known.get(target) {
                None => root,
                Some(known) if *known == root => continue,
                Some(Root::Several) => continue,
                Some(Root::One(_)) => Root::Several,
            };
            self.known.insert(target.clone(), merged);
            changed = true;
        }
        changed
    }

    fn root(&self, operand: &Operand) -> Option<Root> {
        match operand {
            Operand::Register(name) if self.names.contains_key(name) => {
                Some(Root::One(name.clone()))
            }
            Operand::Register(name) => self.known.get(name).cloned(),
            Operand::Address(base, _) | Operand::Tensor(base, _) => self.root(base),
            _ => None,
        }
    }

    /// The variable that an address is derived from, by its own name.
    pub fn origin(&self, address: &Operand) -> Option<String> {
        match self.root(address) {
            Some(Root::One(name)) => Some(name),
            _ => None,
        }
    }

    /// The variable that an address is derived from, as shown; empty if it is unknown.
    pub fn variable(&self, address: &Operand) -> String {
        let shown = self.origin(address).map(|it| self.names[&it].clone());
        shown.unwrap_or_default()
    }
}

/// Whether a load is one of 64 bits.
fn is_wide(load: &Instruction) -> bool {
    let wide = ["b64", "u64", "s64"];
    load.modifiers().iter().any(|it| wide.contains(it))
}
