// The driver API: devices, contexts, memory, streams, events, and modules of PTX.
#pragma once

#include "../libraries/driver/context.h"
#include "../libraries/driver/definitions.h"
#include "../libraries/driver/entry_points.h"
#include "../libraries/driver/memory.h"
#include "../libraries/driver/modules.h"
#include "../libraries/driver/streams.h"

#define __cuda_cuda_h__

#define HIRACE_ADVICE "use the runtime API (kernel<<<...>>>(...)), which the executor has"
#define HIRACE_NO(name) HIRACE_UNSUPPORTED_FUNCTION(CUresult, name, HIRACE_ADVICE)
HIRACE_NO(cuMemGetAddressRange)
HIRACE_NO(cuPointerGetAttributes)
HIRACE_NO(cuMemcpy3D)
HIRACE_NO(cuMemAddressReserve)
HIRACE_NO(cuMemAddressFree)
HIRACE_NO(cuMemCreate)
HIRACE_NO(cuMemRelease)
HIRACE_NO(cuMemMap)
HIRACE_NO(cuMemUnmap)
HIRACE_NO(cuMemSetAccess)
HIRACE_NO(cuMemGetAllocationGranularity)
HIRACE_NO(cuStreamWaitValue32)
HIRACE_NO(cuStreamWriteValue32)
HIRACE_NO(cuArrayCreate)
HIRACE_NO(cuArrayDestroy)
HIRACE_NO(cuTexObjectCreate)
HIRACE_NO(cuTexObjectDestroy)
HIRACE_NO(cuTensorMapEncodeIm2col)
HIRACE_NO(cuGraphCreate)
HIRACE_NO(cuGraphInstantiate)
HIRACE_NO(cuGraphLaunch)
#undef HIRACE_NO
#undef HIRACE_ADVICE

// Their own names, which the driver's header replaces.
#define cuGetProcAddress_v2 cuGetProcAddress
#define cuDeviceTotalMem_v2 cuDeviceTotalMem
#define cuCtxCreate_v2 cuCtxCreate
#define cuCtxDestroy_v2 cuCtxDestroy
#define cuCtxPopCurrent_v2 cuCtxPopCurrent
#define cuCtxPushCurrent_v2 cuCtxPushCurrent
#define cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRelease
#define cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxReset
#define cuMemAlloc_v2 cuMemAlloc
#define cuMemAllocPitch_v2 cuMemAllocPitch
#define cuMemFree_v2 cuMemFree
#define cuMemGetInfo_v2 cuMemGetInfo
#define cuMemcpyHtoD_v2 cuMemcpyHtoD
#define cuMemcpyDtoH_v2 cuMemcpyDtoH
#define cuMemcpyDtoD_v2 cuMemcpyDtoD
#define cuMemcpyHtoDAsync_v2 cuMemcpyHtoDAsync
#define cuMemcpyDtoHAsync_v2 cuMemcpyDtoHAsync
#define cuMemcpyDtoDAsync_v2 cuMemcpyDtoDAsync
#define cuMemcpy2D_v2 cuMemcpy2D
#define cuMemcpy2DAsync_v2 cuMemcpy2DAsync
#define cuMemsetD8_v2 cuMemsetD8
#define cuMemsetD16_v2 cuMemsetD16
#define cuMemsetD32_v2 cuMemsetD32
#define cuStreamDestroy_v2 cuStreamDestroy
#define cuEventDestroy_v2 cuEventDestroy
