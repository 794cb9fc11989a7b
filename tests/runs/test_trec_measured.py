"""Scores equal what TREC's tools and the libraries of ir_measures say of a nasty run, each under its rule of ties.

The run in measured/ has ties in every form, doubles that single precision cannot tell apart, -0.0 against 0.0, scores
beyond single precision, a topic in two places, topics that are not judged or not retrieved or without a relevant
document, negative grades, and names beyond ASCII. values.json has what the tools printed, with their versions;
benchmarks/tool_values.py measures anew.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck.api.score import score
from axiomcheck.runs.trec import Options, Scores, measures_named, read_qrels, read_run, score_runs

MEASURED = Path(__file__).parent / "measured"
VALUES: dict[str, Any] = json.loads((MEASURED / "values.json").read_text(encoding="utf-8"))

TREC_EVAL = {
    "AP": "map",
    "AP@3": "map_cut_3",
    "nDCG": "ndcg",
    "nDCG@3": "ndcg_cut_3",
    "P@3": "P_3",
    "RR": "recip_rank",
}
NDEVAL = {f"trec-{n}": n for n in ("ERR-IA@5", "nERR-IA@20", "alpha-DCG@5", "alpha-nDCG@10", "NRBP", "nNRBP", "P-IA@5")}
NDEVAL |= {"trec-AP-IA": "MAP-IA", "trec-S-Recall@5": "strec@5"}


def largest_difference(tool: str, call: str, names: dict[str, str], options: Options) -> float:
    """Return the largest on any topic, or in the mean; topics that a tool prints have to be those that are scored."""
    said = VALUES[tool]["values"][call]
    # gdeval leaves topics without a relevant document, as 6 is, out, also of its mean
    left_out = {"6", "all"} if tool == "gdeval" else set()
    said = {topic: row for topic, row in said.items() if topic not in left_out}
    judgments, run = read_qrels(MEASURED / VALUES[tool]["qrels"]), read_run(MEASURED / "nasty.run", ranks=True)
    measures = measures_named(names)
    (found,) = score_runs(measures, judgments, [run], options)
    theirs = {str(measure): name for measure, name in zip(measures, names.values(), strict=True)}
    rows = {**found.per_topic, "all": found.mean}
    ours = {topic: {theirs[name]: value for name, value in row.items()} for topic, row in rows.items()}
    # ndeval prints 0 for topics that are not judged, and leaves them out of its mean; trec_eval 9 -c counts topics that
    # the run lacks without printing them
    unsaid = set(found.missing) | left_out | ({"all"} - said.keys())  # RBU's program prints no mean
    assert ours.keys() - unsaid == said.keys() - set(found.unscored) - unsaid
    # ndeval says nan for nNRBP of a topic without a relevant document, and so for its mean
    return max(
        abs(value - said[topic][name])
        for topic, values in ours.items()
        for name, value in values.items()
        if topic in said and said[topic][name] is not None
    )


RBU = {"RBU-program(p=0.8, e=0.03)": "RBU"}
"""Where an aspect has no relevant document and a judged one is retrieved, the program released with RBU gives nan."""
OF_GDEVAL = Options("gdeval", highest=4)
OF_RBU = Options("ndeval", gain="exponential", highest="aspect", complete=True)


def gdeval(k: int) -> dict[str, str]:
    """Return its names of measures: its gains are 2^g - 1 and, in ERR, divided by 2^4."""
    return {f"nDCG(gain=exponential)@{k}": f"ndcg@{k}", f"ERR(gain=exponential)@{k}": f"err@{k}"}


@pytest.mark.parametrize(
    ("tool", "call", "names", "options", "close"),
    [
        ("trec_eval-9", "", TREC_EVAL, Options("trec_eval-9"), 5.1e-5),
        ("trec_eval-10", "-c", TREC_EVAL, Options("trec_eval-10", complete=True), 5.1e-5),
        ("trec_eval-10", "-c -l 2", TREC_EVAL, Options("trec_eval-10", complete=True, level=2), 5.1e-5),
        ("ndeval", "", NDEVAL, Options("ndeval"), 5.1e-7),
        ("ndeval", "-traditional", NDEVAL, Options("ndeval-traditional"), 5.1e-7),
        ("ndeval", "-c", NDEVAL, Options("ndeval", complete=True), 5.1e-7),
        ("rbu", "0.8 0.03", RBU, OF_RBU, 5.1e-5),
        ("gdeval", "-k 20", gdeval(20), OF_GDEVAL, 5.1e-6),
        ("gdeval", "-c", gdeval(20), OF_GDEVAL, 5.1e-6),
    ],
)
def test_scores_are_those_that_a_tool_printed(
    tool: str, call: str, names: dict[str, str], options: Options, close: float
) -> None:
    assert largest_difference(tool, call, names, options) < close


@pytest.mark.parametrize(
    ("tool", "call", "names", "options"),
    [
        ("trec_eval-10", "-c", TREC_EVAL, Options("trec_eval-9", complete=True)),
        ("ndeval", "", NDEVAL, Options("ndeval-traditional")),
        ("rbu", "0.8 0.03", RBU, replace(OF_RBU, highest="topic")),
        ("rbu", "0.8 0.03", RBU, replace(OF_RBU, gain="linear")),
    ],
)
def test_a_rule_of_another_tool_is_noticed(tool: str, call: str, names: dict[str, str], options: Options) -> None:
    """So the comparisons rest on the rules, and on what the run has in it."""
    assert largest_difference(tool, call, names, options) > 1e-2


of_library = pytest.mark.extra("ir_measures")

PYNDEVAL = {f"trec-{name}": name.replace("-", "_") for name in ("ERR-IA@5", "nERR-IA@20", "alpha-DCG@5", "AP-IA")}
PYNDEVAL |= {f"trec-{name}": name.replace("-", "_") for name in ("alpha-nDCG@10", "NRBP", "P-IA@5")}
PYNDEVAL["trec-S-Recall@5"] = "StRecall@5"
CWL = {"P@3": "P@3", "RR": "RR", "RBP(p=0.8, rel=2)": "RBP(p=0.8,rel=2)"}
LEVELED = {"trec-alpha-nDCG(rel=2)@10": "alpha_nDCG(rel=2)@10"}


def library_difference(provider: str, judged: list[Any], run: list[Any], names: dict[str, str], ours: Scores) -> float:
    """Return how far a library's scores are from ours on any topic of ours; names are our names of its measures."""
    import ir_measures

    canonical = dict(zip(names.values(), map(str, measures_named(names)), strict=True))
    measures = {ir_measures.parse_measure(theirs): name for theirs, name in canonical.items()}
    theirs = [
        (row.query_id, measures[row.measure], row.value)
        for row in getattr(ir_measures, provider).iter_calc(list(measures), judged, run)
        if row.query_id in ours.per_topic
    ]
    assert len(theirs) >= 8 * len(names)
    return max(abs(ours.per_topic[topic][name] - value) for topic, name, value in theirs)


@of_library
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
    import ir_measures

    judged = list(ir_measures.read_trec_qrels(str(MEASURED / f"{qrels}.qrels")))
    # A topic that comes again is another one for pyndeval and cwl-eval.
    rows = sorted(ir_measures.read_trec_run(str(MEASURED / "nasty.run")), key=lambda row: int(row.query_id))
    judgments, run = read_qrels(MEASURED / f"{qrels}.qrels"), read_run(MEASURED / "nasty.run", ranks=True)
    ours, other = (score_runs(measures_named(names), judgments, [run], Options(rule))[0] for rule in (ties, "file"))
    assert library_difference(provider, judged, rows, names, ours) < close
    assert library_difference(provider, judged, rows, names, other) > 1e-3


@of_library
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


@of_library
@pytest.mark.extra("pyndeval")
def test_the_greedy_ideal_takes_the_last_name_first() -> None:
    """The names decide the ideal, and with it the score: the two cases differ by them alone."""
    import ir_measures
    import pyndeval

    cover = {"a": {0, 1}, "b": {1, 2}, "c": {0, 3}}
    for names in (cover, {"c": {0, 1}, "b": {1, 2}, "a": {0, 3}}):
        rows = [("q", str(t), d, int(t in aspects)) for d, aspects in names.items() for t in range(4)]
        first = next(iter(names))
        theirs = pyndeval.ndeval(rows, [("q", first, 1.0)], ["alpha-nDCG@2"])["q"]["alpha-nDCG@2"]
        qrels = [ir_measures.Qrel(q, d, g, aspect) for q, aspect, d, g in rows]
        (ours,) = score("trec-alpha-nDCG@2", qrels, {"q": {first: 1.0}}).mean.values()
        assert ours == pytest.approx(theirs, abs=1e-12)
