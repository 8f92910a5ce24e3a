// Constants of the runtime API that concern what the executor does not have, or does not distinguish. They are
// macros in CUDA, too.
#pragma once

#define CUDART_DEVICE
#define CUDA_IPC_HANDLE_SIZE 64
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceMask 0xff
#define cudaDeviceScheduleMask 0x07
#define cudaDeviceSyncMemops 0x80
#define cudaExternalMemoryDedicated 0x1
#define cudaInitDeviceFlagsAreValid 0x01
#define cudaIpcMemLazyEnablePeerAccess 0x01
#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01
#define cudaPeerAccessDefault 0x00
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType1DLayered 0xf1
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType2DLayered 0xf2
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0c
#define cudaSurfaceTypeCubemapLayered 0xfc
#define cudaTextureType1D 0x01
#define cudaTextureType1DLayered 0xf1
#define cudaTextureType2D 0x02
#define cudaTextureType2DLayered 0xf2
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0c
#define cudaTextureTypeCubemapLayered 0xfc
