// The CPU executor, or for nvcc the host runtime of the GPU backend, as one object file: programs that are compiled with
// HIRACE_LIBRARY=1 are linked with it.
#define HIRACE_LIBRARY 1
#define HIRACE_BUILDS_LIBRARY

#include "hirace.cuh"
