"""The other rows that metrics are compared with."""

from __future__ import annotations

from rows import others
from test_checks_neighbours import assert_kept

from axiomcheck.metrics import paper_rows


def test_the_catalogue_rows_are_what_the_matrix_finds() -> None:
    assert_kept(others(paper_rows(), 20))
