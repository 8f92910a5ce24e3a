//! run -> 0
//! run HIRACE_SEED=1 -> 0
//! run HIRACE_JOBS=2 -> 0
// Atomic objects and functions of all types, barriers, latches, semaphores, pipelines.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/bit>
#include <cuda/std/span>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

namespace cg = cooperative_groups;
constexpr unsigned blocks = 4, threads = 64, all = blocks * threads;

template <class T>
void sums() {
  auto* const objects = managed<cuda::atomic<T, cuda::thread_scope_device>>(2);
  T* const plain = managed<T>(2);
  launch("sums", blocks, threads, 0, [=] {
    objects[0].fetch_add(T(1), cuda::memory_order_relaxed);
    cuda::atomic_ref<T, cuda::thread_scope_device> place(plain[0]);
    place += T(1);
    cuda::atomic_ref<T> largest(plain[1]);
    largest.fetch_max(T(threadIdx.x));
    T seen = objects[1].load();
    while (!objects[1].compare_exchange_weak(seen, T(seen + T(1)))) {
    }
  });
  const T total = static_cast<T>(all);
  CHECK(objects[0].load() == total && objects[1] == total && plain[0] == total && plain[1] == T(threads - 1));
}

struct alignas(16) Wide {
  unsigned long long count, twice;
};

void functions() {
  Wide* const wide = managed<Wide>(1);
  float4* const four = managed<float4>(1);
  float2* const two = managed<float2>(1);
  __half2* const halves = managed<__half2>(1);
  __nv_bfloat16* const brain = managed<__nv_bfloat16>(1);
  unsigned short* const small = managed<unsigned short>(1);
  launch("functions", blocks, threads, 0, [=] {
    Wide seen = *wide;
    for (;;) {
      const Wide old = atomicCAS(wide, seen, Wide{seen.count + 1, seen.twice + 2});
      if (old.count == seen.count && old.twice == seen.twice) break;
      seen = old;
    }
    atomicAdd(four, make_float4(1, 2, 3, 4));
    atomicAdd_system(two, make_float2(1, 0.5f));
    atomicAdd(halves, __floats2half2_rn(1, 0.5f));
    atomicAdd_system(brain, __nv_bfloat16(1.0f));
    for (unsigned short old = *small, before; (before = atomicCAS(small, old, static_cast<unsigned short>(old + 1))) != old;) old = before;
  });
  CHECK(wide->count == all && wide->twice == 2 * all && four->x == all && four->w == 4 * all && two->x == all && two->y == all / 2);
  CHECK(static_cast<float>(halves->x) == all && static_cast<float>(halves->y) == all / 2 && static_cast<float>(*brain) == all);
  CHECK(*small == all && atomicExch(wide, Wide{1, 2}).count == all && wide->twice == 2);
}

void barriers() {
  int* const out = managed<int>(threads);
  launch("barriers", 1, threads, sizeof(int) * threads + 1024, [=] {
    auto* const barrier = reinterpret_cast<cuda::barrier<cuda::thread_scope_block>*>(hirace::cpu::block_shared);
    int* const values = reinterpret_cast<int*>(hirace::cpu::block_shared + 1024 - 4 * 128);
    const unsigned t = threadIdx.x;
    if (t == 0) init(barrier, threads);
    hirace::syncthreads(0);
    for (int round = 1; round <= 3; ++round) {
      hirace::write(0, values[t]) = static_cast<int>(t) * round;
      barrier->arrive_and_wait();
      out[t] += hirace::read(0, values[(t + 1) % threads]);
      barrier->wait(barrier->arrive());
    }
  });
  for (unsigned t = 0; t < threads; ++t) CHECK(out[t] == 6 * static_cast<int>((t + 1) % threads));
}

void waiting() {
  auto* const latch = managed<cuda::latch<cuda::thread_scope_device>>(1);
  auto* const gate = managed<cuda::binary_semaphore<cuda::thread_scope_device>>(1);
  int* const counts = managed<int>(2);
  init(latch, all);
  new (gate) cuda::binary_semaphore<cuda::thread_scope_device>(1);
  launch("waiting", blocks, threads, 0, [=] {
    gate->acquire();
    counts[0] += 1;
    gate->release();
    latch->arrive_and_wait();
    if (counts[0] == static_cast<int>(all)) atomicAdd(&counts[1], 1);
  });
  CHECK(counts[0] == static_cast<int>(all) && counts[1] == static_cast<int>(all));
}

// Two stages that all threads fill and empty.
void pipelines() {
  constexpr unsigned batches = 7;
  int* const in = managed<int>(batches * threads);
  int* const out = managed<int>(batches * threads);
  for (unsigned i = 0; i < batches * threads; ++i) in[i] = static_cast<int>(i * 3);
  using State = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
  launch("pipelines", 1, threads, sizeof(State) + 16 + 2 * threads * sizeof(int), [=] {
    auto* const state = reinterpret_cast<State*>(hirace::cpu::block_shared);
    int* const stages = reinterpret_cast<int*>(hirace::cpu::block_shared + (sizeof(State) + 15) / 16 * 16);
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    const auto fill = [&](unsigned batch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stages + batch % 2 * threads, in + batch * threads, sizeof(int) * threads, pipe);
      pipe.producer_commit();
    };
    fill(0);
    for (unsigned batch = 0; batch < batches; ++batch) {
      if (batch + 1 < batches) fill(batch + 1);
      pipe.consumer_wait();
      out[batch * threads + threadIdx.x] = stages[batch % 2 * threads + threads - 1 - threadIdx.x];
      pipe.consumer_release();
    }
  });
  for (unsigned i = 0; i < batches * threads; ++i) CHECK(out[i] == in[i / threads * threads + threads - 1 - i % threads]);
}

void groups() {
  int* const ok = managed<int>(threads);
  launch("groups", 1, threads, 0, [=] {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(warp);
    const auto inner = cg::tiled_partition<8>(warp);
    bool good = inner.meta_group_rank() == threadIdx.x % 32 / 8 && inner.meta_group_size() == 4 && tile.meta_group_size() == threads / 8;
    const auto odd = cg::binary_partition(warp, threadIdx.x % 2 != 0);
    good &= odd.size() == 16 && odd.meta_group_size() == 2 && odd.meta_group_rank() == threadIdx.x % 2;
    const auto label = cg::labeled_partition(warp, threadIdx.x % 3);
    // Numbered by their first lanes: 0, 1, 2 have the labels of the first three threads.
    good &= label.meta_group_size() == 3 && label.meta_group_rank() == threadIdx.x % 32 % 3;
    const auto part = cg::tiled_partition(odd, 4);
    good &= part.size() == 4 && part.meta_group_rank() == odd.thread_rank() / 4 && part.meta_group_size() == 4;
    int calls = 0;
    cg::invoke_one(warp, [&] { ++calls; });
    good &= calls == (warp.thread_rank() == 0) && cg::invoke_one_broadcast(warp, [&] { return static_cast<int>(threadIdx.x); }) == static_cast<int>(threadIdx.x / 32 * 32);
    good &= cg::this_thread().size() == 1;
    if (good) ok[threadIdx.x] = 1;
  });
  for (unsigned t = 0; t < threads; ++t) CHECK(ok[t] == 1);
}

// Returns the number of arguments in a kernel, and the number of characters on the host.
void printing() {
  int* const results = managed<int>(3);
  launch("printing", 1, 1, 0, [=] {
    results[0] = hirace::cpu::kernel_printf("%s and %d\n", "words", 10);
    results[1] = hirace::cpu::kernel_printf("\n");
    results[2] = hirace::cpu::kernel_printf(nullptr);
  });
  CHECK(results[0] == 2 && results[1] == 0 && results[2] == -1 && hirace::cpu::kernel_printf("%d\n", 123) == 4);
}

int main() {
  printing();
  sums<int>();
  sums<unsigned long long>();
  sums<float>();
  sums<double>();
  functions();
  barriers();
  waiting();
  pipelines();
  groups();
  cuda::std::atomic_flag flag;
  flag.clear();
  CHECK(!flag.test_and_set() && flag.test());
  cuda::atomic<int*> pointer(nullptr);
  CHECK(pointer.fetch_add(2) == nullptr && pointer.load() == static_cast<int*>(nullptr) + 2);
  cuda::std::atomic<unsigned char> byte(250);
  byte += 10;
  CHECK(byte == 4 && byte.exchange(9) == 4 && cuda::std::popcount(7u) == 3 && cuda::std::bit_width(8u) == 4 && cuda::std::rotl(0x80000001u, 1) == 3u);
  int numbers[] = {1, 2, 3, 4};
  const cuda::std::span<int> span(numbers);
  CHECK(span.size() == 4 && span.subspan(1, 2).back() == 3 && span.first(2).size() == 2 && span.last<1>()[0] == 4);
  return 0;
}
