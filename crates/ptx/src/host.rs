//! The `main` function of the generated program.

use std::fmt::Write as _;
use std::path::Path;

use hirace_instrument::rewrite::{Selection, escape};

use crate::module::{self, Module};
use crate::names::cpp_function;
use crate::plan::{Argument, Array, Fill, Launch, Output, Place, Plan};
use crate::sites::{LAUNCH, Sites, display_path, position};
use crate::{names, npy};

/// Writes `main`: arrays, launches, results. Reports give the lines of the launch file for allocations.
///
/// The program reads sizes, numbers and names of files when it runs, in the order in which it needs them: so
/// launches that differ in these only run one compiled program. Returns this list, an entry per line.
pub(crate) fn write(
    plan: &Plan,
    module: &Module,
    sites: &Sites,
    selection: &dyn Selection,
    out: &mut String,
) -> String {
    let (launch_file, launch_text) = &plan.file;
    let mut values = String::new();
    out.push_str("int main() {\nusing namespace ::hirace::cpu::launch_file;\nValues values;\n");
    for (number, array) in plan.arrays.iter().enumerate() {
        let (file, line) = match &array.at {
            Some(Place::Here(span)) => (launch_file.clone(), position(launch_text, span.start).0),
            Some(Place::Source(..)) | None => (LAUNCH.to_owned(), position_of(plan, number)),
        };
        let _ = writeln!(
            out,
            "#line {line} \"{}\"\nArray<{}> hirace_array_{number}(\"{}\", values.size());\n\
             hirace_array_{number}.start(values);",
            escape(&file),
            array.kind.cpp,
            escape(&array.name)
        );
        start(array, &mut values);
    }
    for (number, launch) in plan.launches.iter().enumerate() {
        run(launch, module, &sites.launch(number), selection, out);
        numbers(launch, &mut values);
    }
    out.push_str("bool right = true;\n");
    for (number, array) in plan.arrays.iter().enumerate() {
        let _ = writeln!(out, "right &= hirace_array_{number}.finish(values);");
        finish(array, &mut values);
    }
    out.push_str("return right ? 0 : 1;\n}\n");
    values
}

/// The number of an array's place among [`places`], from 1; that of the first launch if no launch passes it.
fn position_of(plan: &Plan, array: usize) -> u32 {
    let place = &plan.arrays[array].at;
    let same = |it: &Launch| matches!((&it.at, place), (Place::Source(a, b), Some(Place::Source(c, d))) if (a, b) == (c, d));
    let found = plan.launches.iter().position(same).unwrap_or(0);
    u32::try_from(found).unwrap_or(0) + 1
}

/// Where reports say that arrays were allocated for which the program has the file [`LAUNCH`], by their lines
/// from 1 on.
pub(crate) fn places(plan: &Plan) -> Vec<(String, u32)> {
    let place = |it: &Launch| match &it.at {
        Place::Source(file, line) => (display_path(Path::new(file)), *line),
        Place::Here(_) => (String::new(), 0),
    };
    plan.launches.iter().map(place).collect()
}

/// What an array starts with.
fn start(array: &Array, values: &mut String) {
    let count = array.shape.iter().product::<u64>();
    let fill = match &array.fill {
        Fill::Value(value) => format!("fill\n{value}"),
        Fill::Iota => "iota".to_owned(),
        Fill::Random(seed) => format!("random\n{seed}"),
        Fill::File(path, offset) => format!("file\n{}\n{offset}", path.display()),
    };
    let _ = writeln!(values, "{count}\n{fill}");
}

/// What becomes of an array.
fn finish(array: &Array, values: &mut String) {
    let output = array.output.as_ref().map(|it| match it {
        Output::Npy(path) => (path, npy::header(array.kind.numpy, &array.shape)),
        Output::Raw(path) => (path, Vec::new()),
    });
    if let Some((path, header)) = output {
        let _ = writeln!(values, "write\n{}\n{}", path.display(), digits(&header));
    }
    if let Some((path, offset, tolerance)) = &array.expect {
        let path = path.display();
        let _ = writeln!(values, "compare\n{path}\n{offset}\n{tolerance:?}");
    }
    values.push_str("end\n");
}

/// The sizes and numbers of a launch.
fn numbers(launch: &Launch, values: &mut String) {
    let [grid, block, cluster] = [launch.grid, launch.block, launch.cluster];
    for it in [grid, block, cluster].as_flattened() {
        let _ = writeln!(values, "{it}");
    }
    let _ = writeln!(values, "{}", launch.dynamic_shared);
    for argument in &launch.arguments {
        let _ = match argument {
            Argument::Array(_, offset) => writeln!(values, "{offset}"),
            Argument::Scalar(value, _) => writeln!(values, "{value}"),
            Argument::Bytes(bytes) => writeln!(values, "{}", digits(bytes)),
        };
    }
}

/// Bytes as hexadecimal digits, without what a line of text cannot hold.
fn digits(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for it in bytes {
        let _ = write!(digits, "{it:02x}");
    }
    digits
}

fn run(launch: &Launch, module: &Module, site: &str, selection: &dyn Selection, out: &mut String) {
    let Some(kernel) = crate::find(module, &launch.kernel) else {
        return;
    };
    // Each parameter has a place that is aligned for anything.
    let sizes = kernel.parameters.iter().map(module::Variable::bytes);
    let places: Vec<u64> = sizes.map(|it| it.next_multiple_of(16)).collect();
    let name = names::plain(&launch.kernel);
    let _ = writeln!(
        out,
        "{{ const dim3 grid = values.dimensions(), block = values.dimensions(), cluster = values.dimensions();\n\
         const std::uint32_t shared = static_cast<std::uint32_t>(values.size());\n\
         Parameters<{}> given;",
        places.iter().sum::<u64>()
    );
    let (mut offset, mut passed) = (0, Vec::new());
    for (argument, place) in launch.arguments.iter().zip(&places) {
        let _ = match argument {
            Argument::Array(array, _) => writeln!(
                out,
                "given.set<std::uint64_t>({offset}, hirace_array_{array}.address() + values.size());"
            ),
            Argument::Scalar(_, kind) => writeln!(
                out,
                "given.set<{}>({offset}, values.number<{}>());",
                kind.cpp, kind.cpp
            ),
            Argument::Bytes(_) => writeln!(out, "given.set_bytes({offset}, values.bytes());"),
        };
        passed.push(format!("own.all + {offset}"));
        offset += place;
    }
    let chosen = selection.launch(&name);
    let spaces = u32::from(chosen.shared) | u32::from(chosen.global) << 1;
    let call = format!("{}({});", cpp_function(&launch.kernel), passed.join(", "));
    let _ = writeln!(
        out,
        "::hirace::cpu::raise_dynamic_shared();\n\
         const auto body = [given] {{ auto own = given; {call} }};\n\
         ::hirace::cpu::launch_body(::hirace::LaunchInfo{{\"{}\", {site}, {}, {spaces}, {}u, {:#x}u}}, \
         {{grid, block, shared, 0, {}, cluster}}, body);\n\
         if (!launched(\"{}\")) return 1; }}",
        escape(&name),
        chosen.monitor,
        chosen.first_block,
        chosen.last_block,
        launch.cooperative,
        escape(&name),
    );
}
