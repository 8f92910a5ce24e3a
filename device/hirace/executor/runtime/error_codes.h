// CUDA's errors: entry(name, number, text) for each.
#pragma once

#define HIRACE_CUDA_ERRORS(entry) \
  entry(cudaSuccess, 0, "no error") \
  entry(cudaErrorInvalidValue, 1, "invalid argument") \
  entry(cudaErrorMemoryAllocation, 2, "out of memory") \
  entry(cudaErrorInitializationError, 3, "initialization error") \
  entry(cudaErrorCudartUnloading, 4, "driver shutting down") \
  entry(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool") \
  entry(cudaErrorProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()") \
  entry(cudaErrorProfilerAlreadyStarted, 7, "profiler already started") \
  entry(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped") \
  entry(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
  entry(cudaErrorVersionTranslation, 10, "Driver is newer than runtime and returned parameters the runtime cannot process") \
  entry(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
  entry(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
  entry(cudaErrorInvalidHostPointer, 16, "invalid host pointer") \
  entry(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
  entry(cudaErrorInvalidTexture, 18, "invalid texture reference") \
  entry(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer") \
  entry(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor") \
  entry(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
  entry(cudaErrorAddressOfConstant, 22, "invalid address of constant") \
  entry(cudaErrorTextureFetchFailed, 23, "fetch from texture failed") \
  entry(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound") \
  entry(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()") \
  entry(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type") \
  entry(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type") \
  entry(cudaErrorMixedDeviceExecution, 28, "device emulation mode and device execution mode cannot be mixed") \
  entry(cudaErrorNotYetImplemented, 31, "feature not yet implemented") \
  entry(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit") \
  entry(cudaErrorStubLibrary, 34, "CUDA driver is a stub library") \
  entry(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
  entry(cudaErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver") \
  entry(cudaErrorInvalidSurface, 37, "invalid surface reference") \
  entry(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name") \
  entry(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name") \
  entry(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name") \
  entry(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable") \
  entry(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context") \
  entry(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured") \
  entry(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch") \
  entry(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches") \
  entry(cudaErrorLaunchFileScopedTex, 66, "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)") \
  entry(cudaErrorLaunchFileScopedSurf, 67, "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)") \
  entry(cudaErrorSyncDepthExceeded, 68, "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth") \
  entry(cudaErrorLaunchPendingCountExceeded, 69, "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount") \
  entry(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
  entry(cudaErrorNoDevice, 100, "no CUDA-capable device is detected") \
  entry(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
  entry(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license") \
  entry(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed") \
  entry(cudaErrorStartupFailure, 127, "startup failure in cuda runtime") \
  entry(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid") \
  entry(cudaErrorDeviceUninitialized, 201, "invalid device context") \
  entry(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed") \
  entry(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed") \
  entry(cudaErrorArrayIsMapped, 207, "array is mapped") \
  entry(cudaErrorAlreadyMapped, 208, "resource already mapped") \
  entry(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
  entry(cudaErrorAlreadyAcquired, 210, "resource already acquired") \
  entry(cudaErrorNotMapped, 211, "resource not mapped") \
  entry(cudaErrorNotMappedAsArray, 212, "resource not mapped as array") \
  entry(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer") \
  entry(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered") \
  entry(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture") \
  entry(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread") \
  entry(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices") \
  entry(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed") \
  entry(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context") \
  entry(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution") \
  entry(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found") \
  entry(cudaErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain.") \
  entry(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled") \
  entry(cudaErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported") \
  entry(cudaErrorUnsupportedDevSideSync, 225, "the provided PTX contains unsupported call to cudaDeviceSynchronize") \
  entry(cudaErrorContained, 226, "Invalid access of peer GPU memory over nvlink or a hardware error") \
  entry(cudaErrorInsufficientLoaderVersion, 227, "Loader version is insufficient for fatbin") \
  entry(cudaErrorInvalidSource, 300, "device kernel image is invalid") \
  entry(cudaErrorFileNotFound, 301, "file not found") \
  entry(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found") \
  entry(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed") \
  entry(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS") \
  entry(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
  entry(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state") \
  entry(cudaErrorLossyQuery, 402, "attempted introspection would be semantically lossy") \
  entry(cudaErrorSymbolNotFound, 500, "named symbol not found") \
  entry(cudaErrorNotReady, 600, "device not ready") \
  entry(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
  entry(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
  entry(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
  entry(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode") \
  entry(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
  entry(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled") \
  entry(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process") \
  entry(cudaErrorContextIsDestroyed, 709, "context is destroyed") \
  entry(cudaErrorAssert, 710, "device-side assert triggered") \
  entry(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted") \
  entry(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
  entry(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  entry(cudaErrorHardwareStackError, 714, "hardware stack error") \
  entry(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered") \
  entry(cudaErrorMisalignedAddress, 716, "misaligned address") \
  entry(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space") \
  entry(cudaErrorInvalidPc, 718, "invalid program counter") \
  entry(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
  entry(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
  entry(cudaErrorTensorMemoryLeak, 721, "tensor memory not completely freed") \
  entry(cudaErrorNotPermitted, 800, "operation not permitted") \
  entry(cudaErrorNotSupported, 801, "operation not supported") \
  entry(cudaErrorSystemNotReady, 802, "system not yet initialized") \
  entry(cudaErrorSystemDriverMismatch, 803, "system has unsupported display driver / cuda driver combination") \
  entry(cudaErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW") \
  entry(cudaErrorMpsConnectionFailed, 805, "MPS client failed to connect to the MPS control daemon or the MPS server") \
  entry(cudaErrorMpsRpcFailure, 806, "the remote procedural call between the MPS server and the MPS client failed") \
  entry(cudaErrorMpsServerNotReady, 807, "MPS server is not ready to accept new MPS client requests") \
  entry(cudaErrorMpsMaxClientsReached, 808, "the hardware resources required to create MPS client have been exhausted") \
  entry(cudaErrorMpsMaxConnectionsReached, 809, "the hardware resources required to support device connections have been exhausted") \
  entry(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server") \
  entry(cudaErrorCdpNotSupported, 811, "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it") \
  entry(cudaErrorCdpVersionMismatch, 812, "unsupported interaction between different versions of CUDA Dynamic Parallelism") \
  entry(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing") \
  entry(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture") \
  entry(cudaErrorStreamCaptureMerge, 902, "operation would result in a merge of separate capture sequences") \
  entry(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began") \
  entry(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work") \
  entry(cudaErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream") \
  entry(cudaErrorStreamCaptureImplicit, 906, "operation would make the legacy stream depend on a capturing blocking stream") \
  entry(cudaErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a capturing stream") \
  entry(cudaErrorStreamCaptureWrongThread, 908, "attempt to terminate a thread-local capture sequence from another thread") \
  entry(cudaErrorTimeout, 909, "wait operation timed out") \
  entry(cudaErrorGraphExecUpdateFailure, 910, "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update") \
  entry(cudaErrorExternalDevice, 911, "an async error has occured in external entity outside of CUDA") \
  entry(cudaErrorInvalidClusterSize, 912, "a kernel launch error has occurred due to cluster misconfiguration") \
  entry(cudaErrorFunctionNotLoaded, 913, "the function handle is not loaded when calling an API that requires a loaded function") \
  entry(cudaErrorInvalidResourceType, 914, "one or more resources passed in are not valid resource types for the operation") \
  entry(cudaErrorInvalidResourceConfiguration, 915, "one or more resources are insufficient or non-applicable for the operation") \
  entry(cudaErrorStreamDetached, 917, "API call not permitted since the green context associated with the stream has been destroyed") \
  entry(cudaErrorGraphRecaptureFailure, 918, "recapturing to the source graph failed and had to be terminated") \
  entry(cudaErrorFabricNotReady, 919, "GPU fabric is not ready within the probe wait budget; application may retry (see CUDA_FABRIC_INIT_TIMEOUT_MS)") \
  entry(cudaErrorUnknown, 999, "unknown error")
