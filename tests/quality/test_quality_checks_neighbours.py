"""The other rows that metrics are compared with."""

from __future__ import annotations

from axiomcheck.metrics import paper_rows
from tests.checks.test_checks_neighbours import assert_kept
from tests.support.suites import others


def test_the_catalogue_rows_are_what_the_matrix_finds() -> None:
    assert_kept(others(paper_rows(), 20))
