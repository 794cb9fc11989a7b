"""The plugin in real pytest runs, in processes of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from axiomcheck.core.errors import InvalidInput
from tests.gating.gate_projects import updated
from tests.support.forked import as_started, forked
from tests.support.suites import quality

DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "pytest.md"

HEAD = """
import axiomcheck

@axiomcheck.metric(single_aspect=True)
def total(grades, weights):
    return grades[..., 0].sum(axis=-1)

def by_rank(topic, ranking):
    return sum(topic.pool[d][0] / (k + 1) for k, d in enumerate(ranking))

def nothing_yet(topic, ranking):
    raise RuntimeError("not written")
"""


@pytest.fixture(autouse=True)
def _no_outer_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runs in these tests are not part of the run of these tests."""
    for name in [name for name in os.environ if name.startswith(("PYTEST_", "PY_COLORS"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "100")


def ran(pytester: pytest.Pytester, decorator: str, *options: str, body: str = "cell.check()") -> pytest.RunResult:
    pytester.makepyfile(test_it=f"{HEAD}\n@axiomcheck.parametrize({decorator})\ndef test_axioms(cell):\n    {body}\n")
    return run(pytester, *options)


def _with_usual_warnings(options: Sequence[str]) -> int:
    as_started()
    return int(pytest.main(["-p", "no:cacheprovider", *options]))


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    """A run of pytest in a process of its own, which has loaded before what every one of them loads."""
    start = time.perf_counter()
    done = forked(partial(_with_usual_warnings, options), pytester.path, os.environ)
    seconds = time.perf_counter() - start
    return pytest.RunResult(done.code, done.stdout.splitlines(), done.stderr.splitlines(), seconds)


def summary(result: pytest.RunResult) -> str:
    (line,) = [line for line in result.outlines if line.startswith("axiomcheck: ")]
    return re.sub(r"; [1-9][\d,]* instances met the premises$", "; N", line)


# ------------------------------------------------------------------------------------------------------- outcomes


def test_cells_that_hold_pass_under_readable_names(pytester: pytest.Pytester) -> None:
    result = ran(pytester, '["RBP", by_rank], axioms=["Pri", "2"], examples=50', "-v")
    result.assert_outcomes(passed=4)
    names = re.findall(r"::test_axioms\[(\S+)\] PASSED", result.stdout.str())
    assert names == ["RBP-Pri", "RBP-Deep", "by_rank-Pri", "by_rank-Deep"]
    assert summary(result) == "axiomcheck: 4 cells, 4 held; N"


@quality
def test_the_summary_adds_up_the_instances_of_the_cells(pytester: pytest.Pytester) -> None:
    ran(pytester, '["RBP", "P@5"], axioms=["Pri"], examples=200', "--junitxml=out.xml")
    cases = ElementTree.parse(pytester.path / "out.xml").iter("testcase")
    found = [{p.attrib["name"]: p.attrib["value"] for p in case.iter("property")} for case in cases]
    assert [f["axiomcheck"] for f in found] == ["held", "refuted"]
    again = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-n", "2")
    total = sum(int(f["axiomcheck-instances"]) for f in found)
    assert total > 400
    expected = f"axiomcheck: 2 cells, 1 held, 1 refuted; {total:,} instances met the premises"
    assert expected in again.outlines


def test_a_violation_fails_with_the_witness_and_without_a_traceback_of_ours(pytester: pytest.Pytester) -> None:
    result = ran(pytester, '["RBP", total], axioms=["Pri"], regime="finite", examples=50')
    result.assert_outcomes(passed=1, failed=1)
    text = result.stdout.str()
    lines = [line.removeprefix("E").strip() for line in result.outlines if line.startswith("E")]
    assert lines[0].startswith("Failed: total violates Pri: [1/2, 0] must score above [0, 1/2] but both score 1/2") or (
        lines[0].startswith(
            "Failed: total violates Pri: [1, 0] must score above [0, 1] but both score 1 (an exact tie)"
        )
    )
    assert "total violates Pri (priority): an exact tie" in lines
    assert "Reading: finite, graded" in lines
    assert any(re.match(r"1\s+d1\s+0\s+0\s+d2\s+", line) for line in lines)
    assert "so swapping ranks 1 and 2 must raise the score" in " ".join(lines)
    assert lines[-1] == 'If that is meant, say why: violations={("total", "Pri"): "..."}'
    assert ">       cell.check()" in text
    assert "cells.py" not in text
    assert "judge" not in text
    assert any(re.match(r"FAILED test_it.py::test_axioms\[total-Pri\] - Failed: total vio", x) for x in result.outlines)
    assert summary(result) == "axiomcheck: 2 cells, 1 held, 1 refuted; N"


def test_a_refuted_threshold_is_explained_too(pytester: pytest.Pytester) -> None:
    result = ran(pytester, '["RR"], axioms=["CloseTh"], examples=0')
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *RR violates CloseTh (closeness threshold): an argument about every large n"])


def test_expected_violations_pass_and_have_to_occur(pytester: pytest.Pytester) -> None:
    decorator = """["RBP", total], axioms=["Pri", "Conf"], examples=50, violations={
        ("total", "Pri"): "a set has no order", (total, "5"): "costs nothing",
        ("RBP(p=0.8)", "Conf"): "costs nothing", ("RBP", "pri"): "out of date"}"""
    result = ran(pytester, decorator)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        ["E *RBP was expected to violate Pri (out of date) and does not: held: no violation in *"]
    )
    assert summary(result) == "axiomcheck: 4 cells, 3 refuted as expected, 1 expected violation gone; N"


def test_what_does_not_apply_is_skipped_unless_a_violation_is_expected(pytester: pytest.Pytester) -> None:
    result = ran(pytester, '["P@5", total], axioms=["Red"], violations={("total", "Red"): "why not"}', "-rs")
    result.assert_outcomes(skipped=1, failed=1)
    result.stdout.fnmatch_lines(["SKIPPED * P@5, Red is not applicable: P knows one aspect*"])
    result.stdout.fnmatch_lines(["E *total was expected to violate Red (why not) and does not: not-applicable:*"])


def test_what_is_undecided_or_fails_is_not_green(pytester: pytest.Pytester) -> None:
    result = ran(pytester, '[total, nothing_yet], axioms=["DeepTh", "AspDiv", "Pri"], regime="finite", examples=100')
    result.assert_outcomes(failed=5, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "E *total, DeepTh has no answer (undecided): *",
            "E *nothing_yet, DeepTh has no answer (error): nothing_yet raised RuntimeError: not written",
            "E *nothing_yet, Pri has no answer (error): nothing_yet raised RuntimeError: not written",
        ]
    )
    assert summary(result) == "axiomcheck: 6 cells, 1 refuted, 1 not applicable, 1 undecided, 3 error; N"


def test_a_vacuous_search_is_not_green(pytester: pytest.Pytester) -> None:
    # no enumeration, no sample: what remains is a search that tried nothing
    plant = "from axiomcheck.pytest_plugin import cells as c; import dataclasses as dc; "
    body = plant + "cell.settings = dc.replace(cell.settings, exhaustive=False); cell.check()"
    result = ran(pytester, '["RBP"], axioms=["Pri"], examples=0', body=body)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *RBP, Pri has no answer (undecided): vacuous: no instance*"])
    assert result.outlines.count("axiomcheck: 1 cell, 1 undecided; 0 instances met the premises") == 1


def test_a_test_that_checks_nothing_fails(pytester: pytest.Pytester) -> None:
    bodies = ["pass", "return", "cell.check", "assert cell.metric"]
    for number, body in enumerate(bodies):
        one = f"@axiomcheck.parametrize(['RBP'], axioms=['Pri'])\ndef test_axioms(cell):\n    {body}\n"
        pytester.makepyfile(**{f"test_{number}": f"{HEAD}\n{one}"})
    result = run(pytester)
    result.assert_outcomes(failed=len(bodies))
    said = "test_axioms[RBP-Pri] never called cell.check(), so nothing was checked"
    assert result.outlines.count(said) == len(bodies)
    assert "axiomcheck: 4 cells, 4 not checked; 0 instances met the premises" in result.outlines


def test_without_the_plugin_nothing_is_green(pytester: pytest.Pytester) -> None:
    result = ran(pytester, '["RBP"], axioms=["Pri"]', "-p", "no:axiomcheck", body="pass")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*fixture 'axiomcheck_plugin' not found*"])


def test_verdicts_do_not_depend_on_filters_of_warnings(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it="""
        import numpy as np
        import axiomcheck

        @axiomcheck.metric(single_aspect=True)
        def share(grades, weights, pool):
            best = pool[..., 0].astype(float).sum(axis=-1)
            return np.where(best > 0, grades[..., 0].astype(float).sum(axis=-1) / best, 0.0)

        @axiomcheck.parametrize(
            [share], axioms=["Conf"], regime="finite", examples=50, violations={(share, "Conf"): "so"}
        )
        def test_axioms(cell):
            cell.check()
        """
    )
    result = run(pytester, "-W", "error")
    result.assert_outcomes(passed=1)


def test_ctrl_c_stops_the_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it="""
        import axiomcheck

        def stop(topic, ranking):
            raise KeyboardInterrupt

        @axiomcheck.parametrize([stop], axioms=["Pri", "Conf"])
        def test_axioms(cell):
            cell.check()
        """
    )
    result = run(pytester)
    assert result.ret == pytest.ExitCode.INTERRUPTED


# ------------------------------------------------------------------------------------------------------ collection


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('["nDGC"]', "unknown metric 'nDGC'; did you mean nDCG"),
        ('["no_such.py:f"]', "there is no file no_such.py"),
        ('["RBP(p=2)"]', "RBP: p=2"),
        ('["RBP"], axioms=["Prio"]', "unknown axiom 'Prio'; did you mean Pri"),
        ('"RBP"', "metrics is 'RBP'; expected a list of metrics"),
        ("total", "expected a list of metrics"),
        ("[]", "metrics is empty: there would be nothing to test"),
        ("[3]", "int is int, not a metric"),
        ("[len]", "len takes"),
        ("[lambda topic, ranking: 1.0, lambda topic, ranking: 2.0]", "two metrics are called <lambda>; give one"),
        ('["RBP"], axioms="Pri"', "axioms is 'Pri'; expected a list of axioms"),
        ('["RBP"], axioms=[]', "axioms is empty"),
        ('["RBP"], regime="finit"', "unknown regime 'finit'; did you mean finite"),
        ('["RBP"], domain="grades"', "unknown domain 'grades'; did you mean graded"),
        ('["RBP"], examples=-1', "examples is -1; expected a whole number >= 0"),
        ('["RBP"], seed="0"', "seed is '0'; expected a whole number"),
        ('["RBP"], violations={("RPB", "Pri"): "w"}', "unknown metric in violations 'RPB'; did you mean RBP"),
        ('["RBP"], violations={("RBP", "Prio"): "w"}', "unknown axiom 'Prio'"),
        (
            '["RBP"], axioms=["Pri"], violations={("RBP", "Conf"): "w"}',
            "violate Conf, which is not tested; tested: Pri",
        ),
        ('["RBP"], violations={("RBP", "Pri"): " "}', "expected why it is meant to be violated"),
        ('["RBP"], violations={"RBP": "w"}', "the key 'RBP'; expected (metric, axiom)"),
        ('["RBP"], violations={("RBP", "Pri"): "w", ("RBP", "1"): "v"}', "violations has RBP, Pri twice"),
        ('["RBP"], contract=True', "axiomcheck.parametrize: no contract"),
        ('["RBP"], contract="no.toml"', "no.toml"),
        ('["RBP"], contract=True, violations={}', "violations is the contract's to say"),
        ('["RBP"], contract=True, regime="limit"', "regime is the contract's to say"),
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


def test_unusable_arguments_are_errors_of_the_collection_without_our_traceback(pytester: pytest.Pytester) -> None:
    result = ran(pytester, '["RBP"], violations={("RPB", "Pri"): "why"}')
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    text = " ".join(line.removeprefix("E").strip() for line in result.outlines)
    assert "InvalidInput: axiomcheck.parametrize: unknown metric in violations 'RPB'; did you mean RBP?" in text
    assert "test_it.py:13: in <module> @axiomcheck.parametrize(" in text
    assert "cells.py" not in text


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


def test_expectations_come_from_the_contract(pytester: pytest.Pytester) -> None:
    (pytester.path / "axiomcheck.toml").write_text(CONTRACT)
    result = ran(pytester, '["RBP", "P@5"], contract=True', "-v")
    result.assert_outcomes(passed=2, skipped=1, failed=1)
    names = re.findall(r"::test_axioms\[(\S+)\] ([A-Z]+)", result.stdout.str())
    assert sorted(names) == [
        ("P@5-Pri", "FAILED"),
        ("RBP-Conf", "PASSED"),
        ("RBP-Pri", "PASSED"),
        ("RBP-Red", "SKIPPED"),
    ]
    result.stdout.fnmatch_lines(["E *Reading: finite, graded", "E *The contract says: holds. If that is meant, *"])
    assert summary(result) == "axiomcheck: 4 cells, 1 held, 1 refuted as expected, 1 refuted, 1 not applicable; N"


def test_pinned_witnesses_are_replayed_and_not_searched(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    contract = 'examples = 200\n[metrics."RBP".axioms]\nPri = "holds"\nConf = {expect = "violated", reason = "free"}\n'
    (pytester.path / "axiomcheck.toml").write_text(contract)
    monkeypatch.setattr("axiomcheck.gating.run.check_outcomes", lambda *_: [])
    updated(pytester.path / "axiomcheck.toml")
    body = 'judged = cell.check(); assert judged.replayed is (cell.axiom.name == "Conf")'
    result = ran(pytester, '["RBP"], axioms=["Pri", "Conf"], contract=True', body=body)
    result.assert_outcomes(passed=2)
    assert summary(result) == "axiomcheck: 2 cells, 1 held, 1 refuted as expected; N"


def test_a_contract_without_the_metrics_is_an_error(pytester: pytest.Pytester) -> None:
    (pytester.path / "axiomcheck.toml").write_text(CONTRACT)
    result = ran(pytester, '["AP"], contract="axiomcheck.toml"')
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["E *axiomcheck.toml has no metric of these: AP; it has RBP, P@5"])


# ---------------------------------------------------------------------------------------------------- at its price


HEAVY = (
    "numpy",
    "rich",
    "hypothesis.strategies",
    "axiomcheck.axioms",
    "axiomcheck.engine.matrix",
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


@quality
def test_importing_the_plugin_imports_next_to_nothing() -> None:
    code = "import pytest, sys; before = set(sys.modules)\nimport axiomcheck.pytest_plugin\n"
    code += "print(len(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 4  # axiomcheck, the plugin, and a parent package or two


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
    assert code is not None
    assert contract is not None
    pytester.makepyfile(my_metrics=code[1], **files)
    pytester.makefile(".toml", axiomcheck=f'{contract[1]}[metrics."my_metrics.py:gain".axioms]\n{recorded}\n')
    quick = "max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck)"
    pytester.makeconftest(
        "from hypothesis import HealthCheck, settings\n"
        f"settings.register_profile('quick', {quick})\nsettings.load_profile('quick')\n"
    )
    result = run(pytester, "-q", "-rs")
    assert result.parseoutcomes() == {"passed": 1, "skipped": 1}
    assert "is not applicable" in result.stdout.str()  # the contract has one cell, which is


def _timeless(line: str) -> str:
    return re.sub(r" in [\d.]+s|[\d,]+(?= instances)", "", " ".join(line.split()))
