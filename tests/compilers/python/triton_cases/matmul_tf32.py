# verdict: clean
"""A product of matrices of 32-bit numbers, of which the hardware uses 19 bits."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def matmul(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, steps = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left = tl.load(a + rows[:, None] * K + steps[None, :])
    right = tl.load(b + steps[:, None] * N + columns[None, :])
    tl.store(c + rows[:, None] * N + columns[None, :], tl.dot(left, right))


def case(architecture):
    a = random(1).standard_normal((64, 32), dtype=np.float32)
    b = random(2).standard_normal((32, 64), dtype=np.float32)
    arguments = {
        "a": Array("a", a),
        "b": Array("b", b),
        "c": Array("c", np.zeros((64, 64), np.float32), a @ b, 2e-2),
    }
    return build(architecture, matmul, (1,), arguments, {"M": 64, "N": 64, "K": 32})
