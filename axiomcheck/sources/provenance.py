"""Determine whose code a metric runs: the catalogue's own code or external code.

The name of a class suggests which metric it implements. However, users may derive a class from a catalogue class or
modify its objects. Facts about the catalogue metric do not apply to these. Therefore every proof calls this module to
check whose code runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.own_code import is_own_class, is_patched
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.catalogue import parse
from axiomcheck.metrics.derived_fold import KINDS as DERIVED
from axiomcheck.metrics.derived_fold import DerivedSum, FoldOfFunction
from axiomcheck.sources.external_metrics import NamedMetric, OwnMetric


class Origin(StrEnum):
    """Author and kind of the code that computes a metric's scores.

    ``CATALOGUE``: axiomcheck's own class, methods and attributes, unchanged except for the label. ``CLASS``: any other
    metric class or object. The other origins are external functions on arrays, callables on (topic, ranking), entry
    points on judgments and runs, and library measures.
    """

    CATALOGUE = "catalogue"
    CLASS = "class"
    ARRAYS = "function over arrays"
    CALLABLE = "callable"
    EVALUATOR = "entry point"
    LIBRARY = "library"

    @property
    def is_class(self) -> bool:
        """True if the metric is a subclass of `axiomcheck.Metric`, whoever wrote it."""
        return self in (Origin.CATALOGUE, Origin.CLASS)


def origin_of(metric: Metric) -> Origin:
    """Return the current origin of a metric's code, whatever the metric is called."""
    if isinstance(metric, OwnMetric):
        from axiomcheck.sources.adapters.common import LibraryMetric  # lazy: metrics of the catalogue need neither
        from axiomcheck.sources.function_metrics import CallableMetric

        forms = ((CallableMetric, Origin.CALLABLE), (LibraryMetric, Origin.LIBRARY), (NamedMetric, Origin.EVALUATOR))
        return next((origin for kind, origin in forms if isinstance(metric, kind)), Origin.ARRAYS)
    kind = type(metric)
    if type(kind) is not type(Metric):
        return Origin.CLASS  # a user's metaclass may claim that its classes equal others
    if any(kind is own for own in (*DERIVED.values(), DerivedSum, FoldOfFunction)) and not is_patched(kind):
        return Origin.CATALOGUE  # axiomcheck's own code computes its scores from its data
    if not is_own_class(kind) or any(is_patched(base) for base in kind.__mro__ if is_own_class(base)):
        return Origin.CLASS
    try:
        made = kind(metric.cutoff, **metric.values)
    except (InvalidInput, TypeError):  # values that users cannot pass, such as the symbols of a proof
        return Origin.CLASS
    own, expected = ({name: value for name, value in vars(one).items() if name != "label"} for one in (metric, made))
    return Origin.CATALOGUE if _same(own, expected) else Origin.CLASS


def is_genuine(metric: Metric) -> bool:
    """Return True if a metric is axiomcheck's own, with class, methods and all attributes but the label unmodified."""
    return origin_of(metric) is Origin.CATALOGUE


def states(metric: Metric, attribute: str) -> bool:
    """Return True if a metric's attribute may be trusted: a user's class defines it, or the metric is axiomcheck's own.

    Facts about a class need not hold for derived classes or modified objects of axiomcheck's classes.
    """
    cls = type(metric)
    return is_genuine(metric) or (attribute in vars(cls) and not is_own_class(cls))


def _same(one: object, other: object) -> bool:
    """Return True if two values, and all values that they contain, are equal and have the same types."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, Metric):
        return _same(vars(one), vars(other))
    return one is other or bool(one == other)


def identity_of(metric: Metric) -> str | None:
    """Return a digest that identifies an external metric's code and attributes.

    The result is None for catalogue metrics.

    Raises:
        InvalidInput: `check_name` rejects the metric's name.
        MetricError: An attribute cannot be read.

    """
    check_name(metric)
    if is_genuine(metric) and metric.label is None:
        return None
    from axiomcheck.sources.digest import digest

    try:
        again = metric.read_again if isinstance(metric, OwnMetric) else None
        return digest(metric) if again is None else digest((metric, again))
    except Exception as error:  # attributes that raise when read, or are infinitely nested
        raise MetricError(
            f"{metric} cannot be distinguished from other metrics: {type(error).__name__}: {error}"
        ) from error


UNREADABLE = "unreadable"


def readable_identity(metric: Metric) -> str | None:
    """Return ``identity_of(metric)``, or `UNREADABLE` if attributes raise errors or are infinitely nested."""
    try:
        return identity_of(metric)
    except MetricError:
        return UNREADABLE


def check_name(metric: Metric) -> None:
    """Check that an external metric does not have the name of a catalogue metric.

    Raises:
        InvalidInput: The metric has such a name, or its name is not a string. The message says what to do.

    """
    name = metric.canonical
    if not isinstance(name, str) or not name:
        raise InvalidInput(f"metric {type(metric).__qualname__}: its name is {name!r}; expected a non-empty string")
    if not means_catalogue(name) or (metric.label is None and is_genuine(metric)):
        return
    where = f"{type(metric).__module__}.{type(metric).__qualname__}"
    if is_own_class(type(metric)) and metric.label is None:
        raise InvalidInput(
            f"{name!r} was changed after it was created; derive a class from {type(metric).__name__} and give it a name"
        )
    raise InvalidInput(f"{where} is called {name!r}, which is a metric in the catalogue; rename it")


_Given = TypeVar("_Given")


def each_once(given: Iterable[tuple[str, object, _Given]]) -> dict[str, _Given]:
    """Map the names used in reports to the resolved metrics, and check that each name belongs to a single metric.

    Args:
        given: (name, original object, resolved metric) triples. Originals that are equal strings count as one metric.

    Raises:
        InvalidInput: Two different metrics have the same name, or an external one has the name of a catalogue metric.

    """
    found: dict[str, tuple[object, _Given]] = {}
    for name, one, metric in given:
        if isinstance(metric, Metric):
            check_name(metric)
        first, known = found.setdefault(name, (one, metric))
        if first is not one and not (isinstance(one, str) and first == one) and known != metric:
            raise InvalidInput(f"two metrics are called {name}; rename one of them")
    return {name: metric for name, (_, metric) in found.items()}


def means_catalogue(name: str) -> bool:
    """Return True if a name belongs to a catalogue metric, even if its parameters or its cutoff are invalid."""
    for text in dict.fromkeys((name, re.split(r"\(", name)[0], re.split("[(@]", name)[0])):
        try:
            parse(text)
        except InvalidInput:
            continue
        return True
    return False
