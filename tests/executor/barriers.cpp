//! run -> 0
//! run HIRACE_SEED=1 -> 0
//! run HIRACE_SEED=2 HIRACE_JOBS=3 -> 0
//! run HIRACE_JOBS=4 -> 0
// Block barriers, shared memory, and threads that leave early.
#include "check.h"

__global__ void block_sum(const int* in, int* out, int n) {
  typedef int buffer[1024];
  buffer& s = hirace::cpu::shared<buffer, 1>();
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  hirace::write(0, s[t]) = i < static_cast<unsigned>(n) ? hirace::read(0, in[i]) : 0;
  hirace::syncthreads(0);
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) hirace::update(0, s[t]) += hirace::read(0, s[t + k]);
    hirace::syncthreads(0);
  }
  if (t == 0) hirace::write(0, out[blockIdx.x]) = hirace::read(0, s[0]);
}

void test_block_sum(unsigned threads, unsigned blocks) {
  const unsigned n = threads * blocks - threads / 2;
  int* in = managed<int>(n);
  int* out = managed<int>(blocks);
  long expected = 0, sum = 0;
  for (unsigned i = 0; i < n; ++i) expected += in[i] = static_cast<int>(i % 7);
  launch("block_sum", blocks, threads, 0, [=] { block_sum(in, out, static_cast<int>(n)); });
  for (unsigned b = 0; b < blocks; ++b) sum += out[b];
  CHECK(sum == expected);
  CHECK(cudaFree(in) == cudaSuccess && cudaFree(out) == cudaSuccess);
}

// Thread n exits after n barriers; the others continue.
__global__ void leave_one_by_one(int* passed) {
  for (unsigned round = 0; round < threadIdx.x; ++round) hirace::syncthreads(0);
  passed[threadIdx.x] = 1;
}

__global__ void votes(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  const int odd = hirace::syncthreads_count(0, t % 2);
  const int none = hirace::syncthreads_or(0, t < 0);
  const int some = hirace::syncthreads_or(0, t == 5);
  const int all = hirace::syncthreads_and(0, t >= 0);
  const int most = hirace::syncthreads_and(0, t != 5);
  if (odd == static_cast<int>(blockDim.x) / 2 && none == 0 && some == 1 && all == 1 && most == 0) out[t] = 1;
}

// Barriers in both arms of a branch are one barrier.
__global__ void both_arms(int* out) {
  int& s = hirace::cpu::shared<int, 2>();
  if (threadIdx.x == 0) {
    s = 7;
    hirace::syncthreads(0);
  } else {
    hirace::syncthreads(0);
    out[threadIdx.x] = s;
  }
}

__global__ void transpose(const int* in, int* out, int width) {
  typedef int tile[8][9];
  tile& s = hirace::cpu::shared<tile, 3>();
  const unsigned x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * width + x];
  hirace::syncthreads(0);
  const unsigned tx = blockIdx.y * 8 + threadIdx.x, ty = blockIdx.x * 8 + threadIdx.y;
  out[ty * width + tx] = s[threadIdx.x][threadIdx.y];
}

static constexpr hirace::cpu::DynamicShared<int> dynamic_buffer{};

__global__ void reverse_dynamic(int* data) {
  double* const first = hirace::cpu::dynamic_shared<double>();
  CHECK(reinterpret_cast<std::uintptr_t>(first) % 16 == 0 && (double*)dynamic_buffer == first);
  const unsigned t = threadIdx.x, n = blockDim.x;
  dynamic_buffer[t] = data[blockIdx.x * n + t];
  hirace::syncthreads(0);
  data[blockIdx.x * n + t] = dynamic_buffer[n - 1 - t];
}

// Every thread of every block runs once, with its own coordinates.
__global__ void count_threads(int* counts) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  counts[block * (blockDim.x * blockDim.y * blockDim.z) + thread] += 1;
}

int main() {
  test_block_sum(256, 100);
  test_block_sum(1024, 70);
  test_block_sum(32, 2000);
  test_block_sum(1, 5);

  int* out = managed<int>(4096);
  launch("leave_one_by_one", 1, 100, 0, [=] { leave_one_by_one(out); });
  for (int i = 0; i < 100; ++i) CHECK(out[i] == 1);

  CHECK(cudaMemset(out, 0, 4096 * sizeof(int)) == cudaSuccess);
  launch("votes", 1, 100, 0, [=] { votes(out); });
  for (int i = 0; i < 100; ++i) CHECK(out[i] == 1);

  launch("both_arms", 1, 77, 0, [=] { both_arms(out); });
  for (int i = 1; i < 77; ++i) CHECK(out[i] == 7);

  int* in = managed<int>(4096);
  for (int i = 0; i < 4096; ++i) in[i] = i;
  launch("transpose", dim3(8, 8), dim3(8, 8), 0, [=] { transpose(in, out, 64); });
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) CHECK(out[x * 64 + y] == y * 64 + x);
  }

  for (unsigned threads : {32u, 1000u}) {
    for (int i = 0; i < 4000; ++i) out[i] = i;
    launch("reverse_dynamic", 4, threads, threads * sizeof(int), [=] { reverse_dynamic(out); });
    for (unsigned i = 0; i < 4 * threads; ++i) CHECK(out[i] == static_cast<int>(i / threads * threads + threads - 1 - i % threads));
  }

  CHECK(cudaMemset(out, 0, 4096 * sizeof(int)) == cudaSuccess);
  launch("count_threads", dim3(3, 2, 4), dim3(5, 3, 2), 0, [=] { count_threads(out); });
  for (int i = 0; i < 24 * 30; ++i) CHECK(out[i] == 1);
}
