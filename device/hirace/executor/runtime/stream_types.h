// Streams and graphs as programs name them.
#pragma once

#include <cstdint>

#include "error.h"

constexpr unsigned int cudaStreamDefault = 0, cudaStreamNonBlocking = 1;

// The streams of launches by kernels (CUDA C++ Programming Guide, "Dynamic Parallelism").
#define cudaStreamTailLaunch (reinterpret_cast<cudaStream_t>(std::uintptr_t{3}))
#define cudaStreamFireAndForget (reinterpret_cast<cudaStream_t>(std::uintptr_t{4}))

struct CUgraph_st;
struct CUgraphNode_st;
typedef CUgraph_st* cudaGraph_t;
typedef CUgraphNode_st* cudaGraphNode_t;
struct CUgraphExec_st;
typedef CUgraphExec_st* cudaGraphExec_t;

enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel = 0,
  cudaGraphNodeTypeMemcpy = 1,
  cudaGraphNodeTypeMemset = 2,
  cudaGraphNodeTypeHost = 3,
  cudaGraphNodeTypeGraph = 4,
  cudaGraphNodeTypeEmpty = 5,
  cudaGraphNodeTypeWaitEvent = 6,
  cudaGraphNodeTypeEventRecord = 7,
  cudaGraphNodeTypeExtSemaphoreSignal = 8,
  cudaGraphNodeTypeExtSemaphoreWait = 9,
  cudaGraphNodeTypeMemAlloc = 10,
  cudaGraphNodeTypeMemFree = 11,
  cudaGraphNodeTypeConditional = 13
};

enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal = 0, cudaStreamCaptureModeThreadLocal = 1, cudaStreamCaptureModeRelaxed = 2 };
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
};

namespace hirace::cpu {

// A grid, among those that kernels have launched and those that the host has (scheduler/device_launch.h).
using GridId = std::uint64_t;

// Marks the program if this code is compiled into it: it creates streams that do not synchronise
// with the default stream. A function that is never called is not compiled in.
__attribute__((always_inline)) inline void note_other_stream() {
  asm volatile(".pushsection hirace_streams,\"a\"\n\t.byte 1\n\t.popsection");
}

}  // namespace hirace::cpu

// Stream 0 is that of the calling host thread, in all of the program.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
asm(".pushsection hirace_streams,\"a\"\n\t.byte 1\n\t.popsection");
asm(".pushsection hirace_thread_streams,\"a\"\n\t.byte 1\n\t.popsection");
#endif
