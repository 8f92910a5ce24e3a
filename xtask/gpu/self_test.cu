// The self-test's kernels (crates/doctor/src/self_test/gpu.cu) as a program: reads a file and writes
// another, as crates/doctor/src/self_test/cpu.cpp does.

#include "kernels.cu"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void expect(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <class T>
std::vector<T> read(std::FILE* file, std::size_t count) {
  std::vector<T> values(count);
  if (std::fread(values.data(), sizeof(T), count, file) != count) {
    std::fputs("the input is too short\n", stderr);
    std::exit(1);
  }
  return values;
}

// Zeros where `values` is shorter.
template <class T>
T* on_device(std::size_t count, const std::vector<T>& values = {}) {
  T* memory = nullptr;
  expect(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  expect(cudaMemset(memory, 0, count * sizeof(T)), "cudaMemset");
  expect(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

template <class T>
void write(std::FILE* file, const T* memory, std::size_t count) {
  std::vector<T> values(count);
  expect(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (std::fwrite(values.data(), sizeof(T), count, file) != count) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace hirace;
  std::FILE* const in = argc == 3 ? std::fopen(argv[1], "rb") : nullptr;
  std::FILE* const out = argc == 3 ? std::fopen(argv[2], "wb") : nullptr;
  if (in == nullptr || out == nullptr) {
    std::fprintf(stderr, "usage: %s INPUT OUTPUT\n", argv[0]);
    return 1;
  }
  const auto counts = read<std::uint32_t>(in, 2);
  const std::uint32_t traces = counts[0], steps_each = counts[1];
  const std::size_t steps = std::size_t{traces} * steps_each;
  auto* const words = on_device(traces, read<std::uint64_t>(in, traces));
  const auto* const all_steps = on_device(steps, read<SelfTestStep>(in, steps));
  auto* const sites = on_device<gpu::SiteWord>(traces);
  auto* const answers = on_device<SelfTestAnswer>(steps);
  auto* const next = on_device<std::uint32_t>(transition_count);
  constexpr unsigned block = 128;
  hirace_table<<<(transition_count + block - 1) / block, block>>>(next);
  expect(cudaGetLastError(), "hirace_table");
  hirace_traces<<<(traces + block - 1) / block, block>>>(words, sites, all_steps, answers, traces, steps_each);
  expect(cudaGetLastError(), "hirace_traces");
  expect(cudaDeviceSynchronize(), "the kernels");
  write(out, next, transition_count);
  write(out, answers, steps);
  return std::fclose(out) == 0 ? 0 : 1;
}
