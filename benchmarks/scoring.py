"""Scoring runs: axiomcheck against pytrec_eval, ir_measures and ranx on the same files and measures.

    python benchmarks/scoring.py [FOLDER] [--turns N] [--rows NAME,...]

FOLDER has qrels.ndeval.txt.gz and runs/; the default is the folder of the tests' data. Each row is files and measures:

    ad hoc      all runs of the folder, ten ad hoc measures, judgments with the largest grade over aspects
    diversity   all runs of the folder, seven diversity measures (of ir_measures, by pyndeval)
    topics      one run made up, 5,000 topics of 100 documents, ten ad hoc measures
    lines       one run made up, 5,000 topics of 1,000 documents, five million lines, ten ad hoc measures

A tool reads judgments and runs from plain files and scores every topic. Tools take turns, each in a new process; the
seconds are the fewest of all turns, from before reading to after scoring, with the library imported and (ranx)
compiled; the whole process, imports and all, stands beside. The ratio is axiomcheck's seconds over the fastest tool's.
Then the scores of all tools are compared, topic by topic; ranx has formulas of its own for some, and is not.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "shared/data/trec-web-2012"

AD_HOC = {
    "nDCG": ("ndcg", "nDCG", "ndcg"),
    "nDCG@5": ("ndcg_cut_5", "nDCG@5", "ndcg@5"),
    "nDCG@10": ("ndcg_cut_10", "nDCG@10", "ndcg@10"),
    "nDCG@20": ("ndcg_cut_20", "nDCG@20", "ndcg@20"),
    "AP": ("map", "AP", "map"),
    "AP@100": ("map_cut_100", "AP@100", "map@100"),
    "P@5": ("P_5", "P@5", "precision@5"),
    "P@10": ("P_10", "P@10", "precision@10"),
    "P@20": ("P_20", "P@20", "precision@20"),
    "RR": ("recip_rank", "RR", "mrr"),
}
"""axiomcheck's name -> trec_eval's, ir_measures', ranx's."""

DIVERSITY = {
    "trec-ERR-IA@20": "ERR_IA@20",
    "trec-alpha-nDCG@20": "alpha_nDCG@20",
    "trec-alpha-DCG@20": "alpha_DCG@20",
    "trec-NRBP": "NRBP",
    "trec-S-Recall@20": "StRecall@20",
    "trec-AP-IA": "AP_IA",
    "trec-P-IA@20": "P_IA@20",
}
"""axiomcheck's name -> ir_measures'."""

ROWS = ("ad hoc", "diversity", "topics", "lines")
Values = dict[str, float]
"""Run, topic and axiomcheck's name of the measure, as one text -> score."""


def by_axiomcheck(diversity: bool, qrels: str, runs: list[str]) -> tuple[float, Values]:
    from axiomcheck.runs.trec import Options, measures_named, read_qrels, read_run, score_runs

    began = time.perf_counter()
    names = DIVERSITY if diversity else AD_HOC
    options = Options(ties="pyndeval" if diversity else "trec_eval")
    found = score_runs(measures_named(names), read_qrels(qrels), [read_run(run) for run in runs], options)
    seconds = time.perf_counter() - began
    return seconds, {
        f"{Path(run).name} {topic} {given}": value
        for run, scores in zip(runs, found, strict=True)
        for topic, values in scores.per_topic.items()
        for given, value in zip(names, values.values(), strict=True)
    }


def by_pytrec_eval(diversity: bool, qrels: str, runs: list[str]) -> tuple[float, Values]:
    import pytrec_eval

    theirs = {names[0]: name for name, names in AD_HOC.items()}
    began = time.perf_counter()
    with open(qrels) as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), set(theirs))
    found = []
    for run in runs:
        with open(run) as file:
            found.append(evaluator.evaluate(pytrec_eval.parse_run(file)))
    seconds = time.perf_counter() - began
    return seconds, {
        f"{Path(run).name} {topic} {name}": values[other]
        for run, scores in zip(runs, found, strict=True)
        for topic, values in scores.items()
        for other, name in theirs.items()
    }


def by_ir_measures(diversity: bool, qrels: str, runs: list[str]) -> tuple[float, Values]:
    import ir_measures

    names = DIVERSITY if diversity else {name: others[1] for name, others in AD_HOC.items()}
    theirs = {ir_measures.parse_measure(other): name for name, other in names.items()}
    began = time.perf_counter()
    evaluator = ir_measures.evaluator(list(theirs), list(ir_measures.read_trec_qrels(qrels)))
    found = [list(evaluator.iter_calc(ir_measures.read_trec_run(run))) for run in runs]
    seconds = time.perf_counter() - began
    return seconds, {
        f"{Path(run).name} {one.query_id} {theirs[one.measure]}": one.value
        for run, scores in zip(runs, found, strict=True)
        for one in scores
    }


def by_ranx(diversity: bool, qrels: str, runs: list[str]) -> tuple[float, Values]:
    import ranx

    names = [others[2] for others in AD_HOC.values()]
    small = ranx.Qrels({"q": {"a": 1, "b": 2}}), ranx.Run({"q": {"a": 1.0, "c": 0.5}})
    ranx.evaluate(*small, names)  # compiles
    began = time.perf_counter()
    judged = ranx.Qrels.from_file(qrels, kind="trec")
    for run in runs:
        ranx.evaluate(judged, ranx.Run.from_file(run, kind="trec"), names, make_comparable=True)
    return time.perf_counter() - began, {}


TOOLS: dict[str, Callable[[bool, str, list[str]], tuple[float, Values]]] = {
    "axiomcheck": by_axiomcheck,
    "pytrec_eval": by_pytrec_eval,
    "ir_measures": by_ir_measures,
    "ranx": by_ranx,
}


def made_files(row: str, data: Path, folder: Path) -> tuple[str, list[str]]:
    """The judgments and runs of a row, as plain files."""
    qrels = folder / "qrels"
    if row in ("topics", "lines"):
        _make_up(5000, 100 if row == "topics" else 1000, qrels, folder / "run")
        return str(qrels), [str(folder / "run")]
    judged = gzip.decompress((data / "qrels.ndeval.txt.gz").read_bytes()).decode()
    if row == "ad hoc":
        best: dict[tuple[str, str], int] = {}
        for topic, _, document, grade in map(str.split, judged.splitlines()):
            best[topic, document] = max(best.get((topic, document), -9), int(grade))
        judged = "".join(f"{topic} 0 {document} {grade}\n" for (topic, document), grade in best.items())
    qrels.write_text(judged)
    runs = []
    for file in sorted((data / "runs").glob("*")):
        run = folder / file.name.removesuffix(".txt.gz")
        run.write_bytes(gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes())
        runs.append(str(run))
    return str(qrels), runs


def _make_up(topics: int, documents: int, qrels: Path, run: Path) -> None:
    """A run with scores of four decimals, some of them tied, and judgments of a tenth of it and of as many others."""
    rng, judged = random.Random(1), documents // 10
    with run.open("w") as ranked, qrels.open("w") as grades:
        for topic in range(topics):
            names = rng.sample(range(10**6), documents)
            scores = sorted((round(rng.random() * 30, 4) for _ in names), reverse=True)
            ranked.writelines(
                f"q{topic} Q0 doc{name:07d} {rank} {score} tag\n"
                for rank, (name, score) in enumerate(zip(names, scores, strict=True), 1)
            )
            some = rng.sample(names, judged) + rng.sample(range(10**6), judged)
            grades.writelines(f"q{topic} 0 doc{n:07d} {rng.choice((0, 0, 0, 1, 1, 2))}\n" for n in dict.fromkeys(some))


def measured(tool: str, diversity: bool, qrels: str, runs: list[str], scores: Path | None) -> tuple[float, float]:
    """Seconds inside a new process, and of the whole process; scores go to a file where one is named."""
    asked = [sys.executable, __file__, "--one", tool, json.dumps([diversity, qrels, runs, scores and str(scores)])]
    began = time.perf_counter()
    done = subprocess.run(asked, check=True, capture_output=True, text=True)
    return float(done.stdout.splitlines()[-1]), time.perf_counter() - began


def one(tool: str, asked: str) -> None:
    """What the process of one turn does."""
    warnings.simplefilter("ignore")  # the tools' use of what Python deprecates
    diversity, qrels, runs, scores = json.loads(asked)
    seconds, values = TOOLS[tool](diversity, qrels, runs)
    if scores is not None:
        Path(scores).write_text(json.dumps(values))
    print(seconds)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--rows", type=lambda text: text.split(","), default=list(ROWS))
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        one(*chosen.one)
        return
    print(f"{'row':<10} {'tool':<12} {'seconds':>8} {'process':>8}")
    for row in chosen.rows:
        with tempfile.TemporaryDirectory() as folder:
            measure_row(row, chosen.folder, Path(folder), chosen.turns)


def measure_row(row: str, data: Path, folder: Path, turns: int) -> None:
    """Measures and prints one row."""
    qrels, runs = made_files(row, data, folder)
    diversity = row == "diversity"
    tools = ["axiomcheck", "ir_measures"] if diversity else list(TOOLS)
    best: dict[str, tuple[float, float]] = {}
    for turn in range(turns):
        for tool in tools:
            if tool == "ranx" and turn:
                continue  # many times slower than the others
            found = measured(tool, diversity, qrels, runs, folder / f"scores-{tool}" if turn == 0 else None)
            inside, whole = best.get(tool, found)
            best[tool] = min(inside, found[0]), min(whole, found[1])
    for tool, (seconds, process) in best.items():
        print(f"{row:<10} {tool:<12} {seconds:8.3f} {process:8.3f}", flush=True)
    others = [times for tool, times in best.items() if tool != "axiomcheck"]
    ratios = [best["axiomcheck"][k] / min(times[k] for times in others) for k in (0, 1)]
    print(f"{row:<10} {'ratio':<12} {ratios[0]:8.2f} {ratios[1]:8.2f}   axiomcheck / fastest of the others")
    ours = json.loads((folder / "scores-axiomcheck").read_text())
    for tool in ("pytrec_eval", "ir_measures"):
        if tool in tools:
            theirs = json.loads((folder / f"scores-{tool}").read_text())
            common = ours.keys() & theirs.keys()
            worst = max(abs(ours[key] - theirs[key]) for key in common)
            print(f"{row:<10} {len(common):,} scores as by {tool}, largest difference {worst:.1e}", flush=True)


if __name__ == "__main__":
    main()
