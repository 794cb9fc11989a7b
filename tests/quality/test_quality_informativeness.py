"""docs/how-to/informativeness.md: rows of its tables for TREC 2012, computed again where the runs are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from axiomcheck.runs.informativeness import ListSettings, curve_errors, outcomes, predictions, select, study
from axiomcheck.runs.trec import Options
from tests.runs.trec_data import judgments, needs_data, runs
from tests.support import transcripts

PAGE = Path(transcripts.ROOT / "docs" / "how-to" / "informativeness.md").read_text("utf-8").replace(" .", " 0.")


@needs_data
@pytest.mark.parametrize("target", ["AP", "nDCG"])
def test_rows_of_a_target(target: str) -> None:
    found = study(select(judgments(), runs(), Options(), 10, 50, 30), ListSettings(), [target])
    (ended,), (alone, curves) = outcomes(found), curve_errors(found)
    assert curves.mean is not None
    assert alone.mean is not None
    share = curves.mean.rms / alone.mean.rms
    numbers = f"{ended.statuses['converged']} | {ended.statuses['forced']} | 0 | {ended.several}"
    assert f"| {target} | {numbers} | {curves.mean.rms:.4f} | {curves.mean.mae:.4f} | {share:.2f} |" in PAGE
    cells = {
        one.predicted: f"{one.tau:.3f} / {one.rmsr:.3f} / {one.mare:.3f}"
        for one in predictions(found)
        if one.basis.target == target
    }
    row = re.search(rf"^\| {target} \|(( [\d./ ]*\|){{4}})$", PAGE, re.MULTILINE)
    assert row is not None
    assert [cell.strip() for cell in row[1].split("|")[:4]] == [
        cells.get(name, "") for name in ("ERR", "RBP", "AP", "nDCG")
    ]
