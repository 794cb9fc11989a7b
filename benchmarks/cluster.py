"""What a cluster of Dask's gains and costs, as ratios measured in one run.

1. The paper's rows by the ten axioms, without proofs, on 1, 2 and 4 workers of one thread on this machine: how many
   times as fast as one worker, and as this process alone; and the processor time of all processes over that of this
   one, which is what it costs on a machine that has other work, too. Workers have axiomcheck loaded beforehand.
2. The time that a task costs besides its work: many that a worker looks at and sends back, because they ask for other
   packages than it has.
3. The same matrix for ``--jobs 2``, start and end of processes included: by the pool of processes that ``--jobs`` has,
   and by a scheduler and two workers that are started for it.

    python benchmarks/cluster.py [--metrics N] [--examples N] [--rounds N] [--workers 1 2 4]
"""

from __future__ import annotations

import argparse
import logging
import os
import pickle
import platform
import statistics
import time
from collections.abc import Callable, Sequence

import psutil

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Reading
from axiomcheck.decide.search import Settings
from axiomcheck.engine import cluster
from axiomcheck.engine.cluster import Cluster
from axiomcheck.engine.places import Machine, Place
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import Task
from axiomcheck.metrics import Metric, paper_rows
from axiomcheck.reports.formats import render

ECHOES = 200


def decided(metrics: Sequence[Metric], settings: Settings, place: Place | None, jobs: int = 1) -> str:
    return render(
        run_matrix(metrics, list(AXIOMS.values()), settings=settings, machine=Machine(jobs, cluster=place)), "json"
    )


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def processor_seconds() -> float:
    """Of this process and all below it."""
    here = psutil.Process()
    times = [process.cpu_times() for process in (here, *here.children(recursive=True))]
    return sum(taken.user + taken.system for taken in times)


def on_workers(count: int, settings: Settings, work: Callable[[Cluster], object]) -> None:
    """Does something with a scheduler and so many workers, each a process with one thread."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=count, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
    ) as local:
        while len(local.scheduler_info["workers"]) < count:
            time.sleep(0.1)
        with Cluster(local.scheduler_address) as place:
            work(place)


def echo_seconds(place: Cluster, metrics: Sequence[Metric]) -> float:
    """Seconds per task that is looked at and refused, since it was asked for under other circumstances."""
    work = pickle.dumps((Task(AXIOMS["Pri"], tuple(metrics), Reading(), Settings()), place.limits))

    def there_and_back() -> None:
        asked = [place._client.submit(cluster.decide_on_worker, {}, work, pure=False) for _ in range(ECHOES)]
        for future in asked:
            assert future.exception()

    there_and_back()
    return seconds(there_and_back) / ECHOES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--metrics", type=int, default=20)
    parser.add_argument("--examples", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    options = parser.parse_args()
    metrics = list(paper_rows())[: options.metrics]
    settings = Settings(examples=options.examples, proofs=False)
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}")
    print(f"{len(metrics)} metrics x {len(AXIOMS)} axioms, {options.examples:,} examples, medians of {options.rounds}")

    expected = decided(metrics, settings, None)
    alone: list[float] = []
    alone_used: list[float] = []
    used: dict[int, list[float]] = {count: [] for count in options.workers}
    took: dict[int, list[float]] = {count: [] for count in options.workers}
    echoes: dict[int, list[float]] = {count: [] for count in options.workers}
    for _ in range(options.rounds):
        before = processor_seconds()
        alone.append(seconds(lambda: decided(metrics, settings, None)))
        alone_used.append(processor_seconds() - before)
        for count in options.workers:

            def measure(place: Cluster, count: int = count) -> None:
                assert decided(metrics, settings, place) == expected
                before = processor_seconds()
                took[count].append(seconds(lambda: decided(metrics, settings, place)))
                used[count].append(processor_seconds() - before)
                echoes[count].append(echo_seconds(place, metrics))

            on_workers(count, settings, measure)
    first = statistics.median(took[options.workers[0]])
    print(
        f"\n| workers | over {options.workers[0]} worker | over this process alone | processor time | a task besides |"
    )
    print("| --- | --- | --- | --- | --- |")
    for count in options.workers:
        here = statistics.median(took[count])
        task = 1000 * statistics.median(echoes[count])
        cost = statistics.median(used[count]) / statistics.median(alone_used)
        print(
            f"| {count} | {first / here:.2f} | {statistics.median(alone) / here:.2f} | {cost:.2f} | {task:.1f} ms |",
            flush=True,
        )

    pool, dask = [], []
    for _ in range(options.rounds):
        pool.append(seconds(lambda: decided(metrics, settings, None, jobs=2)))
        dask.append(seconds(lambda: on_workers(2, settings, lambda place: decided(metrics, settings, place))))
    ratio = statistics.median(dask) / statistics.median(pool)
    print(f"\n--jobs 2 by a scheduler and two workers of its own, over the pool of processes: {ratio:.2f}")


if __name__ == "__main__":
    main()
