//! PTX that a host program loads: its kernels and variables by name, as the CUDA driver knows them.

use std::fmt::Write as _;
use std::path::Path;

use hirace_instrument::rewrite::escape;
use hirace_model::error::Result;

use crate::function::Accesses;
use crate::module::{Function, Module, Variable};
use crate::names::{self, cpp_function};
use crate::sites::Sites;
use crate::{device_code, parser, read, variables};

/// Translates a PTX file, without checks, to a C++ translation unit that registers its kernels and variables
/// (`device/hirace/executor/loaded_ptx.h`). Other threads may run before each access to memory that threads
/// share.
///
/// # Errors
/// The file cannot be read or has mistakes, or an instruction has no translation.
pub fn translate(ptx: &Path) -> Result<String> {
    let (name, text) = (ptx.display().to_string(), read(ptx)?);
    let module = parser::parse(&name, &text)?;
    let mut sites = Sites::new(ptx, &name, &text, &module);
    let mut out = String::from(
        "#include <hirace/hirace.cuh>\n#include <hirace/executor/launch_file.h>\n\
         #include <hirace/executor/loaded_ptx.h>\n",
    );
    let accesses = Accesses::Interleaved;
    device_code((&name, &text), &module, accesses, (&mut sites, 0), &mut out)?;
    out.push_str("namespace {\n");
    for kernel in module.kernels() {
        register(kernel, &module, &mut out);
    }
    for (number, variable) in module.variables.iter().enumerate() {
        if matches!(variable.space.as_str(), "global" | "const") {
            let _ = writeln!(
                out,
                "const bool variable_{number} = ::hirace::cpu::loaded_ptx::add_variable({{\"{}\", {}, {}u}});",
                escape(variable.name()),
                variables::cpp_name(variable.name()),
                variable.bytes(),
            );
        }
    }
    out.push_str("}\n");
    Ok(out)
}

/// Writes what launches a kernel with the addresses of its arguments, and registers that.
fn register(kernel: &Function, module: &Module, out: &mut String) {
    let sizes: Vec<u64> = kernel.parameters.iter().map(Variable::bytes).collect();
    // Each parameter has a place that is aligned for anything.
    let places = || sizes.iter().map(|it| it.next_multiple_of(16));
    let starts: Vec<u64> = places()
        .scan(0, |end, it| Some(std::mem::replace(end, *end + it)))
        .collect();
    let name = cpp_function(&kernel.name);
    let _ = writeln!(
        out,
        "void launch_{name}(const ::hirace::cpu::LaunchShape& shape, void* const* arguments) {{\n\
         ::hirace::cpu::launch_file::Parameters<{}> given; static_cast<void>(arguments);",
        places().sum::<u64>()
    );
    for (number, (start, size)) in starts.iter().zip(&sizes).enumerate() {
        let _ = writeln!(
            out,
            "std::memcpy(given.all + {start}, arguments[{number}], {size});"
        );
    }
    let passed: Vec<String> = starts.iter().map(|it| format!("own.all + {it}")).collect();
    let _ = writeln!(
        out,
        "const auto body = [given] {{ auto own = given; static_cast<void>(own); \
         try {{ {name}({}); }} catch (const Exit&) {{}} }};\n\
         ::hirace::cpu::launch_body(::hirace::LaunchInfo{{\"{}\", ::hirace::unknown_site, false, 0, 0u, 0xffffffffu}}, \
         shape, body);\n}}",
        passed.join(", "),
        escape(&names::plain(&kernel.name)),
    );
    let sizes: Vec<String> = sizes.iter().map(|it| format!("{it}u")).collect();
    let shared = module.variables.iter().any(|it| it.space == "shared");
    let _ = writeln!(
        out,
        "const bool registered_{name} = ::hirace::cpu::loaded_ptx::add_kernel({{\"{}\", {{{}}}, {shared}, &launch_{name}}});",
        escape(&kernel.name),
        sizes.join(", "),
    );
}
