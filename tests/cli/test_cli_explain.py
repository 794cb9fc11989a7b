"""`axiomcheck explain` and `axiomcheck list`."""

import json
from functools import partial
from pathlib import Path

import pytest

from axiomcheck.axioms import AXIOMS
from axiomcheck.metrics import CATALOGUE, in_reading_order
from tests.support.commands import plainly
from tests.support.plugin_packages import documented, install, run

invoke = partial(plainly, env={"COLUMNS": "80"})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Redundancy", "Red"),
        ("QUERY ASPECT", "AspDiv"),
        ("deepness t", "DeepTh"),
        ("7", "Red"),
        ("aspd", "AspDiv"),
    ],
)
def test_an_axiom_is_found_by_its_title_and_by_how_it_begins(typed: str, meant: str) -> None:
    assert json.loads(invoke("explain", typed, "-f", "json").stdout)["name"] == meant


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Asp", "AspRel"),
        ("Rd", "Red, MRed"),
        ("RBQ", "RBU"),
        ("", "known: Pri"),
    ],
)
def test_ambiguous_and_unknown_names_are_told_the_nearest(typed: str, said: str) -> None:
    done = invoke("explain", typed)
    assert done.exit_code == 2
    assert f"unknown axiom or metric {typed!r}" in done.stderr
    assert said in done.stderr


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("rbp(q=2)", "unknown parameter of RBP 'q'"),
        ("my dir/it's.py:f", "there is no file my dir/it's.py"),
        ("study.ipynb:f", "notebooks are not loaded; copy the function to a .py file"),
        ("ir_measures:AP", "axiomcheck check ir_measures:AP"),
    ],
)
def test_metrics_without_an_explanation_are_told_why(typed: str, said: str) -> None:
    done = invoke("explain", typed)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "unknown axiom or metric" not in done.stderr


OWN = """
import axiomcheck

def gain(topic, ranking):
    return 1.0

def alike(topic, better, worse):
    return True

def refused():
    return axiomcheck.pair_axiom(alike)
"""


def test_own_code_is_told_why_it_is_no_axiom(tmp_path: Path) -> None:
    for name, code, said in (
        ("own.py:gain", OWN, f"to check it, run: axiomcheck check {tmp_path}/own.py:gain"),
        ("own.py:alike", OWN, "it is a function; decorate it with @axiomcheck.pair_axiom"),
        ("own.py:gian", OWN, "did you mean gain?"),
        ("ill.py:alike", OWN + "alike = refused()", "its function requires x to be ahead of d1, and vice versa"),
    ):
        (tmp_path / name.partition(":")[0]).write_text(code, encoding="utf-8")
        done = invoke("explain", f"{tmp_path}/{name}")
        assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("name", ["RBU", "nDCG"])
def test_a_metric_is_explained_with_the_command_for_its_row(name: str) -> None:
    text = invoke("explain", name).stdout
    metric = CATALOGUE[name]
    assert " ".join(text.split()).startswith(name)
    assert metric.summary in " ".join(text.split())
    assert all(f"    {p.name}=" in text for p in metric.declared)
    assert f"axiomcheck matrix {metric().spelt()} decides" in text
    assert ("of the published table" in text) is (name != "nDCG")  # which is nDCG with a cutoff
    assert json.loads(invoke("explain", name, "-f", "json").stdout)["name"] == name


@pytest.mark.parametrize("what", ["metrics", "axioms"])
def test_wrapped_lines_of_a_list_are_indented(what: str) -> None:
    entries, footer = invoke("list", what).stdout.rsplit("\n\n", 1)
    lines = entries.splitlines()
    assert max(map(len, [*lines, *footer.splitlines()])) <= 80
    begins = [line.split("  (")[0].split("@")[0] for line in lines if line and not line.startswith("    ")]
    if what == "axioms":
        assert begins == [f"{a.number:>2}. {name}  {a.title}" for name, a in AXIOMS.items()]
    else:
        families = ["Ad hoc", "Intent-aware", "Diversity", "TREC's programs", "User models"]
        assert [name for name in begins if name in families] == families
        names = [name.split("@")[0] for name in in_reading_order()]
        assert [name for name in begins if name not in families] == names
        assert any(line.startswith("     ") for line in lines)  # a parameter's description goes on below itself


def test_metrics_of_plugins_are_listed_and_not_loaded(tmp_path: Path) -> None:
    lab = install(
        tmp_path, documented() | {"lab/metrics.py": "raise SystemExit(9)"}, None, {"lab-gain": "lab.metrics:gain"}
    )
    text = run(lab, "list", "metrics").stdout
    assert "Installed plugins\nlab-gain\n    source: lab.metrics:gain of lab 1.0\n" in text
    assert json.loads(run(lab, "list", "metrics", "-f", "json").stdout)[-1]["name"] == "lab-gain"
    told = run(lab, "explain", "lab-gain")
    assert told.returncode == 0
    assert told.stdout.startswith("lab-gain\n    source: lab.metrics:gain of lab 1.0\n")
    assert "axiomcheck check lab-gain" in told.stdout
    assert json.loads(run(lab, "explain", "lab-gain", "-f", "json").stdout)["name"] == "lab-gain"
    assert "did you mean lab-gain" in run(lab, "explain", "lab-gian").stderr
    assert "lab-gain" not in invoke("list", "metrics").stdout


def test_prove_shows_the_whole_counterexample() -> None:
    short, whole = (invoke("prove", "RR", "Conf", "--examples", "50", *more).stdout for more in ([], ["-v"]))
    assert "must score above" in short
    assert whole.startswith(short.partition("\n\nTerms:")[0])
    assert "rank  lower  grade  adds  higher" in whole
    assert "Minimal: nothing smaller violates it" in whole
