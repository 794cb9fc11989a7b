"""Thresholds at a far cutoff: the first n and the cutoff are tried, and those between only where they matter."""

from fractions import Fraction
from typing import Any

from axiomcheck import Metric, as_metric, metric, parse
from axiomcheck.axioms import find_axiom
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.thresholds import FARTHEST, ThresholdCase, Tried, decide_threshold, examine
from axiomcheck.records.sentences import reason
from tests.support.suites import each

FIRST = 48
CASE = ThresholdCase(Fraction(1), 0)


def tried_of(metric: Metric, axiom: str) -> tuple[Tried, bool | None]:
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


def falling(power: float) -> Metric:
    """Return a metric of a discount that falls slowly, and which only its calls tell."""

    def scored(topic: Any, ranking: list[str]) -> float:
        return float(sum(topic.pool[d][0] * float(f"{i**-power:.15g}") for i, d in enumerate(ranking, 1)))

    made: Metric = metric(single_aspect=True)(scored)
    return made


def test_a_block_that_is_ahead_from_n_28_on_is_seen_without_an_argument() -> None:
    deep, close = (decide_threshold(find_axiom(a), falling(0.9), False, 0, True) for a in ("DeepTh", "CloseTh"))
    assert (deep.verdict, deep.cause.counts) == (Verdict.UNDECIDED, {"fails_from": 100, "up_to": 100})
    assert (close.verdict, close.evidence.m) == (Verdict.HELD, 100)


def test_a_held_axiom_says_up_to_which_n_it_was_tried() -> None:
    found = decide_threshold(find_axiom("DeepTh"), falling(0.96), False, 0, True)
    assert (found.verdict, found.evidence.up_to_n, found.evidence.beyond) == (Verdict.HELD, 24, (100, 300))
    said = reason("DeepTh", found.verdict, found.cause, found.evidence, None, None)
    assert "no argument covers larger n; held up to n = 24, and where tried beyond (n = 100, 300)" in said


def test_only_the_cases_that_fail_are_said_to_fail() -> None:
    def scored(topic: Any, ranking: list[str]) -> float:  # the block is ahead from n = 200 on
        return float(sum(topic.pool[d][0] * (0.005 if i else 1.0) for i, d in enumerate(ranking)))

    flat: Metric = metric(single_aspect=True)(scored)
    deep, close = (decide_threshold(find_axiom(a), flat, False, 0, True) for a in ("DeepTh", "CloseTh"))
    assert (deep.verdict, deep.cause.counts) == (Verdict.UNDECIDED, {"fails_from": 300, "up_to": 300})
    assert (close.verdict, close.cause.counts) == (Verdict.UNDECIDED, {"fails_from": 1, "up_to": 100})
