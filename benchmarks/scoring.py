"""Scoring all runs of a folder by ten metrics, against ir_measures on the same measures; both read the files.

Prints the seconds of both, the best of a few turns taken alternately in one process, and their ratio; and the largest
difference between the scores of the two on any topic of any run.

ir_measures gets the diversity measures from pyndeval, with the diversity judgments, and the ad hoc ones from
pytrec_eval, with the largest grade over aspects; a run is read once, and judgments are prepared once for all runs.
The two providers order ties differently, so axiomcheck orders and scores the runs twice, once under either rule.

    python benchmarks/scoring.py [FOLDER] [--turns N]

FOLDER has qrels.ndeval.txt.gz and runs/; the default is the folder of the tests' data.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
from ir_measures import AP, AP_IA, ERR_IA, NRBP, P_IA, StRecall, alpha_DCG, alpha_nDCG, nDCG

from axiomcheck.runs.trec import Options, metrics_named, read_qrels, read_run, score_runs

DATA = Path(__file__).resolve().parents[2] / "shared/data/trec-web-2012"

DIVERSITY = {
    "trec-ERR-IA@20": ERR_IA @ 20,
    "trec-alpha-nDCG@20": alpha_nDCG @ 20,
    "trec-alpha-DCG@20": alpha_DCG @ 20,
    "trec-NRBP": NRBP,
    "trec-S-Recall@20": StRecall @ 20,
    "trec-AP-IA": AP_IA,
    "trec-P-IA@20": P_IA @ 20,
}
AD_HOC = {"nDCG(aggregate=max)": nDCG, "nDCG(aggregate=max)@20": nDCG @ 20, "AP(aggregate=max)": AP}

Table = dict[tuple[str, str, str], float]
"""Run, topic, axiomcheck's metric -> score."""


def by_axiomcheck(qrels: Path, runs: list[Path]) -> Table:
    judgments, read = read_qrels(qrels), [read_run(run) for run in runs]
    table: Table = {}
    for ties, names in (("pyndeval", DIVERSITY), ("trec_eval", AD_HOC)):
        metrics = metrics_named(names)
        given = dict(zip(map(str, metrics), names, strict=True))
        for path, found in zip(runs, score_runs(metrics, judgments, read, Options(ties=ties)), strict=True):  # type: ignore[arg-type]
            for topic, scores in found.per_topic.items():
                table |= {(path.name, topic, given[name]): value for name, value in scores.items()}
    return table


def by_ir_measures(qrels: Path, runs: list[Path]) -> Table:
    judgments = list(ir_measures.read_trec_qrels(str(qrels)))
    largest: dict[str, dict[str, int]] = {}
    for qrel in judgments:
        grades = largest.setdefault(qrel.query_id, {})
        grades[qrel.doc_id] = max(grades.get(qrel.doc_id, 0), qrel.relevance)
    evaluators = [
        (ir_measures.evaluator(list(DIVERSITY.values()), judgments), {v: k for k, v in DIVERSITY.items()}),
        (ir_measures.evaluator(list(AD_HOC.values()), largest), {v: k for k, v in AD_HOC.items()}),
    ]
    table: Table = {}
    for path in runs:
        run = list(ir_measures.read_trec_run(str(path)))
        for evaluator, names in evaluators:
            for found in evaluator.iter_calc(run):
                table[path.name, found.query_id, names[found.measure]] = found.value
    return table


def timed(function: Callable[[Path, list[Path]], Table], *arguments: Any) -> tuple[float, Table]:
    start = time.perf_counter()
    table = function(*arguments)
    return time.perf_counter() - start, table


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--turns", type=int, default=3)
    chosen = parser.parse_args()
    qrels, runs = chosen.folder / "qrels.ndeval.txt.gz", sorted((chosen.folder / "runs").glob("*"))
    if not runs:
        raise SystemExit(f"no runs in {chosen.folder / 'runs'}")
    warnings.simplefilter("ignore")  # ir_measures' use of what Python deprecates
    ours = theirs = float("inf")
    for _ in range(chosen.turns):
        seconds, here = timed(by_axiomcheck, qrels, runs)
        ours = min(ours, seconds)
        seconds, there = timed(by_ir_measures, qrels, runs)
        theirs = min(theirs, seconds)
    if here.keys() != there.keys():
        raise SystemExit(f"not the same topics: {len(here.keys() ^ there.keys())} scores of one side only")
    names = [*DIVERSITY, *AD_HOC]
    for name in names:
        measure, provider = (DIVERSITY | AD_HOC)[name], "pyndeval" if name in DIVERSITY else "pytrec_eval"
        worst = max(abs(value - there[key]) for key, value in here.items() if key[2] == name)
        print(f"{name:<24} ir_measures {measure!s:<16} by {provider:<11}  largest difference {worst:.1e}")
    print(f"{len(runs)} runs, {len(names)} metrics, {len(here):,} scores; best of {chosen.turns}, reading included")
    print(f"axiomcheck   {ours:6.2f} s\nir_measures  {theirs:6.2f} s\nratio        {ours / theirs:6.2f}")


if __name__ == "__main__":
    main()
