//! The lines added before and after the user's text.

use std::fmt::Write as _;

use crate::model::{Backend, Site};

use super::sites::{escape, kind_name};

/// The first line of every instrumented file.
pub(crate) const INCLUDE: &str = "#include <hirace/hirace.cuh>\n";

/// The lines before the user's text.
pub(crate) fn header(path: &str) -> String {
    format!("{INCLUDE}#line 1 \"{}\"\n", escape(path))
}

/// The site table and, for the GPU, the device variables to register.
pub(crate) fn trailer(
    backend: Backend,
    number: u32,
    path: &str,
    sites: &[Site],
    symbols: &[(usize, String)],
) -> String {
    let symbols = if backend == Backend::Gpu {
        symbols
    } else {
        &[]
    };
    if sites.is_empty() && symbols.is_empty() {
        return String::new();
    }
    let mut out = format!("\n#ifndef HIRACE_SITES_{number}\n#define HIRACE_SITES_{number}\n");
    if !sites.is_empty() {
        let _ = write!(
            out,
            "namespace {{ const ::hirace::Site hirace_sites_{number}[] = {{"
        );
        for site in sites {
            let _ = write!(
                out,
                "\n{{\"{}\",\"{}\",\"{}\",{},{},::hirace::SiteKind::{}}},",
                escape(&site.text),
                escape(&site.variable),
                escape(&site.function),
                site.line,
                site.column,
                kind_name(site.kind),
            );
        }
        let _ = write!(
            out,
            "\n}};\nconst bool hirace_sites_registered_{number} = ::hirace::register_sites(\
             {{{number}u, \"{}\", hirace_sites_{number}, {}}}); }}\n",
            escape(path),
            sites.len(),
        );
    }
    if !symbols.is_empty() {
        out.push_str("namespace {\n");
        for (index, symbol) in symbols {
            let _ = writeln!(out, "{}", symbol_registration(number, *index, symbol));
        }
        out.push_str("}\n");
    }
    out.push_str("#endif\n");
    out
}

/// Makes one device variable known to the GPU runtime.
pub(crate) fn symbol_registration(number: u32, index: usize, symbol: &str) -> String {
    format!(
        "const ::hirace::gpu::DeviceSymbol hirace_symbol_{number}_{index}\
         {{[](auto monitor) {{ monitor({symbol}); }}}};"
    )
}
