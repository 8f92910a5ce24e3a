// A pointer to a pointer of the user's, as the runtime's functions take it.
#pragma once

namespace hirace::cpu {

// Like nvcc's own overloads, those for pointers to a type accept pointers to const.
template <class T>
inline void** untyped(T** pointer) {
  return (void**)pointer;  // Casts away what T is qualified with.
}

}  // namespace hirace::cpu
