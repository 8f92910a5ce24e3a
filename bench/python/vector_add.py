"""Times a vector addition of Triton or Numba from the launch to the verdict, in seconds of wall-clock time.

python vector_add.py (triton | numba) NUMBER: the number is a constant in the kernel, so that a new one makes a new kernel.
Prints the first launch, and the median of five more in the same process.
"""

import statistics
import sys
import time

import numpy as np

import hirace

KIND, NUMBER = sys.argv[1], float(sys.argv[2])
SIZE, BLOCK = 4096, 256
x = np.arange(SIZE, dtype=np.float32)
y = np.ones(SIZE, dtype=np.float32)
out = np.zeros(SIZE, dtype=np.float32)

if KIND == "triton":
    import triton
    import triton.language as tl

    @triton.jit
    def add(x, y, out, size, number: tl.constexpr, block: tl.constexpr):
        at = tl.program_id(0) * block + tl.arange(0, block)
        inside = at < size
        total = tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
        tl.store(out + at, total + number, mask=inside)

    def launch() -> None:
        add[(SIZE // BLOCK,)](x, y, out, SIZE, NUMBER, BLOCK)

else:
    from numba import cuda

    @cuda.jit
    def add(x, y, out):
        at = cuda.grid(1)
        if at < x.size:
            out[at] = x[at] + y[at] + np.float32(NUMBER)

    def launch() -> None:
        add[SIZE // BLOCK, BLOCK](x, y, out)


def timed() -> float:
    begin = time.perf_counter()
    with hirace.checking() as report:
        launch()
    assert not report.races
    seconds = time.perf_counter() - begin
    assert np.array_equal(out, x + y + np.float32(NUMBER))
    return seconds


first = timed()
again = statistics.median(timed() for _ in range(5))
print(f"first: {first:.3f}\nagain: {again:.3f}")
