"""One table of several reports: rows by name, columns by report, and how they hang together."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import axiomcheck
from axiomcheck.cli.program import main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.records.matrix import to_json
from axiomcheck.reports.joined_report import joined_text
from axiomcheck.studies.joined import Joined, join

METRICS = ("RBP", "P@10", "RR", "S-Recall@20")


@pytest.fixture(scope="module")
def matrix() -> Any:
    """Return a matrix: RBP satisfies two axioms, P@10 and RR none, S-Recall Sat alone, unknown to the others."""
    few: dict[str, Any] = {"examples": 20, "exhaustive": False, "proofs": False, "jobs": 1}
    return json.loads(to_json(axiomcheck.matrix(METRICS, ["Pri", "Deep", "Sat"], **few).ledger))


def unanimity(values: Sequence[tuple[str, float | None]]) -> Any:
    metrics = [{"metric": name, "mu": value, "low": None} for name, value in values]
    return {"schema": "axiomcheck/unanimity", "version": 1, "scenario": "short", "set": ["m"] * 7, "metrics": metrics}


MU = unanimity([("RBP(p=0.8, aggregate=max)", 0.9), ("P(aggregate=max)@10", 0.5), ("S-Recall@20", None), ("other", 1)])


def wild_cell(metric: str, axiom: str, *numbers: int) -> Any:
    names = ("applicable", "ties", "reversals")
    pairs = {"of": 28, "moved": numbers[3], "moved_by_one": 0}
    return {"metric": metric, "axiom": axiom, "pairs": pairs} | dict(zip(names, numbers, strict=False))


def test_a_metric_lifted_to_the_largest_grade_is_the_row_of_one_aspect(matrix: Any) -> None:
    found = join([("m", matrix), ("u", MU)])
    assert [row.metric for row in found.rows] == ["RBP(p=0.8)", "P@10", "RR", "S-Recall@20"]
    assert [row.numbers for row in found.rows] == [(0.9,), (0.5,), (None,), (None,)]
    assert [row.satisfied for row in found.rows] == [2, 0, 0, 1]
    assert found.axioms == ("Pri", "Deep", "Sat")


def test_columns_are_held_against_the_number_of_axioms(matrix: Any) -> None:
    against = unanimity([("RBP(p=0.8)", 0.1), ("P@10", 0.6), ("RR", 0.7), ("S-Recall@20", 0.3)])
    alike = unanimity([("RBP(p=0.8)", 0.5), ("P@10", 0.5)])
    against["scenario"], alike["scenario"] = "graded", "official"
    with_it, contrary, none = join([("m", matrix), ("u", MU), ("v", against), ("w", alike)]).agreements
    assert (with_it.tau, with_it.metrics) == (pytest.approx(1.0), 2)
    # 6 pairs, one of them tied in axioms, the other five the other way round: -5 / sqrt(5 * 6)
    assert (contrary.tau, contrary.metrics) == (pytest.approx(-5 / 30**0.5), 4)
    assert (none.tau, none.p) == (None, None)


def test_wild_violations_are_shares_of_the_edits_that_apply(matrix: Any) -> None:
    cells = [
        wild_cell("RBP(p=0.8)", "Pri", 10, 1, 2, 3),
        wild_cell("RBP(p=0.8)", "Deep", 4, 0, 4, 1),
        wild_cell("RBP(p=0.8)", "Sat", 0, 0, 0, 0),
        {"metric": "P@10", "axiom": "Sat", "why_not": "not applicable"},
    ]
    found = join([("m", matrix), ("w", {"schema": "axiomcheck/wild", "version": 1, "depth": 20, "cells": cells})])
    assert found.rows[0].numbers == (pytest.approx((0.3 + 1.0) / 2), 4.0)
    assert found.rows[1].numbers == (None, None)


def test_informativeness_is_of_a_family(matrix: Any) -> None:
    curves = [
        *({"target": None, "by_intent": by_intent, "rms": rms} for by_intent, rms in ((True, 0.1), (False, 0.5))),
        {"target": "RBP", "by_intent": False, "rms": 0.2},  # which is another measure than the row's
        {"target": "RR", "by_intent": False, "rms": 0.1},
        {"target": "P", "by_intent": False, "rms": None},
        {"target": "S-Recall", "by_intent": True, "rms": 0.05},
    ]
    settings = {"version": 1, "depth": 10, "alpha": 0.5, "beta": 0.8, "expectations": "exact", "curves": curves}
    found = join([("m", matrix), ("i", {"schema": "axiomcheck/informativeness", **settings})])
    assert "(depth 10, alpha 0.5, beta 0.8, exact expectations)" in found.columns[0].words
    assert [row.numbers for row in found.rows] == [(None,), (None,), (0.2,), (0.5,)]


def test_minus_infinity_is_last_and_not_left_out(matrix: Any) -> None:
    lost = unanimity([("RBP(p=0.8)", 0.9), ("P@10", 0.5), ("RR", None), ("S-Recall@20", None)])
    lost["metrics"][2]["reason"] = "minus infinity: captures none of the pairs that the others agree on"
    lost["metrics"][3]["reason"] = "undefined: the other metrics agree on no pair"
    found = join([("m", matrix), ("u", lost)])
    assert [row.numbers for row in found.rows] == [(0.9,), (0.5,), (float("-inf"),), (None,)]
    assert found.agreements[0].metrics == 3
    assert "-inf" in joined_text("table", found)
    assert json.loads(joined_text("json", found))["rows"][2]["MU short"] == "minus infinity"


def test_power_is_the_corrected_one(matrix: Any) -> None:
    power = {"metric": "RR(aggregate=max)", "discriminative_power": {"corrected": 0.25, "not_corrected": 0.5}}
    found = join(
        [("m", matrix), ("c", {"schema": "axiomcheck/compare", "version": 1, "runs": [1] * 8, "metrics": [power]})]
    )
    assert [row.numbers for row in found.rows] == [(None,), (None,), (0.25,), (None,)]
    assert found.columns[0].words == "share of pairs of 8 runs told apart, corrected"


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([MU], "0 reports of a matrix; expected one"),
        (["matrix"], "a matrix alone; expected another report beside it"),
        (["matrix", MU | {"version": 9}], "file1: version 9; expected 1"),
        (["empty", MU], "file0: no cells; expected a matrix of some metrics"),
        (["matrix", "matrix"], "2 reports of a matrix; expected one"),
        (["matrix", {"schema": "axiomcheck/claims"}], "file1: none of the reports that can be joined"),
        (["matrix", MU, MU], "two reports give a column MU short; expected one of each kind and scenario"),
        (["matrix", []], "file1: none of the reports that can be joined"),
        (["matrix", unanimity([("other", 1.0)])], r"file1: says nothing of any metric of file0, such as RBP\(p=0.8\)"),
        (["matrix", MU | {"metrics": [{"metric": "RR", "mu": "high"}]}], "file1: Expected `float | null`, got `str`"),
    ],
)
def test_reports_that_cannot_be_joined_are_refused(matrix: Any, documents: list[Any], message: str) -> None:
    known = {"matrix": matrix, "empty": matrix | {"cells": []}}
    given = [(f"file{n}", known[one] if isinstance(one, str) else one) for n, one in enumerate(documents)]
    with pytest.raises(InvalidInput, match=message.replace("|", r"\|")):
        join(given)


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_the_command_prints_the_table(matrix: Any, tmp_path: Path) -> None:
    for name, document in (("m", matrix), ("u", MU)):
        (tmp_path / name).write_text(json.dumps(document))
    result = _run("join", tmp_path / "m", tmp_path / "u")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["Metric", "of", "3", "axioms", "MU", "short"]
    assert lines[2].split() == ["RBP(p=0.8)", "2", "◐◐–", "0.900"]
    assert "  MU short: Kendall's tau +1.00, p = 1, 2 metrics" in lines
    assert max(map(len, lines)) <= 80
    rows = list(csv.DictReader(io.StringIO(_run("join", tmp_path / "m", tmp_path / "u", "-f", "csv").stdout)))
    assert (rows[1]["metric"], rows[1]["Pri"], rows[1]["MU short"], rows[2]["MU short"]) == (
        "P@10",
        "refuted",
        "0.5",
        "",
    )
    document = json.loads(_run("join", tmp_path / "m", tmp_path / "u", "-f", "json").stdout)
    assert document["rows"][0] | {"verdicts": None} == {
        "metric": "RBP(p=0.8)",
        "satisfied": 2,
        "verdicts": None,
        "MU short": 0.9,
    }
    assert document["agreements"] == [{"column": "MU short", "tau_b": pytest.approx(1.0), "p": 1.0, "metrics": 2}]


def test_whole_numbers_are_shown_as_such(matrix: Any) -> None:
    cells = [wild_cell("RBP(p=0.8)", "Pri", 10, 0, 0, 12), wild_cell("RR", "Pri", 10, 5, 0, 0)]
    text = joined_text(
        "table", join([("m", matrix), ("w", {"schema": "axiomcheck/wild", "version": 1, "depth": 20, "cells": cells})])
    )
    assert [line.split()[-2:] for line in text.splitlines()[2:6:2]] == [["0.000", "12"], ["0.500", "0"]]


def test_headers_of_csv_are_no_formulas() -> None:
    text = joined_text("csv", Joined("stated, graded", ("=1+1",), (), (), ()))
    assert text == "metric,satisfied,'=1+1\n"
