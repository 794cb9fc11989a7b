"""Decide regions: exact boundaries for threshold axioms, and a grid of settings for other axioms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from axiomcheck.axioms import Axiom, ThresholdAxiom, about_blocks
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.decide.budgets import Settings
from axiomcheck.engine.memory import Memory
from axiomcheck.engine.places import Machine
from axiomcheck.metrics import Metric
from axiomcheck.metrics.spelling import bare
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.studies.region.axes import GRADE, MOST_CUTOFFS, Axis, grid_axes
from axiomcheck.studies.region.grid import study_grid
from axiomcheck.studies.region.line import threshold_cells, threshold_pieces
from axiomcheck.studies.region.result import Region, RegionPart
from axiomcheck.studies.region.thresholds import Thresholds
from axiomcheck.studies.region.verify import contradictions

Listener = Callable[[float, str], None]
"""Callback that receives the finished share of the work and the name of the axiom in progress."""


@dataclass(frozen=True)
class Regions:
    """Regions of one metric.

    Args:
        regions: One region per axiom, in the requested order.
        interrupted: Whether the user interrupted the work, so that some settings of grids are undecided.

    """

    regions: tuple[Region, ...]
    interrupted: bool = False


def regions_of(
    metric: Metric,
    asked: Mapping[Axiom, Sequence[Axis]],
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(),  # noqa: B008 - immutable
    depth: int | None = None,
    machine: Machine = Machine(),  # noqa: B008 - immutable
    memory: Memory = Memory(),  # noqa: B008 - immutable
    listen: Listener = lambda share, doing: None,
) -> Regions:
    """Find the parameter values for which axioms hold.

    For a threshold axiom over one or two ranges, the result is exact. Otherwise it is a grid of settings. A grid is
    also used for axes with a count, for the cutoff alone, and for metrics that are not folds over ranks.

    Args:
        metric: Metric. Its own values of the varied parameters do not matter.
        asked: Axes by axiom, as `axiomcheck.studies.region.axes.read_axis` creates them.
        reading: Regime and domain.
        settings: Seed and budgets of the searches on a grid.
        depth: Maximum number of bisections of each side if ends are not exact; None means 8 for one range and 7 for
            two.
        machine: Processes that decide settings of grids.
        memory: Cache of decided settings of grids.
        listen: Callback for progress.

    Raises:
        InvalidInput: An axis is given twice, or the metric cannot be varied in this way.
        InternalDisagreement: A region contradicts exact arithmetic at a point, which is a bug in axiomcheck.

    """
    for axes in asked.values():
        if not axes or len({axis.name for axis in axes}) < len(axes):
            names = ", ".join(axis.name for axis in axes) or "none"
            raise InvalidInput(f"expected one or more different parameters, got {names}")
    found: dict[Axiom, Region] = {}
    gridded: dict[Axiom, tuple[str, ...]] = {}
    for number, (axiom, axes) in enumerate(asked.items()):
        real = [axis for axis in axes if not axis.whole]
        if not about_blocks(axiom) or not real or len(axes) > 2 or any(axis.count for axis in axes):
            gridded[axiom] = ()
            continue

        def heard(share: Fraction, number: int = number, axiom: Axiom = axiom) -> None:
            listen((number + float(share)) / len(asked), axiom.name)

        try:
            inside = _inside(metric, axes)
            placed = _at_cutoffs(metric, axiom, inside, reading)
        except InvalidInput as error:
            why = f"no exact ends: {error}"
            if any(axis.name == GRADE for axis in axes):
                raise InvalidInput(f"{metric}: {why}") from None
            gridded[axiom] = (f"decided at individual settings; {why}",)
        else:
            found[axiom] = _exact_region(axiom, metric, placed, inside, reading, depth, heard)
    interrupted = False
    if gridded:
        axes = grid_axes(asked[next(iter(gridded))])
        if any(axis.name == GRADE for axis in axes):
            raise InvalidInput(f"{GRADE} needs exact ends; expected one or two ranges without a count")
        study = study_grid(
            *(metric, axes, list(gridded), reading, settings, machine, memory),
            lambda share, doing: listen((len(found) + share * len(gridded)) / len(asked), doing),
        )
        interrupted = study.interrupted
        for (axiom, notes), (part, grid) in zip(gridded.items(), study.parts, strict=True):
            subject = _subject(metric, axes)
            found[axiom] = Region(axiom.name, metric.canonical, reading, subject, axes, (part,), grid, notes)
    return Regions(tuple(found[axiom] for axiom in asked), interrupted)


def _inside(metric: Metric, axes: Sequence[Axis]) -> list[Axis]:
    """Return the axes without the ends 0 and 1, at which a different fold may be derived from a function's source.

    Raises:
        InvalidInput: The range of a function's parameter goes beyond 0 or 1.

    """
    if not isinstance(metric, FunctionMetric | CallableMetric):
        return list(axes)
    if any(axis.cutoff or axis.low < 0 or axis.high > 1 for axis in axes):
        raise InvalidInput(f"the source of {metric} could only be derived for parameters between 0 and 1")
    return [
        axis if axis.name == GRADE else replace(axis, low_open=axis.low == 0, high_open=axis.high == 1) for axis in axes
    ]


def _at_cutoffs(
    metric: Metric, axiom: ThresholdAxiom, axes: Sequence[Axis], reading: Reading
) -> list[tuple[int | None, Thresholds]]:
    """Return tuples (cutoff, block pairs) for every cutoff. The cutoff is None if k is not varied.

    Raises:
        InvalidInput: The metric's code does not run on symbols, or a cutoff is too large.

    """
    whole = next((axis for axis in axes if axis.cutoff), None)
    cutoffs = [metric.cutoff] if whole is None else range(int(whole.low), int(whole.high) + 1)
    if any(k is not None and k > MOST_CUTOFFS for k in cutoffs):
        raise InvalidInput(f"expected a cutoff of at most {MOST_CUTOFFS}")
    real, small = [axis for axis in axes if not axis.cutoff], assumes_small(axiom, reading)
    placed = [metric.remade(k, metric.values) for k in cutoffs]
    if isinstance(metric, FunctionMetric | CallableMetric):
        from axiomcheck.derivation.agreement import agreeing_fold  # lazy: metrics of the catalogue do not need it

        middle = {axis.name: (axis.low + axis.high) / 2 for axis in real if axis.name != GRADE}
        derivation = agreeing_fold(metric.beside(middle), list(middle))
        if derivation.metric is None:
            why = agreeing_fold(metric.beside(middle)).why_not or derivation.why_not  # the reason that check gives
            raise InvalidInput(f"no sum over ranks was derived from its source: {why}")
        if derivation.metric.base is not None and len(middle) < len(real):
            raise InvalidInput(f"its fold uses {derivation.metric.base}^g for a grade g; omit {GRADE}")
        placed = [derivation.metric]
    return [(None if whole is None else at.cutoff, Thresholds(at, axiom, real, small)) for at in placed]


def _exact_region(
    axiom: ThresholdAxiom,
    metric: Metric,
    placed: Sequence[tuple[int | None, Thresholds]],
    axes: Sequence[Axis],
    reading: Reading,
    depth: int | None,
    listen: Callable[[Fraction], None],
) -> Region:
    parts = []
    for number, (cutoff, thresholds) in enumerate(placed):

        def heard(share: Fraction, number: int = number) -> None:
            listen((number + share) / len(placed))

        real = thresholds.axes
        if len(real) == 1:
            parts.append(RegionPart(cutoff, threshold_pieces(thresholds, real[0], 8 if depth is None else depth)))
        else:
            cells = threshold_cells(thresholds, real, 7 if depth is None else depth, heard)
            parts.append(RegionPart(cutoff, (), cells))
        heard(Fraction(1))
    region = Region(axiom.name, metric.canonical, reading, _subject(metric, axes), tuple(axes), tuple(parts))
    wrong = contradictions(region, metric, axiom)
    if wrong:
        raise InternalDisagreement(f"{axiom} of {metric}: {wrong[0]}")
    return region


def _subject(metric: Metric, axes: Sequence[Axis]) -> str:
    """Return the metric's canonical name without the varied parameters."""
    varied = {axis.name for axis in axes}
    shown = [
        f"{p.name}={p.text(metric.values[p.name])}"
        for p in metric.declared
        if p.name not in varied and (p.decisive or metric.values[p.name] != p.parse(p.default))
    ]
    cutoff = "" if any(axis.cutoff for axis in axes) or metric.cutoff is None else f"@{metric.cutoff}"
    name = metric.name if metric.label is None else bare(metric.label)
    return name + (f"({', '.join(shown)})" if shown else "") + cutoff
