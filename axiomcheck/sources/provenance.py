"""Tell where a metric and its parts come from: the catalogue's own code, or somebody else's.

A class says with its name which metric it is. Anybody may derive a class from one of the catalogue, or change an object
of it; what is known of the catalogue's metric says nothing of that one. So every proof asks here whose code runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.own_code import is_own_class, is_patched
from axiomcheck.metrics.base import Claims, Metric
from axiomcheck.metrics.catalogue import parse
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.digest import digest
from axiomcheck.sources.function_metrics import CallableMetric, NamedMetric, OwnMetric

NEUTRAL = frozenset(
    ("name", "label", "summary", "source", "claims", "most_examples", "aggregate", "blanks", "reference")
)
"""Attributes that a derived class may give itself and still be, in every score, what it is derived from."""


class Origin(StrEnum):
    """Name whose code decides a metric's scores, and in which form it came.

    ``CATALOGUE``: axiomcheck's own class, methods and attributes, unchanged but for the label. ``RENAMED``: a class of
    somebody else's that redefines no more than names, descriptions and claims of one of axiomcheck's. ``CLASS``: any
    other class or object of one. Then external functions over arrays, callables on (topic, ranking), entry points
    on judgments and runs, and measures of libraries.
    """

    CATALOGUE = "catalogue"
    RENAMED = "renamed"
    CLASS = "class"
    ARRAYS = "function over arrays"
    CALLABLE = "callable"
    EVALUATOR = "entry point"
    LIBRARY = "library"

    @property
    def is_catalogue_code(self) -> bool:
        """Tell whether nothing but axiomcheck's own code decides the scores, whatever the metric is called."""
        return self in (Origin.CATALOGUE, Origin.RENAMED)

    @property
    def is_class(self) -> bool:
        """Tell whether the metric is a class over `axiomcheck.Metric`, whoever wrote it."""
        return self in (Origin.CATALOGUE, Origin.RENAMED, Origin.CLASS)

    @property
    def by_name(self) -> bool:
        """Tell whether the metric scores documents by their names, rather than arrays of grades."""
        return self in (Origin.CALLABLE, Origin.EVALUATOR, Origin.LIBRARY)


def origin_of(metric: Metric) -> Origin:
    """Return whose code decides a metric's scores by now, whatever it is called."""
    if isinstance(metric, OwnMetric):
        forms = ((CallableMetric, Origin.CALLABLE), (LibraryMetric, Origin.LIBRARY), (NamedMetric, Origin.EVALUATOR))
        return next((origin for kind, origin in forms if isinstance(metric, kind)), Origin.ARRAYS)
    kind = type(metric)
    home = next(cls for cls in kind.__mro__ if is_own_class(cls))
    neutral = {"label"} if home is kind else NEUTRAL
    if any(is_patched(base) for base in home.__mro__ if is_own_class(base)) or (
        home is not kind and foreign_parts(metric, home).keys() - NEUTRAL
    ):
        return Origin.CLASS
    try:
        made = vars(home(metric.cutoff, **metric.values))
    except (InvalidInput, TypeError):  # values that no user can give, such as the symbols of a proof
        return Origin.CLASS
    expected = {name: value for name, value in made.items() if name not in neutral}
    counting = vars(metric).keys() - neutral if home is kind else vars(metric).keys() & expected.keys()
    if not _same({name: vars(metric)[name] for name in counting}, expected):
        return Origin.CLASS
    return Origin.CATALOGUE if home is kind else Origin.RENAMED


def is_genuine(metric: Metric) -> bool:
    """Tell whether a metric is axiomcheck's own, unchanged: class, methods, every attribute but its label."""
    return origin_of(metric) is Origin.CATALOGUE


def runs_catalogue_code(metric: Metric) -> bool:
    """Tell whether nothing but axiomcheck's own code decides a metric's scores, whatever it is called."""
    return origin_of(metric).is_catalogue_code


def states(metric: Metric, attribute: str) -> bool:
    """Tell whether what an attribute says of a metric was said of this very class, by whoever wrote it.

    What is known of a class need not hold of classes derived from it, nor of changed objects of axiomcheck's classes.
    """
    cls = type(metric)
    return is_genuine(metric) or (attribute in vars(cls) and not is_own_class(cls))


def _same(one: object, other: object) -> bool:
    """Tell whether two values are of one type and equal, and so is what they hold."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, Metric):
        return _same(vars(one), vars(other))
    return one is other or bool(one == other)


def identity_of(metric: Metric) -> str | None:
    """Return a digest of an external metric's code and attributes, which tell it from others; None of the catalogue's.

    Raises:
        InvalidInput: as `check_name`.
        MetricError: an attribute cannot be read.

    """
    check_name(metric)
    if is_genuine(metric) and metric.label is None:
        return None
    try:
        again = metric.read_again if isinstance(metric, OwnMetric) else None
        return digest(metric) if again is None else digest((metric, again))
    except Exception as error:  # attributes that raise when they are read, or go on without end
        raise MetricError(f"{metric} cannot be told from others: {type(error).__name__}: {error}") from error


UNREADABLE = "unreadable"


def readable_identity(metric: Metric) -> str | None:
    """Return `identity_of` a metric, or `UNREADABLE` where its attributes raise when they are read, or have no end."""
    try:
        return identity_of(metric)
    except MetricError:
        return UNREADABLE


def check_name(metric: Metric) -> None:
    """Checks that a metric which is not the catalogue's does not bear a name of the catalogue's.

    Raises:
        InvalidInput: it does, or it has no text for a name; the message says what to change.

    """
    name = metric.canonical
    if not isinstance(name, str) or not name:
        raise InvalidInput(f"metric {type(metric).__qualname__}: its name is {name!r}; expected a text")
    if not means_catalogue(name) or (metric.label is None and is_genuine(metric)):
        return
    where = f"{type(metric).__module__}.{type(metric).__qualname__}"
    if is_own_class(type(metric)) and metric.label is None:
        raise InvalidInput(
            f"{name!r} was changed after it was made; derive a class from {type(metric).__name__} and give it a name"
        )
    raise InvalidInput(f"{where} is called {name!r}, which is a metric of the catalogue; give it another name")


_Given = TypeVar("_Given")


def each_once(given: Iterable[tuple[str, object, _Given]]) -> dict[str, _Given]:
    """Return what was given, by the name that it has in reports, each once: a name stands for one metric.

    Args:
        given: (name, what was given, the metric that it is); names are typed, and mean the same each time.

    Raises:
        InvalidInput: two different metrics have one name; one bears a name of the catalogue's that is not its own.

    """
    found: dict[str, tuple[object, _Given]] = {}
    for name, one, metric in given:
        if isinstance(metric, Metric):
            check_name(metric)
        first, known = found.setdefault(name, (one, metric))
        if first is not one and not (isinstance(one, str) and first == one) and known != metric:
            raise InvalidInput(f"two metrics are called {name}; give one of them another name")
    return {name: metric for name, (_, metric) in found.items()}


def means_catalogue(name: str) -> bool:
    """Tell whether a name, or what stands before its parameters or cutoff, is one of the catalogue."""
    for text in dict.fromkeys((name, re.split(r"\(", name)[0], re.split("[(@]", name)[0])):
        try:
            parse(text)
        except InvalidInput:
            continue
        return True
    return False


def foreign_parts(obj: object, base: type) -> dict[str, object]:
    """The attributes of an object that a base class defines and somebody else's code or the object itself redefines.

    Args:
        obj: a metric, a fold, a discount.
        base: the class of axiomcheck's that says what the attributes are; those of its bases count too.

    Returns:
        Name -> the first redefinition that Python finds. Ways of Python's own to answer for attributes
        (``__getattribute__``, ``__getattr__``, ``__class__``) are among them.

    """
    known = {name for cls in base.__mro__ for name in vars(cls) if not name.startswith("__")}
    known = known - {"_abc_impl"} | {"__getattribute__", "__getattr__", "__class__"}
    found: dict[str, object] = {}
    if hasattr(obj, "__dict__"):
        # Attributes that axiomcheck's own constructors set are what an object is made of, not redefinitions.
        found |= {name: value for name, value in vars(obj).items() if name in known - _MADE_OF}
    for cls in type(obj).__mro__:
        if not is_own_class(cls) and cls is not object:
            for name in known & vars(cls).keys():
                if not _restated(type(obj), cls, name):
                    found.setdefault(name, vars(cls)[name])
    return found


def _restated(kind: type, cls: type, name: str) -> bool:
    """Tell whether a class says of a plain fact what the next one that speaks of it says, too."""
    mro = kind.__mro__
    above = next((base for base in mro[mro.index(cls) + 1 :] if name in vars(base)), None)
    if above is None:
        return False
    value, inherited = vars(cls)[name], vars(above)[name]
    return value is inherited or (type(value) in _PLAIN and type(value) is type(inherited) and value == inherited)


_PLAIN = (type(None), bool, int, float, str, tuple, Claims)


_MADE_OF = {"cutoff", "values", "claims", "name", "label", "binary_only", "single_aspect", "abilities", "base"}
