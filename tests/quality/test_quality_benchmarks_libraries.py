"""Rows of docs/reference/libraries.md that the everyday tests leave out: a measure of each other library."""

from __future__ import annotations

import pytest

from tests.benchmarks.test_benchmarks_libraries import the_page_has_its_row

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize(
    ("name", "library"),
    [
        ("ir_measures:P@10", "pytrec_eval"),
        ("ir_measures:StRecall@10", "pyndeval"),
    ],
)
def test_a_row_of_the_page(name: str, library: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(library)
    the_page_has_its_row(name, capsys)
