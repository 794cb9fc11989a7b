"""The plugin in real pytest runs, in processes of their own."""

import os
import re
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import pytest

import axiomcheck
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide import search
from axiomcheck.pytest_plugin.cells import CellOptions, _cells
from tests.gating.gate_projects import leave_checks_out, updated
from tests.support.forked import as_started, forked
from tests.support.suites import quality

DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "pytest.md"

HEAD = """
import numpy as np

import axiomcheck

@axiomcheck.metric(single_aspect=True)
def total(grades, weights):
    return grades[..., 0].sum(axis=-1)

def nothing_yet(topic, ranking):
    raise RuntimeError("not written")

def stop(topic, ranking):
    raise KeyboardInterrupt

@axiomcheck.metric(single_aspect=True)
def share(grades, weights, pool):  # 0 / 0 in places, of which NumPy warns
    best = pool[..., 0].astype(float).sum(axis=-1)
    return np.where(best > 0, grades[..., 0].astype(float).sum(axis=-1) / best, 0.0)
"""


@pytest.fixture(autouse=True)
def _no_outer_run(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_outer_run(monkeypatch)


def hide_outer_run(patch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("PYTEST_", "PY_COLORS"))]:
        patch.delenv(name)
    patch.setenv("COLUMNS", "100")


def one_test(decorator: str, body: str = "cell.check()") -> str:
    return f"{HEAD}\n@axiomcheck.parametrize({decorator})\ndef test_axioms(cell):\n    {body}\n"


def ran(pytester: pytest.Pytester, decorator: str, *options: str, body: str = "cell.check()") -> pytest.RunResult:
    pytester.makepyfile(test_it=one_test(decorator, body))
    return run(pytester.path, *options)


def _with_usual_warnings(options: Sequence[str]) -> int:
    as_started()
    # The fork has axiomcheck loaded, whose asserts pytest would have rewritten: no other process has that warning.
    loaded_before = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
    return int(pytest.main(["-p", "no:cacheprovider", *options, *loaded_before]))


def run(folder: Path, *options: str) -> pytest.RunResult:
    """Run pytest in a separate process, which has loaded before what every one of them loads."""
    start = time.perf_counter()
    done = forked(partial(_with_usual_warnings, options), folder, os.environ)
    seconds = time.perf_counter() - start
    return pytest.RunResult(done.code, done.stdout.splitlines(), done.stderr.splitlines(), seconds)


def summary(result: pytest.RunResult) -> str:
    (line,) = [line for line in result.outlines if line.startswith("axiomcheck: ")]
    return re.sub(r"; [1-9][\d,]* instances met the premises$", "; N", line)


# ------------------------------------------------------------------------------------------------------- outcomes


VIOLATIONS = """violations={
    ("total", "Pri"): "a set has no order", (total, "5"): "costs nothing",
    ("RBP(p=0.8)", "Conf"): "costs nothing", ("RBP", "pri"): "out of date"}"""
ASKED = {
    "held": '["RBP"], axioms=["2"], examples=50',
    "violated": '["RBP", total], axioms=["Pri"], regime="finite", examples=50',
    "threshold": '["RR"], axioms=["CloseTh"], examples=0',
    "expected": f'["RBP", total], axioms=["Pri", "Conf"], examples=50, {VIOLATIONS}',
    "without_aspects": '["P@5", total], axioms=["Red"], violations={("total", "Red"): "why not"}',
    "unanswered": '[nothing_yet], axioms=["DeepTh"], regime="finite", examples=50',
    "vacuous": '["RBP"], axioms=["Pri"], examples=0',
    "warned": '[share], axioms=["Conf"], regime="finite", examples=50, violations={(share, "Conf"): "so"}',
    "not_called": '["RBP"], axioms=["Pri"]',
    "incomparable": '["P@H-RBP(order=dominance)"], axioms=["Deep"], examples=50',
}
BODIES = {
    "vacuous": "cell.settings = dataclasses.replace(cell.settings, exhaustive=False); cell.check()  # tries nothing",
    "not_called": "cell.check",
}
TESTS = f"import dataclasses\n{HEAD}" + "".join(
    f"@axiomcheck.parametrize({asked})\ndef test_{name}(cell):\n    {BODIES.get(name, 'cell.check()')}\n"
    for name, asked in ASKED.items()
)
UNCHECKED = "test_{}[RBP-Pri] never called cell.check(), so nothing was checked"
NOT_WRITTEN = "nothing_yet has no answer for DeepTh (error): nothing_yet raised RuntimeError: not written"
OUTCOMES = {
    "held[RBP-Deep]": ("passed", ""),
    "violated[RBP-Pri]": ("passed", ""),
    "expected[RBP-Conf]": ("skipped", "costs nothing"),
    "expected[total-Pri]": ("skipped", "a set has no order"),
    "expected[total-Conf]": ("skipped", "costs nothing"),
    "warned[share-Conf]": ("skipped", "so"),
    "violated[total-Pri]": ("failure", "total violates Pri: ["),
    "threshold[RR-CloseTh]": ("failure", "RR violates CloseTh: "),
    "expected[RBP-Pri]": ("failure", "RBP, Pri: expected to be violated (out of date), but holds: no violation "),
    "without_aspects[P@5-Red]": ("skipped", "P@5, Red is not applicable: it scores only one aspect"),
    "without_aspects[total-Red]": ("failure", "total, Red: expected to be violated (why not), but does not apply: "),
    "unanswered[nothing_yet-DeepTh]": ("failure", NOT_WRITTEN),
    "vacuous[RBP-Pri]": ("failure", "RBP has no answer for Pri (undecided): vacuous: no tested instance"),
    "not_called[RBP-Pri]": ("failure", UNCHECKED.format("not_called")),
    "incomparable[P@H-RBP(order=dominance)-Deep]": ("failure", "P@H-RBP(order=dominance) leaves rankings incomparable"),
}
"""Test -> what becomes of it, and how that begins which is said."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> tuple[pytest.RunResult, dict[str, Element]]:
    """Run `TESTS` once, all warnings errors; return the run, and what JUnit's form has of each test."""
    folder = tmp_path_factory.mktemp("outcomes")
    (folder / "test_it.py").write_text(TESTS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        hide_outer_run(patch)
        result = run(folder, "-W", "error", "--junitxml=out.xml")
    assert (folder / "out.xml").exists(), "\n".join(result.errlines)
    cases = ElementTree.parse(folder / "out.xml").iter("testcase")
    return result, {case.attrib["name"].removeprefix("test_"): case for case in cases}


def instances(case: Element) -> int:
    (found,) = [one.attrib["value"] for one in case.iter("property") if one.attrib["name"] == "axiomcheck-instances"]
    return int(found)


@pytest.mark.parametrize("name", OUTCOMES)
def test_each_cell_has_its_outcome_under_a_readable_name(name: str, outcomes: Any) -> None:
    kind, said = OUTCOMES[name]
    found = [(part.tag, part.attrib["message"]) for part in outcomes[1][name] if part.tag != "properties"]
    ((tag, message),) = found or [("passed", "")]
    assert tag == kind
    assert message.removeprefix("Failed: ").startswith(said)


def test_a_violation_fails_with_the_witness_and_without_a_traceback_of_ours(outcomes: Any) -> None:
    result, cases = outcomes
    told = cases["violated[total-Pri]"].find("failure").text.splitlines()
    lines = [line.removeprefix("E").strip() for line in told if line.startswith("E")]
    assert re.search(r": \[(\S+), 0\] must score above \[0, \1\] but both score \1 \(an exact tie\)", lines[0])
    assert "total violates Pri (priority): an exact tie" in lines
    assert "Reading: finite, graded" in lines
    assert any(re.match(r"1\s+d1\s+0\s+0\s+d2\s+", line) for line in lines)
    assert "so swapping ranks 1 and 2 must raise the score" in " ".join(lines)
    assert lines[-1] == 'If this is intended, give the reason: violations={("total", "Pri"): "..."}'
    text = result.stdout.str()
    assert "RR violates CloseTh (closeness threshold): an argument for all large n" in text
    assert ">       cell.check()" in text
    assert "cells.py" not in text
    assert "judge" not in text
    assert "\nFAILED test_it.py::test_violated[total-Pri] - Failed: total vio" in text


def test_the_summary_counts_outcomes_and_instances(outcomes: Any) -> None:
    result, cases = outcomes
    assert instances(cases["vacuous[RBP-Pri]"]) == instances(cases["not_called[RBP-Pri]"]) == 0
    total = sum(map(instances, cases.values()))
    assert total > 1000
    assert [line for line in result.outlines if line.startswith("axiomcheck: ")] == [
        "axiomcheck: 15 cells, 2 held, 4 refuted as expected, 2 refuted, 2 expected violation gone, 1 not applicable, "
        f"1 undecided, 1 error, 1 not checked, 1 incomparable; {total:,} instances met the premises"
    ]


def test_cells_of_the_catalogue_are_read_from_the_ledger_and_own_ones_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path / "ledger.sqlite"))
    searched: list[str] = []
    real = search.Search.run

    def counted(self: search.Search, *given: Any) -> None:
        searched.extend(str(tally.metric) for tally in self.tallies)
        real(self, *given)

    monkeypatch.setattr(search.Search, "run", counted)

    def own(grades: Any, weights: Any) -> Any:
        ranks = np.arange(1, 1 + grades.shape[1])
        return (grades[:, :, 0] / (ranks if os.environ.get("DISCOUNTED") else 1)).sum(axis=1)

    axiomcheck.matrix(["RBP", "RR"], "Pri", examples=30, ledger=True, jobs=1)
    assert sorted(searched) == ["RBP(p=0.8)", "RR"]
    searched.clear()
    violations: dict[tuple[Any, str], str] = {("RR", "Pri"): "blind", (own, "Pri"): "blind"}
    asked = CellOptions(regime="stated", domain="graded", examples=20, seed=0)
    cells = _cells(["RBP", "RR", own], ["Pri"], asked, violations)
    assert [cell.check().status for cell in cells] == ["as-expected"] * 3
    assert searched == ["own"]
    assert all(cell.instances for cell in cells)
    monkeypatch.setenv("DISCOUNTED", "1")
    (again,) = _cells([own], ["Pri"], asked, {(own, "Pri"): "blind"})
    with pytest.raises(pytest.fail.Exception, match="holds"):
        again.check()


@quality
def test_the_summary_adds_up_the_cells_of_all_workers(pytester: pytest.Pytester) -> None:
    options = ("-p", "no:cacheprovider", "--junitxml=out.xml")
    pytester.makepyfile(test_it=one_test('["RBP", "P@5"], axioms=["Pri"], examples=20'))
    result = pytester.runpytest_subprocess(*options, "-n", "2")
    total = sum(map(instances, ElementTree.parse(pytester.path / "out.xml").iter("testcase")))
    assert total > 40
    assert f"axiomcheck: 2 cells, 1 held, 1 refuted; {total:,} instances met the premises" in result.outlines


def test_without_the_plugin_nothing_is_green(pytester: pytest.Pytester) -> None:
    result = ran(pytester, '["RBP"], axioms=["Pri"]', "-p", "no:axiomcheck", body="pass")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*fixture 'axiomcheck_plugin' not found*"])


def test_ctrl_c_stops_the_run(pytester: pytest.Pytester) -> None:
    assert ran(pytester, '[stop], axioms=["Pri", "Conf"]').ret == pytest.ExitCode.INTERRUPTED


# ------------------------------------------------------------------------------------------------------ collection


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('["RBP"], axioms=[]', "axioms is an empty list; pass one or more"),
        ("[]", "metrics is empty, so there is nothing to test"),
        ('["RBP"], violations=[("RBP", "Pri")]', "expected a dictionary (metric, axiom) -> reason"),
        ('["RBP"], axioms=["Pri"], violations={("RBP", "Conf"): "w"}', "Conf, which is not tested; tested: Pri"),
        ('["RBP"], violations={"RBP": "w"}', "the key 'RBP'; expected (metric, axiom)"),
        ('["RBP"], violations={("RBP", "Pri"): "w", ("RBP", "1"): "v"}', "violations lists RBP, Pri twice"),
        ('["RBP"], contract=True', "axiomcheck.parametrize: there is no contract"),
    ],
)
def test_unusable_arguments(arguments: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(HEAD, names)
    with pytest.raises(InvalidInput) as caught:
        eval(f"axiomcheck.parametrize({arguments})", names)
    assert str(caught.value).startswith("axiomcheck.parametrize: ")
    assert message in str(caught.value)


# -------------------------------------------------------------------------------------------------------- contract


CONTRACT = """
regime = "finite"
examples = 200
[metrics."RBP".axioms]
Pri = "holds"
Red = "not-applicable"
Conf = {expect = "violated", reason = "free"}
[metrics."P@5".axioms]
Pri = "holds"
"""


def test_unusable_arguments_are_errors_of_the_collection_without_our_traceback(pytester: pytest.Pytester) -> None:
    (pytester.path / "axiomcheck.toml").write_text(CONTRACT)
    pytester.makepyfile(
        test_it=one_test('["RBP"], violations={("RPB", "Pri"): "why"}'),
        test_contract=one_test('["AP"], contract="axiomcheck.toml"'),
    )
    result = run(pytester.path)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=2)
    text = " ".join(line.removeprefix("E").strip() for line in result.outlines)
    assert "InvalidInput: axiomcheck.parametrize: unknown metric in violations 'RPB'; did you mean RBP?" in text
    assert "axiomcheck.toml contains none of the metrics AP; it contains RBP, P@5" in text
    assert "in <module> @axiomcheck.parametrize(" in text
    assert "cells.py" not in text


def test_expectations_come_from_the_contract(pytester: pytest.Pytester) -> None:
    (pytester.path / "axiomcheck.toml").write_text(CONTRACT)
    result = ran(pytester, '["RBP", "P@5"], contract=True', "-v")
    result.assert_outcomes(passed=1, skipped=1, failed=1, xfailed=1)
    names = re.findall(r"::test_axioms\[(\S+)\] ([A-Z]+)", result.stdout.str())
    assert sorted(names) == [
        ("P@5-Pri", "FAILED"),
        ("RBP-Conf", "XFAIL"),
        ("RBP-Pri", "PASSED"),
        ("RBP-Red", "SKIPPED"),
    ]
    result.stdout.fnmatch_lines(
        ["E *Reading: finite, graded", "E *The contract expects: holds. If this is intended, *"]
    )
    assert summary(result) == "axiomcheck: 4 cells, 1 held, 1 refuted as expected, 1 refuted, 1 not applicable; N"


def test_pinned_witnesses_are_replayed_and_not_searched(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    contract = 'examples = 200\n[metrics."RBP".axioms]\nPri = "holds"\nConf = {expect = "violated", reason = "free"}\n'
    (pytester.path / "axiomcheck.toml").write_text(contract)
    leave_checks_out(monkeypatch)
    updated(pytester.path / "axiomcheck.toml")
    body = 'judged = cell.check(); assert judged.replayed is (cell.axiom.name == "Conf")'
    result = ran(pytester, '["RBP"], axioms=["Pri", "Conf"], contract=True', body=body)
    result.assert_outcomes(passed=1, xfailed=1)
    assert summary(result) == "axiomcheck: 2 cells, 1 held, 1 refuted as expected; N"


# ---------------------------------------------------------------------------------------------------- at its price


HEAVY = (
    "numpy",
    "rich",
    "axiomcheck.strategies",
    "hypothesis.strategies",
    "axiomcheck.axioms",
    "axiomcheck.engine.run",
    "axiomcheck.metrics",
)


def test_a_run_without_axiomcheck_loads_none_of_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_plain=f"""
        import sys

        def test_plain(request):
            assert request.config.pluginmanager.get_plugin("axiomcheck").__name__ == "axiomcheck.pytest_plugin"
            loaded = [name for name in {HEAVY!r} if name in sys.modules]
            ours = sorted(name for name in sys.modules if name.startswith("axiomcheck"))
            assert loaded == []
            assert [name for name in ours if "editable" not in name] == ["axiomcheck", "axiomcheck.pytest_plugin"]
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    assert not any(line.startswith("axiomcheck: ") for line in result.outlines)


# ---------------------------------------------------------------------------------------------------- documentation


@quality
def test_the_documented_file_does_what_is_documented(pytester: pytest.Pytester) -> None:
    """Started anew, as a user starts it."""
    text = DOCS.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n# test_metrics.py\n(.*?)```", text, re.DOTALL)
    (shown,) = re.findall(r"\$ pytest -q\n(.*?)```", text, re.DOTALL)
    pytester.makepyfile(test_metrics=code)
    result = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    # Times differ from run to run, and how many instances there are with every change of the search.
    told = [_timeless(line) for line in result.outlines if line.strip()]
    assert told == [_timeless(line) for line in shown.splitlines()]


@quality
def test_the_other_documented_files_run_as_they_are(pytester: pytest.Pytester) -> None:
    """With the metric and the contract of docs/how-to/gate.md, and fewer Hypothesis examples than usual."""
    files = dict(re.findall(r"```python\n# (\w+)\.py\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL))
    assert len(files) == DOCS.read_text(encoding="utf-8").count("```python") == 3
    files.pop("test_metrics")
    gate = DOCS.with_name("gate.md").read_text(encoding="utf-8")
    code, contract = (
        re.search(rf"```\w+\n# {name}\n(.*?)```", gate, re.DOTALL) for name in ("my_metrics.py", "axiomcheck.toml")
    )
    (recorded,) = re.findall(r"^AspDiv = .*$", gate, re.MULTILINE)
    assert contract is not None
    pytester.makepyfile(my_metrics=code[1], **files)
    pytester.makefile(".toml", axiomcheck=f'{contract[1]}[metrics."my_metrics.py:gain".axioms]\n{recorded}\n')
    quick = "max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck)"
    pytester.makeconftest(
        "from hypothesis import HealthCheck, settings\n"
        f"settings.register_profile('quick', {quick})\nsettings.load_profile('quick')\n"
    )
    result = run(pytester.path, "-q", "-rs")
    assert result.parseoutcomes() == {"passed": 1, "skipped": 1}
    assert "is not applicable" in result.stdout.str()  # the contract has one cell, which is


def _timeless(line: str) -> str:
    return re.sub(r" in [\d.]+s|[\d,]+(?= instances)", "", " ".join(line.split()))
