"""Adapt the ranking metrics from PyEvALL, such as ``pyevall:nDCG``. `functions.toml` lists them.

PyEvALL reads judgments and rankings from files.
"""

from __future__ import annotations

import contextlib
import json
import logging
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.sources.adapters import function_adapter
from axiomcheck.sources.adapters.function_adapter import Asked, LibraryFunctionMetric


class PyEvallMetric(LibraryFunctionMetric):
    """PyEvALL ranking metric."""

    most_examples = 500
    chunk = 256

    def _scored(self, asked: list[Asked]) -> list[Any]:
        """Evaluate all rankings in one report, with one PyEvALL test case per ranking."""
        predictions = [(k, name, rank) for k, one in enumerate(asked) for rank, name in enumerate(one.ranking, start=1)]
        gold = [(k, name, judgment) for k, one in enumerate(asked) for name, judgment in one.judged.items()]
        found = self._report(_rows(gold), _rows(predictions))
        averages = {one["name"]: one["average"] for one in found}
        return [averages.get(str(k)) or 0.0 for k in range(len(asked))]

    def _report(self, gold: list[dict[str, Any]], predictions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        with tempfile.TemporaryDirectory() as folder, _own_logging():
            files = []
            for name, rows in (("predictions.json", predictions), ("gold.json", gold)):
                files.append(Path(folder, name))
                files[-1].write_text(json.dumps(rows), encoding="utf-8")
            report = self.target().evaluate(
                str(files[0]),
                str(files[1]),
                [self.function_name],
                report="simple",
                log_level="none",
                metric_params={self.function_name: self.named},
            )
        told = report.report["metrics"].get(self.function_name, {})
        if "results" not in told or told.get("errors"):
            raise MetricError(f"{self}: {self.library} reported no results: {json.dumps(report.report)[:500]}")
        results: list[dict[str, Any]] = told["results"]["test_cases"]
        return results


def _rows(rows: Sequence[tuple[int, str, float]]) -> list[dict[str, Any]]:
    return [{"test_case": str(number), "id": name, "value": value} for number, name, value in rows]


def measure(text: str) -> LibraryFunctionMetric:
    """Return a PyEvALL ranking metric by name; see `axiomcheck.sources.adapters.function_adapter.measure`.

    Raises:
        InvalidInput: The persistence is out of range. PyEvALL would silently use the default.

    """
    found = function_adapter.measure("pyevall", text, PyEvallMetric)
    p = found.named.get("p_param", 0.5)
    if not (isinstance(p, float) and 0 < p < 1):
        raise InvalidInput(f"pyevall:{text}: p_param={p!r} is out of range; expected a number between 0 and 1")
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
