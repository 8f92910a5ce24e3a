// What a program finds of nvcc when it asks the preprocessor.
//
// Host and device code are one here, and are compiled once. Code that asks for
// __CUDA_ARCH__ to choose between a device's and a host's way gets the device's:
// that is the code to be checked, and what it calls exists on the host too. Code
// that asks for __CUDACC__ or __NVCC__ gets its kernels. Read last: the standard
// library's and our own headers must not see these.
#pragma once

#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION 12080
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION 12080
#endif
