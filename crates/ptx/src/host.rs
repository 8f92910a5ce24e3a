//! The `main` function of the generated program.

use std::fmt::Write as _;
use std::path::Path;

use hirace_instrument::rewrite::{Selection, escape};

use crate::launch::{Argument, Array, Fill, Launch, Plan};
use crate::module::{self, Module};
use crate::names::cpp_function;
use crate::sites::{Sites, position};
use crate::{names, npy};

/// Writes `main`: arrays, launches, results. Reports give the lines of the launch file, which has a name and
/// a text, for allocations.
pub(crate) fn write(
    plan: &Plan,
    module: &Module,
    sites: &Sites,
    selection: &dyn Selection,
    (launch_file, launch_text): (&str, &str),
    out: &mut String,
) {
    out.push_str("int main() {\nusing namespace ::hirace::cpu::launch_file;\n");
    for (number, array) in plan.arrays.iter().enumerate() {
        let _ = writeln!(
            out,
            "#line {} \"{}\"",
            position(launch_text, array.span.start).0,
            escape(launch_file)
        );
        define(number, array, out);
    }
    for (number, launch) in plan.launches.iter().enumerate() {
        run(launch, module, &sites.launch(number), selection, out);
    }
    out.push_str("bool right = true;\n");
    for (number, array) in plan.arrays.iter().enumerate() {
        if let Some(path) = &array.output {
            let header = npy::header(array.kind.2, &array.shape);
            let _ = writeln!(
                out,
                "hirace_array_{number}.write({}, {}, {});",
                file(path),
                bytes_literal(&header),
                header.len()
            );
        }
        if let Some((path, offset, tolerance)) = &array.expect {
            let _ = writeln!(
                out,
                "right &= hirace_array_{number}.is_as_in({}, {offset}, {tolerance:?});",
                file(path)
            );
        }
    }
    out.push_str("return right ? 0 : 1;\n}\n");
}

fn file(path: &Path) -> String {
    format!("\"{}\"", escape(&path.display().to_string()))
}

fn bytes_literal(bytes: &[u8]) -> String {
    let escaped: String = bytes.iter().map(|it| format!("\\{it:03o}")).collect();
    format!("\"{escaped}\"")
}

fn define(number: usize, array: &Array, out: &mut String) {
    let count = array.shape.iter().product::<u64>();
    let _ = writeln!(
        out,
        "Array<{}> hirace_array_{number}(\"{}\", {count}u);",
        array.kind.1,
        escape(&array.name)
    );
    let filled = match &array.fill {
        Fill::Value(value) => format!("fill(static_cast<{}>({value}))", array.kind.1),
        Fill::Iota => "iota()".to_owned(),
        Fill::Random(seed) => format!("random({seed}u)"),
        Fill::File(path, offset) => format!("read({}, {offset})", file(path)),
    };
    let _ = writeln!(out, "hirace_array_{number}.{filled};");
}

fn run(launch: &Launch, module: &Module, site: &str, selection: &dyn Selection, out: &mut String) {
    let Some(kernel) = crate::find(module, &launch.kernel) else {
        return;
    };
    // Each parameter has a place that is aligned for anything.
    let sizes = kernel.parameters.iter().map(module::Variable::bytes);
    let places: Vec<u64> = sizes.map(|it| it.next_multiple_of(16)).collect();
    let name = names::plain(&launch.kernel);
    let _ = writeln!(out, "{{ Parameters<{}> given;", places.iter().sum::<u64>());
    let (mut offset, mut passed) = (0, Vec::new());
    for (argument, place) in launch.arguments.iter().zip(&places) {
        let _ = match argument {
            Argument::Array(array) => writeln!(
                out,
                "given.set<std::uint64_t>({offset}, hirace_array_{array}.address());"
            ),
            Argument::Scalar(value, kind) => {
                writeln!(
                    out,
                    "given.set<{}>({offset}, static_cast<{}>({value}));",
                    kind.1, kind.1
                )
            }
        };
        passed.push(format!("own.all + {offset}"));
        offset += place;
    }
    let chosen = selection.launch(&name);
    let spaces = u32::from(chosen.shared) | u32::from(chosen.global) << 1;
    let size = |it: [u32; 3]| format!("dim3({}, {}, {})", it[0], it[1], it[2]);
    // A function that is not a kernel may end the thread.
    let call = format!("{}({});", cpp_function(&launch.kernel), passed.join(", "));
    let _ = writeln!(
        out,
        "const auto body = [given] {{ auto own = given; try {{ {call} }} catch (const Exit&) {{}} }};\n\
         ::hirace::cpu::launch_body(::hirace::LaunchInfo{{\"{}\", {site}, {}, {spaces}, {}u, {:#x}u}}, \
         {{{}, {}, {}, 0, {}}}, body);\n\
         if (!launched(\"{}\")) return 1; }}",
        escape(&name),
        chosen.monitor,
        chosen.first_block,
        chosen.last_block,
        size(launch.grid),
        size(launch.block),
        launch.dynamic_shared,
        launch.cooperative,
        escape(&name),
    );
}
