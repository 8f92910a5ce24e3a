// Macros by which programs recognise the toolkit's headers, which nvcc includes into every program, and macros of
// the runtime API that concern what the executor does not have. Common/helper_cuda.h of NVIDIA's samples defines
// its functions only if it sees the former.
#pragma once

#define __CHANNEL_DESCRIPTOR_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __DRIVER_TYPES_H__
#define __HOST_CONFIG_H__
#define __HOST_DEFINES_H__
#define __LIBRARY_TYPES_H__
#define __MATH_FUNCTIONS_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__

#define CUDART_DEVICE
#define CUDA_IPC_HANDLE_SIZE 64
#define cudaArrayCubemap 0x04
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
