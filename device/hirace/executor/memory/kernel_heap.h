// Memory that kernels allocate themselves (CUDA C++ Programming Guide, "Dynamic Global Memory Allocation and
// Operations"). It comes from the heap of device memory, so accesses to it are checked like all others.
//
//   malloc(n)    →  hirace::cpu::kernel_malloc(n)
//   free(p)      →  hirace::cpu::kernel_free(p)
//   new T(x)     →  new (hirace::cpu::kernel_heap) T(x)
//   delete[] p   →  hirace::cpu::kernel_delete_array(p)
//
// Functions that also run on the host allocate host memory there.
#pragma once

#include <new>
#include <type_traits>

#include "../../hooks/backend.h"

namespace hirace::cpu {

struct KernelHeap {};
inline constexpr KernelHeap kernel_heap{};

bool is_from_kernel(const volatile void* pointer);

// Null if there is no room, as on the device.
void* kernel_malloc(std::size_t bytes);

void kernel_free(void* pointer);

template <class T>
void kernel_delete(T* pointer) {
  if (!is_from_kernel(pointer)) {
    delete pointer;
    return;
  }
  void* memory = const_cast<std::remove_cv_t<T>*>(pointer);
  // An object of a derived class may begin before its base.
  if constexpr (std::is_polymorphic_v<T>) memory = dynamic_cast<void*>(const_cast<std::remove_cv_t<T>*>(pointer));
  pointer->~T();
  kernel_free(memory);
}

template <class T>
void kernel_delete_array(T* pointer) {
  if (!is_from_kernel(pointer)) {
    delete[] pointer;
    return;
  }
  auto* memory = reinterpret_cast<unsigned char*>(const_cast<std::remove_cv_t<T>*>(pointer));
  if constexpr (!std::is_trivially_destructible_v<T>) {
    // The number of elements is stored before the first one (Itanium C++ ABI, "Array Operator new Cookies").
    constexpr std::size_t cookie = alignof(T) > sizeof(std::size_t) ? alignof(T) : sizeof(std::size_t);
    const std::size_t count = *reinterpret_cast<const std::size_t*>(memory - sizeof(std::size_t));
    for (std::size_t i = count; i > 0; --i) pointer[i - 1].~T();
    memory -= cookie;
  }
  kernel_free(memory);
}

}  // namespace hirace::cpu

// Placement `new` cannot be qualified by a namespace. For null it returns null and runs no constructor.
inline void* operator new(std::size_t bytes, hirace::cpu::KernelHeap) noexcept { return hirace::cpu::kernel_malloc(bytes); }
inline void* operator new[](std::size_t bytes, hirace::cpu::KernelHeap) noexcept { return hirace::cpu::kernel_malloc(bytes); }
inline void operator delete(void* pointer, hirace::cpu::KernelHeap) noexcept { hirace::cpu::kernel_free(pointer); }
inline void operator delete[](void* pointer, hirace::cpu::KernelHeap) noexcept { hirace::cpu::kernel_free(pointer); }
