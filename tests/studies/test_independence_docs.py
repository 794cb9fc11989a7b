import doctest
import re
from pathlib import Path

from axiomcheck.core.domain import Regime
from axiomcheck.studies.independence.study import CONDITIONS
from tests.studies.test_independence_contradictions import names

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "independence.md"
TEXT = PAGE.read_text(encoding="utf-8")


def stated_sets(regime: Regime, wish: str) -> set[frozenset[str]]:
    (row,) = re.findall(rf"^\| `{regime.value}` \| {wish} \| ([^|]*) \|", TEXT, re.MULTILINE)
    return {frozenset(inside.split(", ")) for inside in re.findall(r"\{([^}]*)\}", row)}


def test_the_table_of_impossible_sets_is_what_is_found() -> None:
    for regime in (Regime.STATED, Regime.FINITE):
        for wish in CONDITIONS:
            found = {each - {wish} for each in names(regime) if each & set(CONDITIONS) == {wish}}
            assert found
            assert stated_sets(regime, wish) == found
    assert names(Regime.LIMIT) == set()


def test_the_python_examples_run() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False)
    assert outcome.attempted >= 9
    assert outcome.failed == 0
