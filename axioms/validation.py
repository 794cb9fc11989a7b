"""Check that external axioms are complete and consistent when they are loaded.

The search relies on properties of axioms that it does not check (see `axiomcheck.axioms.base`). They are tested here on
small drafts. The paper's ten axioms are not tested here, since unit tests cover them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from axiomcheck.axioms.base import Axiom, PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape, exact_draft
from axiomcheck.axioms.kinds import ScoreAxiom
from axiomcheck.axioms.script import unscripted
from axiomcheck.axioms.ten import AXIOMS
from axiomcheck.axioms.thresholds import ThresholdAxiom
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Integers, Mask

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]*")
_INCOMING = ("x", "x'", "d'")
_CHOICES = ("i", "j", "t", "u")
_SIZE = 48
_MOST_BOUND = 10**300
_EXACT_SIZE = 12


def checked(found: object, name: str, where: str) -> Axiom:
    """Check an axiom, or an instance of an axiom class, and return it.

    Args:
        found: Axiom or class that an entry point refers to.
        name: Name of the entry point, which must be that of the axiom.
        where: Beginning of error messages.

    Raises:
        InvalidInput: The object is not an axiom, is incomplete, or contradicts itself on a small draft.

    """

    def refuse(what: str) -> InvalidInput:
        return InvalidInput(f"{where}: {what}")

    if isinstance(found, type) and issubclass(found, Axiom):
        missing = sorted(getattr(found, "__abstractmethods__", ()))
        if issubclass(found, PairAxiom) and found.relate is PairAxiom.relate:
            bare = [name for name in ("fix", "holds") if getattr(found, name) is getattr(PairAxiom, name)]
            missing += [f"relate (or {' and '.join(bare)})"] if bare else []
        if missing:
            raise refuse(f"{found.__name__} does not define {', '.join(missing)}")
        kind = found
        try:
            found = kind()
        except Exception as error:
            raise refuse(f"{kind.__name__}() raised {type(error).__name__}: {error}") from None
    if not isinstance(found, PairAxiom | ThresholdAxiom):
        raise refuse(
            f"it refers to {found!r}; expected an instance or subclass of axiomcheck.axioms.PairAxiom or ThresholdAxiom"
        )
    _check_attributes(found, name, refuse)
    if isinstance(found, PairAxiom):
        check_behaviour(found, refuse)
    return found


_Refuse = Callable[[str], InvalidInput]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_texts(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_is_text, value))


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


_ATTRIBUTES: dict[str, tuple[Callable[[object], bool], str]] = {
    "title": (_is_text, "its full name"),
    "group": (("relevance", "diversity").__contains__, "'relevance' or 'diversity'"),
    "words": (_is_text, "the axiom as a sentence"),
    "symbols": (_is_text, "the axiom as a formula"),
    "source": (_is_text, "where the axiom comes from"),
    "assumptions": (_is_texts, "a tuple of texts"),
    "reading": (_is_texts, "a tuple of texts"),
    "states_small": (_is_bool, "True or False"),
    "can_be_small": (_is_bool, "True or False"),
    "strict": (_is_bool, "True or False"),
    "binary": (_is_bool, "True or False"),
    "min_aspects": (_is_count, "an integer >= 1"),
    "max_aspects": (lambda value: value is None or _is_count(value), "an integer >= 1 or None"),
}
_PAIR_ATTRIBUTES: dict[str, tuple[Callable[[object], bool], str]] = {
    "overlap": (_is_bool, "True or False"),
    "balanced": (_is_bool, "True or False"),
    "appends": (_is_bool, "True or False"),
    "weighted": (_is_bool, "True or False"),
    "min_ranked": (_is_count, "an integer >= 1"),
    "incoming": (lambda value: _is_some(value, _INCOMING), f"a tuple of {', '.join(_INCOMING)}, each at most once"),
    "choices": (lambda value: _is_some(value, _CHOICES), f"a tuple of {', '.join(_CHOICES)}, each at most once"),
}


def _is_some(value: object, known: tuple[str, ...]) -> bool:
    return isinstance(value, tuple) and set(value) <= set(known) and len(set(value)) == len(value)


def _check_attributes(axiom: Axiom, name: str, refuse: _Refuse) -> None:
    called = getattr(axiom, "name", None)
    if called != name:
        raise refuse(f"the axiom's name is {called!r}; expected {name!r}, the name of its entry point")
    if not _NAME.fullmatch(name.rpartition(":")[2]):  # the text before the colon is a file or module
        raise refuse("its name cannot be used; expected a letter, followed by letters, digits or any of _ . + -")
    if name.casefold() in {known.casefold() for known in AXIOMS}:
        raise refuse(f"{name!r} is already the name of a built-in axiom; choose another name")
    if axiom.number is not None:
        raise refuse(f"number is {axiom.number!r}, but only the paper's ten axioms have numbers; expected None")
    # The inherited `source` says that the axiom comes from the paper.
    if inspect.getattr_static(type(axiom), "source") is inspect.getattr_static(Axiom, "source"):
        raise refuse("source is missing; it must say where the axiom comes from")
    for base in (ScoreAxiom, PairAxiom, ThresholdAxiom):
        if isinstance(axiom, base):
            if axiom.kind != base.kind:
                raise refuse(f"kind is {axiom.kind!r}; expected {base.kind!r}, as for every {base.__name__}")
            break
    expected = _ATTRIBUTES | (_PAIR_ATTRIBUTES if isinstance(axiom, PairAxiom) else {})
    for attribute, (fits, what) in expected.items():
        try:
            value = getattr(axiom, attribute)
        except AttributeError:
            raise refuse(f"{attribute} is missing; expected {what}") from None
        if not fits(value):
            raise refuse(f"{attribute} is {value!r}; expected {what}")
    if axiom.max_aspects is not None and axiom.max_aspects < axiom.min_aspects:
        raise refuse(f"max_aspects is {axiom.max_aspects}, but min_aspects is {axiom.min_aspects}; expected max >= min")
    if axiom.group == "relevance" and axiom.max_aspects != 1:
        raise refuse("group is 'relevance', which is for metrics with one aspect; expected max_aspects = 1")
    if axiom.states_small and not axiom.can_be_small:
        raise refuse("states_small is True but can_be_small is False; expected both True")
    if isinstance(axiom, ThresholdAxiom):
        if getattr(axiom, "winner", None) not in ("top", "block"):
            raise refuse(f"winner is {getattr(axiom, 'winner', None)!r}; expected 'top' or 'block'")
        return
    assert isinstance(axiom, PairAxiom)
    _check_bounds(axiom, refuse)
    for choice, before in (("j", "i"), ("u", "t")):
        if choice in axiom.choices and before not in axiom.choices:
            raise refuse(f"choices has {choice!r} without {before!r}; add {before!r} before it")
    if "u" in axiom.choices and axiom.min_aspects < 2:
        raise refuse(f"choices has two aspects, but min_aspects is {axiom.min_aspects}; expected at least 2")


def _check_bounds(axiom: PairAxiom, refuse: _Refuse) -> None:
    bounds: dict[str, Any] = {name: getattr(axiom, name) for name in ("least", "most")}
    if axiom.kind != "scores":
        if any(bound is not None for bound in bounds.values()):
            raise refuse("least or most is set, which is only for a ScoreAxiom; remove them, or subclass ScoreAxiom")
        return
    for name, bound in bounds.items():
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int | Fraction)):
            raise refuse(f"{name} is {bound!r}; expected an integer, a fractions.Fraction or None")
        if bound is not None and not -_MOST_BOUND <= bound <= _MOST_BOUND:
            raise refuse(f"{name} is out of the range of scores; expected a bound from -1e300 to 1e300")
    least, most = bounds.values()
    if least is None and most is None:
        raise refuse("least and most are None; expected a bound for at least one of them")
    if least is not None and most is not None and least > most:
        raise refuse(f"least is {least}, but most is {most}; expected least <= most")
    if axiom.strict:
        raise refuse("strict is True; expected False, since a score may be equal to a bound")
    if axiom.can_be_small:
        raise refuse("can_be_small is True; expected False, since bounds do not assume r << 1")


def check_behaviour(axiom: PairAxiom, refuse: _Refuse) -> None:
    """Test an axiom on random drafts of all small shapes, and raise InvalidInput if it breaks a rule."""
    met = 0
    for draft in free_drafts(axiom):
        met += _Trial(axiom, draft, refuse).run()
    if not met:
        raise refuse(
            f"repair produced no draft of {axiom.min_ranked} to {axiom.min_ranked + MORE_RANKED} ranked documents that "
            "meets the premises, so there is nothing to search; if the premises need more documents, raise min_ranked"
        )


def wanted_both_ways(axiom: PairAxiom, d: Draft) -> str:
    """Describe the contradiction if an axiom requires each ranking of a draft (B = 1) to be ahead of the other.

    Other positions and aspects of the draft may give the same two rankings in the opposite order. Return an empty text
    if none do, or if there are more than `_MOST_CHOICES` choices of positions and aspects.
    """
    counts = [d.n if choice in ("i", "j") else d.shape.aspects for choice in axiom.choices]
    if not axiom.strict or not 1 < np.prod(counts) <= _MOST_CHOICES:
        return ""
    other = d.pick(np.zeros(int(np.prod(counts)), dtype=np.int64))
    for choice, values in zip(axiom.choices, np.indices(counts).reshape(len(counts), -1), strict=True):
        setattr(other, choice, values)
    other = other.pick(axiom.premises(other))
    worse, better = axiom.rankings(d)
    behind, ahead = axiom.rankings(other)
    if not (other.size and behind.shape[1] == better.shape[1] and ahead.shape[1] == worse.shape[1]):
        return ""
    if not ((behind == better).all(axis=1) & (ahead == worse).all(axis=1)).any():
        return ""
    names = d.shape.names(axiom.incoming)
    first, second = (", ".join(names[row] for row in side[0].tolist()) for side in (better, worse))
    return f"it requires {first} to be ahead of {second}, and vice versa"


_MOST_CHOICES = 20_000

MORE_RANKED = 3
"""Largest number of ranked documents in the drafts of `free_drafts`, minus the number that the axiom needs."""


def free_drafts(axiom: PairAxiom) -> Iterator[Draft]:
    """Yield batches of random drafts of all small shapes, which need not meet the premises."""
    rng = np.random.default_rng(0)
    least = axiom.min_ranked
    most_aspects = min(axiom.max_aspects or 3, axiom.min_aspects + 1)
    for n, m, extras in product(
        range(least, least + MORE_RANKED + 1), range(axiom.min_aspects, most_aspects + 1), (0, 1)
    ):
        shape = Shape(n + len(axiom.incoming) + extras, m, n)
        for binary in (True,) if axiom.binary else (False, True):
            top = rng.choice([0.5, 1.0], _SIZE) if binary else np.ones(_SIZE)
            inner = rng.integers(0, 2 if binary else 5, (shape.documents, m, _SIZE)) / (1 if binary else 4)
            t = rng.integers(0, m, _SIZE)
            yield Draft(
                shape=shape,
                grades=(inner * top).transpose(2, 0, 1),
                weights=rng.integers(1, 4, (_SIZE, m)),
                top=top,
                i=rng.integers(0, n, _SIZE),
                j=rng.integers(0, n, _SIZE),
                t=t,
                u=(t + (rng.integers(1, m, _SIZE) if m > 1 else 0)) % m,
                binary=binary,
            )


def _same(one: Draft, other: Draft, rows: Mask | Integers) -> bool:
    """Return True if the selected drafts of two batches are equal, up to a common factor of a draft's weights."""
    columns = all(np.array_equal(getattr(one, c)[rows], getattr(other, c)[rows]) for c in ("grades", "top", *_CHOICES))
    return columns and np.array_equal(_lowest(one.weights[rows]), _lowest(other.weights[rows]))


def _lowest(weights: Integers) -> Integers:
    lowest: Integers = weights // np.gcd.reduce(weights, axis=1)[:, None]
    return lowest


class _Trial:
    """Test of an axiom on one batch of drafts, which need not meet the premises."""

    def __init__(self, axiom: PairAxiom, draft: Draft, refuse: _Refuse) -> None:
        self.axiom = axiom
        self.draft = draft
        shape = draft.shape
        kind = "binary, " if draft.binary else ""
        self.on = f"({kind}n = {shape.ranked}, m = {shape.aspects}, {counted(shape.documents, 'document')})"
        self._refuse = refuse

    def refuse(self, what: str) -> InvalidInput:
        return self._refuse(f"{what} {self.on}")

    def run(self) -> int:
        """Check all rules on the batch, and return the number of drafts that meet the premises after repair.

        Raises:
            InvalidInput: The axiom breaks a rule.

        """
        free = self.premises(self.draft)
        once = self.repaired(self.draft)
        if not _same(once, self.draft, free):
            raise self.refuse("repair changes drafts that meet the premises; it must leave them unchanged")
        ok = self.premises(once)
        met = once.pick(ok)
        if not met.size:
            return 0
        if not _same(self.repaired(met), met, np.arange(met.size)):
            raise self.refuse("repair changes its own results; a second repair must leave drafts unchanged")
        rankings = self.rankings(met)
        self.last_rank(met, rankings)
        for k in range(min(3, met.size)):
            if both_ways := wanted_both_ways(self.axiom, met.pick(np.array([k]))):
                raise self.refuse(both_ways)
        for k in range(min(3, met.size)):
            sentence = self.call("sentence", met.pick(np.array([k])))
            if not _is_text(sentence):
                raise self.refuse(f"sentence returned {sentence!r}; expected a string that is not blank")
        self.undeclared(met, rankings)
        self.scripted(met, rankings)
        self.exactly()
        return int(ok.sum())

    def call(self, method: str, d: Draft) -> Any:
        try:
            return getattr(self.axiom, method)(d)
        except Exception as error:
            raise self.refuse(f"{method} raised {type(error).__name__}: {error}") from None

    def premises(self, d: Draft) -> Mask:
        before = d.copy()
        ok = self.call("premises", d)
        if not (isinstance(ok, np.ndarray) and ok.shape == (d.size,) and ok.dtype == bool):
            raise self.refuse(f"premises (holds) returned {_shown(ok)}; expected {counted(d.size, 'boolean')}")
        if not all(np.array_equal(getattr(before, c), getattr(d, c)) for c in ("grades", "weights", "top", *_CHOICES)):
            raise self.refuse("premises (holds) changes the draft; it must not")
        return ok

    def repaired(self, d: Draft) -> Draft:
        copy = d.copy()
        self.call("repair", copy)
        n, m = d.shape.ranked, d.shape.aspects
        if copy.grades.shape != d.grades.shape or not ((copy.grades >= 0) & (copy.grades <= 1)).all():
            raise self.refuse("repair (fix) leaves grades outside [0, 1], or changes the shape of the array")
        for column, most in (("i", n), ("j", n), ("t", m), ("u", m)):
            value = getattr(copy, column)
            if np.shape(value) != (d.size,) or not ((value >= 0) & (value < most)).all():
                raise self.refuse(f"repair (fix) leaves {column} outside 0 to {most - 1}")
        if copy.weights.shape != d.weights.shape or copy.weights.dtype.kind != "i" or not (copy.weights > 0).all():
            raise self.refuse("repair (fix) leaves weights that are not positive integers")
        return copy

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        found = self.call("rankings", d)
        if not (isinstance(found, tuple) and len(found) == 2):
            raise self.refuse(f"rankings returned {_shown(found)}; expected (worse, better)")
        for side, rows in zip(("worse", "better"), found, strict=True):
            fits = isinstance(rows, np.ndarray) and rows.ndim == 2 and len(rows) == d.size and rows.dtype.kind == "i"
            if not fits:
                raise self.refuse(f"rankings: {side} is {_shown(rows)}; expected ({d.size}, length) integers")
            if not ((rows >= 0) & (rows < d.shape.documents)).all():
                raise self.refuse(f"rankings: {side} has documents outside 0 to {d.shape.documents - 1}")
            if (np.diff(np.sort(rows, axis=1), axis=1) == 0).any():
                raise self.refuse(f"rankings: {side} contains a document twice")
        worse, better = found
        alike = worse.shape == better.shape and (worse == better).all(axis=1)
        if self.axiom.kind == "scores":
            if not np.all(alike):
                raise self.refuse("rankings: worse and better differ; a ScoreAxiom must return one ranking twice")
        elif np.any(alike):
            raise self.refuse("rankings: worse and better are the same for a draft that meets the premises")
        return worse, better

    def last_rank(self, d: Draft, rankings: tuple[Integers, Integers]) -> None:
        found = self.call("last_rank", d)
        longest = max(rows.shape[1] for rows in rankings)
        fits = isinstance(found, np.ndarray) and found.shape == (d.size,) and found.dtype.kind == "i"
        if not fits or not ((found >= 1) & (found <= longest)).all():
            raise self.refuse(
                f"last_rank returned {_shown(found)}; expected {counted(d.size, 'rank')} from 1 to {longest}"
            )

    def undeclared(self, d: Draft, rankings: tuple[Integers, Integers]) -> None:
        """Check that the axiom uses no position or aspect outside ``choices``, since witnesses do not record them."""
        for choice in (c for c in _CHOICES if c not in self.axiom.choices):
            plain = d.copy()
            setattr(plain, choice, np.zeros(d.size, dtype=np.int64))
            same = self.premises(plain).all() and all(map(np.array_equal, self.rankings(plain), rankings))
            if not same:
                raise self.refuse(f"it depends on {choice}, which is not in choices; add {choice!r} to choices")

    def scripted(self, d: Draft, rankings: tuple[Integers, Integers]) -> None:
        """Check that the script describes every instance, since proofs for every length use only the script.

        A script that is inherited from one of the ten axioms is not checked, since proofs do not use it for other
        premises; see `axiomcheck.proof.proving`.
        """
        home = next(cls for cls in type(self.axiom).__mro__ if "script" in vars(cls))
        if home.__module__.startswith("axiomcheck.axioms."):
            return
        try:
            script = self.axiom.script()
            odd = None if script is None else unscripted(script, d, rankings)
        except Exception as error:
            raise self.refuse(f"script is invalid: {type(error).__name__}: {error}") from None
        if script is not None and script.leaves_out:
            raise self.refuse("the script sets leaves_out, which is only valid for Red; remove it")
        if odd is not None:
            worse, better = (rows[odd].tolist() for rows in rankings)
            raise self.refuse(
                f"script does not describe the rankings {worse} and {better} for the grades {d.grades[odd].tolist()}, "
                "although they meet the premises; a proof would not cover them"
            )

    def exactly(self) -> None:
        """Check that ``repair`` and ``premises`` give the same results on exact rationals as on floats.

        The grades are multiples of 1/4, which floats represent exactly, so every difference is an error.
        """
        floats = self.repaired(self.draft).pick(np.arange(_EXACT_SIZE))
        try:
            exact = self.repaired(exact_draft(self.draft.pick(np.arange(_EXACT_SIZE))))
            agree = np.array_equal(self.premises(exact), self.premises(floats))
        except InvalidInput as error:
            raise InvalidInput(f"{error} (for exact rationals, in object arrays)") from None
        if not agree or not _same(exact, exact_draft(floats), np.arange(_EXACT_SIZE)):
            raise self.refuse("repair and premises differ between floats and exact rationals for the same grades")


def _shown(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}, shape {value.shape}"
    return f"{value!r:.60}"
