"""Tables and lists in pages are those of the program."""

from __future__ import annotations

import re

from axiomcheck.checks.contract import CHECKS
from axiomcheck.cli.exits import MEANINGS
from axiomcheck.reports.bundle.measures import AD_HOC, ASPECTS
from axiomcheck.studies.weakest import ASSUMPTIONS
from axiomcheck.studies.weakest.search import FEWEST, MOST
from tests.support.transcripts import ROOT


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_page_on_reports_has_every_exit_code() -> None:
    codes = re.findall(r"^\| (\d+) \|", page("reference/report.md"), re.MULTILINE)
    assert [int(code) for code in codes] == list(MEANINGS)


def test_the_page_on_contract_checks_says_what_each_asks_and_shows_its_fault() -> None:
    text = page("reference/contract-checks.md")
    for check in CHECKS.values():
        assert f"| `{check.name}` | {check.asks} |" in text
    shown = {name for name in CHECKS if f'ask("{name}"' in text or f'checks=["{name}"]' in text}
    assert set(CHECKS) - shown == {"measures-together"}  # it takes a library


def test_the_page_on_bundles_has_every_measure() -> None:
    lines = [f"| {line.metric.name} | {line.measure} | {line.where} |" for line in AD_HOC]
    lines += [f"| {', '.join(kind.name for kind in e.metrics)} | {e.measure} | {e.where} |" for e in ASPECTS]
    assert "\n".join(["| --- | --- | --- |", *lines, "", ""]) in page("how-to/bundle.md")


def test_the_page_on_the_weakest_assumptions_has_every_assumption() -> None:
    text = page("how-to/weakest.md")
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    assert {name for name in ASSUMPTIONS if any(f"`{name}`" in row for row in rows)} == set(ASSUMPTIONS)
    assert f"at least {FEWEST} of them" in text
    assert len(["single assumptions", "pairs", "triples"]) == MOST
