import re
from pathlib import Path

import pytest

from axiomcheck import Domain, InvalidInput, Reading, Regime
from axiomcheck.gating.config import load_contract
from tests.gating.gate_projects import project

WHOLE = """
regime = "limit"
domain = "binary"
examples = 50
seed = 3
timeout = 4.5
memory = 100
witnesses = "pins"

[recorded]
version = "0.0.9"
seed = 1
examples = 10
packages = {numpy = "1.0"}

[metrics."RBP@5"]
regime = "finite"
reference = "RBP@10"
tolerance = 0.5
source = "sha256:0"
applied = ["finite", "in-range"]
axioms = {5 = {expect = "violated", reason = " free "}, pri = "holds", Red = {expect = "not-applicable"}}
checks = {document-twice = {expect = "fails", reason = "known"}}

[metrics."P@3"]
"""


def test_everything_that_a_contract_may_say(tmp_path: Path) -> None:
    contract = load_contract(project(tmp_path, WHOLE))
    assert (contract.settings.examples, contract.settings.seed) == (50, 3)
    assert (contract.limits.seconds, contract.limits.megabytes) == (4.5, 100)
    assert (contract.recorded.version, contract.recorded.packages) == ("0.0.9", {"numpy": "1.0"})
    first, second = contract.metrics
    assert first.reading == Reading(Regime.FINITE, Domain.BINARY)
    assert second.reading == Reading(Regime.LIMIT, Domain.BINARY)
    assert {name: (e.expect, e.reason) for name, e in first.axioms.items()} == {
        "Conf": ("violated", "free"),
        "Pri": ("holds", ""),
        "Red": ("not-applicable", ""),
    }
    assert (first.checks, first.reference, first.tolerance) == ({"document-twice": "known"}, "RBP@10", 0.5)
    assert (first.applied, second.applied) == (("finite", "in-range"), ())
    assert contract.witness_path("a/b.py:c", "Pri") == tmp_path / "pins" / "a_b.py_c-Pri.json"
    assert not second.axioms


def test_defaults(tmp_path: Path) -> None:
    contract = load_contract(project(tmp_path, '[metrics."RBP"]'))
    assert (contract.settings.examples, contract.settings.seed) == (20_000, 0)
    assert (contract.limits.seconds, contract.limits.megabytes) == (120, 2048)
    assert contract.metrics[0].reading == Reading()
    assert contract.recorded is None


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("examples = 50", "exampels = 50", "exampels is not known; did you mean examples?"),
        ("tolerance = 0.5", "tolerence = 0.5", "did you mean tolerance"),
        ('regime = "limit"', 'regime = "limited"', "regime is 'limited'; expected one of 'stated', 'limit', 'finite'"),
        ('domain = "binary"', "domain = 2", "domain is 2; expected a string"),
        ("examples = 50", "examples = true", "examples is True; expected a whole number"),
        ("examples = 50", "examples = -1", "examples is -1"),
        ("seed = 3", 'seed = "3"', "seed is '3'; expected a whole number"),
        ("timeout = 4.5", "timeout = 0", "timeout is 0; expected"),
        ("timeout = 4.5", "timeout = nan", "timeout is nan; expected"),
        ("memory = 100", "memory = 1", "memory is 1; expected"),
        ("memory = 100", "memory = 99999999999999999", "expected a whole number <= 1099511627776"),
        ('witnesses = "pins"', "witnesses = 1", "witnesses is 1; expected"),
        ("tolerance = 0.5", "tolerance = -0.5", 'metrics["RBP@5"].tolerance is -0.5; expected a number >= 0'),
        ("pri =", "prio =", "unknown axiom 'prio'; did you mean Pri?"),
        ("pri =", "Conf =", "axioms: Conf appears twice, once as"),
        ('pri = "holds"', 'pri = "hold"', "axioms.pri is 'hold'; expected one of 'holds', 'incomparable'"),
        ('pri = "holds"', "pri = 1", "axioms.pri is 1; expected a string or a table"),
        ('pri = "holds"', 'pri = {reason = "x"}', "pri.expect is missing"),
        ('pri = "holds"', 'pri = {expect = "holds", why = "x"}', "pri.why is not known; expected expect, reason"),
        ('pri = "holds"', 'pri = "violated"', "pri expects 'violated' but gives no reason"),
        ('reason = " free "', 'reason = "  "', "axioms.5 expects 'violated' but gives no reason"),
        (', reason = "known"', "", "document-twice expects 'fails' but gives no reason"),
        ("document-twice", "document-twise", "unknown contract check 'document-twise'; did you mean document-twice"),
        ('"in-range"]', '"in-rang"]', "unknown contract check 'in-rang'; did you mean in-range"),
        ('["finite", "in-range"]', '"finite"', "applied is 'finite'; expected a list"),
        ('expect = "fails"', 'expect = "passes"', "expected 'fails'"),
        ('"RBP@5"', '"RBX@5"', "unknown metric 'RBX'; did you mean RBU, RBP"),
        ('reference = "RBP@10"', 'reference = "RBP(q=1)"', "unknown parameter of RBP 'q'"),
        ('"P@3"', '"rbp@5"', "would use the same files for their witnesses"),
        ("seed = 1\n", "", "recorded.seed is missing"),
        ('numpy = "1.0"', "numpy = 1", "recorded.packages.numpy is 1; expected a string"),
        ('[metrics."P@3"]', '[metrics]\n"P@3" = 3', 'metrics["P@3"] is 3; expected a table'),
        ("seed = 3", "seed = = 3", "not valid TOML"),
        ('[metrics."P@3"]', "[metrics.my.py:gain]", 'names of metrics need quotes, as in [metrics."my.py:gain"]'),
    ],
)
def test_wrong_entries_are_told_with_their_place(before: str, after: str, said: str, tmp_path: Path) -> None:
    assert before in WHOLE
    path = project(tmp_path, WHOLE.replace(before, after, 1))
    with pytest.raises(InvalidInput) as caught:
        load_contract(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


def test_a_contract_without_metrics_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no metrics; expected a table"):
        load_contract(project(tmp_path, "examples = 3"))


def test_the_contract_s_own_file_comes_before_the_shared_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=r"expected axiomcheck\.toml, which .*, or pyproject\.toml with"):
        load_contract()
    shared = tmp_path / "pyproject.toml"
    shared.write_text("[tool.other]\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="no contract"):
        load_contract()
    shared.write_text('[tool.axiomcheck.metrics."RBP"]\n', encoding="utf-8")
    assert [m.name for m in load_contract().metrics] == ["RBP"]
    shared.write_text("[tool.axiomcheck]\nmetric = 1\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"tool\.axiomcheck\.metric is not known; did you mean metrics"):
        load_contract()
    (tmp_path / "axiomcheck.toml").write_text('[metrics."P@3"]\n', encoding="utf-8")
    assert [m.name for m in load_contract().metrics] == ["P@3"]
    (tmp_path / "axiomcheck.toml").write_text('[declared."a.py:b"]\n', encoding="utf-8")
    shared.write_text('[tool.axiomcheck.metrics."RBP"]\n', encoding="utf-8")
    assert [m.name for m in load_contract().metrics] == ["RBP"]


def test_headings_that_the_message_without_a_contract_advises_are_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput) as caught:
        load_contract()
    advised = dict(re.findall(r"(axiomcheck\.toml|pyproject\.toml)\D*?(\[\S+\])", str(caught.value)))
    assert set(advised) == {"axiomcheck.toml", "pyproject.toml"}
    for name, heading in advised.items():
        (tmp_path / name).write_text(f"{heading}\n", encoding="utf-8")
        assert [m.name for m in load_contract(tmp_path / name).metrics] == ["my_metrics.py:my_metric"]
        (tmp_path / name).unlink()


def test_a_heading_of_the_shared_file_in_the_own_one_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "axiomcheck.toml"
    path.write_text('[tool.axiomcheck.metrics."RBP"]\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"\[tool\.axiomcheck\] is only for pyproject\.toml; here, put its"):
        load_contract(path)
