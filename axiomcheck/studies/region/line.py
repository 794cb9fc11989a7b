"""Regions in one real parameter: exact ends where the polynomials are exact, certified enclosures elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import fmpz_poly

from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.thresholds import same_from
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.proof.check.polynomials import sum_text
from axiomcheck.studies.region.algebraic import Root, factors, integer_polynomial, roots_between, separate
from axiomcheck.studies.region.axes import Axis
from axiomcheck.studies.region.judge import MOST, ThresholdJudge, behind, halved
from axiomcheck.studies.region.polynomials import Box
from axiomcheck.studies.region.result import End, RegionFinding, RegionPiece
from axiomcheck.studies.region.symbols import Undecided

_FIRST = 8
_DIGITS = 20
"""Decimal digits to which an end that is no algebraic number is enclosed."""

_OPEN = RegionFinding(Verdict.UNDECIDED, "nothing was certain of the whole interval")


def threshold_pieces(judge: ThresholdJudge, axis: Axis, depth: int) -> tuple[RegionPiece, ...]:
    """DeepTh or CloseTh along one parameter.

    Args:
        judge: with a symbol for the parameter.
        axis: its range.
        depth: halvings where no exact or monotone argument applies.

    """
    whole = judge.finding({axis.name: (axis.low, axis.high)})
    if whole is not None:
        return (_between(axis, axis.low, axis.high, whole),)
    pieces = _exact(judge, axis) or _ends_apart(judge, axis) or _enclosed(judge, axis)
    return pieces or bisected(judge.finding, axis, depth)


def _between(axis: Axis, low: Fraction, high: Fraction, found: RegionFinding) -> RegionPiece:
    low_in = not (low == axis.low and axis.low_open)
    high_in = not (high == axis.high and axis.high_open)
    return RegionPiece(End.at(low), End.at(high), low_in, high_in, found)


@dataclass(frozen=True)
class _Compared:
    """One n: the orders of Q(top) - Q(block), as integer polynomials."""

    n: int
    orders: tuple[fmpz_poly, ...]

    def sign(self, at: Root | Fraction) -> int:
        """Return the sign of the first order that is not zero there."""
        for f in self.orders:
            if isinstance(at, Root):
                sign = at.sign_of(f)
            else:
                value = f(to_fmpq(at))
                sign = int(value > 0) - int(value < 0)
            if sign:
                return sign
        return 0


def _exact(judge: ThresholdJudge, axis: Axis) -> tuple[RegionPiece, ...] | None:
    """The exact decomposition; None where the polynomials are not exact, or an argument for large n is missing."""
    cutoff = judge.blocks.metric.cutoff
    if judge.axiom.winner == "top" and cutoff is None:
        return None
    last = cutoff or _FIRST
    while True:
        try:
            compared = _compared(judge, axis, last)
        except Undecided:
            return None
        if compared is None:
            return None
        pieces = _decomposed(judge, axis, compared)
        if judge.axiom.winner == "top":
            return pieces
        argued: list[RegionPiece] = []
        needed = last
        for piece in pieces:
            if piece.finding.verdict is Verdict.REFUTED:
                found = judge.blocks.behind_from(judge.full({axis.name: (piece.low.low, piece.high.high)}), MOST)
                if found is None:
                    return None
                needed = max(needed, found[0] - 1)
                piece = replace(piece, finding=behind(*found))
            argued.append(piece)
        if needed <= last:
            return tuple(argued)
        last = needed


def _compared(judge: ThresholdJudge, axis: Axis, last: int) -> list[_Compared] | None:
    """Every n that matters: those at which the top is ahead everywhere are left out. None if they are not exact."""
    box = judge.full({axis.name: (axis.low, axis.high)})
    out = []
    for n in range(1, last + 1) if judge.axiom.winner == "block" else [last]:
        difference = judge.blocks.difference(n)
        if judge.axiom.winner == "block" and difference.signs(box)[0] == 1:
            continue
        orders = difference.plain
        if difference.leading is not None:
            orders = (difference.leading, *orders[1:])
        if not all(p.exact and p.variables <= {axis.name} for p in orders):
            return None
        out.append(_Compared(n, tuple(integer_polynomial(p, axis.name) for p in orders)))
    return out


def _decomposed(judge: ThresholdJudge, axis: Axis, compared: list[_Compared]) -> tuple[RegionPiece, ...]:
    """The verdicts, by the n compared, between and at the points where one of them changes sides."""
    changing = {str(g): g for c in compared if c.orders for g in factors(c.orders[0])}
    roots = [root for g in changing.values() for root in roots_between(g, axis.low, axis.high)]
    separate(roots)
    inner = [root for root in roots if not (root.rational and root.low in (axis.low, axis.high))]
    marks: list[Root | Fraction] = [axis.low, *inner, axis.high]
    ends = [_end(mark, compared, axis.name) for mark in marks]
    pieces: list[RegionPiece] = []
    for k, mark in enumerate(marks):
        if not ((k == 0 and axis.low_open) or (k == len(marks) - 1 and axis.high_open)):
            pieces.append(RegionPiece(ends[k], ends[k], True, True, _verdict(judge, compared, mark)))
        if k + 1 < len(marks):
            left, right = mark, marks[k + 1]
            sides = left.high if isinstance(left, Root) else left, right.low if isinstance(right, Root) else right
            sample = (sides[0] + sides[1]) / 2
            pieces.append(RegionPiece(ends[k], ends[k + 1], False, False, _verdict(judge, compared, sample)))
    return _joined(pieces)


def _end(mark: Root | Fraction, compared: list[_Compared], name: str) -> End:
    tied = tuple(c.n for c in compared if c.sign(mark) == 0)
    if isinstance(mark, Fraction) or mark.rational:
        return End.at(mark if isinstance(mark, Fraction) else mark.low, tied)
    return End(*mark.plain_interval(), mark.decimal(), _text(mark.polynomial, name), tied)


def _text(f: fmpz_poly, name: str) -> str:
    """A polynomial as Python would read it."""
    powers = ["1", name, *(f"{name}**{k}" for k in range(2, len(f)))]
    terms = [(str(c), power) for c, power in zip(f.coeffs(), powers, strict=False) if c]
    return sum_text(reversed(terms))


def _verdict(judge: ThresholdJudge, compared: list[_Compared], at: Root | Fraction) -> RegionFinding:
    if judge.axiom.winner == "top":
        (last,) = compared
        return judge.deep(last.sign(at), same_from(last.n))
    won = next((c.n for c in compared if c.sign(at) == -1), None)
    if won is None:
        return RegionFinding(Verdict.REFUTED, "")
    return RegionFinding(Verdict.PROVED, f"the block is ahead at n = {won}")


def _joined(pieces: list[RegionPiece]) -> tuple[RegionPiece, ...]:
    """Neighbours of one verdict as one piece."""
    out: list[RegionPiece] = []
    for piece in pieces:
        if out and out[-1].finding.verdict == piece.finding.verdict:
            left = out.pop()
            hows = left.finding.how.split("; ")
            if piece.finding.how not in hows:
                hows.append(piece.finding.how)
            finding = RegionFinding(left.finding.verdict, "; ".join(hows))
            out.append(RegionPiece(left.low, piece.high, left.low_in, piece.high_in, finding))
        else:
            out.append(piece)
    return tuple(out)


def _ends_apart(judge: ThresholdJudge, axis: Axis) -> tuple[RegionPiece, ...] | None:
    """DeepTh without a cutoff: the two ends on their own, and all that is between them."""
    if judge.axiom.winner == "block" or judge.blocks.metric.cutoff is not None:
        return None
    name, box = axis.name, {axis.name: (axis.low, axis.high)}
    both = judge.blocks.open_ends | {(name, axis.low), (name, axis.high)}
    found = judge.blocks.eventually(judge.full(box), both)
    inner = None if found is None else judge.deep(*found)
    ends = [judge.finding({name: (x, x)}) for x in (axis.low, axis.high)]
    left_out = axis.low_open, axis.high_open
    if inner is None or any(end is None and not out for end, out in zip(ends, left_out, strict=True)):
        return None
    return _with_ends(axis, inner, ends)


def _with_ends(axis: Axis, inner: RegionFinding, ends: Sequence[RegionFinding | None]) -> tuple[RegionPiece, ...]:
    """All that is between the ends in one piece, and what is known of each end that is part of the range."""
    low, high = End.at(axis.low), End.at(axis.high)
    pieces = [RegionPiece(low, high, False, False, inner)]
    if not axis.low_open:
        pieces.insert(0, RegionPiece(low, low, True, True, ends[0] or _OPEN))
    if not axis.high_open:
        pieces.append(RegionPiece(high, high, True, True, ends[1] or _OPEN))
    return _joined(pieces)


def _enclosed(judge: ThresholdJudge, axis: Axis) -> tuple[RegionPiece, ...] | None:
    """One change of sides between the two ends, enclosed to twenty digits; None where that is not what there is."""
    name = axis.name

    def at(low: Fraction, high: Fraction) -> RegionFinding | None:
        return judge.finding({name: (low, high)})

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
    if not _one_crossing(judge, {name: (low, high)}):
        return (
            _between(axis, axis.low, low, left),
            RegionPiece(End.at(low), End.at(high), False, False, _OPEN),
            _between(axis, high, axis.high, right),
        )
    # Where it changes sides the two tie, at the n that matter, and a tie is no win for either.
    end = End(low, high, _common(low, high))
    return (
        RegionPiece(End.at(axis.low), end, not axis.low_open, left.verdict is Verdict.REFUTED, left),
        RegionPiece(end, End.at(axis.high), right.verdict is Verdict.REFUTED, not axis.high_open, right),
    )


def _one_crossing(judge: ThresholdJudge, box: Box) -> bool:
    """Tell whether every Q(top) - Q(block) that may change its sign in an interval falls, or every one rises."""
    (name,) = box
    full = judge.full(box)
    cutoff = judge.blocks.metric.cutoff
    if judge.axiom.winner == "top":
        numbers = [] if cutoff is None else [cutoff]
    else:
        found = judge.blocks.behind_from(full, MOST)
        numbers = [] if found is None else list(range(1, found[0]))
    directions = set()
    for n in numbers:
        try:
            difference = judge.blocks.difference(n)
        except Undecided:
            return False
        polynomial = difference.polynomial
        if polynomial is None or difference.signs(full)[0] == 1:
            continue
        monotone = polynomial.monotone
        if monotone is None or polynomial.variables != {name} or len(difference.plain) > 1 or box[name][1] > 1:
            return False
        directions.add(monotone.direction * (-1 if name in monotone.flips else 1))
    return len(directions) == 1


def bisected(find: Callable[[Box], RegionFinding | None], axis: Axis, depth: int) -> tuple[RegionPiece, ...]:
    """Return certified intervals, as `halved` finds them."""
    parts = halved(find, (axis,), depth)
    return _joined(_shared_ends([_between(axis, *box[axis.name], found or _OPEN) for box, found in parts]))


def _shared_ends(pieces: list[RegionPiece]) -> list[RegionPiece]:
    """Give the point between a certified interval and one that is not to the certified one."""
    out = list(pieces)
    for k, piece in enumerate(pieces):
        if piece.finding.verdict is Verdict.UNDECIDED:
            before = k > 0 and pieces[k - 1].finding.verdict is not Verdict.UNDECIDED
            after = k + 1 < len(pieces) and pieces[k + 1].finding.verdict is not Verdict.UNDECIDED
            out[k] = replace(piece, low_in=piece.low_in and not before, high_in=piece.high_in and not after)
    return out


def _common(low: Fraction, high: Fraction) -> str:
    """The decimal digits that two numbers from 0 up share."""
    digits = [f"{x.numerator * 10**_DIGITS // x.denominator:0{_DIGITS + 1}d}" for x in (low, high)]
    texts = [f"{d[:-_DIGITS]}.{d[-_DIGITS:]}" for d in digits]
    shared = next((k for k in range(len(texts[0])) if texts[0][k] != texts[1][k]), len(texts[0]))
    return texts[0][:shared].rstrip(".") or "0"
