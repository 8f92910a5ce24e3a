// Vectors of functions of libraries, which note the accesses that they make.
#pragma once

#include "../stream_function.h"
#include "numbers.h"

namespace hirace::cpu {

enum class BlasAccess { reads, writes, updates };

template <class Number>
void note_blas_access(const Number* place, std::size_t count, BlasAccess access) {
  if (access != BlasAccess::writes) library_reads(place, count * sizeof(Number));
  if (access != BlasAccess::reads) library_writes(place, count * sizeof(Number));
}

// With a negative increment, the first element is the last one in memory.
template <class Number>
struct BlasVector {
  Number* data;
  long long count, increment;

  Number& operator[](long long i) const { return data[increment > 0 ? i * increment : (i + 1 - count) * increment]; }
  std::size_t bytes() const {
    if (count <= 0) return 0;
    const long long step = increment < 0 ? -increment : increment;
    return static_cast<std::size_t>((count - 1) * step + 1) * sizeof(Number);
  }
  bool is_there(const char* name) const { return has_array(name, data, bytes()); }
  void note(BlasAccess access) const {
    if (increment == 1) return note_blas_access(data, static_cast<std::size_t>(count), access);
    for (long long i = 0; i < count; ++i) note_blas_access(&(*this)[i], 1, access);
  }
};

}  // namespace hirace::cpu
