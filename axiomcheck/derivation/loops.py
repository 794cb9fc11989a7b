"""Run loops over unknown rankings once, and turn the numbers that they carry into states and sums."""

from __future__ import annotations

import ast
from dataclasses import replace

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import assigned_names, filled_only, has
from axiomcheck.derivation.carried_numbers import CarriedNumbers
from axiomcheck.derivation.conditions import is_at
from axiomcheck.derivation.early_exits import Exit, is_zero_without, stays_zero, until_the_end, without_exit
from axiomcheck.derivation.endings import (
    appended_once,
    counters,
    go_on_by,
    guard_of,
    is_same,
    left_out,
    without_cuts,
)
from axiomcheck.derivation.environment import Ending, Environment
from axiomcheck.derivation.forms import (
    ONE,
    ZERO,
    Form,
    Quantity,
    Underivable,
    least_of,
    number,
    of_atom,
)
from axiomcheck.derivation.growth import bounds
from axiomcheck.derivation.iterators import refuse_changes_while_read
from axiomcheck.derivation.lists_so_far import close_so_far
from axiomcheck.derivation.machine import (
    FILLED_UP,
    PADDED,
    POSITIONS,
    RANKING,
    SORTED,
    SUMMED,
    SoFar,
    Traversal,
    refuse_at_padding,
)
from axiomcheck.derivation.tables import table
from axiomcheck.derivation.values import Array, Builder, First, Loop, Value
from axiomcheck.derivation.while_loops import adds_one, counter_of, refuse_other_builtins


class Loops(CarriedNumbers):
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles loops."""

    broken: First | None = None
    """Condition that the last loop over ranks ended with a break; None if it has no break."""

    def run_for(self, statement: ast.For, env: Environment) -> First | None:
        """Run a loop, update the names in the environment, and return the value that the loop returns early, if any.

        Raises:
            Underivable: The loop is not supported.

        """
        shorter = statement if statement.orelse else until_the_end(statement)
        if shorter is not statement:
            refuse_other_builtins(env)
            self.visits.leave_out(self.files[-1], statement, shorter)
            statement = shorter
        iterable = self.value(statement.iter, env)
        refuse_changes_while_read(statement, iterable, env.find)
        iterable = self.iterated(iterable)
        if statement.orelse:
            self._run_with_else(statement, self.loop_of(iterable), env)
            return None
        counter = counter_of(statement)
        unrolled = isinstance(iterable, tuple | dict | v.ConstantTable)
        adds_another = counter and not adds_one(statement.body, counter)
        if adds_another and (unrolled or self.loop_of(iterable).axis.kind != "rank"):
            raise Underivable(f"has a while loop that does not add 1 to {counter} each time: use a for loop")
        if isinstance(iterable, v.ConstantTable) and not has(statement, ast.Return):
            trial = env.copy()
            if not isinstance(self.tried(self.unroll, statement, tuple(iterable), trial), v.Failed):
                match statement.body:  # a loop that appends one expression per constant, like a comprehension
                    case [ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [entry]))]:
                        if v.is_empty(env.names.get(name)):
                            generator = ast.comprehension(statement.target, statement.iter, [], 0)
                            listed = ast.ListComp(entry, [generator])
                            whole = self.tried(self.over, listed, listed.generators, iterable.entries, env)
                            trial.names[name] = table(tuple(v.entries(trial.names[name])), whole)
                env.names = trial.names
                return None
            # the loop reads entries of a list of this length
            axis = replace(iterable.entries.axes[0], over=PADDED)
            iterable = replace(iterable.entries, axes=(axis,))
        if isinstance(iterable, tuple | dict):
            self.unroll(statement, tuple(iterable), env)
            return None
        loop = self.loop_of(iterable)
        if loop.axis.kind == "rank":
            return self._over_ranks(statement, loop, env)
        if loop.axis == v.ONE_AXIS and loop.keep is not None:
            self.run_if_any(statement, loop, env)
            return None
        if has(statement, ast.Return):
            raise Underivable("returns from a loop over aspects or topics, which is not supported")
        self.over_entries(statement, loop, env)
        return None

    def _run_with_else(self, statement: ast.For, loop: Loop, env: Environment) -> None:
        """Run a loop over ranks that has an else branch."""
        if loop.axis.kind != "rank" or has(statement, ast.Return):
            raise Underivable("uses for ... else with a loop that is not over ranks, or with return")
        self._over_ranks(statement, loop, env)
        broken = self.broken
        otherwise = env.copy()
        for name, value in env.names.items():
            if broken is not None and is_at(value, broken):
                otherwise.names[name] = value.default
        (outcome,) = self.block(statement.orelse, otherwise)
        if outcome.kind != "next":
            raise Underivable("uses return or break in the else of a loop, which is not supported")
        for name in assigned_names(statement.orelse):
            value = outcome.names[name]
            env.names[name] = value if broken is None else self._picked_at(broken, env.names.get(name), value)

    def _picked_at(self, broken: First, value: Value, default: Value) -> First:
        """Combine a name's value after a loop that ended with a break and its value after one that ran to the end."""

        def case(x: Value, reached: bool) -> Value:
            if not isinstance(x, First):
                return x
            if not is_at(x, broken):
                return v.Failed(Underivable("chooses between the results of two loops, which is not supported"))
            return x.value if reached else x.default

        return replace(broken, value=case(value, True), default=case(default, False))

    def _over_ranks(self, statement: ast.For, loop: Loop, env: Environment) -> First | None:
        before = env.names
        over = FILLED_UP.get(loop.axis.over, loop.axis.over)
        orders = (RANKING, SORTED, SUMMED) if over == POSITIONS else (over,)
        self.refuse_worst_first(over)
        failure: Underivable | None = None
        for over in orders:
            trial = Environment(dict(before), env.lookup)
            try:
                found = self._ranks_of(statement, loop, trial, self.traversals[over])
            except Underivable as error:
                failure = failure or error
                continue
            env.names = trial.names
            return found
        assert failure is not None
        shorter = None if statement.orelse else without_exit(statement.body)  # else runs unless the loop is left early
        if shorter is None or RANKING not in orders:
            raise failure
        body, leaving = shorter
        whole = ast.copy_location(ast.For(statement.target, statement.iter, body, [], None), statement)
        self.visits.leave_out(self.files[-1], statement, whole)
        trial = Environment(dict(before), env.lookup)
        traversal = self.traversals[RANKING]
        if self.tried(self._ranks_of, whole, loop, trial, traversal, leaving) is not None:
            raise failure
        env.names = trial.names
        return None

    def _ranks_of(
        self, statement: ast.For, loop: Loop, env: Environment, traversal: Traversal, leaving: Exit | None = None
    ) -> First | None:
        mask, prefix = self.extent(loop.axis, traversal, ZERO)
        if loop.keep is not None:
            mask = mask * loop.keep
        before = self.sheltered(env.names, "rank")
        targets = assigned_names([statement.target])
        names = assigned_names(statement.body) | targets
        before = {name: self._found(x) if name in names else x for name, x in before.items() if name not in targets}
        unchanged: set[str] = set()
        own_filled = filled_only(statement.body)
        appended = own_filled & appended_once(statement.body)
        skipped, nodes = left_out(loop.keep), [node for part in statement.body for node in ast.walk(part)]
        # numbers that seem to count ranks, then those that do so outside of branches, then none
        tries = [counters(x, before) for x in ((nodes, statement.body, ()) if skipped is not None else ((),))]
        failure: Underivable | None = None
        counter = counter_of(statement)
        while True:
            if counter and tries[0].get(counter) != 1:
                raise Underivable(f"has a while loop that does not add 1 to {counter} each time: use a for loop")
            states: dict[str, Quantity] = {}
            counted = {name: (v.PLACE - number(skipped or 0)) * number(step) for name, step in tries[0].items()}
            inner = Environment(dict(before), env.lookup)
            for name in sorted(names & before.keys() - unchanged):
                inner.names[name] = self.carried(name, before[name], traversal, states, counted, name not in own_filled)
                if before[name] == () and v.is_empty(before[name]):
                    inner.names[name] = Builder(above=SoFar(traversal.name, certain=name in appended))
            entry = dict(inner.names)
            over = loop.axis.over if loop.axis.over in FILLED_UP else traversal.name
            try:
                with self.looping(replace(loop.axis, over=over)):
                    self.assign(statement.target, loop.element, inner)
                    with self.assuming(loop.keep):
                        outcomes = self.block(statement.body, inner)
            except Underivable as error:
                failure = failure or error
                tries.pop(0)
                if not tries or (counter and counter not in tries[0]):
                    raise failure from None
                continue
            inner.names = entry
            others = {x for x, step in tries[0].items() if x in states and not go_on_by(step, x, outcomes, entry)}
            if others:
                tries[0] = {name: step for name, step in tries[0].items() if name not in others}
                continue
            outcomes, cut = without_cuts(outcomes, entry, names & before.keys(), loop.keep is None)
            if not outcomes:
                raise Underivable(
                    "ends a loop in its first iteration, whatever the ranking is: put the break under an if, or remove "
                    "the loop"
                )
            still = {
                name
                for name in names & before.keys() - unchanged
                if all(is_same(o.names[name], inner.names[name]) for o in outcomes if o.kind in ("next", "continue"))
                and any(o.kind == "break" and not is_same(o.names[name], inner.names[name]) for o in outcomes)
            }
            if not still:
                break
            unchanged |= still  # a name that only changes where the loop ends has its old value at every rank
        if statement.orelse and cut != ONE:
            raise Underivable("uses for ... else with a loop that stops at a rank, which is not supported")
        mask = mask * cut
        stops = {kind: guard_of(outcomes, kind) for kind in ("break", "return")}
        if prefix is not None and any(stop != ZERO for stop in stops.values()):
            raise Underivable("exits a loop over the ranks above the current one early")
        stopping = stops["break"] + stops["return"]
        refuse_at_padding(loop.axis.over, stopping)
        alive = ONE
        if stopping != ZERO:
            going = traversal.new(ONE, stopping.each, flag=True)
            alive = of_atom(going)
            traversal.close(going, alive * (ONE - mask * stopping))
        passing = [o for o in outcomes if o.kind != "return"]
        changed = names & before.keys() - unchanged if passing else set()
        after = {name: self.named_after(passing, name) for name in sorted(changed)}
        for name, value in inner.names.items():
            close_so_far(self, value, after.get(name), mask * alive, loop.keep is None and prefix is None)
        if leaving is not None:
            steps = {
                name: v.as_array(after[name]).form - v.as_array(inner.names[name]).form
                for name in states
                if isinstance(after.get(name), Array) and not v.as_array(after[name]).axes
            }
            kept = self._unchanged_after(leaving, states, steps, env)
            changing = leaving.complete is not None and names & {
                node.id for node in ast.walk(leaving.complete) if isinstance(node, ast.Name)
            }
            if stopping != ZERO or not kept or prefix is not None or changing:
                raise Underivable("exits a loop early, which may change the score")
        broken = First(traversal.name, mask * stops["break"], True, False)
        self.broken = broken if stops["break"] != ZERO else None
        self.note_floats({states[name]: (inner.names[name], value) for name, value in after.items() if name in states})
        for name in sorted(names):
            if name not in before and self.broken is not None and stops["return"] == ZERO:
                unset = v.Failed(Underivable(f"uses {name} after a loop that sets it only at a break: set it before"))
                breaks = [o for o in outcomes if o.kind == "break"]
                value = self.named_after(breaks, name) if all(name in o.names for o in breaks) else unset
                env.names[name] = replace(self.broken, value=value, default=unset)
            elif name not in before:
                env.names[name] = v.Failed(
                    Underivable(f"uses {name} after a loop that may not set it: set it before the loop")
                )
            elif name in tries[0] and name in states and self.broken is not None and stops["return"] == ZERO:
                before_it = v.as_array(inner.names[name])
                end = replace(before_it, form=before_it.form + number(tries[0][name]))
                last = self.final(name, end, inner.names[name], states, traversal, mask, loop, prefix)
                value = self.named_after([o for o in outcomes if o.kind == "break"], name)
                env.names[name] = replace(self.broken, value=value, default=last)
            elif name in unchanged:
                env.names[name] = self._at_break(name, outcomes, before[name], traversal, mask)
            else:
                env.names[name] = self.final(
                    name, after[name], inner.names[name], states, traversal, mask * alive, loop, prefix
                )
        for name in names - kept if leaving is not None else ():
            env.names[name] = v.Failed(
                Underivable(f"uses {name} after a loop that exits early, which is not supported")
            )
        returned = [o for o in outcomes if o.kind == "return"]
        if not returned:
            return None
        if stops["break"] != ZERO:
            raise Underivable("exits a loop by both break and return, which is not supported")
        value = self.one_of(returned, [o.value for o in returned])
        return First(traversal.name, mask * stops["return"], value, None)

    def _found(self, value: Value) -> Value:
        """Convert each `First` in a tuple or dictionary to a sum over ranks, or to `Failed`; keep all other values."""
        if not isinstance(value, tuple | dict):
            return value
        return v.by_entry(lambda _, x: self.tried(self.lowered, x) if isinstance(x, First) else x, value)

    def _unchanged_after(
        self, leaving: Exit, states: dict[str, Quantity], steps: dict[str, Form], env: Environment
    ) -> set[str]:
        """Return the names whose values would stay the same if the loop kept running instead of breaking early."""
        number = states.get(leaving.number)
        if number is None or leaving.number not in steps or leaving.number in leaving.skipped:
            return set()
        if leaving.complete is None:
            factors = {number}
            if number.kind != "state" or not stays_zero(number, of_atom(number) + steps[leaving.number]):
                return set()
            start = self.traversals[RANKING].of(number).start
            update = of_atom(number) + steps[leaving.number]
            ends = bounds(update, {number}) if start.constant is not None and 0 <= start.constant <= 1 else None
            if leaving.below and (ends is None or ends[0] < 0 or ends[1] > 1):
                return set()
        else:
            value = self.value(leaving.complete, env)
            total = value if isinstance(value, Array) and not value.axes else v.scalar(ZERO)
            hit = self.relevant(total.form)
            counted = None if hit is None else v.renamed(hit, SORTED, RANKING)
            start = self.traversals[RANKING].of(number).start
            if counted is None or steps[leaving.number] != counted or start != ZERO or least_of(total.form) is not None:
                return set()
            factors = set(counted.atoms()) | {Quantity("grade", a.of, a.each) for a in counted.atoms()}
        return {name for name, step in steps.items() if is_zero_without(factors, step)} - leaving.skipped

    def _at_break(self, name: str, outcomes: list[Ending], before: Value, traversal: Traversal, mask: Form) -> Value:
        """Return the final value of a name that changes only in the step that ends the loop."""
        if any(o.kind == "return" for o in outcomes):
            raise Underivable("exits a loop by both break and return, which is not supported")
        value = self.named_after([o for o in outcomes if o.kind == "break"], name)
        return self.choose(First(traversal.name, mask * guard_of(outcomes, "break"), True, False), value, before)
