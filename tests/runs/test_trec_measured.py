"""Scores equal what TREC's own tools were measured to print for a nasty run, each under the rule of ties named for it.

The run in measured/ has ties in every form, doubles that single precision cannot tell apart, -0.0 against 0.0, scores
beyond single precision, a topic in two places, topics that are not judged or not retrieved or without a relevant
document, negative grades, and names beyond ASCII. values.json has what the tools printed, with their versions;
benchmarks/tool_values.py measures anew.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.runs.trec import Options, measures_named, read_qrels, read_run, score_runs

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
