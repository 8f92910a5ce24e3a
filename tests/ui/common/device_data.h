// Device copies of vectors, and comparisons of results with those of the host.
#pragma once

#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <class T>
T* allocate(size_t count)
{
    T* device = nullptr;
    cudaMalloc(&device, count * sizeof(T));
    return device;
}

template <class T>
T* zeros(size_t count)
{
    T* device = allocate<T>(count);
    cudaMemset(device, 0, count * sizeof(T));
    return device;
}

template <class T>
T* upload(const std::vector<T>& host)
{
    T* device = allocate<T>(host.size());
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

// Copies `count` elements, and frees the device's copy.
template <class T>
std::vector<T> download(T* device, size_t count)
{
    std::vector<T> host(count);
    cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(device);
    return host;
}

// Numbers below `limit`, the same in every run.
inline std::vector<int> integers(size_t count, int limit, unsigned seed = 1)
{
    std::vector<int> out(count);
    for (int& value : out) {
        seed = seed * 1664525u + 1013904223u;
        value = static_cast<int>((seed >> 8) % limit);
    }
    return out;
}

// Numbers from 0 to 1.
inline std::vector<float> fractions(size_t count, unsigned seed = 1)
{
    std::vector<float> out;
    for (int value : integers(count, 1000, seed)) {
        out.push_back(static_cast<float>(value) / 1000);
    }
    return out;
}

// 1 and a message if a result differs from what is expected, otherwise 0.
template <class T>
int differs(const char* what, const std::vector<T>& got, const std::vector<T>& expected,
            double tolerance = 0)
{
    for (size_t i = 0; i < expected.size(); i++) {
        const double error = std::fabs(static_cast<double>(got[i]) - static_cast<double>(expected[i]));
        if (!(error <= tolerance * (1 + std::fabs(static_cast<double>(expected[i]))))) {
            fprintf(stderr, "%s %zu: %g instead of %g\n", what, i, static_cast<double>(got[i]),
                    static_cast<double>(expected[i]));
            return 1;
        }
    }
    return 0;
}
