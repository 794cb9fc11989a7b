"""What ir_measures says of the nasty run through each library that it calls, against the rule of ties named for it."""

from __future__ import annotations

import logging
import shutil
from typing import Any

import pytest
from test_trec_measured import MEASURED

from axiomcheck.runs.trec import Options, measures_named, read_qrels, read_run, score_runs

ir_measures = pytest.importorskip("ir_measures")

ALIKE = (
    *("AP", "AP(rel=2)", "AP(rel=2)@3", "P@3", "P(rel=3)@3", "RR", "RR(rel=2)", "nDCG", "nDCG@3", "Rprec", "R@3"),
    *("Bpref", "Bpref(rel=2)", "Success@1", "Success(rel=2)@3", "infAP", "infAP(rel=2)", "SetP", "SetR", "SetF"),
    "SetAP(rel=2)",
)
"""What is spelled as in ir_measures."""
PYTREC_EVAL = dict(zip(ALIKE, ALIKE, strict=True))
PYNDEVAL = {
    "trec-ERR-IA@5": "ERR_IA@5",
    "trec-nERR-IA@20": "nERR_IA@20",
    "trec-alpha-DCG@5": "alpha_DCG@5",
    "trec-alpha-nDCG@10": "alpha_nDCG@10",
    "trec-NRBP": "NRBP",
    "trec-AP-IA": "AP_IA",
    "trec-P-IA@5": "P_IA@5",
    "trec-S-Recall@5": "StRecall@5",
}
GDEVAL = {"nDCG(gain=exponential)@3": "nDCG(dcg='exp-log2')@3", "ERR(gain=exponential)@20": "ERR@20"}
CWL = {"P@3": "P@3", "RR": "RR", "RBP(p=0.8, rel=2)": "RBP(p=0.8,rel=2)"}


@pytest.mark.parametrize(
    ("provider", "ties", "qrels", "names", "close"),
    [
        ("pytrec_eval", "trec_eval", "adhoc", PYTREC_EVAL, 1e-9),
        ("pyndeval", "pyndeval", "diversity", PYNDEVAL, 1e-9),
        # by itself, for ir_measures reads the run to its end for the first level of relevance
        ("pyndeval", "pyndeval", "diversity", {"trec-alpha-nDCG(rel=2)@10": "alpha_nDCG(rel=2)@10"}, 1e-9),
        ("judged", "pyndeval", "adhoc", {"Judged@1": "Judged@1", "Judged@20": "Judged@20"}, 1e-12),
        ("msmarco", "pyndeval", "adhoc", {"RR(rel=1)@3": "RR(rel=1)@3", "RR(rel=2)": "RR(rel=2)"}, 1e-12),
        ("gdeval", "gdeval", "adhoc", GDEVAL, 5.1e-6),
        ("cwl_eval", "score", "adhoc", CWL, 1e-12),
    ],
)
def test_every_provider(provider: str, ties: Any, qrels: str, names: dict[str, str], close: float) -> None:
    if provider == "gdeval" and shutil.which("perl") is None:
        pytest.skip("gdeval.pl needs perl")
    logging.getLogger("cwl").disabled = True
    ours = of_ours(ties, qrels, names)
    measures = {ir_measures.parse_measure(theirs): name for name, theirs in names.items()}
    theirs = list(
        getattr(ir_measures, provider).iter_calc(
            list(measures),
            list(ir_measures.read_trec_qrels(str(MEASURED / f"{qrels}.qrels"))),
            grouped(),
        )
    )
    found = [(row.query_id, measures[row.measure], row.value) for row in theirs if row.query_id in ours]
    assert len(found) >= 8 * len(names)
    assert max(abs(ours[topic][name] - value) for topic, name, value in found) < close
    other = of_ours("file" if ties != "file" else "trec_eval", qrels, names)
    assert max(abs(other[topic][name] - value) for topic, name, value in found) > 1e-3


def of_ours(ties: Any, qrels: str, names: dict[str, str]) -> dict[str, dict[str, float]]:
    """Topic -> name as typed -> score."""
    measures = measures_named(names)
    judgments, run = read_qrels(MEASURED / f"{qrels}.qrels"), read_run(MEASURED / "nasty.run", ranks=True)
    highest = 4 if ties == "gdeval" else None
    (scores,) = score_runs(measures, judgments, [run], Options(ties, highest=highest))
    typed = dict(zip(map(str, measures), names, strict=True))
    return {t: {typed[name]: value for name, value in row.items()} for t, row in scores.per_topic.items()}


def grouped() -> list[Any]:
    """The run with every topic in one place: pyndeval and cwl-eval take a topic that comes again for another one."""
    rows = list(ir_measures.read_trec_run(str(MEASURED / "nasty.run")))
    return sorted(rows, key=lambda row: int(row.query_id))
