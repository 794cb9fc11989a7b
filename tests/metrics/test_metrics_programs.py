"""The metrics against other people's programs.

ndeval (pyndeval), trec_eval (pytrec_eval) and gdeval are run through the providers of ir_measures. Runs have no tied
scores, since the tools break ties of score by document name. Every value is compared to 1e-9, except that gdeval
prints five decimals, so it is compared to half a unit of the fifth. RBP and the metrics of novelty with graded
relevance have no provider that comes with ir_measures itself; `test_metrics_reference` covers them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from axiomcheck.metrics import Metric, parse
from axiomcheck.numbers.arithmetic import Floats
from tests.support.suites import each

ir_measures = pytest.importorskip("ir_measures", reason="needs the extra quality")
pytestmark = [pytest.mark.extra(name) for name in ("ir_measures", "pyndeval", "pytrec_eval")]
Qrel, ScoredDoc = ir_measures.Qrel, ir_measures.ScoredDoc


class Judged:
    """A topic with integer grades and named documents, some of them unjudged.

    Args:
        rng: where it comes from.
        m: number of aspects.
        barren: whether no document is relevant.
        paired: whether every judged document is on two aspects, so that the greedy ideal meets many ties.

    """

    def __init__(self, rng: np.random.Generator, m: int, barren: bool = False, paired: bool = False) -> None:
        size = int(rng.integers(4, 8) if paired else rng.integers(1, 30))
        letters = rng.permutation(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
        names = [str(x) for x in letters[: size + 4]]
        # Rows in descending order of names: the order in which ndeval's greedy ideal breaks ties.
        self.pool_names = sorted(names[:size], reverse=True)
        self.pool = rng.integers(1, 4, (size, m)) * (rng.random((size, m)) < rng.choice([0.2, 0.5, 0.8]))
        self.pool[:, rng.random(m) < 0.2] = 0
        self.pool[:, 0] = np.where(rng.random(size) < 0.5, 1, self.pool[:, 0])
        if barren or paired:
            self.pool[:] = 0
        if paired:
            for row in self.pool:
                row[rng.permutation(m)[:2]] = 1
        retrieved = rng.permutation(names)[: int(rng.integers(1, size + 5))]
        self.run_names = [str(x) for x in retrieved]
        by_name = dict(zip(self.pool_names, self.pool, strict=True))
        self.grades = np.array([by_name.get(x, np.zeros(m, dtype=int)) for x in self.run_names])
        parts = rng.integers(1, 6, m)
        self.parts = parts
        self.weights = parts / parts.sum()

    def score(self, metric: Metric, gain: Callable[[Any], Any]) -> float:
        grades, pool = gain(self.grades).astype(float), gain(self.pool).astype(float)
        return float(metric.score(Floats(), grades, self.weights, pool))

    def run(self, query: str) -> Iterator[ScoredDoc]:
        for i, name in enumerate(self.run_names):
            yield ScoredDoc(query, name, float(1000 - i))

    def qrels(self, query: str, aspect: int) -> Iterator[Qrel]:
        for name, row in zip(self.pool_names, self.pool, strict=True):
            yield Qrel(query, name, int(row[aspect]), str(aspect))


JUDGED = [Judged(np.random.default_rng(seed), m=1 + seed % 6) for seed in range(40)]
PAIRED = [Judged(np.random.default_rng(seed), m=5, paired=True) for seed in range(40)]
BARREN = [Judged(np.random.default_rng(seed), m=3, barren=True) for seed in range(3)]


def linear(g: Any) -> Any:
    return g / 3


def exponential(g: Any) -> Any:
    return (2.0**g - 1) / 16


def provider_scores(provider: Any, measure: str, qrels: list[Qrel], run: list[ScoredDoc]) -> dict[str, float]:
    parsed = ir_measures.parse_measure(measure)
    return {x.query_id: x.value for x in provider.iter_calc([parsed], qrels, run)}


def ndeval_scores(topics: list[Judged], measure: str, depth: int | None = None) -> list[float]:
    """What ndeval says of each topic; ``depth`` cuts the runs, as its option -M."""
    qrels: list[Qrel] = []
    run: list[ScoredDoc] = []
    for q, topic in enumerate(topics, start=1):
        qrels += [x for t in range(topic.pool.shape[1]) for x in topic.qrels(str(q), t)]
        run += list(topic.run(str(q)))[:depth]
    scores = provider_scores(ir_measures.pyndeval, measure, qrels, run)
    return [scores[str(q)] for q in range(1, len(topics) + 1)]


def gap(topics: list[Judged], metric: str, expected: list[float], gain: Callable[[Any], Any] = linear) -> float:
    """The largest difference between a metric and what another program says."""
    parsed = parse(metric)
    return max(abs(x.score(parsed, gain) - y) for x, y in zip(topics, expected, strict=True))


NDEVAL = [
    *((f"trec-{ours}@{k}", f"{theirs}@{k}")
      for k in (2, 5, 10, 20)
      for ours, theirs in (
          ("ERR-IA", "ERR_IA"),
          ("nERR-IA", "nERR_IA"),
          ("alpha-DCG", "alpha_DCG"),
          ("alpha-nDCG", "alpha_nDCG"),
          ("P-IA", "P_IA"),
          ("S-Recall", "StRecall"),
      )),
    *((f"trec-{ours}@1", f"{theirs}@1")
      for ours, theirs in (
          ("nERR-IA", "nERR_IA"),
          ("alpha-nDCG", "alpha_nDCG"),
          ("P-IA", "P_IA"),
          ("S-Recall", "StRecall"),
      )),
    *((f"trec-alpha-DCG(alpha={x})@10", f"alpha_DCG(alpha={x})@10") for x in (0.0, 0.1, 0.25, 0.3, 0.9, 1.0)),
    # 1 - alpha is a power of two: no tie of the greedy ideal depends on rounding
    *((f"trec-alpha-nDCG(alpha={x})@10", f"alpha_nDCG(alpha={x})@10") for x in (0.0, 0.25, 0.75, 1.0)),
    *((f"trec-NRBP(alpha={x}, beta={y})", f"NRBP(alpha={x}, beta={y})")
      for x, y in ((0.5, 0.5), (0.3, 0.8), (1.0, 0.2), (0.0, 0.9))),
    *((f"trec-nNRBP(alpha={x}, beta={y})", f"nNRBP(alpha={x}, beta={y})")
      for x, y in ((0.5, 0.5), (0.75, 0.8), (1.0, 0.2), (0.0, 0.9))),
    ("trec-AP-IA", "AP_IA"),
]  # fmt: skip


@each(("metric", "measure"), NDEVAL, 12)
def test_trec_forms_are_those_of_ndeval(metric: str, measure: str) -> None:
    for topics in (JUDGED, PAIRED):
        assert gap(topics, metric, ndeval_scores(topics, measure)) < 1e-9


@each("k", [1, 3, 8], 3)
def test_a_cutoff_on_the_uncut_trec_forms_is_ndevals_depth(k: int) -> None:
    for metric, measure in (("trec-NRBP", "NRBP"), ("trec-nNRBP", "nNRBP"), ("trec-AP-IA", "AP_IA")):
        assert gap(JUDGED, f"{metric}@{k}", ndeval_scores(JUDGED, measure, depth=k)) < 1e-9


@pytest.mark.parametrize(("metric", "measure"), [("trec-ERR-IA@1", "ERR_IA@1"), ("trec-alpha-DCG@1", "alpha_DCG@1")])
def test_ndeval_does_not_divide_at_cutoff_one(metric: str, measure: str) -> None:
    undivided = ndeval_scores(JUDGED, measure)
    aspects = [int((x.pool > 0).any(axis=0).sum()) for x in JUDGED]
    assert gap(JUDGED, metric, undivided) > 0.5
    divided = [x / max(m, 1) for x, m in zip(undivided, aspects, strict=True)]
    assert gap(JUDGED, metric, divided) < 1e-9


def test_topics_without_a_positive_judgment() -> None:
    for metric, measure in NDEVAL:
        expected = ndeval_scores(BARREN, measure)
        if metric.startswith("trec-nNRBP"):
            assert np.isnan(expected).all()
            expected = [0.0] * len(BARREN)
        assert gap(BARREN, metric, expected) == 0


def test_the_comparison_with_ndeval_sees_faults() -> None:
    assert gap(JUDGED, "trec-NRBP(beta=0.51)", ndeval_scores(JUDGED, "NRBP")) > 1e-4
    assert gap(JUDGED, "trec-alpha-nDCG(alpha=0.49)@10", ndeval_scores(JUDGED, "alpha_nDCG@10")) > 1e-4
    assert gap(JUDGED, "trec-ERR-IA@9", ndeval_scores(JUDGED, "ERR_IA@10")) > 1e-4
    for seed_form, measure in (("S-Recall@10", "StRecall@10"), ("P-IA@10", "P_IA@10"), ("AP-IA", "AP_IA")):
        assert gap(JUDGED, seed_form, ndeval_scores(JUDGED, measure)) > 1e-3


def test_greedy_ties_go_to_the_first_row_of_the_pool() -> None:
    """Ascending order of names is not ndeval's: with ties broken the other way some ideals are others."""
    expected = ndeval_scores(PAIRED, "alpha_nDCG@10")
    metric = parse("trec-alpha-nDCG@10")
    other = [float(metric.score(Floats(), x.grades, x.weights, x.pool[::-1])) for x in PAIRED]
    assert max(abs(x - y) for x, y in zip(other, expected, strict=True)) > 1e-4


TREC_EVAL = [
    ("AP", "AP"),
    ("RR", "RR"),
    ("nDCG@inf", "nDCG"),
    *((f"{name}@{k}", f"{name}@{k}") for name in ("P", "AP", "nDCG") for k in (1, 3, 10, 20)),
]


def trec_eval_scores(measure: str, aspect: Callable[[Judged, int], Any], m: Callable[[Judged], int]) -> list[Any]:
    """What trec_eval says of each topic and aspect, where ``aspect`` gives the integer gains of the pool."""
    qrels: list[Qrel] = []
    run: list[ScoredDoc] = []
    for q, topic in enumerate(JUDGED):
        for t in range(m(topic)):
            query = f"{q}.{t}"
            rows = zip(topic.pool_names, aspect(topic, t), strict=True)
            qrels += [Qrel(query, name, int(g)) for name, g in rows]
            run += topic.run(query)
    scores = provider_scores(ir_measures.pytrec_eval, measure, qrels, run)
    return [np.array([scores[f"{q}.{t}"] for t in range(m(topic))]) for q, topic in enumerate(JUDGED)]


@each(("metric", "measure"), TREC_EVAL, 5)
def test_ad_hoc_metrics_are_those_of_trec_eval(metric: str, measure: str) -> None:
    """On the largest grade over aspects, which `aggregate=max` takes."""
    name, at, cutoff = metric.partition("@")
    expected = trec_eval_scores(measure, lambda x, t: x.pool.max(axis=1), lambda x: 1)
    assert gap(JUDGED, f"{name}(aggregate=max){at}{cutoff}", [float(x[0]) for x in expected]) < 1e-9


@each(("metric", "measure"), TREC_EVAL, 5)
def test_intent_aware_forms_are_weighted_means_of_trec_evals(metric: str, measure: str) -> None:
    name, at, cutoff = metric.partition("@")
    per_aspect = trec_eval_scores(measure, lambda x, t: x.pool[:, t], lambda x: x.pool.shape[1])
    expected = [float((x * topic.weights).sum()) for x, topic in zip(per_aspect, JUDGED, strict=True)]
    assert gap(JUDGED, f"{name}-IA{at}{cutoff}", expected) < 1e-9


@pytest.mark.parametrize(("metric", "measure"), [("D-nDCG@inf", "nDCG"), ("D-nDCG@4", "nDCG@4")])
def test_d_ndcg_is_trec_evals_ndcg_of_the_global_gain(metric: str, measure: str) -> None:
    """Weights times their common denominator are whole numbers, and a common factor of gains cancels."""
    expected = trec_eval_scores(measure, lambda x, t: x.pool @ x.parts, lambda x: 1)
    assert gap(JUDGED, metric, [float(x[0]) for x in expected]) < 1e-9


def test_the_comparison_with_trec_eval_sees_faults() -> None:
    expected = [float(x[0]) for x in trec_eval_scores("nDCG@10", lambda x, t: x.pool.max(axis=1), lambda x: 1)]
    assert gap(JUDGED, "nDCG(aggregate=max)@10", expected, exponential) > 1e-3
    assert gap(JUDGED, "nDCG(aggregate=max)@11", expected) > 1e-3


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a perl program")
@each(
    ("metric", "measure"),
    [(f"{x}(aggregate=max)@{k}", y.format(k)) for k in (1, 5, 20)
     for x, y in (("ERR", "ERR@{}"), ("nDCG", "nDCG(dcg='exp-log2')@{}"))],
    6,
)  # fmt: skip
def test_err_and_exponential_ndcg_are_those_of_gdeval(metric: str, measure: str) -> None:
    """gdeval takes (2^g - 1) / 16, its largest grade being 4, and prints five decimals."""
    relevant = [x for x in JUDGED if x.pool.any()]
    qrels: list[Qrel] = []
    run: list[ScoredDoc] = []
    for q, topic in enumerate(relevant, start=1):
        rows = zip(topic.pool_names, topic.pool.max(axis=1), strict=True)
        qrels += [Qrel(str(q), name, int(g), "0") for name, g in rows]
        run += topic.run(str(q))
    scores = provider_scores(ir_measures.gdeval, measure, qrels, run)
    expected = [scores[str(q)] for q in range(1, len(relevant) + 1)]
    assert gap(relevant, metric, expected, exponential) < 0.5e-5 + 1e-9
    assert gap(relevant, metric, expected, linear) > 1e-3
