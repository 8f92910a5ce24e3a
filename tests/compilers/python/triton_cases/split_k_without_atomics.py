# verdict: race
# says: data race on global `c` in kernel `matmul`
"""Like split_k, but the programs load, add and store."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, Scalar, build


@triton.jit
def matmul(a, b, c, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    steps = tl.program_id(0) * K + tl.arange(0, K)
    left = tl.load(a + rows[:, None] * inner + steps[None, :])
    right = tl.load(b + steps[:, None] * N + columns[None, :])
    at = c + rows[:, None] * N + columns[None, :]
    tl.store(at, tl.load(at) + tl.dot(left, right))


def case(architecture):
    a = random(1).integers(-4, 5, (32, 128)).astype(np.float16)
    b = random(2).integers(-4, 5, (128, 32)).astype(np.float16)
    arguments = {
        "a": Array("a", a),
        "b": Array("b", b),
        "c": Array("c", np.zeros((32, 32), np.float32)),
        "inner": Scalar("s32", 128),
    }
    return build(architecture, matmul, (4,), arguments, {"M": 32, "N": 32, "K": 32})
