// The report of a block whose threads all wait for one another.
#pragma once

#include <cstdio>

#include "../../records/record_text.h"
#include "worker.h"

namespace hirace::cpu {

inline void print_waiting(const Launch& launch, const Block& block, const Waiting& fiber) {
  const dim3& size = launch.block;
  const std::uint32_t row = fiber.thread / size.x;
  std::fprintf(stderr, "hirace:   thread (%u,%u,%u) waits for ", fiber.thread % size.x, row % size.y, row / size.y);
  if (fiber.waits_for == 0) {
    std::fputs("its block at ", stderr);
  } else {
    std::fprintf(stderr, "lanes 0x%08x (live: 0x%08x) at ", fiber.waits_for, block.live[fiber.thread / warp_lanes]);
  }
  print_site(stderr, fiber.site);
  std::fputc('\n', stderr);
}

// Whether lanes of a warp wait for others that wait with another mask.
inline bool masks_differ(const Block& block) {
  for (std::uint32_t w = 0; w * warp_lanes < block.threads; ++w) {
    const Warp& warp = block.warps[w];
    for (std::uint32_t i = 0; i < warp.groups; ++i) {
      for (std::uint32_t j = 0; j < warp.groups; ++j) {
        if (i != j && (warp.group[i].mask & warp.group[j].arrived) != 0) return true;
      }
    }
  }
  return false;
}

inline void Worker::fail_deadlock(Block& block) {
  constexpr std::uint32_t max_printed = 8;
  enter(block);
  std::fprintf(stderr, "hirace: deadlock in kernel %s, block (%u,%u,%u): %u of %u threads have exited, and the others wait\n",
               launch_->kernel, blockIdx.x, blockIdx.y, blockIdx.z, block.threads - block.alive, block.threads);
  std::uint32_t waiting = 0;
  SiteId site = unknown_site, other = unknown_site;
  const auto show = [&](const Waiting& fiber) {
    if (waiting++ == 0) {
      site = fiber.site;
      threadIdx = uint3{fiber.thread % blockDim.x, fiber.thread / blockDim.x % blockDim.y, fiber.thread / blockDim.x / blockDim.y};
    }
    if (other == unknown_site && fiber.site != site) other = fiber.site;
    if (waiting <= max_printed) print_waiting(*launch_, block, fiber);
  };
  // Lanes first: if lanes are missing, the others wait for them at the barrier.
  for (std::uint32_t w = 0; w * warp_lanes < block.threads; ++w) {
    const Warp& warp = block.warps[w];
    for (std::uint32_t i = 0; i < warp.groups; ++i) {
      for (std::uint32_t lanes = warp.group[i].arrived; lanes != 0; lanes &= lanes - 1) show(*warp.waiting[__builtin_ctz(lanes)]);
    }
  }
  for (std::uint32_t i = 0; i < block.at_barrier->size(); ++i) show(*block.at_barrier->at(i));
  if (waiting > max_printed) std::fprintf(stderr, "hirace:   and %u more\n", waiting - max_printed);
  Record record = fault_record(masks_differ(block) ? Fault::mask_mismatch : Fault::barrier_deadlock, site, 0);
  record.site_prior = other;
  record.prior_known = other != unknown_site ? PriorKnown::site : PriorKnown::nothing;
  end_with(record);
}

}  // namespace hirace::cpu
