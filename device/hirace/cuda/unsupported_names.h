// The runtime API functions that the executor recognises but does not support, with advice for
// each. Names from other headers are in cuda/.
#pragma once

#include "../executor/runtime/error.h"
#include "unsupported_macros.h"

#define HIRACE_NO(name) HIRACE_UNSUPPORTED_FUNCTION(cudaError_t, name, HIRACE_ADVICE)

#define HIRACE_ADVICE "it runs one process; give each process its own data, or check them separately"
HIRACE_NO(cudaIpcGetMemHandle)
HIRACE_NO(cudaIpcOpenMemHandle)
HIRACE_NO(cudaIpcCloseMemHandle)
HIRACE_NO(cudaIpcGetEventHandle)
HIRACE_NO(cudaIpcOpenEventHandle)
HIRACE_NO(cudaMemPoolExportToShareableHandle)
HIRACE_NO(cudaMemPoolImportFromShareableHandle)
HIRACE_NO(cudaMemPoolExportPointer)
HIRACE_NO(cudaMemPoolImportPointer)
HIRACE_UNSUPPORTED_TYPE(cudaIpcMemHandle_t, HIRACE_ADVICE)
HIRACE_UNSUPPORTED_TYPE(cudaIpcEventHandle_t, HIRACE_ADVICE)
#undef HIRACE_ADVICE

#define HIRACE_ADVICE "it has no graphics; build without the drawing code and use cudaMalloc"
HIRACE_NO(cudaGraphicsGLRegisterBuffer)
HIRACE_NO(cudaGraphicsGLRegisterImage)
HIRACE_NO(cudaGraphicsMapResources)
HIRACE_NO(cudaGraphicsUnmapResources)
HIRACE_NO(cudaGraphicsUnregisterResource)
HIRACE_NO(cudaGraphicsResourceSetMapFlags)
HIRACE_NO(cudaGraphicsResourceGetMappedPointer)
HIRACE_NO(cudaGraphicsResourceGetMappedMipmappedArray)
HIRACE_NO(cudaGraphicsSubResourceGetMappedArray)
HIRACE_NO(cudaGLGetDevices)
HIRACE_NO(cudaGLSetGLDevice)
HIRACE_NO(cudaGLRegisterBufferObject)
HIRACE_NO(cudaGLMapBufferObject)
HIRACE_NO(cudaGLUnmapBufferObject)
HIRACE_NO(cudaGLUnregisterBufferObject)
HIRACE_UNSUPPORTED_TYPE(cudaGraphicsResource_t, HIRACE_ADVICE)
#undef HIRACE_ADVICE

#define HIRACE_ADVICE "it cannot share memory with other APIs; use cudaMalloc"
HIRACE_NO(cudaImportExternalMemory)
HIRACE_NO(cudaDestroyExternalMemory)
HIRACE_NO(cudaExternalMemoryGetMappedBuffer)
HIRACE_NO(cudaExternalMemoryGetMappedMipmappedArray)
HIRACE_NO(cudaImportExternalSemaphore)
HIRACE_NO(cudaDestroyExternalSemaphore)
HIRACE_NO(cudaSignalExternalSemaphoresAsync)
HIRACE_NO(cudaWaitExternalSemaphoresAsync)
HIRACE_UNSUPPORTED_TYPE(cudaExternalMemory_t, HIRACE_ADVICE)
HIRACE_UNSUPPORTED_TYPE(cudaExternalSemaphore_t, HIRACE_ADVICE)
#undef HIRACE_ADVICE

#define HIRACE_ADVICE "its arrays have one plane and no sparse regions; use an array for each"
HIRACE_NO(cudaArrayGetPlane)
HIRACE_NO(cudaArrayGetSparseProperties)
HIRACE_NO(cudaArrayGetMemoryRequirements)
#undef HIRACE_ADVICE

#define HIRACE_ADVICE "kernels are part of the program; call them by name"
HIRACE_NO(cudaLibraryLoadData)
HIRACE_NO(cudaLibraryLoadFromFile)
HIRACE_NO(cudaLibraryUnload)
HIRACE_NO(cudaLibraryGetKernel)
HIRACE_NO(cudaLibraryGetGlobal)
HIRACE_NO(cudaLibraryGetManaged)
HIRACE_NO(cudaLibraryGetUnifiedFunction)
HIRACE_NO(cudaLibraryGetKernelCount)
HIRACE_NO(cudaLibraryEnumerateKernels)
HIRACE_NO(cudaKernelSetAttributeForDevice)
HIRACE_NO(cudaGetKernel)
HIRACE_NO(cudaGetFuncBySymbol)
HIRACE_NO(cudaFuncGetName)
HIRACE_NO(cudaFuncGetParamInfo)
HIRACE_NO(cudaGetExportTable)
#undef HIRACE_ADVICE

#define HIRACE_ADVICE "it has only one device; launch on that device"
HIRACE_NO(cudaLaunchCooperativeKernelMultiDevice)
HIRACE_NO(cudaDeviceRegisterAsyncNotification)
HIRACE_NO(cudaDeviceUnregisterAsyncNotification)
HIRACE_NO(cudaDeviceGetNvSciSyncAttributes)
HIRACE_NO(cudaDeviceFlushGPUDirectRDMAWrites)
HIRACE_NO(cudaDeviceGetDevResource)
HIRACE_NO(cudaDevSmResourceSplitByCount)
HIRACE_NO(cudaGreenCtxCreate)
#undef HIRACE_ADVICE

#define HIRACE_ADVICE "it supports only kernel, copy, fill, host, child, event and empty nodes; capture a stream, or use the function for the kind of node"
HIRACE_NO(cudaGraphAddNode)
HIRACE_NO(cudaGraphNodeSetParams)
HIRACE_NO(cudaGraphExecNodeSetParams)
HIRACE_NO(cudaGraphNodeGetParams)
HIRACE_NO(cudaGraphAddMemAllocNode)
HIRACE_NO(cudaGraphAddMemFreeNode)
HIRACE_NO(cudaGraphAddMemcpyNodeToSymbol)
HIRACE_NO(cudaGraphAddMemcpyNodeFromSymbol)
HIRACE_NO(cudaGraphAddExternalSemaphoresSignalNode)
HIRACE_NO(cudaGraphAddExternalSemaphoresWaitNode)
HIRACE_NO(cudaGraphConditionalHandleCreate)
HIRACE_NO(cudaGraphSetConditional)
HIRACE_NO(cudaGraphInstantiateWithParams)
HIRACE_NO(cudaGraphMemcpyNodeGetParams)
HIRACE_NO(cudaGraphMemcpyNodeSetParams)
HIRACE_NO(cudaGraphMemsetNodeGetParams)
HIRACE_NO(cudaGraphMemsetNodeSetParams)
HIRACE_NO(cudaGraphHostNodeGetParams)
HIRACE_NO(cudaGraphHostNodeSetParams)
HIRACE_NO(cudaGraphKernelNodeSetAttribute)
HIRACE_NO(cudaGraphKernelNodeGetAttribute)
HIRACE_NO(cudaGraphKernelNodeCopyAttributes)
HIRACE_NO(cudaGraphExecChildGraphNodeSetParams)
HIRACE_NO(cudaGraphExecEventRecordNodeSetEvent)
HIRACE_NO(cudaGraphExecEventWaitNodeSetEvent)
HIRACE_NO(cudaGraphChildGraphNodeGetGraph)
HIRACE_NO(cudaGraphDebugDotPrint)
HIRACE_NO(cudaGraphNodeGetDependentNodes)
HIRACE_NO(cudaStreamBeginCaptureToGraph)
HIRACE_NO(cudaStreamUpdateCaptureDependencies)
HIRACE_NO(cudaUserObjectCreate)
HIRACE_NO(cudaUserObjectRetain)
HIRACE_NO(cudaUserObjectRelease)
HIRACE_NO(cudaGraphRetainUserObject)
HIRACE_NO(cudaGraphReleaseUserObject)
HIRACE_NO(cudaDeviceGraphMemTrim)
HIRACE_NO(cudaDeviceGetGraphMemAttribute)
HIRACE_NO(cudaDeviceSetGraphMemAttribute)
#undef HIRACE_ADVICE

#define HIRACE_ADVICE "use cudaPointerGetAttributes, or copy piece by piece"
HIRACE_NO(cudaMemRangeGetAttribute)
HIRACE_NO(cudaMemRangeGetAttributes)
HIRACE_NO(cudaMemcpyBatchAsync)
HIRACE_NO(cudaMemcpy3DBatchAsync)
HIRACE_NO(cudaMemPrefetchBatchAsync)
HIRACE_NO(cudaMemDiscardBatchAsync)
HIRACE_NO(cudaStreamGetAttribute)
HIRACE_NO(cudaStreamCopyAttributes)
HIRACE_NO(cudaDeviceGetTexture1DLinearMaxWidth)
#undef HIRACE_ADVICE
#undef HIRACE_NO

// In kernels. Their results have whatever type the program expects.
#define HIRACE_NO(name) HIRACE_UNSUPPORTED_FUNCTION(::hirace::cpu::Unsupported, name, HIRACE_ADVICE)
#define HIRACE_ADVICE "compute the level from the distance of the directions, and fetch with texCubemapLod"
HIRACE_NO(texCubemapGrad)
HIRACE_NO(texCubemapLayeredGrad)
#undef HIRACE_ADVICE
#define HIRACE_ADVICE "launch with <<<...>>>"
HIRACE_NO(cudaGetParameterBuffer)
HIRACE_NO(cudaGetParameterBufferV2)
HIRACE_NO(cudaLaunchDevice)
HIRACE_NO(cudaLaunchDeviceV2)
HIRACE_NO(cudaGetCurrentGraphExec)
#undef HIRACE_ADVICE
#undef HIRACE_NO
