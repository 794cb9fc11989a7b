"""What the verbs are given: metrics, axioms and options, each in any form that people have it in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

import numpy as np
from msgspec import Meta

from axiomcheck.axioms import AXIOMS, Axiom, axiom_names
from axiomcheck.core.documents import Record, read
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.decide.budgets import AWAITED
from axiomcheck.decide.search import Settings
from axiomcheck.engine.deadline import Deadline
from axiomcheck.engine.tasks import Foreign
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.sources.function_metrics import as_it_is_now
from axiomcheck.sources.names import is_foreign
from axiomcheck.sources.provenance import is_genuine, means_catalogue
from axiomcheck.sources.resolve import axiom_of, resolve, taken_as_metric

MetricLike: TypeAlias = str | Metric | Foreign | type[Metric] | Callable[..., Any]
"""A name as the commands take it, a metric, or a function with one of the signatures of `axiomcheck.metric`."""

AxiomLike: TypeAlias = str | Axiom

_Found = TypeVar("_Found")

LONGEST_BUDGET = 365 * 86400.0
"""Seconds."""


def nothing(event: object) -> None:
    """Listens and says nothing."""


class VerbOptions(Record):
    """The options that verbs have in common, within the ranges that the commands have for them."""

    regime: Regime = Reading.regime
    domain: Domain = Reading.domain
    examples: Annotated[int, Meta(ge=0, le=10**12)] = AWAITED
    seed: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] = 0
    exhaustive: bool = Settings.exhaustive
    proofs: bool = Settings.proofs
    jobs: Annotated[int, Meta(ge=1)] | None = None
    budget: Annotated[float, Meta(gt=0, le=LONGEST_BUDGET)] | None = None
    until: Annotated[float, Meta(gt=0, le=LONGEST_BUDGET)] | None = None
    timeout: Annotated[float, Meta(gt=0)] = Limits.seconds
    memory: Annotated[int, Meta(ge=64)] = Limits.megabytes
    scheduler: Annotated[str, Meta(min_length=1)] | None = None

    @property
    def reading(self) -> Reading:
        """Regime and domain."""
        return Reading(self.regime, self.domain)

    @property
    def settings(self) -> Settings:
        """Seed and budgets of the search."""
        return Settings(seed=self.seed, examples=self.examples, exhaustive=self.exhaustive, proofs=self.proofs)

    @property
    def limits(self) -> Limits:
        """On what runs in processes of its own."""
        return Limits(self.timeout, self.memory)

    @property
    def workers(self) -> int:
        """Processes at once."""
        return self.jobs or usable_cpus()

    def deadline(self) -> Deadline | None:
        """The limit on the time of all of it, which begins to run."""
        return None if self.budget is None else Deadline.starting_now(self.budget)

    def end(self) -> Deadline | None:
        """The end of a campaign, whose time begins to run."""
        return None if self.until is None else Deadline.starting_now(self.until)


def options_of(verb: str, listen: Any, **given: Any) -> VerbOptions:
    """What was asked for, checked.

    Args:
        verb: that was asked, for messages.
        listen: what is to be called with events.
        **given: fields of `VerbOptions`.

    Raises:
        InvalidInput: out of range or of another type.

    """
    if not callable(listen):
        raise InvalidInput(f"{verb}: listen is {shown(listen)}; expected a function of one event")
    return read(VerbOptions, {name: _plain(value) for name, value in given.items()}, verb)


def _plain(value: Any) -> Any:
    """A number or text as Python has it, where numpy or an enumeration has it otherwise."""
    if isinstance(value, np.generic):
        return value.item()
    return str(value) if isinstance(value, str) else value


def path_of(given: Any, verb: str) -> Path:
    """A file's name as a path.

    Raises:
        InvalidInput: it is none.

    """
    try:
        return Path(given)
    except TypeError:
        raise InvalidInput(f"{verb}: expected a file's name, got {shown(given)}") from None


def metric_or_foreign(name: str) -> Metric | Foreign:
    """A metric by name: of the catalogue as an object, from outside by name only, to be loaded in workers.

    Raises:
        InvalidInput: no such metric.

    """
    return Foreign(name) if is_foreign(name) else resolve(name)


def metric_of(given: MetricLike) -> Metric | Foreign:
    """The metric that is meant.

    A function is called by its name; by that of its module, too, where the name alone is one of the catalogue.

    Raises:
        InvalidInput: no such metric, or nothing that could be one.

    """
    if isinstance(given, str):
        return metric_or_foreign(given)
    if isinstance(given, Metric | Foreign):
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
    """As `metric_of`, for work that needs the object: what was named is loaded here.

    Raises:
        InvalidInput: as `metric_of`, or it cannot be loaded.

    """
    metric = metric_of(given)
    return resolve(metric.canonical) if isinstance(metric, Foreign) else metric


def reference_of(given: MetricLike | None) -> str | Metric | None:
    """The metric that another is to agree with: by name where it has one, so that it is loaded where the other is.

    Raises:
        InvalidInput: as `metric_of`.

    """
    if given is None or isinstance(given, str):
        return given
    metric = metric_of(given)
    return metric.canonical if isinstance(metric, Foreign) else metric


def metrics_of(given: MetricLike | Iterable[MetricLike]) -> list[Metric | Foreign]:
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
    """What was given, as a list; a text is one name."""
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


def _called(given: Any) -> str:
    """What was given where a metric was meant, as people call it."""
    if isinstance(given, str | Metric):
        return str(given)
    return str(getattr(given, "__name__", "METRIC"))


def processes(asked: VerbOptions, metrics: Iterable[Metric | Foreign | str | None]) -> int:
    """How many processes may decide cells: one where there are objects of somebody else's.

    A process that loads their module has what the file says, which need not be what this one has by now.
    """
    objects = [metric for metric in metrics if isinstance(metric, Metric)]
    return asked.workers if all(is_genuine(metric) for metric in objects) else 1
