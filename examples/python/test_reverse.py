"""A test of a kernel, as one would write it for a GPU. `pytest --hirace` checks its launch, without one."""

import numpy as np
from numba import cuda, float32


@cuda.jit
def reverse(x, y):
    between = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    between[t] = x[t]
    y[t] = between[63 - t]


def test_reverse():
    x = np.arange(64, dtype=np.float32)
    y = cuda.device_array(64, np.float32)
    reverse[1, 64](cuda.to_device(x), y)
    np.testing.assert_array_equal(y.copy_to_host(), x[::-1])
