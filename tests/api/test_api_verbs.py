"""The six verbs: what they take, what they return, and how that is shown and saved."""

import inspect
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

import axiomcheck
from axiomcheck import CellDecided, InvalidInput
from axiomcheck.api.results import Result
from axiomcheck.checks.contract import run_contract
from axiomcheck.cli.program import main
from tests.gating.gate_projects import leave_checks_out
from tests.support.commands import command as run_command
from tests.support.suites import each

QRELS = {"q1": {"a": 1, "b": 0}}
RUN = {"q1": {"a": 2.0, "b": 1.0}}


def total(topic: Any, ranking: Any) -> float:
    return float(sum(topic.pool[document][0] for document in ranking))


@pytest.fixture(scope="module")
def matrix() -> Any:
    return axiomcheck.matrix(["RBP", total, "RBU@20"], ["Pri", "Red"], examples=20, jobs=1)


def leave_contract_out(patch: pytest.MonkeyPatch) -> None:
    """Leave out what takes check seconds and is beside the point: contract checks and known definitions."""
    patch.setattr("axiomcheck.checks.metric.run_contract", lambda *_, **__: [])
    patch.setattr("axiomcheck.checks.metric.known_definition", lambda metric: None)


@pytest.fixture(scope="module")
def checked() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        leave_contract_out(patch)
        return axiomcheck.check(total, "Pri", examples=10, jobs=1)


@pytest.fixture(scope="module")
def everything(matrix: Any, checked: Any, contract: Path) -> dict[str, Result]:
    with pytest.MonkeyPatch.context() as patch:
        leave_checks_out(patch)
        gated = axiomcheck.gate(contract, jobs=1)
    return {
        "matrix": matrix,
        "check": checked,
        "prove": axiomcheck.prove("P@3", "Pri", examples=100),
        "region": axiomcheck.region("RBP", "CloseTh", over={"p": (0.6, 0.9)}),
        "gate": gated,
        "score": axiomcheck.score(["P@1", "RBP"], QRELS, RUN),
    }


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("project") / "axiomcheck.toml"
    file.write_text('examples = 20\n[metrics."RBP@3".axioms]\nPri = "holds"\nConf = "holds"\n', encoding="utf-8")
    return file


def saved(result: Result, folder: Path, ending: str = ".json") -> str:
    return result.save(folder / f"saved{ending}").read_text(encoding="utf-8")


@each(
    ("call", "command"),
    [
        (
            lambda: axiomcheck.matrix(["RBP", "P@3"], "Pri", examples=300, seed=3, proofs=False, jobs=1),
            "matrix RBP P@3 -a Pri --examples 300 --seed 3 --no-proofs -j 1",
        ),
        (
            lambda: axiomcheck.region("RBP", "CloseTh", over={"p": (0.6, 0.9)}),
            "region RBP CloseTh --over p=0.6:0.9",
        ),
        (lambda: axiomcheck.check("RR", "Pri", examples=100, jobs=1), "check RR -a Pri --examples 100"),
    ],
    4,
)
def test_a_verb_does_what_its_command_does(
    call: Callable[[], Result], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_contract_out(monkeypatch)
    printed = json.loads(run_command(*command.split(), "-f", "json").stdout)
    assert json.loads(saved(call(), tmp_path)) == printed
    if command.startswith("matrix"):
        assert printed["settings"]["seed"] == 3


def command_of(verb: str) -> click.Command:
    command = main.get_command(click.Context(main), verb)
    assert command is not None
    return command


PRINTED = {"axioms", "verbose", "format_", "output", "witnesses", "per_topic", "started", "update", "reason"}
"""Parameters of commands that functions have not: results are asked for these; ``-a`` is an argument of functions."""


@pytest.mark.parametrize("verb", ["check", "matrix", "prove", "region", "gate", "score"])
def test_a_verb_is_spelled_as_its_command(verb: str, everything: dict[str, Result]) -> None:
    """Arguments in the same order, options by the same names, files by the same endings."""
    command, known = command_of(verb), inspect.signature(getattr(axiomcheck, verb)).parameters
    arguments = [str(one.name).removesuffix("s") for one in command.params if isinstance(one, click.Argument)]
    assert [name.removesuffix("s") for name in known][: len(arguments)] == arguments
    for one in command.params:
        if isinstance(one, click.Option) and one.name not in PRINTED:
            spelled = one.opts[-1].removeprefix("--").removeprefix("no-").replace("-", "_")
            assert spelled in known, (verb, spelled)
    (output,) = [one for one in command.params if isinstance(one, click.Option) and one.name == "output"]
    assert re.findall(r"\.[a-z0-9]+\b", str(output.help)) == everything[verb].endings


@pytest.mark.parametrize("verb", ["check", "matrix", "prove", "region", "gate", "score"])
def test_an_unknown_option_is_told_the_nearest_and_each_is_in_the_signature_and_the_docstring(verb: str) -> None:
    function = getattr(axiomcheck, verb)
    options = [
        name
        for name, one in inspect.signature(function).parameters.items()
        if one.kind is one.KEYWORD_ONLY and name not in ("listen", "ledger", "over", "cache", "deadline")
    ]
    assert options
    assert all(f"        {name}: " in function.__doc__ for name in options)
    given = {"score": ("P@1", QRELS, RUN), "gate": ()}.get(verb, ("RBP", "Pri"))
    more = {"over": "p=0.5:0.9"} if verb == "region" else {}
    with pytest.raises(TypeError, match=f"{verb}.. got an unexpected .*did you mean .*{options[0]}"):
        function(*given, **more, **{f"{options[0]}x": 1})


def test_cells_are_found_by_whatever_was_given(matrix: Any, checked: Any) -> None:
    assert matrix["RBU@20", "Red"].verdict == "refuted"
    assert matrix["RBU(p=0.8, e=0.05)@20", "red"] is matrix[axiomcheck.parse("RBU@20"), axiomcheck.find_axiom("Red")]
    assert matrix[total, "Pri"].witness is not None
    assert matrix["total", "Pri"] is matrix[total, "Pri"]
    assert [cell.metric for cell in matrix.findings] == ["RBU(p=0.8, e=0.05)@20"]
    assert checked["Pri", "finite"].witness.reading.regime == "finite"
    assert ("total", "Pri") in checked.witnesses
    for key, said in ((("nDCG", "Pri"), "metric here"), (("RBP", "Deep"), "axiom here"), (("Nope", "Pri"), "Nope")):
        with pytest.raises(KeyError, match=said):
            matrix[key]
    for key in ("Pri", ("RBU@20",), 3, ("RBU@20", "Red", "Pri"), slice(1)):
        with pytest.raises(KeyError, match=r"expected a metric and an axiom, as in result\['RBU@20', 'Red'\], got"):
            matrix[key]
    with pytest.raises(KeyError, match=r"expected result\['Red'\] or result\['Red', 'finite'\], got \('Red',\)"):
        checked["Red",]
    with pytest.raises(KeyError, match="no cell for Red"):
        checked["Red"]


def test_results_are_short_where_they_are_printed(everything: dict[str, Result]) -> None:
    for name, result in everything.items():
        lines = repr(result).splitlines()
        most = {"matrix": 24, "check": 45}.get(name, 13)  # these two show counterexamples and reasons
        assert 1 <= len(lines) <= most, name
        assert lines == [line.rstrip() for line in lines], name
    assert re.search(r"^RBP +●", repr(everything["matrix"]), re.MULTILINE)
    assert "○ refuted" in repr(everything["prove"])


def test_results_are_shown_by_notebooks(everything: dict[str, Result]) -> None:
    for name, result in everything.items():
        shown = result._repr_html_()
        assert shown.count("<div") == shown.count("</div>") >= 1, name
        assert "<script" not in shown
    assert 'class="verdict v-refuted"' in everything["check"]._repr_html_()


def test_a_region_is_shown_and_saved_as_a_picture(everything: dict[str, Result], tmp_path: Path) -> None:
    assert "<svg" in everything["region"]._repr_html_()
    assert everything["region"].save(str(tmp_path / "r.SVG")).read_text("utf-8").startswith("<svg")


@pytest.mark.extra("pandas")
def test_frames(everything: dict[str, Result], monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {name: len(result.to_frame()) for name, result in everything.items()}
    assert sizes["matrix"] == 6
    assert sizes["check"] == 3
    assert sizes["region"] == 2
    frame = everything["matrix"].to_frame().set_index(["metric", "axiom"])
    assert frame.loc[("RBP(p=0.8)", "Pri"), "verdict"] == "proved"
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InvalidInput, match="pip install pandas"):
        everything["matrix"].to_frame()


def test_files_are_written_by_their_ending(everything: dict[str, Result], tmp_path: Path) -> None:
    assert saved(everything["matrix"], tmp_path, ".csv").startswith("metric,row,axiom")
    assert saved(everything["matrix"], tmp_path, ".md").startswith("**Which axioms metrics satisfy**")
    assert saved(everything["score"], tmp_path, ".csv").startswith("run,topic")
    assert "<testsuite" in saved(everything["gate"], tmp_path, ".xml")
    before = set(tmp_path.iterdir())
    for name, result in everything.items():
        with pytest.raises(InvalidInput, match=r"expected a file name that ends in .*\.json"):
            result.save(tmp_path / f"{name}.docx")
    for name, said in ((3, "save: expected a file name, got 3"), ("a\0.json", r"cannot write a\\u0000.json: ")):
        with pytest.raises(InvalidInput, match=said):
            everything["matrix"].save(name)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="there is no directory"):
        everything["matrix"].save(tmp_path / "no" / "such.json")
    assert set(tmp_path.iterdir()) == before


def test_the_gate_says_what_is_broken(everything: dict[str, Result]) -> None:
    held: Any = everything["gate"]
    assert not held.passed
    assert [(one.metric, one.asked) for one in held.broken] == [("RBP@3", "Conf")]
    assert held["RBP@3", "Conf"].verdict == "refuted"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: axiomcheck.matrix([], "Pri"), "metrics is an empty list"),
        (lambda: axiomcheck.matrix("RBP", 3), "expected the name of an axiom, such as 'Red', got int"),  # type: ignore[arg-type]
        (lambda: axiomcheck.matrix(3, "Pri"), "not a metric; expected a function"),  # type: ignore[arg-type]
        (lambda: axiomcheck.check("RBP", timeout=0), "timeout is 0"),
        (lambda: axiomcheck.check("RBP", budget="x"), "budget is 'x'; expected a number or None"),  # type: ignore[arg-type]
        (lambda: axiomcheck.check("RBP", "Pri", contract_only=True), "contract_only does not decide axioms"),
        (lambda: axiomcheck.check("RBP", examples=9, contract_only=True), "omit contract_only or examples"),
        (lambda: axiomcheck.region("RBP", "Pri", over="p=0.5:0.9", depth=3), "decided on a grid; omit depth"),
        (lambda: axiomcheck.check(total, budget=5), "with a time budget, give metrics by name"),
        (lambda: axiomcheck.region("RBP", "CloseTh", over={"p": (0.5, 2)}), "over p=(0.5, 2): RBP: p=2 is out of"),
        (lambda: axiomcheck.gate(cache=1), "gate: cache is 1; expected True or False"),  # type: ignore[arg-type]
        (lambda: axiomcheck.gate(3), "gate: expected a file name, got 3"),  # type: ignore[arg-type]
        *(
            (lambda over=over: axiomcheck.region("RBP", "Pri", over=over), "as in {'p': (0.5, 0.99)} or 'p=0.5:0.99'")
            for over in (None, [("p", (0.5, 0.9))])
        ),
        *(
            (lambda verb=verb: getattr(axiomcheck, verb)("RBP", "Pri", listen=3), f"{verb}: listen is 3; expected")
            for verb in ("matrix", "check", "prove")
        ),
        (lambda: axiomcheck.prove("Red", total), "expected METRIC AXIOM, as in total Red"),  # type: ignore[arg-type]
        (lambda: axiomcheck.parse("RBP")(0.5), "RBP: pass parameters by name, not by position; its parameters: p"),
        (lambda: axiomcheck.read_witness("nope.json"), "witness: nope.json is text or a path; expected a document"),
        (lambda: axiomcheck.score("P", {"1": {"d": 0.5}}, {"1": {"d": 1}}), "order is metrics, qrels, run)"),
        (lambda: axiomcheck.matrix([lambda topic, ranking: 1.0, lambda topic, ranking: 2.0]), "metric(name="),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_with_what_is_expected(call: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(said)):
        call()


def test_functions_may_have_names_of_the_catalogue() -> None:
    def rbp(topic: Any, ranking: Any) -> float:
        return total(topic, ranking)

    result = axiomcheck.matrix(["RBP", rbp], "Pri", examples=100, jobs=1)
    assert [cell.metric for cell in result.cells] == ["RBP(p=0.8)", f"{__name__}.rbp"]
    assert result[rbp, "Pri"].verdict == "refuted"
    assert result["RBP(p=0.8)", "Pri"].verdict == "proved"
    with pytest.raises(KeyError, match=rf"names RBP\(p=0.8\), {re.escape(__name__)}.rbp"):
        result["rbp", "Pri"]
    alone = replace(result, ledger=replace(result.ledger, cells=result.cells[1:]))
    assert alone["rbp", "Pri"] is alone[f"{__name__}.rbp", "Pri"] is result.cells[1]
    for typed in ("RBP", "rbq"):
        with pytest.raises(KeyError, match=f"unknown metric here '{typed}'; .*{re.escape(__name__)}.rbp"):
            alone[typed, "Pri"]


@pytest.mark.parametrize("verb", ["matrix", "check", "prove"])
def test_ctrl_c_keeps_what_was_decided(verb: str) -> None:
    seen: list[Any] = []

    def stop(event: Any) -> None:
        """After the first cell of the stated regime, before which check decides both of the finite one."""
        seen.extend([event] * isinstance(event, CellDecided))
        if len(seen) == (3 if verb == "check" else 1) or (verb == "prove" and event.share > 0):
            raise KeyboardInterrupt

    if verb == "prove":
        result: Any = axiomcheck.prove("RBP", "Pri", examples=300, listen=stop)
    else:
        result = getattr(axiomcheck, verb)("RBP", ["Pri", "Conf"], examples=300, jobs=1, listen=stop)
        assert [cell.verdict.decided for cell in result.cells] == [True, False]
    assert result.interrupted
    assert repr(result).startswith("interrupted")
    assert "interrupted" in result._repr_html_()


def test_a_reference_may_be_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_contract_out(monkeypatch)
    monkeypatch.setattr(
        "axiomcheck.checks.metric.run_contract", lambda *a, **more: run_contract(*a, **more | {"checks": ["reference"]})
    )

    def other(topic: Any, ranking: Any) -> float:
        return 2 * total(topic, ranking)

    for reference, status in ((total, "passed"), (other, "failed")):
        result = axiomcheck.check(total, contract_only=True, reference=reference)
        assert [(o.check, o.status) for o in result.contract] == [("reference", status)]
