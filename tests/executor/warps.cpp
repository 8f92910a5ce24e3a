//! run -> 0
//! run HIRACE_SEED=1 -> 0
//! run HIRACE_SEED=2 -> 0
// Shuffles, votes and the like, in whole warps, partial warps and parts of warps.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr unsigned full = 0xffffffffu;

__global__ void shuffles(int* ok) {
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  const int lanes = min(32, static_cast<int>(blockDim.x) - warp * 32);
  bool good = true;
  for (int source = 0; source < lanes; ++source) good &= hirace::shfl_sync(0, full, t, source) == warp * 32 + source;
  good &= hirace::shfl_up_sync(0, full, t, 1) == (lane >= 1 ? t - 1 : t);
  good &= hirace::shfl_down_sync(0, full, t, 3) == (lane + 3 < lanes ? t + 3 : t);
  good &= hirace::shfl_xor_sync(0, full, t, 1) == ((lane ^ 1) < lanes ? t ^ 1 : t);
  good &= hirace::shfl_sync(0, full, t, 9, 8) == ((lane & 24) + 1 < lanes ? warp * 32 + (lane & 24) + 1 : t);
  good &= hirace::shfl_up_sync(0, full, t, 2, 4) == (lane % 4 >= 2 ? t - 2 : t);
  good &= hirace::shfl_down_sync(0, full, t, 2, 4) == (lane % 4 < 2 && lane + 2 < lanes ? t + 2 : t);
  good &= hirace::shfl_sync(0, full, t * 0.5, 0) == warp * 32 * 0.5;
  good &= hirace::shfl_sync(0, full, static_cast<long long>(t) << 40, 1 % lanes) == static_cast<long long>(warp * 32 + 1 % lanes) << 40;
  if (good) ok[t] = 1;
}

__global__ void votes(int* ok) {
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  const int lanes = min(32, static_cast<int>(blockDim.x) - warp * 32);
  const unsigned live = lanes == 32 ? full : (1u << lanes) - 1;
  bool good = hirace::ballot_sync(0, full, lane % 2) == (0xaaaaaaaau & live);
  good &= hirace::any_sync(0, full, lane == 3) == (lanes > 3);
  good &= hirace::all_sync(0, full, lane >= 0) == 1;
  good &= hirace::all_sync(0, full, lane != 0) == 0;
  good &= __match_any_sync(full, lane / 4) == (0xfu << (lane / 4 * 4) & live);
  int same = 0;
  good &= __match_all_sync(full, 5, &same) == live && same == 1;
  good &= __match_all_sync(full, lane, &same) == (lanes == 1 ? live : 0) && same == (lanes == 1);
  good &= __reduce_add_sync(full, lane) == lanes * (lanes - 1) / 2;
  good &= __reduce_max_sync(full, t) == warp * 32 + lanes - 1;
  if (good) ok[t] = 1;
}

// Each half of a warp executes several collectives of its own.
__global__ void halves(int* ok) {
  const int t = static_cast<int>(threadIdx.x), lane = t % 32;
  int sum = lane;
  if (lane < 16) {
    for (int k = 8; k > 0; k /= 2) sum += hirace::shfl_down_sync(0, 0x0000ffffu, sum, k, 16);
    if (hirace::shfl_sync(0, 0x0000ffffu, sum, 0) == 120) ok[t] = 1;
  } else {
    hirace::syncwarp(0, 0xffff0000u);
    sum = hirace::shfl_xor_sync(0, 0xffff0000u, sum, 1);
    if (sum == (lane ^ 1) && hirace::ballot_sync(0, 0xffff0000u, lane == 20) == 1u << 20) ok[t] = 1;
  }
}

// Lanes that have exited are not waited for.
__global__ void some_exit(int* ok) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane % 3 == 0) {
    ok[lane] = 1;
    return;
  }
  const unsigned live = hirace::ballot_sync(0, full, 1);
  if ((live >> lane & 1) != 0 && (live & 1) == 0) ok[lane] = 1;
}

// Converged lanes in a branch form a group.
__global__ void together(int* counter, int* ok) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane % 2 == 0) {
    const unsigned active = __activemask();
    const int leader = __ffs(static_cast<int>(active)) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(counter, __popc(active));
    base = __shfl_sync(active, base, leader);
    ok[lane] = base + __popc(active & ((1u << lane) - 1)) == lane / 2;
  } else {
    ok[lane] = cg::coalesced_threads().size() == 16;
  }
}

// The functions without a mask, from code that was not instrumented.
__global__ void without_masks(int* ok) {
  const int lane = static_cast<int>(threadIdx.x);
  bool good = __shfl(lane, 5) == 5 && __shfl_xor(lane, 1) == (lane ^ 1);
  if (lane % 4 == 1) {
    good &= __ballot(lane < 16) == 0x2222u && __any(lane == 29) && !__all(lane == 29);
    good &= __shfl(lane, 9, 16) == (lane < 16 ? 9 : 25);
  } else {
    good &= __ballot(1) == 0xddddddddu;
  }
  ok[lane] = good;
}

__global__ void groups(int* ok) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const int rank = static_cast<int>(tile.thread_rank());
  bool good = block.thread_rank() == threadIdx.y * blockDim.x + threadIdx.x;
  good &= tile.meta_group_rank() == block.thread_rank() / 8 && tile.size() == 8;
  good &= cg::reduce(tile, rank, cg::plus<int>()) == 28;
  good &= cg::inclusive_scan(tile, 1, cg::plus<int>()) == rank + 1;
  good &= cg::exclusive_scan(tile, rank) == rank * (rank - 1) / 2;
  good &= tile.shfl(rank, 3) == 3 && tile.any(rank == 7) && !tile.all(rank == 7) && tile.ballot(rank < 4) == 15u;
  tile.sync();
  cg::sync(block);
  const cg::thread_group quarter = cg::tiled_partition(block, 4);
  good &= quarter.thread_rank() == block.thread_rank() % 4 && quarter.size() == 4;
  quarter.sync();
  const auto odd = cg::binary_partition(tile, rank % 2 == 1);
  good &= odd.size() == 4 && odd.thread_rank() == static_cast<unsigned>(rank / 2) && odd.shfl(rank, 0) == rank % 2;
  if (good) ok[block.thread_rank()] = 1;
}

__global__ void grid_sum(int* data, int* ok) {
  const cg::grid_group grid = cg::this_grid();
  for (int round = 1; round <= 3; ++round) {
    hirace::atomicAdd(0, &data[round], 1);
    grid.sync();
    if (hirace::read(0, data[round]) == static_cast<int>(grid.size())) hirace::update(0, ok[grid.thread_rank()]) += 1;
  }
}

void expect(int* ok, int count, int value = 1) {
  for (int i = 0; i < count; ++i) CHECK(ok[i] == value);
  CHECK(cudaMemset(ok, 0, 4096 * sizeof(int)) == cudaSuccess);
}

int main() {
  int* ok = managed<int>(4096);
  int* data = managed<int>(16);
  for (const int threads : {1, 7, 32, 33, 256, 1000}) {
    launch("shuffles", 1, static_cast<unsigned>(threads), 0, [=] { shuffles(ok); });
    expect(ok, threads);
    launch("votes", 1, static_cast<unsigned>(threads), 0, [=] { votes(ok); });
    expect(ok, threads);
  }
  launch("halves", 1, 64, 0, [=] { halves(ok); });
  expect(ok, 64);
  launch("some_exit", 1, 32, 0, [=] { some_exit(ok); });
  expect(ok, 32);
  launch("together", 1, 32, 0, [=] { together(data, ok); });
  expect(ok, 32);
  launch("without_masks", 1, 32, 0, [=] { without_masks(ok); });
  expect(ok, 32);
  launch("groups", 1, dim3(16, 8), 0, [=] { groups(ok); });
  expect(ok, 128);

  void* arguments[] = {&data, &ok};
  CHECK(cudaMemset(data, 0, 16 * sizeof(int)) == cudaSuccess);
  CHECK(cudaLaunchCooperativeKernel(grid_sum, 100, 20, arguments) == cudaSuccess);
  expect(ok, 2000, 3);
}
