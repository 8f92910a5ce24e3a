# verdict: clean
"""A transposed matrix of 16-bit numbers, which goes through shared memory."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def transpose(x, y, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    tile = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.store(y + columns[:, None] * M + rows[None, :], tl.trans(tile))


def case(architecture):
    x = random(1).standard_normal((64, 32)).astype(np.float16)
    arguments = {"x": Array("x", x), "y": Array("y", np.zeros((32, 64), np.float16), x.T)}
    return build(architecture, transpose, (1,), arguments, {"M": 64, "N": 32})
