"""Contracts and pins: what they may say, and what somebody got wrong, which is told."""

import json
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result

from axiomcheck import Domain, InvalidInput, Reading, Regime
from axiomcheck.gating.config import load_contract
from tests.gating.gate_projects import project
from tests.support.commands import command

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


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("examples = 50", "exampels = 50", "exampels is not known; did you mean examples?"),
        ('regime = "limit"', 'regime = "limited"', "regime is 'limited'; expected one of 'stated', 'limit', 'finite'"),
        ("timeout = 4.5", "timeout = nan", "timeout is nan; expected"),
        ("tolerance = 0.5", "tolerance = -0.5", 'metrics["RBP@5"].tolerance is -0.5; expected a number >= 0'),
        ("pri =", "Conf =", "axioms: Conf appears twice, once as"),
        ('pri = "holds"', 'pri = "violated"', "pri expects 'violated' but gives no reason"),
        (', reason = "known"', "", "document-twice expects 'fails' but gives no reason"),
        ('"in-range"]', '"in-rang"]', "unknown contract check 'in-rang'; did you mean in-range"),
        ('reference = "RBP@10"', 'reference = "RBP(q=1)"', "unknown parameter of RBP 'q'"),
        ('"P@3"', '"rbp@5"', "would use the same files for their witnesses"),
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


def test_a_heading_of_the_shared_file_in_the_own_one_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "axiomcheck.toml"
    path.write_text('[tool.axiomcheck.metrics."RBP"]\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"\[tool\.axiomcheck\] is only for pyproject\.toml; here, put its"):
        load_contract(path)


ODD: dict[str, Callable[[str], bytes]] = {
    "5,000 digits": lambda text: text.replace("seed = 3", f"seed = {'9' * 5000}").encode(),
    "arrays 3,000 deep": lambda text: text.replace('"pins"', "[" * 3000 + "]" * 3000).encode(),
    "an escape in a name": lambda text: text.replace("pri =", r'"\u001b[31m" =').encode(),
    "a name of 10,000 letters": lambda text: text.replace('"binary"', f'"{"x" * 10_000}"').encode(),
    "cut off": lambda text: text[: text.index("known")].encode(),
    "Latin-1": lambda text: text.replace("known", "für alle").encode("latin-1"),
    "JSON": lambda text: json.dumps(tomllib.loads(text)).encode(),
}
"""Changes that an editor or a full disk may make to the text of a contract."""
SHARED = ("tool = 5", "[tool]\naxiomcheck = 5", "[tool.axiomcheck]\nmetrics = 5", "[[tool]]")


gate = partial(command, "gate", "-j", "1", "--format", "json")


def told(done: Result) -> bool:
    """Say whether a contract was refused, which is done in few plain words; never is there a traceback."""
    assert isinstance(done.exception, SystemExit | None), done.exception
    if done.exit_code != 2:
        return False
    assert done.stderr.startswith("Error: ")
    assert len(done.stderr) < 3_000
    assert done.stderr.removesuffix("\n").replace("\n", "").isprintable()
    return True


@pytest.mark.parametrize("odd", ODD)
def test_odd_contracts_are_told(odd: str, tmp_path: Path) -> None:
    path = tmp_path / "axiomcheck.toml"
    path.write_bytes(ODD[odd](WHOLE))
    assert told(gate("--contract", str(path)))


@pytest.mark.parametrize("content", SHARED)
def test_a_shared_file_of_another_form(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(content, encoding="utf-8")
    for words in ([], ["--contract", "pyproject.toml"]):
        assert told(gate(*words))
