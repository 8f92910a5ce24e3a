// The check of bytes, of unaligned accesses and of large structures.
//
// If only some bytes of a granule are accessed, it is split: each byte gets its own word in the
// byte pool, so that threads that share a granule but no byte do not race.
#pragma once

#include "step.h"

namespace hirace::gpu {

// The word of a split granule: its node number takes the place of clocks and thread.
template <class Layout>
__device__ __forceinline__ typename Layout::Word split_word(std::uint32_t node, typename Layout::Word me) {
  using Word = typename Layout::Word;
  const Word low = node & ((Word{1} << Layout::block_shift) - 1);
  const Word high = Word{node} >> Layout::block_shift;
  return Layout::make_word(split_state, false, (me & Layout::epoch_field) | (high << Layout::thread_shift) | low);
}

template <class Layout>
__device__ __forceinline__ std::uint32_t node_of(typename Layout::Word word) {
  const auto low = word & ((typename Layout::Word{1} << Layout::block_shift) - 1);
  return static_cast<std::uint32_t>(low | (Layout::thread_of(word) << Layout::block_shift));
}

// Gives each byte of the granule its own word, with the granule's history, and publishes the words.
// False if there is no room: the granule is then unchecked, and the run reports it.
template <class Layout>
__device__ bool split_cell(const Cell<Layout>& cell, typename Layout::Word old, typename Layout::Word me) {
  DeviceState& state = *device_state;
  std::uint32_t& next_node = state.launch.next_byte_node;
  // Checked first, so that the counter does not run on and wrap.
  bool room = *static_cast<volatile std::uint32_t*>(&next_node) < state.byte_node_capacity;
  if (room) {
    const auto busy = Layout::make_word(split_busy_state, false, me & Layout::epoch_field);
    if (replace<Layout>(cell.word, old, busy) != old) return true;
    const std::uint32_t node = ::atomicAdd(&next_node, 1u);
    room = node < state.byte_node_capacity;
    if (room) {
      const bool fresh = stale<Layout>(old, me);
      const SiteWord site = sites_enabled ? load_word(cell.site) : 0;
#pragma unroll 1
      for (unsigned byte = 0; byte < granule_bytes; ++byte) {
        const Cell<Layout> target = byte_cell(cell, node, byte);
        store<Layout>(target.word, fresh ? 0 : old);
        if (sites_enabled) store_word(target.site, site);
      }
      __threadfence();
    }
    // No other thread changes a busy word. In cached shadow another page may; its word is then forgotten.
    store<Layout>(cell.word, room ? split_word<Layout>(node, me) : old);
  }
  if (!room) report_limit(byte_pool_exhausted);
  return room;
}

// Finds the cell for an access to `count` bytes of a granule from byte `begin` on: the granule's own for all
// four bytes, or that of one byte if the bytes have their own. Splits the granule if necessary. Sets `count`
// to the number of bytes that the cell describes, 0 if there is no room for it, and `word` to its content.
template <class Layout>
__device__ void resolve_cell(Cell<Layout>& cell, typename Layout::Word& word, unsigned begin, std::uint32_t& count,
                             typename Layout::Word me) {
  for (;;) {
    word = load<Layout>(cell.word);
    const unsigned state = stale<Layout>(word, me) ? 0 : Layout::state_of(word);
    if (state == split_state) {
      cell = byte_cell(cell, node_of<Layout>(word), begin);
      word = load<Layout>(cell.word);
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

// One access reports at most one race, however many granules it touches.
template <class Layout>
__device__ __noinline__ void check_any_of(std::uintptr_t address, PackedAccess access, SiteId site) {
  const std::uint32_t clocks = block_clocks()[linear_thread()];
  if ((clocks & unchecked_clock) != 0 || is_without_number<Layout>()) return;
  if (!Layout::of_block && !is_read(access.kind())) note_write(address);
  const auto thread = thread_identity<Layout>(clocks);
  Stepped<Layout> first_race{true, false, 0, 0};
  for (std::uint32_t done = 0; done < access.size();) {
    Cell<Layout> cell;
    if (!find_cell(address + done, cell)) return count_outside(reinterpret_cast<const void*>(address));
    const unsigned begin = static_cast<unsigned>((address + done) % granule_bytes);
    const std::uint32_t bytes = min(access.size() - done, granule_bytes - begin);
    const auto me = thread | cell.tag;
    std::uint32_t count = bytes;
    typename Layout::Word word;
    resolve_cell(cell, word, begin, count, me);
    if (count == 0) {
      done += bytes;
      continue;
    }
    const auto stepped = step_cell(cell, word, access.kind(), site, Lanes<Layout>{1, me, me});
    if (stepped.race && !first_race.race) first_race = stepped;
    if (stepped.done) done += count;
  }
  ::atomicAdd(&block_context().accesses, 1u);
  if (first_race.race) record_race<Layout>(address, access, site, first_race.old, first_race.site, thread);
}

}  // namespace hirace::gpu
