"""Scores equal those of TREC's tools: of the nasty run by each library of ir_measures, of real runs on every topic."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck.api.score import score
from axiomcheck.runs.trec import Options, Scores, measures_named, read_qrels, read_run, score_runs
from tests.runs.test_trec_measured import MEASURED

ir_measures = pytest.importorskip("ir_measures", reason="needs the extra ir_measures")
pytestmark = pytest.mark.extra("ir_measures")

PYNDEVAL = {f"trec-{name}": name.replace("-", "_") for name in ("ERR-IA@5", "nERR-IA@20", "alpha-DCG@5", "AP-IA")}
PYNDEVAL |= {f"trec-{name}": name.replace("-", "_") for name in ("alpha-nDCG@10", "NRBP", "P-IA@5")}
PYNDEVAL["trec-S-Recall@5"] = "StRecall@5"
CWL = {"P@3": "P@3", "RR": "RR", "RBP(p=0.8, rel=2)": "RBP(p=0.8,rel=2)"}
LEVELED = {"trec-alpha-nDCG(rel=2)@10": "alpha_nDCG(rel=2)@10"}


def largest_difference(provider: str, judged: list[Any], run: list[Any], names: dict[str, str], ours: Scores) -> float:
    """Return how far a library's scores are from ours on any topic of ours; names are our names of its measures."""
    canonical = dict(zip(names.values(), map(str, measures_named(names)), strict=True))
    measures = {ir_measures.parse_measure(theirs): name for theirs, name in canonical.items()}
    theirs = [
        (row.query_id, measures[row.measure], row.value)
        for row in getattr(ir_measures, provider).iter_calc(list(measures), judged, run)
        if row.query_id in ours.per_topic
    ]
    assert len(theirs) >= 8 * len(names)
    return max(abs(ours.per_topic[topic][name] - value) for topic, name, value in theirs)


@pytest.mark.parametrize(
    ("provider", "ties", "qrels", "names", "close"),
    [
        pytest.param("pyndeval", "pyndeval", "diversity", PYNDEVAL, 1e-9, marks=pytest.mark.extra("pyndeval")),
        # by itself, for ir_measures reads the run to its end for the first level of relevance
        pytest.param("pyndeval", "pyndeval", "diversity", LEVELED, 1e-9, marks=pytest.mark.extra("pyndeval")),
        ("judged", "pyndeval", "adhoc", {"Judged@1": "Judged@1", "Judged@20": "Judged@20"}, 1e-12),
        ("msmarco", "pyndeval", "adhoc", {"RR(rel=1)@3": "RR(rel=1)@3", "RR(rel=2)": "RR(rel=2)"}, 1e-12),
        pytest.param("cwl_eval", "score", "adhoc", CWL, 1e-12, marks=pytest.mark.extra("cwl")),
    ],
)
def test_every_provider_scores_the_run_alike(
    provider: str, ties: Any, qrels: str, names: dict[str, str], close: float
) -> None:
    judged = list(ir_measures.read_trec_qrels(str(MEASURED / f"{qrels}.qrels")))
    # A topic that comes again is another one for pyndeval and cwl-eval.
    rows = sorted(ir_measures.read_trec_run(str(MEASURED / "nasty.run")), key=lambda row: int(row.query_id))
    judgments, run = read_qrels(MEASURED / f"{qrels}.qrels"), read_run(MEASURED / "nasty.run", ranks=True)
    ours, other = (score_runs(measures_named(names), judgments, [run], Options(rule))[0] for rule in (ties, "file"))
    assert largest_difference(provider, judged, rows, names, ours) < close
    assert largest_difference(provider, judged, rows, names, other) > 1e-3


def test_ms_marcos_script_reads_ranks(tmp_path: Path) -> None:
    """The functions of its script that read files, as ir_measures has them; scores that say otherwise are not read."""
    script = pytest.importorskip("ir_measures.bin.msmarco_eval")
    rng = np.random.default_rng(3)
    judged = [(topic, document) for topic in range(1, 9) for document in rng.permutation(40)[:2] + 1]
    ranked = [(t, d + 1, rank) for t in range(1, 9) for rank, d in enumerate(rng.permutation(40)[:25], 1)]
    shuffled = [ranked[k] for k in rng.permutation(len(ranked))]
    (tmp_path / "qrels").write_text("".join(f"{t}\t0\t{d}\t1\n" for t, d in judged))
    (tmp_path / "candidate").write_text("".join(f"{t}\t{d}\t{rank}\n" for t, d, rank in shuffled))
    (tmp_path / "run").write_text("".join(f"{t} Q0 {d} {rank} {rank % 3} x\n" for t, d, rank in shuffled))
    theirs = script.compute_metrics(
        script.load_reference(str(tmp_path / "qrels")), script.load_candidate(str(tmp_path / "candidate"))
    )["MRR @10 by query"]
    found = score("RR@10", tmp_path / "qrels", tmp_path / "run", ties="msmarco").per_topic
    assert {int(topic): row["RR@10"] for topic, row in found.items()} == theirs
    assert len(set(theirs.values())) > 3
    assert score("RR@10", tmp_path / "qrels", tmp_path / "run").per_topic != found
    assert score("RR@10", tmp_path / "qrels", tmp_path / "candidate", ties="msmarco").per_topic == found


@pytest.mark.extra("pyndeval")
def test_the_greedy_ideal_takes_the_last_name_first() -> None:
    """The names decide the ideal, and with it the score: the two cases differ by them alone."""
    import pyndeval

    cover = {"a": {0, 1}, "b": {1, 2}, "c": {0, 3}}
    for names in (cover, {"c": {0, 1}, "b": {1, 2}, "a": {0, 3}}):
        rows = [("q", str(t), d, int(t in aspects)) for d, aspects in names.items() for t in range(4)]
        first = next(iter(names))
        theirs = pyndeval.ndeval(rows, [("q", first, 1.0)], ["alpha-nDCG@2"])["q"]["alpha-nDCG@2"]
        qrels = [ir_measures.Qrel(q, d, g, aspect) for q, aspect, d, g in rows]
        (ours,) = score("trec-alpha-nDCG@2", qrels, {"q": {first: 1.0}}).mean.values()
        assert ours == pytest.approx(theirs, abs=1e-12)
