// From an address to the shadow of its granule.
#pragma once

#include "context.h"

namespace hirace::gpu {

// A location for the data about one granule or one byte, in words of this layout.
template <class Layout>
struct Cell {
  using Word = typename Layout::Word;
  Word* word;
  SiteWord* site;  // meaningless without site words
  Word tag;        // part of every word in cached shadow
};

// Accesses to the words of a layout: loads from this multiprocessor's cache, loads from memory, and changes.
template <class Layout>
__device__ __forceinline__ typename Layout::Word load_cached(const typename Layout::Word* word) {
  if constexpr (Layout::of_block) return load_block_word(word);
  else return load_cached_word(word);
}
template <class Layout>
__device__ __forceinline__ typename Layout::Word load(const typename Layout::Word* word) {
  if constexpr (Layout::of_block) return load_block_word(word);
  else return load_word(word);
}
template <class Layout>
__device__ __forceinline__ void store(typename Layout::Word* word, typename Layout::Word value) {
  if constexpr (Layout::of_block) store_block_word(word, value);
  else store_word(word, value);
}
template <class Layout>
__device__ __forceinline__ typename Layout::Word replace(typename Layout::Word* word, typename Layout::Word expected,
                                                         typename Layout::Word value) {
  if constexpr (Layout::of_block) return replace_block_word(word, expected, value);
  else return replace_word(word, expected, value);
}

__device__ __forceinline__ bool in_window(std::uintptr_t address) {
  return address - shadow_window.begin < shadow_window.bytes;
}

// The word of a granule in the window.
__device__ __forceinline__ Word* window_word(std::uintptr_t address) {
  return shadow_window.words + (address - shadow_window.begin) / granule_bytes;
}

// The shadow of an address outside the window. The page table does not change under a kernel that may use it.
__device__ __forceinline__ PageEntry table_entry(std::uintptr_t address) {
  // The last directory's part of the address space is unused.
  constexpr std::uint32_t last = directory_count - 1;
  const std::uint32_t number = min(static_cast<std::uint32_t>(address >> directory_shift), last);
  const auto directory = reinterpret_cast<const Directory*>(
      __ldg(reinterpret_cast<const Counter*>(&device_state->directories[number])));
  return __ldg(&directory->pages[(address >> page_shift) % directory_pages]);
}

// An address of shared memory as an offset. In a cluster the bits above the first 24 identify the block.
__device__ __forceinline__ std::uint32_t shared_offset(const volatile void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(const_cast<const void*>(pointer))) & 0xffffffu;
}

__device__ __forceinline__ std::uint32_t* shared_word(const volatile void* pointer) {
  return block_context().shared_words + shared_offset(pointer) / granule_bytes;
}

__device__ __forceinline__ bool is_shared(const volatile void* pointer) {
  return __isShared(const_cast<const void*>(pointer)) != 0;
}

// The same in functions of the host, where there is none.
HIRACE_HOOK bool is_shared_memory(const volatile void* pointer) {
#if defined(__CUDA_ARCH__)
  return is_shared(pointer);
#else
  static_cast<void>(pointer);
  return false;
#endif
}

__device__ __forceinline__ bool is_absent(Word word) { return state_of(word) == absent_state; }

// Notes an address without shadow, so that the host can look it up. One address represents its
// page; if there is no room for all, the rest are noted in later launches.
__device__ __forceinline__ void note_outside(Counter address) {
  Counter* const noted = device_state->launch.outside_addresses;
  constexpr std::uint32_t room = sizeof(LaunchState::outside_addresses) / sizeof(Counter), probes = 4;
  for (std::uint32_t i = 0; i < probes; ++i) {
    Counter* const entry = &noted[((address >> page_shift) + i) % room];
    Counter seen = *static_cast<volatile Counter*>(entry);
    if (seen == 0) seen = ::atomicCAS(entry, Counter{0}, address);
    if (seen == 0 || (seen ^ address) >> page_shift == 0) return;
  }
}

// An access to memory without shadow is counted, unless the memory is private or constant.
__device__ __forceinline__ void count_outside(const void* pointer) {
  if (__isLocal(pointer) != 0 || __isConstant(pointer) != 0) return;
  ::atomicAdd(&block_context().outside, 1u);
  note_outside(reinterpret_cast<Counter>(pointer));
}

// The first write to a granule in a launch checks whether reads of it were skipped.
inline __device__ __noinline__ void find_written(std::uintptr_t address, std::uint32_t read_only) {
  for (; read_only != 0; read_only &= read_only - 1) {
    const Argument& argument = device_state->launch.argument[__ffs(static_cast<int>(read_only)) - 1];
    if (address - argument.begin < argument.bytes) return report_limit(read_only_written);
  }
}
__device__ __forceinline__ void note_write(std::uintptr_t address) {
  const std::uint32_t read_only = block_context().read_only;
  if (read_only != 0) find_written(address, read_only);
}

// The site words that follow an array of words.
__device__ __forceinline__ SiteWord* sites_behind(Word* words, std::size_t count) {
  return reinterpret_cast<SiteWord*>(words + count);
}

// The cell of a word in shared memory's shadow or in the window.
__device__ __forceinline__ Cell<SharedLayout> cell_of(std::uint32_t* word, SharedLayout) {
  const BlockContext& context = block_context();
  return {word, device_state->shared_sites + context.first_granule + (word - context.shared_words), 0};
}
__device__ __forceinline__ Cell<GlobalLayout> cell_of(Word* word, GlobalLayout) {
  return {word, shadow_window.sites + (word - shadow_window.words), 0};
}

// The cell of a granule outside the window, or of a page without shadow.
__device__ __forceinline__ Cell<GlobalLayout> table_cell(std::uintptr_t address) {
  const PageEntry entry = table_entry(address);
  const std::size_t index = address % page_bytes / granule_bytes;
  Word* const words = reinterpret_cast<Word*>(entry & ~PageEntry{pages_sharing - 1});
  return {words + index, sites_behind(words, page_granules) + index, static_cast<Word>(entry & (pages_sharing - 1)) << tag_shift};
}

// The cell of the granule that contains `address`; false if it has none.
__device__ __forceinline__ bool find_cell(std::uintptr_t address, Cell<SharedLayout>& cell) {
  cell = cell_of(shared_word(reinterpret_cast<const void*>(address)), SharedLayout{});
  return true;
}
__device__ __forceinline__ bool find_cell(std::uintptr_t address, Cell<GlobalLayout>& cell) {
  cell = in_window(address) ? cell_of(window_word(address), GlobalLayout{}) : table_cell(address);
  return !is_absent(load_cached_word(cell.word));
}

// The cell of one byte of a split granule. All words of the pool have room for the larger layout.
template <class Layout>
__device__ __forceinline__ Cell<Layout> byte_cell(const Cell<Layout>& granule, std::uint32_t node, unsigned byte) {
  const DeviceState& state = *device_state;
  const std::size_t first = std::size_t{node} * granule_bytes;
  SiteWord* const sites = sites_behind(state.byte_words, std::size_t{state.byte_node_capacity} * granule_bytes);
  return {reinterpret_cast<typename Layout::Word*>(state.byte_words + first) + byte, sites + first + byte, granule.tag};
}

}  // namespace hirace::gpu
