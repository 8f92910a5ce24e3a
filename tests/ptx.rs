//! `hirace check FILE.ptx --launch FILE`, from end to end: racy kernels and their correct twins, whose
//! results are compared. The files `tests/ptx/*.ptx` are nvcc's output for the sources beside them.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A directory with a PTX file, its source and a launch file.
struct Case(TempDir, &'static str);

impl Case {
    /// For `tile.ptx`.
    fn new(launch: &str) -> Self {
        Self::of("tile", launch)
    }

    fn of(name: &'static str, launch: &str) -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
        for extension in ["ptx", "cu"] {
            let file = format!("{name}.{extension}");
            // What is written by hand has no source.
            if from.join(&file).exists() {
                std::fs::copy(from.join(&file), directory.path().join(&file)).expect("copied");
            }
        }
        let case = Self(directory, name);
        std::fs::write(case.path("launch.toml"), launch).expect("written");
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes an array of floats for NumPy.
    fn array(self, name: &str, values: &[f32]) -> Self {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        let count = values.len();
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}\n");
        bytes.extend(u16::try_from(header.len()).expect("short").to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(values.iter().flat_map(|it| it.to_le_bytes()));
        std::fs::write(self.path(name), bytes).expect("written");
        self
    }

    /// The exit status, and all output.
    fn check(&self) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_hirace"))
            .args(["check", &format!("{}.ptx", self.1)])
            .args(["--launch", "launch.toml"])
            .current_dir(self.0.path())
            .env("NO_COLOR", "1")
            .output()
            .expect("hirace runs");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        (output.status.code().unwrap_or(-1), text)
    }

    #[track_caller]
    fn ends_with(&self, status: i32, says: &[&str]) {
        let (ended, text) = self.check();
        assert_eq!(ended, status, "{text}");
        for part in says {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
    }
}

fn reverse(kernel: &str) -> String {
    format!(
        "kernel = \"{kernel}\"\n\
         grid = [2]\n\
         block = [64]\n\
         [[argument]]\n\
         type = \"f32\"\n\
         shape = [128]\n\
         fill = \"iota\"\n\
         [[argument]]\n\
         name = \"out\"\n\
         type = \"f32\"\n\
         shape = [128]\n\
         expect = \"want.npy\"\n\
         [[argument]]\n\
         type = \"s32\"\n\
         value = 3\n"
    )
}

fn reversed() -> Vec<f32> {
    let element = |it: u16| 3.0 * f32::from(it / 64 * 64 + 63 - it % 64);
    (0..128).map(element).collect()
}

#[test]
fn a_correct_kernel_computes_what_is_expected() {
    let case = Case::new(&reverse("reverse")).array("want.npy", &reversed());
    case.ends_with(0, &["no race found; 1 kernel launch"]);
}

#[test]
fn a_missing_barrier_is_reported_at_the_source_lines() {
    let case = Case::new(&reverse("reverse_without_barrier")).array("want.npy", &reversed());
    case.ends_with(
        1,
        &[
            "data race on shared `s` in kernel `reverse_without_barrier`",
            "tile.cu:17:3",
            "s[t] = in[blockIdx.x * 64 + t]",
            "HR001",
        ],
    );
    // It edits CUDA source with its host code.
    let (_, text) = case.check();
    assert!(!text.contains("hirace fix"), "{text}");
}

#[test]
fn an_allocation_is_that_of_an_argument() {
    // The kernel reads `in[blockIdx.x * 64 + t]`, 128 elements.
    let short = reverse("reverse").replacen("shape = [128]", "shape = [100]", 1);
    let line = 1 + short
        .lines()
        .position(|it| it == "[[argument]]")
        .expect("there");
    let case = Case::new(&short).array("want.npy", &reversed());
    case.ends_with(
        1,
        &[
            "right after an allocation of 400 bytes (element 100 of 100",
            &format!("launch.toml:{line}\n"),
        ],
    );
}

#[test]
fn wrong_results_are_no_verdict() {
    let mut wrong = reversed();
    wrong[5] += 1.0;
    let case = Case::new(&reverse("reverse")).array("want.npy", &wrong);
    case.ends_with(
        2,
        &[
            "1 of 128 elements of `out` differ",
            "element 5 is 174 instead of 175",
        ],
    );
}

#[test]
fn launches_share_named_arrays() {
    let launch = "[[launch]]\n\
        kernel = \"reverse\"\n\
        grid = [2]\n\
        block = [64]\n\
        argument = [\n\
          { type = \"f32\", shape = [128], fill = \"ones\" },\n\
          { name = \"x\", type = \"f32\", shape = [128] },\n\
          { type = \"s32\", value = 2 },\n\
        ]\n\
        [[launch]]\n\
        kernel = \"sum\"\n\
        grid = [1]\n\
        block = [64]\n\
        argument = [\n\
          { name = \"x\" },\n\
          { type = \"f32\", shape = [1], expect = \"want.npy\" },\n\
          { type = \"s32\", value = 128 },\n\
        ]\n";
    let case = Case::new(launch).array("want.npy", &[256.0]);
    case.ends_with(0, &["no race found; 2 kernel launches"]);
}

#[test]
fn blocks_race_on_a_device_variable() {
    let launch = |grid: u32| {
        format!(
            "kernel = \"count\"\ngrid = [{grid}]\nblock = [32]\nargument = [{{ type = \"s32\", value = 1 }}]\n"
        )
    };
    Case::new(&launch(1)).ends_with(0, &["no race found"]);
    Case::new(&launch(2)).ends_with(
        1,
        &[
            "data race on global `finished` in kernel `count`",
            "tile.cu:29:3",
        ],
    );
}

#[test]
fn reads_of_what_a_launch_cannot_write_are_not_checked() {
    let launch = |in_: &str, out: &str| {
        format!(
            "[[launch]]\n\
             kernel = \"shift\"\n\
             grid = [2]\n\
             block = [64]\n\
             argument = [{{ {in_} }}, {{ {out} }}, {{ type = \"s32\", value = 128 }}]\n"
        )
    };
    let array = |name: &str| format!("name = \"{name}\", type = \"f32\", shape = [128]");
    let apart = launch(&array("x"), &array("y"));
    // One check covers all reads, and 127 elements are written.
    let count = "no race found; 1 kernel launch and 128 accesses checked";
    Case::of("shift", &apart).ends_with(0, &[count]);
    let all = "[skip]\nread-only-memory = false\n";
    let case = Case::of("shift", &apart);
    std::fs::write(case.path("hirace.toml"), all).expect("written");
    case.ends_with(
        0,
        &["no race found; 1 kernel launch and 254 accesses checked"],
    );
    // Both parameters lead to one array.
    let alias = apart + &launch("name = \"x\"", "name = \"x\"");
    Case::of("shift", &alias).ends_with(
        1,
        &[
            "data race on global `parameter 1` in kernel `shift`",
            "shift.cu:5:",
            "at launch.toml:5",
        ],
    );
}

/// A product of two matrices of bytes, which a warp copies, loads and multiplies.
fn product(kernel: &str) -> Case {
    let launch = format!(
        "kernel = \"{kernel}\"\n\
         grid = [1]\n\
         block = [32]\n\
         argument = [\n\
           {{ name = \"a\", type = \"s8\", shape = [16, 32], fill = \"iota\" }},\n\
           {{ name = \"b\", type = \"s8\", shape = [8, 32], fill = \"iota\" }},\n\
           {{ name = \"c\", type = \"f32\", shape = [128], expect = \"want.npy\" }},\n\
         ]\n"
    );
    let byte = |at: u16| at.to_le_bytes()[0].cast_signed();
    // Sums of these integers are exact in floats.
    let element = |at: u16| -> f32 {
        let (row, column) = (at / 8, at % 8);
        let factors = (0..32).map(|k| (byte(32 * row + k), byte(32 * column + k)));
        factors.map(|(a, b)| f32::from(a) * f32::from(b)).sum()
    };
    let wanted: Vec<f32> = (0..128).map(element).collect();
    Case::of("matrix", &launch).array("want.npy", &wanted)
}

#[test]
fn copies_and_matrix_instructions_of_a_warp() {
    product("product").ends_with(0, &["no race found; 1 kernel launch"]);
}

#[test]
fn copies_that_are_not_waited_for() {
    product("product_without_wait").ends_with(
        1,
        &[
            "data race on shared `tile_a` in kernel `product_without_wait`: asynchronous copy",
            "data race on shared `tile_b`",
            "matrix.cu:11:",
            "matrix.cu:12:",
        ],
    );
}

#[test]
fn arrays_and_numbers_of_sixteen_bits() {
    let launch = "kernel = \"halves\"\n\
         grid = [1]\n\
         block = [32]\n\
         argument = [\n\
           { name = \"x\", type = \"f16\", shape = [33], fill = \"iota\" },\n\
           { name = \"y\", type = \"f16\", shape = [32], output = \"y.npy\" },\n\
           { type = \"f16\", value = 2 },\n\
           { name = \"z\", type = \"bf16\", shape = [32], output = \"z.npy\" },\n\
         ]\n";
    let case = Case::of("halves", launch);
    case.ends_with(0, &["no race found; 1 kernel launch"]);
    let last = |name: &str| {
        let bytes = std::fs::read(case.path(name)).expect("written");
        let header = String::from_utf8_lossy(&bytes[..128]).into_owned();
        (
            header,
            u16::from_le_bytes([bytes[bytes.len() - 2], bytes[bytes.len() - 1]]),
        )
    };
    // The last number is 2 * 31 + 32 = 94, which both types have exactly.
    let (header, half) = last("y.npy");
    assert!(header.contains("'descr': '<f2'"), "{header}");
    assert_eq!(half, 0x55e0);
    let (header, bits) = last("z.npy");
    assert!(header.contains("'descr': '<u2'"), "{header}");
    assert_eq!(u32::from(bits) << 16, 94.0f32.to_bits());
}

#[test]
fn memory_of_the_stack() {
    let launch = "kernel = \"stack\"\n\
         grid = [1]\n\
         block = [32]\n\
         argument = [{ name = \"out\", type = \"u32\", shape = [32], output = \"out.npy\" }]\n";
    let case = Case::of("stack", launch);
    case.ends_with(0, &["no race found; 1 kernel launch"]);
    let bytes = std::fs::read(case.path("out.npy")).expect("written");
    let numbers = bytes[bytes.len() - 128..].chunks_exact(4);
    let numbers: Vec<u32> = numbers
        .map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]]))
        .collect();
    let wanted: Vec<u32> = (0..32).map(|it| 7 * it).collect();
    assert_eq!(numbers, wanted);
}

#[test]
fn carries_between_sums_and_differences() {
    let launch = "kernel = \"carries\"\n\
                  grid = [1]\n\
                  block = [1]\n\
                  [[argument]]\n\
                  type = \"f32\"\n\
                  shape = [5]\n\
                  expect = \"want.npy\"\n";
    let case = Case::of("carries", launch).array("want.npy", &[1.0, 0.0, -1.0, 1.0, 1.5]);
    case.ends_with(0, &["no race found"]);
}

/// A value that a thread does not need may be any: all threads of a Triton program load a scalar, and one stores it.
#[test]
fn reads_whose_value_one_thread_needs() {
    let launch = |kernel: &str| {
        let array = "[[argument]]\ntype = \"u32\"\nshape = [64]\nfill = \"zeros\"\n";
        let launch = format!("kernel = \"{kernel}\"\ngrid = [1]\nblock = [64]\n{array}{array}");
        Case::of("scalar", &launch)
    };
    for kernel in ["guarded", "late", "between", "halves"] {
        launch(kernel).ends_with(0, &["no race found"]);
    }
    for kernel in ["branching", "all", "carried", "varies"] {
        launch(kernel).ends_with(1, &["missing ", "1 race"]);
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (launch, says) in [
        (
            reverse("revers"),
            "no kernel `revers`; the file has: reverse,",
        ),
        (
            reverse("reverse").replace("value = 3", "value = 3.5"),
            "expected a number of type s32",
        ),
        (
            reverse("reverse").replace("\"s32\"", "\"s64\""),
            "parameter 2 of the kernel has 4 bytes, but the argument has 8",
        ),
        (
            reverse("reverse").replace("[2]", "[0]"),
            "expected a number from 1",
        ),
        (
            reverse("reverse").replace("grid", "grids"),
            "unknown field `grids`",
        ),
        (
            reverse("reverse").replace("want.npy", "none.npy"),
            "cannot read `none.npy`",
        ),
    ] {
        let case = Case::new(&launch).array("want.npy", &reversed());
        case.ends_with(2, &[says, "launch.toml:"]);
    }
}

#[test]
fn all_instructions_without_a_translation_are_named_at_once() {
    let case = Case::new(&reverse("reverse"));
    let case = case.array("want.npy", &reversed());
    let text = std::fs::read_to_string(case.path("tile.ptx")).expect("read");
    let text = text.replacen("bar.sync \t0;", "tcgen05.wait.ld;\n\ttcgen05.fence;", 1);
    std::fs::write(case.path("tile.ptx"), &text).expect("written");
    let line = 1 + text
        .lines()
        .position(|it| it.contains("tcgen05.wait"))
        .expect("there");
    case.ends_with(
        2,
        &[
            &format!("tile.ptx:{line}: `tcgen05.wait.ld`"),
            &format!("tile.ptx:{}: `tcgen05.fence`", line + 1),
        ],
    );
}

#[test]
fn launches_have_places_in_a_source() {
    let one = |line: u32| {
        format!(
            "[[launch]]\nkernel = \"count\"\ngrid = [2]\nblock = [32]\nsource = \"host.py\"\nline = {line}\n\
             argument = [{{ type = \"s32\", value = 1 }}]\n"
        )
    };
    let case = Case::new(&(one(3) + &one(5)));
    case.ends_with(1, &["in launch 1 at host.py:3", "2 kernel launches"]);
}

/// nvcc's code for a barrier of the grid, which is atomic operations on memory that the launch provides.
#[test]
fn barriers_of_the_grid() {
    let launch = |kernel: &str, cooperative: bool| {
        format!(
            "kernel = \"{kernel}\"\n\
             grid = [3]\n\
             block = [64]\n\
             cooperative = {cooperative}\n\
             [[argument]]\n\
             name = \"a\"\n\
             type = \"f32\"\n\
             shape = [192]\n\
             fill = \"iota\"\n\
             expect = \"want.npy\"\n\
             [[argument]]\n\
             type = \"f32\"\n\
             shape = [192]\n\
             [[argument]]\n\
             type = \"s32\"\n\
             value = 4\n"
        )
    };
    let shifted: Vec<f32> = (0..192_u16).map(|it| f32::from((it + 4) % 192)).collect();
    let of = |kernel, cooperative| {
        Case::of("rounds", &launch(kernel, cooperative)).array("want.npy", &shifted)
    };
    of("shift", true).ends_with(0, &["no race found; 1 kernel launch"]);
    of("shift_without_barrier", true).ends_with(
        1,
        &["data race on global `a` in kernel `shift_without_barrier`"],
    );
    // Without the memory, the code ends the kernel, as on a GPU.
    of("shift", false).ends_with(1, &["trap"]);
}

/// Clusters that the kernel requires, and those that the launch gives.
#[test]
fn clusters() {
    let launch = |kernel: &str, more: &str| {
        format!(
            "kernel = \"{kernel}\"\n\
             grid = [4]\n\
             block = [64]\n\
             {more}\n\
             [[argument]]\n\
             name = \"a\"\n\
             type = \"f32\"\n\
             shape = [256]\n\
             fill = \"iota\"\n\
             [[argument]]\n\
             type = \"f32\"\n\
             shape = [256]\n\
             expect = \"want.npy\"\n"
        )
    };
    // Of the other block of two, and 100 for each block of the cluster.
    let exchanged: Vec<f32> = (0..256_u16).map(|it| f32::from((it ^ 64) + 200)).collect();
    let of = |kernel, more| Case::of("pair", &launch(kernel, more)).array("want.npy", &exchanged);
    let clean = ["no race found; 1 kernel launch"];
    of("required", "").ends_with(0, &clean);
    of("required", "cluster = [2]").ends_with(0, &clean);
    of("given_at_launch", "cluster = [2, 1, 1]").ends_with(0, &clean);
    of("without_barrier", "").ends_with(
        1,
        &["data race on shared", "`cluster.sync()`", "without_barrier"],
    );
    for (kernel, more, says) in [
        (
            "required",
            "cluster = [4]",
            "the kernel takes clusters of 2 x 1 x 1 blocks (`.reqnctapercluster`)",
        ),
        (
            "given_at_launch",
            "cluster = [3]",
            "a grid of 4 x 1 x 1 blocks has no clusters of 3 x 1 x 1",
        ),
        (
            "given_at_launch",
            "cluster = [4, 8]",
            "clusters of 32 blocks; the kernel can have from 1 to 16",
        ),
    ] {
        of(kernel, more).ends_with(2, &[says, "launch.toml:4"]);
    }
}
