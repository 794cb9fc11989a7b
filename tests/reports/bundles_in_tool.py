"""Bundles held to the tool: what ir_measures prints, called as on the command line but in this process."""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck.axioms import find_axiom
from axiomcheck.core.domain import Instance, Topic
from axiomcheck.decide.comparison import judge
from axiomcheck.metrics import Metric
from axiomcheck.reports.bundle import Bundle
from axiomcheck.reports.bundle.instance import ScoredInstance, pairs_of
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


def drawn(metric: Metric, number: int, seed: int) -> Iterator[ScoredInstance]:
    """Instances at random, the ranking that scores more as the worse one; aspects without a relevant document occur."""
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
        judged = judge(metric, pairs_of(Instance(topic, worse, better)))
        if judged.sign == 1:
            worse, better = better, worse
            judged = judge(metric, pairs_of(Instance(topic, worse, better)))
        kind: Any = "tie" if judged.sign == 0 else "reversal"
        yield ScoredInstance(
            find_axiom("Pri"),
            Instance(topic, worse, better),
            kind,
            judged.worse,
            judged.better,
            "",
            None,
            "drawn at random",
        )
