# verdict: clean
"""Attention, forward and causal, with a softmax that is corrected block by block."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, Scalar, build


@triton.jit
def attention(q, k, v, out, scale, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    inner = tl.arange(0, D)
    head = tl.program_id(1) * length * D
    query = tl.load(q + head + rows[:, None] * D + inner[None, :])
    most = tl.full((M,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((M,), dtype=tl.float32)
    sums = tl.zeros((M, D), dtype=tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * M, N):
        columns = start + tl.arange(0, N)
        key = tl.load(k + head + columns[None, :] * D + inner[:, None])
        scores = tl.dot(query, key) * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, -float("inf"))
        larger = tl.maximum(most, tl.max(scores, 1))
        powers = tl.exp2(scores - larger[:, None])
        correction = tl.exp2(most - larger)
        total = total * correction + tl.sum(powers, 1)
        value = tl.load(v + head + columns[:, None] * D + inner[None, :])
        sums = tl.dot(powers.to(tl.float16), value, sums * correction[:, None])
        most = larger
    tl.store(out + head + rows[:, None] * D + inner[None, :], (sums / total[:, None]).to(tl.float16))


def case(architecture):
    heads, length, width = 2, 128, 32
    q, k, v = random(1).standard_normal((3, heads, length, width)).astype(np.float16)
    scores = np.einsum("hid,hjd->hij", q.astype(np.float32), k.astype(np.float32)) / np.sqrt(width)
    scores[:, np.triu(np.ones((length, length), bool), 1)] = -np.inf
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    last = np.einsum("hij,hjd->hid", powers / powers.sum(axis=2, keepdims=True), v.astype(np.float32))
    arguments = {
        "q": Array("q", q),
        "k": Array("k", k),
        "v": Array("v", v),
        "out": Array("out", np.zeros_like(q), last, 1e-2),
        "scale": Scalar("f32", float(np.log2(np.e) / np.sqrt(width))),
        "length": Scalar("s32", length),
    }
    constants = {"M": 64, "N": 32, "D": width}
    return build(architecture, attention, (length // 64, heads), arguments, constants, stages=2)
