// libcu++'s bulk copies with cuda::barrier (CUDA C++ Programming Guide, "Asynchronous Data Copies using the Tensor
// Memory Accelerator"). They call the functions of namespace cuda::ptx.
#pragma once

#include <cstdint>

#include "cuda_barrier.h"
#include "cuda_ptx.h"

namespace cuda::device {

// The mbarrier object that a barrier is. To PTX, its eight bytes are the state of the barrier.
template <class Completion>
::std::uint64_t* barrier_native_handle(barrier<thread_scope_block, Completion>& object) {
  hirace::cpu::ptx::name_barrier(&object, object.at_site(hirace::unchecked_site).state());
  return reinterpret_cast<::std::uint64_t*>(&object);
}

namespace experimental {

using Barrier = barrier<thread_scope_block>;

template <class To>
void cp_async_bulk_global_to_shared(const To& to, const void* from, ::std::uint32_t bytes, Barrier& completes) {
  const auto space = hirace::sited(hirace::site_of(to), ptx::space_cluster);
  ptx::cp_async_bulk(space, ptx::space_global, hirace::value_of(to), from, bytes, barrier_native_handle(completes));
}
template <class To>
void cp_async_bulk_shared_to_global(const To& to, const void* from, ::std::uint32_t bytes) {
  const auto space = hirace::sited(hirace::site_of(to), ptx::space_global);
  ptx::cp_async_bulk(space, ptx::space_shared, hirace::value_of(to), from, bytes);
}

#define HIRACE_TENSOR_COPY(name, parameters, ...)                                                                             \
  template <class To>                                                                                                         \
  void cp_async_bulk_tensor_##name##_global_to_shared(const To& to, const void* map, HIRACE_TENSOR_PARAMETERS parameters,     \
                                                      Barrier& completes) {                                                   \
    const auto space = hirace::sited(hirace::site_of(to), ptx::space_cluster);                                                \
    const ::std::int32_t first[] = {__VA_ARGS__};                                                                             \
    ptx::cp_async_bulk_tensor(space, ptx::space_global, hirace::value_of(to), map, first, barrier_native_handle(completes));  \
  }                                                                                                                           \
  template <class Map>                                                                                                        \
  void cp_async_bulk_tensor_##name##_shared_to_global(const Map& map, HIRACE_TENSOR_PARAMETERS parameters, const void* from) { \
    const auto space = hirace::sited(hirace::site_of(map), ptx::space_global);                                                \
    const ::std::int32_t first[] = {__VA_ARGS__};                                                                             \
    ptx::cp_async_bulk_tensor(space, ptx::space_shared, hirace::value_of(map), first, from);                                  \
  }
#define HIRACE_TENSOR_PARAMETERS(...) __VA_ARGS__
HIRACE_TENSOR_COPY(1d, (int c0), c0)
HIRACE_TENSOR_COPY(2d, (int c0, int c1), c0, c1)
HIRACE_TENSOR_COPY(3d, (int c0, int c1, int c2), c0, c1, c2)
HIRACE_TENSOR_COPY(4d, (int c0, int c1, int c2, int c3), c0, c1, c2, c3)
HIRACE_TENSOR_COPY(5d, (int c0, int c1, int c2, int c3, int c4), c0, c1, c2, c3, c4)
#undef HIRACE_TENSOR_COPY
#undef HIRACE_TENSOR_PARAMETERS

inline void fence_proxy_async_shared_cta() {}
inline void cp_async_bulk_commit_group() { ptx::cp_async_bulk_commit_group(); }
template <int pending>
void cp_async_bulk_wait_group_read() {
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<pending>{});
}

}  // namespace experimental

}  // namespace cuda::device
