"""For which parameters an axiom holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from axiomcheck.axioms import Axiom, ThresholdAxiom, about_blocks, about_pairs
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.metrics import Metric
from axiomcheck.metrics.spelling import bare
from axiomcheck.studies.own_folds import check_in_terms
from axiomcheck.studies.region.axes import CUTOFF, GRADE, MOST_CUTOFFS, Axis
from axiomcheck.studies.region.blocks import Blocks
from axiomcheck.studies.region.judge import ThresholdJudge
from axiomcheck.studies.region.line import between_ends, bisected, ends_apart, threshold_pieces
from axiomcheck.studies.region.pairs import NoInstance, PairJudge
from axiomcheck.studies.region.plane import bisected_plane
from axiomcheck.studies.region.result import Region, RegionCell, RegionFinding, RegionPart
from axiomcheck.studies.region.symbols import BoxSymbols, ParameterArithmetic
from axiomcheck.studies.region.verify import contradictions

Listener = Callable[[Fraction], None]


def default_depth(axiom: Axiom, real: int) -> int:
    """How often a side is halved at most: a search is made for every cell of a pairwise axiom."""
    if about_blocks(axiom):
        return 8 if real == 1 else 7
    return 3 if real == 1 else 2


def region_of(
    axiom: Axiom,
    metric: Metric,
    axes: Sequence[Axis],
    reading: Reading = Reading(),  # noqa: B008 - immutable
    depth: int | None = None,
    seed: int = 0,
    listen: Listener = lambda share: None,
) -> Region:
    """For which parameters an axiom holds.

    Args:
        axiom: one of the paper.
        metric: of the catalogue, or a fold of the user's own; its values of what is varied do not matter.
        axes: one or two, as `axiomcheck.studies.region.read_axis` makes them.
        reading: regime and domain.
        depth: how often each side is halved at most; None for `default_depth`.
        seed: of the searches for counterexamples to pairwise axioms.
        listen: called with the share of the work that is done.

    Raises:
        InvalidInput: the metric cannot be run on symbols, or the axes are not one or two different ones.
        InternalDisagreement: the region contradicts exact arithmetic at a point: a defect of axiomcheck.

    """
    if not 1 <= len(axes) <= 2 or len({axis.name for axis in axes}) < len(axes):
        raise InvalidInput(f"expected one or two different parameters, got {', '.join(a.name for a in axes) or 'none'}")
    if metric.numerical(assumes_small(axiom, reading)):
        raise InvalidInput(f"{metric}: regions need a metric that runs on symbols: {_RUNS}")
    if metric.partial:
        raise InvalidInput(f"{metric} compares distributions and has no score; regions need one")
    if about_pairs(axiom) and axiom.group == "diversity" and not metric.applies_to_aspects():
        raise InvalidInput(f"{axiom} is about several aspects, and {metric} knows one; lift it with aggregate=max")
    real = tuple(axis for axis in axes if not axis.whole)
    _check_own(metric, real)
    depth = default_depth(axiom, len(real)) if depth is None else depth
    whole = next((axis for axis in axes if axis.whole), None)
    placed = [metric] if whole is None else list(_at_cutoffs(metric, whole))
    parts = []
    pair: PairJudge | None = None
    for number, at in enumerate(placed):

        def heard(share: Fraction, number: int = number) -> None:
            listen((number + share) / len(placed))

        cutoff = None if whole is None else at.cutoff
        if about_blocks(axiom):
            parts.append(_threshold(axiom, at, real, reading, depth, cutoff, heard))
        else:
            assert about_pairs(axiom)
            pair = PairJudge(axiom, at, reading, seed, [] if pair is None else pair.witnesses)
            parts.append(_pair(pair, real, depth, cutoff, heard))
        heard(Fraction(1))
    witnesses = () if pair is None else tuple(document_of(w.record()) for w in pair.witnesses)
    region = Region(
        axiom=axiom.name,
        metric=metric.canonical,
        subject=_subject(metric, axes),
        regime=reading.regime.value,
        axes=tuple(axes),
        parts=tuple(parts),
        witnesses=witnesses,
        notes=_notes(axiom, parts),
    )
    if about_blocks(axiom):
        wrong = contradictions(region, metric, axiom)
        if wrong:
            raise InternalDisagreement(f"{axiom} of {metric}: {wrong[0]}")
    return region


_RUNS = "one of the catalogue, or a fold declared in a class (axiomcheck.metrics.DeclaredFold)"


def _check_own(metric: Metric, real: Sequence[Axis]) -> None:
    """Checks that a metric of the user's own is its fold, with the parameters that are varied as symbols, too.

    Raises:
        InvalidInput: it is not.

    """
    box = {axis.name: (axis.low, axis.high) for axis in real if axis.name in metric.values}
    symbols = BoxSymbols(box)
    try:
        check_in_terms(metric, list(box), symbols, ParameterArithmetic(symbols))
    except InvalidInput as error:
        raise InvalidInput(f"{metric}: regions need {_RUNS}; {error}") from None


def _subject(metric: Metric, axes: Sequence[Axis]) -> str:
    """The metric's canonical name without what is varied."""
    varied = {axis.name for axis in axes}
    shown = [
        f"{p.name}={p.text(metric.values[p.name])}"
        for p in metric.declared
        if p.name not in varied and (p.decisive or metric.values[p.name] != p.parse(p.default))
    ]
    cutoff = "" if CUTOFF in varied or metric.cutoff is None else f"@{metric.cutoff}"
    name = metric.name if metric.label is None else bare(metric.label)
    return name + (f"({', '.join(shown)})" if shown else "") + cutoff


def _at_cutoffs(metric: Metric, axis: Axis) -> Iterator[Metric]:
    for k in range(int(axis.low), int(axis.high) + 1):
        yield metric.remade(k, metric.values)


def _notes(axiom: Axiom, parts: Sequence[RegionPart]) -> tuple[str, ...]:
    open_ = any("undecided" in part.verdicts for part in parts)
    if about_pairs(axiom) and open_:
        return ("undecided: no counterexample was found, or none that does for the whole cell; that proves nothing",)
    return ()


def _threshold(
    axiom: ThresholdAxiom,
    metric: Metric,
    real: tuple[Axis, ...],
    reading: Reading,
    depth: int,
    cutoff: int | None,
    listen: Listener,
) -> RegionPart:
    if metric.cutoff is not None and metric.cutoff > MOST_CUTOFFS:
        raise InvalidInput(f"{metric}: expected a cutoff of at most {MOST_CUTOFFS}")
    small = assumes_small(axiom, reading)
    box = {axis.name: (axis.low, axis.high) for axis in real}
    if not small and GRADE not in box:
        box[GRADE] = (Fraction(0), Fraction(1))
    open_ends = {(axis.name, axis.low) for axis in real if axis.low_open}
    open_ends |= {(axis.name, axis.high) for axis in real if axis.high_open}
    judge = ThresholdJudge(Blocks(metric, box, small, frozenset(open_ends)), axiom, real)
    if not real:
        return RegionPart(
            cutoff, (), (RegionCell((), judge.finding({}) or RegionFinding("undecided", "no argument for large n")),)
        )
    if len(real) == 1:
        return RegionPart(cutoff, threshold_pieces(judge, real[0], depth))
    return RegionPart(cutoff, (), bisected_plane(judge.finding, (real[0], real[1]), depth, listen=listen))


def _pair(judge: PairJudge, real: tuple[Axis, ...], depth: int, cutoff: int | None, listen: Listener) -> RegionPart:
    try:
        if not real:
            return RegionPart(
                cutoff,
                (),
                (RegionCell((), judge.finding({}) or RegionFinding("undecided", "no counterexample found")),),
            )
        if len(real) == 1:
            pieces = between_ends(judge.finding, real[0]) or bisected(judge.finding, real[0], depth, judge.worth)
            return RegionPart(cutoff, ends_apart(judge.finding, real[0], pieces))
        return RegionPart(cutoff, (), bisected_plane(judge.finding, (real[0], real[1]), depth, judge.worth, listen))
    except NoInstance as error:
        if cutoff is None:
            raise
        nothing = RegionFinding("undecided", str(error))
        if len(real) == 1:
            return RegionPart(cutoff, bisected(lambda box: nothing, real[0], 0))
        return RegionPart(cutoff, (), (RegionCell(tuple((a.name, a.low, a.high) for a in real), nothing),))
