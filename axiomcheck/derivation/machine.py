"""Keep the state variables that a metric's code updates from rank to rank, and the totals after the last rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from axiomcheck.derivation.comparing import Comparisons
from axiomcheck.derivation.forms import (
    COUNTED,
    INDICATORS,
    ONE,
    RANK,
    TOTALS,
    UNKNOWN_SIGN,
    ZERO,
    Form,
    Quantity,
    Underivable,
    number,
    of_atom,
    over_aspects,
    positive,
    power,
    to_the,
)
from axiomcheck.derivation.growth import refuse_growth

RANKING, SORTED, ASCENDING, JUDGED, POSITIONS = "ranking", "sorted pool", "ascending pool", "pool", "positions"
SUMMED, SUMMED_ASCENDING = "pool sorted by weighted sums", "ascending pool by weighted sums"
LAST_FIRST = "positions, last first"
PADDED = "ranking with padding"
FILLED_UP = {PADDED: RANKING}
"""Names of the sequences over which code may loop.

They are the ranked documents; the judged documents, best first, worst first, or in any order; positions without
documents; the judged documents in the order of their grades' weighted sums; positions from the last one to the first;
and the ranked documents, padded with ranks of grade 0."""

WORST_FIRST = (ASCENDING, SUMMED_ASCENDING, LAST_FIRST)
"""Names of the sequences whose ranks are counted from the end: the last entry has rank 1."""

ALL_GRADES = "weighted sum"
"""Name of an additional aspect, on which a document's grade is the weighted sum of its grades on all aspects."""


def at_padding(form: Form) -> Form:
    """Return the value of a form at a rank without a document."""
    return form.replace(lambda atom: ZERO if atom.kind in ("grade", "hit") else None)


def refuse_at_padding(over: str, step: Form) -> None:
    """Check that ranks without documents add nothing.

    Raises:
        Underivable: Such a rank may add something.

    """
    if over in FILLED_UP and at_padding(step) != ZERO:
        raise Underivable("adds a nonzero value at padded ranks, which have no document")


def pooled(form: Form) -> Form:
    """Replace the weighted sums of a document's grades in a form by grades on `ALL_GRADES`."""
    return form.replace(_as_grade)


def _as_grade(atom: Quantity) -> Form | None:
    over = summed_grades(of_atom(atom)) if atom.kind == "sum" else None
    # in the sorted pool each aspect has an order of its own
    return None if over in (None, SORTED) else of_atom(Quantity("grade", (over, ALL_GRADES)))


def summed_grades(form: Form) -> str | None:
    """Return the sequence of a document if a form is the weighted sum of its grades; None for another form."""
    for atom in form.atoms():
        if atom.kind == "grade":
            weighted = of_atom(Quantity("weight", (), each=True)) * of_atom(atom)
            whole = atom.each and len(atom.of) == 2 and form == over_aspects(weighted)
            return str(atom.of[0]) if whole else None
    return None


@dataclass
class StateVariable:
    """Number that the code updates from rank to rank.

    Args:
        start: Value before rank 1.
        update: Value after a rank, in terms of the values before it; None until it is known.
        each: True if there is one number per aspect.
        flag: True if the number is 0 or 1.

    """

    start: Form
    update: Form | None
    each: bool
    flag: bool


@dataclass(eq=False)
class SoFar:
    """Totals of the entries that earlier steps of a loop over ranks appended to a list, or entries of a dictionary.

    Args:
        over: Sequence of the ranks.
        count: Number of the entries; None if no code reads it.
        total: Sum of the entries; None if no code reads it.
        certain: True if each step appends exactly once, outside any branch, and cannot end before it does.
        every: True if code relies on an entry for each rank.
        whole: True if code relies on entries that are integers.
        entry: For a dictionary from aspects: flag that it has the current aspect, and the number there; else None.

    """

    over: str
    count: Quantity | None = None
    total: Quantity | None = None
    certain: bool = False
    every: bool = False
    whole: bool = False
    entry: tuple[Quantity, Quantity] | None = None


@dataclass
class Traversal:
    """All states of the loops over one sequence of documents.

    Args:
        name: Name of the sequence.
        states: States by number.
        totals: States that sum a term, by (term, whether it is rounded, whether it depends on the aspect).

    """

    name: str
    states: list[StateVariable] = field(default_factory=list)
    totals: dict[tuple[Form, bool, bool], Quantity] = field(default_factory=dict)

    def new(self, start: Form, each: bool, flag: bool = False) -> Quantity:
        """Add a state, and return the atom of its value before a rank."""
        if start.at_rank:
            raise Underivable("starts an inner loop from a value that depends on the rank")
        self.states.append(StateVariable(start, None, each, flag))
        return Quantity("flag" if flag else "state", (self.name, len(self.states) - 1), each)

    def of(self, atom: Quantity) -> StateVariable:
        """Return the state variable whose value an atom is."""
        name, place = atom.of
        if name != self.name:
            raise Underivable("combines running totals of loops over two sequences")
        assert isinstance(place, int)
        return self.states[place]

    def running(self, start: Form, after: Form) -> Quantity | None:
        """Return the state with the given start and update; None if there is none yet."""
        for atom in after.atoms():
            if atom.kind in ("state", "flag") and atom.of[0] == self.name:
                state = self.of(atom)
                if state.start == start and state.update == after:
                    return atom
        return None

    def moved(self, form: Form) -> StateVariable | None:
        """Return the state variable that a form consists of if it only stores a value of the rank above, else None."""
        for atom in form.atoms():
            if atom.kind == "state" and form == of_atom(atom) and atom.of[0] == self.name:
                state = self.of(atom)
                if state.update is not None and state.start.constant is not None and atom not in state.update.atoms():
                    return state
        return None

    def close(self, atom: Quantity, update: Form) -> Form:
        """Set the update of a state, and return its value after the last rank."""
        state = self.of(atom)
        if any(a.kind in ("grade", "hit", "state", "flag") and a.of[0] != self.name for a in update.atoms()):
            raise Underivable("combines documents of two sequences in one loop")
        state.update = update
        if state.flag and not update.is_indicator():
            raise Underivable("sets a flag to a value that may be neither True nor False")
        if not state.flag:
            refuse_growth(self._known())
        return of_atom(Quantity("ended" if state.flag else "final", atom.of, atom.each))

    def _known(self) -> dict[Quantity, tuple[Form, Form]]:
        """Return (start, update) of each state, if its own update and those of all states that it reads are known."""
        atoms = {Quantity("state", (self.name, place), s.each): s for place, s in enumerate(self.states) if not s.flag}
        known = {atom: (s.start, s.update) for atom, s in atoms.items() if s.update is not None}
        while True:
            unknown = atoms.keys() - known.keys()
            complete = {atom: x for atom, x in known.items() if unknown.isdisjoint(x[1].atoms())}
            if len(complete) == len(known):
                return known
            known = complete

    def total(self, term: Form, each: bool | None = None) -> Quantity:
        """Add a state that sums a term over the ranks, and return its atom."""
        each = term.each if each is None else each
        key = (term, term.rounded, each)
        if key not in self.totals:
            atom = self.new(number(0), each)
            self.close(atom, of_atom(atom) + term)
            self.totals[key] = atom
        return self.totals[key]


_OF_WHOLE = frozenset(("final", "ended", "positive", "least", "length", "aspects", "longer", "greatest", "reciprocal"))
"""Kinds of atoms about a whole sequence."""


def factored(term: Form) -> dict[Form, Form]:
    """Factor out products that are the same at every rank; map each to the rest of the terms that contain it."""
    parts: dict[Form, Form] = {}
    for product, c in term.terms.items():
        inner = tuple((a, e) for a, e in product if a.each or a.kind not in _OF_WHOLE or of_atom(a).at_rank)
        outer = Form({tuple(item for item in product if item not in inner): Fraction(1)})
        parts[outer] = parts.get(outer, Form({}, term.rounded)) + Form({inner: c})
    return parts


class Recurrence:
    """Normal form of the state variables on which totals over one traversal depend.

    States that depend on the rank alone become expressions of the rank. Powers of counts become states. Equal states
    become one.

    Args:
        traversal: Traversal with all of its states.
        pools: True if weighted sums of grades are treated as grades.

    """

    def __init__(self, traversal: Traversal, pools: bool = False) -> None:
        self.traversal, self.pools = traversal, pools
        self._ranked: dict[tuple[Quantity, int], Form | None] = {}
        self._derived: dict[Quantity, Quantity] = {}

    def _settle(self, term: Form) -> Form:
        """Rewrite a term so that its states are components of a fold's state.

        Raises:
            Underivable: A state depends on the rank, but is neither an arithmetic nor a geometric sequence.

        """
        term = pooled(term) if self.pools else term
        for _ in range(len(self.traversal.states) + 8):
            settled = term.replace(self._settled)
            if settled == term:
                return term
            term = settled
        raise Underivable("updates numbers from rank to rank that are defined in terms of each other")

    def gain(self, final: Quantity) -> Form:
        """Return the change of a state at a rank: its value after the rank minus its value before the rank.

        In a gain that is 0 after rank k, the other states may have any values after rank k + 1.
        """
        state = self.traversal.of(final)
        assert state.update is not None
        gain = self._settle(state.update - of_atom(Quantity("flag" if state.flag else "state", final.of, final.each)))
        ends = {next((a.last_rank for a, _ in p if a.kind == "within"), 0) for p in gain.terms}
        last = max(ends, default=0) if all(ends) else 0
        return gain.replace(lambda atom: self._of_rank(atom, last) if last else None)

    def update(self, atom: Quantity, last: int = 0) -> Form:
        """Return the value of a state after a rank, where only ranks up to ``last`` matter unless it is 0."""
        update = self.traversal.of(atom).update
        assert update is not None

        def unchanging(other: Quantity) -> Form | None:
            value = self._of_rank(other, last)
            return None if value is None or value.constant is None else value

        return self._settle(update).replace(unchanging)

    def _settled(self, atom: Quantity) -> Form | None:
        if atom.kind == "state" and atom.of[0] == self.traversal.name:
            return self._of_rank(atom) or self._from_weight(atom)
        if atom.kind == "exp":
            return of_atom(self._counting(atom))
        if atom.kind == "positive":
            inner = atom.form
            ((product, _),) = inner.terms.items()
            (state, _), *_ = product
            if state.kind == "state" and state.of[0] == self.traversal.name:
                return of_atom(self._flag(atom, state))
        return None

    def _of_rank(self, atom: Quantity, last: int = 0) -> Form | None:
        """Express a state that is an arithmetic or geometric sequence by the rank; return None for other states.

        Args:
            atom: Value of the state before a rank.
            last: Last rank at which the value matters; 0 if it matters at all ranks.

        """
        if atom.kind not in ("state", "flag") or atom.of[0] != self.traversal.name:
            return None
        if (atom, last) in self._ranked:
            return self._ranked[atom, last]
        self._ranked[atom, last] = None
        state, me = self.traversal.of(atom), ((atom, 1),)
        start, update = state.start.constant, state.update
        if update is None or start is None:
            return None
        update = update.replace(lambda a: ONE if last and a.kind == "within" and a.last_rank >= last else None)
        others = Form({product: c for product, c in update.terms.items() if product != me})
        if any(a == atom for a in others.atoms()):
            return None
        factor, added = update.terms.get(me, Fraction(0)), others.constant
        if factor == 1 and added is not None:
            self._ranked[atom, last] = number(start) + (RANK - ONE) * number(added)
        elif added == 0 and factor > 0:
            ratio = of_atom(Quantity("power", (factor,))) if factor != 1 else ONE
            self._ranked[atom, last] = ratio * number(start / factor)
        return self._ranked[atom, last]

    def _from_weight(self, atom: Quantity) -> Form | None:
        """Express a state that starts at a multiple of the weight as that multiple times a new state; else None."""
        state, me = self.traversal.of(atom), (atom, 1)
        starts = {tuple((a.kind, e) for a, e in product) for product in state.start.terms}
        if starts != {(("weight", 1),)} or state.update is None:
            return None
        share = Form({tuple(i for i in p if i != me): c for p, c in state.update.terms.items() if me in p})
        if of_atom(atom) * share != state.update or any(a == atom for a in share.atoms()):
            return None
        if atom not in self._derived:
            made = self._derived[atom] = self.traversal.new(ONE, each=True)
            self.traversal.close(made, of_atom(made) * share)
        return state.start * of_atom(self._derived[atom])

    def _counting(self, atom: Quantity) -> Quantity:
        """Return the state variable that equals a constant raised to the power of a count."""
        if atom not in self._derived:
            base, counted = atom.of
            assert isinstance(base, Fraction)
            assert isinstance(counted, Quantity)
            state = self.traversal.of(counted)
            start = state.start.constant
            if start is None or start.denominator != 1 or state.update is None:
                raise Underivable("raises a constant to a power that is not an integer")
            made = self.traversal.new(power(number(base), int(start)), counted.each)
            self._derived[atom] = made
            self.traversal.close(made, to_the(number(base), state.update))
        return self._derived[atom]

    def _flag(self, atom: Quantity, counted: Quantity) -> Quantity:
        """Return a flag for a positive state. It stays set, because the state never decreases (`check_totals`)."""
        if atom not in self._derived:
            state = self.traversal.of(counted)
            assert state.update is not None
            if state.update.terms.get(((counted, 1),)) != 1:
                raise Underivable(UNKNOWN_SIGN)
            made = self.traversal.new(positive(state.start), counted.each, flag=True)
            self._derived[atom] = made
            self.traversal.of(made).update = positive(state.update)
        return self._derived[atom]


def reduced(states: Iterable[Quantity], machine: Recurrence, last: int = 0) -> list[tuple[Form, Form, Quantity]]:
    """Return (start, update, atom) of the given states and of all states that their updates need up to rank ``last``.

    Raises:
        Underivable: There are too many states.

    """
    found: dict[Quantity, tuple[Form, Form]] = {}
    pending = list(states)
    while pending:
        atom = pending.pop()
        if atom in found:
            continue
        update = machine.update(atom, last)
        found[atom] = (machine.traversal.of(atom).start, update)
        pending += [a for a in update.atoms() if a.kind in ("state", "flag")]
        if len(found) > _MOST_STATES:
            raise Underivable("updates too many variables from rank to rank")
    return [(start, update, atom) for atom, (start, update) in found.items()]


_MOST_STATES = 12


def merged(states: list[tuple[Form, Form, Quantity]]) -> dict[Quantity, Quantity]:
    """Map each state to a representative of the states with the same start and the same update."""
    groups: dict[Quantity, object] = {atom: (start, atom.kind, atom.each) for start, _, atom in states}
    while True:
        first: dict[object, Quantity] = {}
        for _, _, atom in states:
            first.setdefault(groups[atom], atom)
        same = {atom: first[groups[atom]] for _, _, atom in states}
        forms = {atom: of_atom(representative) for atom, representative in same.items()}
        finer = {atom: (groups[atom], update.replace(forms.get)) for _, update, atom in states}
        if len(set(finer.values())) == len(set(groups.values())):
            return same
        # group names stay small: each is replaced by the representative of its class
        names: dict[object, int] = {}
        groups = {atom: names.setdefault(key, len(names)) for atom, key in finer.items()}


def check_totals(traversals: Mapping[str, Traversal], compared: Comparisons) -> None:
    """Check that the states and totals that code compares with 0 are never negative.

    Raises:
        Underivable: One of them may be negative.

    """
    pending = [(atom, place) for atom, place in compared.totals.items() if isinstance(atom, Quantity)]
    checked: set[Quantity] = set()
    while pending:
        atom, place = pending.pop()
        if atom in checked:
            continue
        checked.add(atom)
        parts = [atom.form] if atom.kind == "sum" else _parts_of(traversals, atom)
        for product, c in (item for part in parts for item in part.terms.items()):
            kinds = {inner.kind for inner, _ in product}
            if c < 0 or not kinds <= {*TOTALS, *_NOT_NEGATIVE}:
                raise Underivable(f"{place}: it {UNKNOWN_SIGN}" if place else UNKNOWN_SIGN, placed=bool(place))
            pending += [(inner, place) for inner, _ in product if inner.kind in TOTALS]


_NOT_NEGATIVE = frozenset((*COUNTED, *INDICATORS, "grade", "exp"))


def _parts_of(traversals: Mapping[str, Traversal], atom: Quantity) -> list[Form]:
    """Return the start and the update of a state."""
    state = traversals[str(atom.of[0])].of(atom)
    if state.update is None:
        raise Underivable(UNKNOWN_SIGN)
    return [state.start, state.update]
