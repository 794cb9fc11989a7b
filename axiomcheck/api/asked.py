"""Read what verbs are given: metrics, axioms and file names, each in any form that people have it in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from axiomcheck.axioms import AXIOMS, Axiom, axiom_names
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.engine.tasks import External
from axiomcheck.metrics import Metric
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.sources.function_metrics import as_it_is_now
from axiomcheck.sources.names import is_foreign
from axiomcheck.sources.provenance import is_genuine, means_catalogue
from axiomcheck.sources.resolve import axiom_of, resolve, taken_as_metric

MetricLike: TypeAlias = str | Metric | External | type[Metric] | Callable[..., Any]
"""A name as the commands take it, a metric, or a function with one of the signatures of `axiomcheck.metric`."""

AxiomLike: TypeAlias = str | Axiom

_Found = TypeVar("_Found")


def nothing(event: object) -> None:
    """Listen and say nothing."""


def path_of(given: str | Path, verb: str) -> Path:
    """A file's name as a path.

    Raises:
        InvalidInput: it is none.

    """
    try:
        return Path(given)
    except TypeError:
        raise InvalidInput(f"{verb}: expected a file's name, got {shown(given)}") from None


def metric_or_foreign(name: str) -> Metric | External:
    """A metric by name: of the catalogue as an object, from outside by name only, to be loaded in workers.

    Raises:
        InvalidInput: no such metric.

    """
    return External(name) if is_foreign(name) else resolve(name)


def metric_of(given: MetricLike) -> Metric | External:
    """The metric that is meant.

    A function is called by its name; by that of its module, too, where the name alone is one of the catalogue.

    Raises:
        InvalidInput: no such metric, or nothing that could be one.

    """
    if isinstance(given, str):
        return metric_or_foreign(given)
    if isinstance(given, Metric | External):
        return as_it_is_now(given) if isinstance(given, Metric) else given
    if isinstance(given, type) and issubclass(given, Metric):
        try:
            return given()
        except TypeError as error:
            raise InvalidInput(f"{given.__name__} cannot be made without arguments: {error}") from None
    label = str(getattr(given, "__name__", type(given).__name__)) if callable(given) else shown(given)
    if means_catalogue(label):
        label = f"{getattr(given, '__module__', None) or 'own'}.{label}"
    return taken_as_metric(given, label)


def loaded_metric_of(given: MetricLike) -> Metric:
    """Return the metric that is meant as an object, for work that needs one: what was named is loaded here.

    Raises:
        InvalidInput: as `metric_of`, or it cannot be loaded.

    """
    metric = metric_of(given)
    return resolve(metric.canonical) if isinstance(metric, External) else metric


def reference_of(given: MetricLike | None) -> str | Metric | None:
    """The metric that another is to agree with: by name where it has one, so that it is loaded where the other is.

    Raises:
        InvalidInput: as `metric_of`.

    """
    if given is None or isinstance(given, str):
        return given
    metric = metric_of(given)
    return metric.canonical if isinstance(metric, External) else metric


def metrics_of(given: MetricLike | Iterable[MetricLike]) -> list[Metric | External]:
    """The metrics of a list, or of one by itself, each once.

    Raises:
        InvalidInput: as `metric_of`; two functions have one name, which the message says how to change.

    """
    apart = {one if isinstance(one, str) else id(one): one for one in _listed(given, "metrics")}
    found = list(dict.fromkeys(map(metric_of, apart.values())))
    names = [metric.canonical for metric in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(
                f"two metrics are called {name}; give one of them another name, a function by "
                'axiomcheck.metric(name="...")(function)'
            )
    return found


def axioms_of(given: AxiomLike | Iterable[AxiomLike] | None) -> list[Axiom]:
    """The axioms of a list, or of one by itself, each once; None stands for the ten.

    Raises:
        InvalidInput: one of them does not exist, or two of them have one name.

    """
    if given is None:
        return list(AXIOMS.values())
    axioms = list(dict.fromkeys(map(axiom_of, _listed(given, "axioms"))))
    names = [axiom.name for axiom in axioms]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidInput(f"two axioms are called {twice}; give one of them another name")
    return axioms


def _listed(given: Any, what: str) -> list[Any]:
    """Return a list of what was given; a text is one name."""
    found = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    if not found:
        raise InvalidInput(f"{what}: an empty list; expected one or more, or nothing for what is usual")
    return found


def cell_named(metric: MetricLike, axiom: AxiomLike, read: Callable[[MetricLike], _Found]) -> tuple[_Found, Axiom]:
    """The metric and the axiom of one cell.

    Args:
        metric: as given.
        axiom: as given.
        read: finds the metric.

    Raises:
        InvalidInput: no such metric or axiom, or they were given the other way round, which the message says.

    """
    try:
        return read(metric), axiom_of(axiom)
    except InvalidInput:
        name = metric.name if isinstance(metric, Axiom) else metric if isinstance(metric, str) else ""
        known = axiom_names()
        if name in known and not isinstance(axiom, Axiom) and not (isinstance(axiom, str) and axiom in known):
            order = f"expected METRIC AXIOM, as in {_called(axiom)} {name}"
            raise InvalidInput(f"{name} is an axiom and stands where the metric is expected; {order}") from None
        raise


def _called(given: object) -> str:
    """Return what people call that which was given for a metric."""
    if isinstance(given, str | Metric):
        return str(given)
    return str(getattr(given, "__name__", "METRIC"))


def processes(jobs: int | None, metrics: Iterable[Metric | External | str | None]) -> int:
    """Return how many processes may decide cells: one where there are objects of somebody else's.

    A process that loads their module has what the file says, which need not be what this one has by now.

    Args:
        jobs: how many were asked for; None is one per usable CPU.
        metrics: that the cells are of.

    """
    objects = [metric for metric in metrics if isinstance(metric, Metric)]
    return jobs or usable_cpus() if all(is_genuine(metric) for metric in objects) else 1
