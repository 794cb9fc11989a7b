"""Contracts and reasons: what they may say, how they begin, and what somebody got wrong, which is told."""

import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result

from axiomcheck import Domain, Reading, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.gating.config import load_contract
from axiomcheck.gating.record import write_first
from tests.gating.gate_projects import LEDGER, PASSED, leave_checks_out, project
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


METRIC = "P@2"
"""Violates Pri, since the order of documents has no effect, and Conf."""
BARE = f'examples = 300\n[metrics."{METRIC}"]\nregime = "finite"\n[metrics."{METRIC}".axioms]\nPri = "holds"\n'


@pytest.fixture(autouse=True)
def one_check_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all contract checks pass but one, without running them."""
    leave_checks_out(monkeypatch, [replace(PASSED[0], status="failed", reason="it is above 1"), *PASSED[1:]])


FAILING = PASSED[0].check


gated = partial(command, "gate", "-j", "1", input="")


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("axiomcheck.cli.gate.can_ask", lambda: True)


def test_without_a_terminal_the_reason_is_to_do_and_the_next_run_names_its_line(tmp_path: Path) -> None:
    path = project(tmp_path, BARE)
    done = gated("--contract", str(path), "--update")
    assert done.exit_code == 0, done.output
    lines = [n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if 'reason = "TODO"' in line]
    assert len(lines) == 2
    assert f"Next: replace TODO with a reason in axiomcheck.toml, lines {lines[0]}, {lines[1]}." in done.stderr
    refused = gated("--contract", str(path))
    assert refused.exit_code == 2
    assert f"{path}:{lines[0]}: the reason is still TODO" in refused.stderr
    assert f"(also on line {lines[1]}); replace it with why this is acceptable:\nPri = {{expect" in refused.stderr
    with pytest.raises(InvalidInput, match="still TODO"):
        load_contract(path)
    done = gated("--contract", str(path), "--update")
    assert done.exit_code == 0, done.output
    assert path.read_text(encoding="utf-8").count("TODO") == 2


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ('Conf = {expect = "violated", reason = "TODO"}', True),
        ("Conf = {expect = 'violated', 'reason' = 'TODO: ask Ann'}", True),
        ('[metrics."P@2".axioms.Conf]\nexpect = "violated"\nreason = "TODO"', True),
        ('Conf.reason = """\nTODO"""\nConf.expect = "violated"', False),
    ],
)
def test_a_reason_that_is_to_do_is_found_however_it_is_written(line: str, named: bool, tmp_path: Path) -> None:
    path = project(tmp_path, f'[metrics."P@2".axioms]\n# reason = "TODO"\n{line}\n')
    with pytest.raises(InvalidInput) as refused:
        load_contract(path)
    number = 2 + len(line.splitlines())
    assert (f"{path}:{number}: " if named else "the reason for P@2, Conf is still TODO") in str(refused.value)
    assert load_contract(path, unfinished=True).metrics[0].unexplained == ["Conf"]


def test_on_a_terminal_each_kind_of_failure_is_asked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    path = project(tmp_path, BARE + BARE.partition("\n")[2].replace(METRIC, "P@3"))
    done = gated("--contract", str(path), "--update", input="like this\n\n")
    assert done.exit_code == 0, done.output
    for said in tomllib.loads(path.read_text(encoding="utf-8"))["metrics"].values():
        assert said["axioms"]["Pri"]["reason"] == "like this"
        assert said["checks"][FAILING]["reason"] == "TODO"
    first, second, _ = done.stderr.split("Why is this acceptable?")
    assert (first.count("must score above"), second.count("it is above 1")) == (2, 2)


def test_who_gives_no_answer_has_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    path = project(tmp_path, BARE)
    before = path.read_bytes()
    assert gated("--contract", str(path), "--update").exit_code == 130
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [("--reason", "x"), ("--update", "--reason", "  "), ("--update", "--budget", "5s"), ("--contract", "none.toml")],
)
def test_options_that_do_not_go_together_are_turned_down(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, BARE)
    monkeypatch.chdir(tmp_path)
    assert gated(*words).exit_code == 2


def test_a_first_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path / LEDGER))  # what one run finds the next one knows
    done = gated("--init", METRIC, "--reason", "so it is")
    assert done.exit_code == 0, done.output
    contract = load_contract(tmp_path / "axiomcheck.toml")
    assert [metric.name for metric in contract.metrics] == [METRIC]
    assert contract.metrics[0].axioms["Conf"].reason == "so it is"
    assert gated().exit_code == 0
    kept = (tmp_path / "axiomcheck.toml").read_bytes()
    again = gated("--init", METRIC, "--reason", "so it is")
    assert again.exit_code == 2
    assert "is not overwritten" in again.stderr
    assert (tmp_path / "axiomcheck.toml").read_bytes() == kept


def test_errors_leave_no_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for metric, code in (("missing.py:gain", 1), ("nDCX", 2)):
        assert gated("--init", metric, "--reason", "x").exit_code == code
        assert not (tmp_path / "axiomcheck.toml").exists()


def test_a_contract_in_a_shared_file_is_not_doubled(tmp_path: Path) -> None:
    shared = tmp_path / "pyproject.toml"
    shared.write_text('[tool.axiomcheck.metrics."RBP"]\n', encoding="utf-8")
    for path in (shared, tmp_path / "axiomcheck.toml"):
        with pytest.raises(InvalidInput, match="belongs here"):
            write_first(["gain.py:gain"], path)
    assert not (tmp_path / "axiomcheck.toml").exists()


def test_a_file_is_named_from_where_the_contract_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lab").mkdir()
    monkeypatch.chdir(tmp_path)
    path = write_first(["lab/gain.py:gain", "RBU(p=0.9)@10"], tmp_path / "lab" / "c.toml")
    assert list(tomllib.loads(path.read_text(encoding="utf-8"))["metrics"]) == ["gain.py:gain", "RBU(p=0.9)@10"]
