"""Kernels of Triton on CPU tensors of PyTorch, as its tutorials launch them."""

from __future__ import annotations

import pytest

import hirace

torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")
tl = pytest.importorskip("triton.language")


@triton.jit
def softmax(x, y, columns, block: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, block)
    values = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(y + row * columns + at, powers / tl.sum(powers, 0), mask=at < columns)


@triton.jit
def add_rows(x, total, columns, block: tl.constexpr):
    at = tl.arange(0, block)
    values = tl.load(x + tl.program_id(0) * columns + at, mask=at < columns)
    tl.store(total + at, tl.load(total + at, mask=at < columns) + values, mask=at < columns)


def test_tensors_are_arguments_and_have_the_results():
    x = torch.randn(8, 100)
    y = torch.empty_like(x)
    with hirace.checking() as report:
        softmax[(8,)](x, y, 100, 128)
    assert report and report.launches == 1
    torch.testing.assert_close(y, torch.softmax(x, 1))


def test_parts_of_tensors_share_memory():
    whole = torch.zeros(2, 8, 100)
    x, y = whole[0], whole[1]
    x += torch.randn(8, 100)
    with hirace.checking() as report:
        softmax[(8,)](x, y, 100, 128)
    assert report
    torch.testing.assert_close(whole[1], torch.softmax(whole[0], 1))


def test_a_race_of_two_programs():
    x, total = torch.randn(8, 100), torch.zeros(100)
    report = hirace.check(add_rows[(8,)], x, total, 100, block=128)
    assert {it.code for it in report.races} <= {"HR003", "HR006"} and report.races
    line = add_rows.starting_line_number + 4
    assert {it.line for race in report.races for it in race.accesses} == {line}
