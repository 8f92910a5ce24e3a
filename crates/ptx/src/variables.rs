//! Variables in memory as arrays of bytes.

use std::fmt::Write as _;

use crate::Refused;
use crate::module::{Module, Variable};
use crate::names::{function_address, identifier};
use crate::parser::integer;

/// The C++ name of a variable.
pub(crate) fn cpp_name(name: &str) -> String {
    format!("hirace_v_{}", identifier(name))
}

/// The address of a variable in its state space, as a C++ number. `key` distinguishes shared
/// variables; `indirect` says that the C++ variable is a pointer.
pub(crate) fn address(variable: &Variable, key: usize) -> Option<String> {
    let name = cpp_name(variable.name());
    Some(match variable.space.as_str() {
        "shared" if variable.bytes() == 0 => {
            "(::hirace::cpu::block_dynamic_shared - ::hirace::cpu::block_shared)".to_owned()
        }
        "shared" => format!(
            "::hirace::cpu::SharedVariable<{}, {key}>::offset",
            bytes_type(variable)
        ),
        "global" | "const" | "local" | "param" => {
            format!("reinterpret_cast<std::uintptr_t>({name})")
        }
        _ => return None,
    })
}

/// A type with the size and the alignment of a variable.
fn bytes_type(variable: &Variable) -> String {
    format!("Bytes<{}, {}>", variable.bytes(), variable.alignment())
}

/// The definition of a variable of a function, before all labels.
pub(crate) fn local(variable: &Variable) -> String {
    format!(
        "[[maybe_unused]] alignas({}) unsigned char {}[{}];",
        variable.alignment(),
        cpp_name(variable.name()),
        variable.bytes().max(1),
    )
}

/// Whether the C++ text has a definition of the variable.
fn is_defined(variable: &Variable) -> bool {
    matches!(variable.space.as_str(), "global" | "const")
}

/// What an element of an initialiser is.
enum Element {
    Number(u64),
    /// The address of a variable or a function, and what is added to it.
    Address(String, u64),
}

/// The elements of the initialiser: numbers and addresses in perhaps nested braces.
fn elements(variable: &Variable) -> Option<Vec<Element>> {
    let mut all = Vec::new();
    let mut sign = 1u64;
    // Whether a number is added to the element before it.
    let mut adds = false;
    for token in variable.initial.iter().flatten() {
        match token.as_str() {
            "{" | "}" | "," | "generic" | "(" | ")" => adds = false,
            "+" => adds = true,
            "-" => {
                sign = sign.wrapping_neg();
                adds = matches!(all.last(), Some(Element::Address(..))) && adds;
            }
            text if text.starts_with(|it: char| it.is_ascii_digit()) => {
                let float = ["0f", "0F", "0d", "0D"]
                    .iter()
                    .find_map(|it| text.strip_prefix(it));
                let value = match float {
                    Some(digits) => u64::from_str_radix(digits, 16).ok()?,
                    None => integer(text)?,
                };
                let value = value.wrapping_mul(std::mem::replace(&mut sign, 1));
                match all.last_mut() {
                    Some(Element::Address(_, offset)) if adds => *offset = value,
                    _ => all.push(Element::Number(value)),
                }
            }
            name => all.push(Element::Address(name.to_owned(), 0)),
        }
    }
    let bytes = all.len() as u64 * variable.element_bytes();
    (bytes <= variable.bytes()).then_some(all)
}

/// The bytes of the initialiser, with zeros in place of addresses.
fn initial_bytes(variable: &Variable) -> Vec<u8> {
    let width = usize::try_from(variable.element_bytes()).map_or(8, |it| it.min(8));
    let mut bytes = Vec::new();
    for element in elements(variable).unwrap_or_default() {
        let value = match element {
            Element::Number(value) => value,
            Element::Address(..) => 0,
        };
        bytes.extend(&value.to_le_bytes()[..width]);
    }
    bytes
}

/// The address that an initialiser names.
fn address_of(name: &str, module: &Module) -> Option<String> {
    let functions = module.functions.iter();
    if functions
        .filter(|it| it.body.is_some())
        .any(|it| it.name == name)
    {
        return Some(function_address(name));
    }
    let found = module.variables.iter().position(|it| it.name() == name)?;
    let variable = &module.variables[found];
    is_defined(variable).then(|| address(variable, found + 1))?
}

/// Writes what stores the addresses of initialisers, before `main` begins.
pub(crate) fn store_addresses(module: &Module, out: &mut String) {
    for variable in module.variables.iter().filter(|it| is_defined(it)) {
        let name = cpp_name(variable.name());
        for (at, element) in elements(variable).into_iter().flatten().enumerate() {
            if let Element::Address(of, offset) = element
                && let Some(address) = address_of(&of, module)
            {
                let _ = writeln!(
                    out,
                    "const bool {name}_{at} = (::hirace::cpu::ptx::store<std::uintptr_t>({name}, {at}, {address} + {offset}u), true);"
                );
            }
        }
    }
}

/// Why a variable has no translation.
fn problem(variable: &Variable, module: &Module) -> Option<String> {
    let name = variable.name();
    match variable.space.as_str() {
        "shared" => return None,
        "global" | "const" => {}
        space => return Some(format!("variable `{name}` in the space `.{space}`")),
    }
    if variable.tokens.first().is_some_and(|it| it == ".extern") {
        return Some(format!("`{name}`, which another file defines"));
    }
    let known = |it: &Element| match it {
        Element::Number(_) => true,
        Element::Address(of, _) => {
            variable.element_bytes() == 8 && address_of(of, module).is_some()
        }
    };
    if !elements(variable).is_some_and(|all| all.iter().all(known)) {
        return Some(format!("the initialiser of `{name}`"));
    }
    (variable.bytes() == 0).then(|| format!("`{name}`, which has no size"))
}

/// The variables that cannot be translated.
pub(crate) fn refused(module: &Module) -> Vec<Refused> {
    let refused = |it: &Variable| {
        let (line, what) = (it.line, problem(it, module)?);
        Some(Refused { line, what })
    };
    module.variables.iter().filter_map(refused).collect()
}

/// Writes the definitions of the variables outside functions.
pub(crate) fn define(module: &Module, out: &mut String) {
    out.push_str(
        "template <unsigned long long size, unsigned long long align>\n\
         struct Bytes { alignas(align) unsigned char all[size]; };\n",
    );
    for variable in module.variables.iter().filter(|it| is_defined(it)) {
        let section = match variable.space.as_str() {
            "global" => "HIRACE_DEVICE_VARIABLE",
            _ => "HIRACE_CONSTANT_VARIABLE",
        };
        let bytes: Vec<String> = initial_bytes(variable).iter().map(u8::to_string).collect();
        let _ = writeln!(
            out,
            "alignas({}) {section} unsigned char {}[{}] = {{{}}};",
            variable.alignment(),
            cpp_name(variable.name()),
            variable.bytes().max(1),
            bytes.join(",")
        );
    }
}
