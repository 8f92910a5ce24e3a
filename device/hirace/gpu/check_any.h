// The check of any access: of bytes, unaligned, or of a large structure.
//
// Granules of which only some bytes are accessed are split: each byte has a word of
// its own in the byte pool, so that threads that share a granule and no byte do not
// race.
#pragma once

#include "step.h"

namespace hirace::gpu {

// The word of a split granule: its node lies where clocks and thread otherwise do.
__device__ __forceinline__ Word split_word(std::uint32_t node, Word me, bool shared) {
  const Word low = node & ((Word{1} << Layout::block_shift) - 1);
  const Word high = Word{node} >> Layout::block_shift;
  return make_word(split_state, false, (me & certain_fields(shared)) | (high << Layout::thread_shift) | low);
}

__device__ __forceinline__ std::uint32_t node_of(Word word) {
  const Word low = word & ((Word{1} << Layout::block_shift) - 1);
  return static_cast<std::uint32_t>(low | (Layout::thread_of(word) << Layout::block_shift));
}

// Gives each byte of the granule a word of its own, with what the granule knows,
// and publishes them. False where there is no room: the granule then goes
// unchecked, and the run says so.
inline __device__ bool split_cell(const Cell& cell, Word old, Word me) {
  DeviceState& state = *device_state;
  std::uint32_t& next_node = state.launch.next_byte_node;
  // Looked at first, so that the counter does not run on and come round.
  bool room = *static_cast<volatile std::uint32_t*>(&next_node) < state.byte_node_capacity;
  if (room) {
    const Word busy = make_word(split_busy_state, false, me & certain_fields(cell.shared));
    if (replace_word(cell.word, old, busy) != old) return true;
    const std::uint32_t node = ::atomicAdd(&next_node, 1u);
    room = node < state.byte_node_capacity;
    if (room) {
      const bool fresh = stale(old, me, cell.shared);
      const SiteWord site = sites_enabled ? load_word(cell.site) : 0;
#pragma unroll 1
      for (unsigned byte = 0; byte < granule_bytes; ++byte) {
        const Cell target = byte_cell(cell, node, byte);
        store_word(target.word, fresh ? 0 : old);
        if (sites_enabled) store_word(target.site, site);
      }
      __threadfence();
    }
    // No one else changes a busy word; in cached shadow another page may, whose word is
    // then forgotten.
    store_word(cell.word, room ? split_word(node, me, cell.shared) : old);
  }
  if (!room) report_limit(byte_pool_exhausted);
  return room;
}

// Finds the cell for an access to `count` bytes of a granule from its byte `begin`
// on: the granule's own for all four, that of one byte where they have their own.
// Splits the granule where it must. `count` becomes the number of bytes that the
// cell stands for, and none where there is no room for it; `word` what it holds.
inline __device__ void resolve_cell(Cell& cell, Word& word, unsigned begin, std::uint32_t& count, Word me) {
  for (;;) {
    word = load_word(cell.word);
    const unsigned state = stale(word, me, cell.shared) ? 0 : state_of(word);
    if (state == split_state) {
      cell = byte_cell(cell, node_of(word), begin);
      word = load_word(cell.word);
      count = 1;
      return;
    }
    if (state == split_busy_state) {
      __nanosleep(32);
    } else if (count == granule_bytes) {
      return;
    } else if (!split_cell(cell, word, me)) {
      count = 0;
      return;
    }
  }
}

// One access reports one race at most, however many granules it touches.
inline __device__ __noinline__ void check_any(std::uintptr_t address, PackedAccess access, SiteId site) {
  const auto* pointer = reinterpret_cast<const void*>(address);
  const bool shared = is_shared(pointer);
  if ((monitored_spaces() & (shared ? monitor_shared : monitor_global)) == 0) return;
  const std::uint32_t clocks = block_clocks()[linear_thread()];
  if ((clocks & unchecked_clock) != 0) return;
  const Word thread = thread_identity(clocks);
  Stepped first_race{true, false, 0, 0};
  for (std::uint32_t done = 0; done < access.size();) {
    Cell cell;
    if (!find_cell(address + done, shared, cell)) return count_outside(pointer);
    const unsigned begin = static_cast<unsigned>((address + done) % granule_bytes);
    const std::uint32_t bytes = min(access.size() - done, granule_bytes - begin);
    const Word me = thread | cell.tag;
    std::uint32_t count = bytes;
    Word word;
    resolve_cell(cell, word, begin, count, me);
    if (count == 0) {
      done += bytes;
      continue;
    }
    const Stepped stepped = step_cell(cell, word, access.kind(), site, me);
    if (stepped.race && !first_race.race) first_race = stepped;
    if (stepped.done) done += count;
  }
  ::atomicAdd(&block_context().accesses, 1u);
  if (first_race.race) record_race(address, access, site, shared, first_race.old, first_race.site, thread);
}

}  // namespace hirace::gpu
