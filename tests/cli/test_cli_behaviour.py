"""Test what commands share: words in the wrong place, imports, exit codes, files of witnesses, completed names."""

import csv
import io
import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from axiomcheck import AXIOMS, Domain, Regime, matrix
from axiomcheck.cli.documents import write_witnesses
from axiomcheck.cli.program import main
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import parse
from axiomcheck.records.cells import Ledger, SettingsRecord
from axiomcheck.records.values import ReadingRecord
from tests.cli.test_command_conformance import refused
from tests.support.commands import plainly
from tests.support.suites import each

SMALL = ["--examples", "50", "--jobs", "1"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("wekest RBP", "unknown command 'wekest'; did you mean weakest?"),
        ("matrix RBU Red", "Red is an axiom, but a metric is expected; axioms are named with -a"),
        ("matrix -a nDCG@3", "nDCG@3 is a metric, but an axiom is expected; metrics are named without -a"),
        ("matrix RBU -a Red,Sat", "for several, type: -a Red -a Sat"),
        ("own.py:gain -v", "to check a metric, run: axiomcheck check own.py:gain -v"),
        ("score P --qrels gone --run no*.run", "--run no*.run: no file matches the pattern"),
        ("gate RBU RBP", "To create a contract, run: axiomcheck gate --init RBU --init RBP"),
        *((f"{name} Pri RBP", "expected METRIC AXIOM, as in RBP Pri") for name in ("prove", "weakest")),
        ("score -m RR", "score takes METRIC... without -m: main score [OPTIONS] METRIC..."),
        ("prove -M 5", "no option -M; expected a cutoff in the name, such as nDCG@10"),
        ("prove RBU Red --over p=0.5:1", "expected axiomcheck region METRIC AXIOM --over NAME=LOW:HIGH"),
        ("report a.json -a Red", "Red is built in; -a only loads your own axioms and does not select axioms"),
    ],
)
def test_words_in_the_wrong_place_are_named_with_the_command_that_takes_them(words: str, said: str) -> None:
    refused(plainly(*words.split()), said)


def test_help_imports_nothing_heavy_and_matrix_no_solver() -> None:
    code = (
        "import sys\nfrom axiomcheck.cli.program import main\n"
        "for words in (['--help'], ['--version'], ['matrx']):\n"
        "    try:\n        main(words)\n    except SystemExit:\n        pass\n"
        "heavy = {'numpy', 'flint', 'sympy', 'hypothesis', 'rich', 'matplotlib', 'tomlkit'}\n"
        "heavy |= {'axiomcheck.gating', 'axiomcheck.axioms', 'axiomcheck.cli.gate', 'axiomcheck.cli.matrix'}\n"
        "assert not heavy & {*sys.modules}, heavy & {*sys.modules}\n"
        "end, sys.exit = sys.exit, lambda code=0: None\n"
        "main(['matrix', 'RBP', '-a', 'Pri', '--examples', '100', '-j', '1'], standalone_mode=False)\n"
        "assert 'sympy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@each(
    ("code", "most", "without"),
    [
        ("import axiomcheck.cli.score", 99, ("flint.pyflint", "sqlite3", "axiomcheck.engine.run", "axiomcheck.axioms")),
        ("import axiomcheck.cli.matrix", 240, ("axiomcheck.gating", "axiomcheck.checks", "tomlkit", "multiprocessing")),
    ],
    1,
)
def test_imports_load_what_they_use(code: str, most: int, without: tuple[str, ...]) -> None:
    """Count modules, and not seconds: a module that nobody needs is a millisecond or more of every start."""
    unused = (*without, "importlib.metadata", "rich", "scipy", "sympy", "hypothesis", "jinja2")
    ask = "import sys; print(*(name for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{ask}"], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert not {*loaded} & {*unused}
    assert sum(name.startswith("axiomcheck") for name in loaded) <= most


def test_a_proof_that_is_not_there_is_said_on_stderr() -> None:
    words = ["prove", "nDCG@5", "AspRel", "--regime", "finite", "--examples", "50"]
    done = plainly("prove", "RBP", "Pri", "--examples", "50", "-f", "json")
    assert (done.exit_code, json.loads(done.stdout)["schema"]) == (0, "axiomcheck/certificate")
    done = plainly(*words, "-f", "json")
    assert done.stdout == ""
    assert done.exit_code == 2
    assert "neither a certificate nor a witness; nDCG@5 on AspRel is" in done.stderr


def test_replayed_files_are_told_as_json(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    plainly("matrix", "RBP@3", "P@3", "-a", "Pri", *SMALL, "-f", "json", "-o", str(report))
    proved = plainly("prove", "RBP@3", "Pri", "--examples", "50", "-f", "json").stdout
    (tmp_path / "proof.json").write_text(proved, encoding="utf-8")
    witness = json.loads(report.read_text(encoding="utf-8"))["cells"][1]["witness"]
    (tmp_path / "witness.json").write_text(json.dumps(witness), encoding="utf-8")
    names = [str(tmp_path / f"{name}.json") for name in ("witness", "report", "proof")]
    one, report, proof = json.loads(plainly("replay", *names, "-f", "json").stdout)["files"]
    assert one == {
        "file": names[0],
        "document": "witness",
        "metric": "P@3",
        "axiom": "Pri",
        "kind": witness["kind"],
    }
    assert [(c["verdict"], c["witness"], c["certificate"]) for c in report["cells"]] == [
        ("proved", None, True),
        ("refuted", witness["kind"], False),
    ]
    assert (proof["document"], proof["metric"], proof["axiom"]) == ("certificate", "RBP(p=0.8)@3", "Pri")


def test_undecided_cells_are_told_by_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("axiomcheck.cli.matrix.matrix", partial(matrix, exhaustive=False))
    done = plainly("matrix", "RBP", "-a", "Pri", "--examples", "0", "--no-proofs", "-f", "csv", "-j", "1")
    row = next(csv.DictReader(io.StringIO(done.stdout)))
    assert (row["verdict"], done.exit_code) == ("undecided", 4)
    assert "vacuous" in row["reason"]


def test_a_metric_that_speaks_of_a_contradiction_does_not_make_one(tmp_path: Path) -> None:
    """What it raises is its own words, whatever they begin with."""
    file = tmp_path / "sly.py"
    file.write_text(
        "from axiomcheck import MetricError\n\n"
        "def sly(grades, weights):\n    raise MetricError('internal disagreement: planted')\n"
    )
    done = plainly("prove", f"{file}:sly", "DeepTh", "--examples", "10")
    assert "nternal disagreement: planted" in done.stdout
    assert done.exit_code == 4


def test_every_witness_has_a_file_of_its_own_whatever_its_metric_is_called_and_its_regime(tmp_path: Path) -> None:
    named = ["a_b.py:f", "a+b.py:f", "A+B.py:f", "a" * 3000]
    (cell,) = run_matrix([parse("P@3")], [AXIOMS["Conf"]], settings=Settings(examples=50, proofs=False)).cells
    ledger = Ledger("stated", "graded", SettingsRecord(7, 50, True, False), tuple(map(cell.of_metric, named)))
    write_witnesses(ledger.cells, tmp_path)
    found = [json.loads(path.read_text(encoding="utf-8"))["metric"] for path in tmp_path.iterdir()]
    assert sorted(found) == sorted(named)
    cells = [cell.in_reading(ReadingRecord(regime, Domain.GRADED)) for regime in (Regime.STATED, Regime.LIMIT)]
    write_witnesses(cells, tmp_path)
    assert {"P@3-Conf-limit.json", "P@3-Conf-stated.json"} <= {path.name for path in tmp_path.iterdir()}


HUGE = "9" * 4000  # Python reads that many digits, and makes no float of them


@pytest.mark.parametrize(
    "words",
    [
        ["matrix", "RBP", "-a", "Pri", "--examples", HUGE],
        ["matrix", f"RBP@{HUGE}", "-a", "Pri"],
        ["region", "RBP", "CloseTh", "--over", f"k=1:{HUGE}"],
    ],
    ids=lambda words: " ".join(word if len(word) < 20 else f"{word[:8]}..." for word in words),
)
def test_numbers_of_thousands_of_digits_are_refused_in_few_words(words: list[str]) -> None:
    done = plainly(*words)
    refused(done, "")
    assert len(done.stderr) < 2_500


def test_a_witness_of_more_aspects_than_its_metric_knows_is_refused(tmp_path: Path) -> None:
    done = plainly("matrix", "RBP(aggregate=max)", "-a", "AspRel", "--regime", "finite", *SMALL, "-f", "json")
    witness = json.loads(done.stdout)["cells"][0]["witness"]
    (tmp_path / "witness.json").write_text(json.dumps(witness | {"metric": "nDCG"}), encoding="utf-8")
    done = plainly("replay", str(tmp_path / "witness.json"))
    assert done.exit_code == 2
    assert "supports only one aspect, but was given 2" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "weakest own.py:gain Conf --examples 1",
        "score own.py:gain --qrels qrels --run a.run",
    ],
)
def test_what_a_metric_prints_is_no_part_of_a_report(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text("print('loaded')\ndef gain(grades, weights):\n    return grades[:, 0, 0]\n")
    Path("qrels").write_text("1 0 a 1\n2 0 a 1\n", encoding="utf-8")
    Path("a.run").write_text("1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n", encoding="utf-8")
    done = plainly(*words.split(), "-f", "json")
    assert json.loads(done.stdout)
    assert "loaded" in done.stderr


def completed(args: list[str], incomplete: str) -> list[str]:
    return [item.value for item in ShellComplete(main, {}, "axiomcheck", "_C").get_completions(args, incomplete)]


@pytest.mark.parametrize(
    ("args", "incomplete", "expected"),
    [
        (["matrix", "RBU", "-a"], "as", ["AspDiv", "AspRel"]),
        (["matrix", "--format"], "m", ["markdown"]),
        (["prove", "RBU"], "Re", ["Red"]),
        (["explain"], "Re", ["Red", "rectools:"]),
        ([], "mat", ["matrix"]),
    ],
)
def test_values_are_completed(args: list[str], incomplete: str, expected: list[str]) -> None:
    assert completed(args, incomplete) == expected
