"""Every command goes on beside faults; the everyday tests have matrix beside a few."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.beside import Command
from tests.faults.test_faults import IN_MATRIX, IN_OTHERS, honest_cells_are_the_same_beside


def test_cells_of_honest_metrics_are_the_same_beside_a_dozen_faults(tmp_path: Path) -> None:
    honest_cells_are_the_same_beside(IN_MATRIX, "matrix", tmp_path)


@pytest.mark.parametrize("command", ["check", "gate"])
def test_a_command_goes_on_where_a_file_cannot_be_loaded(command: Command, tmp_path: Path) -> None:
    honest_cells_are_the_same_beside(IN_OTHERS, command, tmp_path)
