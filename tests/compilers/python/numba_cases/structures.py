# verdict: clean
"""Arrays of structures with fields of several types."""

import numpy as np

from numba_compiler import Array, build, cuda

PARTICLE = np.dtype([("place", np.float32, 3), ("mass", np.float64), ("kind", np.int16)], align=True)


def move(particles, totals):
    i = cuda.grid(1)
    if i < particles.size:
        particles[i]["place"][0] += 1.0
        particles[i].mass *= 2.0
        particles[i].kind = i
        cuda.atomic.add(totals, 0, particles[i].mass)


def case(architecture):
    first = np.zeros(40, PARTICLE)
    first["place"] = np.arange(120).reshape(40, 3)
    first["mass"] = np.arange(40)
    # A copy of structures may leave out what is between fields.
    last = first.view(np.uint8).copy().view(PARTICLE)
    last["place"][:, 0] += 1
    last["mass"] *= 2
    last["kind"] = np.arange(40)
    totals = np.zeros(1)
    arguments = [
        Array("particles", first, last),
        Array("totals", totals, last["mass"].sum(keepdims=True)),
    ]
    return build(architecture, move, (2,), (32,), arguments)
