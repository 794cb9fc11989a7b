"""What the scripts of `research/` print is what is committed, and a change of a number would show."""

from axiomcheck.core.domain import Regime
from research.claims import __main__ as claims
from research.independence import __main__ as independence
from research.printing import OUTPUT, text_of
from tests.support.suites import quality


def committed(name: str) -> str:
    return (OUTPUT / f"{name}.txt").read_text(encoding="utf-8")


@quality
def test_claims_of_papers_are_as_committed() -> None:
    assert claims.report() == committed("claims")


@quality
def test_the_study_of_the_axioms_is_as_committed() -> None:
    (finite,) = [part for part in committed("independence").split("Regime ") if part.startswith("finite")]
    assert independence.report([Regime.FINITE], 300) == f"Regime {finite}"
    assert "Independent: 10 of 10 axioms" in finite


def test_the_committed_claims_count_every_number_of_both_papers() -> None:
    assert committed("claims").splitlines()[-1].startswith("168 claims:")


def test_text_has_neither_colours_nor_trailing_blanks() -> None:
    assert text_of(lambda console: console.print("[red]one[/red]   \ntwo")) == "one\ntwo\n"
