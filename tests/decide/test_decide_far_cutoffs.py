"""Thresholds at a far cutoff: the first n and the cutoff are tried, and those between only where they matter."""

from fractions import Fraction
from typing import Any

from axiomcheck import Metric, as_metric, metric, parse
from axiomcheck.axioms import find_axiom
from axiomcheck.decide.thresholds import FARTHEST, ThresholdCase, Tried, examine
from tests.support.suites import each

FIRST = 48
CASE = ThresholdCase(Fraction(1), 0)


def tried_of(metric: Metric, axiom: str) -> tuple[Tried, bool | None]:
    """Return what was tried, and the outcome that it settles."""
    threshold = find_axiom(axiom)
    found = examine(metric, CASE, True, threshold.winner)
    return found, found.outcome(threshold)


def tried_numbers(found: Tried) -> list[int]:
    return [n for n, sign in enumerate(found.signs, 1) if sign is not None]


@each("name", ["P@1000", "nDCG@600", "AP@5000", "RR@600"], 2)
def test_the_first_n_and_the_cutoff_settle_deepth(name: str) -> None:
    of = parse(name)
    found, outcome = tried_of(of, "DeepTh")
    assert tried_numbers(found) == [*range(1, FIRST + 1), of.cutoff]
    assert outcome is True
    assert f"(n = {FIRST + 1} to {(of.cutoff or 0) - 1} not tried)" in found.argument


@each("name", ["P@1000", "nDCG@600"], 2)
def test_a_block_that_is_ahead_among_the_first_settles_closeth(name: str) -> None:
    found, outcome = tried_of(parse(name), "CloseTh")
    assert len(tried_numbers(found)) == FIRST + 1
    assert outcome is True


@each(("name", "outcome", "most"), [("RR@200", False, 200), ("RR@1100", None, FARTHEST + 1)], 2)
def test_a_block_that_is_never_ahead_is_looked_for_at_every_n_that_is_near(
    name: str, outcome: bool | None, most: int
) -> None:
    found, said = tried_of(parse(name), "CloseTh")
    assert said is outcome  # above 1,024 not every n is tried, so nothing is refuted
    assert len(tried_numbers(found)) == most


def test_a_declared_cutoff_that_is_far_is_tried_at_few_n() -> None:
    calls = []

    def late(grades: Any, weights: Any) -> Any:
        calls.append(grades.shape[-2])
        return grades[..., :1000, 0].sum(axis=-1)

    found, _ = tried_of(as_metric(metric(cutoff=1000)(late), "first-1000"), "DeepTh")
    assert tried_numbers(found) == [*range(1, FIRST + 1), 1000]
    assert found.argument.startswith("it declares that it ignores ranks below 1000")
    assert len({*calls}) < 100
