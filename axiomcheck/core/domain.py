"""Topics, rankings and instances. They are immutable, contain exact numbers and are validated when they are created."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol, TypeAlias

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted

Number: TypeAlias = "Fraction | int | float | str"


class Regime(StrEnum):
    """Setting that selects the axioms for which small grades, r << 1, are assumed; see `Reading`."""

    STATED = "stated"
    LIMIT = "limit"
    FINITE = "finite"


class Domain(StrEnum):
    """Grades that instances may have: all numbers in [0, 1], or only 0 and one value rc in (0, 1]."""

    GRADED = "graded"
    BINARY = "binary"


@dataclass(frozen=True)
class Reading:
    """Regime and domain of grades under which an axiom is decided.

    Args:
        regime: ``stated`` assumes r << 1 for the axioms whose definition states it, ``limit`` for all axioms except
            Sat, and ``finite`` for no axiom.
        domain: ``graded`` or ``binary``.

    """

    regime: Regime = Regime.STATED
    domain: Domain = Domain.GRADED


class SaysWhereSmall(Protocol):
    """Protocol for the attributes of an axiom that decide, with the regime, whether r << 1 is assumed."""

    @property
    def states_small(self) -> bool:
        """Return True if the axiom as published assumes r << 1."""

    @property
    def can_be_small(self) -> bool:
        """Return True if the axiom's premises allow r << 1. Sat, for example, needs a grade of 1."""


def assumes_small(axiom: SaysWhereSmall, reading: Reading) -> bool:
    """Return True if r << 1 is assumed for an axiom in a reading. It never is if the axiom's premises rule it out."""
    if not axiom.can_be_small:
        return False
    return {Regime.STATED: axiom.states_small, Regime.LIMIT: True, Regime.FINITE: False}[reading.regime]


_LONGEST = 400
"""Maximum length of the text of a number. Texts of floats are shorter, and longer numbers are slow to compute with."""

_LARGE_EXPONENT = re.compile(r"e[-+]?[\d_]{4,}", re.IGNORECASE)
"""Pattern for an exponent of four or more digits, which would make a huge number of a short text. Floats have exponents
of at most three digits."""


def exact(value: Number, what: str) -> Fraction:
    """Convert a number to an exact fraction. A float is converted from its decimal text, so 0.1 becomes 1/10.

    Args:
        value: Number, or its text of up to 400 characters, with an exponent of up to three digits.
        what: Name of the number, for messages.

    Raises:
        InvalidInput: The value is not a finite number, or its text is too long.

    """
    if isinstance(value, bool):
        raise InvalidInput(f"{what}: expected a number, got {value!r}")
    if isinstance(value, str) and (len(value) > _LONGEST or _LARGE_EXPONENT.search(value)):
        raise InvalidInput(
            f"{what}: expected a number of at most {_LONGEST} characters with an exponent of at most three digits, "
            f"got {value[:40]!r}{'...' if len(value) > 40 else ''}"
        )
    if isinstance(value, str) and not (value.isascii() and "_" not in value):
        raise InvalidInput(f"{what}: expected a number written with the digits 0 to 9, got {value[:40]!r}")
    try:
        # numpy floats are floats with another repr
        return Fraction(float.__repr__(value) if isinstance(value, float) else value)
    except (TypeError, ValueError, ZeroDivisionError):
        raise InvalidInput(f"{what}: expected a finite number or a fraction such as '1/3', got {value!r}") from None


def _shown(value: Fraction) -> str:
    """Format a fraction for a message. Describe a fraction that has more digits than Python can format."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 10_000:
        return "a fraction of thousands of digits"
    return str(value)


@dataclass(frozen=True)
class Topic:
    """Weights of a topic's aspects, and grades of its judged documents.

    Args:
        weights: One positive weight per aspect. They must sum to exactly 1 (use fractions such as ``"1/3"``).
        pool: Grades in [0, 1] of each judged document, one per aspect, keyed by document name.

    Raises:
        InvalidInput: A weight or a grade is invalid. The message names it and the expected range.

    """

    weights: tuple[Fraction, ...]
    pool: Mapping[str, tuple[Fraction, ...]]

    def __init__(self, weights: Iterable[Number], pool: Mapping[str, Iterable[Number]]) -> None:
        checked = tuple(exact(w, f"weight of aspect {t}") for t, w in enumerate(weights, start=1))
        if not checked:
            raise InvalidInput("a topic needs at least one aspect; got no weights")
        for t, w in enumerate(checked, start=1):
            if w <= 0:
                raise InvalidInput(f"weight of aspect {t}: expected a positive number, got {w}")
        if sum(checked) != 1:
            weighed = ", ".join(map(_shown, checked))
            raise InvalidInput(f"weights must sum to 1 exactly; {weighed} sum to {_shown(sum(checked, Fraction()))}")
        judged: dict[str, tuple[Fraction, ...]] = {}
        for name, grades in pool.items():
            row = tuple(exact(g, f"grade of document {name!r}") for g in grades)
            if len(row) != len(checked):
                raise InvalidInput(
                    f"document {name!r}: expected {counted(len(checked), 'grade')}, one per aspect, got {len(row)}"
                )
            for t, g in enumerate(row, start=1):
                if not 0 <= g <= 1:
                    raise InvalidInput(
                        f"grade of document {name!r} for aspect {t}: expected a number in [0, 1], got {g}"
                    )
            judged[name] = row
        object.__setattr__(self, "weights", checked)
        object.__setattr__(self, "pool", MappingProxyType(judged))

    def __hash__(self) -> int:
        return hash((self.weights, tuple(self.pool.items())))


Ranking: TypeAlias = tuple[str, ...]
"""Distinct names of documents in the pool of one topic, best rank first."""


@dataclass(frozen=True)
class Instance:
    """Two rankings for the same topic, of which an axiom requires ``better`` to score above ``worse``.

    If ``small`` is True, the instance stands for all topics with the grades eps * r as eps -> 0 (r << 1).

    Raises:
        InvalidInput: A ranking lists a document twice or a document that is not in the pool.

    """

    topic: Topic
    worse: Ranking
    better: Ranking
    small: bool = False

    def __init__(self, topic: Topic, worse: Sequence[str], better: Sequence[str], small: bool = False) -> None:
        for what, ranking in (("worse", worse), ("better", better)):
            for name in ranking:
                if name not in topic.pool:
                    raise InvalidInput(f"{what} ranking: document {name!r} is not in the pool")
            if len(set(ranking)) != len(ranking):
                twice = next(name for name in ranking if list(ranking).count(name) > 1)
                raise InvalidInput(f"{what} ranking: document {twice!r} is listed twice")
        object.__setattr__(self, "topic", topic)
        object.__setattr__(self, "worse", tuple(worse))
        object.__setattr__(self, "better", tuple(better))
        object.__setattr__(self, "small", small)
