"""Axioms and metrics of other packages: found by name, checked when loaded, reported like the others."""

import json
from collections.abc import Callable
from dataclasses import replace
from operator import setitem
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck import InvalidInput, parse
from axiomcheck.axioms import AXIOMS, PairAxiom, Shape
from axiomcheck.axioms.drafts import Draft
from axiomcheck.axioms.pri import Priority
from axiomcheck.axioms.relations import Relations
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.axioms.thresholds import ThresholdAxiom
from axiomcheck.axioms.validation import checked
from axiomcheck.core.typing import Integers, Mask
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from tests.support.forked import axiomcheck_command
from tests.support.plugin_packages import documented, install, refused, run
from tests.support.suites import each

MONO = {"Mono": "lab.axioms:Monotonicity"}


def _documented_class() -> type[PairAxiom]:
    names: dict[str, Any] = {"__name__": "lab.axioms"}
    exec(documented()["lab/axioms.py"], names)
    found: type[PairAxiom] = names["Monotonicity"]
    return found


Monotonicity = _documented_class()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of docs/how-to/plugins.md."""
    return install(tmp_path_factory.mktemp("lab"), documented(), MONO, {"lab-gain": "lab.metrics:gain"})


def test_a_matrix_has_the_axiom_in_its_group_and_refutes_what_violates_it(lab: Path) -> None:
    done = run(lab, "matrix", "RBP", "RBU@20", "-a", "mono", "-a", "Pri", "--examples", "300")
    assert done.returncode == 0, done.stderr
    lines = {line.split()[0]: line.split()[-2:] for line in done.stdout.splitlines() if line.startswith(("RB", "Met"))}
    assert lines == {"Metric": ["Pri", "Mono"], "RBP": ["●", "◐"], "RBU@20": ["●", "○"]}
    assert "no metric here is in the published table" not in done.stdout  # RBU is; Mono is not


def test_an_installed_metric_and_axiom_together_in_worker_processes(lab: Path) -> None:
    done = run(lab, "matrix", "lab-gain", "-a", "Mono", "--examples", "500", "-f", "json")
    (cell,) = json.loads(done.stdout)["cells"]
    assert (cell["metric"], cell["axiom"], cell["verdict"]) == ("lab-gain", "Mono", "held"), cell["cause"]
    assert cell["evidence"]["instances"] >= 500


def test_a_report_with_its_witness_is_read_back_where_the_plugin_is_and_refused_where_not(lab: Path) -> None:
    run(lab, "matrix", "RBU@20", "-a", "Mono", "-j", "2", "--examples", "500", "-f", "json", "-o", "r.json")
    report = lab / "r.json"
    document = json.loads(report.read_text())
    assert document["cells"][0]["witness"]["roles"] == {"ranked": 1}
    assert run(lab, "replay", "r.json").stdout.splitlines()[-1] == "1 witness confirmed, 0 certificates checked"
    (lab / "w.json").write_text(json.dumps(document["cells"][0]["witness"]))
    explained = run(lab, "replay", "w.json").stdout
    assert "violates Mono (monotonicity): a reversal" in explained
    assert "so appending it must not lower the score" in " ".join(explained.split())
    document["cells"][0]["witness"]["roles"]["i"] = 1  # a choice that Mono does not have
    (lab / "altered.json").write_text(json.dumps(document))
    altered = run(lab, "replay", "altered.json")
    assert altered.returncode == 2
    assert "cells[0].witness.roles" in altered.stderr
    empty = lab / "empty"
    empty.mkdir()
    elsewhere = run(empty, "replay", str(report))
    assert elsewhere.returncode == 2
    assert "cells[0].axiom: unknown axiom 'Mono'" in elsewhere.stderr


def test_list_and_explain_show_it(lab: Path) -> None:
    entries = json.loads(run(lab, "list", "axioms", "--format", "json").stdout)
    assert [e["name"] for e in entries] == [*AXIOMS, "Mono"]
    assert entries[-1]["number"] is None
    listed = run(lab, "list", "axioms").stdout
    assert "  + Mono  Monotonicity  (relevance)" in listed
    assert "source: after the monotonicity of Moffat" in listed
    explained = run(lab, "explain", "Mono").stdout.splitlines()
    assert explained[0] == "Mono: monotonicity (relevance-oriented)"
    assert any(line.startswith("Here x has grade 1") for line in explained)


def test_completion_knows_it(lab: Path) -> None:
    """The shell asks by environment variables."""
    asked = {"_AXIOMCHECK_COMPLETE": "bash_complete", "COMP_WORDS": "axiomcheck explain M", "COMP_CWORD": "2"}
    assert {"plain,MRed", "plain,Mono"} <= {*axiomcheck_command([], lab, lab, **asked).stdout.split()}


def test_a_plugin_cannot_take_the_name_of_one_of_the_ten(tmp_path: Path) -> None:
    files = documented() | {"lab/axioms.py": documented()["lab/axioms.py"].replace('"Mono"', '"Red"')}
    install(tmp_path, files, {"Red": "lab.axioms:Monotonicity"})
    assert "axiom plugin 'Red' (lab 1.0): 'Red' is already the name of a built-in" in refused(
        tmp_path, "explain", "red"
    )
    assert "the name of a built-in axiom" in refused(tmp_path, "list", "axioms")


def test_two_plugins_cannot_have_one_name(tmp_path: Path) -> None:
    install(tmp_path, documented(), MONO)
    install(tmp_path, {}, {"MONO": "lab.axioms:Monotonicity"}, dist="other")
    assert "has an axiom of the same name" in refused(tmp_path, "explain", "mono")


def test_a_plugin_that_cannot_be_loaded_says_why(tmp_path: Path) -> None:
    install(tmp_path, {"broken/it.py": "1 / 0\n"}, {"Broken": "broken.it:X", "Gone": "nowhere.at:all"})
    assert "'Broken' (lab 1.0) cannot be loaded: ZeroDivisionError" in refused(tmp_path, "explain", "Broken")
    assert "'Gone' (lab 1.0) cannot be loaded: ModuleNotFoundError" in refused(tmp_path, "matrix", "-a", "Gone")
    assert run(tmp_path, "explain", "Pri").returncode == 0


@each(
    ("name", "message"),
    [
        ("RBP", "a metric in the catalogue"),
        ("ranx", "an adapter has this name"),
        ("ranx:mrr", "with ':' are reserved"),
    ],
    3,
)
def test_a_metric_cannot_take_a_name_that_means_something_else(tmp_path: Path, name: str, message: str) -> None:
    install(tmp_path, documented(), metrics={name: "lab.metrics:gain"})
    assert message in refused(tmp_path, "matrix", name, "-a", "Pri")


def test_metrics_are_checked_when_they_are_asked_for(tmp_path: Path) -> None:
    files = documented() | {"lab/bad.py": "def two(x, y):\n    return 0\n"}
    install(tmp_path, files, metrics={"two": "lab.bad:two", "gone": "lab.bad:no_such"})
    install(tmp_path, {}, metrics={"two-twice": "lab.bad:two"}, dist="one")
    install(tmp_path, {}, metrics={"two-twice": "lab.bad:two"}, dist="other")
    assert "plugin 'two' (lab 1.0): two takes (x, y)" in refused(tmp_path, "matrix", "two", "-a", "Pri")
    assert "plugin 'gone' (lab 1.0) cannot be loaded: AttributeError" in refused(tmp_path, "matrix", "gone")
    assert "several packages ship" in refused(tmp_path, "matrix", "two-twice", "-a", "Pri")
    assert "installed plugins: gone, two, two-twice" in refused(tmp_path, "matrix", "tow")


def test_a_plugin_that_leads_to_a_catalogue_metric_keeps_its_own_name_in_witnesses(tmp_path: Path) -> None:
    install(
        tmp_path, {"lab/m.py": "from axiomcheck import parse\n\np7 = parse('P@7')\n"}, metrics={"lab-p": "lab.m:p7"}
    )
    run(tmp_path, "matrix", "lab-p", "-a", "Pri", "--examples", "300", "-f", "json", "-o", "r.json")
    assert run(tmp_path, "replay", "r.json").stdout.splitlines()[-1] == "1 witness confirmed, 0 certificates checked"


def why_not(found: Any, name: str = "Mono") -> str:
    with pytest.raises(InvalidInput) as caught:
        checked(found, name, "here")
    assert str(caught.value).startswith("here: ")
    return str(caught.value)


@each("axiom", [a for a in AXIOMS.values() if isinstance(a, PairAxiom)], 8, ids=str)
def test_the_ten_would_pass_but_for_their_names(axiom: PairAxiom) -> None:
    cls = type(axiom)
    under_another_name = type("Other", (cls,), {"name": "Other", "number": None, "source": "elsewhere"})
    assert checked(under_another_name, "Other", "here").name == "Other"


def test_a_threshold_is_checked_too() -> None:
    said = {"name": "Th", "title": "T", "words": "w", "symbols": "s", "source": "x", "assumptions": (), "reading": ()}
    assert checked(type("Th", (ThresholdAxiom,), said | {"winner": "top"}), "Th", "here").name == "Th"
    assert "winner is 'both'; expected 'top' or 'block'" in why_not(
        type("Th", (ThresholdAxiom,), said | {"winner": "both"}), "Th"
    )


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        ("name", "Other", "the axiom's name is 'Other'; expected 'Mono'"),
        ("number", 11, "number is 11, but only the paper's ten"),
        ("max_aspects", None, "expected max_aspects = 1"),
        ("min_aspects", 2, "max_aspects is 1, but min_aspects is 2; expected max >= min"),
        ("strict", None, "strict is None; expected True or False"),
        ("choices", ("k",), "choices is ('k',); expected a tuple of i, j, t, u"),
        ("choices", ("j",), "choices has 'j' without 'i'"),
        ("choices", ("t", "u"), "choices has two aspects, but min_aspects is 1"),
    ],
)
def test_attributes_that_are_wrong(attribute: str, value: Any, message: str) -> None:
    assert message in why_not(type("Faulty", (Monotonicity,), {attribute: value}))


def test_attributes_and_methods_that_are_missing() -> None:
    bare = type("Bare", (PairAxiom,), {"name": "Mono"})
    assert "Bare does not define rankings, sentence, relate (or fix and holds)" in why_not(bare)
    kept = {k: v for k, v in vars(Monotonicity).items() if not k.startswith("_")}
    for attribute in ("title", "words", "group", "states_small", "assumptions", "reading"):
        without = type("Without", (PairAxiom,), {k: v for k, v in kept.items() if k != attribute})
        assert f"{attribute} is missing; expected" in why_not(without)
    unsourced = type("Without", (PairAxiom,), {k: v for k, v in kept.items() if k != "source"})
    assert "source is missing" in why_not(unsourced)


class Related(Monotonicity):  # type: ignore[misc, valid-type]
    """States its premise as a relation; repair, premises and the instances of proofs come from there."""

    fix, holds = PairAxiom.fix, PairAxiom.holds

    def relate(self, g: Relations, shape: Shape, i: Any, j: Any, t: Any, u: Any) -> None:
        g.positive((shape.ranked, 0))


def test_an_axiom_that_states_relations_is_searched_and_proved_from_them() -> None:
    related = checked(Related, "Mono", "plugin")
    assert isinstance(related, PairAxiom)
    settings = Settings(examples=300)
    by_hand, stated = (
        run_matrix([parse("RBP"), parse("RBU@20")], [axiom], settings=settings).cells
        for axiom in (Monotonicity(), related)
    )
    assert [cell.verdict.value for cell in by_hand] == ["held", "refuted"]
    assert [cell.verdict.value for cell in stated] == ["bounded", "refuted"]
    assert stated[1].witness == by_hand[1].witness


class EitherWay(Priority):
    """Pri, except that among some number of documents every swap of unlike ones counts, and so does its reverse."""

    name, number, source = "EitherWay", None, "a test"
    unlike_at = 7

    def fix(self, d: Draft) -> None:
        if d.n != self.unlike_at:
            super().fix(d)

    def holds(self, d: Draft) -> Mask:
        unlike: Mask = d.grades[d.rows, d.i, 0] != d.grades[d.rows, d.j, 0]
        return unlike if d.n == self.unlike_at else super().holds(d)

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        (worse, better), back = super().rankings(d), (d.i > d.j)[:, None]
        return np.where(back, better, worse), np.where(back, worse, better)

    def script(self) -> None:
        return None


def test_an_axiom_that_contradicts_itself_is_not_held_against_the_metric() -> None:
    late = checked(EitherWay(), "EitherWay", "here")
    with pytest.raises(InvalidInput, match=r"axiom EitherWay: it requires .* to be ahead of .*, and vice versa"):
        run_matrix([parse("RBP")], [late], settings=Settings(examples=300))
    early = EitherWay()
    early.unlike_at = 4
    with pytest.raises(InvalidInput, match=r"here: it requires .*, and vice versa"):
        checked(early, "EitherWay", "here")


COMMON = Many(({"t": "x"},), {"x": "any"})
SWAP = (One({"t": "a"}, {"t": "b"}), One({"t": "b"}, {"t": "a"}))
SCRIPTS = {
    "right": Script(("t",), (COMMON, SWAP[0], COMMON, SWAP[1], COMMON), {"a": "any", "b": "above a"}),
    "the other way round": Script(("t",), (COMMON, SWAP[1], COMMON, SWAP[0], COMMON), {"a": "any", "b": "above a"}),
    "positive only": Script(("t",), (COMMON, SWAP[0], COMMON, SWAP[1], COMMON), {"a": "positive", "b": "above a"}),
}


@pytest.mark.parametrize("kind", SCRIPTS)
def test_a_script_that_does_not_describe_every_instance_is_refused(kind: str) -> None:
    """Under a script of their own, the swaps of Pri."""

    def script(self: PairAxiom) -> Script:
        return SCRIPTS[kind]

    named = {"name": "Swap", "number": None, "source": "elsewhere", "script": script}
    axiom = type("Swap", (Priority,), named)
    if kind == "right":
        assert checked(axiom, "Swap", "here").script() is SCRIPTS[kind]
    else:
        assert "script does not describe the rankings" in why_not(axiom, "Swap")


def test_a_script_that_is_none_or_leaves_documents_out_is_refused() -> None:
    named = {"name": "Swap", "number": None, "source": "elsewhere"}
    odd = type("Swap", (Priority,), {**named, "script": lambda self: 3})
    assert "script is invalid: AttributeError" in why_not(odd, "Swap")
    left_out = replace(SCRIPTS["right"], leaves_out=True)
    lemma = type("Swap", (Priority,), {**named, "script": lambda self: left_out})
    assert "the script sets leaves_out" in why_not(lemma, "Swap")


@pytest.mark.parametrize("found", [3, dict])
def test_an_object_that_is_no_axiom_is_refused(found: Any) -> None:
    assert "expected an instance or subclass of axiomcheck.axioms.PairAxiom or ThresholdAxiom" in why_not(found)


def settles_never(self: Any, d: Any) -> None:
    """Leave the accepted free drafts alone, and not what it repaired."""
    x = d.incoming(0)
    x[:, 0] = np.where(x[:, 0] == 0, d.top * 3 / 8, np.where(x[:, 0] == 3 / 8, d.top, x[:, 0]))


def moves_positions(self: Any, d: Any) -> None:
    Monotonicity.fix(self, d)
    d.i[:] = d.i + d.n


def writes_while_asked(self: Any, d: Any) -> Any:
    ok = Monotonicity.holds(self, d)
    d.grades[:, 0] = 0 * d.grades[:, 0]
    return ok


def ranked(change: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, d: change(*Monotonicity.rankings(self, d))


def depends_on_i(self: Any, d: Any) -> Any:
    """Read a position that a witness would not keep."""
    worse, better = (rows.copy() for rows in Monotonicity.rankings(self, d))
    better[d.rows, d.i], better[:, -1] = d.n, d.i
    return worse, better


def otherwise_in_rationals(self: Any, d: Any) -> Any:
    ok = Monotonicity.holds(self, d)
    return ok & (d.grades[:, 0, 0] > 0) if d.grades.dtype == object else ok


@pytest.mark.parametrize(
    ("method", "fault", "message"),
    [
        ("fix", lambda self, d: setitem(d.grades, np.s_[:, d.shape.documents], 0), "repair raised IndexError"),
        (
            "fix",
            lambda self, d: setitem(d.incoming(0), np.s_[:, 0], d.top),
            "repair changes drafts that meet the premises",
        ),
        ("fix", settles_never, "repair changes its own results"),
        (
            "fix",
            lambda self, d: setitem(d.incoming(0)[:, 0], d.incoming(0)[:, 0] == 0, 2),
            "leaves grades outside [0, 1]",
        ),
        ("fix", moves_positions, "leaves i outside 0 to"),
        (
            "holds",
            lambda self, d: d.incoming(0)[:, 0] > d.top,
            "repair produced no draft of",
        ),
        ("holds", lambda self, d: d.incoming(0) > 0, "premises (holds) "),
        ("holds", writes_while_asked, "premises (holds) changes the draft"),
        (
            "rankings",
            ranked(lambda w, b: (w, np.concatenate([b, b[:, :1]], axis=1))),
            "better contains a document twice",
        ),
        ("rankings", ranked(lambda worse, better: (worse, better + 5)), "rankings: better has documents outside"),
        ("rankings", ranked(lambda worse, better: (worse[:1], better)), "rankings: worse is an array of int64"),
        ("rankings", lambda self, d: self.plain(d), "rankings: worse and better are the same"),
        ("rankings", lambda self, d: self.plain(d)[0], "expected (worse, better)"),
        ("last_rank", lambda self, d: np.zeros(d.size, dtype=np.int64), "last_rank returned an array"),
        ("sentence", lambda self, d: None, "sentence returned None; expected a string"),
        ("rankings", depends_on_i, "it depends on i, which is not in choices"),
        ("holds", lambda self, d: np.sqrt(d.incoming(0)[:, 0]) > 0, "for exact rationals"),
        ("holds", otherwise_in_rationals, "differ between floats and exact rationals"),
    ],
)
def test_an_axiom_with_a_faulty_method_is_refused(method: str, fault: Callable[..., Any], message: str) -> None:
    assert message in why_not(type("Faulty", (Monotonicity,), {method: fault}))
