# verdict: clean
"""Functions of the C library in both precisions, which a library of the compiler's implements."""

import math

import numpy as np

from cases import random
from numba_compiler import Array, build, cuda


def functions(x, y, z):
    i = cuda.grid(1)
    if i < x.shape[0]:
        v = x[i]
        y[i, 0] = math.sin(v)
        y[i, 1] = math.exp(v)
        y[i, 2] = math.log(v)
        y[i, 3] = math.pow(v, 2.5)
        y[i, 4] = math.sqrt(v) + math.floor(v)
        y[i, 5] = math.atan2(v, 2.0)
        y[i, 6] = math.erf(v)
        y[i, 7] = math.fmod(v, 0.75)
        w = z[i, 0]
        z[i, 1] = math.cos(w)
        z[i, 2] = math.tanh(w)
        z[i, 3] = math.exp(w)


def case(architecture):
    x = random(1).uniform(0.5, 4, 50)
    columns = [np.sin(x), np.exp(x), np.log(x), x**2.5, np.sqrt(x) + np.floor(x), np.arctan2(x, 2)]
    columns += [np.array([math.erf(it) for it in x]), np.fmod(x, 0.75)]
    w = x.astype(np.float32)
    z = np.zeros((50, 4), np.float32)
    z[:, 0] = w
    arguments = [
        Array("x", x),
        Array("y", np.zeros((50, 8)), np.stack(columns, axis=1), 1e-12),
        Array("z", z, np.stack([w, np.cos(w), np.tanh(w), np.exp(w)], axis=1), 1e-5),
    ]
    return build(architecture, functions, (2,), (32,), arguments)
