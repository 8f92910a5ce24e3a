// Reads of arrays that a launch cannot write, and no other accesses, skip the check.
//
//! run arrays -> 0
//! run same_array -> 0
//! run beside -> 0
//! run numbers -> 0
//! run unknown -> 0
//! run beyond -> 0
//! run further -> 0
//! run lies -> 0
#include "check.h"

namespace {

constexpr unsigned blocks = 4, ints = 1024;

struct View {
  int* data;
};

// Every block reads one element by the first parameter; the second one writes another.
void twice(const int& element) {
  for (int i = 0; i < 2; ++i) hirace::read_of_parameter(1, 0, element);
}
void in_one_block(int& element) {
  if (blockIdx.x == 1) write(2, element) = 1;
}

// Every block reads an element by the first parameter; one writes an element by the second.
template <class... More>
void read_and_write(const int* in, int* out, long read, long written, More... more) {
  hirace::KernelScope scope(in, out, read, written, more...);
  twice(in[read]);
  in_one_block(out[written]);
}
__global__ void plain(const int* in, int* out, long read, long written) { read_and_write(in, out, read, written); }
__global__ void with_view(const int* in, int* out, View view) { read_and_write(in, out, 0, 0, view); }
__global__ void with_table(const int* in, int* out, int** table) { read_and_write(in, out, 0, 0, table); }

// The same through a number that is an address.
__global__ void by_number(const int* in, std::uint64_t out) {
  hirace::KernelScope scope(in, out);
  twice(in[0]);
  in_one_block(*reinterpret_cast<int*>(out));
}

__global__ void casts(const int* in) {
  hirace::KernelScope scope(in);
  twice(in[0]);
  in_one_block(const_cast<int*>(in)[0]);
}

// All kinds of hooks, some of them with the number of a parameter whose array is not read.
__global__ void other_hooks(const int* in, const int* other, int* out) {
  hirace::KernelScope scope(in, other, out);
  hirace::copy_of_parameter(1, 1, other[0]);
  hirace::read_argument_of_parameter(1, 1, other[1]);
  hirace::read_of_parameter(1, 1, in[0]);
  hirace::read_of_parameter(1, 0, out[0]);
  in_one_block(out[0]);
}

struct Outcome {
  std::uint64_t races, accesses;
};

template <class... Parameters, class... Values>
Outcome run(void (*kernel)(Parameters...), const Values&... values) {
  const Outcome before{races(), header().accesses};
  hirace::begin_launch({"kernel", 1, true, hirace::monitor_both, 0, ~0u}), made_up::launch(kernel, blocks, 1, 0, values...);
  EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
  return {races() - before.races, header().accesses - before.accesses};
}
bool operator==(const Outcome& a, const Outcome& b) { return a.races == b.races && a.accesses == b.accesses; }

int* array() {
  int* made = nullptr;
  EXPECT(gpu::cudaMalloc(&made, ints * sizeof(int)) == cudaSuccess);
  return made;
}

// For each block that reads without checks, one access is still counted.
constexpr Outcome skipped{0, blocks + 1}, checked{0, 2 * blocks + 1};
// The write races with the read before it, and the next read with the write.
constexpr Outcome racing{2, 2 * blocks + 1};

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  int *const in = array(), *const out = array();
  if (what == "arrays") {
    EXPECT(run(plain, in, out, 5, 5) == skipped);
    EXPECT(run(plain, in + 3, out + 7, 5, -2) == skipped);
    EXPECT(run(plain, out, in, ints - 1, 5) == skipped);
    EXPECT(run(other_hooks, in, out, array()).accesses == 3 * blocks + 1);
    EXPECT(header().limits == 0);
  } else if (what == "same_array") {
    EXPECT(run(plain, in, in, 5, 5) == racing);
    EXPECT(run(plain, in, in + 7, 5, -2) == racing);
    EXPECT(run(plain, in, in, 5, 6) == checked);
    EXPECT(run(plain, in, out, 5, 5) == skipped);
  } else if (what == "beside") {
    // Counted from 1, and from an end where no other allocation begins.
    EXPECT(run(plain, in, in - 1, 0, 1) == racing);
    made_up::machine().skip(ints);
    int* const last = array();
    EXPECT(run(plain, last, last + ints, ints - 1, -1) == racing);
  } else if (what == "numbers") {
    EXPECT(run(by_number, in, reinterpret_cast<std::uint64_t>(in)) == racing);
    EXPECT(run(by_number, in, reinterpret_cast<std::uint64_t>(out)) == skipped);
  } else if (what == "unknown") {
    // An address outside all allocations may lead to any of them.
    static int host[4];
    EXPECT(run(plain, in, &host[0], 5, in + 5 - host) == racing);
    made_up::machine().tells_parameters = false;
    EXPECT(run(plain, in, out, 5, 5) == checked);
  } else if (what == "beyond") {
    // An index that leads out of the array, into one that is written.
    EXPECT(run(plain, in, out, out - in, 0) == Outcome({racing.races, racing.accesses + blocks}));
  } else if (what == "further") {
    EXPECT(run(with_view, in, out, View{in}) == checked);
    EXPECT(run(with_table, in, out, static_cast<int**>(nullptr)) == checked);
  } else if (what == "lies") {
    EXPECT(run(casts, in) == skipped);
    EXPECT(header().limits == hirace::read_only_written);
  }
  return 0;
}
