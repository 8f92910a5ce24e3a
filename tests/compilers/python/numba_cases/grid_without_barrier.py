# verdict: race
# says: data race on global
"""Like grid_barrier, but blocks only wait for their own threads."""

import numpy as np

from numba_compiler import Array, build, cuda


def turn(x, y):
    i = cuda.grid(1)
    x[i] = i * 2.0
    cuda.syncthreads()
    y[i] = x[x.size - 1 - i]


def case(architecture):
    x = np.zeros(128)
    arguments = [Array("x", x), Array("y", x)]
    return build(architecture, turn, (4,), (32,), arguments)
