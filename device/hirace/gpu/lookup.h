// From an address to the shadow of its granule.
#pragma once

#include "context.h"

namespace hirace::gpu {

// A place for what is known of one granule, or of one byte.
struct Cell {
  Word* word;
  SiteWord* site;  // meaningless without site words
  bool shared;     // shared memory: the block is part of every word
  Word tag;        // part of every word in cached shadow
};

__device__ __forceinline__ bool in_window(std::uintptr_t address) {
  return address - shadow_window.begin < shadow_window.bytes;
}

// The word of a granule in the window.
__device__ __forceinline__ Word* window_word(std::uintptr_t address) {
  return shadow_window.words + (address - shadow_window.begin) / granule_bytes;
}

// Where the shadow of an address outside it is. The page table does not change under a
// kernel that may use what it leads to.
__device__ __forceinline__ PageEntry table_entry(std::uintptr_t address) {
  // Nothing lies in the last directory's part of the address space.
  constexpr std::uint32_t last = directory_count - 1;
  const std::uint32_t number = min(static_cast<std::uint32_t>(address >> directory_shift), last);
  const auto directory = reinterpret_cast<const Directory*>(
      __ldg(reinterpret_cast<const Counter*>(&device_state->directories[number])));
  return __ldg(&directory->pages[(address >> page_shift) % directory_pages]);
}

// An address of shared memory as an offset. In a cluster the bits above the first
// 24 name the block.
__device__ __forceinline__ std::uint32_t shared_offset(const volatile void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(const_cast<const void*>(pointer))) & 0xffffffu;
}

__device__ __forceinline__ Word* shared_word(const volatile void* pointer) {
  return block_context().shared_words + shared_offset(pointer) / granule_bytes;
}

__device__ __forceinline__ bool is_shared(const volatile void* pointer) {
  return __isShared(const_cast<const void*>(pointer)) != 0;
}

__device__ __forceinline__ bool is_absent(Word word) { return state_of(word) == absent_state; }

// Memory without shadow counts, unless no other thread can reach it, or no thread
// can write it.
__device__ __forceinline__ void count_outside(const void* pointer) {
  if (__isLocal(pointer) == 0 && __isConstant(pointer) == 0) ::atomicAdd(&block_context().outside, 1u);
}

// The site word of `word`, which has the number `index` in an array of `count`.
__device__ __forceinline__ SiteWord* site_of(Word* word, std::size_t index, std::size_t count) {
  constexpr std::size_t larger_by = sizeof(SiteWord) - sizeof(Word);
  return reinterpret_cast<SiteWord*>(reinterpret_cast<char*>(word + count) + index * larger_by);
}

// The cell of a word in shared memory's shadow or in the window.
__device__ __forceinline__ Cell cell_of(Word* word, bool shared) {
  if (!shared) return {word, shadow_window.sites + (word - shadow_window.words), false, 0};
  const std::size_t all = std::size_t{device_state->multiprocessors} * device_state->shared_granules;
  return {word, site_of(word, static_cast<std::size_t>(word - device_state->shared_words), all), true, 0};
}

// The cell of a granule outside the window, or where no memory has shadow.
__device__ __forceinline__ Cell table_cell(std::uintptr_t address) {
  const PageEntry entry = table_entry(address);
  const std::size_t index = address % page_bytes / granule_bytes;
  Word* const word = reinterpret_cast<Word*>(entry & ~PageEntry{pages_sharing - 1}) + index;
  return {word, site_of(word, index, page_granules), false, static_cast<Word>(entry & (pages_sharing - 1)) << tag_shift};
}

// The cell of the granule that holds `address`; false where it has none.
__device__ __forceinline__ bool find_cell(std::uintptr_t address, bool shared, Cell& cell) {
  if (shared) {
    cell = cell_of(shared_word(reinterpret_cast<const void*>(address)), true);
    return true;
  }
  cell = in_window(address) ? cell_of(window_word(address), false) : table_cell(address);
  return !is_absent(load_cached_word(cell.word));
}

// The cell of one byte of a granule that was split.
__device__ __forceinline__ Cell byte_cell(const Cell& granule, std::uint32_t node, unsigned byte) {
  const std::size_t index = std::size_t{node} * granule_bytes + byte;
  Word* const word = device_state->byte_words + index;
  return {word, site_of(word, index, std::size_t{device_state->byte_node_capacity} * granule_bytes), granule.shared,
          granule.tag};
}

}  // namespace hirace::gpu
