"""Turn the numbers that a loop over ranks carries into states, and find their values after the last rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import filled, filling
from axiomcheck.derivation.cutoffs import least
from axiomcheck.derivation.endings import part_of
from axiomcheck.derivation.forms import (
    ONE,
    POOL,
    ZERO,
    Form,
    Quantity,
    Underivable,
    least_of,
    of_atom,
    positive,
)
from axiomcheck.derivation.functions import LocalObject
from axiomcheck.derivation.lists_so_far import (
    by_aspect,
    held_by_aspect,
    holding,
    without_factors,
    written_once,
)
from axiomcheck.derivation.loops_over_entries import LoopsOverEntries, kind_in
from axiomcheck.derivation.machine import (
    FILLED_UP,
    JUDGED,
    POSITIONS,
    SoFar,
    Traversal,
    at_padding,
)
from axiomcheck.derivation.methods import names_only_filled
from axiomcheck.derivation.values import Array, AspectSet, Builder, First, Loop, Value


class CarriedNumbers(LoopsOverEntries):
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles carried numbers."""

    def carried(
        self,
        name: str,
        value: Value,
        traversal: Traversal,
        states: dict[str, Quantity],
        counted: Mapping[str, Form],
        stored: bool,
    ) -> Value:
        """Return the value of a name before an unknown rank: a new state variable, if the loop changes the name.

        ``counted`` holds what the ranks above add to integers, by the names of the integers.
        """
        rest = (traversal, states, counted)
        if isinstance(value, AspectSet):
            states[name] = traversal.new(value.member, self.aspect_axis == v.ASPECT_AXIS, flag=True)
            return replace(value, member=of_atom(states[name]))
        if v.is_empty(value):
            return Builder(keyed=True, above=SoFar(traversal.name)) if value == {} else Builder()
        if (inner := held_by_aspect(self, value)) is not None and not isinstance(inner, Builder):
            return holding(value, self.carried(name, inner, *rest, stored))
        if isinstance(value, LocalObject):
            own = names_only_filled(value.kind.value)
            return value.by_number(lambda k, x: self.carried(part_of(name, k), x, *rest, k not in own))
        if isinstance(value, tuple | dict):
            return v.by_entry(lambda k, x: self.carried(part_of(name, k), x, *rest, stored), value)
        if v.is_number(value) or (isinstance(value, Array) and value.rank_axis is None and value.keep is None):
            array = v.as_array(value)
            each = array.form.each or any(axis.kind == "aspect" for axis in array.axes) or self.in_aspect_loop
            states[name] = traversal.new(array.form, each, flag=array.kind == "b")
            if name in counted:
                return replace(array, form=array.form + counted[name])
            return replace(array, form=of_atom(states[name]), origin=array.memory, maker="either")
        if isinstance(value, Array) and value.rank_axis is not None and value.root is None and not stored:
            return filling(value, "rank")  # entries may be replaced one by one
        if isinstance(value, v.Failed):
            return value
        return v.Failed(
            Underivable(f"updates {name} from rank to rank, which is not supported for {v.described(value)}")
        )

    def final(
        self,
        name: str,
        after: Value,
        before: Value,
        states: dict[str, Quantity],
        traversal: Traversal,
        mask: Form,
        loop: Loop,
        prefix: str | None,
    ) -> Value:
        """Return the value of a name after the last rank."""
        atom = states.get(name)
        rest = (traversal, mask, loop, prefix)
        if isinstance(before, Builder) and before.above is not None and before.above.entry is not None:
            return self.final_by_aspect(name, after, by_aspect(self, before), before.above.entry, *rest)
        inner = held_by_aspect(self, after)
        if isinstance(inner, Builder) and type(after) is type(before) and prefix is None:
            empty = held_by_aspect(self, before)
            made = holding(after, self.final(part_of(name, "entries"), inner, empty, states, *rest))
            if isinstance(made, v.Mapping) and inner.entry is not None:
                met = mask * inner.keep
                return replace(made, keep=positive(self.over_all(traversal, met, met.each)))
            return made
        if v.are_alike(after, before):
            return v.by_entry(lambda k, x, y: self.final(part_of(name, k), x, y, states, *rest), after, before)
        if isinstance(after, LocalObject) and isinstance(before, LocalObject) and after.is_later(before):
            return after.by_number(lambda k, x, y: self.final(part_of(name, k), x, y, states, *rest), before)
        if loop.axis.over in FILLED_UP and not (isinstance(after, Array) and not after.axes):
            return v.Failed(Underivable("uses a padded list in an unsupported way; only sums of it are supported"))
        if isinstance(after, Builder):
            keep = after.keep * mask
            if keep == self.extent(loop.axis, traversal, ZERO)[0] and least_of(loop.axis.length) is not None:
                return self.built(after, loop)
            last = next((atom.last_rank for atom in keep.atoms() if keep == of_atom(atom) and atom.kind == "within"), 0)
            if last and least_of(loop.axis.length) is None:  # the list has entries for the first ranks only
                return self.built(after, replace(loop, axis=replace(loop.axis, length=least(loop.axis.length, last))))
            return self.built(after, loop, keep)
        if isinstance(after, AspectSet):
            assert atom is not None
            update = mask * after.member + (ONE - mask) * of_atom(atom)
            return replace(after, member=self._ended(traversal, atom, update, prefix))
        if isinstance(after, Array) and isinstance(before, Array) and atom is not None:
            if after.axes != before.axes and (before.axes or after.axes != (v.BATCH_AXIS,)):
                raise Underivable("changes the shape of an array from rank to rank")
            added = after.form - before.form
            update = of_atom(atom) + mask * added
            if loop.axis.over in FILLED_UP and at_padding(added) != ZERO:
                return v.Failed(Underivable("counts padded ranks, which have no document"))
            kind = before.kind if before.kind == after.kind and atom not in self.turned_to_floats else "f"
            self.mixtures += kind != before.kind and (loop.keep is not None or prefix is not None)
            if kind != before.kind:
                self.turned_to_floats.add(atom)
            self.take_as_integers(of_atom(atom) + added if kind == "i" else ZERO)
            if "b" in (before.kind, after.kind) and kind != "b":
                raise Underivable(f"sets {name} to a number and then to a boolean: write 1 and 0 for True and False")
            if before.kind != after.kind and before.axes and not before.listed:
                raise Underivable("changes the dtype of an array in a loop: create it with np.zeros")
            maker = v.maker_of(before, after)
            return replace(after, form=self._ended(traversal, atom, update, prefix), kind=kind, root=None, maker=maker)
        if v.is_number(after) and isinstance(before, Array) and atom is not None:
            return self.final(name, v.as_array(after), before, states, traversal, mask, loop, prefix)
        if isinstance(after, Array) and after.rank_axis is not None and isinstance(before, Array) and prefix is None:
            made = replace(after, form=mask * after.form + (ONE - mask) * before.form)
            made = v.as_array(filled(made, "rank"))
            ordered = traversal.name == JUDGED and loop.axis.length == POOL  # entries at the places of the documents
            axes = [replace(x, over=JUDGED) if ordered and x == v.rank_axis(POSITIONS, POOL) else x for x in made.axes]
            return replace(made, axes=tuple(axes))
        if isinstance(after, v.Failed):
            return after
        own = isinstance(after, v.SeenDocuments) and after.over == loop.axis.over and not after.member.each
        if own and prefix is None and atom is not None and traversal.of(atom).start == ZERO:
            assert isinstance(after, v.SeenDocuments)
            return v.Documents(loop.axis, after.member * mask, ordered=False, listed=False)
        return v.Failed(Underivable(f"updates {v.described(after)} from rank to rank, which is not supported"))

    def final_by_aspect(
        self,
        name: str,
        after: Value,
        before: v.Mapping | None,
        atoms: tuple[Quantity, Quantity],
        traversal: Traversal,
        mask: Form,
        loop: Loop,
        prefix: str | None,
    ) -> Value:
        """Return a dictionary with aspects as keys after the last rank."""
        keyed, (flag, number) = by_aspect(self, after), atoms
        if keyed is None or before is None or not isinstance(keyed.value, Array | int | Fraction):
            raise Underivable(f"stores values for aspects in {name} together with other keys or values")
        has, made = of_atom(flag), v.as_array(keyed.value)
        keys = mask * (ONE if keyed.keep is None else keyed.keep) + (ONE - mask) * has
        if before.zero and (keyed.zero or keyed.keep is None):  # the number is 0 where there is no key
            made = replace(made, form=without_factors(made.form, [flag], number))
        entry = self.final(name, made, before.value, {name: number}, traversal, mask, loop, prefix)
        ended = self._ended(traversal, flag, keys, prefix)
        update = mask * made.form + (ONE - mask) * of_atom(number)
        first = written_once(has, keys, of_atom(number), update)
        if first is not None and prefix is None and traversal.of(flag).start == ZERO:
            missing = v.Failed(Underivable("looks up an aspect that may be missing from the dictionary"))
            entry = First(traversal.name, first[0], replace(made, form=first[1]), missing)
        return replace(keyed, value=entry, keep=None if ended == ONE else ended)

    def note_floats(self, changes: dict[Quantity, tuple[Value, Value]]) -> None:
        """Record which numbers start as integers but become floats in a step, directly or through other such numbers.

        Args:
            changes: Values before and after a step, by the atom that represents the value before it.

        """
        kinds = {atom: (kind_in(one), kind_in(two)) for atom, (one, two) in changes.items()}
        turned = {atom for atom, (one, two) in kinds.items() if two == "f" != one}
        while turned - self.turned_to_floats:
            self.turned_to_floats |= turned
            for atom, (_, after) in changes.items():
                if kinds[atom] == ("i", "i") and not self.turned_to_floats.isdisjoint(v.as_array(after).form.atoms()):
                    turned.add(atom)

    def _ended(self, traversal: Traversal, atom: Quantity, update: Form, prefix: str | None) -> Form:
        final = traversal.close(atom, update)
        if prefix is not None:
            return of_atom(atom) if prefix == "above" else update
        if atom.kind == "flag":
            return final
        state = traversal.of(atom)
        if update == of_atom(atom):
            return state.start
        return state.start + self.over_all(traversal, update - of_atom(atom), atom.each)
