"""Test the questions about runs: measures, levels, gains, a T for each topic, several runs, batches of rankings."""

import re
import sys
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck import InvalidInput, score
from axiomcheck.core.typing import Reals
from axiomcheck.metrics import CATALOGUE, Metric, parse
from axiomcheck.metrics.catalogue import RUN_MEASURES
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.runs.trec import Scores, measures_named, rankings, read_run
from axiomcheck.runs.trec.rankings import MOST_EXPONENTIAL, JudgedTopic, Ranking, score_all
from axiomcheck.runs.trec.residuals import evaluate_all, is_modelled
from tests.runs.trec_data import Doc, Qrel
from tests.support.suites import each

QRELS = {"q": {"a": 1, "b": 2, "c": 0, "m": -1}}
RUN = {"q": {"c": 6.0, "a": 5.0, "u": 4.0, "b": 3.0}}


def of_library(test: Any) -> Any:
    """Mark a test that needs ir_measures and the library behind it."""
    return pytest.mark.extra("ir_measures")(pytest.mark.extra("pytrec_eval")(test))


def library(*row: Any) -> Any:
    """Return a row that needs ir_measures and the library behind it."""
    return pytest.param(*row, marks=[pytest.mark.extra("ir_measures"), pytest.mark.extra("pytrec_eval")])


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("AP(rel=2)@100", "AP(rel=2)@100"),
        ("RBP(rel=2, p=0.9)", "RBP(p=0.9, rel=2)"),
        ("nDCG(gain=exponential)@10", "nDCG(gain=exponential)@10"),
        library("r@10", "R@10"),
        library("numret(rel=1)", "NumRet(rel=1)"),
        library("SetF(beta=2.0)", "SetF(beta=2.0)"),
    ],
)
def test_names(typed: str, name: str) -> None:
    assert [str(one) for one in measures_named([typed])] == [name]
    assert measures_named([name]) == measures_named([typed])


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("AP(rel=0)", r"rel=0; expected an integer of at least 1"),
        ("nDCG(gain=square)", "gain=square; expected linear or exponential"),
        ("P(gain=exponential)@5", "only tests whether a document is relevant; omit gain"),
        ("nDCG(dcg='exp-log2')@10", "instead of dcg='exp-log2', write gain=exponential"),
        *(
            library(typed, re.escape(f"ir_measures cannot parse or compute {typed}; expected valid parameters and cut"))
            for typed in ("Judged(rel=2)@5", "R(gain=linear)@5", "R", "Rprec@5", "R(aggregate=max)@5", "R(rel=0)@5")
        ),
        ("AP(rel=2, rel=3)", "parameter 'rel' appears twice"),
    ],
)
def test_names_that_are_refused(typed: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        measures_named([typed])


def test_a_measure_of_ir_measures_says_where_it_is_computed_and_how_it_is_asked_axioms() -> None:
    for name in RUN_MEASURES:
        expected = f"{name} is an ir_measures measure.*score.*axioms can be checked on ir_measures:{name}"
        with pytest.raises(InvalidInput, match=expected):
            parse(f"{name.lower()}@10")


def test_without_ir_measures_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    assert score("P@2", QRELS, RUN).mean == {"P@2": 0.5}
    for name in ("Bpref", "recall_5"):
        with pytest.raises(InvalidInput, match=r"needs ir_measures, .*: pip install .*'ir-measures>=.*pytrec-eval"):
            score(name, QRELS, RUN)


def test_a_level_makes_grades_binary() -> None:
    found = score(["RBP(rel=2, p=0.5)", "RBP(p=0.5)", "nDCG(rel=1)", "AP(rel=2)", "AP"], QRELS, RUN).mean
    assert found["RBP(p=0.5, rel=2)"] == 1 / 16
    assert found["RBP(p=0.5)"] == 1 / 16 + 1 / 8
    assert found["nDCG(rel=1)"] == pytest.approx((1 / np.log2(3) + 1 / np.log2(5)) / (1 + 1 / np.log2(3)))
    assert (found["AP(rel=2)"], found["AP"]) == (1 / 4, 1 / 2)


def test_the_level_of_all_is_that_of_binary_metrics_without_their_own() -> None:
    found = score(["AP", "AP(rel=1)", "nDCG", "RBP"], QRELS, RUN, level=2).mean
    plain = score(["nDCG", "RBP"], QRELS, RUN).mean
    assert (found["AP"], found["AP(rel=1)"]) == (1 / 4, 1 / 2)
    assert {name: found[name] for name in plain} == plain
    with pytest.raises(InvalidInput, match="level 2 needs a binary metric, such as AP"):
        score(["nDCG", "AP(rel=1)"], QRELS, RUN, level=2)


@of_library
def test_measures_of_ir_measures_see_the_rankings_as_they_are_scored() -> None:
    """Levels, depths, rankings without what is not judged, empty ones, names of any bytes and ties by any rule."""
    found = score(["R@2", "R(rel=1)@2", "AP"], QRELS, RUN, level=2).mean
    assert found == {"R@2": 0, "R(rel=1)@2": 1 / 2, "AP": 1 / 4}
    with pytest.raises(InvalidInput, match="level 2 needs a binary metric"):
        score(["Judged@3", "R(rel=1)@2"], QRELS, RUN, level=2)
    assert score(["SetP", "Judged@5"], QRELS, RUN, max_results=2).mean == {"SetP": 1 / 2, "Judged@5": 1.0}
    assert score("SetP", QRELS, RUN, unjudged="skip").mean == {"SetP": 2 / 3}
    names = [f"{name}@2" if name in ("R", "Success", "Judged", "IPrec") else name for name in RUN_MEASURES]
    names[names.index("IPrec@2")] = "IPrec@0.5"
    empty = score(names, {"q": {"a": 1}, "p": {"a": 1}}, {"q": {"a": 1.0}}, complete=True)
    assert {
        name: value for name, value in empty.per_topic["p"].items() if name not in ("NumQ", "NumRel")
    } == dict.fromkeys(set(names) - {"NumQ", "NumRel"}, 0.0)
    assert (empty.mean["R@2"], empty.mean["NumRet"]) == (0.5, 1.0)  # what is counted is summed, as by ir_measures
    odd = "\udcff\u00e9"
    assert score("R@1", {odd: {odd: 1, "b": 0}}, {odd: {"b": 1.0, odd: 1.0}}).mean == {"R@1": 1.0}
    assert score("R@1", {odd: {odd: 1, "b": 0}}, {odd: {"b": 1.0, odd: 1.0}}, ties="file").mean == {"R@1": 0.0}
    with pytest.raises(InvalidInput, match="a grade of 200; expected at most 127 for R@1, which trec_eval computes"):
        score("R@1", {"q": {"a": 200}}, {"q": {"a": 1.0}})


@of_library
def test_a_topic_with_negative_judgments_only_scores_zero() -> None:
    # pytrec_eval crashes the process on such a topic
    qrels, run = {"p": {"a": -1, "b": -2}, "q": {"a": 1}}, {"p": {"a": 2.0, "b": 1.0}, "q": {"a": 1.0}}
    found = score(["Rprec", "NumRel", "NumRet", "Bpref"], qrels, run).per_topic
    assert found["p"] == {"Rprec": 0.0, "NumRel": 0.0, "NumRet": 2.0, "Bpref": 0.0}


def test_gains_are_of_one_metric_and_make_no_document_irrelevant_where_floats_have_none() -> None:
    found = score(["nDCG(gain=exponential)", "nDCG", "ERR(gain=linear)@5"], QRELS, RUN).mean
    turned = score(["nDCG(gain=linear)", "nDCG", "ERR(gain=linear)@5"], QRELS, RUN, gain="exponential").mean
    assert found["nDCG(gain=exponential)"] == turned["nDCG"] != found["nDCG"] == turned["nDCG(gain=linear)"]
    assert found["ERR(gain=linear)@5"] == turned["ERR(gain=linear)@5"]
    deep = {"q": {"a": 1, "b": MOST_EXPONENTIAL + 100}}
    for gain in ("linear", "exponential"):
        assert score(["P@1", "AP"], deep, {"q": {"a": 1.0}}, gain=gain).mean == {"P@1": 1.0, "AP": 0.5}
    with pytest.raises(InvalidInput, match=f"gmax 1100 .*; expected at most {MOST_EXPONENTIAL}"):
        score("ERR(gain=exponential)", deep, {"q": {"a": 1.0}})


def test_a_depth_cuts_every_ranking() -> None:
    found = score(["AP", "RBP(p=0.5)"], QRELS, RUN, max_results=2)
    assert found.mean == {"AP": 1 / 4, "RBP(p=0.5)": pytest.approx(1 / 6)}
    # the document without a judgment is further down
    assert found.notes == ("users stop at rank 2, as in cwl-eval (RBP(p=0.5))",)
    assert found.residual == {"RBP(p=0.5)": 0.0}
    cut = score(["RBP(p=0.5)", "P@4"], QRELS, RUN, max_results=4)
    assert cut.mean == {"RBP(p=0.5)": pytest.approx((1 / 4 + 1 / 8) / (15 / 8)), "P@4": 1 / 2}
    assert cut.residual == {"RBP(p=0.5)": pytest.approx(1 / 4 / (15 / 8)), "P@4": 1 / 4}
    assert score("AP", QRELS, RUN, max_results=3, unjudged="skip").mean == {"AP": 1 / 4}  # cut first, as trec_eval -J


def test_a_metric_of_ones_own_with_a_parameter_of_that_name_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import axiomcheck\n"
        "from axiomcheck.metrics import Real\n"
        "def first(grades, weights):\n    return grades[..., 0, 0]\n"
        "class Own(axiomcheck.Metric):\n"
        "    declared = (Real('rel', 1, 'its own', high=9),)\n    summary = source = 'test'\n"
        "    def kernel(self, a, grades, weights, pool):\n"
        "        return grades[..., 0, 0] * 0 + float(self.values['rel'])\n"
    )
    file = tmp_path / "mine.py"
    run = {"q": {"a": 2.0}}
    assert list(score([f"{file}:Own(rel=3)"], QRELS, run).mean.values()) == [3.0]
    assert score([f"{file}:first", f"{file}:first(rel=1)"], QRELS, run).mean == {
        f"{file}:first": 0.5,
        f"{file}:first(rel=1)": 1.0,
    }


def test_gmax_of_the_file_the_topic_or_the_aspect() -> None:
    rows = [("q", "a", 1, "1"), ("q", "b", 2, "2"), ("q", "b", 0, "1"), ("p", "a", 4, "1"), ("p", "a", 0, "2")]
    given = [Qrel(*row) for row in rows]
    run = {"q": {"a": 2.0, "b": 1.0}, "p": {"a": 1.0}}
    name = "RBP(p=0.5, aggregate=max)"
    wanted = {"file": (1 / 8 + 1 / 8, 1 / 2), "topic": (1 / 4 + 1 / 4, 1 / 2), "aspect": (1 / 2 + 1 / 4, 1 / 2)}
    for gmax, (q, p) in {**wanted, 8: (1 / 16 + 1 / 16, 1 / 4)}.items():
        assert score(name, given, run, gmax=gmax).per_topic == {"q": {name: q}, "p": {name: p}}  # type: ignore[arg-type]
    exponential = score(name, given, run, gmax="aspect", gain="exponential").per_topic
    assert exponential["q"][name] == 1 / 2 * 1 / 2 + 1 / 4 * 3 / 4


GRADED = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 2, "d": 1}, "3": {"e": 1}}
RANKED = {"1": {"a": 3.0, "b": 2.0, "x": 1.0}, "2": {"d": 3.0, "c": 2.0, "a": 1.0}, "3": {"e": 1.0}}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"run": {"first": RANKED, "second": {"1": {"a": "high"}}}}, r"^second: .*'high'"),
        ({"run": [RANKED, {"1": {"a": "high"}}]}, r"^run 2: .*'high'"),
    ],
)
def test_unusable_runs_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        score(**{"metrics": "INST", "qrels": GRADED, "run": RANKED} | given)


PAIR = {"q": {"a": 1, "b": 0}, "p": {"a": 1}}
GOOD, BAD = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1.0, "b": 2.0}, "p": {}}


def test_a_dict_of_runs_is_scored_by_name() -> None:
    names = ["RR", "P@1", "nDCG", "RBP", "EU", "INST"]
    found = score(names, PAIR, {"good": GOOD, "bad": BAD, "odd": {"p": {"z": 2.0, "a": 1.0}}})
    assert list(found) == ["good", "bad", "odd"]
    assert [scores.run for scores in found.values()] == ["good", "bad", "odd"]
    for name, run in (("good", GOOD), ("bad", BAD), ("odd", {"p": {"z": 2.0, "a": 1.0}})):
        alone = score(names, PAIR, run).per_topic
        assert found[name].per_topic == {topic: pytest.approx(row, abs=1e-14) for topic, row in alone.items()}
    assert found["good"].missing == ("p",)


def test_a_list_of_runs_is_scored_in_its_order(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 b 1 2 t\nq Q0 a 2 1 t\n")
    read = read_run(tmp_path / "run")
    given: list[Any] = [GOOD, str(tmp_path / "run"), read, BAD]
    found = score("RR", PAIR, given)
    assert [scores.mean["RR"] for scores in found] == [1.0, 0.5, 0.5, 0.25]
    assert [scores.run for scores in found] == ["run 1", str(tmp_path / "run"), str(tmp_path / "run"), "run 4"]
    assert [scores.run for scores in score("RR", PAIR, [GOOD])] == ["run 1"]
    assert score("RR", PAIR, {"mine": read})["mine"].run == "mine"
    assert read.name == str(tmp_path / "run")  # what was given stays as it was
    for run in (GOOD, {"q": {}}, {"q": {"a": 1.0}, "p": {}}, [Doc("q", "a", 1.0), Doc("q", "b", 0.5)]):
        assert isinstance(score("RR", PAIR, run), Scores)  # of one run


def _topics(seed: int, runs: int) -> list[JudgedTopic]:
    """Make topics: aspects without relevant documents, rankings without documents, no relevant document."""
    rng = np.random.default_rng(seed)
    out = []
    for number in range(12):
        m, relevant = int(rng.integers(1, 4)), int(rng.integers(0, 6))
        gains = rng.integers(0, 3, (relevant, m)) / 2
        gains[~gains.any(axis=1), 0] = 0.5
        judged = relevant + int(rng.integers(0, 4))
        found: list[Ranking | None] = []
        for _ in range(runs):
            n = int(rng.integers(0, 9))
            rows = rng.permutation(np.concatenate([np.arange(relevant), np.full(n, -1)]))[:n]
            hits = np.flatnonzero(rows >= 0)
            blank = np.flatnonzero(rows < 0)
            unjudged = blank[judged - relevant :]
            found.append(Ranking(n, hits, rows[hits], unjudged))
        if number == 5:
            found[0] = None
        weights = rng.random(m) + 0.1
        out.append(JudgedTopic(b"%d" % number, gains, judged, weights / weights.sum(), found))
    return out


def _hold_to_each_alone(metric: Metric, topics: list[JudgedTopic], found: Reals) -> None:
    """Scores: a row per run, a column per topic."""
    for t, topic in enumerate(topics):
        for run, ranking in enumerate(topic.rankings):
            if ranking is None:
                assert np.isnan(found[run, t])
            else:
                assert found[run, t] == pytest.approx(_alone(metric, topic, ranking), abs=1e-12), (t, run)


def _alone(metric: Metric, topic: JudgedTopic, ranking: Ranking) -> float:
    """Return the score of one ranking against the whole pool, without padding."""
    m = topic.gains.shape[1]
    blank = topic.judged - len(topic.gains) + len(ranking.unjudged)
    pool = np.concatenate([topic.gains, np.zeros((blank, m))])
    free = iter(range(len(topic.gains), len(pool)))
    at = dict(zip(ranking.hits.tolist(), ranking.rows.tolist(), strict=True))
    order = np.array([at[k] if k in at else next(free) for k in range(ranking.length)], dtype=np.intp)
    return float(metric.evaluate(pool[None], topic.weights[None], order[None])[0])


def _every_metric() -> list[Metric]:
    found = [parse(name) for name in CATALOGUE]
    found = [
        parse(f"{m.name}(aggregate=max)" + (f"@{m.cutoff}" if m.cutoff else "")) if not m.applies_to_aspects() else m
        for m in found
    ]
    more = ["RBU(e=0.1)@3", "RBU(e=0.1)@inf", "nDCG(aggregate=max)@3", "trec-alpha-nDCG@3", "S-Recall@2", "AP-IA@2"]
    return [m for m in [*found, *map(parse, more)] if not m.partial]


@pytest.mark.parametrize("cells", [1 << 22, 40])
@each("metric", _every_metric(), 8, ids=str)
def test_batches_score_as_one_by_one(metric: Metric, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for all topics at once, and for one at a time."""
    monkeypatch.setattr(rankings, "CELLS", cells)
    topics = _topics(7, 3)
    (found,) = score_all([metric], topics, 3)
    _hold_to_each_alone(metric, topics, found)
    if is_modelled(metric) and metric.name != "INST-upper":  # of which it gives the two parts
        ((base, residual),) = evaluate_all([metric], topics, 3)
        np.testing.assert_allclose(base, found, atol=1e-12)
        assert np.nanmin(residual) >= 0


class Harmonic(Metric):
    """Somebody's own: it says nothing of documents of grade 0, which pay nothing."""

    def kernel(self, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        """Gains over ranks, in the share of the pool's."""
        gained = (grades.sum(axis=-1) / np.arange(1, grades.shape[-2] + 1)).sum(axis=-1)
        return gained / (pool.sum(axis=(-2, -1)) + 1)


class Quick(Harmonic):
    """It says so."""

    blanks = "nothing"


class Costly(Harmonic):
    """It says how much they are."""

    blanks = "length"

    def kernel(self, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        """Less a cost per document."""
        return super().kernel(a, grades, weights, pool) - grades.shape[-2] / 100


@pytest.mark.parametrize(
    ("metric", "way"),
    [
        (Harmonic(), "alone"),
        (Quick(), "padded"),
        (Costly(), "by length"),
        (parse("INST(aggregate=max)"), "by length"),
        (parse("EU"), "by length"),
        (parse("nDCG(aggregate=max)"), "padded"),
    ],
    ids=str,
)
def test_a_metric_is_scored_the_way_that_it_declares(metric: Metric, way: str) -> None:
    assert rankings.way_of(metric) == way
    changed = copy(metric)
    changed.cutoff, changed.extra = 3, 1  # type: ignore[attr-defined]
    if type(metric).__module__.startswith("axiomcheck."):
        assert rankings.way_of(changed) == "alone"
    topics = _topics(3, 2)
    _hold_to_each_alone(metric, topics, *score_all([metric], topics, 2))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda grades: 1 / 0, "Quick raised ZeroDivisionError on many rankings at once: division by zero"),
        (lambda grades: grades.sum(axis=-1), r"Quick returned shape .*; expected \(1, 1\), one score per ranking"),
        (lambda grades: np.full(grades.shape[:-2], "x"), "Quick returned an array of str"),
    ],
)
def test_errors_on_many_rankings_at_once_name_the_metric(answer: Any, message: str) -> None:
    kernel = lambda self, a, grades, weights, pool: answer(grades)  # noqa: E731
    quick = type("Quick", (Harmonic,), {"blanks": "nothing", "kernel": kernel})
    with pytest.raises(InvalidInput, match=message):
        score(quick(), {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 0.5}})
