# verdict: clean
"""A product of matrices of 16-bit numbers, with copies that run ahead of the products."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, Scalar, build


@triton.jit
def matmul(a, b, c, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    width = tl.num_programs(1) * N
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    steps = tl.arange(0, K)
    left = a + rows[:, None] * inner + steps[None, :]
    right = b + steps[:, None] * width + columns[None, :]
    sums = tl.zeros((M, N), dtype=tl.float32)
    for _ in range(0, inner, K):
        sums = tl.dot(tl.load(left), tl.load(right), sums)
        left += K
        right += K * width
    tl.store(c + rows[:, None] * width + columns[None, :], sums)


def case(architecture):
    a = random(1).standard_normal((128, 128)).astype(np.float16)
    b = random(2).standard_normal((128, 64)).astype(np.float16)
    arguments = {
        "a": Array("a", a),
        "b": Array("b", b),
        "c": Array("c", np.zeros((128, 64), np.float32), a.astype(np.float32) @ b.astype(np.float32), 1e-3),
        "inner": Scalar("s32", 128),
    }
    return build(architecture, matmul, (2, 1), arguments, {"M": 64, "N": 64, "K": 32})
