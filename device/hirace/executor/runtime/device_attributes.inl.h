// The definitions of device_attributes.h.
#pragma once

#include "device_attributes.h"
#include "device_properties.inl.h"

namespace hirace::cpu {

HIRACE_RUNTIME bool device_attribute(cudaDeviceAttr attribute, int& value) {
  const cudaDeviceProp p = device_properties();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: value = static_cast<int>(p.sharedMemPerBlock); break;
    case cudaDevAttrTotalConstantMemory: value = static_cast<int>(p.totalConstMem); break;
    case cudaDevAttrWarpSize: value = p.warpSize; break;
    case cudaDevAttrMaxPitch: value = static_cast<int>(p.memPitch); break;
    case cudaDevAttrMaxRegistersPerBlock: value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: value = p.clockRate; break;
    case cudaDevAttrTextureAlignment: value = static_cast<int>(p.textureAlignment); break;
    case cudaDevAttrGpuOverlap: value = p.deviceOverlap; break;
    case cudaDevAttrMultiProcessorCount: value = p.multiProcessorCount; break;
    case cudaDevAttrKernelExecTimeout: value = p.kernelExecTimeoutEnabled; break;
    case cudaDevAttrIntegrated: value = p.integrated; break;
    case cudaDevAttrCanMapHostMemory: value = p.canMapHostMemory; break;
    case cudaDevAttrComputeMode: value = p.computeMode; break;
    case cudaDevAttrConcurrentKernels: value = p.concurrentKernels; break;
    case cudaDevAttrEccEnabled: value = p.ECCEnabled; break;
    case cudaDevAttrMemoryClockRate: value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrAsyncEngineCount: value = p.asyncEngineCount; break;
    case cudaDevAttrUnifiedAddressing: value = p.unifiedAddressing; break;
    case cudaDevAttrComputeCapabilityMajor: value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: value = p.minor; break;
    case cudaDevAttrStreamPrioritiesSupported: value = p.streamPrioritiesSupported; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: value = static_cast<int>(p.sharedMemPerMultiprocessor); break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: value = p.regsPerMultiprocessor; break;
    case cudaDevAttrManagedMemory: value = p.managedMemory; break;
    case cudaDevAttrIsMultiGpuBoard: value = p.isMultiGpuBoard; break;
    case cudaDevAttrPageableMemoryAccess: value = p.pageableMemoryAccess; break;
    case cudaDevAttrConcurrentManagedAccess: value = p.concurrentManagedAccess; break;
    case cudaDevAttrCooperativeLaunch: value = p.cooperativeLaunch; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: value = static_cast<int>(p.sharedMemPerBlockOptin); break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrMaxTexture1DWidth: value = p.maxTexture1D; break;
    case cudaDevAttrMaxTexture1DLinearWidth: value = p.maxTexture1DLinear; break;
    case cudaDevAttrMaxTexture2DWidth: value = p.maxTexture2D[0]; break;
    case cudaDevAttrMaxTexture2DHeight: value = p.maxTexture2D[1]; break;
    case cudaDevAttrMaxTexture2DLinearWidth: value = p.maxTexture2DLinear[0]; break;
    case cudaDevAttrMaxTexture2DLinearHeight: value = p.maxTexture2DLinear[1]; break;
    case cudaDevAttrMaxTexture2DLinearPitch: value = p.maxTexture2DLinear[2]; break;
    case cudaDevAttrMaxTexture3DWidth: value = p.maxTexture3D[0]; break;
    case cudaDevAttrMaxTexture3DHeight: value = p.maxTexture3D[1]; break;
    case cudaDevAttrMaxTexture3DDepth: value = p.maxTexture3D[2]; break;
    case cudaDevAttrMaxTexture2DLayeredWidth: value = p.maxTexture2DLayered[0]; break;
    case cudaDevAttrMaxTexture2DLayeredHeight: value = p.maxTexture2DLayered[1]; break;
    case cudaDevAttrMaxTexture2DLayeredLayers: value = p.maxTexture2DLayered[2]; break;
    case cudaDevAttrMaxTexture1DLayeredWidth: value = p.maxTexture1DLayered[0]; break;
    case cudaDevAttrMaxTexture1DLayeredLayers: value = p.maxTexture1DLayered[1]; break;
    case cudaDevAttrMaxSurface1DWidth: value = p.maxSurface1D; break;
    case cudaDevAttrMaxSurface2DWidth: value = p.maxSurface2D[0]; break;
    case cudaDevAttrMaxSurface2DHeight: value = p.maxSurface2D[1]; break;
    case cudaDevAttrMaxSurface3DWidth: value = p.maxSurface3D[0]; break;
    case cudaDevAttrMaxSurface3DHeight: value = p.maxSurface3D[1]; break;
    case cudaDevAttrMaxSurface3DDepth: value = p.maxSurface3D[2]; break;
    case cudaDevAttrSurfaceAlignment: value = static_cast<int>(p.surfaceAlignment); break;
    case cudaDevAttrTexturePitchAlignment: value = static_cast<int>(p.texturePitchAlignment); break;
    case cudaDevAttrPciBusId: value = p.pciBusID; break;
    case cudaDevAttrPciDeviceId: value = p.pciDeviceID; break;
    case cudaDevAttrPciDomainId: value = p.pciDomainID; break;
    case cudaDevAttrGlobalL1CacheSupported: value = p.globalL1CacheSupported; break;
    case cudaDevAttrLocalL1CacheSupported: value = p.localL1CacheSupported; break;
    case cudaDevAttrHostNativeAtomicSupported: value = p.hostNativeAtomicSupported; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: value = p.singleToDoublePrecisionPerfRatio; break;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: value = p.canUseHostPointerForRegisteredMem; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: value = static_cast<int>(p.reservedSharedMemPerBlock); break;
    case cudaDevAttrHostRegisterSupported: value = p.hostRegisterSupported; break;
    case cudaDevAttrMemoryPoolsSupported: value = p.memoryPoolsSupported; break;
    // Features that the executor does not have.
    case cudaDevAttrTccDriver:
    case cudaDevAttrMultiGpuBoardGroupID:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCooperativeMultiDeviceLaunch:
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    case cudaDevAttrDirectManagedMemAccessFromHost:
    case cudaDevAttrMaxPersistingL2CacheSize:
    case cudaDevAttrMaxAccessPolicyWindowSize:
    case cudaDevAttrSparseCudaArraySupported:
    case cudaDevAttrHostRegisterReadOnlySupported:
    case cudaDevAttrTimelineSemaphoreInteropSupported:
    case cudaDevAttrGPUDirectRDMASupported:
    case cudaDevAttrMemoryPoolSupportedHandleTypes:
    case cudaDevAttrClusterLaunch:
    case cudaDevAttrDeferredMappingCudaArraySupported:
    case cudaDevAttrIpcEventSupport:
    case cudaDevAttrMaxTextureCubemapWidth:
    case cudaDevAttrMaxTexture2DGatherWidth:
    case cudaDevAttrMaxTexture2DGatherHeight:
    case cudaDevAttrMaxTexture1DMipmappedWidth:
    case cudaDevAttrMaxTexture2DMipmappedWidth:
    case cudaDevAttrMaxTexture2DMipmappedHeight:
    case cudaDevAttrMaxSurfaceCubemapWidth: value = 0; break;
    default: return false;
  }
  return true;
}

}  // namespace hirace::cpu
