"""List every adapter, with what `test_adapter_conformance.py` asks of it; and call each library without its adapter.

A library is imported when it is called, so that the list can be read where none is installed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from axiomcheck.sources.adapters.common import Case, LibraryMetric, quiet

Directly = Callable[..., list[float]]
"""Takes a row of `Adapter.measures`, the adapter's metric, cases, a folder, and whether to judge documents 0."""


@dataclass(frozen=True)
class Adapter:
    """Hold what is asked of an adapter; the first measure of a list is asked in the everyday suite.

    Args:
        prefix: its name in `axiomcheck.sources.adapters.ADAPTERS`.
        needs: the module that has to be installed.
        distribution: whose version verdicts depend on.
        fractions: measure -> its scores of the rankings d1 d2 d3, d2 d3, d4, and d3 d1 of a topic with the grades
            1, 0, 1/2 and 0.
        declared: measure -> cutoff, levels, whether binary only, whether of one aspect.
        directly: calls the library without the adapter; None for functions that a table describes.
        measures: measure -> what the direct call takes besides.
        refused: measure -> what is said of it; of libraries whose names are all read alike, one has these.
        misspelled: measure -> the nearest one.
        catalogue: measure -> metric of the catalogue that is made after the same program.
        as_judged_zero: measures for which a document without a judgment is as one judged 0.

    """

    prefix: str
    needs: str
    distribution: str
    fractions: dict[str, str]
    declared: dict[str, tuple[int | None, int | None, bool, bool]]
    directly: Directly | None = None
    measures: dict[str, Any] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    misspelled: dict[str, str] = field(default_factory=dict)
    catalogue: dict[str, str] = field(default_factory=dict)
    as_judged_zero: Sequence[str] = ()

    def expected(self, measure: str) -> list[float]:
        """The fractions of a measure."""
        return [float(Fraction(text)) for text in self.fractions[measure].split()]


# --------------------------------------------------------------------------------- the libraries without their adapters


def ir_measures_directly(
    _: None, metric: LibraryMetric, cases: Sequence[Case], folder: Path, judged_zero: bool = True
) -> list[float]:
    """Ask ir_measures for one query at a time."""
    library = import_module("ir_measures")
    provider, _, spelled = metric.label.removeprefix("ir_measures:").rpartition(":")
    named = provider.isidentifier()
    parsed = library.parse_measure(spelled if named else metric.label.removeprefix("ir_measures:"))
    scores = []
    for topic, ranking in cases:
        qrels = [
            library.Qrel("1", name, judged(metric, grade), str(aspect))
            for name, grades in topic.pool.items()
            for aspect, grade in enumerate(grades)
            if judged_zero or grade > 0
        ]
        run = [library.ScoredDoc("1", name, 100.0 - rank) for rank, name in enumerate(ranking)]
        computes = library.providers.registry[provider] if named else library
        values = [found.value for found in computes.iter_calc([parsed], qrels, run)]
        scores.append(float(values[0]) if values else 0.0)
    return scores


def judged(metric: Any, grade: float) -> int:
    """The judgment that stands for a grade in ir_measures."""
    params = metric.parsed.params
    if metric.binary_only:
        return int(params.get("rel", 1)) if grade > 0 else 0
    if "max_rel" in params:
        low = params.get("min_rel", 0)
        return int(low + grade * (params["max_rel"] - low))
    return int(grade * 4)


def ranx_directly(
    _: None, metric: LibraryMetric, cases: Sequence[Case], folder: Path, judged_zero: bool = True
) -> list[float]:
    """Ask ranx for one query at a time, by its own objects."""
    ranx = import_module("ranx")
    scores = []
    for topic, ranking in cases:
        if not ranking:
            scores.append(0.0)
            continue
        level = int(metric.label.partition("-l")[2] or 1) if metric.binary_only else None
        qrels = {
            name: int(g[0] * 4) if level is None else level * int(g[0] > 0)
            for name, g in topic.pool.items()
            if judged_zero or g[0] > 0
        }
        run = {name: 30.0 - 3 * rank for rank, name in enumerate(ranking)}
        given = ranx.Qrels({"q": qrels}), ranx.Run({"q": run})
        scores.append(float(ranx.evaluate(*given, metric.label.removeprefix("ranx:"))))
    return scores


def completed(case: Case) -> list[str]:
    """The ranking and then the rest of the pool, as scikit-learn has to be given it."""
    topic, ranking = case
    return [*ranking, *(name for name in topic.pool if name not in ranking)]


def sklearn_directly(named: dict[str, int], metric: LibraryMetric, cases: Sequence[Case], folder: Path) -> list[float]:
    """Ask scikit-learn for documents in rank order, with scores that fall from 1."""
    name = metric.label.removeprefix("sklearn:").partition("(")[0]
    function = getattr(import_module("sklearn.metrics"), name)
    scores = []
    for case in cases:
        grades = np.array([case[0].pool[name][0] for name in completed(case)])
        truth, predicted = (grades > 0).astype(int) if metric.binary_only else grades, 1 / np.arange(1, len(grades) + 1)
        flat = name == "average_precision_score"
        with quiet():
            scores.append(function(truth, predicted) if flat else function([truth], [predicted], **named))
    return scores


# ------------------------------------------------------------------------------------------------------------- the list

LISTED = [
    Adapter(
        "ir_measures",
        "ir_measures",
        "ir-measures",
        directly=ir_measures_directly,
        measures=dict.fromkeys(
            [
                *("nDCG@10", "alpha_nDCG@20", "RBP(rel=1)", "INST(max_rel=4)", "INST(min_rel=1,max_rel=7)"),
                *("BPM(max_rel=4)@5", "SDCG(max_rel=2)@5", "ERR@5", "nDCG(dcg='exp-log2')@5", "Compat", "RR@3"),
                *("P(rel=2)@5", "nDCG(gains={0:0,1:1,2:3,3:7,4:15})@5", "IPrec@0.5", "cwl_eval:P@5", "Bpref"),
                *("nDCG", "P@5", "AP", "AP@5", "RR", "R@5", "Rprec", "Success@3", "alpha_DCG@5", "ERR_IA@20"),
                *("nERR_IA@5", "NRBP", "AP_IA", "P_IA@5", "StRecall@5"),
            ]
        ),
        fractions={"P@2": "1/2 1/2 0 1", "RR": "1 1/2 0 1", "AP": "5/6 1/4 0 1", "StRecall@2": "1 1 0 1"},
        declared={
            "nDCG@10": (10, 4, False, True),
            "P(rel=2)@5": (5, None, True, True),
            "alpha_nDCG@20": (20, None, True, False),
            "INST(max_rel=6)": (None, 2, False, True),
            "nDCG(gains={1:1,7:3})@5": (5, 4, False, True),
        },
        refused={
            "foo:P@5": "unknown ir_measures provider",
            "P": "cutoff=missing",
            "nDCG(x=1)@5": "unsupported params",
            "RBP": "no ir_measures provider",
            "alpha_nDCG@21": "cutoffs 1 to 20",
            "pyndeval:nDCG@10": "does not compute",
            "trectools:P@5": "not installed",
        },
        misspelled={"nDGC@10": "NDCG"},
        catalogue={
            "alpha_nDCG@20": "trec-alpha-nDCG@20",
            "ERR_IA@20": "trec-ERR-IA@20",
            "NRBP(alpha=0.3, beta=0.8)": "trec-NRBP(alpha=0.3, beta=0.8)",
            "StRecall@5": "trec-S-Recall@5",
        },
        as_judged_zero=("nDCG@10", "AP", "alpha_nDCG@20", "ERR@20", "INST(max_rel=4)", "Compat", "P_IA@5"),
    ),
    Adapter(
        "ranx",
        "ranx",
        "ranx",
        directly=ranx_directly,
        measures=dict.fromkeys(
            [
                *("ndcg@5", "ndcg", "ndcg_burges@5", "dcg@5", "map", "map@3-l2", "mrr", "precision@5", "recall@5"),
                *("f1@3", "hits@5", "r-precision", "rbp.8", "ndcg@5-l2"),
            ]
        ),
        fractions={"precision@2": "1/2 1/2 0 1", "mrr": "1 1/2 0 1", "map": "5/6 1/4 0 1"},
        declared={
            "ndcg@5": (5, 4, False, True),
            "map@3-l2": (3, None, True, True),
            "r-precision": (None, None, True, True),
        },
        refused={
            "ndcg@0": "must be positive",
            "rbp": "persistence",
            "ndcg@-1": "has no metric",
        },
        misspelled={"ndgc@5": "ndcg"},
        as_judged_zero=("ndcg@5",),
    ),
    Adapter(
        "sklearn",
        "sklearn",
        "scikit-learn",
        directly=sklearn_directly,
        measures={
            "ndcg_score": {},
            "average_precision_score": {},
            "ndcg_score(k=3)": {"k": 3},
            "dcg_score(k=4, log_base=3)": {"k": 4, "log_base": 3},
        },
        fractions={"average_precision_score": "5/6 7/12 1/2 1", "dcg_score(k=1)": "1 0 0 1/2"},
        declared={"ndcg_score(k=3)": (3, None, False, True), "average_precision_score": (None, None, True, True)},
        refused={
            "f1_score": "unknown function of scikit-learn",
            "ndcg_score(kk=3)": "unknown parameter",
            "ndcg_score(k=0)": "cutoff 0 is out of range",
            "dcg_score(log_base=-1)": "log_base",
            "": "expected a name",
        },
        misspelled={"ndcg_scor": "ndcg_score"},
    ),
    Adapter(
        "cornac",
        "cornac",
        "cornac",
        fractions={
            "Precision(k=2)": "1/2 1/2 0 1",
            "FMeasure(k=2)": "1/2 1/2 0 1",
            "MAP": "5/6 7/12 1/2 1",
        },
        declared={"NDCG(k=10)": (10, None, True, True), "NDCG": (None, None, True, True)},
    ),
    Adapter(
        "haystack",
        "haystack",
        "haystack-ai",
        fractions={
            "DocumentMRREvaluator": "1 1/2 0 1",
            "DocumentRecallEvaluator": "1 1 0 1",
            "DocumentRecallEvaluator(mode='multi_hit')": "1 1/2 0 1",
        },
        declared={"DocumentNDCGEvaluator": (None, 4, False, True), "DocumentMAPEvaluator": (None, None, True, True)},
    ),
    Adapter(
        "implicit",
        "implicit",
        "implicit",
        fractions={"precision_at_k(K=2)": "1/2 1/2 0 1", "mean_average_precision_at_k(K=2)": "1/2 1/4 0 1"},
        declared={"ndcg_at_k": (10, None, True, True), "ndcg_at_k(K=3)": (3, None, True, True)},
    ),
    Adapter(
        "llama_index",
        "llama_index",
        "llama-index-core",
        fractions={
            "HitRate": "1 1 0 1",
            "Precision": "2/3 1/2 0 1",
            "Recall": "1 1/2 0 1",
        },
        declared={"NDCG": (None, None, True, True)},
    ),
    Adapter(
        "rectools",
        "rectools",
        "rectools",
        fractions={
            "Precision(k=1, r_precision=True)": "1 0 0 1",
            "HitRate(k=1)": "1 0 0 1",
            "F1Beta(k=1)": "2/3 0 0 2/3",
        },
        declared={"NDCG(k=5)": (5, None, True, True)},
    ),
]
"""One row per adapter: a new one is covered by being listed here."""
