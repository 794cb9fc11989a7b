"""Axioms that `pair_axiom` creates from a function of a topic and two rankings.

The function returns True if the axiom requires the first ranking to be ahead of the second. It is called with rankings
and edited copies of them; `PAIRS` lists the kinds of edits. Instances are drafts, as for the ten axioms, and are
therefore enumerated, sampled, shrunk, scored and replayed by the same code.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias, overload

import numpy as np

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.ten import AXIOMS
from axiomcheck.axioms.validation import MORE_RANKED, check_behaviour, free_drafts
from axiomcheck.core.errors import InvalidInput, check_flags
from axiomcheck.core.typing import Integers, Mask
from axiomcheck.numbers.arithmetic import to_fraction

Ranks: TypeAlias = "list[int]"
"""Rows of the pool in rank order, best first."""


@dataclass(frozen=True)
class AxiomTopic:
    """Topic that the function of a `pair_axiom` receives. All its numbers are exact.

    Args:
        weights: One weight per aspect. The weights sum to 1.
        pool: Read-only dictionary from each judged document to its grades in [0, 1], one per aspect.

    """

    weights: tuple[Fraction, ...]
    pool: Mapping[str, tuple[Fraction, ...]]


Says: TypeAlias = Callable[[AxiomTopic, "list[str]", "list[str]"], bool]
"""Type of a function (topic, better, worse) that returns True if the axiom requires ``better`` to be ahead of
``worse``."""


@dataclass(frozen=True)
class Edit:
    """Difference between the two rankings of a pair.

    Args:
        words: Description of the difference for messages.
        make: Function (n, i, j) that returns both rankings as rows, with positions counted from 0. Rows 0..n-1 are
            d1..dn, and row n is the incoming document. It returns None if there is no such pair at these positions.
        choices: Positions, ``"i"`` and ``"j"``, on which ``make`` depends.
        incoming: Names of the incoming documents.
        min_ranked: Smallest number of ranked documents.
        lengthens: True if the lengths of the rankings differ by one document. The first ranking is then always the
            better one. If False, the lengths are equal, and either ranking may be the better one.

    """

    words: str
    make: Callable[[int, int, int], tuple[Ranks, Ranks] | None]
    choices: tuple[str, ...] = ("i", "j")
    incoming: tuple[str, ...] = ()
    min_ranked: int = 2
    lengthens: bool = False


def _swapped(n: int, i: int, j: int) -> tuple[Ranks, Ranks] | None:
    edited = list(range(n))
    edited[i], edited[j] = j, i
    return (edited, list(range(n))) if i < j else None


def _moved(n: int, i: int, j: int) -> tuple[Ranks, Ranks] | None:
    """Return d1..dn with the document at j moved up to i, and d1..dn; None unless it moves up by two ranks or more."""
    edited = list(range(n))
    edited.insert(i, edited.pop(j))
    return (edited, list(range(n))) if i + 1 < j else None


def _replaced(n: int, i: int, j: int) -> tuple[Ranks, Ranks]:
    edited = list(range(n))
    edited[i] = n
    return edited, list(range(n))


def _longer(n: int, i: int, j: int) -> tuple[Ranks, Ranks]:
    edited = list(range(n))
    edited.insert(i + 1, n)
    return edited, list(range(n))


def _shorter(n: int, i: int, j: int) -> tuple[Ranks, Ranks]:
    longer, plain = _longer(n, i, j)
    return plain, longer


def _two_swaps(n: int, i: int, j: int) -> tuple[Ranks, Ranks] | None:
    first, second = list(range(n)), list(range(n))
    if not i < j < n - 1:
        return None
    first[i], first[i + 1] = i + 1, i
    second[j], second[j + 1] = j + 1, j
    return first, second


PAIRS: dict[str, Edit] = {
    "swapped": Edit("two documents swapped", _swapped),
    "replaced": Edit("one document replaced by another", _replaced, ("i",), ("x",), min_ranked=1),
    "longer": Edit(
        "a document inserted below another, which makes the longer ranking better", _longer, ("i",), ("x",), 1, True
    ),
    "shorter": Edit(
        "a document inserted below another, which makes the longer ranking worse", _shorter, ("i",), ("x",), 1, True
    ),
    "moved": Edit("a document moved up by two ranks or more", _moved, min_ranked=3),
    "two swaps": Edit(
        "a swap of two neighbours near the top, compared with a swap further down", _two_swaps, min_ranked=3
    ),
}
"""Edits by name."""

PairsName = Literal["swapped", "replaced", "longer", "shorter", "moved", "two swaps"]

_MOST_REMEMBERED = 100_000
_BOTH = 2
"""Order of two rankings if the function contradicts itself and requires each to be ahead of the other."""


@lru_cache(_MOST_REMEMBERED)
def _exactly(value: Any) -> Fraction:
    """Convert a float, an int or a flint rational to an equal fraction."""
    return Fraction(value) if isinstance(value, int | float) else to_fraction(value)


class FunctionAxiom(PairAxiom):
    """Axiom created by `pair_axiom`: a user's function decides which ranking of a pair must be ahead."""

    states_small = False
    can_be_small = False
    most_drafts = 4_000
    function: ClassVar[Says]
    edit: ClassVar[Edit]
    tried: ClassVar[Mapping[str, int]]

    def __init__(self) -> None:
        self._answers: dict[tuple[Any, ...], int] = {}

    def fix(self, d: Draft) -> None:
        """Sort the positions, and simplify the drafts for which the function requires neither ranking to be ahead.

        Simple drafts, with few distinct grades, are more likely to meet premises such as equal grades.
        """
        if self.edit.choices == ("i", "j"):
            self.arrange(d)
        missing = np.arange(d.size)
        for levels, single, last in product((0, 2, 3, 1), (False, True)[: d.shape.aspects], (False, True)):
            missing = missing[self._orders(d.pick(missing)) == 0]
            if not missing.size:
                return
            simpler = _simpler(d.pick(missing), levels, single, last)
            met = np.flatnonzero(self._orders(simpler) != 0)
            for column in ("grades", "weights", "i", "j"):
                getattr(d, column)[missing[met]] = getattr(simpler, column)[met]

    def holds(self, d: Draft) -> Mask:
        """Return a (B,) mask of the drafts for which the function requires one of the two rankings to be ahead."""
        met: Mask = self._orders(d) != 0
        return met

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the rankings in the order (worse, better) that the function requires.

        Raises:
            InvalidInput: The function requires each of the two rankings to be ahead of the other.

        """
        orders = self._orders(d)
        sides: tuple[list[Ranks], list[Ranks]] = ([], [])
        for row, (i, j) in enumerate(zip(d.i.tolist(), d.j.tolist(), strict=True)):
            pair = self.edit.make(d.n, i, j)
            # If there is no such pair, return two rankings anyway, as long as those of the other drafts in the batch.
            better, worse = pair if pair is not None else (list(range(d.n)), list(range(d.n)))
            if orders[row] == _BOTH:
                names = d.shape.names(self.incoming)
                first, second = (", ".join(names[k] for k in side) for side in (better, worse))
                required = "ahead of" if self.strict else "at least as good as"
                raise InvalidInput(
                    f"axiom {self.name}: its function requires {first} to be {required} {second}, and vice versa"
                )
            if orders[row] < 0:
                better, worse = worse, better
            sides[0].append(worse)
            sides[1].append(better)
        worse_rows, better_rows = (np.array(side, dtype=np.int64).reshape(d.size, -1) for side in sides)
        return worse_rows, better_rows

    def sentence(self, d: Draft) -> str:
        """State which ranking must score above the other, or must not score below it."""
        worse, better = self.rankings(d)
        names = d.shape.names(self.incoming)
        told = [", ".join(names[row] for row in side[0].tolist()) for side in (better, worse)]
        must = "must score above" if self.strict else "must not score below"
        return f"by the axiom, {told[0]} {must} {told[1]}"

    def _orders(self, d: Draft) -> Integers:
        """Return (B,) integers: 1 if the function requires the first ranking to be ahead, -1 for the second, else 0.

        An entry is `_BOTH` if the function requires each ranking to be ahead of the other.
        """
        grades, weights = np.ascontiguousarray(d.grades), np.ascontiguousarray(d.weights)
        exact = grades.dtype == object
        orders = np.zeros(d.size, dtype=np.int64)
        for row, (i, j) in enumerate(zip(d.i.tolist(), d.j.tolist(), strict=True)):
            values = tuple(map(_exactly, grades[row].ravel())) if exact else grades[row].tobytes()
            key = (d.shape, i, j, weights[row].tobytes(), values)
            order = self._answers.get(key)
            if order is None:
                if len(self._answers) > _MOST_REMEMBERED:
                    self._answers.clear()
                order = self._order(d.shape, grades[row].tolist(), weights[row].tolist(), i, j)
                self._answers[key] = order
            orders[row] = order
        return orders

    def _order(self, shape: Shape, grades: Any, weights: list[int], i: int, j: int) -> int:
        if "i" not in self.choices or (pair := self.edit.make(shape.ranked, i, j)) is None:
            return 0
        names = shape.names(self.incoming)
        pool = {name: tuple(map(_exactly, row)) for name, row in zip(names, grades, strict=True)}
        topic = AxiomTopic(tuple(Fraction(w, sum(weights)) for w in weights), MappingProxyType(pool))
        first, second = ([names[row] for row in side] for side in pair)
        wanted = self._says(topic, first, second)
        # Rankings of different lengths are only swapped to detect a contradiction; `>=` in both directions is none.
        asked = (wanted and self.strict) if self.edit.lengthens else True
        opposite = asked and self._says(topic, second, first)
        return _BOTH if wanted and opposite else wanted - opposite

    def _says(self, topic: AxiomTopic, better: list[str], worse: list[str]) -> bool:
        """Call the function on two rankings, and return its answer.

        Raises:
            InvalidInput: The function raised an exception, or returned a value other than True or False.

        """
        function = type(self).function
        try:
            said = function(topic, list(better), list(worse))
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            raise InvalidInput(
                f"the function of axiom {self.name} raised {type(error).__name__}: {error} (line {frame.lineno}) "
                f"for better = {better}, worse = {worse}"
            ) from None
        if not isinstance(said, bool | np.bool_):
            raise InvalidInput(
                f"the function of axiom {self.name} returned {said!r:.60}; expected True if better must score above "
                "worse, and False otherwise"
            )
        return bool(said)


def _simpler(d: Draft, levels: int, single: bool, last: bool) -> Draft:
    """Simplify drafts in place, and return them.

    Args:
        d: Drafts to simplify.
        levels: 0 to leave grades and weights unchanged. Otherwise all weights become equal, and grades are rounded to 2
            or 3 distinct values including 0, or with 1, every positive grade becomes the largest one.
        single: True to keep positive grades on only one aspect per document.
        last: True to move the positions to the end of the ranking.

    """
    grades, top = d.grades, d.top[:, None, None]
    if levels:
        d.weights[:] = 1
    if levels == 1 or (levels and d.binary):
        grades[:] = (grades > 0) * top
    elif levels == 2:
        grades[:] = (2 * grades >= top) * top
    elif levels == 3:
        grades[:] = ((grades > 0) * top + (2 * grades >= top) * top) / 2
    if single:
        grades *= np.arange(d.shape.aspects) == grades.argmax(axis=2)[..., None]
    if last:
        d.i[:], d.j[:] = np.where(d.j > d.i, d.i, d.n - 1), d.n - 1
    return d


@overload
def pair_axiom(function: Says) -> FunctionAxiom: ...
@overload
def pair_axiom(
    *, strict: bool = ..., aspects: int | None = ..., pairs: PairsName | None = ...
) -> Callable[[Says], FunctionAxiom]: ...
def pair_axiom(
    function: Says | None = None, *, strict: bool = True, aspects: int | None = 1, pairs: PairsName | None = None
) -> FunctionAxiom | Callable[[Says], FunctionAxiom]:
    """Create an axiom from a function of a topic and two rankings. It can be used as a decorator.

    The function is called as ``function(topic, better, worse)``. ``topic`` is an `AxiomTopic`. The rankings are lists
    of names of documents in its pool, in rank order. The function returns True if the axiom requires ``better`` to be
    ahead of ``worse``.

    Args:
        function: Function whose docstring states the axiom in words.
        strict: True if ``better`` must score above ``worse``; False if it may also score the same.
        aspects: Number of aspects of the topics, from 1 to 8; None for any number.
        pairs: Kind of pairs to call the function with, one of `PAIRS`. The default is the kind for which the function
            most often requires one ranking to be ahead.

    Raises:
        InvalidInput: The function cannot be called in this way, raises an exception, contradicts itself, or never
            requires a ranking to be ahead; or an option has an invalid value.

    """
    if function is None:
        return lambda decorated: pair_axiom(decorated, strict=strict, aspects=aspects, pairs=pairs)  # type: ignore[call-overload]
    try:
        if not hasattr(function, "__name__"):
            raise InvalidInput(f"pair_axiom: expected a function (topic, better, worse), got {type(function).__name__}")
        return _made(function, function.__name__, strict, aspects, pairs)
    except InvalidInput as error:
        if not DEFERS.get():
            raise
        return error  # type: ignore[return-value] # only `axiomcheck.sources` sees it


DEFERS = ContextVar("DEFERS", default=False)
"""True while `pair_axiom` returns errors instead of raising them, so that other names in the same file can be used."""


def renamed(axiom: FunctionAxiom, name: str) -> FunctionAxiom:
    """Return a copy of an axiom with another name, such as ``my.py:name`` for an axiom in a file."""
    return _class_of(name, dict(vars(type(axiom))))()


def _made(function: Says, name: str, strict: bool, aspects: int | None, pairs: str | None) -> FunctionAxiom:
    def refuse(what: str) -> InvalidInput:
        return InvalidInput(f"axiom {name}: {what}")

    if name.casefold() in {known.casefold() for known in AXIOMS}:
        raise refuse(f"{name!r} is already the name of a built-in axiom; rename the function")
    check_flags(f"axiom {name}", strict=strict)
    if pairs is not None and not (isinstance(pairs, str) and pairs in PAIRS):
        raise refuse(f"pairs is {pairs!r}; expected one of {', '.join(map(repr, PAIRS))}")
    if aspects is not None and (isinstance(aspects, bool) or not isinstance(aspects, int) or not 1 <= aspects <= 8):
        raise refuse(f"aspects is {aspects!r}; expected an integer from 1 to 8, or None for any number")
    try:
        inspect.signature(function).bind(None, None, None)
    except TypeError as error:
        raise refuse(f"the function cannot be called as {name}(topic, better, worse): {error}") from None
    words = (inspect.getdoc(function) or name).split("\n\n")[0].replace("\n", " ")
    common = {
        "function": staticmethod(function),
        "title": name,
        "group": "relevance" if aspects == 1 else "diversity",
        "words": words,
        "symbols": f"{name}(topic, d, d')  =>  Q(d) {'>' if strict else '>='} Q(d')",
        "source": f"the function {name}",
        "strict": strict,
        "min_aspects": aspects or 1,
        "max_aspects": aspects,
    }
    tried: dict[str, int] = {}
    for way in PAIRS if pairs is None else [pairs]:
        axiom = _of_way(name, common, way)
        tried[way] = sum(int(axiom.premises(repaired).sum()) for repaired in _repaired(axiom))
    way = max(tried, key=lambda each: tried[each])
    if not tried[way]:
        longest = MORE_RANKED + max(PAIRS[way].min_ranked for way in tried)
        raise refuse(
            f"the function did not return True for any of about a thousand edited pairs of rankings of up to {longest} "
            f"documents ({', '.join(tried)}), so there is nothing to test; for an axiom about longer rankings, write a "
            f"class with min_ranked (docs/how-to/plugins.md)"
        )
    axiom = _of_way(name, common, way)
    _check_orders(axiom, refuse)
    check_behaviour(axiom, refuse)
    type(axiom).tried = tried
    return axiom


def _of_way(name: str, common: Mapping[str, Any], way: str) -> FunctionAxiom:
    edit = PAIRS[way]
    reading = (f"tested pairs: {edit.words}", "the ranks that differ are within the metric's cutoff")
    fields = dict(common) | {
        "edit": edit,
        "choices": edit.choices,
        "incoming": edit.incoming,
        "min_ranked": edit.min_ranked,
        "appends": edit.lengthens,
        "assumptions": ("one aspect",) if common["max_aspects"] == 1 else (),
        "reading": reading,
    }
    return _class_of(name, fields)()


def _class_of(name: str, fields: dict[str, Any]) -> type[FunctionAxiom]:
    return type("FunctionAxiom", (FunctionAxiom,), fields | {"name": name, "__module__": __name__})


def _repaired(axiom: FunctionAxiom) -> Iterator[Draft]:
    for draft in free_drafts(axiom):
        axiom.repair(draft)
        yield draft


def _check_orders(axiom: FunctionAxiom, refuse: Callable[[str], InvalidInput]) -> None:
    """Reject a function that contradicts itself, or whose answer changes if it is called again."""
    again = type(axiom)()
    for draft in _repaired(axiom):
        met = draft.pick(axiom.premises(draft))
        if not np.array_equal(axiom.premises(draft), again.premises(draft)):
            raise refuse("its function returns a different answer when called again with the same arguments")
        if met.size:
            axiom.rankings(met)
