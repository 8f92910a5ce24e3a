check(cudaGetLastError());
check(cudaDeviceSynchronize());
