//! Random CUDA programs of many kernels, about a third of them with races.
//!
//! All threads of a block that have not ended reach every barrier, so no launch ends early. In a *tidy* kernel, a
//! thread writes its own elements, waits, and reads those of others; other kernels access anything anywhere. A *plain*
//! kernel has intervals in which it only reads, unless control reaches them from other intervals.

mod barriers;
mod expressions;
mod jumps;
mod kernel;
mod marks;
mod statements;

use std::fmt::Write;

use hirace_sample::random;

pub use marks::{TRACE, Variant};

/// The beginning of all programs. Blocks have 64 threads in one dimension.
const PRELUDE: &str = include_str!("generate/prelude.cuh");

/// Buffers of the host program, 256 ints each. Only the first half of the last one is written.
const BUFFERS: usize = 4;

/// Choices in the units of this generator.
struct Random(random::Random);

impl Random {
    /// A number below `below`, or 0.
    fn next(&mut self, below: usize) -> usize {
        self.0.below(below.max(1) as u64) as usize
    }

    /// True with a probability of `percent` %.
    fn chance(&mut self, percent: usize) -> bool {
        self.next(100) < percent
    }

    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        self.0.pick::<&str>(choices)
    }
}

/// The program for a seed: what both variants are rendered from.
pub struct Marked(String);

impl Marked {
    /// A program with this number of kernels. Its first argument is the file that the buffers are written to at the
    /// end, and the second one, of the traced variant, the file of the log.
    pub fn program(seed: u64, kernels: usize) -> Self {
        let mut random = Random(random::Random::new(seed));
        // With device variables that hold pointers, a launch may write any memory.
        let variables = random.chance(30);
        let mut text = PRELUDE.to_owned();
        let mut launches = Vec::new();
        for number in 0..kernels {
            let (kernel, of_kernel) = kernel::kernel(&mut random, number, variables);
            text += &kernel;
            launches.push(of_kernel);
        }
        text += "int main(int, char** argv) {\n";
        text += &buffers(variables);
        for round in 0..2 {
            for (number, of_kernel) in launches.iter().enumerate() {
                if variables && random.chance(20) {
                    let to = random.pick(&["buffer2", "buffer0"]);
                    let _ = writeln!(text, "  cudaMemcpyToSymbol(slot, &{to}, 8);");
                }
                let begin = marks::traced_only(&format!("trace_launch<<<1, 1>>>({number}); "));
                let launch = format!("  {begin}{}\n", of_kernel[round]);
                // Launches in sequence use what those before them have written.
                text += &launch.repeat(if random.chance(10) { 2 } else { 1 });
            }
        }
        text += END;
        Self(text)
    }

    /// The text of a variant.
    pub fn render(&self, variant: Variant) -> String {
        marks::render(&self.0, variant)
    }
}

/// The host's code that allocates and fills the buffers.
fn buffers(variables: bool) -> String {
    let mut text = String::new();
    for buffer in 0..BUFFERS {
        let written = if buffer + 1 == BUFFERS { 128 } else { 256 };
        let _ = write!(
            text,
            "  int *buffer{buffer}, **table_buffer{buffer}; cudaMalloc(&buffer{buffer}, 1024); cudaMalloc(&table_buffer{buffer}, 8);\n\
             \x20 cudaMemset(buffer{buffer}, {buffer}, {written} * 4); cudaMemcpy(table_buffer{buffer}, &buffer{buffer}, 8, cudaMemcpyHostToDevice);\n"
        );
    }
    if variables {
        text += "  Pair both{buffer0, buffer1};\n  cudaMemcpyToSymbol(slot, &buffer2, 8); cudaMemcpyToSymbol(pair, &both, sizeof both);\n";
    }
    text += "  ‹trace_begin();›\n";
    text
}

/// The end of all programs, which writes the buffers to a file.
const END: &str =
    "  static int all[4][256]; int* const buffers[] = {buffer0, buffer1, buffer2, buffer3};
  for (int i = 0; i < 4; ++i) cudaMemcpy(all[i], buffers[i], 1024, cudaMemcpyDeviceToHost);
  FILE* file = fopen(argv[1], \"wb\"); fwrite(all, 1, sizeof all, file); fclose(file);
  ‹trace_end(argv[2]);›
  return cudaDeviceSynchronize();
}
";
