"""Scores equal those of TREC's tools: of the nasty run by each library of ir_measures, of real runs on every topic."""

from __future__ import annotations

import logging
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck.api.score import score
from axiomcheck.metrics import parse
from axiomcheck.runs.trec import Options, Scores, measures_named, read_qrels, read_run, score_runs
from tests.runs.test_trec_measured import MEASURED
from tests.runs.trec_data import QRELS, RUNS, judgments, needs_data, of_ndeval, runs
from tests.support.suites import quality

ir_measures = pytest.importorskip("ir_measures", reason="needs the extra ir_measures")
pytestmark = pytest.mark.extra("ir_measures")

PYTREC_EVAL = {
    name: name
    for name in (
        *("AP", "AP(rel=2)", "AP(rel=2)@3", "P@3", "P(rel=3)@3", "RR", "RR(rel=2)", "nDCG", "nDCG@3", "Rprec", "R@3"),
        *("Bpref", "Bpref(rel=2)", "Success@1", "Success(rel=2)@3", "infAP", "infAP(rel=2)", "SetP", "SetR", "SetF"),
        "SetAP(rel=2)",
    )
}
PYNDEVAL = {f"trec-{name}": name.replace("-", "_") for name in ("ERR-IA@5", "nERR-IA@20", "alpha-DCG@5", "AP-IA")}
PYNDEVAL |= {f"trec-{name}": name.replace("-", "_") for name in ("alpha-nDCG@10", "NRBP", "P-IA@5")}
PYNDEVAL["trec-S-Recall@5"] = "StRecall@5"
GDEVAL = {"nDCG(gain=exponential)@3": "nDCG(dcg='exp-log2')@3", "ERR(gain=exponential)@20": "ERR@20"}
CWL = {"P@3": "P@3", "RR": "RR", "RBP(p=0.8, rel=2)": "RBP(p=0.8,rel=2)"}
LEVELED = {"trec-alpha-nDCG(rel=2)@10": "alpha_nDCG(rel=2)@10"}


@pytest.mark.parametrize(
    ("provider", "ties", "qrels", "names", "close"),
    [
        pytest.param("pytrec_eval", "trec_eval", "adhoc", PYTREC_EVAL, 1e-9, marks=pytest.mark.extra("pytrec_eval")),
        pytest.param("pyndeval", "pyndeval", "diversity", PYNDEVAL, 1e-9, marks=pytest.mark.extra("pyndeval")),
        # by itself, for ir_measures reads the run to its end for the first level of relevance
        pytest.param("pyndeval", "pyndeval", "diversity", LEVELED, 1e-9, marks=pytest.mark.extra("pyndeval")),
        ("judged", "pyndeval", "adhoc", {"Judged@1": "Judged@1", "Judged@20": "Judged@20"}, 1e-12),
        ("msmarco", "pyndeval", "adhoc", {"RR(rel=1)@3": "RR(rel=1)@3", "RR(rel=2)": "RR(rel=2)"}, 1e-12),
        ("gdeval", "gdeval", "adhoc", GDEVAL, 5.1e-6),
        pytest.param("cwl_eval", "score", "adhoc", CWL, 1e-12, marks=pytest.mark.extra("cwl")),
    ],
)
def test_every_provider_scores_the_run_alike(
    provider: str, ties: Any, qrels: str, names: dict[str, str], close: float
) -> None:
    if provider == "gdeval" and shutil.which("perl") is None:
        pytest.skip("gdeval.pl needs perl")
    logging.getLogger("cwl").disabled = True
    ours = of_ours(ties, qrels, names)
    measures = {ir_measures.parse_measure(theirs): name for name, theirs in names.items()}
    judged = list(ir_measures.read_trec_qrels(str(MEASURED / f"{qrels}.qrels")))
    # A topic that comes again is another one for pyndeval and cwl-eval.
    run = sorted(ir_measures.read_trec_run(str(MEASURED / "nasty.run")), key=lambda row: int(row.query_id))
    theirs = getattr(ir_measures, provider).iter_calc(list(measures), judged, run)
    found = [(row.query_id, measures[row.measure], row.value) for row in theirs if row.query_id in ours]
    assert len(found) >= 8 * len(names)
    assert max(abs(ours[topic][name] - value) for topic, name, value in found) < close
    other = of_ours("file" if ties != "file" else "trec_eval", qrels, names)
    assert max(abs(other[topic][name] - value) for topic, name, value in found) > 1e-3


def of_ours(ties: Any, qrels: str, names: dict[str, str]) -> dict[str, dict[str, float]]:
    """Topic -> name as typed -> score."""
    measures = measures_named(names)
    judgments, run = read_qrels(MEASURED / f"{qrels}.qrels"), read_run(MEASURED / "nasty.run", ranks=True)
    highest: Any = 4 if ties == "gdeval" else "file"
    (scores,) = score_runs(measures, judgments, [run], Options(ties, highest=highest))
    typed = dict(zip(map(str, measures), names, strict=True))
    return {t: {typed[name]: value for name, value in row.items()} for t, row in scores.per_topic.items()}


@pytest.mark.parametrize("lines", ["of MS MARCO", "of TREC"])
def test_ms_marcos_script_reads_ranks(lines: str, tmp_path: Path) -> None:
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
    run = read_run(tmp_path / ("run" if lines == "of TREC" else "candidate"), ranks=True)
    (found,) = score_runs(measures_named(["RR@10"]), read_qrels(tmp_path / "qrels"), [run], Options("msmarco"))
    assert {int(topic): row["RR@10"] for topic, row in found.per_topic.items()} == theirs
    assert len(set(theirs.values())) > 3
    if lines == "of TREC":
        (other,) = score_runs(measures_named(["RR@10"]), read_qrels(tmp_path / "qrels"), [run], Options())
        assert other.per_topic != found.per_topic


@quality
@pytest.mark.extra("cwl")
def test_cwl_eval_takes_the_lines_as_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = pytest.importorskip("cwl.cwl_eval")
    monkeypatch.chdir(tmp_path)  # it writes a log there
    judged = [line.split() for line in (MEASURED / "adhoc.qrels").read_text(encoding="utf-8").splitlines()]
    gains = "".join(f"{t} 0 {name} {max(int(grade), 0) / 4}\n" for t, _, name, grade in judged)
    (tmp_path / "gains").write_text(gains, encoding="utf-8")
    lines = (MEASURED / "nasty.run").read_text(encoding="utf-8").splitlines()
    lines = sorted((line for line in lines if not line.startswith("8 ")), key=lambda line: int(line.split()[0]))
    (tmp_path / "run").write_text("\n".join(lines) + "\n", encoding="utf-8")  # a topic that comes again is another
    log = logging.getLogger("cwl")
    try:
        program.main("run", "gains")
    finally:
        for handler in list(log.handlers):
            log.removeHandler(handler)
            handler.close()
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    theirs = {row[0]: float(row[2]) for row in rows if row[1] == "RBP@0.8"}
    judgments, run = read_qrels(MEASURED / "adhoc.qrels"), read_run(tmp_path / "run")
    for ties, close in (("file", True), ("trec_eval", False)):
        (found,) = score_runs(measures_named(["RBP(p=0.8)"]), judgments, [run], Options(ties))  # type: ignore[arg-type]
        ours = {topic: row["RBP(p=0.8)"] for topic, row in found.per_topic.items()}
        assert ours.keys() == theirs.keys()
        assert (max(abs(ours[topic] - value) for topic, value in theirs.items()) < 5.1e-5) is close


NDEVAL = of_ndeval(
    *("ERR-IA@20", "ERR-IA@5", "nERR-IA@20", "alpha-DCG@20", "alpha-nDCG@20", "alpha-nDCG@10", "NRBP", "nNRBP"),
    *("AP-IA", "P-IA@20", "P-IA@10", "S-Recall@20", "S-Recall@5"),
)

LEVELS = {"AP": "map", "P@20": "P_20", "RR": "recip_rank", "R@100": "recall_100", "R": "set_recall", "Rprec": "Rprec"}
LEVELS |= {"Bpref": "bpref", "Success@5": "success_5", "infAP": "infAP", "SetP": "set_P", "SetF": "set_F"}
LEVELS["SetAP"] = "set_map"
TREC_EVAL = LEVELS | {"nDCG": "ndcg", "nDCG@20": "ndcg_cut_20", "AP@100": "map_cut_100"}
"""Names of measures, those that have a level of relevance first -> pytrec_eval's."""


def lifted(names: dict[str, str], more: str = "") -> dict[str, str]:
    """The same of several aspects, with more parameters."""
    parts = {name: name.partition("@") for name in names}
    return {f"{n}(aggregate=max{more}){at}{k}": names[name] for name, (n, at, k) in parts.items()}


def largest_differences(ours: Scores, theirs: dict[str, dict[str, float]], names: dict[str, str]) -> dict[str, float]:
    """Metric -> the largest difference on any topic; the topics have to be the same."""
    assert ours.per_topic.keys() == theirs.keys()
    canonical = {str(one): other for one, other in zip(measures_named(names), names.values(), strict=True)}
    return {
        name: max(abs(ours.per_topic[topic][name] - theirs[topic][other]) for topic in theirs)
        for name, other in canonical.items()
    }


def maximum_grades(path: Path) -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for qrel in ir_measures.read_trec_qrels(str(path)):
        grades = out.setdefault(qrel.query_id, {})
        grades[qrel.doc_id] = max(grades.get(qrel.doc_id, 0), qrel.relevance)
    return out


def scored(path: Path) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {}
    for document in ir_measures.read_trec_run(str(path)):
        out.setdefault(document.query_id, {})[document.doc_id] = document.score
    return out


@needs_data
@quality
@pytest.mark.extra("pyndeval")
def test_trec_forms_are_those_of_ndeval_on_every_topic() -> None:
    import pyndeval

    qrels = [
        pyndeval.SubtopicQrel(q.query_id, q.iteration, q.doc_id, q.relevance)
        for q in ir_measures.read_trec_qrels(str(QRELS))
    ]
    evaluator = pyndeval.RelevanceEvaluator(qrels, sorted(set(NDEVAL.values())))
    found = score_runs([parse(name) for name in NDEVAL], judgments(), runs()[:3], Options(ties="pyndeval"))
    compared = 0
    for ours, path in zip(found, RUNS, strict=False):
        theirs = evaluator.evaluate([tuple(d) for d in ir_measures.read_trec_run(str(path))])
        compared += len(theirs)
        assert max(largest_differences(ours, theirs, NDEVAL).values()) < 1e-9
    assert compared == 150


@needs_data
@quality
@pytest.mark.extra("pytrec_eval")
@pytest.mark.parametrize("level", [1, 2])
def test_measures_of_runs_and_levels_of_relevance_score_as_in_trec_eval(level: int) -> None:
    import pytrec_eval

    names = TREC_EVAL if level == 1 else LEVELS
    asked, leveled = lifted(names), lifted(names, f", rel={level}" if level > 1 else "")
    evaluator = pytrec_eval.RelevanceEvaluator(maximum_grades(QRELS), set(names.values()), relevance_level=level)
    found = score_runs(measures_named(asked), judgments(), runs()[:3], Options(level=level))
    by_name = score_runs(measures_named(leveled), judgments(), runs()[:3])
    for ours, named, path in zip(found, by_name, RUNS, strict=False):
        theirs = evaluator.evaluate(scored(path))
        assert max(largest_differences(ours, theirs, asked).values()) < 1e-9
        assert max(largest_differences(named, theirs, leveled).values()) < 1e-9


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


CWL_RANKS = 1000
"""Where cwl-eval cuts every ranking, its tail included."""


def cwl_gains(path: Path) -> dict[str, Any]:
    """Topic -> gains in the order of trec_eval, NaN for documents without a judgment."""
    grades = maximum_grades(QRELS)
    highest = max(grade for topic in grades.values() for grade in topic.values())
    out = {}
    for topic, documents in scored(path).items():
        placed = sorted(documents, key=lambda d: (np.float32(documents[d]), d.encode()), reverse=True)
        judged = grades[topic]
        out[topic] = np.array([max(judged[d], 0) / highest if d in judged else math.nan for d in placed])
    return out


@needs_data
@quality
@pytest.mark.extra("cwl")
@pytest.mark.parametrize(
    ("name", "theirs", "beyond"),
    [
        ("INST(T=3, aggregate=max)", ("INSTCWLMetric", 3.0), (1e-6, 1e-2)),  # the cut is small and can be told
        ("RBP(p=0.95, aggregate=max)", ("RBPCWLMetric", 0.95), (0, 1e-12)),  # a weight of 0.95^1000 at most
    ],
)
def test_a_user_model_scores_as_in_cwl_eval_cut_where_it_cuts(
    name: str, theirs: tuple[str, float], beyond: tuple[float, float]
) -> None:
    ruler = pytest.importorskip("cwl.ruler.cwl_ruler", reason="needs the extra cwl")
    ranking = pytest.importorskip("cwl.ruler.ranking")
    logging.getLogger("cwl").disabled = True
    metric, cwl, largest = parse(name), getattr(ruler, theirs[0])(theirs[1]), 0.0
    cwl.residuals = True
    found = score_runs([metric], judgments(), runs()[:2])
    ended = score_runs([metric], judgments(), runs()[:2], Options(depth=CWL_RANKS))
    for ours, depth, path in zip(found, ended, RUNS, strict=False):
        for topic, gains in cwl_gains(path).items():
            base = cwl.measure(ranking.Ranking("", gains, np.full(len(gains), math.nan)))
            assert depth.per_topic[topic][str(metric)] == pytest.approx(base, abs=1e-9)
            assert depth.residual_per_topic[topic][str(metric)] == pytest.approx(
                cwl.residual_expected_utility, abs=1e-9
            )
            # what cwl-eval leaves out is all that the two differ by
            uncut: Any = metric.user_model().evaluate(gains)  # type: ignore[attr-defined]
            assert ours.per_topic[topic][str(metric)] == pytest.approx(float(uncut.score), abs=1e-12)
            assert ours.residual_per_topic[topic][str(metric)] == pytest.approx(float(uncut.residual), abs=1e-12)
            largest = max(largest, abs(ours.per_topic[topic][str(metric)] - base))
    assert beyond[0] <= largest <= beyond[1]
