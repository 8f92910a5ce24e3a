//! Variables in memory as arrays of bytes.

use std::fmt::Write as _;

use crate::Refused;
use crate::module::{Module, Variable};
use crate::names::identifier;
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

/// The bytes of the initialiser: numbers in perhaps nested braces.
fn initial_bytes(variable: &Variable) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let width = usize::try_from(variable.element_bytes()).ok()?;
    let mut negative = false;
    for token in variable.initial.iter().flatten() {
        match token.as_str() {
            "{" | "}" | "," => {}
            "-" => negative = true,
            text => {
                let float = ["0f", "0F", "0d", "0D"]
                    .iter()
                    .find_map(|it| text.strip_prefix(it));
                let mut value = match float {
                    Some(digits) => u64::from_str_radix(digits, 16).ok()?,
                    None => integer(text)?,
                };
                if negative {
                    value = value.wrapping_neg();
                }
                negative = false;
                bytes.extend(&value.to_le_bytes()[..width.min(8)]);
            }
        }
    }
    (bytes.len() as u64 <= variable.bytes()).then_some(bytes)
}

/// The variables that cannot be translated.
pub(crate) fn refused(module: &Module) -> Vec<Refused> {
    let mut all = Vec::new();
    for variable in &module.variables {
        let what = match variable.space.as_str() {
            "global" | "const" if initial_bytes(variable).is_none() => {
                format!("the initialiser of `{}`", variable.name())
            }
            "global" | "const" if variable.bytes() == 0 => {
                format!("`{}`, which has no size", variable.name())
            }
            "global" | "const" | "shared" => continue,
            space => format!("variable `{}` in the space `.{space}`", variable.name()),
        };
        let line = variable.line;
        all.push(Refused { line, what });
    }
    all
}

/// Writes the definitions of the variables outside functions.
pub(crate) fn define(module: &Module, out: &mut String) {
    out.push_str(
        "template <unsigned long long size, unsigned long long align>\n\
         struct Bytes { alignas(align) unsigned char all[size]; };\n",
    );
    for variable in module.variables.iter().filter(|it| is_defined(it)) {
        let section = match variable.space.as_str() {
            "global" => "HIRACE_DEVICE_VARIABLE ",
            _ => "[[maybe_unused]] ",
        };
        let bytes: Vec<String> = initial_bytes(variable)
            .unwrap_or_default()
            .iter()
            .map(u8::to_string)
            .collect();
        let _ = writeln!(
            out,
            "{section}alignas({}) unsigned char {}[{}] = {{{}}};",
            variable.alignment(),
            cpp_name(variable.name()),
            variable.bytes().max(1),
            bytes.join(",")
        );
    }
}
