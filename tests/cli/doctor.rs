//! `hirace doctor`, with fake tools and a fake driver.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::harness::{Outcome, Sandbox, in_sample};

mod kernels;

/// A machine: tools in `bin`, then the system's, and whatever else a test adds.
struct Machine {
    sandbox: Sandbox,
    environment: Vec<(&'static str, String)>,
}

impl Machine {
    /// Without nvcc, but with the system's other tools.
    fn new() -> Self {
        Self {
            sandbox: Sandbox::new().file("bin/.keep", ""),
            environment: vec![("NVCC", "/nonexistent/nvcc".to_owned())],
        }
    }

    /// Adds a script called `name` to the tools.
    fn tool(mut self, name: &str, script: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let file = format!("bin/{name}");
        self.sandbox = self.sandbox.file(&file, format!("#!/bin/sh\n{script}"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.sandbox.path(&file), mode).expect("permissions");
        self
    }

    fn set(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Adds nvcc of a CUDA version, whose output the driver of [`Machine::gpu`] can load.
    fn nvcc(self, version: &str) -> Self {
        let script = format!(
            "case $1 in
--version) echo 'nvcc: NVIDIA (R) Cuda compiler driver'
  echo 'Cuda compilation tools, release {version}, V{version}.93'; exit;;
--list-gpu-code) echo sm_80; echo sm_90; exit;;
esac
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=$2; shift;;
    -arch=*) arch=${{1#-arch=}};;
    -cubin) cubin=1;;
    -DHIRACE_WORD_BYTES=4) words=\" $1\";;
  esac
  shift
done
[ -n \"$cubin\" ] && echo \"fake cubin for $arch$words\" > $out && exit
echo 'error: no programs, only modules' >&2; exit 1
"
        );
        let machine = self.tool("nvcc", &script);
        let path = machine.sandbox.path("bin/nvcc").display().to_string();
        machine.set("NVCC", &path)
    }

    /// Adds the driver and the GPU of `fake_driver.cpp`.
    fn gpu(self) -> Self {
        let directory = fake_driver().parent().expect("a directory");
        let directory = directory.display().to_string();
        self.set("LD_LIBRARY_PATH", &directory)
    }

    /// Adds the real nvcc, but it makes PTX where it is asked for a cubin, and the driver of `executor_driver.cpp`.
    fn executor_as_gpu(self, nvcc: &xtask::nvcc::Nvcc) -> Self {
        let script = format!(
            "for word; do
  shift
  case $word in
    -cubin) word=-ptx; module=1;;
    -arch=sm_*) word=-arch=compute_${{word#-arch=sm_}};;
    --version|--list-gpu-code) module=1;;
  esac
  set -- \"$@\" \"$word\"
done
[ -n \"$module\" ] && exec '{}' \"$@\"
echo 'error: no programs, only modules' >&2; exit 1
",
            nvcc.path.display()
        );
        let machine = self.tool("nvcc", &script);
        let path = machine.sandbox.path("bin/nvcc").display().to_string();
        let driver = executor_driver().parent().expect("a directory");
        let driver = driver.display().to_string();
        machine
            .set("NVCC", &path)
            .set("LD_LIBRARY_PATH", &driver)
            .set("HIRACE_COMMAND", env!("CARGO_BIN_EXE_hirace"))
    }

    fn doctor(&self, arguments: &[&str]) -> Outcome {
        let mut all = vec!["doctor"];
        all.extend(arguments);
        let mut command = self.sandbox.command(&all);
        let bin = self.sandbox.path("bin").display().to_string();
        command.env("PATH", format!("{bin}:/usr/bin:/bin"));
        command.env_remove("CXX");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        Outcome::of(command.output().expect("hirace starts"))
    }

    fn json(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let mut all = vec!["--format", "json"];
        all.extend(arguments);
        let outcome = self.doctor(&all);
        let value = outcome.json();
        assert_eq!(value["schema"], "hirace-doctor/1");
        (outcome.status, value)
    }
}

/// The driver's library, compiled once for all tests.
fn fake_driver() -> &'static Path {
    static LIBRARY: OnceLock<std::path::PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fake_driver");
        std::fs::create_dir_all(&directory).expect("directory");
        let library = directory.join("libcuda.so.1");
        let status = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()))
            .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O2"])
            .args(["-shared", "-fPIC", "-I"])
            .arg(root.join("device"))
            .arg(root.join("tests/cli/doctor/fake_driver.cpp"))
            .arg(root.join("tests/cli/doctor/fake_small_words.cpp"))
            .arg("-o")
            .arg(&library)
            .status()
            .expect("a compiler");
        assert!(status.success(), "the driver does not compile");
        library
    })
}

/// A driver that runs PTX on the executor.
fn executor_driver() -> &'static Path {
    static LIBRARY: OnceLock<std::path::PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("executor_driver");
        std::fs::create_dir_all(&directory).expect("directory");
        let library = directory.join("libcuda.so.1");
        let headers = xtask::device_headers().expect("the headers");
        let status = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()))
            .args(["-std=c++17", "-w", "-O1", "-pthread", "-shared", "-fPIC"])
            .args(["-DHIRACE_LIBRARY=1", "-I"])
            .arg(&headers)
            .arg("-I")
            .arg(headers.join("hirace/toolkit"))
            .arg(headers.join("hirace/library.cpp"))
            .arg(root.join("tests/cli/doctor/executor_driver.cpp"))
            .arg("-o")
            .arg(&library)
            .arg("-ldl")
            .status()
            .expect("a compiler");
        assert!(status.success(), "the driver does not compile");
        library
    })
}

/// The check with this name.
#[track_caller]
fn named<'a>(checks: &'a Value, name: &str) -> &'a Value {
    let mut checks = checks.as_array().expect("a list").iter();
    let check = checks.find(|check| check["name"] == name);
    check.unwrap_or_else(|| panic!("no {name}"))
}

#[track_caller]
fn holds(check: &Value, state: &str, found: &str) {
    assert_eq!(check["state"], state, "{check}");
    let text = check["found"].as_str().expect("a text");
    assert!(text.contains(found), "{check}");
    let helped = check["help"].is_string();
    let good = state == "ok" || state == "skipped";
    assert_eq!(helped, !good, "{check}");
}

#[test]
fn cpu_backend_without_nvcc() {
    let machine = Machine::new().tool("cmake", "echo; echo cmake version 3.99.1");
    let outcome = machine.doctor(&[]);
    outcome.ends_with(0);
    let text = &outcome.stdout;
    assert!(text.contains("\nCPU backend: works\n"), "{text}");
    assert!(text.contains("its race was found"), "{text}");
    assert!(text.contains("\nGPU backend: does not work\n"), "{text}");
    assert!(text.contains("-> CUDA toolkit"), "{text}");
    assert!(text.contains("cmake version 3.99.1 ("), "{text}");
}

#[test]
fn gpu_backend_without_nvcc() {
    let machine = Machine::new();
    let (status, diagnosis) = machine.json(&["--quick", "--backend", "gpu"]);
    assert_eq!(status, Some(2));
    assert_eq!(diagnosis["works"], json!(false));
    assert_eq!(diagnosis["cpu"]["works"], json!(true));
    let checks = &diagnosis["gpu"]["checks"];
    holds(named(checks, "nvcc"), "missing", "cannot be started");
    holds(named(checks, "test program"), "skipped", "missing above");
    let outcome = machine.doctor(&["--self-test"]);
    outcome
        .ends_with(2)
        .says("self-test not run: the GPU backend");
}

#[test]
fn no_compiler() {
    let machine = Machine::new().set("PATH", "/nonexistent");
    let (status, diagnosis) = machine.json(&[]);
    assert_eq!(status, Some(2));
    let checks = &diagnosis["cpu"]["checks"];
    holds(named(checks, "C++ compiler"), "missing", "on the path");
    holds(named(checks, "test program"), "skipped", "compiler");
    for tool in ["CMake", "Ninja", "Compute Sanitizer"] {
        holds(named(&diagnosis["tools"], tool), "missing", "on the path");
    }
}

#[test]
fn compilers_that_do_not_work() {
    let broken = Machine::new().tool("c++", "echo cannot execute cc1plus >&2; exit 1");
    let (status, diagnosis) = broken.json(&["--quick"]);
    assert_eq!(status, Some(2));
    let check = &diagnosis["cpu"]["checks"][0];
    holds(check, "broken", "fails: cannot execute cc1plus");

    let old = Machine::new().tool(
        "c++",
        "[ \"$1\" = --version ] && echo c++ 4.8 && exit\necho error: no such standard; exit 1",
    );
    let (status, diagnosis) = old.json(&["--quick"]);
    assert_eq!(status, Some(0));
    holds(&diagnosis["cpu"]["checks"][0], "ok", "c++ 4.8 (");
    let (status, diagnosis) = old.json(&[]);
    assert_eq!(status, Some(2));
    let check = named(&diagnosis["cpu"]["checks"], "test program");
    holds(check, "broken", "error: no such standard");
}

#[test]
fn driver_and_gpus() {
    let machine = Machine::new().nvcc("12.8").gpu().set("FAKE_GPUS", "2");
    let (status, diagnosis) = machine.json(&["--quick", "--backend", "gpu"]);
    assert_eq!(status, Some(0), "{diagnosis}");
    let gpu = &diagnosis["gpu"];
    assert_eq!(gpu["cuda"], json!([12, 8]));
    assert_eq!(
        gpu["gpus"][1],
        json!({
            "ordinal": 1, "name": "Fake GPU 1", "compute_capability": [9, 0],
            "memory": 1_610_612_736_u64, "multiprocessors": 7,
        })
    );
    let checks = &gpu["checks"];
    holds(named(checks, "nvcc"), "ok", "CUDA 12.8 (");
    holds(named(checks, "CUDA driver"), "ok", "CUDA 12.8");
    let shown = "Fake GPU 0, compute capability 9.0, 1.5 GiB, 7 multiprocessors";
    holds(named(checks, "GPU"), "ok", shown);
    holds(named(checks, "nvcc and driver"), "ok", "supports CUDA 12.8");
    holds(named(checks, "nvcc and GPU"), "ok", "sm_90");
}

/// Asserts the result of one of the GPU's checks. Returns the exit status.
#[track_caller]
fn gpu_check(machine: &Machine, name: &str, state: &str, found: &str) -> Option<i32> {
    let (status, diagnosis) = machine.json(&["--quick", "--backend", "gpu"]);
    holds(named(&diagnosis["gpu"]["checks"], name), state, found);
    status
}

#[test]
fn drivers_that_do_not_fit() {
    let newer = Machine::new().nvcc("12.9").gpu();
    let status = gpu_check(&newer, "nvcc and driver", "warning", "PTX cannot be loaded");
    assert_eq!(status, Some(0));
    let too_new = Machine::new().nvcc("13.0").gpu();
    let status = gpu_check(&too_new, "nvcc and driver", "broken", "it runs nothing");
    assert_eq!(status, Some(2));
    let unknown = Machine::new()
        .nvcc("12.8")
        .gpu()
        .set("FAKE_CAPABILITY", "103");
    let status = gpu_check(&unknown, "nvcc and GPU", "broken", "compile for sm_103");
    assert_eq!(status, Some(2));
    let old = Machine::new()
        .nvcc("12.8")
        .gpu()
        .set("FAKE_CAPABILITY", "61");
    let status = gpu_check(&old, "nvcc and GPU", "broken", "needs sm_70");
    assert_eq!(status, Some(2));
    let none = Machine::new().nvcc("12.8").gpu().set("FAKE_GPUS", "0");
    let status = gpu_check(&none, "GPU", "missing", "shows no GPU");
    assert_eq!(status, Some(2));
    let broken = Machine::new().nvcc("12.8").gpu().set("FAKE_INIT", "803");
    let status = gpu_check(&broken, "CUDA driver", "broken", "no luck (FAKE_ERROR_803)");
    assert_eq!(status, Some(2));
}

#[test]
fn self_test_as_cpp() {
    if !in_sample() {
        return;
    }
    let machine = Machine::new();
    let (status, diagnosis) = machine.json(&["--self-test", "--backend", "cpu", "--seed", "5"]);
    assert_eq!(status, Some(0), "{diagnosis}");
    let test = &diagnosis["self_test"];
    assert_eq!((&test["seed"], &test["works"]), (&json!(5), &json!(true)));
    let checks = &test["checks"];
    holds(named(checks, "transition table"), "ok", "1200");
    holds(named(checks, "all transitions"), "ok", "1200");
    holds(named(checks, "random accesses"), "ok", "1048576");
    holds(named(checks, "4-byte transitions"), "ok", "1200");
    holds(named(checks, "4-byte accesses"), "ok", "1048576");
    holds(named(checks, "known kernels"), "ok", "13 ");
}

/// The driver runs the kernels as C++: this tests the data passed to it and its results.
#[test]
fn self_test_through_a_driver() {
    if !in_sample() {
        return;
    }
    let machine = Machine::new().nvcc("12.8").gpu();
    let arguments = ["--self-test", "--seed", "5"];
    let (status, diagnosis) = machine.json(&arguments);
    let checks = &diagnosis["self_test"]["checks"];
    holds(named(checks, "transition table"), "ok", "GPU 0: 1200");
    holds(named(checks, "all transitions"), "ok", "GPU 0: 1200");
    holds(named(checks, "random accesses"), "ok", "GPU 0: 1048576");
    holds(named(checks, "4-byte transitions"), "ok", "GPU 0: 1200");
    holds(named(checks, "4-byte accesses"), "ok", "GPU 0: 1048576");
    // This nvcc cannot build programs.
    let kernels = named(checks, "known kernels");
    holds(kernels, "broken", "error: no programs, only modules");
    assert_eq!(status, Some(2));

    let machine = machine.set("FAKE_WRONG", "1");
    let (_, diagnosis) = machine.json(&arguments);
    let checks = &diagnosis["self_test"]["checks"];
    holds(named(checks, "transition table"), "ok", "1200");
    holds(
        named(checks, "all transitions"),
        "broken",
        "trace 17, access 0: ",
    );
    holds(
        named(checks, "random accesses"),
        "broken",
        "trace 0, access 17: ",
    );
    let small = named(checks, "4-byte transitions");
    holds(small, "broken", "trace 17, access 0: ");
}

/// What nvcc makes of the self-test for a GPU runs on the executor.
#[test]
fn self_test_as_ptx() {
    if !in_sample() {
        return;
    }
    let nvcc = match xtask::nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => {
            println!("skipped: no nvcc: {reason}");
            return;
        }
    };
    let machine = Machine::new().executor_as_gpu(&nvcc);
    let (_, diagnosis) = machine.json(&["--self-test", "--seed", "5"]);
    let checks = &diagnosis["self_test"]["checks"];
    for (name, count) in [
        ("transition table", "GPU 0: 1200"),
        ("all transitions", "GPU 0: 1200"),
        ("random accesses", "GPU 0: 1048576"),
        ("4-byte transitions", "GPU 0: 1200"),
        ("4-byte accesses", "GPU 0: 1048576"),
    ] {
        holds(named(checks, name), "ok", count);
    }
}

#[test]
fn driver_too_old_for_the_self_test() {
    let machine = Machine::new().nvcc("11.2").gpu().set("FAKE_CUDA", "11020");
    let (status, diagnosis) = machine.json(&["--self-test"]);
    let check = named(&diagnosis["self_test"]["checks"], "device code");
    assert_eq!(check["state"], "broken");
    assert!(
        check["found"]
            .to_string()
            .contains("supports CUDA 11.2 and no later"),
        "{check}"
    );
    assert_eq!(status, Some(2));
}

#[test]
fn options_that_exclude_one_another() {
    let machine = Machine::new();
    machine.doctor(&["--quick", "--self-test"]).ends_with(2);
    let outcome = machine.doctor(&["--seed", "1"]);
    outcome.ends_with(2).says("--self-test");
}
