// Memory that a library allocates by calls that are not instrumented: found by the arguments of a
// launch, or from the next launch on if no argument leads to it.
//
//! run argument -> 0
//! run structure -> 0
//! run hidden -> 0
//! run moves -> 0
//! run functions -> 0
//! run unasked -> 0
#include "check.h"

namespace {

constexpr std::size_t page = gpu::page_bytes;

struct View {
  long count;
  int* data;
};

// Two blocks write the same element, or each its own.
void write_same(int* memory) {
  hirace::KernelScope scope;
  write(1, memory[0]) = 1;
}
void write_own(int* memory) {
  hirace::KernelScope scope;
  write(1, memory[blockIdx.x]) = 1;
}
__global__ void racy(int* memory) { write_same(memory); }
__global__ void clean(int* memory) { write_own(memory); }
__global__ void racy_view(float, View view) { write_same(view.data + view.count - 1); }
__global__ void clean_view(float, View view) { write_own(view.data + view.count - 1); }
__global__ void racy_hidden(int** const pointer) { write_same(*pointer); }
__global__ void clean_hidden(int** const pointer) { write_own(*pointer); }

// Instrumented code does not see this.
template <class T>
T* library_memory(std::size_t bytes) {
  void* memory = nullptr;
  EXPECT(::cudaMalloc(&memory, bytes) == cudaSuccess);
  return static_cast<T*>(memory);
}

hirace::LaunchInfo info(const char* kernel) { return {kernel, 1, true, hirace::monitor_both, 0, ~0u}; }

struct Counts {
  std::uint64_t races, outside;
};

// The counts that a launch of two blocks adds.
template <class... Parameters, class... Values>
Counts counts(void (*kernel)(Parameters...), const Values&... values) {
  const Counts before{races(), header().outside};
  hirace::begin_launch(info("kernel")), made_up::launch(kernel, 2, 1, 0, values...);
  EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
  return {races() - before.races, header().outside - before.outside};
}
#define EXPECT_COUNTS(expected_races, expected_outside, ...)                                    \
  do {                                                                                          \
    const Counts found = counts(__VA_ARGS__);                                                   \
    EXPECT(found.races == (expected_races) && found.outside == (expected_outside));             \
  } while (false)

void run(const std::string& what) {
  if (what == "argument") {
    int* memory = library_memory<int>(4 * page);
    EXPECT_COUNTS(0, 0, clean, memory);
    EXPECT_COUNTS(1, 0, racy, memory);
    // Not only the page that the argument leads to.
    EXPECT_COUNTS(1, 0, racy, memory + 3 * page / 4);
  } else if (what == "structure") {
    int* memory = library_memory<int>(100);
    EXPECT_COUNTS(1, 0, racy_view, 1.5f, View{1, memory});
    EXPECT_COUNTS(0, 0, clean_view, 1.5f, View{1, memory});
  } else if (what == "hidden") {
    int** pointer = library_memory<int*>(sizeof(int*));
    *pointer = library_memory<int>(4 * page);
    EXPECT_COUNTS(0, 2, racy_hidden, pointer);
    EXPECT_COUNTS(0, 0, clean_hidden, pointer);
    EXPECT_COUNTS(1, 0, racy_hidden, pointer);
  } else if (what == "moves") {
    // The library frees memory and allocates other memory in its place, smaller and larger.
    made_up::Machine& machine = made_up::machine();
    for (const std::size_t pages : {2, 1, 7, 3}) {
      int* memory = library_memory<int>(pages * page);
      int* last = memory + pages * page / 4 - 2;
      EXPECT_COUNTS(1, 0, racy, memory);
      EXPECT_COUNTS(1, 0, racy, last);
      EXPECT_COUNTS(0, 0, clean, memory);
      EXPECT_COUNTS(0, 0, clean, last);
      EXPECT(::cudaFree(memory) == cudaSuccess);
      machine.reuse(memory);
    }
    // Shadow of freed memory is released.
    const std::size_t before = machine.free_bytes;
    EXPECT(gpu::Monitor::instance().reclaim() && machine.free_bytes > before);
    int* memory = library_memory<int>(page);
    EXPECT_COUNTS(1, 0, racy, memory);
  } else if (what == "functions") {
    // All that launches.
    int* memory = library_memory<int>(page);
    void* arguments[] = {&memory};
    const auto* function = reinterpret_cast<const void*>(racy);
    made_up::kernel_of(racy);
    const cudaLaunchConfig_t configuration{2, 1, 0, nullptr};
    hirace::begin_launch(info("a")), gpu::cudaLaunchKernel(function, 2, 1, arguments);
    hirace::begin_launch(info("b")), gpu::cudaLaunchCooperativeKernel(racy, 2, 1, arguments);
    hirace::begin_launch(info("c")), cudaLaunchKernelExC(&configuration, function, arguments);
    EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(races() == 3 && header().outside == 0 && header().launches == 3);
    // A launch among the arguments of another one.
    const auto inner = [&] { return hirace::begin_launch(info("d")), made_up::launch(clean, 2, 1, 0, memory), memory; };
    hirace::begin_launch(info("e")), made_up::launch(racy, 2, 1, 0, inner());
    EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(races() == 4 && header().launches == 5 && header().unmonitored_launches == 0);
  } else {
    // A driver that does not report the sizes of arguments: as if all pointers were hidden.
    made_up::machine().tells_parameters = false;
    int* memory = library_memory<int>(page);
    EXPECT_COUNTS(0, 2, racy, memory);
    EXPECT_COUNTS(1, 0, racy, memory);
  }
}

}  // namespace

int main(int, char** arguments) {
  EXPECT(gpu::launches_are_hooked());
  run(arguments[1]);
  return 0;
}
