"""Decide regions: exact boundaries for threshold axioms, and a grid of settings for other axioms.

Regions of threshold axioms have one or two real parameters. The endpoints of their intervals are exact if the
polynomials are exact. Otherwise they are certified enclosures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from math import prod

from flint import fmpq_mpoly, fmpz_poly

from axiomcheck.axioms import Axiom, ThresholdAxiom, about_blocks
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.budgets import Settings
from axiomcheck.decide.thresholds import same_from
from axiomcheck.engine.memory import Memory
from axiomcheck.engine.places import Machine
from axiomcheck.metrics import Metric
from axiomcheck.metrics.spelling import bare
from axiomcheck.proof.check.polynomials import sum_text
from axiomcheck.proof.check.quotients import SignUnknown
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.studies.region.algebraic import Box, Root, factors, integer_polynomial, roots_between, separate
from axiomcheck.studies.region.axes import GRADE, MOST_CUTOFFS, Axis, grid_axes
from axiomcheck.studies.region.grid import study_grid
from axiomcheck.studies.region.result import End, Region, RegionCell, RegionFinding, RegionPart, RegionPiece
from axiomcheck.studies.region.thresholds import Thresholds, behind, deep
from axiomcheck.studies.region.verify import contradictions

Listener = Callable[[float, str], None]
"""Callback that receives the finished share of the work and the name of the axiom in progress."""


def regions_of(
    metric: Metric,
    asked: Mapping[Axiom, Sequence[Axis]],
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(),  # noqa: B008 - immutable
    depth: int | None = None,
    machine: Machine = Machine(),  # noqa: B008 - immutable
    memory: Memory = Memory(),  # noqa: B008 - immutable
    listen: Listener = lambda share, doing: None,
) -> tuple[Region, ...]:
    """Decide for which parameter values each of several axioms holds.

    For a threshold axiom over one or two ranges, the result is exact. Otherwise it is a grid of settings. A grid is
    also used for axes with a count, for the cutoff alone, and for metrics that are not folds over ranks.

    Args:
        metric: Metric to study. Its own values for the varied parameters do not matter.
        asked: Axes to vary for each axiom, as `axiomcheck.studies.region.axes.read_axis` creates them.
        reading: Regime and domain.
        settings: Seed and budgets of the searches on a grid.
        depth: Maximum number of bisections of each side if endpoints are not exact; None means 8 for one range and 7
            for two.
        machine: Processes that decide grid settings.
        memory: Cache of decided grid settings.
        listen: Callback for progress.

    Returns:
        One region per axiom, in the requested order.

    Raises:
        InvalidInput: An axis is given twice, a depth is given for a grid, or the metric cannot be varied in this way.
        InternalDisagreement: A region contradicts exact arithmetic at a point, which is a bug in axiomcheck.

    """
    for axes in asked.values():
        if not axes or len({axis.name for axis in axes}) < len(axes):
            names = ", ".join(axis.name for axis in axes) or "none"
            raise InvalidInput(f"expected one or more different parameters to vary, got {names}")
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
            why = f"no exact endpoints: {error}"
            if any(axis.name == GRADE for axis in axes):
                raise InvalidInput(f"{metric}: {why}") from None
            gridded[axiom] = (f"decided at individual settings; {why}",)
        else:
            found[axiom] = _exact_region(axiom, metric, placed, inside, reading, depth, heard)
    if depth is not None and not found:
        raise InvalidInput("depth does not apply to axioms that are decided on a grid; omit depth")
    if gridded:
        axes = grid_axes(asked[next(iter(gridded))])
        if any(axis.name == GRADE for axis in axes):
            raise InvalidInput(f"{GRADE} cannot vary on a grid; expected one or two ranges without a count")
        studied = study_grid(
            *(metric, axes, list(gridded), reading, settings, machine, memory),
            lambda share, doing: listen((len(found) + share * len(gridded)) / len(asked), doing),
        )
        subject = _subject(metric, axes)
        for (axiom, notes), (part, grid) in zip(gridded.items(), studied, strict=True):
            found[axiom] = Region(axiom.name, metric.canonical, reading, subject, axes, (part,), grid, notes)
    return tuple(found[axiom] for axiom in asked)


def _inside(metric: Metric, axes: Sequence[Axis]) -> list[Axis]:
    """Exclude the endpoints 0 and 1 from the axes of a user's function, whose source may yield another fold there.

    The axes of other metrics are returned unchanged.

    Raises:
        InvalidInput: The cutoff of a function is varied, or the range of one of its parameters goes beyond 0 or 1.

    """
    if not isinstance(metric, FunctionMetric | CallableMetric):
        return list(axes)
    if any(axis.cutoff or axis.low < 0 or axis.high > 1 for axis in axes):
        raise InvalidInput(f"the fold in the source of {metric} is only derived for parameters between 0 and 1")
    return [
        axis if axis.name == GRADE else replace(axis, low_open=axis.low == 0, high_open=axis.high == 1) for axis in axes
    ]


def _at_cutoffs(
    metric: Metric, axiom: ThresholdAxiom, axes: Sequence[Axis], reading: Reading
) -> list[tuple[int | None, Thresholds]]:
    """Return (cutoff, `Thresholds`) pairs. If k is not varied, there is one pair, whose cutoff is None.

    Raises:
        InvalidInput: The metric's code does not run on symbols, no fold can be derived from it, or a cutoff is too
            large.

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
            raise InvalidInput(f"no sum over ranks was derived from the metric's source code: {why}")
        if derivation.metric.base is not None and len(middle) < len(real):
            raise InvalidInput(f"the metric's gain contains {derivation.metric.base}^g for a grade g; omit {GRADE}")
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
            halved = _halved(thresholds, real, 7 if depth is None else depth, heard)
            boxes = ((tuple((name, *side) for name, side in box.items()), found) for box, found in halved)
            parts.append(RegionPart(cutoff, (), tuple(RegionCell(box, found or _OPEN_CELL) for box, found in boxes)))
        heard(Fraction(1))
    region = Region(axiom.name, metric.canonical, reading, _subject(metric, axes), tuple(axes), tuple(parts))
    wrong = contradictions(region, metric, axiom)
    if wrong:
        raise InternalDisagreement(f"{axiom} of {metric}: {wrong[0]}")
    return region


def _subject(metric: Metric, axes: Sequence[Axis]) -> str:
    """Return the metric's name without the varied parameters and without defaults that need not be named."""
    varied = {axis.name for axis in axes}
    shown = [
        f"{p.name}={p.text(metric.values[p.name])}"
        for p in metric.declared
        if p.name not in varied and (p.decisive or metric.values[p.name] != p.parse(p.default))
    ]
    cutoff = "" if any(axis.cutoff for axis in axes) or metric.cutoff is None else f"@{metric.cutoff}"
    name = metric.name if metric.label is None else bare(metric.label)
    return name + (f"({', '.join(shown)})" if shown else "") + cutoff


_FIRST = 8
_DIGITS = 20
"""Number of decimal digits to which an inexact endpoint is enclosed."""

_OPEN = RegionFinding(Verdict.UNDECIDED, "no verdict covers the whole interval")
_OPEN_CELL = RegionFinding(Verdict.UNDECIDED, "no verdict covers the whole cell")


def threshold_pieces(thresholds: Thresholds, axis: Axis, depth: int) -> tuple[RegionPiece, ...]:
    """Split a parameter's range into intervals on each of which DeepTh or CloseTh has a single verdict.

    Args:
        thresholds: Comparison of the two rankings, with a symbol for the parameter.
        axis: Range of the parameter.
        depth: Maximum number of bisections if no exact or certified endpoints are found.

    """
    whole = thresholds.finding({axis.name: (axis.low, axis.high)})
    if whole is not None:
        return (_between(axis, axis.low, axis.high, whole),)
    try:
        pieces = _exact(thresholds, axis) or _ends_apart(thresholds, axis) or _enclosed(thresholds, axis)
    except SignUnknown:
        pieces = None
    return pieces or _bisected(thresholds, axis, depth)


def _between(axis: Axis, low: Fraction, high: Fraction, found: RegionFinding) -> RegionPiece:
    low_in = not (low == axis.low and axis.low_open)
    high_in = not (high == axis.high and axis.high_open)
    return RegionPiece(End.at(low), End.at(high), low_in, high_in, found)


@dataclass(frozen=True)
class _Compared:
    """Q(top) - Q(block) at one n, as an integer polynomial for each order of eps."""

    n: int
    orders: tuple[fmpz_poly, ...]

    def sign(self, at: Root) -> int:
        """Return the sign of the difference at a point, which is the sign of its lowest-order nonzero term in eps."""
        return next(filter(None, map(at.sign_of, self.orders)), 0)


def _exact(thresholds: Thresholds, axis: Axis) -> tuple[RegionPiece, ...] | None:
    """Split an axis at exact endpoints. Return None if a difference is inexact or there is no proof for large n."""
    cutoff = thresholds.metric.cutoff
    if thresholds.axiom.winner == "top" and cutoff is None:
        return None
    needed = cutoff or _FIRST
    while True:
        last = needed
        compared = _compared(thresholds, axis, last)
        if compared is None:
            return None
        pieces = list(_decomposed(thresholds, axis, compared))
        for number, piece in enumerate(pieces):
            if thresholds.axiom.winner == "block" and piece.finding.verdict is Verdict.REFUTED:
                argument = thresholds.behind_from({axis.name: (piece.low.low, piece.high.high)})
                if argument is None:
                    return None
                needed = max(needed, argument[0] - 1)
                pieces[number] = replace(piece, finding=behind(*argument))
        if needed <= last:
            return tuple(pieces)


def _compared(thresholds: Thresholds, axis: Axis, last: int) -> list[_Compared] | None:
    """Return the differences for n up to ``last`` on which the verdict depends, or None if one is not known exactly."""
    box = {axis.name: (axis.low, axis.high)}
    block, ring = thresholds.axiom.winner == "block", thresholds.ring
    out = []
    for n in range(1, last + 1) if block else [last]:
        if block and thresholds.bounds(n, box)[0] == 1:
            continue
        difference = thresholds.difference(n)
        orders: tuple[fmpq_mpoly, ...] = (difference.lower, *difference.later)
        others = [name for name in ring.names if name != axis.name]
        if not difference.exact or any(ring.depends_on(f, name) for f in orders for name in others):
            return None
        out.append(_Compared(n, tuple(integer_polynomial(f, ring.names.index(axis.name)) for f in orders)))
    return out


def _decomposed(thresholds: Thresholds, axis: Axis, compared: list[_Compared]) -> tuple[RegionPiece, ...]:
    """Split an axis into pieces with one verdict each, and merge neighbours with the same verdict.

    The verdict is computed at every root of a difference, between the roots, and at the ends that the axis includes.
    """
    changing = {str(g): g for each in compared for g in factors(each.orders[0])}
    roots = [root for g in changing.values() for root in roots_between(g, axis.low, axis.high)]
    separate(roots)
    inner = [root for root in roots if not (root.rational and root.low in (axis.low, axis.high))]
    marks = [Root.at(axis.low), *inner, Root.at(axis.high)]
    ends = [_end(mark, compared, axis.name) for mark in marks]
    pieces: list[RegionPiece] = []
    for k, mark in enumerate(marks):
        if not ((k == 0 and axis.low_open) or (k == len(marks) - 1 and axis.high_open)):
            pieces.append(RegionPiece(ends[k], ends[k], True, True, _verdict(thresholds, compared, mark)))
        if k + 1 < len(marks):
            sample = Root.at((mark.high + marks[k + 1].low) / 2)
            pieces.append(RegionPiece(ends[k], ends[k + 1], False, False, _verdict(thresholds, compared, sample)))
    return _joined(pieces)


def _end(mark: Root, compared: list[_Compared], name: str) -> End:
    tied = tuple(each.n for each in compared if each.sign(mark) == 0)
    if mark.rational:
        return End.at(mark.low, tied)
    f = mark.polynomial
    powers = ["1", name, *(f"{name}**{k}" for k in range(2, len(f)))]
    text = sum_text(reversed([(str(c), power) for c, power in zip(f.coeffs(), powers, strict=False) if c]))
    return End(*mark.plain_interval(), mark.decimal(), text, tied)


def _verdict(thresholds: Thresholds, compared: list[_Compared], at: Root) -> RegionFinding:
    if thresholds.axiom.winner == "top":
        (last,) = compared
        return deep(last.sign(at), same_from(last.n))
    won = next((each.n for each in compared if each.sign(at) == -1), None)
    if won is None:
        return RegionFinding(Verdict.REFUTED, "")
    return RegionFinding(Verdict.PROVED, f"the block is ahead at n = {won}")


def _joined(pieces: Iterable[RegionPiece]) -> tuple[RegionPiece, ...]:
    """Merge adjacent intervals and points that have the same verdict."""
    out: list[RegionPiece] = []
    for piece in pieces:
        if out and out[-1].finding.verdict == piece.finding.verdict:
            left = out.pop()
            hows = dict.fromkeys([*left.finding.how.split("; "), piece.finding.how])
            finding = RegionFinding(left.finding.verdict, "; ".join(hows))
            out.append(RegionPiece(left.low, piece.high, left.low_in, piece.high_in, finding))
        else:
            out.append(piece)
    return tuple(out)


def _ends_apart(thresholds: Thresholds, axis: Axis) -> tuple[RegionPiece, ...] | None:
    """Decide DeepTh without a cutoff at both endpoints of an axis, and by one argument between them.

    Return None for CloseTh, with a cutoff, or if one of these parts cannot be decided.
    """
    if thresholds.axiom.winner == "block" or thresholds.metric.cutoff is not None:
        return None
    name = axis.name
    argument = thresholds.eventually({name: (axis.low, axis.high)}, frozenset({(name, axis.low), (name, axis.high)}))
    if argument is None:
        return None
    low, high = End.at(axis.low), End.at(axis.high)
    pieces = [RegionPiece(low, high, False, False, deep(*argument))]
    for end, left_out, place in ((low, axis.low_open, 0), (high, axis.high_open, 2)):
        found = None if left_out else thresholds.finding({name: (end.low, end.low)})
        if found is None and not left_out:
            return None
        if found is not None:
            pieces.insert(place, RegionPiece(end, end, True, True, found))
    return _joined(pieces)


def _enclosed(thresholds: Thresholds, axis: Axis) -> tuple[RegionPiece, ...] | None:
    """Enclose the point where the verdict changes in twenty digits. Return None if the bisection fails.

    The enclosure is an undecided interval unless it is proved that the verdict changes only once there.
    """
    name = axis.name

    def at(low: Fraction, high: Fraction) -> RegionFinding | None:
        return thresholds.finding({name: (low, high)})

    first, last = at(axis.low, axis.low), at(axis.high, axis.high)
    if first is None or last is None or first.verdict == last.verdict:
        return None
    low, high, unit = axis.low, axis.high, Fraction(1, 10**_DIGITS)
    while high - low > unit / 100:
        middle = (low + high) / 2
        found = at(middle, middle)
        if found is None:
            return None
        low, high = (middle, high) if found.verdict == first.verdict else (low, middle)
    low, high = max((low // unit) * unit, axis.low), min(-((-high) // unit) * unit, axis.high)
    left, right = at(axis.low, low), at(high, axis.high)
    if left is None or right is None or left.verdict != first.verdict or right.verdict != last.verdict:
        return None
    if not _one_crossing(thresholds, {name: (low, high)}):
        return (
            _between(axis, axis.low, low, left),
            RegionPiece(End.at(low), End.at(high), False, False, _OPEN),
            _between(axis, high, axis.high, right),
        )
    # Where the sign of the difference changes, the two rankings tie, and neither is ahead.
    end = End(low, high, _common(low, high))
    return (
        RegionPiece(End.at(axis.low), end, not axis.low_open, left.verdict is Verdict.REFUTED, left),
        RegionPiece(end, End.at(axis.high), right.verdict is Verdict.REFUTED, not axis.high_open, right),
    )


def _one_crossing(thresholds: Thresholds, box: Box) -> bool:
    """Return True if all differences that may change sign in an interval increase there, or all of them decrease."""
    cutoff = thresholds.metric.cutoff
    if thresholds.axiom.winner == "top":
        numbers = [] if cutoff is None else [cutoff]
    else:
        argument = thresholds.behind_from(box)
        numbers = [] if argument is None else list(range(1, argument[0]))
    changing = [n for n in numbers if thresholds.bounds(n, box)[0] != 1]
    if any(thresholds.difference(n).later for n in changing):
        return False  # later coefficients decide ties of the leading ones
    return {thresholds.slope(n, box) for n in changing} in ({1}, {-1})


def _bisected(thresholds: Thresholds, axis: Axis, depth: int) -> tuple[RegionPiece, ...]:
    """Decide an axis by bisection. A point between a decided and an undecided interval belongs to the decided one."""
    parts = _halved(thresholds, (axis,), depth)
    found = [finding or _OPEN for _, finding in parts]
    pieces = [_between(axis, *box[axis.name], finding) for (box, _), finding in zip(parts, found, strict=True)]
    for k, piece in enumerate(pieces):
        if piece.finding is _OPEN:
            before = k > 0 and found[k - 1] is not _OPEN
            after = k + 1 < len(pieces) and found[k + 1] is not _OPEN
            pieces[k] = replace(piece, low_in=piece.low_in and not before, high_in=piece.high_in and not after)
    return _joined(pieces)


def _halved(
    thresholds: Thresholds,
    axes: Sequence[Axis],
    depth: int,
    listen: Callable[[Fraction], None] = lambda share: None,
) -> list[tuple[Box, RegionFinding | None]]:
    """Bisect a range along every axis until each part has one verdict or the depth is reached.

    Parts that remain undecided have the finding None.

    Args:
        thresholds: Comparison of the two rankings, which decides a closed box if the verdict is certain there.
        axes: Axes of the range.
        depth: Maximum number of bisections of each side.
        listen: Callback that receives the share of the range that is finished.

    """
    parts: list[tuple[Box, RegionFinding | None]] = []
    done = Fraction(0)

    def cut(box: Box, left: int) -> None:
        nonlocal done
        found = thresholds.finding(box)
        if found is None and left:
            halves = [pairwise((low, (low + high) / 2, high)) for low, high in box.values()]
            for sides in product(*halves):
                cut(dict(zip(box, sides, strict=True)), left - 1)
            return
        parts.append((box, found))
        done += prod((high - low for low, high in box.values()), start=Fraction(1))
        listen(done / prod((axis.high - axis.low for axis in axes), start=Fraction(1)))

    cut({axis.name: (axis.low, axis.high) for axis in axes}, depth)
    return parts


def _common(low: Fraction, high: Fraction) -> str:
    """Return the leading digits that the decimal expansions of two nonnegative numbers share."""
    digits = [f"{x.numerator * 10**_DIGITS // x.denominator:0{_DIGITS + 1}d}" for x in (low, high)]
    texts = [f"{d[:-_DIGITS]}.{d[-_DIGITS:]}" for d in digits]
    shared = next((k for k in range(len(texts[0])) if texts[0][k] != texts[1][k]), len(texts[0]))
    return texts[0][:shared].rstrip(".") or "0"
