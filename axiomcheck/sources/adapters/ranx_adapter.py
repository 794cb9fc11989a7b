"""Adapt metrics from ranx, such as ``ranx:ndcg@10``.

Metrics have the same names as in ranx, such as ``precision@5-l2`` and ``rbp.95``.
"""

from __future__ import annotations

import difflib
import re
import warnings
from collections.abc import Sequence
from typing import Any

with warnings.catch_warnings():  # ranx imports many packages that warn
    warnings.simplefilter("ignore")
    import ranx

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics.base import Claims
from axiomcheck.sources.adapters.common import (
    Case,
    LibraryJudgments,
    LibraryMetric,
    MeasureOption,
    options_of,
)
from axiomcheck.sources.evaluators import ByTopic, DeclaredMeasure, Evaluator, only_grade, run_scores

GRADED = ("dcg", "dcg_burges", "ndcg", "ndcg_burges", "rbp")
BINARY = ("bpref", "f1", "hit_rate", "hits", "map", "mrr", "precision", "r-precision", "recall")
IGNORING_CUTOFF = ("bpref", "r-precision")
"""Metrics that accept a cutoff and ignore it."""

OPTIONS = {"cutoff": ((1, 2, 3), True), "p": (("5",), False), "level": ((2,), False)}
"""Options that the contract check varies, with values to try, and True for a depth."""

DIVIDED_BY_CUTOFF = ("f1", "precision")
"""Metrics divided by the cutoff, which thus also changes the scores of shorter rankings."""

FORM = re.compile(r"(?P<name>[a-z0-9_-]+?)(?:@(?P<cutoff>\d+)|\.(?P<p>\d+))?(?:-l(?P<level>\d+))?")


class RanxMetric(LibraryMetric):
    """Metric that ranx computes.

    Args:
        level: Lowest judgment of a relevant document.

    """

    package = "ranx"
    companions = ("map", "ndcg@5")
    summary = "a metric from ranx"
    source = "https://amenra.github.io/ranx"
    most_examples = 5_000

    def __init__(self, label: str, spelled: str, name: str, cutoff: int | None, level: int) -> None:
        self.spelled = spelled
        self.judgments = LibraryJudgments(threshold=level if name in BINARY else None)
        super().__init__(
            label,
            cutoff=None if name in IGNORING_CUTOFF else cutoff,
            binary_only=self.judgments.binary,
            single_aspect=True,
            abilities=self.judgments.abilities(*self._notes(name, level)),
            claims=Claims(0.0, _high(name), ideal="ndcg" in name),
        )

    def _notes(self, name: str, level: int) -> tuple[str, ...]:
        grades = self.judgments.note
        if level > 1 and not self.judgments.binary:
            grades += f"; judgments below {level} count as 0"
        passed_over = name == "bpref"
        return (
            f"computed by {self.library}",
            grades,
            "every document in the pool is judged; an unjudged document is "
            + ("passed over" if passed_over else "judged 0"),
            "documents with equal run scores are ordered as ranx sorts them",
            "empty rankings score 0 without a call (ranx refuses a run in which all are empty)",
            "a topic without a relevant document scores 0"
            + ("; a topic without a non-relevant document has no score (nan)" if passed_over else ""),
        )

    @property
    def options(self) -> list[MeasureOption]:
        """Options that the name can contain. A cutoff that ranx ignores is included only if the name gives one."""
        form = FORM.fullmatch(self.spelled)
        assert form is not None
        name, given = form["name"], {key: value for key, value in form.groupdict().items() if value and key in OPTIONS}
        given |= {key: int(value) for key, value in given.items() if key != "p"}
        takes = ["p"] if name == "rbp" else ["cutoff"] if name not in IGNORING_CUTOFF else list(given)
        takes += ["level"] if name in GRADED else []
        marks = {"cutoff": "@", "p": ".", "level": "-l"}

        def spell(now: dict[str, Any]) -> str:
            return name + "".join(f"{mark}{now[key]}" for key, mark in marks.items() if key in now)

        return options_of(OPTIONS, takes, given, spell, name in DIVIDED_BY_CUTOFF)

    @property
    def native(self) -> Evaluator:
        """Entry point ``ranx.evaluate``, with judgments and runs as dictionaries."""
        plain = self.spelled.partition("@")[0].partition("-l")[0]
        others = [f"{plain}-l2"]
        if "." not in plain:
            others += [f"{plain}@1", f"{plain}@2", f"{plain}@3", f"{plain}@2-l2"]
        names = dict.fromkeys([self.spelled, *others])
        return Evaluator(str(self), evaluate, tuple(map(_declared, names)), mean, beside=self.companions)

    def call(self, cases: Sequence[Case]) -> list[float]:
        """Evaluate all cases that have documents in one call, with one query per case."""
        # Plain dictionaries: ranx compiles for most of a minute before it makes its first Qrels and Run.
        qrels: dict[str, dict[str, int]] = {}
        run: dict[str, dict[str, float]] = {}
        for number, (topic, ranking) in enumerate(cases):
            if not ranking:  # ranx fails where every ranking is empty
                continue
            query = str(number)
            qrels[query] = {name: self.judgments.of(grade) for name, grade in only_grade(topic).items()}
            run[query] = run_scores(ranking)
        scores = [0.0] * len(cases)
        if run:
            # For a single metric with a cutoff, ranx looks up the scores by the name without the cutoff and fails.
            # With the metric listed twice, it returns a dictionary by full name.
            found = ranx.evaluate(qrels, run, [self.spelled, self.spelled], return_mean=False)[self.spelled]
            for query, score in zip(run, found, strict=True):
                scores[int(query)] = float(score)
        return scores


def evaluate(qrels: ByTopic, run: ByTopic, measures: list[str]) -> dict[str, dict[str, float]]:
    """Return the scores of `ranx.evaluate` by measure and query. The queries are in the order of the judgments."""
    asked = list(measures) * 2 if len(measures) == 1 else measures  # see RanxMetric.call
    found = ranx.evaluate(qrels, run, asked, return_mean=False)
    return {name: dict(zip(qrels, map(float, found[name]), strict=True)) for name in measures}


def mean(qrels: ByTopic, run: ByTopic, measures: list[str]) -> dict[str, float]:
    """Average measures over queries, using `ranx.evaluate`."""
    found = ranx.evaluate(qrels, run, list(measures) * 2)
    return {name: float(found[name]) for name in measures}


def _declared(spelled: str) -> DeclaredMeasure:
    form = FORM.fullmatch(spelled)
    assert form is not None
    name = form["name"]
    cutoff = int(form["cutoff"]) if form["cutoff"] and name not in IGNORING_CUTOFF else None
    bounded = _high(name) == 1.0
    return DeclaredMeasure(spelled, 0.0, _high(name), "ndcg" in name and not form["level"], cutoff, above=bounded)


def _high(name: str) -> float | None:
    """Return the highest possible score, or None if there is no bound."""
    return None if name in ("hits", "rbp", "dcg", "dcg_burges") else 1.0


def measure(text: str) -> RanxMetric:
    """Return the ranx metric with a given name.

    Raises:
        InvalidInput: There is no such metric, or the text is malformed.

    """
    label = f"ranx:{text}"
    form = FORM.fullmatch(text)
    known = (*GRADED, *BINARY)
    if form is None or form["name"] not in known:
        name = text.partition("@")[0].partition(".")[0]
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(sorted(known))}"
        raise InvalidInput(f"{label}: ranx has no metric {name!r}; expected name, name@k or name@k-l2; {hint}")
    name = form["name"]
    cutoff = int(form["cutoff"]) if form["cutoff"] else None
    level = int(form["level"] or 1)
    if (name == "rbp") != (form["p"] is not None):
        raise InvalidInput(f"{label}: persistence follows a dot and applies only to rbp, as in rbp.8")
    if cutoff == 0 or level == 0 or (form["p"] is not None and int(form["p"]) == 0):
        raise InvalidInput(f"{label}: cutoff, level and persistence must be positive")
    return RanxMetric(label, text, name, cutoff, level)
