// Copies from and to CUDA arrays, and copies and fills in three dimensions.
#pragma once

#include "array.h"
#include "copy.h"

struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  int dstDevice;
  cudaExtent extent;
};

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters);

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent);

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch, std::size_t width,
                                std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                       std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from, std::size_t from_x,
                                     std::size_t from_y, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);

// Deprecated in CUDA, but still common.
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes, cudaMemcpyKind kind);
