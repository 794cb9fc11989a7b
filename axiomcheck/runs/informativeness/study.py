"""Fits of many lists by many measures: shared out among processes, and kept as they are finished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.runs.informativeness.extremes import only_point
from axiomcheck.runs.informativeness.fit import Fit, fit
from axiomcheck.runs.informativeness.lists import Selection, TopicLists
from axiomcheck.runs.informativeness.measures import MEASURES, ListSettings
from axiomcheck.runs.pieces import Listener, finish


@dataclass(frozen=True)
class Informativeness:
    """What was fitted.

    Args:
        selection: the lists.
        settings: what the measures depend on.
        targets: the measures whose values were given.
        fits: of each list, target -> fit.

    """

    selection: Selection
    settings: ListSettings
    targets: tuple[str, ...]
    fits: tuple[dict[str, Fit], ...]


def study(
    selection: Selection,
    settings: ListSettings,
    targets: Sequence[str],
    *,
    jobs: int = 1,
    kept: LedgerFile | None = None,
    listen: Listener | None = None,
) -> Informativeness:
    """Fits every list by every target.

    Args:
        selection: the lists.
        settings: what the measures depend on.
        targets: names of measures.
        jobs: worker processes; one is this process.
        kept: where finished fits are, and are put.
        listen: is told how many lists of how many are finished.

    Raises:
        OverLimit: a worker was killed; what was finished is kept.

    """
    what = [settings.depth, settings.alpha, settings.beta, settings.published, list(targets)]
    keys = [
        key_of(what="informativeness", settings=what, list=[_content(one.by_intent), _content(one.single)])
        for one in selection.lists
    ]
    found = finish(
        fit_all,
        (settings, tuple(targets)),
        selection.lists,
        keys,
        kind="informativeness",
        jobs=jobs,
        kept=kept,
        listen=listen,
    )
    fits = tuple({name: _read(document) for name, document in one.items()} for one in found)
    return Informativeness(selection, settings, tuple(targets), fits)


def fit_all(common: tuple[ListSettings, tuple[str, ...]], lists: TopicLists) -> dict[str, Any]:
    """The fits of one list by all targets, as JSON can hold them."""
    settings, targets = common
    # Matrices are small, and the threads that linear algebra would share them out among wait more than they work.
    with _threads().limit(limits=1, user_api="blas"):
        return {name: _written(fit_one(name, lists, settings)) for name in targets}


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


def fit_one(name: str, lists: TopicLists, settings: ListSettings) -> Fit:
    """The fit of one list by one target."""
    measure = MEASURES[name]
    judged = measure.list_of(lists)
    # What the published recursion gives is no expectation, so that no value of it is known to have one list alone.
    printed = settings.published and measure.cascade
    only = None if printed else only_point(measure.form(judged, settings), judged)
    return fit(judged, measure.expectation(judged, settings), measure.value(judged, settings), only)


def _content(judged: Any) -> list[Any]:
    return [judged.relevant.tolist(), judged.totals.tolist(), judged.weights.tolist()]


def _written(found: Fit) -> dict[str, Any]:
    return found.__dict__ | {"p": found.p.tolist()}


def _read(document: dict[str, Any]) -> Fit:
    return Fit(**(document | {"p": np.array(document["p"]), "starts": tuple(document["starts"])}))
