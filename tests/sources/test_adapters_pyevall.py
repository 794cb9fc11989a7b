"""PyEvALL: scores are those of the library; what the notes say of it is so.

PyEvALL pins exact versions of numpy, pandas, jsonschema and setuptools, so it is not among the packages that the
other tests need; install the extra `pyevall` in an environment of its own to run these.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.metrics import parse
from axiomcheck.sources.adapters import measure
from axiomcheck.sources.adapters.common import Case, quiet
from tests.sources.adapters_topics import assert_batches, assert_same, catalogue_scores, random_cases

try:
    with quiet():
        from pyevall.evaluation import PyEvALLEvaluation
except ModuleNotFoundError:
    pytest.skip("extra pyevall", allow_module_level=True)

from axiomcheck.sources.adapters.pyevall_adapter import PyEvallMetric

METRICS = {
    "PrecisionAtK(k_param=5)": {"k_param": 5},
    "RPrecision": {},
    "MRR": {},
    "MAP": {},
    "DCG": {},
    "nDCG": {},
    "ERR": {},
    "RBP(p_param=0.7)": {"p_param": 0.7},
}


def found(text: str) -> PyEvallMetric:
    metric = measure("pyevall", text)
    assert isinstance(metric, PyEvallMetric)
    return metric


def one_by_one(metric: PyEvallMetric, named: dict[str, float], cases: Sequence[Case], folder: Path) -> list[float]:
    """PyEvALL asked for one test case at a time, without the adapter, through tab-separated files."""
    name = metric.label.removeprefix("pyevall:").partition("(")[0]
    scores = []
    for topic, ranking in cases:
        files = [folder / "predictions.tsv", folder / "gold.tsv"]
        rows = [
            [(document, rank) for rank, document in enumerate(ranking, start=1)],
            [(d, int(g[0] > 0) if metric.binary_only else int(4 * g[0])) for d, g in topic.pool.items()],
        ]
        for file, content in zip(files, rows, strict=True):
            lines = "".join(f"TC\t{document}\t{value}\n" for document, value in content)
            file.write_text("test_case\tid\tvalue\n" + lines)
        with quiet():
            report = PyEvALLEvaluation().evaluate(*map(str, files), [name], report="simple", log_level="none", **named)
        told = report.report["metrics"].get(name, {}).get("results", {"test_cases": []})["test_cases"]
        scores.append(float(told[0]["average"] or 0) if told else 0.0)
    return scores


@pytest.mark.parametrize("text", METRICS)
def test_is_pyevall_itself(text: str, tmp_path: Path) -> None:
    metric = found(text)
    cases = random_cases(metric, 30)
    assert_same(metric.score_rankings(cases), one_by_one(metric, METRICS[text], cases, tmp_path))


@pytest.mark.parametrize("text", ["nDCG", "MAP"])
def test_batches(text: str) -> None:
    assert_batches(found(text), random_cases(found(text), 20))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PrecisionAtK(k_param=5)", "P@5"),
        ("MRR", "RR"),
        ("MAP", "AP"),
        ("nDCG", "nDCG"),
        ("RBP(p_param=0.7)", "RBP(p=0.7)"),
    ],
)
def test_agrees_with_the_catalogue(text: str, name: str) -> None:
    metric = found(text)
    cases = random_cases(metric, 40)

    def gain(grades: np.ndarray) -> np.ndarray:
        if text == "nDCG":
            return (2 ** (4 * grades) - 1) / 15
        if text.startswith("RBP"):
            return 4 * grades  # PyEvALL takes the judgment itself
        return (grades > 0).astype(float)

    assert_same(metric.score_rankings(cases), catalogue_scores(parse(name), cases, gain), 1e-9)


def test_a_reversed_ranking_is_caught(tmp_path: Path) -> None:
    metric = found("nDCG")
    cases = random_cases(metric, 30)
    expected = one_by_one(metric, {}, cases, tmp_path)
    with pytest.raises(AssertionError, match="case"):
        assert_same(metric.score_rankings([(topic, ranking[::-1]) for topic, ranking in cases]), expected)


def test_nothing_is_printed_and_logging_is_left_alone(capfd: pytest.CaptureFixture[str]) -> None:
    before = list(logging.getLogger().handlers), logging.getLogger().level
    metric = found("nDCG")
    metric.score_rankings(random_cases(metric, 5))
    assert (list(logging.getLogger().handlers), logging.getLogger().level) == before
    assert capfd.readouterr() == ("", "")


def test_what_is_declared() -> None:
    graded, binary = found("nDCG"), found("PrecisionAtK")
    assert (graded.cutoff, graded.abilities.levels, graded.binary_only, graded.single_aspect) == (None, 4, False, True)
    assert (binary.cutoff, binary.abilities.levels, binary.binary_only) == (10, None, True)
    assert found("MAP").cutoff is None
    assert found("MAP(r_param=5)").cutoff == 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nDGC", "did you mean nDCG"),
        ("ICM", "unknown ranking metric"),
        ("nDCG(k=3)", "unknown parameter"),
        ("PrecisionAtK(5)", "parameters are named"),
        ("PrecisionAtK(k_param=0)", "out of range"),
        ("RBP(p_param=1.5)", "out of range"),
        ("", "expected a name"),
    ],
)
def test_errors(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        measure("pyevall", text)


def test_a_report_without_results_is_an_error() -> None:
    rows = [{"test_case": "0", "id": "d1", "value": "not a judgment"}]
    with pytest.raises(MetricError, match="reported no results"):
        found("nDCG")._report(rows, [{"test_case": "0", "id": "d1", "value": 1}])
