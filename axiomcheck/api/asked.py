"""Convert arguments of API functions (names, classes, functions or objects) to metrics and axioms."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

from axiomcheck.axioms import AXIOMS, Axiom, axiom_names
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.printable import shown
from axiomcheck.metrics import Metric
from axiomcheck.processes.limits import Limits, usable_cpus
from axiomcheck.sources.declarations import declared_object
from axiomcheck.sources.function_metrics import as_it_is_now, as_metric, name_of
from axiomcheck.sources.names import External, is_foreign
from axiomcheck.sources.provenance import is_genuine, means_catalogue
from axiomcheck.sources.resolve import axiom_of, resolve

MetricLike: TypeAlias = str | Metric | External | type[Metric] | Callable[..., Any]
"""A name as on the command line, a metric, or a function with one of the signatures of `axiomcheck.metric`."""

AxiomLike: TypeAlias = str | Axiom

_Found = TypeVar("_Found")


def nothing(event: object) -> None:
    """Ignore an event. This is the default for ``listen`` arguments."""


def metric_of(given: MetricLike) -> Metric | External:
    """Convert an argument to a metric; a name outside the catalogue is not loaded, and becomes an `External`.

    A function's label is its name, preceded by its module's name if the catalogue has a metric of the same name.

    Raises:
        InvalidInput: There is no such metric, or the argument cannot be a metric.

    """
    if isinstance(given, str):
        try:
            return External(given) if is_foreign(given) else resolve(given)
        except UnknownName:
            if given not in axiom_names():
                raise
            how = f"axioms are named with -a, as in: axiomcheck matrix RBU -a {given}"
            raise InvalidInput(f"{given} is an axiom, but a metric is expected; {how}") from None
    if isinstance(given, Metric | External):
        return as_it_is_now(given) if isinstance(given, Metric) else given
    if isinstance(given, type) and issubclass(given, Metric):
        try:
            return given()
        except TypeError as error:
            raise InvalidInput(f"{given.__name__} cannot be created without arguments: {error}") from None
    label = name_of(given) if callable(given) else shown(given)
    if means_catalogue(label):
        label = f"{getattr(given, '__module__', None) or 'own'}.{label}"
    return declared_object(as_metric(given, label), given)


def loaded_metric_of(given: MetricLike) -> Metric:
    """Convert an argument to a metric object, loading an external metric in this process.

    Raises:
        InvalidInput: There is no such metric, the argument cannot be a metric, or the metric cannot be loaded.

    """
    metric = metric_of(given)
    return resolve(metric.canonical) if isinstance(metric, External) else metric


def reference_of(given: MetricLike | None) -> str | Metric | None:
    """Convert the ``reference`` argument to a name if possible, so that the process that scores the metric can load it.

    Raises:
        InvalidInput: `metric_of` rejects the argument.

    """
    if given is None:
        return None
    metric = metric_of(given)
    if isinstance(given, str):
        return given
    return metric.canonical if isinstance(metric, External) else metric


def metrics_of(given: MetricLike | Iterable[MetricLike]) -> list[Metric | External]:
    """Convert one argument or several to a list of metrics without duplicates.

    Raises:
        InvalidInput: `metric_of` rejects an argument, or two metrics have the same name. In the latter case, the
            message says how to rename one.

    """
    apart = {one if isinstance(one, str) else id(one): one for one in _listed(given, "metrics")}
    found = list(dict.fromkeys(map(metric_of, apart.values())))
    names = [metric.canonical for metric in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(
                f"two metrics are called {name}; rename one of them (to rename a function, use "
                'axiomcheck.metric(name="...")(function))'
            )
    return found


def axioms_of(
    given: AxiomLike | Iterable[AxiomLike] | None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> list[Axiom]:
    """Convert one argument or several to a list of axioms without duplicates.

    Args:
        given: One axiom or several, by name or as objects; None for all ten.
        limits: Limits on loading and trying each of the user's axioms.

    Raises:
        InvalidInput: An axiom does not exist, or two axioms have the same name.

    """
    if given is None:
        return list(AXIOMS.values())
    axioms = list(dict.fromkeys(_axiom_of(one, limits) for one in _listed(given, "axioms")))
    names = [axiom.name for axiom in axioms]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidInput(f"two axioms are called {twice}; rename one of them")
    return axioms


def _axiom_of(given: AxiomLike, limits: Limits) -> Axiom:
    """Convert an argument to an axiom.

    Raises:
        InvalidInput: There is no such axiom. If there is such a metric, the message says so.

    """
    try:
        return axiom_of(given, limits)
    except UnknownName:
        if isinstance(given, str) and "," in given:
            words = " ".join(f"-a {name.strip()}" for name in given.split(","))
            raise InvalidInput(f"{given} is not an axiom; for several, type: {words}") from None
        if not (isinstance(given, str) and means_catalogue(given)):
            raise
        how = f"metrics are named without -a, as in: axiomcheck matrix {shlex.quote(given)} -a Red"
        raise InvalidInput(f"{given} is a metric, but an axiom is expected; {how}") from None


def _listed(given: Any, what: str) -> list[Any]:
    """Convert an argument to a list. A string, or an object that is not iterable, becomes a one-element list."""
    found = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    if not found:
        raise InvalidInput(f"{what} is an empty list; pass one or more names, or omit the argument to use the default")
    return found


def cell_named(
    metric: MetricLike,
    axiom: AxiomLike,
    read: Callable[[MetricLike], _Found],
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> tuple[_Found, Axiom]:
    """Convert the two arguments that name a cell to its metric and axiom.

    Args:
        metric: Metric argument.
        axiom: Axiom argument.
        read: Function that converts the first argument to a metric, such as `metric_of`.
        limits: Limits on loading and trying one of the user's axioms.

    Raises:
        InvalidInput: There is no such metric or axiom, or the two arguments were swapped.

    """
    try:
        return read(metric), _axiom_of(axiom, limits)
    except InvalidInput:
        name = metric.name if isinstance(metric, Axiom) else metric if isinstance(metric, str) else ""
        known = axiom_names()
        if name in known and not isinstance(axiom, Axiom) and not (isinstance(axiom, str) and axiom in known):
            order = f"expected METRIC AXIOM, as in {_name_of_argument(axiom)} {name}"
            raise InvalidInput(f"{name} is an axiom, but a metric is expected first; {order}") from None
        raise


def _name_of_argument(given: object) -> str:
    """Return the name of a metric argument for a message, or the placeholder METRIC if it has none."""
    if isinstance(given, str | Metric):
        return str(given)
    return str(getattr(given, "__name__", "METRIC"))


def processes(jobs: int | None, metrics: Iterable[Metric | External | str | None]) -> int:
    """Return the number of processes in which to decide cells: 1 if a metric is an object with the user's own code.

    Worker processes would load that code from its file again, which may have been edited since.

    Args:
        jobs: Requested number of processes. None means one per usable CPU.
        metrics: Metrics of the cells.

    """
    objects = [metric for metric in metrics if isinstance(metric, Metric)]
    return jobs or usable_cpus() if all(is_genuine(metric) for metric in objects) else 1
