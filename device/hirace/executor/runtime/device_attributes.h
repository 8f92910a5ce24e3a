// The device's attributes: its properties one by one, under CUDA's numbers.
#pragma once

#include "device_properties.h"

// Each attribute with its number and its value, from the properties `p`: 0 for features that the
// executor does not have.
#define HIRACE_DEVICE_ATTRIBUTES(entry) \
  entry(cudaDevAttrMaxThreadsPerBlock, 1, p.maxThreadsPerBlock) \
  entry(cudaDevAttrMaxBlockDimX, 2, p.maxThreadsDim[0]) \
  entry(cudaDevAttrMaxBlockDimY, 3, p.maxThreadsDim[1]) \
  entry(cudaDevAttrMaxBlockDimZ, 4, p.maxThreadsDim[2]) \
  entry(cudaDevAttrMaxGridDimX, 5, p.maxGridSize[0]) \
  entry(cudaDevAttrMaxGridDimY, 6, p.maxGridSize[1]) \
  entry(cudaDevAttrMaxGridDimZ, 7, p.maxGridSize[2]) \
  entry(cudaDevAttrMaxSharedMemoryPerBlock, 8, p.sharedMemPerBlock) \
  entry(cudaDevAttrTotalConstantMemory, 9, p.totalConstMem) \
  entry(cudaDevAttrWarpSize, 10, p.warpSize) \
  entry(cudaDevAttrMaxPitch, 11, p.memPitch) \
  entry(cudaDevAttrMaxRegistersPerBlock, 12, p.regsPerBlock) \
  entry(cudaDevAttrClockRate, 13, p.clockRate) \
  entry(cudaDevAttrTextureAlignment, 14, p.textureAlignment) \
  entry(cudaDevAttrGpuOverlap, 15, p.deviceOverlap) \
  entry(cudaDevAttrMultiProcessorCount, 16, p.multiProcessorCount) \
  entry(cudaDevAttrKernelExecTimeout, 17, p.kernelExecTimeoutEnabled) \
  entry(cudaDevAttrIntegrated, 18, p.integrated) \
  entry(cudaDevAttrCanMapHostMemory, 19, p.canMapHostMemory) \
  entry(cudaDevAttrComputeMode, 20, p.computeMode) \
  entry(cudaDevAttrMaxTexture1DWidth, 21, p.maxTexture1D) \
  entry(cudaDevAttrMaxTexture2DWidth, 22, p.maxTexture2D[0]) \
  entry(cudaDevAttrMaxTexture2DHeight, 23, p.maxTexture2D[1]) \
  entry(cudaDevAttrMaxTexture3DWidth, 24, p.maxTexture3D[0]) \
  entry(cudaDevAttrMaxTexture3DHeight, 25, p.maxTexture3D[1]) \
  entry(cudaDevAttrMaxTexture3DDepth, 26, p.maxTexture3D[2]) \
  entry(cudaDevAttrMaxTexture2DLayeredWidth, 27, p.maxTexture2DLayered[0]) \
  entry(cudaDevAttrMaxTexture2DLayeredHeight, 28, p.maxTexture2DLayered[1]) \
  entry(cudaDevAttrMaxTexture2DLayeredLayers, 29, p.maxTexture2DLayered[2]) \
  entry(cudaDevAttrSurfaceAlignment, 30, p.surfaceAlignment) \
  entry(cudaDevAttrConcurrentKernels, 31, p.concurrentKernels) \
  entry(cudaDevAttrEccEnabled, 32, p.ECCEnabled) \
  entry(cudaDevAttrPciBusId, 33, p.pciBusID) \
  entry(cudaDevAttrPciDeviceId, 34, p.pciDeviceID) \
  entry(cudaDevAttrTccDriver, 35, 0) \
  entry(cudaDevAttrMemoryClockRate, 36, p.memoryClockRate) \
  entry(cudaDevAttrGlobalMemoryBusWidth, 37, p.memoryBusWidth) \
  entry(cudaDevAttrL2CacheSize, 38, p.l2CacheSize) \
  entry(cudaDevAttrMaxThreadsPerMultiProcessor, 39, p.maxThreadsPerMultiProcessor) \
  entry(cudaDevAttrAsyncEngineCount, 40, p.asyncEngineCount) \
  entry(cudaDevAttrUnifiedAddressing, 41, p.unifiedAddressing) \
  entry(cudaDevAttrMaxTexture1DLayeredWidth, 42, p.maxTexture1DLayered[0]) \
  entry(cudaDevAttrMaxTexture1DLayeredLayers, 43, p.maxTexture1DLayered[1]) \
  entry(cudaDevAttrMaxTexture2DGatherWidth, 45, 0) \
  entry(cudaDevAttrMaxTexture2DGatherHeight, 46, 0) \
  entry(cudaDevAttrPciDomainId, 50, p.pciDomainID) \
  entry(cudaDevAttrTexturePitchAlignment, 51, p.texturePitchAlignment) \
  entry(cudaDevAttrMaxTextureCubemapWidth, 52, 0) \
  entry(cudaDevAttrMaxSurface1DWidth, 55, p.maxSurface1D) \
  entry(cudaDevAttrMaxSurface2DWidth, 56, p.maxSurface2D[0]) \
  entry(cudaDevAttrMaxSurface2DHeight, 57, p.maxSurface2D[1]) \
  entry(cudaDevAttrMaxSurface3DWidth, 58, p.maxSurface3D[0]) \
  entry(cudaDevAttrMaxSurface3DHeight, 59, p.maxSurface3D[1]) \
  entry(cudaDevAttrMaxSurface3DDepth, 60, p.maxSurface3D[2]) \
  entry(cudaDevAttrMaxSurfaceCubemapWidth, 66, 0) \
  entry(cudaDevAttrMaxTexture1DLinearWidth, 69, p.maxTexture1DLinear) \
  entry(cudaDevAttrMaxTexture2DLinearWidth, 70, p.maxTexture2DLinear[0]) \
  entry(cudaDevAttrMaxTexture2DLinearHeight, 71, p.maxTexture2DLinear[1]) \
  entry(cudaDevAttrMaxTexture2DLinearPitch, 72, p.maxTexture2DLinear[2]) \
  entry(cudaDevAttrMaxTexture2DMipmappedWidth, 73, 0) \
  entry(cudaDevAttrMaxTexture2DMipmappedHeight, 74, 0) \
  entry(cudaDevAttrComputeCapabilityMajor, 75, p.major) \
  entry(cudaDevAttrComputeCapabilityMinor, 76, p.minor) \
  entry(cudaDevAttrMaxTexture1DMipmappedWidth, 77, 0) \
  entry(cudaDevAttrStreamPrioritiesSupported, 78, p.streamPrioritiesSupported) \
  entry(cudaDevAttrGlobalL1CacheSupported, 79, p.globalL1CacheSupported) \
  entry(cudaDevAttrLocalL1CacheSupported, 80, p.localL1CacheSupported) \
  entry(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, p.sharedMemPerMultiprocessor) \
  entry(cudaDevAttrMaxRegistersPerMultiprocessor, 82, p.regsPerMultiprocessor) \
  entry(cudaDevAttrManagedMemory, 83, p.managedMemory) \
  entry(cudaDevAttrIsMultiGpuBoard, 84, p.isMultiGpuBoard) \
  entry(cudaDevAttrMultiGpuBoardGroupID, 85, 0) \
  entry(cudaDevAttrHostNativeAtomicSupported, 86, p.hostNativeAtomicSupported) \
  entry(cudaDevAttrSingleToDoublePrecisionPerfRatio, 87, p.singleToDoublePrecisionPerfRatio) \
  entry(cudaDevAttrPageableMemoryAccess, 88, p.pageableMemoryAccess) \
  entry(cudaDevAttrConcurrentManagedAccess, 89, p.concurrentManagedAccess) \
  entry(cudaDevAttrComputePreemptionSupported, 90, 0) \
  entry(cudaDevAttrCanUseHostPointerForRegisteredMem, 91, p.canUseHostPointerForRegisteredMem) \
  entry(cudaDevAttrCooperativeLaunch, 95, p.cooperativeLaunch) \
  entry(cudaDevAttrCooperativeMultiDeviceLaunch, 96, 0) \
  entry(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, p.sharedMemPerBlockOptin) \
  entry(cudaDevAttrCanFlushRemoteWrites, 98, 0) \
  entry(cudaDevAttrHostRegisterSupported, 99, p.hostRegisterSupported) \
  entry(cudaDevAttrPageableMemoryAccessUsesHostPageTables, 100, 0) \
  entry(cudaDevAttrDirectManagedMemAccessFromHost, 101, 0) \
  entry(cudaDevAttrMaxBlocksPerMultiprocessor, 106, p.maxBlocksPerMultiProcessor) \
  entry(cudaDevAttrMaxPersistingL2CacheSize, 108, p.persistingL2CacheMaxSize) \
  entry(cudaDevAttrMaxAccessPolicyWindowSize, 109, p.accessPolicyMaxWindowSize) \
  entry(cudaDevAttrReservedSharedMemoryPerBlock, 111, p.reservedSharedMemPerBlock) \
  entry(cudaDevAttrSparseCudaArraySupported, 112, 0) \
  entry(cudaDevAttrHostRegisterReadOnlySupported, 113, 0) \
  entry(cudaDevAttrTimelineSemaphoreInteropSupported, 114, 0) \
  entry(cudaDevAttrMemoryPoolsSupported, 115, p.memoryPoolsSupported) \
  entry(cudaDevAttrGPUDirectRDMASupported, 116, 0) \
  entry(cudaDevAttrMemoryPoolSupportedHandleTypes, 119, 0) \
  entry(cudaDevAttrClusterLaunch, 120, 0) \
  entry(cudaDevAttrDeferredMappingCudaArraySupported, 121, 0) \
  entry(cudaDevAttrIpcEventSupport, 125, 0)

enum cudaDeviceAttr {
#define HIRACE_ENUMERATOR(name, number, value) name = number,
  HIRACE_DEVICE_ATTRIBUTES(HIRACE_ENUMERATOR)
#undef HIRACE_ENUMERATOR
  // Unknown to the executor.
  cudaDevAttrMaxTexture3DWidthAlt = 47, cudaDevAttrMaxTexture3DHeightAlt = 48,
  cudaDevAttrMaxTexture3DDepthAlt = 49, cudaDevAttrMaxTextureCubemapLayeredWidth = 53,
  cudaDevAttrMaxTextureCubemapLayeredLayers = 54, cudaDevAttrMaxSurface1DLayeredWidth = 61,
  cudaDevAttrMaxSurface1DLayeredLayers = 62, cudaDevAttrMaxSurface2DLayeredWidth = 63,
  cudaDevAttrMaxSurface2DLayeredHeight = 64, cudaDevAttrMaxSurface2DLayeredLayers = 65,
  cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67, cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
  cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117, cudaDevAttrGPUDirectRDMAWritesOrdering = 118,
  cudaDevAttrMemSyncDomainCount = 126, cudaDevAttrNumaConfig = 130, cudaDevAttrNumaId = 131,
  cudaDevAttrMpsEnabled = 133, cudaDevAttrHostNumaId = 134, cudaDevAttrD3D12CigSupported = 135,
  cudaDevAttrVulkanCigSupported = 138, cudaDevAttrGpuPciDeviceId = 139,
  cudaDevAttrGpuPciSubsystemId = 140, cudaDevAttrHostNumaMemoryPoolsSupported = 142,
  cudaDevAttrHostNumaMultinodeIpcSupported = 143, cudaDevAttrHostMemoryPoolsSupported = 144
};
enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported = 2,
  cudaDevP2PAttrNativeAtomicSupported = 3,
  cudaDevP2PAttrCudaArrayAccessSupported = 4
};

namespace hirace::cpu {

// The value of an attribute; false if it is unknown.
bool device_attribute(cudaDeviceAttr attribute, int& value);

}  // namespace hirace::cpu
