//! run 00111 -> 0
//! run HIRACE_ENGINE=order 11111 -> 0
//! run HIRACE_ENGINE=machine 00000 -> 0
//! run HIRACE_ENGINE=machine-first 00000 -> 0
//! run HIRACE_SHUFFLES=order 11111 -> 0
// In a program with a fence, the order engine follows the kernels that may need it.
#include "check.h"

#include <cstring>

// Two files define a kernel of one name.
const bool first = hirace::register_sites({1u, 1u, "a.cu", nullptr, 0, "{}", "0 plain\n1 counts\n2 fences\n0 twice\n"});
const bool second = hirace::register_sites({2u, 2u, "b.cu", nullptr, 0, "{}", "2 twice\n"});

int main(int, char** arguments) {
  char* const followed = managed<char>(6);
  int* const data = managed<int>(1);
  char* result = followed;
  for (const char* const kernel : {"plain", "counts", "fences", "twice", "unknown"}) {
    launch(kernel, 1, 1, 0, [=] {
      if (std::strcmp(kernel, "fences") == 0) hirace::threadfence(3);
      hirace::atomicAdd(4, data, 1);
      *result = hirace::cpu::launch_is_ordered() ? '1' : '0';
    });
    ++result;
  }
  std::printf("%s\n", followed);
  return std::strcmp(followed, arguments[1]) != 0;
}
