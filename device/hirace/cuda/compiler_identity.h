// The macros by which a program recognises nvcc.
//
// Host and device code are compiled together, once. Code that uses __CUDA_ARCH__ to choose between
// a device version and a host version gets the device version: it is the code to be checked, and
// the functions it calls exist on the host too. Code that tests __CUDACC__ or __NVCC__ gets its
// kernels. Included last: the standard library's and our own headers must not see these.
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
