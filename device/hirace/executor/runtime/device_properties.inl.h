// The definitions of device_properties.h.
#pragma once

#include <cstdio>

#include "../memory/device_heap.h"
#include "../memory/shared_layout.h"
#include "device_properties.h"
#include "error.inl.h"

namespace hirace::cpu {

HIRACE_RUNTIME cudaDeviceProp device_properties() {
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "hirace CPU executor");
  p.totalGlobalMem = device_heap().total_bytes();
  p.sharedMemPerBlock = default_dynamic_shared_bytes;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = int{warp_lanes};
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.clockRate = p.memoryClockRate = 1000000;
  p.totalConstMem = 65536;
  p.major = 9;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = 1;
  p.multiProcessorCount = multiprocessors;
  p.integrated = 1;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 1;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = 64;
  // Hints for the cache are accepted.
  p.l2CacheSize = p.persistingL2CacheMaxSize = p.accessPolicyMaxWindowSize = 1 << 20;
  p.maxThreadsPerMultiProcessor = threads_per_multiprocessor;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = shared_per_multiprocessor;
  p.managedMemory = 1;
  p.hostNativeAtomicSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.concurrentManagedAccess = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = max_dynamic_shared_bytes;
  p.maxBlocksPerMultiProcessor = blocks_per_multiprocessor;
  p.reservedSharedMemPerBlock = 1024;
  p.maxTexture1D = p.maxSurface1D = 131072;
  p.maxTexture1DLinear = 1 << 28;
  p.maxTexture2D[0] = p.maxSurface2D[0] = 131072;
  p.maxTexture2D[1] = p.maxSurface2D[1] = 65536;
  p.maxTexture2DLinear[0] = 131072;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  for (int i = 0; i < 3; ++i) p.maxTexture3D[i] = p.maxTexture3DAlt[i] = p.maxSurface3D[i] = 16384;
  p.maxTexture1DLayered[0] = p.maxSurface1DLayered[0] = 32768;
  p.maxTexture1DLayered[1] = p.maxSurface1DLayered[1] = 2048;
  p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = p.maxSurface2DLayered[0] = p.maxSurface2DLayered[1] = 32768;
  p.maxTexture2DLayered[2] = p.maxSurface2DLayered[2] = 2048;
  p.surfaceAlignment = 512;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  return p;
}

}  // namespace hirace::cpu
