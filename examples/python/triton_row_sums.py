"""Sums of the rows of a matrix in Triton, whose programs also add to one total: run it with `python`, without a GPU."""

import numpy as np
import triton
import triton.language as tl

import hirace


@triton.jit
def row_sums(x, sums, total, columns: tl.constexpr):
    row = tl.program_id(0)
    values = tl.load(x + row * columns + tl.arange(0, columns))
    sum = tl.sum(values, 0)
    tl.store(sums + row, sum)
    tl.store(total, tl.load(total) + sum)


if __name__ == "__main__":
    x = np.random.default_rng(0).random((16, 64), np.float32)
    sums, total = np.zeros(16, np.float32), np.zeros(1, np.float32)
    print(hirace.check(row_sums[(16,)], x, sums, total, columns=64))
