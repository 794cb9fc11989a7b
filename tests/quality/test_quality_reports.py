"""Reports of runs in the readings that the everyday tests leave out."""

from __future__ import annotations

import pytest

from axiomcheck.core.domain import Reading
from tests.reports.reports_ledgers import READINGS
from tests.reports.test_reports_json import comes_back_as_it_was, meets_the_schema, reader_knows_the_roles
from tests.reports.test_reports_replay import pair_witnesses_are_printed_in_full, threshold_witnesses_are_printed
from tests.reports.test_reports_terminal import WIDTHS, findings_are_those_of_the_ledger, has_one_row_per_metric
from tests.reports.test_reports_text import (
    csv_has_every_cell,
    findings_are_one_sentence_with_their_witness,
    markdown_has_a_row_per_metric,
)
from tests.support.suites import others

each_other = pytest.mark.parametrize("reading", others(READINGS, 3), ids=str)


@each_other
def test_json(reading: Reading) -> None:
    meets_the_schema(reading)
    comes_back_as_it_was(reading)


@each_other
@pytest.mark.parametrize("width", WIDTHS)
def test_terminal(reading: Reading, width: int) -> None:
    has_one_row_per_metric(reading, width)
    findings_are_those_of_the_ledger(reading, width)


@each_other
def test_csv_and_markdown(reading: Reading) -> None:
    csv_has_every_cell(reading)
    markdown_has_a_row_per_metric(reading)


def test_witnesses_and_findings() -> None:
    reader_knows_the_roles(READINGS)
    pair_witnesses_are_printed_in_full(READINGS)
    threshold_witnesses_are_printed(READINGS)
    findings_are_one_sentence_with_their_witness(READINGS)
