# verdict: clean
"""Programs add a row to a sum under a lock."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def add_rows(x, total, lock, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(x + tl.program_id(0) * BLOCK + at)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total + at, tl.load(total + at) + row)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


def case(architecture):
    x = random(1).integers(-50, 50, (4, 128)).astype(np.int32)
    arguments = {
        "x": Array("x", x),
        "total": Array("total", np.zeros(128, np.int32), x.sum(axis=0)),
        "lock": Array("lock", np.zeros(1, np.int32)),
    }
    return build(architecture, add_rows, (4,), arguments, {"BLOCK": 128})
