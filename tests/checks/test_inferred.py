"""What is inferred of a metric that declares nothing, what is not, and how it is told."""

import json
import re
import textwrap
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck import Metric, Reading, Verdict, find_axiom, metric, parse
from axiomcheck.checks.contract import run_contract
from axiomcheck.checks.inferred import Inference, inferred
from axiomcheck.checks.metric import Checked, Examined
from axiomcheck.decide.search import Settings
from axiomcheck.engine.cells import decide
from axiomcheck.engine.tasks import Task
from axiomcheck.reports.check_report import check_report
from axiomcheck.reports.documents import check_json
from axiomcheck.reports.table import report_text
from axiomcheck.sources.resolve import resolve
from tests.checks.contract_planted import dcg, ideal, over, share_found
from tests.reports.reports_ledgers import made_up
from tests.support.suites import each

Array = Any

HITS = "def hits(topic, ranking):\n    return sum(topic.pool[d][0] > 0 for d in ranking[:5]) / 5\n"


def refuses_eighths(grades: Array, weights: Array) -> Array:
    if (grades * 4 % 1).any():
        raise ValueError("whole judgments, please")
    return dcg(grades)


def weighted(grades: Array, weights: Array) -> Array:
    return (grades * weights[:, None]).sum(axis=(1, 2))


def added(grades: Array, weights: Array) -> Array:
    return grades.sum(axis=(1, 2))


def ndcg_at_10(grades: Array, weights: Array, pool: Array) -> Array:
    return over(dcg(grades, 10), ideal(pool, 10))


def found(topic: Any, ranking: Any) -> float:
    return share_found(topic, ranking[:5])


SEEN: list[tuple[Callable[..., Any], dict[str, str]]] = [
    (
        ndcg_at_10,
        {
            "cutoff": "cutoff=10",
            "single_aspect": "single_aspect=True",
            "pool": "",
            "high": "high=1",
            "ideal": "ideal=True",
        },
    ),
    (
        added,
        {"single_aspect": "", "weights": "weights=False", "low": "low=0", "high": "", "monotone": "monotone=True"},
    ),
    (lambda grades, weights, pool: dcg(grades), {"cutoff": "", "pool": "nothing"}),
    (lambda grades, weights: (grades[:, :4, 0] > 0).sum(1) / 4, {"binary_only": "binary_only=True"}),
    (refuses_eighths, {"levels": "levels=4"}),
    (lambda grades, weights: grades[:, :, 0].mean(axis=1), {"monotone": ""}),
    (lambda grades, weights: (grades[:, :, 0] > 0.01).sum(1), {"binary_only": ""}),
    (lambda grades, weights: over(grades[:, :, 0].sum(1), grades[:, :, 0].max(1, initial=0)), {"binary_only": ""}),
    (lambda grades, weights: np.rint(2 * grades).sum(axis=(1, 2)), {"levels": "levels=2"}),
    (lambda grades, weights: np.floor(3 * grades).sum(axis=(1, 2)), {"levels": ""}),
    (weighted, {"weights": ""}),
    (found, {"pool": ""}),
    (lambda grades, weights: dcg(grades - 0.1), {"low": ""}),
    (lambda grades, weights: grades[:, :, 0].mean(axis=1) if grades.shape[1] else np.zeros(len(grades)), {"ideal": ""}),
]
"""Functions, with the declarations that are inferred of them, by what they are about; empty for the contrary."""


def of(inferences: tuple[Inference, ...], about: str) -> Inference | None:
    return next((one for one in inferences if one.about == about), None)


@each(("function", "inferences"), SEEN, 5)
def test_inferences_are_true_of_the_metric_and_the_contrary_is_shown(
    function: Callable[..., Any], inferences: dict[str, str]
) -> None:
    seen = inferred(metric(name="made")(function))
    for about, declared in inferences.items():
        one = of(seen, about)
        assert one is not None or (about in ("cutoff", "levels") and not declared)
        if one is not None:
            assert one.seems_so == bool(declared)
            assert one.probes > 0
            assert (one.declare.decorator if one.declare else "nothing" if one.seems_so else "") == declared
            assert one.seems_so or json.dumps(one.contrary, allow_nan=False).count("rankings") == 1


def test_declarations_are_not_inferred() -> None:
    everything = {"cutoff": 10, "single_aspect": True, "low": 0, "high": 1, "ideal": True, "monotone": True}
    assert {one.about for one in inferred(metric(**everything)(ndcg_at_10))} == {"binary_only", "pool"}


@pytest.mark.parametrize(
    "made",
    [
        lambda: metric()(lambda grades, weights: np.zeros(len(grades))),
        lambda: metric()(lambda grades, weights: np.full(len(grades), np.nan)),
        lambda: metric()(lambda grades, weights: 1 / 0),
        lambda: parse("RBP"),
    ],
)
def test_nothing_is_inferred_of_what_scores_nothing_or_is_the_catalogues(made: Callable[[], Metric]) -> None:
    assert inferred(made()) == ()


def test_a_slow_function_is_asked_at_most_three_thousand_times() -> None:
    calls = []

    def slow(topic: Any, ranking: Any) -> float:
        calls.append(ranking)
        return share_found(topic, ranking)

    inferred(metric()(slow))
    assert len(calls) < 3000


def test_inferences_are_told_with_a_line_that_declares_them(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(HITS)
    name = f"{file}:hits"
    checked = _inferred_of(resolve(name))
    [record] = json.loads(check_json([checked]))["metrics"]
    assert {one["about"] for one in record["inferred"] if one["contrary"]} == {"ideal"}
    text = _printed(checked, 1000)
    assert "~ it only tests whether a grade is positive (" in text
    arguments = "cutoff=5, single_aspect=True, binary_only=True, low=0, high=1, monotone=True"
    assert f"@axiomcheck.metric({arguments})\n" in text
    written, table = _to_paste(_printed(checked, 80))
    assert written == file.with_name("axiomcheck.toml")
    assert tomllib.loads(table)["declared"].keys() == {"own.py:hits"}
    written.write_text(table)
    declared = resolve(name)
    assert (declared.cutoff, declared.binary_only, declared.claims.high) == (5, True, 1)
    assert {one.about for one in inferred(declared)} == {"pool", "ideal"}


def _inferred_of(own: Metric) -> Checked:
    """Return the inferences alone."""
    return Checked(own.canonical, (made_up(),), Examined((), inferred=inferred(own)))


def _printed(checked: Checked, width: int) -> str:
    return report_text(check_report(checked), width)


def _to_paste(text: str) -> tuple[Path, str]:
    """The file and the lines for it that a report shows, as somebody copies them."""
    found = re.search(r"^or in a file in the same folder:\n    # (.*)\n((?:    .*\n)+)", text, re.MULTILINE)
    return Path(found[1]), textwrap.dedent(found[2])


def test_the_table_is_for_the_folder_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a name that TOML has to escape, and tables further up that go on being read."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / 'o"wn.py').write_text(f"{HITS}\n\nall_hits = lambda topic, ranking: hits(topic, ranking)\n")
    (tmp_path / "axiomcheck.toml").write_text("[declared.'deep/o\"wn.py:all_hits']\ncutoff = 7\n")
    monkeypatch.chdir(tmp_path)
    name = 'deep/o"wn.py:hits'
    file, table = _to_paste(_printed(_inferred_of(resolve(name)), 40))
    assert file == Path("deep", "axiomcheck.toml")
    file.write_text(table)
    assert (resolve(name).cutoff, resolve('deep/o"wn.py:all_hits').cutoff) == (5, 7)


def test_every_check_that_is_not_asked_is_named_with_what_it_needs() -> None:
    checked = Checked("gain", (), Examined(tuple(run_contract(metric(name="gain")(added)))))
    not_asked = [one.check for one in checked.tried.contract if one.status == "not-applicable"]
    assert len(not_asked) > 10
    assert f"- {len(not_asked)} checks skipped; -f json lists what each needs" in _printed(checked, 5000)
    [section] = [one for one in check_report(checked).sections if one.heading == "All checks"]
    needed = {row[0]: row[-1] for row in section.table.rows}
    assert all(needed[name] for name in not_asked)
    assert needed["in-range"] == "a declaration of low or high"
    declared = metric(name="gain", low=0, single_aspect=True)(lambda grades, weights: dcg(grades))
    outcomes = run_contract(declared, checks=["in-range", "aspect-permutation"])
    told = {one.check: (one.status, one.needs) for one in outcomes}
    assert told["in-range"] == ("passed", "")
    assert told["aspect-permutation"] == ("not-applicable", "")


def _falls(rare: Callable[[Array, Array], Array]) -> Metric:
    """Return a metric that counts relevant documents, less 10 on rare rankings."""
    return metric(single_aspect=True)(
        lambda grades, weights, pool: (grades > 0).sum(axis=(1, 2)) - 10.0 * rare(grades, pool)
    )


RARELY_FALLING: dict[str, Callable[[Array, Array], Array]] = {
    "the rest of a large pool": lambda grades, pool: (
        (pool.shape[1] == 12) & (grades.shape[1] == 10) * (pool > 0).all(axis=(1, 2))
    ),
    "one low grade last": lambda grades, pool: (
        (grades[:, -1:, 0].sum(axis=1) > 0) & (grades[:, -1:, 0].sum(axis=1) < 0.02)
    ),
}


@each(("rare", "seed"), [("the rest of a large pool", 0), ("one low grade last", 0), ("one low grade last", 3)], 2)
def test_monotone_is_not_advised_where_its_check_would_fail(rare: str, seed: int) -> None:
    own, declared = _falls(RARELY_FALLING[rare]), _falls(RARELY_FALLING[rare])
    declared.claims = replace(declared.claims, monotone=True)
    [asked] = run_contract(declared, checks=["monotone"], seed=seed)
    [told] = [one for one in inferred(own, seed) if one.about == "monotone"]
    assert (told.declare is None, bool(told.contrary)) == ((asked.status == "failed",) * 2)
    assert asked.status == "failed" or (rare, seed) == ("one low grade last", 0)


def _beyond(rare: Callable[[Array, Array, Array], Array]) -> Callable[..., Array]:
    """Return a gain of the first five ranks, to which something is added in rare cases only."""

    def scored(grades: Array, weights: Array, pool: Array) -> Array:
        support = (grades[:, :5, 0] > 0).sum(axis=1) / 8
        return support + rare(grades, weights, pool) * np.ones(len(grades))

    return scored


ONLY_RARE: list[tuple[Callable[[Array, Array, Array], Array], dict[str, Any]]] = [
    (lambda g, w, pool: g[..., 5].sum(axis=1) if g.shape[2] > 5 else 0, {"single_aspect": True}),
    (lambda g, w, pool: ((g[..., 1:] > 0) & (g[..., 1:] < 1e-4)).any(axis=(1, 2)), {"single_aspect": True}),
    (lambda g, w, pool: g[:, :5, 0].max(axis=1) if g.shape[1] > 25 else 0, {"binary_only": True}),
    (lambda g, w, pool: g[:, :5, 0].max(axis=1) if pool.shape[1] - g.shape[1] > 20 else 0, {"binary_only": True}),
    (lambda g, w, pool: w[:, 6] if g.shape[2] > 6 else 0, {"weights": False}),
    (lambda g, w, pool: np.ceil(g[:, :5, 0] * 4 if g.shape[1] > 16 else g[:, :5, 0] * 2).sum(axis=1), {"levels": 2}),
    (lambda g, w, pool: -8 if g.shape[1] > 40 else 0, {"low": 0.0}),
    (lambda g, w, pool: 8 if g.shape[2] > 8 else 0, {"high": 0.625}),
    (lambda g, w, pool: (g.shape[1] < 40) * 3, {"monotone": True}),
]


@each(("rare", "declared"), ONLY_RARE, 4)
def test_what_fails_only_in_rare_instances_of_a_search_is_not_advised(
    rare: Callable[[Array, Array, Array], Array], declared: dict[str, Any]
) -> None:
    [(about, value)] = declared.items()
    advised = [one.declare for one in inferred(metric(name="made")(_beyond(rare))) if one.about == about]
    assert all(one is None or one.toml != f"{about} = {str(value).lower()}" for one in advised)


def test_a_declaration_that_fails_only_in_rare_instances_is_an_error() -> None:
    rare, declared = ONLY_RARE[0]
    made = metric(name="made", **declared)(_beyond(rare))
    [cell] = decide(Task(find_axiom("Pri"), (made,), Reading(), Settings(examples=10)), lambda share: None)
    assert (cell.verdict, "declare" in cell.reason) == (Verdict.ERROR, True)
