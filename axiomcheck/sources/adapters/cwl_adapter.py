"""Adapt the C/W/L metrics from cwl-eval, such as ``cwl:RBP(0.8)``.

A metric is named after its class, with or without the suffix ``CWLMetric``. The parameter ``max_depth=`` corresponds to
the command-line tool's option of that name: rankings are padded or truncated to that many ranks.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Sequence
from typing import Any

import cwl.ruler.measures
import numpy as np
from cwl.ruler.measures.cwl_metrics import CWLMetric
from cwl.ruler.ranking import Ranking

from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.printable import counted
from axiomcheck.metrics.base import Abilities
from axiomcheck.sources.adapters.common import (
    Case,
    LibraryMetric,
    MeasureOption,
    options_of,
    parse_call,
    spelled_call,
)
from axiomcheck.sources.evaluators import only_grade

SUFFIX = "CWLMetric"
DEPTH = 1000
"""Default value of ``max_depth`` in the command-line tool."""

RANK_CUTOFFS = {
    "PrecisionCWLMetric": "k",
    "NDCGCWLMetric": "k",
    "NERReq8CWLMetric": "k",
    "NERReq9CWLMetric": "k",
    "SETCWLMetric": "k",
    "BPMCWLMetric": "K",
}
"""Class -> name of its parameter that gives a number of ranks. In BPM, it is a total cost, and each document costs
1."""

OPTIONS = {
    "max_depth": ((2, 10), True),
    "k": ((1, 2, 3), False),
    "K": ((1, 3), False),
    "T": ((2.0,), False),
    "theta": ((0.5,), False),
    "phi": ((0.5,), False),
    "rate": ((0.5,), False),
    "beta": ((0.9,), False),
    "halflife": ((10,), False),
    "L": ((10,), False),
}
"""Options that the contract check varies in every metric that takes them."""

SLOW = ("APCWLMetric", "TrAPCWLMetric")
"""Metrics that take time quadratic in the depth: a tenth of a second per ranking at the default depth."""


class CwlMetric(LibraryMetric):
    """Expected utility of a cwl-eval metric, which is the first value that the tool reports.

    Args:
        depth: Number of ranks to which rankings are padded or truncated.
        given: Parameters by name.

    """

    package = "cwl-eval"
    companions = ("NDCGCWLMetric(k=5)", "RRCWLMetric")
    summary = "a C/W/L metric from cwl-eval: expected utility"
    source = "https://github.com/ireval/cwl"
    most_examples = 500
    takes_names = False

    def __init__(self, label: str, ruler: CWLMetric, depth: int, given: dict[str, Any]) -> None:
        self.ruler = ruler
        self.depth = depth
        self.given = given
        kind = type(ruler).__name__
        k = getattr(ruler, RANK_CUTOFFS[kind]) if kind in RANK_CUTOFFS else None
        bounds = [int(k)] if k is not None and k == int(k) else []
        bounds += [depth] if depth != DEPTH else []
        super().__init__(
            label,
            cutoff=min(bounds, default=None),
            single_aspect=True,
            abilities=Abilities(
                weights=False,
                notes=(
                    f"computed by {self.library}: expected utility",
                    "the gain is the grade itself",
                    f"the ranking is padded with irrelevant documents to {counted(depth, 'rank')}, or truncated to "
                    f"that length",
                    "every document costs 1; unjudged documents have the lowest gain",
                    "rankings keep their order: there are no run scores that could tie",
                ),
            ),
        )
        if kind in SLOW and depth > 100:
            self.most_examples = 50

    @property
    def options(self) -> list[MeasureOption]:
        """Options that the metric takes. ``max_depth`` is included only if it differs from the default."""
        kind = type(self.ruler)
        takes = (*inspect.signature(kind).parameters, *(["max_depth"] if self.depth != DEPTH else []))
        return options_of(OPTIONS, takes, self.given, functools.partial(spelled_call, kind.__name__))

    def call(self, cases: Sequence[Case]) -> list[float]:
        """Return the expected utility of each case."""
        return [self._one(only_grade(topic), ranking) for topic, ranking in cases]

    def _one(self, grades: dict[str, float], ranking: Sequence[str]) -> float:
        # The library's own reader marks unjudged documents with nan.
        gains = np.array([grades.get(name, np.nan) for name in ranking], dtype=np.float64)
        one = Ranking("q", gains, np.ones(len(gains)), max_n=self.depth)
        # By default the totals are those of the ranking; the documentation asks to set the pool's totals.
        one.total_qrel_gain = sum(grades.values())
        one.total_qrel_rels = float(sum(grade > 0 for grade in grades.values()))
        return float(self.ruler.measure(one))


def measure(text: str) -> CwlMetric:
    """Return the cwl-eval metric with a given name and parameters.

    Args:
        text: Class name with its parameters, such as ``RBP(0.8)``, ``INST(T=3)`` or ``APCWLMetric(max_depth=50)``.

    Raises:
        InvalidInput: There is no such metric or parameter, or the metric cannot be run.

    """
    label = f"cwl:{text}"
    call = parse_call(text)
    classes = _classes()
    kind = classes.get(call.name) or classes.get(call.name + SUFFIX)
    if kind is None:
        raise UnknownName("cwl-eval metric", call.name, [name.removesuffix(SUFFIX) for name in classes])
    named = dict(call.named)
    depth = named.pop("max_depth", DEPTH)
    if not isinstance(depth, int) or isinstance(depth, bool) or depth < 2:
        raise InvalidInput(f"{label}: max_depth={depth!r} is out of range; expected an integer >= 2")
    try:
        given = dict(inspect.signature(kind).bind(*call.positional, **named).arguments)
    except TypeError as error:
        raise InvalidInput(f"{label}: {error}; {call.name} takes {inspect.signature(kind)}") from None
    for value in (*call.positional, *named.values()):
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise InvalidInput(f"{label}: {value!r} is not a number")
    try:
        ruler = kind(*call.positional, **named)
        found = CwlMetric(label, ruler, depth, given | {"max_depth": depth})
    except (ArithmeticError, TypeError, ValueError) as error:
        raise InvalidInput(f"{label}: {type(error).__name__}: {error}") from None
    found.try_out()
    return found


def _classes() -> dict[str, type[Any]]:
    """Map class names to classes, for all metrics that cwl-eval ships."""
    found: dict[str, type[Any]] = {}
    for module in pkgutil.iter_modules(cwl.ruler.measures.__path__):
        members = vars(importlib.import_module(f"cwl.ruler.measures.{module.name}"))
        found |= {
            name: member
            for name, member in members.items()
            if isinstance(member, type) and issubclass(member, CWLMetric) and member is not CWLMetric
        }
    return found
