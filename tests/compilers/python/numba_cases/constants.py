# verdict: clean
"""An array in constant memory, complex numbers, and conversions."""

import numpy as np

from numba_compiler import Array, build, cuda

ROOTS = np.exp(2j * np.pi * np.arange(8) / 8)


def transform(x, y, rounded):
    roots = cuda.const.array_like(ROOTS)
    k = cuda.grid(1)
    total = 0j
    for i in range(8):
        total += x[i] * roots[i * k % 8]
    y[k, 0] = total.real
    y[k, 1] = total.imag
    rounded[k] = np.int8(total.real)


def case(architecture):
    x = np.arange(8) ** 2 % 5 * 1.5
    last = (x[None, :] * np.exp(2j * np.pi * np.outer(np.arange(8), np.arange(8)) / 8)).sum(axis=1)
    arguments = [
        Array("x", x),
        Array("y", np.zeros((8, 2)), np.stack([last.real, last.imag], axis=1), 1e-12),
        Array("rounded", np.zeros(8, np.int8), np.trunc(last.real + np.sign(last.real) * 1e-9)),
    ]
    return build(architecture, transform, (1,), (8,), arguments)
