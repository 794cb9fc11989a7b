"""The gate goes on beside faults as check does."""

from __future__ import annotations

from pathlib import Path

from test_faults import goes_on_where_a_file_cannot_be_loaded


def test_the_gate_goes_on_where_a_file_cannot_be_loaded(tmp_path: Path) -> None:
    goes_on_where_a_file_cannot_be_loaded("gate", tmp_path)
