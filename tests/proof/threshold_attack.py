"""Attacks certificates about every large n with the exact signs of block pairs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from axiomcheck.core.errors import InternalDisagreement
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.thresholds import ThresholdCase, block_pairs, examine
from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.parameters import Base, Real
from axiomcheck.proof.contradictions import allowed_signs

Document = dict[str, Any]

_SAMPLED = (Fraction(1, 10), Fraction(3, 5), Fraction(19, 20))
"""Where in (0, 1) open parameters are tried; at 20 times these where the range is unbounded."""
_TRIED = 48
_GRADES = (Fraction(1), Fraction(1, 2), Fraction(1, 10))


def cross_examine(document: Document) -> int:
    """Attacks a certificate with the exact signs of block pairs.

    Args:
        document: a certificate that `check_threshold` accepts.

    Returns:
        How many signs were compared with what the certificate says of them.

    Raises:
        InternalDisagreement: exact arithmetic, or the argument of `axiomcheck.decide.thresholds`, contradicts it.

    """
    metric = parse(document["metric"])
    small, holds = document["small"], document["claim"] == "holds"
    winner = "top" if document["axiom"] == "DeepTh" else "block"
    grades = [Fraction(1)] if small else [Fraction(document["rc"])] if document["rc"] else [*_GRADES]
    compared = 0
    for rc, extras in product(grades, (0, 3)):
        tried = examine(metric, ThresholdCase(rc, extras), small)
        if winner == "top" and tried.tail is not None and (tried.tail == 1) != holds:
            raise InternalDisagreement(f"{metric}: a certificate says that DeepTh {document['claim']}, a tail does not")
        found = list(tried.signs[:_TRIED])
        if metric.cutoff is not None and tried.tail is not None:
            found += [tried.tail] * (_TRIED - len(found))
        for n, sign in enumerate(found, start=1):
            compared += _compare(document, metric, n, sign)
    uniform = document["lemma"] not in ("geometric", "vanishing", "mixture") or winner == "block"
    for other in _samples(metric, document["scope"]["parameters"]):
        tail = other.tail() if other.cutoff is None else None
        if winner == "top" and tail is not None and (tail.side == "below") != holds:
            raise InternalDisagreement(f"{other}: a certificate says that DeepTh {document['claim']}, a tail does not")
        for n in (1, 2, 3, 5, 8, 13, 21) if uniform else ():
            sign = signs(other, block_pairs(ThresholdCase(grades[0], 0), n, small))[0]
            compared += _compare(document, other, n, sign)
    return compared


def _compare(document: Document, metric: Metric, n: int, sign: int | None) -> int:
    """Whether a certificate speaks of the sign at n; raises InternalDisagreement where it says another one."""
    allowed = allowed_signs(document, n)
    if sign is not None and sign not in allowed:
        raise InternalDisagreement(
            f"{metric}: a certificate says that {document['axiom']} {document['claim']} by the lemma "
            f"{document['lemma']!r}, and exact arithmetic has the sign {sign} at n = {n}"
        )
    return int(sign is not None and len(allowed) < 4)


def _samples(metric: Metric, open_: list[str]) -> Iterator[Metric]:
    """The metric at other values of its open parameters."""
    for share in _SAMPLED if open_ else ():
        values = dict(metric.values)
        for parameter in metric.declared:
            if parameter.name in open_:
                high = parameter.high if isinstance(parameter, Real) else None
                values[parameter.name] = Fraction(isinstance(parameter, Base)) + share * (high or 20)
        yield type(metric)(metric.cutoff, **values)
