"""Folds of a user's own in studies: whether one means in terms what it means in floats and in exact numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.polynomials import Ring, Term, Terms, Undecided
from axiomcheck.proof.check.own_code import check_scores
from axiomcheck.proof.check.own_fold import check_own_fold
from axiomcheck.proof.check.own_parameters import check_parameters, check_symbols
from axiomcheck.proof.check.quotients import settled
from axiomcheck.sources.provenance import runs_catalogue_code


def check_in_terms(metric: Metric, names: Sequence[str], ring: Ring, a: Terms) -> None:
    """Checks that a metric of a user's own is scored by its fold, also with terms for grades and parameters.

    Nothing is asked of metrics of the catalogue.

    Args:
        metric: with its own values of the parameters.
        names: of the parameters that become variables of the ring, under these names.
        ring: of the terms.
        a: the arithmetic of the terms.

    Raises:
        InvalidInput: it is no fold, or not that fold everywhere; the message says where.

    """
    if runs_catalogue_code(metric):
        return

    def at(made: Any, point: Mapping[str, fmpq]) -> Any:
        made = _single(made)
        if not isinstance(made, Term):
            return made
        values = [point.get(name, fmpq(0)) for name in ring.names]
        values += [fmpq(0)] * (len(ring.generators) - len(values))
        return made.numerator(*values) / made.denominator(*values)

    name = type(metric).__name__
    with settled(f"metric: {name}"):
        found = check_own_fold(metric)
        try:
            check_scores(found, a, ring.constant, lambda x: _number(_single(x)))
            check_symbols(found, names)
            check_parameters(found, names, a, lambda name: ring.at(ring.names.index(name)), ring.constant, at)
        except Undecided as error:
            raise InvalidInput(
                f"metric: {type(metric).__name__} takes different ways for different values: {error}"
            ) from None


def _single(x: Any) -> Any:
    return x.reshape(-1)[0] if isinstance(x, np.ndarray) and x.size == 1 else x


def _number(x: Any) -> fmpq:
    if not isinstance(x, Term):
        return x if isinstance(x, fmpq) else to_fmpq(x)
    top, bottom = x.numerator, x.denominator
    if not (top.is_constant() and bottom.is_constant()):
        raise TypeError("a number came out of the fold with symbols in it")
    return top.leading_coefficient() / bottom.leading_coefficient()
