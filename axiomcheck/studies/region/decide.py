"""Regions: exact ends for the axioms on long blocks, a grid of settings with carried findings for the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from axiomcheck.axioms import Axiom, ThresholdAxiom, about_blocks
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.ledger import LedgerFile
from axiomcheck.metrics import Metric
from axiomcheck.metrics.spelling import bare
from axiomcheck.studies.region.axes import CUTOFF, GRADE, MOST_CUTOFFS, Axis, grid_axes
from axiomcheck.studies.region.blocks import Blocks
from axiomcheck.studies.region.grid import study_grid
from axiomcheck.studies.region.judge import ThresholdJudge, bisected_plane
from axiomcheck.studies.region.line import threshold_pieces
from axiomcheck.studies.region.result import Region, RegionCell, RegionFinding, RegionPart
from axiomcheck.studies.region.symbols import BoxSymbols, check_in_terms
from axiomcheck.studies.region.verify import contradictions

Listener = Callable[[float, str], None]
"""Is called with the share of the work that is done, and the axiom that was finished last."""

_RUNS = "one of the catalogue, or a fold declared in a class (axiomcheck.metrics.DeclaredFold)"


@dataclass(frozen=True)
class Regions:
    """Regions of one metric.

    Args:
        regions: one per axiom, in the order asked.
        interrupted: whether Ctrl-C ended the work, so that settings of grids are undecided.
        remembered: how many parts of grids were loaded from the ledger.

    """

    regions: tuple[Region, ...]
    interrupted: bool = False
    remembered: int = 0


def is_exact(axiom: Axiom, axes: Sequence[Axis]) -> bool:
    """Tell whether a region has exact ends: of an axiom on long blocks, over one or two ranges without a count."""
    return not axiom.drawn and len(axes) <= 2 and all(axis.count is None for axis in axes)


def regions_of(
    metric: Metric,
    asked: Mapping[Axiom, Sequence[Axis]],
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(),  # noqa: B008 - immutable
    depth: int | None = None,
    jobs: int = 1,
    listen: Listener = lambda share, doing: None,
    ledger: LedgerFile | None = None,
) -> Regions:
    """Find where axioms hold, exactly or on a grid (see `is_exact`).

    Args:
        metric: its values of what is varied do not matter.
        asked: axiom -> what is varied, as `axiomcheck.studies.region.read_axis` makes it.
        reading: regime and domain.
        settings: seed and budgets of the searches on a grid.
        depth: how often each side is halved at most where ends are not exact; None is 8 for one range, 7 for two.
        jobs: worker processes for grids.
        listen: called with progress.
        ledger: of parts of grids; the caller closes it.

    Raises:
        InvalidInput: a range is given twice, or the metric cannot be varied so.
        InternalDisagreement: a region contradicts exact arithmetic at a point: a defect of axiomcheck.

    """
    for axes in asked.values():
        if not axes or len({axis.name for axis in axes}) < len(axes):
            names = ", ".join(axis.name for axis in axes) or "none"
            raise InvalidInput(f"expected different parameters, one or more, got {names}")
    exact = [axiom for axiom, axes in asked.items() if is_exact(axiom, axes)]
    gridded = [axiom for axiom in asked if axiom not in exact]
    found: dict[Axiom, Region] = {}
    for number, axiom in enumerate(exact):

        def heard(share: Fraction, number: int = number, axiom: Axiom = axiom) -> None:
            listen((number + float(share)) / len(asked), axiom.name)

        found[axiom] = _exact_region(axiom, metric, asked[axiom], reading, depth, heard)
    interrupted, remembered = False, 0
    if gridded:
        axes = grid_axes(asked[gridded[0]])
        if any(axis.name == GRADE for axis in axes):
            raise InvalidInput(f"{GRADE} is varied where ends are exact; expected one or two ranges without a count")
        study = study_grid(
            *(metric, axes, gridded, reading, settings, jobs),
            lambda share, doing: listen((len(exact) + share * len(gridded)) / len(asked), doing),
            ledger,
        )
        interrupted, remembered = study.interrupted, study.remembered
        for axiom, (part, grid) in zip(gridded, study.parts, strict=True):
            subject = _subject(metric, axes)
            found[axiom] = Region(axiom.name, metric.canonical, reading, subject, axes, (part,), grid)
    return Regions(tuple(found[axiom] for axiom in asked), interrupted, remembered)


def _exact_region(
    axiom: Axiom,
    metric: Metric,
    axes: Sequence[Axis],
    reading: Reading,
    depth: int | None,
    listen: Callable[[Fraction], None],
) -> Region:
    assert about_blocks(axiom)
    small = assumes_small(axiom, reading)
    if metric.numerical(small):
        raise InvalidInput(f"{metric}: exact regions need a metric that runs on symbols: {_RUNS}; {_COUNTED}")
    if metric.partial:
        raise InvalidInput(f"{metric} compares distributions and has no score; exact regions need one")
    real = tuple(axis for axis in axes if not axis.whole)
    _check_own(metric, real)
    depth = (8 if len(real) == 1 else 7) if depth is None else depth
    whole = next((axis for axis in axes if axis.whole), None)
    cutoffs = () if whole is None else range(int(whole.low), int(whole.high) + 1)
    placed = [metric.remade(k, metric.values) for k in cutoffs] or [metric]
    parts = []
    for number, at in enumerate(placed):

        def heard(share: Fraction, number: int = number) -> None:
            listen((number + share) / len(placed))

        parts.append(_threshold(axiom, at, real, small, depth, None if whole is None else at.cutoff, heard))
        heard(Fraction(1))
    region = Region(axiom.name, metric.canonical, reading, _subject(metric, axes), tuple(axes), tuple(parts))
    wrong = contradictions(region, metric, axiom)
    if wrong:
        raise InternalDisagreement(f"{axiom} of {metric}: {wrong[0]}")
    return region


_COUNTED = "a range with a count, such as p=0.5:0.9:20, is decided setting by setting"


def _check_own(metric: Metric, real: Sequence[Axis]) -> None:
    """Check that a metric of the user's own is its fold, with the parameters that are varied as symbols, too.

    Raises:
        InvalidInput: it is not.

    """
    box = {axis.name: (axis.low, axis.high) for axis in real if axis.name in metric.values}
    try:
        check_in_terms(metric, BoxSymbols(box))
    except InvalidInput as error:
        raise InvalidInput(f"{metric}: exact regions need {_RUNS}; {error}; {_COUNTED}") from None


def _subject(metric: Metric, axes: Sequence[Axis]) -> str:
    """Return the metric's canonical name without what is varied."""
    varied = {axis.name for axis in axes}
    shown = [
        f"{p.name}={p.text(metric.values[p.name])}"
        for p in metric.declared
        if p.name not in varied and (p.decisive or metric.values[p.name] != p.parse(p.default))
    ]
    cutoff = "" if CUTOFF in varied or metric.cutoff is None else f"@{metric.cutoff}"
    name = metric.name if metric.label is None else bare(metric.label)
    return name + (f"({', '.join(shown)})" if shown else "") + cutoff


def _threshold(
    axiom: ThresholdAxiom,
    metric: Metric,
    real: tuple[Axis, ...],
    small: bool,
    depth: int,
    cutoff: int | None,
    listen: Callable[[Fraction], None],
) -> RegionPart:
    if metric.cutoff is not None and metric.cutoff > MOST_CUTOFFS:
        raise InvalidInput(f"{metric}: expected a cutoff of at most {MOST_CUTOFFS}")
    box = {axis.name: (axis.low, axis.high) for axis in real}
    if not small and GRADE not in box:
        box[GRADE] = (Fraction(0), Fraction(1))
    open_ends = {(axis.name, axis.low) for axis in real if axis.low_open}
    open_ends |= {(axis.name, axis.high) for axis in real if axis.high_open}
    judge = ThresholdJudge(Blocks(metric, box, small, frozenset(open_ends)), axiom, real)
    if not real:
        nothing = RegionFinding(Verdict.UNDECIDED, "no argument for large n")
        return RegionPart(cutoff, (), (RegionCell((), judge.finding({}) or nothing),))
    if len(real) == 1:
        return RegionPart(cutoff, threshold_pieces(judge, real[0], depth))
    return RegionPart(cutoff, (), bisected_plane(judge.finding, (real[0], real[1]), depth, listen))
