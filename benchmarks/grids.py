"""How many settings a grid can have: rate, memory at several widths, and the ratio to settings decided one by one.

Half of the settings are RBU's (p by e), half NRBP's (p by alpha), each by all ten axioms. Every width is decided in a
process of its own, whose peak memory is that of the parent and of its largest worker. The ratio is of CPU time per
setting: of the last width, and of a sample of its settings that `run_matrix` decides one after the other.

    python benchmarks/grids.py [--examples N] [--jobs N] [--widths 250,500,1000,2000] [--sample N]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Reading
from axiomcheck.decide.search import Settings
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import Metric, parse
from axiomcheck.studies.region.axes import Axis, grid_axes, read_axis
from axiomcheck.studies.region.grid import settings_of, study_grid

RANGES = {20: (5, 2), 250: (25, 5), 500: (25, 10), 1000: (25, 20), 2000: (50, 20), 4000: (100, 20)}
"""Settings -> how many values of p, and of the other parameter."""


def grids(width: int) -> list[tuple[Metric, tuple[Axis, ...]]]:
    """Return the metrics and ranges of so many settings."""
    p, other = RANGES[width]
    asked = {
        "RBU@20": [f"p=0.1:0.99:{p}", f"e=0.01:0.5:{other}"],
        "NRBP": [f"p=0.1:0.99:{p}", f"alpha=0.05:0.95:{other}"],
    }
    found = []
    for name, over in asked.items():
        metric = parse(name)
        axes = [read_axis(text, AXIOMS["Conf"], metric, True) for text in over]
        found.append((metric, grid_axes(axes)))
    return found


def one_width(width: int, examples: int, jobs: int) -> None:
    """Decides a width, and prints what it took as JSON."""
    start = time.perf_counter()
    settings, axioms = Settings(examples=examples), list(AXIOMS.values())
    studies = [study_grid(metric, axes, axioms, Reading(), settings, Machine(jobs)) for metric, axes in grids(width)]
    columns = [grid for study in studies for _, grid in study]
    seconds = time.perf_counter() - start
    own, workers = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    counts: dict[str, int] = {}
    for column in columns:
        for number in range(len(column.by)):
            verdict = column.finding(number).verdict.value
            counts[verdict] = counts.get(verdict, 0) + 1
    print(
        json.dumps(
            {
                "settings": sum(len(study[0][1].by) for study in studies),
                "seconds": seconds,
                "cpu": own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime,
                "parent": own.ru_maxrss / 1024,
                "worker": workers.ru_maxrss / 1024,
                "verdicts": counts,
            }
        )
    )


def one_by_one(width: int, examples: int, sample: int) -> float:
    """CPU seconds per setting of a sample, each decided on its own."""
    chosen = random.Random(0)
    spent, number = 0.0, 0
    for base, axes in grids(width):
        for metric in chosen.sample(settings_of(base, axes), sample):
            start = time.process_time()
            run_matrix([metric], list(AXIOMS.values()), Reading(), Settings(examples=examples))
            spent, number = spent + time.process_time() - start, number + 1
    return spent / number


def main() -> None:
    """Prints a line per width, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--widths", default="250,500,1000,2000")
    parser.add_argument("--sample", type=int, default=2)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        one_width(asked.one, asked.examples, asked.jobs)
        return
    print(f"10 axioms, {asked.examples:,} random instances, {asked.jobs} workers, {os.cpu_count()} CPUs", flush=True)
    cpu = 0.0
    for width in map(int, asked.widths.split(",")):
        words = ["--one", str(width), "--examples", str(asked.examples), "--jobs", str(asked.jobs)]
        done = subprocess.run([sys.executable, __file__, *words], check=True, capture_output=True, text=True)
        found = json.loads(done.stdout)
        cells, cpu = found["settings"] * len(AXIOMS), found["cpu"] / found["settings"]
        rate = cells * asked.examples / found["seconds"]
        print(
            f"{found['settings']:>5,} settings: {found['seconds']:.0f} s, {found['cpu']:.0f} s CPU; "
            f"settings x axioms x instances: {rate:,.0f} a second; "
            f"peak memory {found['parent']:.0f} MB, of a worker {found['worker']:.0f} MB; {found['verdicts']}",
            flush=True,
        )
    if not asked.sample:
        return
    alone = one_by_one(width, asked.examples, asked.sample)
    print(f"CPU per setting: {cpu:.3f} s in the grid, {alone:.2f} s on its own: {alone / cpu:.0f} times as long")


if __name__ == "__main__":
    main()
