"""What every part of axiomcheck costs: one table, all of it measured in the run that prints it.

Seconds are CPU time of processes of their own (of one thread), medians over turns; memory is the peak of a process.
Ratios are within the run: the search over the bare metric kernels on the same arrays, all metrics of an axiom sharing
their batches as in the matrix; and with ``--against`` this checkout over another one, the two measured in turns by
this file.

    python benchmarks/speed.py [--examples N] [--turns N] [--against PYTHON] [--parts NAME,...] [--markdown]

PYTHON is the interpreter of the other checkout's environment.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.cli.help import EXIT_CONTRACT
from axiomcheck.core.domain import Reading
from axiomcheck.core.printable import counted
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import compare, signs
from axiomcheck.decide.distinct import Distinct
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import ROUND, Search, Settings
from axiomcheck.decide.shrink import shrink
from axiomcheck.decide.space import InstanceSpace, instance_keys
from axiomcheck.decide.tally import Tally
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import Metric, paper_rows, parse
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.proof.proving import prove
from axiomcheck.reports.formats import render
from axiomcheck.sources.function_metrics import FunctionMetric
from axiomcheck.sources.resolve import resolve

PAIR_AXIOMS = [axiom for axiom in AXIOMS.values() if isinstance(axiom, PairAxiom)]
ARRAYS = Path(__file__).parents[1] / "tests/natural/written/arrays.py"
WRITTEN = ("dcg", "err_loop", "median_grade", "correlated")
"""Functions of that file: one that runs on series, two that are searched in floats, and one that has floats only."""

CHECKED = ("rankings.py:dcg", "arrays.py:dcg", "rankings.py:ndcg")
"""Functions beside that file that are checked as a whole."""

SHARES = (10, 1)
"""The growing runs have the examples, and so many times fewer."""

Measures = dict[str, float]
"""What was measured, with its unit behind a comma."""


def rows_of(axiom: PairAxiom) -> list[Metric]:
    """The paper's rows that an axiom speaks of and that are searched on graded instances."""
    return [m for m in paper_rows() if not m.binary_only and (axiom.group == "relevance" or m.applies_to_aspects())]


def draw(axiom: PairAxiom, small: bool, examples: int) -> list[Batch]:
    """Rounds of instances, as the search draws them."""
    drawn: list[Batch] = []
    count = round_ = 0
    while count < examples:
        size = min(ROUND, 2 * examples)
        rng = generator(0, axiom.name, round_)
        fresh = [b for b in sample_batches(InstanceSpace(axiom, small=small), size, rng) if b.size]
        count += sum(batch.size for batch in fresh)
        round_ += 1
        drawn += fresh
    return drawn


def timed(work: Callable[[], Any]) -> float:
    """CPU seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def child(*arguments: str, code_of_failures: int = 0) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a process of this interpreter and of those that it starts, without a ledger."""
    code = (
        "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode; "
        f"assert done in (0, {code_of_failures}), done; "
        "u = resource.getrusage(resource.RUSAGE_CHILDREN); print(u.ru_utime + u.ru_stime, u.ru_maxrss / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, sys.executable, *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"AXIOMCHECK_LEDGER": "off"},
    )
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


# ------------------------------------------------------------------------------------------------------ the parts


def start(examples: int) -> Measures:
    """Cold starts."""
    del examples
    return {
        "axiomcheck --help, s": child("-m", "axiomcheck", "--help")[0],
        "import axiomcheck, s": child("-c", "import axiomcheck")[0],
        "import numpy, s": child("-c", "import numpy")[0],
        "import axiomcheck; axiomcheck.score, s": child("-c", "import axiomcheck; axiomcheck.score")[0],
        **{
            f"axiomcheck {words}, s": child("-m", "axiomcheck", *words.split())[0]
            for words in ("list metrics", "score --help", "check --help", "matrix --help", "replay --help")
        },
    }


def search(examples: int) -> Measures:
    """The stages of the search over all pair axioms, and each axiom by itself."""
    stages: defaultdict[str, float] = defaultdict(float)
    by_axiom: Measures = {}
    by_metric: defaultdict[str, float] = defaultdict(float)
    for axiom in PAIR_AXIOMS:
        metrics, small, drawn = rows_of(axiom), axiom.states_small, []
        drawing = timed(lambda: drawn.extend(draw(axiom, small, examples)))  # noqa: B023 - called at once
        keys: list[Any] = []
        counting = timed(lambda: keys.extend(instance_keys(batch, support_only=False) for batch in drawn))  # noqa: B023
        seen = Distinct()
        for each in keys:
            counting += timed(lambda: seen.add(each))  # noqa: B023
        laying = timed(lambda: [(b.pair if b.pair is not None else b.rankings, b.weights) for b in drawn])  # noqa: B023
        tallies = [Tally(metric, axiom) for metric in metrics]
        looking = timed(lambda: [t.look(b, sampled=True) for b in drawn for t in tallies])  # noqa: B023
        comparing = timed(lambda: [compare(m, b) for b in drawn for m in metrics])  # noqa: B023
        scoring = 0.0
        for metric in metrics:
            alone = bare(metric, drawn)
            by_metric[metric.canonical] += alone / sum(b.size for b in drawn) * 1e6
            scoring += alone
        count = sum(b.size for b in drawn)
        whole = drawing + counting + laying + looking
        parts = {"drawing, repairing, premises": drawing, "keys and distinct": counting, "laying out": laying}
        parts |= {"bare kernels": scoring, "comparing": max(0.0, comparing - scoring)}
        parts["booking and exact checks"] = max(0.0, looking - comparing)
        for name, seconds in parts.items():
            stages[f"search: {name}, s"] += seconds
        by_axiom[f"{axiom.name}: instances per second and cell, /s"] = count * len(metrics) / whole
        by_axiom[f"{axiom.name}: search / bare kernels, x"] = whole / scoring
        stages["search: in all, s"] += whole
    found = {**stages, "search / bare kernels, x": stages["search: in all, s"] / stages["search: bare kernels, s"]}
    return found | by_axiom | {f"kernel of {name}, us per axiom's instance": t for name, t in by_metric.items()}


def bare(metric: Metric, drawn: list[Batch]) -> float:
    """CPU seconds of a metric's kernel alone on arrays that are already there."""
    arithmetic, arrays = Floats(), []
    for batch in drawn:
        sides = [batch.pair] if batch.pair is not None else list(batch.rankings)
        pool = batch.wrap(batch.draft.grades, 2)
        arrays += [(batch.wrap(side, 2), batch.weights, pool) for side in sides]
    return timed(lambda: [metric.score(arithmetic, *each) for each in arrays])


def files(examples: int) -> Measures:
    """Searches of functions over arrays as people write them, and what the functions alone take of them."""
    found: Measures = {}
    for name in WRITTEN:
        for axiom in (AXIOMS["Pri"], AXIOMS["Deep"]):
            assert isinstance(axiom, PairAxiom)
            metric = resolve(f"{ARRAYS}:{name}")
            assert isinstance(metric, FunctionMetric)
            metric.single_aspect = True
            metric.numerical(True)  # finds out once which numbers the function runs on
            alone, function = [0.0], metric.function

            def kernel(*arrays: Any) -> Any:
                start = time.process_time()
                scores = function(*arrays)  # noqa: B023 - called before the next
                alone[0] += time.process_time() - start  # noqa: B023
                return scores

            metric.function = kernel
            search = Search(axiom, [metric], Reading(), Settings(examples=examples, proofs=False))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_stime
            whole = timed(search.run)
            found[f"{axiom} of {name}: search, s"] = whole
            found[f"{axiom} of {name}: of it system time, s"] = (
                resource.getrusage(resource.RUSAGE_SELF).ru_stime - before
            )
            found[f"{axiom} of {name}: search / function alone, x"] = whole / alone[0]
    return found


def checks(examples: int) -> Measures:
    """The command `check` of functions in files, beside the whole matrix."""
    del examples
    matrix = child("-m", "axiomcheck", "matrix", "-j", "1")[0]
    found: Measures = {"matrix, s": matrix}
    for name in CHECKED:
        spent = child(
            "-m", "axiomcheck", "check", f"{ARRAYS.parent / name}", "-j", "1", code_of_failures=EXIT_CONTRACT
        )[0]
        found |= {f"check {name}, s": spent, f"check {name} / matrix, x": spent / matrix}
    return found


def exactly(examples: int) -> Measures:
    """Exact arithmetic: what confirms candidates and makes them small."""
    few = max(10, examples // 100)
    pri, deep = AXIOMS["Pri"], AXIOMS["Deep"]
    assert isinstance(pri, PairAxiom)
    assert isinstance(deep, PairAxiom)

    def some(axiom: PairAxiom, ranked: int) -> Batch:
        drawn = next(b for b in draw(axiom, True, 40 * few) if b.draft.n == ranked and b.size)
        return Batch(axiom, drawn.draft.pick(range(min(few, drawn.size))), True)  # type: ignore[arg-type]

    found: Measures = {}
    for axiom, name in ((pri, "ERR@20"), (pri, "nDCG@20"), (deep, "EU")):
        batch, metric = some(axiom, 8), parse(name)
        found[f"confirmation: {axiom.name} of {name}, ms per pair"] = (
            timed(lambda: signs(metric, batch)) / batch.size * 1e3  # noqa: B023
        )
    metric = parse("P@20")
    drawn = next(b for b in draw(pri, True, 40 * few) if b.draft.n == 12 and b.size)
    broken = [k for k, s in enumerate(signs(metric, drawn)) if s is not None and s <= 0][:5]
    singles = [Batch(pri, drawn.draft.pick([k]), True) for k in broken]  # type: ignore[arg-type]
    spent = timed(lambda: [shrink(metric, single, 20) for single in singles])
    found["minimisation: Pri of P@20, ms per witness"] = spent / len(singles) * 1e3
    return found


def proofs(examples: int) -> Measures:
    """Proofs found and checked; wall time, as the provers measure it."""
    del examples
    found: Measures = {}
    for name, axiom in (("RBP", "Pri"), ("alpha-nDCG", "Red"), ("AP-IA", "Deep"), ("RBU", "MRed")):
        proof = prove(AXIOMS[axiom], parse(name), Reading())
        if proof is not None:
            found[f"proof found: {axiom} of {name}, s"] = proof.seconds
            found[f"proof checked: {axiom} of {name}, s"] = proof.check_seconds
    return found


def reports(examples: int) -> Measures:
    """A report of two metrics under ten axioms."""
    settings = Settings(examples=min(examples, 1000), proofs=False)
    ledger = run_matrix([parse("RBP"), parse("EU")], list(AXIOMS.values()), settings=settings)
    return {f"report of 20 cells: {form}, s": timed(lambda: render(ledger, form)) for form in ("json", "html")}  # noqa: B023


def growth(examples: int) -> Measures:
    """Time and memory with examples, metrics, length and aspects."""
    found: Measures = {}
    axiom = AXIOMS["AspDiv"]
    assert isinstance(axiom, PairAxiom)
    some = ["NRBP", "nDCG-IA@20", "ERR-IA@20", "RBP-IA", "alpha-nDCG"]
    for share in SHARES:
        count = max(100, examples // share)
        asked = ["matrix", "--no-proofs", "-j", "1", "-a", "AspDiv", "--examples", str(count)]
        for metrics in (some[:2], some):
            what = f"{count:,} examples, {counted(len(metrics) // 2, 'metric')}"
            seconds, megabytes = child("-m", "axiomcheck", *asked, *metrics)
            found[f"growth: AspDiv, {what}: time, s"] = seconds
            found[f"growth: AspDiv, {what}: memory, MB"] = megabytes
    metric = parse("NRBP")
    spent: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for batch in draw(axiom, True, examples):
        shape, seconds = batch.draft.shape, timed(lambda: compare(metric, batch))  # noqa: B023
        for low, high in ((1, 5), (6, 12), (13, 22), (23, 42)):
            if low <= shape.ranked <= high and shape.aspects <= 4:
                spent[f"growth: NRBP compared, {low} to {high} ranks, us per pair"][0] += seconds
                spent[f"growth: NRBP compared, {low} to {high} ranks, us per pair"][1] += batch.size
        if shape.ranked <= 12:
            spent[f"growth: NRBP compared, {shape.aspects} aspects, us per pair"][0] += seconds
            spent[f"growth: NRBP compared, {shape.aspects} aspects, us per pair"][1] += batch.size
    return found | {name: seconds / count * 1e6 for name, (seconds, count) in sorted(spent.items()) if count}


PARTS: dict[str, Callable[[int], Measures]] = {
    "start": start,
    "search": search,
    "files": files,
    "checks": checks,
    "exactly": exactly,
    "proofs": proofs,
    "reports": reports,
    "growth": growth,
}


# ------------------------------------------------------------------------------------------------------ the table


def turn(python: str, part: str, examples: int) -> Measures:
    """What a process of an interpreter measures."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [python, __file__, "--one", part, "--examples", str(examples)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | threads,
    )
    measures: Measures = json.loads(done.stdout.splitlines()[-1])
    return measures


def machine() -> str:
    """The machine as Python's platform module and /proc/cpuinfo describe it."""
    cpuinfo = Path("/proc/cpuinfo")
    text = cpuinfo.read_text(encoding="utf-8") if cpuinfo.exists() else ""
    models = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    model = models[0] if models else platform.processor() or "unknown processor"
    return (
        f"{platform.system()} on {platform.machine()}, {model}, {os.cpu_count()} processors, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def line(cells: list[str], markdown: bool) -> str:
    """A row of the table."""
    if markdown:
        return f"| {' | '.join(cells)} |"
    return f"{cells[0]:<56}{cells[1]:<24}" + "".join(f"{cell:>14}" for cell in cells[2:])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=100_000, help="instances per axiom")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of another checkout")
    parser.add_argument("--parts", type=lambda text: text.split(","), default=list(PARTS))
    parser.add_argument("--markdown", action="store_true", help="a table for documents")
    parser.add_argument("--one", choices=PARTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; expected {', '.join(PARTS)}")
    if options.one:
        print(json.dumps(PARTS[options.one](options.examples)))
        return
    pythons = [sys.executable, *([options.against] if options.against else [])]
    heading = ["what", "unit", "value", *(["the other's", "ratio"] if options.against else [])]
    print(f"{machine()}; {options.examples:,} instances per axiom, medians of {options.turns} turns\n")
    print(line(heading, options.markdown))
    if options.markdown:
        print("|" + " --- |" * len(heading), flush=True)
    for part in options.parts:
        turns = [[turn(python, part, options.examples) for python in pythons] for _ in range(options.turns)]
        for what in turns[0][0]:
            values = [median(each[k][what] for each in turns) for k in range(len(pythons)) if what in turns[0][k]]
            ratio = [f"{values[0] / values[1]:.2f}"] if len(values) > 1 and values[1] else [""] * (len(pythons) - 1)
            name, _, unit = what.rpartition(", ")
            shown = [f"{v:,.4g}" if v < 1e4 else f"{v:,.0f}" for v in values]
            print(line([name, unit, *shown, *ratio], options.markdown), flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\npeak memory of the largest process: {peak:,.0f} MB")


if __name__ == "__main__":
    main()
