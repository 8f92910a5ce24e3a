# verdict: clean
"""A product of matrices of bytes."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def matmul(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, steps = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left = tl.load(a + rows[:, None] * K + steps[None, :])
    right = tl.load(b + columns[None, :] * K + steps[:, None])
    tl.store(c + rows[:, None] * N + columns[None, :], tl.dot(left, right))


def case(architecture):
    a = random(1).integers(-128, 128, (64, 64)).astype(np.int8)
    b = random(2).integers(-128, 128, (32, 64)).astype(np.int8)
    arguments = {
        "a": Array("a", a),
        "b": Array("b", b),
        "c": Array("c", np.zeros((64, 32), np.int32), a.astype(np.int32) @ b.astype(np.int32).T),
    }
    return build(architecture, matmul, (1,), arguments, {"M": 64, "N": 32, "K": 64})
