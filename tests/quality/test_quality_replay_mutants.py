"""The other five sixths of the mutants of real reports."""

from __future__ import annotations

from typing import Any

from tests.replay.test_replay_mutants import (
    every_mutant_is_refused_or_argued_harmless,
    form_is_refused_by_the_published_schema,
)


def test_every_mutant_is_refused_or_argued_harmless(record_property: Any) -> None:
    said = every_mutant_is_refused_or_argued_harmless(lambda number: number % 6 > 0, 3300)
    record_property("mutants", said)
    print(said)


def test_what_the_reader_refuses_for_its_form_the_published_schema_refuses() -> None:
    form_is_refused_by_the_published_schema(lambda number: number % 4 > 0, 400)
