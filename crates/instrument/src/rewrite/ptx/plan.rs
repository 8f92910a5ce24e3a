//! What becomes of an instruction: the one table for inline PTX and for files of PTX.

use super::effect::{Access, Effect, Space, effect};
use super::operands::{self, SPACE};
use super::order::{cluster_barrier, equivalent};
use super::syntax::{Assembly, Guard, Instruction};
use super::{barriers, bulk, exchanges, instructions, matrix, table, warpgroup, wmma};

/// An instruction in C++, without the sites.
pub enum Plan<'a> {
    /// A barrier or a fence: the hook's name, and further arguments.
    Order(&'static str, String),
    /// An access to memory that threads share.
    Access {
        /// What it accesses.
        access: Access<'a>,
        /// What a compare-and-swap compares with.
        compared: Option<String>,
        /// What precedes its check, with `SITE` in place of the site's number.
        before: String,
        /// Its address.
        pointer: String,
        /// The operation on `hirace_at`, with `SITE` in place of the site's number.
        done: String,
    },
    /// An operation of several threads, or an asynchronous copy, with `SITE` in place of its site's
    /// number.
    Exchange(String),
    /// Anything else.
    Plain(String),
}

/// The plan for `instruction`; none if it has no C++ counterpart.
#[must_use]
pub fn plan<'a>(instruction: &'a Instruction, assembly: &Assembly) -> Option<Plan<'a>> {
    if !table::has(instruction) {
        return None;
    }
    match effect(instruction) {
        Effect::Unknown(_) => bulk::bulk(instruction, assembly)
            .or_else(|| wmma::wmma(instruction, assembly))
            .map(Plan::Exchange),
        Effect::Access(access) => {
            let pointer = address(&access, assembly)?;
            let done = instructions::access(instruction, assembly)?;
            let compared = match instruction.modifiers().contains(&"cas") {
                true => {
                    let operand = instruction.operands.get(2)?;
                    let kind = if access.size == 16 { "b128" } else { "u64" };
                    Some(operands::value(operand, kind, assembly)?)
                }
                false => None,
            };
            Some(Plan::Access {
                access,
                compared,
                before: matrix::gathered(instruction, assembly).unwrap_or_default(),
                pointer,
                done,
            })
        }
        Effect::Private(access) => {
            let pointer = address(&access, assembly)?;
            let done = instructions::access(instruction, assembly)?;
            Some(Plan::Plain(format!(
                "void* const hirace_at = {pointer}; {done}"
            )))
        }
        Effect::Nothing => match (equivalent(instruction), instruction.head()) {
            (Some("syncwarp"), _) => {
                let mask = operands::value(instruction.operands.first()?, "u32", assembly)?;
                Some(Plan::Order("syncwarp", format!(", {mask}")))
            }
            (Some(function), _) => Some(Plan::Order(function, String::new())),
            _ if cluster_barrier(instruction).is_some() => {
                cluster_barrier(instruction).map(|it| Plan::Order(it, String::new()))
            }
            // Accesses through different proxies are not distinguished.
            (None, "fence") if instruction.modifiers().first() == Some(&"proxy") => {
                Some(Plan::Plain(";".to_owned()))
            }
            _ => exchanges::exchange(instruction, assembly)
                .or_else(|| barriers::barrier(instruction, assembly))
                .or_else(|| bulk::bulk(instruction, assembly))
                .or_else(|| matrix::product(instruction, assembly))
                .or_else(|| matrix::moved(instruction, assembly))
                .or_else(|| warpgroup::warpgroup(instruction, assembly))
                .or_else(|| wmma::wmma(instruction, assembly))
                .map(Plan::Exchange)
                .or_else(|| instructions::translate(instruction, assembly).map(Plan::Plain)),
        },
    }
}

/// The address of an access as a C++ pointer.
fn address(access: &Access<'_>, assembly: &Assembly) -> Option<String> {
    let base = operands::value(access.base, "u64", assembly)?;
    let offset = match access.offset {
        Some(offset) => format!(" + {}", operands::value(offset, "u64", assembly)?),
        None => String::new(),
    };
    let space = match access.space {
        Space::Generic => "generic",
        Space::Shared | Space::Cluster => "shared",
        Space::Local => "local",
        Space::Constant => "constant",
    };
    Some(format!("{SPACE}{space}_pointer({base}{offset})"))
}

impl Access<'_> {
    /// The pointer to what it accesses, with the hook of the site `id` around it. `compared` is
    /// what a compare-and-swap compares with.
    #[must_use]
    pub fn checked(&self, id: &str, compared: Option<&str>, pointer: &str) -> String {
        let (hook, size, strength) = (self.hook, self.size, self.template_arguments());
        match compared {
            Some(value) => format!(
                "::hirace::ptx_compare_and_swap{strength}({id}, {size}, {pointer}, {value})"
            ),
            None if self.pieces > 1 => {
                let (pieces, each) = (self.pieces, size / self.pieces);
                format!("::hirace::ptx_{hook}_of_each{strength}({id}, {each}, {pieces}, {pointer})")
            }
            None => format!("::hirace::ptx_{hook}{strength}({id}, {size}, {pointer})"),
        }
    }
}

/// The condition under which an instruction executes.
#[must_use]
pub fn condition(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    match &instruction.guard {
        None => Some(String::new()),
        Some(Guard { register, negated }) => {
            let name = operands::register(register, assembly)?;
            let not = if *negated { "!" } else { "" };
            Some(format!("if ({not}{name}) "))
        }
    }
}
