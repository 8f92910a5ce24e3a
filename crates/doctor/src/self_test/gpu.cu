// The self-test as kernels, in a module that the `hirace` command loads.

#include <hirace/gpu/self_test.h>
#include <hirace/gpu/step.h>

namespace {

__device__ std::uint32_t thread_of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }

}  // namespace

extern "C" __global__ void hirace_table(std::uint32_t* next) {
  const std::uint32_t index = thread_of_grid();
  if (index < hirace::transition_count) next[index] = hirace::gpu::transition_at(index);
}

// One thread per word; all words have the same number of steps.
extern "C" __global__ void hirace_traces(std::uint64_t* words, hirace::gpu::SiteWord* sites, const hirace::SelfTestStep* steps,
                                         hirace::SelfTestAnswer* answers, std::uint32_t traces,
                                         std::uint32_t steps_each) {
  const std::uint32_t trace = thread_of_grid();
  if (trace >= traces) return;
  const std::size_t first = std::size_t{trace} * steps_each;
  const auto step_word = [=](auto layout, auto& word, auto me, hirace::AccessKind kind) {
    const hirace::gpu::Cell<decltype(layout)> cell{&word, sites + trace};
    return hirace::gpu::step_cell(cell, word, kind, hirace::SiteId{1}, me).race;
  };
  hirace::gpu::run_trace(words[trace], steps + first, answers + first, steps_each, step_word);
}
