# verdict: clean
"""Blocks of a cooperative launch exchange numbers, with a barrier of the grid in between."""

import numpy as np

from numba_compiler import Array, build, cuda


def turn(x, y):
    i = cuda.grid(1)
    x[i] = i * 2.0
    cuda.cg.this_grid().sync()
    y[i] = x[x.size - 1 - i]


def case(architecture):
    x = np.zeros(128)
    arguments = [Array("x", x), Array("y", x, 2.0 * np.arange(128)[::-1])]
    return build(architecture, turn, (4,), (32,), arguments, cooperative=True)
