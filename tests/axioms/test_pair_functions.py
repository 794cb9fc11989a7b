"""Axioms that are functions of two rankings are decided as the ten are, and functions that are none are refused."""

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import axiomcheck
from axiomcheck import AXIOMS, InvalidInput, Verdict, find_axiom
from axiomcheck.axioms.pair_functions import PAIRS, pair_axiom
from axiomcheck.cli.program import main
from tests.axioms.classic_axioms import CLASSIC, classic
from tests.support.forked import axiomcheck_command
from tests.support.suites import each, quality

METRICS = ["alpha-nDCG@5", "RBU@5"]

MINE = '''
from axiomcheck import pair_axiom

@pair_axiom(pairs="swapped")
def swap_up(topic, better, worse):
    """A more relevant document first."""
    if sorted(better) != sorted(worse):
        return False
    first = next(k for k in range(len(worse)) if better[k] != worse[k])
    return topic.pool[better[first]] > topic.pool[worse[first]]
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def invoke(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_a_classic_axiom_as_a_function_gets_the_catalogues_verdicts() -> None:
    """A function is never proved, so that what is proved or bounded has to be held."""
    options: Any = {"regime": "finite", "examples": 20, "jobs": 1}
    found = axiomcheck.matrix(METRICS, [classic("Conf")], **options)
    known = axiomcheck.matrix(METRICS, "Conf", proofs=False, **options)
    for mine, theirs in zip(found.cells, known.cells, strict=True):
        expected = Verdict.HELD if theirs.verdict.satisfied else theirs.verdict
        assert mine.verdict is expected, (mine.metric, mine.reason, theirs.verdict)
        assert (mine.witness is None) is (theirs.witness is None)
    assert {Verdict.HELD, Verdict.REFUTED} <= {cell.verdict for cell in found.cells}


def test_an_axiom_of_several_aspects_is_asked_of_metrics_that_know_them() -> None:
    @axiomcheck.pair_axiom(aspects=2, pairs="longer")
    def covered(topic: Any, better: list[str], worse: list[str]) -> bool:
        return worse == better[:-1] and all(topic.pool[better[-1]]) and not any(map(any, map(topic.pool.get, worse)))

    found = axiomcheck.matrix(["ERR-IA@5", "nDCG@5"], [covered], regime="finite", examples=30, jobs=1)
    assert [cell.verdict for cell in found.cells] == [Verdict.HELD, Verdict.NOT_APPLICABLE]


def test_one_file_of_ten_lines_is_a_column_with_a_witness_that_replays(folder: Path) -> None:
    words = ["RBP", "P@2", "-a", "Pri", "-a", "mine.py:swap_up", "--examples", "50", "--regime", "finite"]
    done = invoke("matrix", *words, "-j", "1", "-f", "json", "-o", "report.json", "--witnesses", "found")
    assert done.exit_code == 0, done.output
    cells = json.loads((folder / "report.json").read_text(encoding="utf-8"))["cells"]
    assert {(c["metric"], c["axiom"]): c["verdict"] for c in cells} == {
        ("RBP(p=0.8)", "Pri"): "proved",
        ("RBP(p=0.8)", "mine.py:swap_up"): "held",
        ("P@2", "Pri"): "refuted",
        ("P@2", "mine.py:swap_up"): "refuted",
    }
    assert "mine.py:swap_up" in invoke("report", "report.json", "-a", "mine.py:swap_up").output
    (witness,) = (folder / "found").glob("*swap_up*")
    for file in ("report.json", str(witness)):
        assert invoke("replay", file, "-a", "mine.py:swap_up").exit_code == 0
    assert "A more relevant document first." in invoke("explain", "mine.py:swap_up").output


@quality
def test_a_report_alone_loads_no_axiom(folder: Path) -> None:
    """In processes that have not loaded it for somebody else."""
    (folder / "mine.py").rename(folder / "alone.py")
    words = "matrix P@2 -a alone.py:swap_up --examples 20 -j 1 -f json -o report.json"
    assert axiomcheck_command(words.split(), folder).code == 0
    (folder / "alone.py").write_text(MINE + "\nimport sys\nprint('loaded', file=sys.stderr)\n", encoding="utf-8")
    alone = axiomcheck_command(["replay", "report.json"], folder)
    assert alone.code == 2
    assert "loaded" not in alone.stderr
    assert "name it with --axiom alone.py:swap_up" in " ".join(alone.stderr.split())
    named = axiomcheck_command(["replay", "report.json", "-a", "alone.py:swap_up"], folder)
    assert (named.code, "loaded" in named.stderr) == (0, True)


def test_a_witness_that_does_not_meet_the_premises_any_more_is_refused(folder: Path) -> None:
    words = ["P@2", "-a", "mine.py:swap_up", "--examples", "20", "-j", "1", "--witnesses", "found"]
    assert invoke("matrix", *words).exit_code == 0
    (file,) = (folder / "found").iterdir()
    witness = json.loads(file.read_text(encoding="utf-8"))
    pool = witness["topic"]["pool"]
    for name in ("d1", "d2"):
        pool[name] = ["1"]
    file.write_text(json.dumps(witness), encoding="utf-8")
    done = invoke("replay", str(file), "-a", "mine.py:swap_up")
    assert done.exit_code == 2
    assert "does not meet the premises of mine.py:swap_up" in done.output


@quality
def test_worker_processes_and_metrics_of_files_find_the_axiom_by_its_name(folder: Path) -> None:
    (folder / "own.py").write_text(
        "def gain(topic, ranking):\n    return sum(max(topic.pool[d]) / 2 ** (k + 1) for k, d in enumerate(ranking))\n",
        encoding="utf-8",
    )
    words = ["P@2", "own.py:gain", "-a", "mine.py:swap_up", "--examples", "20"]
    done = invoke("matrix", *words, "-j", "2", "-f", "json")
    assert done.exit_code == 0, done.output
    assert [cell["verdict"] for cell in json.loads(done.stdout)["cells"]] == ["refuted", "held"]


def test_a_function_of_a_notebook_is_an_axiom_for_metrics_of_this_process() -> None:
    def gain(topic: Any, ranking: list[str]) -> float:
        return sum(max(topic.pool[d]) for d in ranking)

    @axiomcheck.pair_axiom(pairs="replaced")
    def really_better(topic: Any, better: list[str], worse: list[str]) -> bool:
        pairs = [(topic.pool[b], topic.pool[w]) for b, w in zip(better, worse)] * (len(better) == len(worse))  # noqa: B905
        return all(b >= w for b, w in pairs) and any(b > w for b, w in pairs)

    options: Any = {"regime": "finite", "examples": 20, "exhaustive": False, "proofs": False}
    result = axiomcheck.matrix([gain, "RR"], [really_better], jobs=1, **options)
    assert [str(cell.verdict) for cell in result.cells] == ["held", "refuted"]
    assert really_better.reading[0] == "tested pairs: one document replaced by another"


def test_an_axiom_object_is_refused_for_metrics_that_other_processes_decide(folder: Path) -> None:
    (folder / "own.py").write_text("def gain(topic, ranking):\n    return 0.0\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"give the axiom by name, such as 'my_axioms.py:costly_tail'"):
        axiomcheck.matrix("own.py:gain", [classic("Conf")])


def raises(topic: Any, better: list[str], worse: list[str]) -> bool:
    return better[7] > worse[7]


def answers_none(topic: Any, better: list[str], worse: list[str]) -> Any:
    return None


def never(topic: Any, better: list[str], worse: list[str]) -> bool:
    return False


def both_ways(topic: Any, better: list[str], worse: list[str]) -> bool:
    return len(better) == len(worse)


def changes_the_pool(topic: Any, better: list[str], worse: list[str]) -> bool:
    topic.pool[better[0]] = (0,)
    return len(better) > len(worse)


def of_two(better: list[str], worse: list[str]) -> bool:
    return True


CALLS = [0]


def counts_calls(topic: Any, better: list[str], worse: list[str]) -> bool:
    CALLS[0] += 1
    return len(better) > len(worse) and CALLS[0] % 3 == 0


def conf(topic: Any, better: list[str], worse: list[str]) -> bool:
    return len(better) < len(worse)


@pytest.mark.parametrize(
    ("function", "options", "says"),
    [
        (raises, {}, r"raised IndexError: list index out of range \(line \d+\) for better = "),
        (answers_none, {}, "returned None; expected True if better must score above worse"),
        (never, {}, "did not return True for any of about a thousand edited pairs of rankings of up to 6 documents"),
        (both_ways, {}, "and vice versa"),
        (changes_the_pool, {}, "'mappingproxy' object does not support item assignment"),
        (of_two, {}, r"cannot be called as of_two\(topic, better, worse\)"),
        (counts_calls, {}, "returns a different answer when called again"),
        (conf, {}, "is already the name of a built-in axiom; rename"),
        (both_ways, {"strict": "no"}, "axiom both_ways: strict is 'no'; expected True or False"),
        (both_ways, {"aspects": 9}, "aspects is 9; expected an integer from 1 to 8"),
        (CLASSIC["Pri"], {"pairs": "longer"}, r"did not return True for any .* \(longer\)"),
    ],
)
def test_functions_that_are_no_axioms_are_refused(function: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        pair_axiom(**options)(function)


ODD = """

def odd(topic, better, worse):
    {}
    return swap_up.function(topic, better, worse)

refused = pair_axiom(pairs="turned")(odd)
odd = pair_axiom(pairs="swapped")(odd)
"""


@pytest.mark.parametrize(
    ("line", "words", "said"),
    [
        (
            "print('é\\n', better)",
            "",
            "Error: axiom odd.py:odd wrote to standard output, which is reserved for reports: 'é'",
        ),
        ("__import__('time').sleep(60)", "--timeout 0.3", "ran past the limit of 0.3 s (--timeout)"),
        ("1 / 0", "", "Error: the function of axiom odd raised ZeroDivisionError: division by zero"),
    ],
)
def test_an_axiom_that_misbehaves_is_named_and_the_others_of_its_file_are_decided(
    line: str, words: str, said: str, folder: Path
) -> None:
    (folder / "odd.py").write_text(MINE + ODD.format(line), encoding="utf-8")
    done = invoke("matrix", "P@2", *(words or "-a odd.py:odd").split(), "-a", "odd.py:odd", "-f", "json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    if "1 / 0" in line:
        assert invoke("matrix", "P@2", "-a", "odd.py:swap_up", "--examples", "9").exit_code == 0


def test_what_an_axiom_prints_later_is_no_part_of_a_report(folder: Path) -> None:
    (folder / "odd.py").write_text(
        MINE + ODD.format("topic.pool['d1'][0].denominator > 4 and print('late')"), encoding="utf-8"
    )
    done = invoke("matrix", "P@2", "-a", "odd.py:odd", "--examples", "30", "-j", "1", "-f", "json")
    assert json.loads(done.stdout)["cells"]
    assert "late" in done.stderr


def test_a_function_that_contradicts_itself_on_long_rankings_only_is_not_held_against_the_metric() -> None:
    def seldom(topic: Any, better: list[str], worse: list[str]) -> bool:
        return len({*better, *worse}) > 7 or better > worse

    with pytest.raises(InvalidInput, match=r"axiom seldom: its function requires .* to be ahead of .*, and vice versa"):
        axiomcheck.matrix(["RBP"], axioms=[pair_axiom(pairs="swapped")(seldom)], examples=200)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mine.py", "it is a file; expected the name of an axiom in it, as in mine.py:name"),
        ("gone.py:swap_up", "there is no file gone.py"),
        ("mine.py:gone", "unknown name in mine.py 'gone'"),
        ("mine.py:plain", "it is a function; decorate it with @axiomcheck.pair_axiom"),
        ("mine.py:number", "it is 3; expected a function with @axiomcheck.pair_axiom"),
        ("broken.py:swap_up", "broken.py cannot be loaded: ZeroDivisionError"),
    ],
)
def test_what_is_no_axiom_in_a_file_is_said_to_be_none(name: str, says: str, folder: Path) -> None:
    (folder / "mine.py").write_text("number = 3\ndef plain(topic, better, worse):\n    return False\n")
    (folder / "broken.py").write_text("1 / 0\n")
    done = invoke("matrix", "P@2", "-a", name)
    assert done.exit_code == 2
    assert says in done.output.replace("\n", " ")


@each("way", [*PAIRS][::2], 3)
def test_every_kind_of_pair_is_found_out_by_itself(way: str) -> None:
    edit = PAIRS[way]

    @cache
    def pairs(n: int) -> list[Any]:
        made = (edit.make(n, i, j) for i, j in product(range(n), repeat=2))
        return [[*map(list, pair)] for pair in made if pair is not None]

    def made_so(topic: Any, better: list[str], worse: list[str]) -> bool:
        n = min(len(better), len(worse)) if edit.lengthens else len(better)
        numbers = {name: number for number, name in enumerate(topic.pool)}
        return [[numbers[name] for name in side] for side in (better, worse)] in pairs(n)

    axiom = pair_axiom(made_so)
    assert axiom.edit is edit
    assert find_axiom(AXIOMS["Pri"].name) is AXIOMS["Pri"]
