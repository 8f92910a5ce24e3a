# verdict: clean
"""Softmax, one program for each row; the rows are shorter than the block."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, Scalar, build


@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * columns + at, powers / tl.sum(powers, axis=0), mask=at < columns)


def case(architecture):
    x = random(1).standard_normal((6, 200), dtype=np.float32)
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    arguments = {
        "x": Array("x", x),
        "y": Array("y", np.zeros_like(x), powers / powers.sum(axis=1, keepdims=True), 1e-5),
        "columns": Scalar("s32", 200),
    }
    return build(architecture, softmax, (6,), arguments, {"BLOCK": 256})
