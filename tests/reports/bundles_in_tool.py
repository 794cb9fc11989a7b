"""Bundles held to the tool: what ir_measures prints, called as on the command line but in this process."""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from axiomcheck.core.domain import Instance, Topic
from axiomcheck.decide.batch import Judgement, Pairs
from axiomcheck.decide.comparison import judge
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.reports.bundle import Bundle
from axiomcheck.reports.bundle.tools import ToolCall

GRADES = (
    (Fraction(0), Fraction(1)),
    (Fraction(0), Fraction(0), Fraction(1)),
    (Fraction(0), Fraction(3, 7)),
    (Fraction(0), Fraction(1, 2), Fraction(1)),
    (Fraction(0), Fraction(1, 16), Fraction(7, 16), Fraction(15, 16)),
)
"""What the grades of an instance are drawn from, by turns."""


def typed(command: str, folder: Path) -> str:
    """Return what a command line of ir_measures prints in a folder."""
    main = pytest.importorskip("ir_measures.__main__")
    out = io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        patch.chdir(folder)
        patch.setattr(sys, "argv", shlex.split(command))
        main.main_cli()
    return out.getvalue()


def differences(call: ToolCall | None, folder: Path) -> list[str]:
    """List where the tool prints something else than is said, on files that are in a folder."""
    found = []
    for command, score in zip(call.commands, (call.worse, call.better), strict=True) if call else ():
        printed = typed(command, folder)
        if printed.replace("\t-0.0", "\t0.0") != f"{call.measure}\t{score}\n":
            found.append(f"{command}: prints {printed!r}, and {score} is said")
    return found


def written(bundle: Bundle, folder: Path) -> Path:
    """The folder, with the bundle's files in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in bundle.files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def judged_by(metric: Metric, instance: Instance) -> Judgement:
    """Score both rankings of an instance exactly."""
    topic, names = instance.topic, list(instance.topic.pool)
    pool = np.empty((1, len(names), len(topic.weights)), dtype=object)
    pool[0] = [[to_fmpq(grade) for grade in grades] for grades in topic.pool.values()]
    weights = np.empty((1, len(topic.weights)), dtype=object)
    weights[0] = [to_fmpq(weight) for weight in topic.weights]
    sides = (instance.worse, instance.better)
    worse, better = (np.array([[names.index(name) for name in side]], dtype=np.int64) for side in sides)
    return judge(metric, Pairs(pool, weights, worse, better, False))


@dataclass(frozen=True)
class Drawn:
    """An instance with the scores of its rankings, of which the worse one scores at least as much."""

    instance: Instance
    worse: str
    better: str
    kind: str


def scored(metric: Metric, instance: Instance) -> Drawn:
    """Return an instance, with the ranking that scores more as the worse one."""
    judged = judged_by(metric, instance)
    if judged.sign == 1:
        return scored(metric, Instance(instance.topic, instance.better, instance.worse))
    return Drawn(instance, judged.worse, judged.better, "reversal" if judged.sign else "tie")


def drawn(metric: Metric, number: int, seed: int) -> Iterator[Drawn]:
    """Instances at random; aspects without a relevant document occur."""
    rng = np.random.default_rng([seed, number])
    for turn in range(number):
        grades = GRADES[turn % len(GRADES)]
        several = metric.applies_to_aspects() and turn % 4
        parts = [int(w) for w in rng.integers(1, 4, size=int(rng.integers(2, 4)))] if several else [1]
        if several and turn % 2:
            parts = [1] * len(parts)
        pool = {
            name: [grades[int(k)] for k in rng.integers(0, len(grades), size=len(parts))]
            for name in (f"d{k}" for k in range(1, int(rng.integers(3, 7))))
        }
        topic = Topic([Fraction(part, sum(parts)) for part in parts], pool)
        rankings = [list(rng.permutation(list(pool))[: int(rng.integers(1, len(pool) + 1))]) for _ in range(2)]
        worse, better = ([str(name) for name in ranking] for ranking in rankings)
        yield scored(metric, Instance(topic, worse, better))
