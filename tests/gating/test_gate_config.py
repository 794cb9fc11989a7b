"""Contracts and pins: what they may say, and what somebody got wrong, which is told."""

import json
import random
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from axiomcheck import Domain, InvalidInput, Reading, Regime
from axiomcheck.cli.program import main
from axiomcheck.gating.config import load_contract
from tests.gating.gate_projects import leave_checks_out, project, updated
from tests.support.suites import exhaustive, few

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
        ("examples = 50", "examples = true", "examples is True; expected a whole number"),
        ("timeout = 4.5", "timeout = nan", "timeout is nan; expected"),
        ("tolerance = 0.5", "tolerance = -0.5", 'metrics["RBP@5"].tolerance is -0.5; expected a number >= 0'),
        ("pri =", "prio =", "unknown axiom 'prio'; did you mean Pri?"),
        ("pri =", "Conf =", "axioms: Conf appears twice, once as"),
        ('pri = "holds"', 'pri = "hold"', "axioms.pri is 'hold'; expected one of 'holds', 'incomparable'"),
        ('pri = "holds"', 'pri = "violated"', "pri expects 'violated' but gives no reason"),
        (', reason = "known"', "", "document-twice expects 'fails' but gives no reason"),
        ('"in-range"]', '"in-rang"]', "unknown contract check 'in-rang'; did you mean in-range"),
        ('["finite", "in-range"]', '"finite"', "applied is 'finite'; expected a list"),
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


def test_a_heading_of_the_shared_file_in_the_own_one_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "axiomcheck.toml"
    path.write_text('[tool.axiomcheck.metrics."RBP"]\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"\[tool\.axiomcheck\] is only for pyproject\.toml; here, put its"):
        load_contract(path)


GOOD = """\
regime = "finite"
domain = "graded"
examples = 1
seed = 0
timeout = 60
memory = 2048
witnesses = "pins"

[metrics."RBP@5"]
regime = "finite"
reference = "RBP(p=0.8)@5"
tolerance = 1e-9
applied = ["finite"]
axioms = {Conf = {expect = "violated", reason = "trailing documents are free"}, Pri = "holds"}
"""
PIN = "pins/RBP_p=0.8_@5-Conf.json"
VALUES = {
    "5,000 digits": "9" * 5000,
    "infinity": "inf",
    "no number": "nan",
    "true": "true",
    "nothing": '""',
    "a right-to-left override": r'"\u202e"',
    "an escape": r'"\u001b[31m"',
    "a name of 10,000 letters": f'"{"x" * 10_000}"',
    "arrays 3,000 deep": "[" * 3000 + "]" * 3000,
    "a table": "{expect = 5}",
}


def mutated_contracts() -> dict[str, bytes]:
    lines, rng = GOOD.splitlines(), random.Random(0)
    found: dict[str, bytes] = {}

    def put(name: str, text: str) -> None:
        found[name] = text.encode()

    for at, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        rest = [*lines[:at], *lines[at + 1 :]]
        if line:
            put(f"line {at} left out", "\n".join(rest))
            put(f"line {at} twice", "\n".join([*lines[: at + 1], *lines[at:]]))
        for name, value in VALUES.items() if equals else ():
            put(f"line {at}, {key}: {name}", "\n".join([*lines[:at], f"{key} = {value}", *lines[at + 1 :]]))
    for size in rng.sample(range(1, len(GOOD)), 25):
        put(f"cut after {size}", GOOD[:size])
    good = GOOD.encode()
    for k in range(40):
        at, bit = rng.randrange(len(good)), rng.randrange(8)
        found[f"bit {bit} of byte {at}, {k}"] = good[:at] + bytes([good[at] ^ 1 << bit]) + good[at + 1 :]
    for name, value in VALUES.items():
        put(f"a metric called {name}", f"[metrics]\n{json.dumps(value[:300])} = {{axioms = {{Pri = 'holds'}}}}")
        put(f"axioms: Pri is {name}", GOOD.replace('"holds"', value))
    found |= {
        "nothing at all": b"",
        "a byte order mark": b"\xef\xbb\xbf" + good,
        "Latin-1": GOOD.replace("free", "frei für alle").encode("latin-1"),
        "line ends of Windows": good.replace(b"\n", b"\r\n"),
        "JSON": json.dumps(tomllib.loads(GOOD)).encode(),
    }
    return found


SHARED = ("tool = 5", "tool = []", 'tool = "x"', "[tool]\naxiomcheck = 5", "[tool.axiomcheck]\nmetrics = 5", "[[tool]]")


@pytest.fixture
def pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a recorded contract, whose checks all pass without being run."""
    leave_checks_out(monkeypatch)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "axiomcheck.toml"
    path.write_text(GOOD.replace("RBP@5", "RBP(p=0.8)@5"), encoding="utf-8")
    updated(path)
    assert (tmp_path / PIN).is_file()
    return path


def gate(*words: str) -> Result:
    return CliRunner().invoke(main, ["gate", "-j", "1", "--format", "json", *words])


def told(done: Result) -> bool:
    """Say whether a contract was refused, which is done in few plain words; never is there a traceback."""
    assert isinstance(done.exception, SystemExit | None), done.exception
    if done.exit_code != 2:
        return False
    assert done.stderr.startswith("Error: ")
    assert len(done.stderr) < 3_000
    assert done.stderr.removesuffix("\n").replace("\n", "").isprintable()
    return True


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=exhaustive)])
def test_mutated_contracts_are_told_or_judged(step: int, pinned: Path) -> None:
    came = []
    for name, content in few(list(mutated_contracts().items()), step):
        pinned.write_bytes(content)
        try:
            came.append(told(gate()))
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    assert len(came) / 20 < came.count(False) < len(came) / 2


@pytest.mark.parametrize("content", SHARED)
def test_a_shared_file_of_another_form(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(content, encoding="utf-8")
    for words in ([], ["--contract", "pyproject.toml"]):
        assert told(gate(*words))


def test_a_pin_that_is_no_witness_is_told_or_makes_an_error(pinned: Path) -> None:
    path = pinned.parent / PIN
    good = path.read_text(encoding="utf-8")
    deep = ("[" * 3000 + "]" * 3000, '{"a": ' * 3000 + "1" + "}" * 3000)
    more = (good[:200], good.replace('"minimal"', f'"more": {"9" * 5000}, "minimal"'))
    for text in ("", "[]", "null", "{", "9" * 5000, "\0", *deep, *more):
        path.write_text(text, encoding="utf-8")
        done = gate()
        assert isinstance(done.exception, SystemExit), (text[:300], done.exception)
        if done.exit_code == 2:
            assert done.stderr.startswith("Error: ")
            continue
        (conf,) = [judged for judged in json.loads(done.stdout)["cells"] if judged["axiom"] == "Conf"]
        assert (done.exit_code, conf["status"]) == (1, "error"), (text[:300], conf["message"])
