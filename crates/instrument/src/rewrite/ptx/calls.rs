//! Calls of functions: the program's own, by their names in C++, and those of the runtime library.
//!
//! A function of C++ has the parameters of its calls in the order of its own (PTX Writer's Guide to Interoperability,
//! "Function Calling Sequence"), so the compiler's types say what the bytes of each are.

use super::operands::{self, SPACE};
use super::syntax::{Assembly, Instruction, Operand};

/// Functions of `device/hirace/cuda/ptx_calls.h` that a program calls without defining them.
const LIBRARY: [&str; 4] = ["vprintf", "malloc", "free", "__assertfail"];

/// A direct call as C++; none if its function or an operand is not known by a name.
pub(super) fn call(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let (results, rest) = match &instruction.operands[..] {
        [Operand::Vector(results), rest @ ..] => (&results[..], rest),
        rest => (&[][..], rest),
    };
    let (callee, parameters) = match rest {
        [Operand::Register(callee)] => (callee, &[][..]),
        [Operand::Register(callee), Operand::Vector(given)] => (callee, &given[..]),
        _ => return None,
    };
    let result = match results {
        [] => format!("{SPACE}no_result"),
        [one] => passed(one, assembly)?,
        _ => return None,
    };
    let mut given = vec![function(callee, assembly)?, result];
    for parameter in parameters {
        given.push(passed(parameter, assembly)?);
    }
    Some(format!("{SPACE}call({});", given.join(", ")))
}

/// A result or a parameter: a register, or a variable in the space of parameters.
fn passed(operand: &Operand, assembly: &Assembly) -> Option<String> {
    match operand {
        Operand::Argument(number) => Some(format!("hirace_{number}")),
        Operand::Register(name) if operands::is_parameter(name, assembly) => {
            Some(operands::parameter(name))
        }
        Operand::Register(name) => operands::register(name, assembly),
        _ => None,
    }
}

/// A function by its symbol: as it is, or mangled without template arguments.
fn function(symbol: &str, assembly: &Assembly) -> Option<String> {
    if operands::register(symbol, assembly).is_some() {
        return None;
    }
    if LIBRARY.contains(&symbol) {
        return Some(format!("{SPACE}called::{symbol}"));
    }
    match symbol.strip_prefix("_Z") {
        Some(mangled) => demangled(mangled),
        None => Some(format!("::{symbol}")),
    }
}

/// `3addii` or `N2ns3addEii` (Itanium C++ ABI, 5.1.2): the name. Its parameters' types do not matter.
fn demangled(mangled: &str) -> Option<String> {
    let nested = mangled.strip_prefix('N');
    let mut rest = nested.unwrap_or(mangled);
    let mut name = String::new();
    loop {
        let digits = rest.find(|it: char| !it.is_ascii_digit())?;
        let length: usize = rest[..digits].parse().ok()?;
        let end = digits.checked_add(length)?;
        name += "::";
        name += rest.get(digits..end)?;
        rest = &rest[end..];
        match nested {
            Some(_) if rest.starts_with('E') => return Some(name),
            Some(_) => {}
            None if rest.starts_with('I') => return None,
            None => return Some(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::demangled;

    #[test]
    fn names_of_symbols() {
        let name = |it: &str| demangled(it).unwrap_or_default();
        assert_eq!(name("3addii"), "::add");
        assert_eq!(name("N2ns5inner3addEPfi"), "::ns::inner::add");
        assert_eq!(name("3addIiEvT_"), "");
        assert_eq!(name("9"), "");
        assert_eq!(name("99add"), "");
    }
}
