"""Derive a fold from the source of a user's function by interpreting it on an unknown ranking.

This is possible if the score is a sum over ranks of a discount times a gain. The gain may depend on the document's
grades and on state variables that a loop updates from rank to rank. The sum may be divided by its value for the ideal
ranking, or by the number of relevant documents.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from types import FunctionType, MethodType

from axiomcheck.derivation import values as v
from axiomcheck.derivation.calls import call, method
from axiomcheck.derivation.comparing import Comparisons, recorded_comparisons
from axiomcheck.derivation.forms import ONE, Form, Quantity, Underivable, of_atom
from axiomcheck.derivation.functions import Function, LocalObject, UserObject, paired
from axiomcheck.derivation.greedy import in_greedy_order
from axiomcheck.derivation.interpreter import Interpreter
from axiomcheck.derivation.machine import JUDGED, RANKING, SORTED, check_totals
from axiomcheck.derivation.methods import refuse_leaks
from axiomcheck.derivation.scores import Score, divided
from axiomcheck.derivation.source import exact_value, large_numbers
from axiomcheck.derivation.source import place_of as place_of_line
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import Derived, DerivedMetric, DerivedSum
from axiomcheck.metrics.parameters import Numeric
from axiomcheck.numbers.natural import Number
from axiomcheck.numbers.open_numbers import open_numbers
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.keyword_parameters import arguments_at
from axiomcheck.sources.natural.reading import read_again
from axiomcheck.sources.natural.running import place_of
from axiomcheck.sources.natural.same_reading import Unreadable


@dataclass(frozen=True)
class Derivation:
    """Result of `derive`.

    Args:
        metric: Metric whose scores the derived fold defines; None if no fold was derived.
        why_not: Reason why no fold was derived, with the line of the code. If a fold was derived for topics with one
            aspect only, this is the reason why none was derived for several.

    """

    metric: Derived | None
    why_not: str = ""


def open_names(metric: Metric) -> list[str]:
    """Return the names of the parameters that a derivation can leave open: numbers whose values are between 0 and 1."""
    fractions = (p.name for p in metric.declared if isinstance(p, Numeric) and not p.whole)
    is_class = isinstance(getattr(metric, "base", None), type)  # objects of a class have fixed parameter values
    named = [name for name in fractions if name.isascii() and not _NOTATION.fullmatch(name)]
    return [] if is_class else [name for name in named if 0 < metric.values[name] < 1]


_NOTATION = re.compile(r"i|r|hit|s\d+")
"""Names in the text of a fold, for the rank, the grade, a positive grade and the state."""


def derive(metric: Metric, opened: Sequence[str] = ()) -> Derivation:
    """Derive the fold of a user's function from its source.

    Args:
        metric: Metric of any kind. Folds are derived only for functions of arrays or of (topic, ranking).
        opened: Names of parameters that may take any value between 0 and 1. The others keep the metric's own values.

    """
    if not isinstance(metric, FunctionMetric | CallableMetric) or metric.lower:
        return Derivation(
            None, "it is not a function of arrays, or of a topic and a ranking, for which larger scores are better"
        )
    try:
        # read again, because a name that the function uses may have a different value now
        exact = read_again(metric.base)
    except Unreadable as error:
        return Derivation(None, str(error))
    except Exception as error:  # any exception of the recompiled file
        return Derivation(None, f"its file cannot be run on exact numbers: {place_of(error)}")
    general = _derivation(metric, exact, opened, single=False)
    if general.metric is not None:
        return general
    found = _derivation(metric, exact, opened, single=True).metric
    if found is None:
        return general
    found.one_aspect_topics = not metric.single_aspect
    return Derivation(found, general.why_not)


def _derivation(
    metric: FunctionMetric | CallableMetric, exact: object, opened: Sequence[str], single: bool
) -> Derivation:
    """Derive a fold for topics with one aspect if ``single`` is True, else for any number of aspects."""
    try:
        with recorded_comparisons() as compared:
            found = _metric_of(metric, exact, opened, compared, single)
    except Underivable as error:
        return Derivation(None, str(error))
    except RecursionError:
        return Derivation(None, "its code is nested too deeply")
    except (ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, TypeError, ValueError) as error:
        # the interpreter met a value that none of its rules expects, so there is no derivation
        return Derivation(None, f"its code is not understood ({type(error).__name__}: {error})")
    found.label = metric.canonical
    found.binary_only = metric.binary_only
    found.compared = tuple(sorted(compared.ranks))
    found.large_numbers = large_numbers(metric.base)
    return Derivation(found)


def is_fold_at(found: Derived, metric: Metric) -> bool:
    """Return True if a fold with open parameters is also a function's fold at the function's own parameter values.

    The fold is derived again at these values, where floats may lose digits that they keep elsewhere.
    """
    if not found.values:
        return True
    closed = derive(metric).metric
    return closed is not None and closed.text == found.closed(metric.values).text


def _metric_of(
    metric: FunctionMetric | CallableMetric, exact: object, opened: Sequence[str], compared: Comparisons, single: bool
) -> Derived:
    if not set(opened) <= set(open_names(metric)):
        if isinstance(metric.base, type):
            raise Underivable(
                "it is a class, whose objects have fixed parameter values; only a function can leave them open"
            )
        raise Underivable(f"it has no parameters {', '.join(opened)} that can be any numbers between 0 and 1")
    run = Interpreter(call, method, in_greedy_order)
    run.aspect_axis = v.ONE_AXIS if single else v.ASPECT_AXIS
    arguments: list[v.Value]
    if isinstance(metric, CallableMetric):
        arguments = [v.UnknownTopic(single), v.Documents(v.rank_axis(RANKING))]
    else:
        aspects, aspect = run.aspect_axis, 0 if single else None
        grades, pool = (
            v.Array((v.BATCH_AXIS, v.rank_axis(over), aspects), v.grade(over, aspect), root="argument")
            for over in (RANKING, JUDGED)
        )
        weight = ONE if single else of_atom(Quantity("weight", (), each=True))
        weights = v.Array((v.BATCH_AXIS, aspects), weight, root="argument")
        arguments = [grades, weights]
        if metric.needs_pool:
            arguments.append(pool)
    function, keywords, bound = metric.base, dict[str, v.Value](), dict[str, v.Value]()
    if callable(exact):
        keywords = {k: exact_value(x, k) for k, x in arguments_at(exact, metric.given, Number).items()}
        keywords |= arguments_at(exact, open_numbers(opened), lambda x: x)
    if isinstance(function, type) and isinstance(exact, type):  # a new object for each call
        made = run.call(paired(function, exact, function.__name__), [], keywords)
        assert isinstance(made, LocalObject)
        if not isinstance(run.tried(refuse_leaks, made.kind.value, made.attributes), v.Failed):
            made = replace(made, changing=True, dropped=True)  # nothing refers to it after the call
        callee, keywords = made.attribute("__call__"), {}
    else:
        callee, bound = _callee(function, exact)
    found = run.call(callee, arguments, bound | keywords)
    updates = [state.update for state in run.traversals[SORTED].states if state.update is not None]
    if run.reads_hits_only and any(atom.kind == "grade" for update in updates for atom in update.atoms()):
        raise Underivable(
            "orders documents by whether their grade is positive, and then reads their grades in this order"
        )
    try:
        derived = _fold_of_value(run, found)
        check_totals(run.traversals, compared)
    except Underivable as error:
        if error.placed or not isinstance(callee, Function) or callee.function is None:
            raise
        ends = [node.lineno for node in ast.walk(callee.definition) if isinstance(node, ast.Return)]
        line = error.line or max(ends, default=callee.definition.lineno)
        raise Underivable(f"{place_of_line(callee.function, line)}: it {error}") from None
    if opened and isinstance(derived, DerivedSum):
        raise Underivable(
            "returns several sums over ranks with different divisors or weights, which are derived only "
            "for the function's own parameters"
        )
    derived.open_at({name: metric.values[name] for name in opened})
    derived.visits = run.visits
    return derived


def _fold_of_value(run: Interpreter, found: v.Value) -> Derived:
    """Convert the value that a function returns on an unknown ranking to a metric that is a fold."""
    if isinstance(found, v.First):
        found = run.lowered(found)
    if isinstance(found, v.Failed):
        raise found.error
    score = v.as_array(found)
    if score.axes not in ((), (v.BATCH_AXIS,)):
        raise Underivable("returns an array that does not have one score per ranking: sum over the other axes")
    return _fold_of(run, score.form)


def _fold_of(run: Interpreter, score: Form) -> Derived:
    """Convert a score to a fold over grades or their weighted sums, or to a sum of several such folds.

    A single fold may lack a factor that depends on the topic.
    """
    try:
        return _one_fold_of(run, score, (True, False))
    except Underivable as failure:
        parts = divided(score)
        if len(parts) < 2:
            raise
        made = [run.tried(_one_fold_of, run, part, (True,)) for part in parts]
        folds = [fold for fold in made if isinstance(fold, DerivedMetric) and fold.base is None and not fold.cost()]
        if len(folds) < len(parts) or len({(fold.cutoff, fold.reads_one_aspect) for fold in folds}) > 1:
            raise failure from None
        return DerivedSum(sorted(folds, key=lambda fold: fold.text))


def _one_fold_of(run: Interpreter, score: Form, wholes: Sequence[bool]) -> DerivedMetric:
    """Convert a score to one fold, which may lack a factor that depends on the topic if ``wholes`` contains False."""
    failure: Underivable | None = None
    for relevant, whole, pools in product((False, True), wholes, (False, True)):
        made = Score(run, pools, relevant)
        try:
            return made.metric(score) if whole else made.metric_of_topic(score)
        except Underivable as error:
            failure = failure or error
    assert failure is not None
    raise failure


def _callee(function: object, exact: object) -> tuple[v.Value, dict[str, v.Value]]:
    """Unwrap functools.partial and bound methods; return the function to call and its bound keyword arguments."""
    if type(function) is partial and type(exact) is partial:
        inner, keywords = _callee(function.func, exact.func)
        if function.args:
            raise Underivable("is a functools.partial with positional arguments: pass them by keyword")
        return inner, keywords | {k: exact_value(x, k) for k, x in exact.keywords.items()}
    if isinstance(function, FunctionType):
        return Function(function, exact), {}
    owner, again = getattr(function, "__self__", function), getattr(exact, "__self__", exact)
    found = UserObject(owner, again).attribute(getattr(function, "__name__", "__call__"))
    if isinstance(function, MethodType) and getattr(found, "function", None) is not function.__func__:
        raise Underivable("is a bound method, but its object has a different attribute under the method's name")
    return found, {}
