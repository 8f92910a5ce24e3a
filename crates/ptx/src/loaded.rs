//! PTX that a host program loads: its kernels and variables by name, as the CUDA driver knows them.

use std::fmt::Write as _;
use std::path::Path;

use hirace_instrument::rewrite::{self, LaunchSelection, escape};
use hirace_model::error::Result;
use hirace_model::table::{Numbering, by_content};

use crate::function::Accesses;
use crate::module::{Function, Module, Variable};
use crate::names::{self, cpp_function};
use crate::sites::Sites;
use crate::{Checks, device_code, parser, read, variables};

/// Translates a PTX file to a C++ translation unit that registers its kernels and variables
/// (`device/hirace/executor/loaded_module.h`). With checks, it becomes a library that a program loads, accesses
/// have hooks, and it carries their sites. Without any, it is linked with a program that checks itself, and other
/// threads may run before each access to memory that threads share.
///
/// # Errors
/// The file cannot be read or has mistakes, or an instruction has no translation.
pub fn translate(ptx: &Path, checks: Option<Checks<'_>>) -> Result<String> {
    let (name, text) = (ptx.display().to_string(), read(ptx)?);
    let module = parser::parse(&name, &text)?;
    let mut sites = Sites::new(ptx, &name, &text, &module);
    let mut out = super::INCLUDE.to_owned();
    let accesses = checks.map_or(Accesses::Interleaved, |it| Accesses::Checked(None, it));
    // As many sites as the file has lines, at most. A program may load copies of a file.
    let base = match by_content(&format!("{name}\n{text}"), text.lines().count()) {
        Numbering::Given { base, .. } => base,
        Numbering::ByContent => 1,
    };
    device_code(
        (&name, &text),
        &module,
        accesses,
        (&mut sites, base),
        &mut out,
    )?;
    out.push_str("namespace {\n");
    for kernel in module.kernels() {
        let name = names::plain(&kernel.name);
        let chosen = checks.map(|it| it.monitor.launch(&name));
        register(kernel, &module, chosen, &mut out);
    }
    let mut has_global = false;
    for variable in &module.variables {
        let is_global = variable.space == "global";
        has_global |= is_global;
        if is_global || variable.space == "const" {
            let name = variables::cpp_name(variable.name());
            let _ = writeln!(
                out,
                "const bool registered_{name} = ::hirace::cpu::loaded::add_variable({{\"{}\", {name}, {}u}});",
                escape(variable.name()),
                variable.bytes(),
            );
        }
    }
    if has_global && checks.is_some() {
        out.push_str("const bool monitored = HIRACE_MONITOR_SECTION;\n");
    }
    out.push_str("}\n");
    if checks.is_some() {
        for table in sites.tables(&module) {
            out.push_str(&rewrite::carried_table(&table));
        }
    }
    Ok(out)
}

/// Writes what launches a kernel with the addresses of its arguments, and registers that.
fn register(kernel: &Function, module: &Module, chosen: Option<LaunchSelection>, out: &mut String) {
    let sizes: Vec<u64> = kernel.parameters.iter().map(Variable::bytes).collect();
    // Each parameter has a place that is aligned for anything.
    let places = || sizes.iter().map(|it| it.next_multiple_of(16));
    let starts: Vec<u64> = places()
        .scan(0, |end, it| Some(std::mem::replace(end, *end + it)))
        .collect();
    let name = cpp_function(&kernel.name);
    let _ = writeln!(
        out,
        "cudaError_t launch_{name}(::hirace::SiteId site, const ::hirace::cpu::LaunchShape& shape, void* const* arguments) {{\n\
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
    let (is_monitored, spaces) = chosen.as_ref().map_or((false, 0), |it| {
        let spaces = u32::from(it.shared) | u32::from(it.global) << 1;
        (it.monitor, spaces)
    });
    let (first, last) = chosen.map_or((0, u32::MAX), |it| (it.first_block, it.last_block));
    let [x, y, z] = kernel.clusters().required.unwrap_or([1; 3]);
    let _ = writeln!(
        out,
        "::hirace::cpu::LaunchShape whole = shape;\n\
         if (!::hirace::cpu::loaded::set_required_cluster(whole, dim3({x}, {y}, {z}))) return cudaErrorInvalidClusterSize;"
    );
    let _ = writeln!(
        out,
        "const auto body = [given] {{ auto own = given; static_cast<void>(own); \
         {name}({}); }};\n\
         return ::hirace::cpu::launch_bound(::hirace::LaunchInfo{{\"{}\", site, {is_monitored}, {spaces}, {first}u, \
         {last:#x}u}}, whole, body);\n}}",
        passed.join(", "),
        escape(&names::plain(&kernel.name)),
    );
    let mut offset = 0;
    let parameters: Vec<String> = kernel
        .parameters
        .iter()
        .map(|it| {
            let at = u64::next_multiple_of(offset, it.alignment().max(1));
            offset = at + it.bytes();
            format!("{{{}u, {at}u}}", it.bytes())
        })
        .collect();
    let shared = module.variables.iter().any(|it| it.space == "shared");
    let _ = writeln!(
        out,
        "const bool registered_{name} = ::hirace::cpu::loaded::add_kernel({{\"{}\", {{{}}}, {shared}, &launch_{name}}});",
        escape(&kernel.name),
        parameters.join(", "),
    );
}
