//! run -> 0
// A program that merely includes <cuda.h> has no streams but the default one: its launches cannot overlap. One that asks
// for the function that creates streams by its name may have others.
#include <cuda.h>
#include <hirace/executor/runtime/stream_work.h>

#include "check.h"

int main() {
  CHECK(!hirace::cpu::has_other_streams());
  void* function = nullptr;
  CHECK(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, nullptr) == CUDA_SUCCESS && function != nullptr);
  CHECK(!hirace::cpu::has_other_streams());

  CHECK(cuGetProcAddress("cuStreamCreate", &function, 12000, 0, nullptr) == CUDA_SUCCESS && function != nullptr);
  CHECK(hirace::cpu::has_other_streams());
  CUstream stream = nullptr;
  CHECK(reinterpret_cast<PFN_cuStreamCreate>(function)(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS && stream != nullptr);
  CHECK(cuGetProcAddress("cuStreamCreateWithPriority", &function, 12000, 0, nullptr) == CUDA_SUCCESS);
  CHECK(reinterpret_cast<PFN_cuStreamCreateWithPriority>(function)(&stream, CU_STREAM_NON_BLOCKING, -1) == CUDA_SUCCESS);
}
