"""An array that is reversed in shared memory, in Numba: run it with `python`, without a GPU."""

import numpy as np
from numba import cuda, float32

import hirace


@cuda.jit
def reverse(x, y):
    between = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    between[t] = x[t]
    y[t] = between[63 - t]


if __name__ == "__main__":
    x = np.arange(64, dtype=np.float32)
    with hirace.checking() as report:
        y = cuda.device_array(64, np.float32)
        reverse[1, 64](cuda.to_device(x), y)
    print(report)
