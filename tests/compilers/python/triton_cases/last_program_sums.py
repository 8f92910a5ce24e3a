# verdict: clean
"""Each program stores a sum; the last one, which a counter tells, adds all of them."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def total(x, partial, counter, out, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    program = tl.program_id(0)
    tl.store(partial + program, tl.sum(tl.load(x + program * BLOCK + tl.arange(0, BLOCK)), axis=0))
    tl.debug_barrier()
    if tl.atomic_add(counter, 1, sem="acq_rel") == PROGRAMS - 1:
        tl.debug_barrier()
        tl.store(out, tl.sum(tl.load(partial + tl.arange(0, PROGRAMS)), axis=0))


def case(architecture):
    x = random(1).integers(-100, 100, 8 * 256).astype(np.int32)
    arguments = {
        "x": Array("x", x),
        "partial": Array("partial", np.zeros(8, np.int32), x.reshape(8, 256).sum(axis=1)),
        "counter": Array("counter", np.zeros(1, np.int32), np.full(1, 8, np.int32)),
        "out": Array("out", np.zeros(1, np.int32), x.sum(keepdims=True)),
    }
    return build(architecture, total, (8,), arguments, {"BLOCK": 256, "PROGRAMS": 8})
