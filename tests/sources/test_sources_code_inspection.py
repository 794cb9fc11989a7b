"""Instructions that a call runs: those of the call, whatever is collected meanwhile."""

import gc
from contextlib import suppress
from pathlib import Path

import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import Metric
from axiomcheck.sources import code_inspection
from axiomcheck.sources.code_inspection import Allowance, instructions
from axiomcheck.sources.resolve import resolve


class Leaving:
    """Garbage that only the collector finds, with a finalizer."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        self.left = True


def allocating() -> None:
    """Allocate enough for the collector to run."""
    kept = [[k] for k in range(500)]
    assert kept


def test_finalizers_of_others_are_not_the_calls() -> None:
    threshold = gc.get_threshold()
    alone = instructions(allocating)
    gc.set_threshold(200)
    gc.collect()
    try:
        for _ in range(5):
            Leaving()
        beside = instructions(allocating)
        assert gc.isenabled()
    finally:
        gc.set_threshold(*threshold)
    assert alone
    assert beside == alone


def turning(most: int = 1_200) -> list[float]:
    """Take other ways late in a loop: within a line, out of a generator, and out of an exception."""
    found: list[float] = []
    with suppress(ZeroDivisionError):
        for k, row in enumerate(value if value < 900 else -value for value in range(most)):
            found.append(1 / (row - 950) if k % 400 == 399 else (row and k) or 0)
            found.extend([found[-1] / (k - 1_100) if k > 990 else 0.0 for _ in (k, row) if row])
    return found


def test_complete_lines_hide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    by_line = instructions(turning)
    monkeypatch.setattr(code_inspection, "_BY_LINE", False)
    assert instructions(turning) == by_line


def test_a_call_that_is_too_long_has_no_instructions() -> None:
    def swallowing() -> None:
        try:
            turning()
        except BaseException:
            turning()

    for run in (turning, swallowing):
        with pytest.raises(InvalidInput, match="too many instructions"):
            instructions(run, Allowance(1_000))
    allowance = Allowance(10**6)
    instructions(turning, allowance)
    assert allowance.left < 10**6


LATE = """def metric(topic, ranking):
    spent = 0
    for k in range({}):
        spent += k % 3
    total = 0.0
    for i, d in enumerate(ranking, 1):
        total += topic.pool[d][0] / i
    return total if type(total).__name__ != {} else total + 0.0
"""


@pytest.mark.parametrize(
    ("steps", "name", "why"),
    [(2_000, "''", ""), (2_000, "'float'", "behave, differently"), (20_000, "''", "too many instructions")],
)
def test_what_comes_after_many_steps_is_compared_or_not_known(
    steps: int, name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_inspection, "_MOST_EVENTS", 200_000)
    file = tmp_path / "late.py"
    file.write_text(LATE.format(steps, name))
    metric = resolve(f"{file}:metric")
    assert isinstance(metric, Metric)
    found = metric.numerical(small=False)
    assert why in found
    assert bool(why) is bool(found)
