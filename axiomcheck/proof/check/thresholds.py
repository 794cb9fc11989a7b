"""Checks certificates of the threshold constraints DeepTh and CloseTh, from nothing but the metric they name.

A certificate (a JSON object of kind ``tail``) names a metric, a constraint, a claim, and one of the lemmas of
``docs/lemmas/thresholds.md`` with its numbers. The checker takes the metric's fold (`axiomcheck.metrics.fold`) and
derives the side conditions of that lemma itself, with the state of the fold, the grade and the parameters that the
scope lists as symbols. Nothing is shared with the prover.

Notation, as in the lemmas: D_i is the discount, g_j what the j-th relevant document in a row earns, T = D_1 g_1 the one
relevant document on top, L(n) = sum_{j=1..n} D_{n+j} g_j the block. Where r << 1 is assumed, g_j stands for its leading
coefficient in r.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from axiomcheck.axioms import ThresholdAxiom
from axiomcheck.core.documents import shortened
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import Metric
from axiomcheck.metrics.parameters import Base, Real
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.proof.check.entries import Reader, between, exactly, fraction_of, is_text
from axiomcheck.proof.check.threshold_claim import read_claim
from axiomcheck.proof.check.threshold_parts import Part, discount_at, number_sign, parts_of, probe, together
from axiomcheck.proof.check.threshold_symbols import Room, Symbolic, require

__all__ = ["LEMMAS", "check_threshold"]

Array = Any
Poly = Any

LEMMAS = ("cutoff", "harmonic", "geometric", "vanishing", "growth", "equal", "mixture", "witness")

_PRECISION = 256
_MOST_EXACT = 512
"""How many n a certificate may leave to exact arithmetic."""


def check_threshold(document: dict[str, Any], metric: Metric | None = None) -> None:
    """Checks that a certificate proves its claim.

    Args:
        document: the certificate, as parsed from JSON.
        metric: that it is about; left out, the one of the catalogue that it names.

    Raises:
        InvalidInput: it does not; the message says where and why.

    """
    read = Reader(document, "certificate")
    claim = read_claim(read, metric, "tail", {"rc"})
    metric = claim.metric
    axiom, small, holds = claim.axiom, claim.small, claim.holds
    if metric.partial or metric.numerical(small):
        raise InvalidInput(f"certificate: {metric} has no exact scores for a lemma to speak of")
    symbolic = _symbolic(read, metric)
    rc = _rc(read, small, holds)
    lemma = read.get("lemma", LEMMAS.__contains__, f"one of {', '.join(LEMMAS)}")
    with ctx.workprec(_PRECISION):
        parts = parts_of(metric, symbolic, small, rc)
        probe(metric, small, rc or Fraction(1))
        if lemma == "witness":
            require(axiom.winner == "block" and holds, "the lemma 'witness' shows that CloseTh holds and nothing else")
            _check_witness(read, parts, parts_of(metric, {}, small, Fraction(1)))
        else:
            own = parts_of(metric, {}, small, rc) if axiom.winner == "top" else parts
            _check_tail(read, metric, parts, own, axiom, holds)


def _symbolic(read: Reader, metric: Metric) -> dict[str, tuple[Fraction, Fraction | None]]:
    """The open range of every parameter that the scope leaves open; the metric's own value must lie in it."""
    declared = {p.name: p for p in metric.declared}
    names = read.get("scope.parameters", lambda v: isinstance(v, list), "a list of parameters of the metric")
    ranges: dict[str, tuple[Fraction, Fraction | None]] = {}
    for name in names:
        require(isinstance(name, str) and name not in ranges, f"scope.parameters has {name!r} twice or as no text")
        parameter = declared.get(name)
        if isinstance(parameter, Real):
            low, high = parameter.low, parameter.high
        elif isinstance(parameter, Base):
            low, high = Fraction(1), None
        else:
            raise InvalidInput(f"certificate: scope.parameters has {name!r}, no numeric parameter of {metric}")
        value = metric.values[name]
        inside = value is None or (low < value and (high is None or value < high))
        require(inside, f"scope.parameters has {name!r}, whose value in {metric} is an end of its range")
        ranges[name] = (low, high)
    return ranges


def _rc(read: Reader, small: bool, holds: bool) -> Fraction | None:
    """The one grade that a failing claim needs where r << 1 is not assumed; None where the grade stays open."""
    if small or holds:
        read.get("rc", lambda v: v is None, "null: the grade is open")
        return None
    rc = _fraction(read.get("rc", is_text, "the grade at which the claim fails"), "rc")
    require(0 < rc <= 1, f"rc is {rc}; expected 0 < rc <= 1")
    return rc


def _fraction(text: Any, where: str) -> Fraction:
    value = fraction_of(text)
    if value is None:
        raise InvalidInput(
            f"certificate: {where} is {shortened(text)}; expected a fraction in lowest terms, such as '1/2'"
        )
    return value


# Symbols


@dataclass(frozen=True)
class _Conditions:
    """What the symbols show of one part's gains.

    Args:
        part: the fold, its grade and symbols.
        outcomes: (gain, state after) of a relevant document in any state, under every open comparison.
        first: g_1.
        start: the state before rank 1.

    Where r is infinitesimal all are leading coefficients: of the order of g_1 for gains, of order 0 for states.
    """

    part: Part
    outcomes: list[tuple[Poly, tuple[Poly, ...]]]
    first: Poly
    start: tuple[Poly, ...]

    @classmethod
    def of(cls, part: Part) -> _Conditions:
        """Derives them, and checks that non-relevant documents do nothing, g_1 > 0, and states and gains are >= 0."""
        room, start = part.room, part.start()
        states = room.states(len(start))
        symbols = tuple(s.poly for s in states)
        for gain, after in room.explore(lambda: part.step(symbols, fmpq(0))):
            unmoved = all(x == y for x, y in zip(after, symbols, strict=True))
            require(not gain and unmoved, "a non-relevant document earns something or moves the state")
        order, first = room.leading(part.step(start, part.grade)[0])
        require(room.positive(first), "the first relevant document may earn nothing")
        outcomes = []
        for gain, after in room.explore(lambda: part.step(symbols, part.grade)):
            lowest, _ = room.leading(gain)
            require(not gain or lowest >= order, "a later document may earn more than the first by an order of r")
            reduced = tuple(room.coefficient(x, 0) for x in after) if room.small else after
            outcomes.append((room.coefficient(gain, order) if room.small else gain, reduced))
        begin = tuple(room.coefficient(x, 0) for x in start) if room.small else start
        found = cls(part, outcomes, first, begin)
        for x in (*begin, *(y for gain, after in outcomes for y in (gain, *after))):
            require(room.nonnegative(x), "a gain or a number of the state may be negative")
        return found

    def at(self, poly: Poly, state: Sequence[Poly]) -> Poly:
        """A polynomial in the state, at another state."""
        gens = list(self.part.room.ring.gens())
        gens[self.part.room.first_state : self.part.room.first_state + len(state)] = state
        return poly.compose(*gens)

    def kept(self, keep: Poly) -> None:
        """Checks g_j <= keep**(j-1) g_1: some outcome's gain bounds all, starts at g_1 and shrinks by keep."""
        sure = self.part.room.nonnegative
        require(sure(keep), "the keep factor may be negative")
        for bound, _ in self.outcomes:
            if (
                all(sure(bound - gain) for gain, _ in self.outcomes)
                and sure(self.first - self.at(bound, self.start))
                and all(sure(keep * bound - self.at(bound, after)) for _, after in self.outcomes)
            ):
                return
        raise InvalidInput("certificate: the gains in a row are not shown to shrink by the keep factor")

    def grown(self, rising: bool) -> None:
        """Checks g_j >= g_1, or g_j >= j g_1 where rising."""
        sure, more = self.part.room.nonnegative, self.first if rising else 0
        for bound, _ in self.outcomes:
            if (
                all(sure(gain - bound) for gain, _ in self.outcomes)
                and sure(self.at(bound, self.start) - self.first)
                and all(sure(self.at(bound, after) - bound - more) for _, after in self.outcomes)
            ):
                return
        raise InvalidInput("certificate: the gains in a row are not shown to grow")

    def positive_discount(self) -> None:
        """Checks D_1 >= D_2 >= ... > 0."""
        discount, room = self.part.fold.discount, self.part.room
        if isinstance(discount, Geometric):
            ratio, scale = room.constant(discount.ratio), room.constant(discount.scale)
            fine = room.positive(ratio) and room.positive(scale) and room.nonnegative(1 - ratio)
        elif isinstance(discount, InverseLog):
            based = discount.base is None or room.positive(room.constant(discount.base) - 1)
            fine = based and discount.shift >= 0 and discount.offset >= 0 and discount.shift + discount.offset > 0
        else:
            fine = isinstance(discount, Constant | Reciprocal)
        require(fine, "the discounts are not shown to be positive and to decrease")


# Lemmas


def _keep(read: Reader, path: str, room: Room, metric: Metric) -> Poly:
    """The keep factor: a linear form in the open parameters, as {"1": constant, parameter: coefficient}.

    In a room without these parameters they have the metric's own values.
    """
    own = metric.values
    form = read.get(f"{path}.keep", lambda v: isinstance(v, dict) and bool(v), "an object such as {'1': '1/2'}")
    total = room.ring.constant(0)
    for name, text in form.items():
        coefficient = _fraction(text, f"{path}.keep")
        known = name == "1" or name in read.document["scope"]["parameters"]
        require(known, f"{path}.keep speaks of {name!r}, which scope.parameters does not list")
        times = 1 if name == "1" else room.parameter(name) if name in room.names else own[name]
        require(times is not None, f"{path}.keep speaks of {name!r}, which is e")
        total += room.constant(coefficient) * room.constant(times)
    return total


def _first(n0: int, over: Callable[[int], int | None]) -> None:
    """Checks that n0 is the first n at which a bound is past 1, ``over`` being 1 there and 0 or -1 before."""
    require(over(n0) == 1, f"n0 is {n0}, where the lemma's bound does not decide yet")
    require(n0 == 1 or over(n0 - 1) in (0, -1), f"n0 is {n0}; expected the first n that the lemma's bound decides")


def _apply(read: Reader, metric: Metric, path: str, lemma: str, part: Part, own: Part) -> tuple[int, int | None]:
    """Applies a lemma to one part.

    Args:
        read: the certificate.
        metric: that it is about.
        path: where the numbers of the lemma are.
        lemma: its name.
        part: the fold, with the open parameters as symbols.
        own: the fold for which n0 is claimed: the same one, or that at the metric's own parameters.

    Returns:
        The sign of T - L(n) for every n >= n0, and n0; None where the lemma is a limit and there is some n0.

    """
    require(lemma not in ("mixture", "witness"), f"{path}: {lemma!r} is not a lemma about one fold")
    room, discount = part.room, part.fold.discount
    data = read.get(path, lambda v: isinstance(v, dict), "the numbers of the lemma")
    wanted = {"n0"} | ({"keep"} if lemma in ("geometric", "harmonic", "vanishing") else set())
    wanted |= {"rising"} if lemma == "growth" else set()
    wanted |= {"lemma"} if ".parts." in path else {"signs"} & set(data)
    require(set(data) == wanted, f"{path} has {sorted(data)}; expected {sorted(wanted)}")
    n0 = read.get(f"{path}.n0", lambda v: v is None or between(1, 2**1100)(v), "a whole number n >= 1, or null")
    with room.finite() if lemma == "equal" else nullcontext():  # leading coefficients do not show an exact tie
        found = _Conditions.of(part)
        found.positive_discount()
        if lemma == "equal":
            found.kept(room.ring.constant(0))
    if lemma == "cutoff":
        require(part.cutoff is not None, "the lemma 'cutoff' needs a cutoff")
        require(n0 == part.cutoff, f"n0 is {n0}; expected the cutoff {part.cutoff}")
        return 1, n0
    if lemma in ("growth", "equal"):
        require(part.cutoff is None, f"the lemma {lemma!r} speaks of metrics without a cutoff")
    if lemma == "equal":
        require(isinstance(discount, Constant) and n0 == 1, "the lemma 'equal' needs constant discounts, and n0 = 1")
        return 0, n0
    if lemma == "growth":
        rising = read.get(f"{path}.rising", lambda v: isinstance(v, bool), "true or false")
        found.grown(rising)
        _check_growth(discount, rising, n0)
        return -1, n0
    keep = _keep(read, path, room, metric)
    found.kept(keep)
    if lemma == "harmonic":
        require(isinstance(discount, Reciprocal), "the lemma 'harmonic' needs discounts 1 / i")
        require(room.nonnegative(1 - keep), "the lemma 'harmonic' needs a keep factor of at most 1")
        require(n0 == 1, f"n0 is {n0}; expected 1")
        return 1, n0
    if lemma == "geometric":
        require(isinstance(discount, Geometric), "the lemma 'geometric' needs geometric discounts")
        assert isinstance(discount, Geometric)
        ratio = room.constant(discount.ratio)
        require(room.positive(1 - ratio * keep) and room.positive(1 - ratio), "the geometric series has no sum")
        if n0 is not None:
            _first_geometric(own, _keep(read, path, own.room, metric), n0)
        return 1, n0
    require(isinstance(discount, Reciprocal | InverseLog), "the lemma 'vanishing' needs discounts 1 / i or 1 / log i")
    require(room.positive(1 - keep), "the lemma 'vanishing' needs a keep factor below 1")
    if n0 is not None:
        factor, steps = _keep(read, path, own.room, metric), own.fold.discount
        require(factor.is_constant(), "n0 depends on the parameters left open; expected null")
        rest = 1 - (factor.coeffs() or [fmpq(0)])[0]
        _first(n0, lambda n: number_sign(discount_at(steps, 1) * rest - discount_at(steps, n + 1)))
    return 1, n0


def _first_geometric(own: Part, keep: Poly, n0: int) -> None:
    discount, room = own.fold.discount, own.room
    assert isinstance(discount, Geometric)
    ratio = room.constant(discount.ratio)
    most = 10**5 if ratio.is_constant() else 64
    require(n0 <= most, f"n0 is {n0}; expected at most {most}, or null")
    _first(n0, lambda n: _strict(room, 1 - ratio * keep - ratio**n))


def _strict(room: Room, poly: Poly) -> int | None:
    return 1 if room.positive(poly) else 0 if room.nonnegative(-poly) else None


def _check_growth(discount: Discount, rising: bool, n0: int | None) -> None:
    """Checks that n D_2n (n (n + 1) D_2n / 2 where rising) increases with n and is above D_1 from n0 on."""
    require(n0 is not None, "the lemma 'growth' needs n0")
    assert n0 is not None
    if isinstance(discount, InverseLog):
        require(not isinstance(discount.base, Symbolic), "n0 depends on the base of the logarithm")
        # x / (c + log_b(2x + s)) increases where c ln b + ln(2x + s) >= 2x / (2x + s), and the right side is at most 1.
        base = arb(1).exp() if discount.base is None else arb(discount.base.numerator) / discount.base.denominator
        increasing = bool(discount.offset * base.log() + arb(2 * n0 + discount.shift).log() >= 1)
    else:
        increasing = isinstance(discount, Constant) or (isinstance(discount, Reciprocal) and rising)
    require(increasing, "the bound of the lemma 'growth' is not shown to increase with n")
    _first(
        n0,
        lambda n: number_sign(
            discount_at(discount, 2 * n) * (fmpq(n * (n + 1), 2) if rising else n) - discount_at(discount, 1)
        ),
    )


def _check_tail(
    read: Reader, metric: Metric, parts: Sequence[Part], own: Sequence[Part], axiom: ThresholdAxiom, holds: bool
) -> None:
    """Checks a claim about every large n; n0 is that of the parts in ``own``."""
    lemma = read.document["lemma"]
    if lemma == "mixture":
        given = read.get("data.parts", lambda v: isinstance(v, dict), "one lemma per part, by number")
        require(set(given) == {str(i) for i in range(1, len(parts) + 1)}, f"data.parts: expected {len(parts)} of them")
        require(set(read.document["data"]) <= {"parts", "signs"}, "data: expected parts and signs")
        tails = []
        for i, (part, at) in enumerate(zip(parts, own, strict=True), start=1):
            path = f"data.parts.{i}"
            name = read.get(f"{path}.lemma", LEMMAS.__contains__, "a lemma")
            tails.append(_apply(read, metric, path, name, part, at))
    else:
        require(len(parts) == 1, f"{read.document['metric']} mixes {len(parts)} folds; expected the lemma 'mixture'")
        tails = [_apply(read, metric, "data", lemma, parts[0], own[0])]
    side = together([sign for sign, _ in tails])
    starts = [n0 for _, n0 in tails]
    if axiom.winner == "top":
        require("signs" not in read.document["data"], "signs are not part of a claim about DeepTh")
        if holds:
            require(side == 1, "the lemma does not put the top ahead for every large n")
        else:
            require(side in (0, -1), "the lemma does not keep the top from being ahead for every large n")
        return
    require(not holds, "that CloseTh holds takes the lemma 'witness'")
    require(side in (0, 1), "the lemma does not keep the block from being ahead for every large n")
    if None in starts:
        raise InvalidInput("certificate: that CloseTh fails takes an n0, below which every n is tried")
    n0 = max(n for n in starts if n is not None)
    require(n0 - 1 <= _MOST_EXACT, f"n0 is {n0}, which leaves more than {_MOST_EXACT} n to exact arithmetic")
    found = _signs(parts, n0 - 1)
    require(None not in found, f"the sign at n = {found.index(None) + 1 if None in found else 0} is not known")
    require(-1 not in found, "the block is ahead at some n below n0")
    said = read.get("data.signs", lambda v: isinstance(v, list), "the signs for n = 1 to n0 - 1")
    require(exactly(found)(said), f"data.signs is {said}; expected {found}")


def _signs(parts: Sequence[Part], last: int) -> list[int | None]:
    """The exact sign of Q(top) - Q(block) for n = 1 to ``last``."""
    gains = [part.gains(last) for part in parts]
    return [together([part.ahead(n, g) for part, g in zip(parts, gains, strict=True)]) for n in range(1, last + 1)]


def _check_witness(read: Reader, parts: Sequence[Part], plain: Sequence[Part]) -> None:
    """Checks that m is the smallest n at which the block is ahead, and by how much.

    Args:
        read: the certificate.
        parts: with the open parameters, and the grade where it is open, as symbols.
        plain: at the metric's own values, at grade 1 where r << 1 is not assumed.

    """
    data = read.get("data", lambda v: isinstance(v, dict), "m and difference")
    require(set(data) == {"m", "difference"}, "data: expected m and difference")
    m = read.get("data.m", between(1, _MOST_EXACT), f"a whole number from 1 to {_MOST_EXACT}")
    found = _signs(parts, m)
    require(found[-1] == -1, f"the block is not ahead at m = {m} wherever the scope says")
    for n, sign in enumerate(found[:-1], start=1):
        require(sign in (0, 1), f"m is {m}; expected the smallest, and the block may be ahead at n = {n}")
    said = read.get("data.difference", lambda v: isinstance(v, list), "L(m) - T of each fold")
    require(len(said) == len(plain), f"data.difference: expected {len(plain)} of them")
    for entry, part in zip(said, plain, strict=True):
        order, value = _behind(part, m)
        exact = not isinstance(value, arb)
        keys = {"order", "value"} if exact else {"order", "above"}
        require(isinstance(entry, dict) and set(entry) == keys, f"data.difference: expected {sorted(keys)}")
        require(exactly(order)(entry["order"]), f"data.difference: expected order {order}")
        if exact:
            stated = _fraction(entry["value"], "data.difference")
            require(to_fmpq(stated) == value, f"data.difference is {stated}; expected {value}")
        else:
            least = _fraction(entry["above"], "data.difference")
            require(least > 0 and bool(value > to_fmpq(least)), f"data.difference: {least} is not below it")


def _behind(part: Part, m: int) -> tuple[int, Any]:
    """L(m) - T where nothing is a symbol but the grade: its leading order in r, and the coefficient."""
    terms = part.terms(m, part.gains(m))
    if not isinstance(terms, dict):
        terms = {tuple(int(e) for e in exponents): c for exponents, c in terms.to_dict().items()}
    if not terms:
        return 0, fmpq(0)
    order = min(e[0] for e in terms)
    return order, -sum(c for e, c in terms.items() if e[0] == order)
