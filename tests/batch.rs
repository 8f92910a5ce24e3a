//! Programs that use the same names for different things share an executable, and each behaves as
//! it does on its own. `tests/ui.rs` compiles most UI programs together, too.

use hirace::check::RunOptions;
use hirace::check::batch::Builder;
use hirace::config::Config;
use hirace::error::Error;
use hirace::instrument::{self, tree::Tree};
use hirace::report::Status;
use hirace::toolchain::Arguments;

/// Programs that use the same names for different things, and exit with status 0 if each gets
/// its own.
const SAME_NAMES: [&str; 3] = [
    // An overload of a function that CUDA has, a macro, a main without a return.
    r#"
#include <cstdlib>
#define SIZE 3
__device__ long atomicAdd(long* at, long value) { long old = *at; *at = old + value; return old; }
__global__ void kernel(int* a, long* b) { atomicAdd(a, 2); if (threadIdx.x == 0) atomicAdd(b, 5L); }
int main() {
  int* a; long* b;
  cudaMallocManaged(&a, sizeof *a); cudaMallocManaged(&b, sizeof *b);
  *a = 0; *b = 0;
  kernel<<<1, SIZE>>>(a, b);
  cudaDeviceSynchronize();
  if (*a != 2 * SIZE || *b != 5) std::exit(1);
}
"#,
    // Tests whether the macro is defined, and has another kernel of the same name.
    r#"
#ifndef SIZE
#define SIZE 40
#endif
#define twice(x) ((x) + (x))
__device__ int counter;
__global__ void kernel(int* a) { atomicAdd(&counter, 1); atomicAdd(a, twice(1)); }
int main(int, char**) {
  int *a, all = 0;
  cudaMallocManaged(&a, sizeof *a);
  *a = 0;
  kernel<<<1, SIZE>>>(a);
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&all, counter, sizeof all);
  return *a == 80 && all == 40 ? 0 : 1;
}
"#,
    // A function named like another program's macro, and a constructor that runs before main.
    r#"
#include <vector>
static std::vector<int> before(7, 1);
__device__ int counter = 3;
__device__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* a) { a[threadIdx.x] = twice(counter); }
int main() {
  int* a;
  cudaMallocManaged(&a, 7 * sizeof *a);
  kernel<<<1, 7>>>(a);
  cudaDeviceSynchronize();
  return a[6] == 6 && before.size() == 7 ? 0 : 1;
}
"#,
];

#[test]
fn programs_of_an_executable_are_apart() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|it| it.to_string())?;
    let config = Config::builtin();
    let builder = Builder::new(&["-O1".to_owned()], &config).map_err(|it| it.to_string())?;
    let trees: Vec<Tree> = (0..SAME_NAMES.len())
        .map(|number| {
            let path = directory.path().join(format!("{number}.cu"));
            std::fs::write(&path, SAME_NAMES[number]).expect("a program");
            instrument::collect(&[path], &Arguments::default())
        })
        .collect::<Result<_, _>>()
        .map_err(|it| it.to_string())?;
    let built = builder.build(&trees, &directory.path().join("batch"));
    let built = built.map_err(|it| it.to_string())?;
    let alone: Vec<bool> = built
        .iter()
        .map(|it| it.as_ref().map(|it| it.member.is_none()))
        .collect::<Result<_, _>>()
        .map_err(ToString::to_string)?;
    // Code that runs before main would run for every program of the batch.
    if alone != [false, false, true] {
        return Err(format!("compiled by themselves: {alone:?}"));
    }
    for (tree, built) in trees.iter().zip(built) {
        let built = built.map_err(told)?;
        let program = builder.open(tree, &built).map_err(|it| it.to_string())?;
        let report = program.run(&config, &RunOptions::default());
        let report = report.map_err(|it| it.to_string())?;
        if report.status != Status::Clean {
            return Err(format!("{}: {report:?}", built.executable.display()));
        }
    }
    Ok(())
}

fn told(error: Error) -> String {
    match error {
        Error::Compile { output, .. } => output,
        other => other.to_string(),
    }
}
