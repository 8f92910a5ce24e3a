// Asynchronous copies by the device: memcpy_async of cooperative groups and of namespace cuda, and
// the primitives that implement them.
//
// The calling thread copies immediately. To the order engine, the accesses are those of the thread's
// copier, which are unordered with the thread's own until it waits. The state machine treats them as
// the thread's own, so it does not detect a thread that reads its own copy without waiting.
#pragma once

#include "../hooks/bytes.h"
#include "../executor/call_site.h"
#include "../executor/order/interface.h"

namespace cuda {

// A size that is known to be a multiple of the alignment.
template <::std::size_t alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = alignment;
  ::std::size_t value;
  explicit constexpr aligned_size_t(::std::size_t bytes) : value(bytes) {}
  constexpr operator ::std::size_t() const { return value; }
};

}  // namespace cuda

namespace hirace::cpu {

template <class = void>
inline void copy_now(const CopySites& sites, void* to, const void* from, std::size_t bytes) {
  note_use<BarrierObject>();
  const AsynchronousCopy copy;
  if (sites.from != unchecked_site) check_bytes(AccessKind::read, from, bytes, sites.from);
  if (sites.to != unchecked_site) check_bytes(AccessKind::write, to, bytes, sites.to);
  std::memcpy(to, from, bytes);
}

// Copies all but the last `zeros` bytes, which become zero.
template <class = void>
inline void copy_and_fill(const CopySites& sites, void* to, const void* from, std::size_t bytes, std::size_t zeros) {
  copy_now(sites, to, from, bytes - zeros);
  if (zeros == 0) return;
  const AsynchronousCopy fill;
  void* const rest = static_cast<char*>(to) + (bytes - zeros);
  if (sites.to != unchecked_site) check_bytes(AccessKind::write, rest, zeros, sites.to);
  std::memset(rest, 0, zeros);
}

// The share of the thread with this rank in a group of `size`: every `size`-th piece.
template <class = void>
inline void copy_part(const CopySites& sites, void* to, const void* from, std::size_t bytes, std::size_t rank, std::size_t size) {
  const auto place = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  const std::size_t piece = place % 16 == 0 ? 16 : place % 4 == 0 ? 4 : 1;
  for (std::size_t at = rank * piece; at < bytes; at += size * piece) {
    copy_now(sites, static_cast<char*>(to) + at, static_cast<const char*>(from) + at, piece);
  }
}

}  // namespace hirace::cpu

// The primitives of <cuda_pipeline_primitives.h>. Each thread waits for its own copies.
template <class To>
inline void __pipeline_memcpy_async(const To& destination, const void* from, std::size_t bytes, std::size_t zeros = 0) {
  hirace::cpu::copy_and_fill(hirace::sites_of(destination), hirace::value_of(destination), from, bytes, zeros);
}
inline void __pipeline_commit() { hirace::cpu::order_commit_copies(); }
inline void __pipeline_wait_prior(std::size_t pending) { hirace::cpu::order_wait_for_copies(pending); }

namespace cooperative_groups {

// Copies `bytes` of `from`, by all threads of the group together.
template <class Group, class To, class From, class Size>
void memcpy_async(const Group& group, To* to, const From* from, const Size& bytes) {
  const auto& threads = hirace::value_of(group);
  hirace::cpu::copy_part(hirace::sites_of(group), to, from, static_cast<std::size_t>(bytes), threads.thread_rank(), threads.size());
  hirace::cpu::order_commit_copies();
}
// Copies as many elements as both have.
template <class Group, class To, class ToCount, class From, class FromCount>
void memcpy_async(const Group& group, To* to, const ToCount& room, const From* from, const FromCount& count) {
  const std::size_t elements = static_cast<std::size_t>(room) < static_cast<std::size_t>(count) ? room : count;
  memcpy_async(group, to, from, elements * sizeof(To));
}
template <class Group>
void wait(const Group& group) {
  hirace::cpu::order_wait_for_copies(0);
  group.sync();
}
template <unsigned stages, class Group>
void wait_prior(const Group& group) {
  hirace::cpu::order_wait_for_copies(stages);
  group.sync();
}

}  // namespace cooperative_groups
