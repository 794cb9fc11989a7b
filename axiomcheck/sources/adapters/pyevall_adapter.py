"""Adapter for the ranking metrics of PyEvALL, such as ``pyevall:nDCG``.

PyEvALL reads judgments and rankings from files.
"""

from __future__ import annotations

import contextlib
import json
import logging
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

with warnings.catch_warnings():  # it imports distutils
    warnings.simplefilter("ignore")
    from pyevall.evaluation import PyEvALLEvaluation

from axiomcheck.core.errors import InvalidInput, MetricError, UnknownName
from axiomcheck.sources.adapters.common import Case, LibraryJudgments, LibraryMetric, known_call, only_grade

BINARY = ("MAP", "MRR", "PrecisionAtK", "RPrecision")
GRADED = ("DCG", "ERR", "RBP", "nDCG")
TAKES = {"MAP": "r_param", "PrecisionAtK": "k_param", "RBP": "p_param"}
"""Metric -> name of its parameter."""
CUTOFFS = {"MAP": None, "PrecisionAtK": 10}
"""Metric whose parameter is a number of ranks -> its default; for MAP it is 1000, more than any instance has."""


class PyEvallMetric(LibraryMetric):
    """Ranking metric of PyEvALL."""

    package = "PyEvALL"
    companions = ("MRR", "ERR")
    summary = "a ranking metric of PyEvALL"
    source = "https://github.com/UNEDLENAR/PyEvALL"
    most_examples = 500
    chunk = 256

    def __init__(self, label: str, name: str, named: dict[str, Any]) -> None:
        self.name_inside = name
        self.named = named
        self.judgments = LibraryJudgments(threshold=1 if name in BINARY else None)
        super().__init__(
            label,
            cutoff=named.get(TAKES[name], CUTOFFS[name]) if name in CUTOFFS else None,
            binary_only=self.judgments.binary,
            single_aspect=True,
            abilities=self.judgments.abilities(
                f"computed by {self.library}",
                self.judgments.note,
                "every document of the pool is judged; one that is not would be passed over, its rank kept",
                "predictions are ranks 1, 2, ...; equal ones: as the sort of its data frame leaves them",
                "an empty ranking, and a topic for which the report has no value, score 0",
            ),
        )

    def call(self, cases: Sequence[Case]) -> list[float]:
        """Evaluate all cases that have documents in one report, with one test case of PyEvALL per case."""
        gold: list[dict[str, Any]] = []
        predictions: list[dict[str, Any]] = []
        for number, (topic, ranking) in enumerate(cases):
            if not ranking:
                continue
            test_case = str(number)
            gold += [
                {"test_case": test_case, "id": name, "value": self.judgments.of(grade)}
                for name, grade in only_grade(topic).items()
            ]
            predictions += [
                {"test_case": test_case, "id": name, "value": rank} for rank, name in enumerate(ranking, start=1)
            ]
        scores = [0.0] * len(cases)
        if predictions:
            for found in self._report(gold, predictions):
                scores[int(found["name"])] = 0.0 if found["average"] is None else float(found["average"])
        return scores

    def _report(self, gold: list[dict[str, Any]], predictions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        with tempfile.TemporaryDirectory() as folder, _own_logging():
            files = []
            for name, rows in (("predictions.json", predictions), ("gold.json", gold)):
                files.append(Path(folder, name))
                files[-1].write_text(json.dumps(rows), encoding="utf-8")
            report = PyEvALLEvaluation().evaluate(
                str(files[0]),
                str(files[1]),
                [self.name_inside],
                report="simple",
                log_level="none",
                metric_params={self.name_inside: self.named},
            )
        told = report.report["metrics"].get(self.name_inside, {})
        if "results" not in told or told.get("errors"):
            raise MetricError(f"{self}: {self.library} reported no results: {json.dumps(report.report)[:500]}")
        results: list[dict[str, Any]] = told["results"]["test_cases"]
        return results


def measure(text: str) -> PyEvallMetric:
    """Return the ranking metric of PyEvALL.

    Args:
        text: Name of the metric with its parameter, if any: ``nDCG``, ``PrecisionAtK(k_param=5)``,
            ``RBP(p_param=0.9)``.

    Raises:
        InvalidInput: There is no such ranking metric or parameter, or the value is out of range.

    """
    label = f"pyevall:{text}"
    call = known_call("pyevall", text, "ranking metric of PyEvALL", (*BINARY, *GRADED), "PrecisionAtK(k_param=5)")
    takes = TAKES.get(call.name)
    for name, value in call.named.items():
        if name != takes:
            raise UnknownName(f"parameter of {call.name}", name, [takes] if takes else ["none"])
        # PyEvALL itself silently uses the default if a value is out of range.
        whole = isinstance(value, int) and not isinstance(value, bool)
        if call.name in CUTOFFS and not (whole and value >= 1):
            raise InvalidInput(f"{label}: {name}={value!r} is out of range; expected a whole number from 1 on")
        if call.name == "RBP" and not (isinstance(value, float) and 0 < value < 1):
            raise InvalidInput(f"{label}: {name}={value!r} is out of range; expected a number between 0 and 1")
    found = PyEvallMetric(label, call.name, call.named)
    found.try_out()
    return found


@contextlib.contextmanager
def _own_logging() -> Iterator[None]:
    """Restore the root logger, which PyEvALL reconfigures in every call."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
