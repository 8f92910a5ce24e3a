"""`@triton.autotune`: the first configuration, or all of them."""

from __future__ import annotations

import numpy as np
import pytest

import hirace

triton = pytest.importorskip("triton")
import triton.language as tl  # noqa: E402

CONFIGS = [triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in ((64, 2), (128, 4), (256, 8))]


@triton.autotune(configs=CONFIGS, key=["n"])
@triton.jit
def shift(x, n, BLOCK: tl.constexpr):
    # Programs overlap unless there is only one.
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at + 1, mask=at + 1 < n, other=0.0)  # read
    tl.store(x + at, value, mask=at < n)  # write


def launch(n, autotune, times=1):
    x = np.ones(n, np.float32)
    with hirace.checking(autotune=autotune) as report:
        for _ in range(times):
            shift[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, n)
    return report


def test_the_first_configuration_runs():
    report = launch(256, "first")
    assert report.launches == 1
    assert any(it.code == "HR003" for it in report.races)


def test_all_configurations_run():
    # Each once, and then the chosen one; a second launch with the same key runs the chosen one.
    report = launch(200, "all", times=2)
    assert report.launches == len(CONFIGS) + 2
    assert any(it.code == "HR003" for it in report.races)
    assert not report.notes


def test_it_does_not_matter_what_was_tuned_before():
    first = launch(120, "first")
    # The first configuration needs two programs, which race; the others one, and are not run.
    assert first.launches == 1 and first.races
    (note,) = first.notes
    assert note.startswith("autotuning: one of 3 configurations of `shift` was run")
    assert f"note: {note}" in str(first) and note in first.to_json()["notes"]
    assert launch(120, "all").launches == len(CONFIGS) + 1
    assert shift.cache == {}


@triton.jit
def double(x, shared, name, block: tl.constexpr):
    at = tl.arange(0, block)
    tl.store(x + at, tl.load(x + at) * shared + name)


def test_parameters_may_have_the_names_of_options():
    x = np.arange(64, dtype=np.float32)
    report = hirace.check(double[(1,)], x, shared=2, name=1, block=64)
    assert report
    np.testing.assert_array_equal(x, 2 * np.arange(64, dtype=np.float32) + 1)


@triton.autotune(configs=CONFIGS, key=["n"], reset_to_zero=["total"], restore_value=["x"])
@triton.jit
def add_up(x, total, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(x + at, values + 1, mask=at < n)
    tl.atomic_add(total, tl.sum(values, 0))


@pytest.mark.parametrize("array", [lambda it: it, hirace.tensor])
def test_arrays_are_reset_and_restored(array):
    x, total = array(np.ones(100, np.float32)), array(np.zeros(1, np.float32))
    with hirace.checking(autotune="all") as report:
        add_up[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](x, total, 100)
    assert report and report.launches == len(CONFIGS) + 1
    np.testing.assert_array_equal(np.asarray(x), np.full(100, 2, np.float32))
    assert np.asarray(total)[0] == 100
