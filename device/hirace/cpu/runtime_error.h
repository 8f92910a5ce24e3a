// cudaError_t and the last error of a host thread, with CUDA's numbers and texts.
#pragma once

#define HIRACE_CUDA_ERRORS(entry)                                                                           \
  entry(cudaSuccess, 0, "no error")                                                                         \
  entry(cudaErrorInvalidValue, 1, "invalid argument")                                                       \
  entry(cudaErrorMemoryAllocation, 2, "out of memory")                                                      \
  entry(cudaErrorInitializationError, 3, "initialization error")                                            \
  entry(cudaErrorCudartUnloading, 4, "driver shutting down")                                                \
  entry(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")              \
  entry(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                 \
  entry(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                           \
  entry(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                \
  entry(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                            \
  entry(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                        \
  entry(cudaErrorInvalidTexture, 18, "invalid texture reference")                                           \
  entry(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                            \
  entry(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                                \
  entry(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                           \
  entry(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")             \
  entry(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for 32-bit non float type") \
  entry(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")    \
  entry(cudaErrorInvalidSurface, 37, "invalid surface reference")                                           \
  entry(cudaErrorDevicesUnavailable, 46, "all CUDA-capable devices are busy or unavailable")                \
  entry(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                    \
  entry(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")        \
  entry(cudaErrorSyncDepthExceeded, 68, "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth") \
  entry(cudaErrorLaunchPendingCountExceeded, 69, "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount") \
  entry(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                      \
  entry(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                       \
  entry(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                              \
  entry(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")                                    \
  entry(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                                 \
  entry(cudaErrorDeviceUninitialized, 201, "invalid device context")                                        \
  entry(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                             \
  entry(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                         \
  entry(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")   \
  entry(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                              \
  entry(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                      \
  entry(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread")   \
  entry(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")      \
  entry(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                           \
  entry(cudaErrorInvalidSource, 300, "device kernel image is invalid")                                      \
  entry(cudaErrorFileNotFound, 301, "file not found")                                                       \
  entry(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                        \
  entry(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")              \
  entry(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                     \
  entry(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")               \
  entry(cudaErrorSymbolNotFound, 500, "named symbol not found")                                             \
  entry(cudaErrorNotReady, 600, "device not ready")                                                         \
  entry(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                           \
  entry(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                      \
  entry(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                             \
  entry(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                           \
  entry(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                             \
  entry(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")              \
  entry(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                           \
  entry(cudaErrorAssert, 710, "device-side assert triggered")                                               \
  entry(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                                     \
  entry(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
  entry(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  entry(cudaErrorHardwareStackError, 714, "hardware stack error")                                           \
  entry(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                         \
  entry(cudaErrorMisalignedAddress, 716, "misaligned address")                                              \
  entry(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")        \
  entry(cudaErrorInvalidPc, 718, "invalid program counter")                                                 \
  entry(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                          \
  entry(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                   \
  entry(cudaErrorNotPermitted, 800, "operation not permitted")                                              \
  entry(cudaErrorNotSupported, 801, "operation not supported")                                              \
  entry(cudaErrorSystemNotReady, 802, "system not yet initialized")                                         \
  entry(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")         \
  entry(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")  \
  entry(cudaErrorTimeout, 909, "wait operation timed out")                                                  \
  entry(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define HIRACE_CUDA_ERROR(name, number, text) name = number,
  HIRACE_CUDA_ERRORS(HIRACE_CUDA_ERROR)
#undef HIRACE_CUDA_ERROR
};
typedef cudaError cudaError_t;

namespace hirace::cpu {

inline thread_local cudaError_t last_error = cudaSuccess;

// Keeps an error until somebody asks; the result of every runtime function goes
// through here.
inline cudaError_t set_error(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace hirace::cpu

inline const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define HIRACE_CUDA_ERROR(name, number, text) \
  case name: return #name;
    HIRACE_CUDA_ERRORS(HIRACE_CUDA_ERROR)
#undef HIRACE_CUDA_ERROR
  }
  return "unrecognized error code";
}

inline const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define HIRACE_CUDA_ERROR(name, number, text) \
  case name: return text;
    HIRACE_CUDA_ERRORS(HIRACE_CUDA_ERROR)
#undef HIRACE_CUDA_ERROR
  }
  return "unrecognized error code";
}

#undef HIRACE_CUDA_ERRORS

inline cudaError_t cudaPeekAtLastError() { return hirace::cpu::last_error; }
inline cudaError_t cudaGetLastError() {
  const cudaError_t error = hirace::cpu::last_error;
  hirace::cpu::last_error = cudaSuccess;
  return error;
}

// Work in a stream is done when the call that asked for it returns.
struct CUstream_st;
struct CUevent_st;
typedef CUstream_st* cudaStream_t;
typedef CUevent_st* cudaEvent_t;
