# verdict: clean
# says: thread 3 has 4.5
"""Output of a kernel."""

import numpy as np

from numba_compiler import Array, build, cuda


def show(x):
    i = cuda.grid(1)
    x[i] *= 1.5
    print("thread", i, "has", x[i])


def case(architecture):
    x = np.arange(4, dtype=np.float64)
    return build(architecture, show, (1,), (4,), [Array("x", x, 1.5 * x)])
