"""Check, before cells are decided, that an external metric's scores are consistent and its declarations are true.

Searches in floats that are confirmed in exact arithmetic, proofs on symbols, and arguments from a cutoff all assume
these properties. Unit tests verify them for the catalogue. Other metrics are tested here on random rankings. The tests
also detect an undeclared cutoff, and scores that depend on document names.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from string import ascii_letters
from types import CodeType, FunctionType

import numpy as np

from axiomcheck.axioms import Axiom
from axiomcheck.core.errors import MetricError
from axiomcheck.core.limits import MOST_ASPECTS, VISIBLE
from axiomcheck.core.printable import counted, printable
from axiomcheck.core.typing import Array, Reals
from axiomcheck.decide.numerical import asked
from axiomcheck.decide.sampling import generator
from axiomcheck.decide.witness import RefutedThreshold, Witness, read_any_witness
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import Derived, FoldOfFunction
from axiomcheck.metrics.fold import TOO_LONG
from axiomcheck.metrics.scores import real_scores
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.records.witnesses import ThresholdWitness
from axiomcheck.sources.abilities import why_not_rationals, why_not_series
from axiomcheck.sources.external_metrics import FloatTopic, OwnMetric, is_single, named_cases, rounding_of
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric, as_metric
from axiomcheck.sources.probes import CaseBlock, CaseRange, listed, random_block, wide_blocks, with_aspects
from axiomcheck.sources.provenance import Origin, is_genuine, origin_of
from axiomcheck.trials.fresh_process import FreshProcess, both_ways, violates

_ROWS = 4
_REPEATED = (2, 10, 50)
"""Numbers of copies of 400 rankings that are scored in one call, up to the largest calls of the search."""
_LONGEST = 12.0
"""Estimated time in seconds above which a call with copies is left out, so that slow metrics have answers soon."""


def check_metric_is_one_function(metric: Metric, small: bool, fresh: FreshProcess | None = None) -> None:
    """Check that an external metric scores by topic and ranking alone, and that its declarations are true.

    Exact scores must equal float scores. If a cutoff is declared, ranks below it must not change the score. If
    ``binary_only`` is declared, all positive grades must be equivalent. If ``single_aspect`` is declared, a metric that
    accepts further aspects must ignore them. Library adapters are not checked here, but by the contract checks.

    Args:
        metric: Metric of any kind.
        small: True if the scores are also needed as series in eps.
        fresh: Process in which the metric has scored nothing, and whose clocks can be shifted; None for no such check.

    Raises:
        MetricError: A check failed. The message says how.

    """
    origin = origin_of(metric)
    if origin in (Origin.CATALOGUE, Origin.LIBRARY) or metric.partial:
        return
    _check_repeats(metric)
    _check_batches(metric)
    if fresh is not None:
        blocks = [block.rows(slice(0, 2)) for block in _rankings(metric, 7)]
        fresh.check_scores_depend_on_no_clock(metric, [pair for block in blocks for pair in both_ways(block)])
    if origin is Origin.CLASS and not metric.numerical(False):
        _check_arithmetics(metric, small)
    _check_cutoff(metric)
    _check_binary(metric)
    _check_single_aspect(metric)


def _rankings(metric: Metric, *lengths: int) -> Iterator[CaseBlock]:
    """Yield a block of rankings of each given length, and a block of rankings with two aspects.

    The rankings have several positive grades even if the metric declares ``binary_only``.
    """
    scale, rng = replace(CaseRange.of(metric), binary=False), np.random.default_rng(7)
    fewest = _fewest_aspects(metric)
    for length, m in (*((length, fewest) for length in lengths), (lengths[0] + 1, 2)):
        if m == 1 or scale.aspects:
            block = random_block(scale, rng, _ROWS, length + 2, length, m)
            block.pool[0] = 1.0
            yield block


def _scores(metric: Metric, block: CaseBlock) -> Reals:
    return asked(metric, block.pool, block.weights, block.order)


def _check_repeats(metric: Metric) -> None:
    for block in _rankings(metric, 2, 3, 7, 20):
        first, again = (_scores(metric, block) for _ in range(2))
        if not (_alike(metric, first, again).all() if is_single(metric) else np.array_equal(first, again)):
            raise MetricError(f"{metric} scores the same rankings differently when it is called again")


def _check_batches(metric: Metric) -> None:
    """Check that scores do not depend on the number of rankings in the call or on the thread, up to rounding."""
    size, scale = 400 if metric.most_examples is None else 12, replace(CaseRange.of(metric), binary=False)
    block = random_block(scale, np.random.default_rng(11), size, 3, 3, _fewest_aspects(metric))
    began = time.perf_counter()
    whole = _scores(metric, block)
    seconds = time.perf_counter() - began
    with ThreadPoolExecutor(1) as thread:
        in_thread = thread.submit(_scores, metric, block).result()
    if not _alike(metric, whole, in_thread).all():
        raise MetricError(f"{metric} scores the same rankings differently in another thread")
    start = 0
    for count in (1, 2, 3, 4, 5, 7, 8, 16, 32, 64):
        rows = slice(start, start + count)
        if start + count > size:
            break
        if not _alike(metric, _scores(metric, block.rows(rows)), whole[rows]).all():
            raise MetricError(f"{metric}: the score of a ranking depends on the other rankings in the same call")
        start += count
    for times in _REPEATED if metric.most_examples is None else ():
        if times * seconds > _LONGEST:
            break
        rows_of_many = np.tile(np.arange(size), times)
        if not _alike(metric, _scores(metric, block.rows(rows_of_many)), whole[rows_of_many]).all():
            raise MetricError(
                f"{metric} scores rankings differently when {times * size:,} of them are scored in one call"
            )


def _wide(metric: Metric) -> Iterator[CaseBlock]:
    """Yield blocks of rankings of the sizes that searches draw, with several positive grades."""
    scale, fewest = replace(CaseRange.of(metric), binary=False), _fewest_aspects(metric)
    yield from (block for block in wide_blocks(scale, np.random.default_rng(13)) if block.aspects >= fewest)


def _check_cutoff(metric: Metric) -> None:
    cutoff = metric.cutoff
    if cutoff is None:
        return
    lengths = (cutoff + k for k in (1, 2, cutoff + 3, 160, 420))
    for block in (*_rankings(metric, *lengths), *(block for block in _wide(metric) if block.ranked > cutoff)):
        whole, cut = _scores(metric, block), _scores(metric, block.cut(cutoff))
        for row in np.flatnonzero(~_alike(metric, whole, cut)):
            raise MetricError(
                f"{metric} uses ranks below its declared cutoff {cutoff}: {counted(block.ranked, 'document')} score "
                f"{whole[row]:.6g} and the first {cutoff} of them {cut[row]:.6g}"
            )


def _check_binary(metric: Metric) -> None:
    for block in (*_rankings(metric, 3, 5, 9), *_wide(metric)) if metric.binary_only else ():
        graded, binary = _scores(metric, block), _scores(metric, replace(block, pool=np.ceil(block.pool)))
        for row in np.flatnonzero(~_alike(metric, graded, binary)):
            raise MetricError(
                f"{metric} declares binary_only but distinguishes positive grades: it scores {graded[row]:.6g}, and "
                f"{binary[row]:.6g} if every positive grade is 1"
            )


def _check_single_aspect(metric: Metric) -> None:
    if metric.applies_to_aspects():
        return
    scale, rng = replace(CaseRange.of(metric), binary=False), np.random.default_rng(17)
    for more, block in zip(cycle(range(1, MOST_ASPECTS)), (*_rankings(metric, *range(1, 9)), *_wide(metric))):
        others = with_aspects(scale, rng, block, more)
        one = _scores(metric, block)
        try:
            several = _scores(metric, others)
        except MetricError:  # the metric refuses other aspects
            continue
        for row in np.flatnonzero(~_alike(metric, one, several)).tolist():
            raise MetricError(
                f"{metric} declares single_aspect but uses other aspects: it scores {several[row]:.6g} for "
                f"{_described(others, row)}, and {one[row]:.6g} with the first aspect alone"
            )


def _described(block: CaseBlock, row: int) -> str:
    """Describe a ranking for a message: by its grades, or by its numbers of documents and aspects if there are many."""
    if block.ranked * block.aspects > _MOST_DESCRIBED:
        return f"a ranking of {counted(block.ranked, 'document')} with {counted(block.aspects, 'aspect')}"
    grades = block.pool[row, block.order[row]].tolist()
    return "[" + ", ".join(f"({','.join(f'{grade:.4g}' for grade in one)})" for one in grades) + "]"


_MOST_DESCRIBED = 48


def _check_arithmetics(metric: Metric, small: bool) -> None:
    """Check that a metric's `evaluate` and `score` agree, and that `score` is the same in every arithmetic."""
    for block in _rankings(metric, 3, 5, 20):
        scored = real_scores(metric, metric.score(Floats(), block.grades, block.weights, block.pool))
        if not _alike(metric, _scores(metric, block), scored).all():
            raise MetricError(f"{metric}: its methods evaluate and score give different scores")
    why = why_not_rationals(metric) or (why_not_series(metric) if small and not metric.binary_only else "")
    helped = "cannot be run" in why and TOO_LONG not in why
    if helped:
        why += (
            "; the kernel of a Metric must run in every arithmetic, with numbers from its argument `a` (a.discounts, "
            "a.number); otherwise, use a function over arrays, or let numerical() return why only floats are possible"
        )
    if why:
        raise MetricError(f"{metric} cannot be trusted: {why}")


def _fewest_aspects(metric: Metric) -> int:
    """Return the smallest number of aspects, 1 or 2, of topics that the metric can score.

    Raises:
        MetricError: The metric can score neither.

    """
    failure: MetricError | None = None
    for m in (1, 2) if metric.applies_to_aspects() else (1,):
        try:
            _scores(metric, listed(np.ones((1, 2, m))))
        except MetricError as error:
            failure = failure or error
        else:
            return m
    assert failure is not None
    raise failure


def _alike(metric: Metric, x: Array, y: Array) -> Array:
    return np.abs(x - y) <= rounding_of(metric) * np.maximum(1.0, np.abs(x))


RANKS = 50
"""Length of the probes, which are rankings that show undeclared cutoffs."""

_TOPICS = 24
_MORE = 10
"""Number of unranked documents in the topic of a probe."""

PROBES = RANKS + _TOPICS
"""Smallest number of probes that show an undeclared cutoff: one with a single relevant document for each rank, and some
with many relevant documents."""


def undeclared_cutoff(metric: Metric) -> int | None:
    """Find the rank below which a metric without a declared cutoff ignores all documents.

    The rank is the cutoff of the fold that is derived from a function's source. Without a fold, probes determine it.

    Returns:
        The rank, which is at most `RANKS` if probes determine it. None if a cutoff is declared, there is no such rank,
        the effect of that rank is too small to be sure, or the metric cannot score the probes.

    Raises:
        MetricError: The scores of the function differ from those of the derived fold.

    """
    if metric.cutoff is not None or metric.partial:
        return None
    if isinstance(metric, FunctionMetric | CallableMetric) and (derived := _derived(metric)) is not None:
        return derived.cutoff
    try:
        # For most metrics without a cutoff, these two rankings are enough.
        if _effects(metric, [RANKS])[0] != 0:
            return None
        effects = _effects(metric, range(1, RANKS + 1))
        counting = np.flatnonzero(effects > max(VISIBLE, 100 * metric.rounding))
        if not counting.size or effects[counting[-1] + 1 :].any():
            return None
        last = int(counting[-1]) + 1
        return last if _ignores_below(metric, last) else None
    except Exception:  # the metric fails on rankings of this length, so its cutoff is unknown
        return None


def _derived(metric: Metric) -> Derived | None:
    """Return the fold that is derived from a function's source, after comparing its scores with the function's.

    The result is None if there is no fold, the fold is only for topics with one aspect, or the function does not run in
    exact arithmetic.

    Raises:
        MetricError: The scores of the function differ from those of the derived fold.

    """
    from axiomcheck.derivation.agreement import agreeing_fold  # lazy: metrics of the catalogue do not need it

    found = agreeing_fold(metric).metric
    return None if found is None or found.one_aspect_topics else found


def as_searched(metric: Metric) -> Metric:
    """Return the metric whose scores the search compares.

    This is the fold that is derived from a function's source, because a fold scores many rankings at once. If the fold
    only gives the order of scores, it is the metric with the fold's cutoff. Without a fold, it is the result of
    `as_probed`.

    Raises:
        MetricError: The scores of the function differ from those of the derived fold.

    """
    derived = _derived(metric) if isinstance(metric, FunctionMetric | CallableMetric) else None
    if derived is None:
        return as_probed(metric)
    scored: Metric = metric
    if metric.cutoff is None and derived.cutoff is not None:
        scored = as_metric(metric, metric.canonical)
        scored.cutoff = derived.cutoff
    return scored if derived.has_other_scores else FoldOfFunction(scored, derived)


def as_searched_at_large_n(metric: Metric) -> Metric:
    """Return the metric whose scores the search for DeepTh and CloseTh compares.

    This is the fold that is derived from a function's source, or else the metric itself. A cutoff that only probes show
    is not used, because it proves nothing about large n.

    Raises:
        MetricError: The scores of the function differ from those of the derived fold.

    """
    searched = as_searched(metric)
    return searched if isinstance(searched, FoldOfFunction) else metric


def read_own_witness(document: object, metric: Metric | None = None) -> Witness | RefutedThreshold:
    """Read a witness of any kind, and confirm it with the metric whose scores the search compared.

    Args:
        document: Witness record, or a JSON object of that form.
        metric: Metric to score with; see `axiomcheck.decide.witness.read_witness` for the default.

    Raises:
        InvalidInput: The document is malformed, or the witness is not confirmed.
        MetricError: The scores of the function differ from those of the derived fold.

    """
    kind = document.get("kind") if isinstance(document, dict) else None
    about_large_n = kind == "threshold" or isinstance(document, ThresholdWitness)
    return read_any_witness(document, as_searched_at_large_n(metric) if metric and about_large_n else metric)


def as_probed(metric: Metric) -> Metric:
    """Return a copy of a metric with its undeclared cutoff, or the metric itself if it has no such cutoff.

    Without the cutoff, rankings that differ only below it would refute every strict axiom, although the metric is meant
    to stop there. Proofs use the unmodified metric. If the scores seem to be in single precision, this is recorded in
    ``dtypes`` of the metric.

    Raises:
        MetricError: The scores of the function differ from those of the derived fold.

    """
    if isinstance(metric, OwnMetric) and not is_single(metric) and _has_few_digits(metric):
        metric.dtypes.add("float32")
    if metric.cutoff is not None or metric.partial or is_genuine(metric):
        return metric
    cut = as_metric(metric, metric.canonical)  # a copy, because scoring may change the attributes of a metric
    cutoff = undeclared_cutoff(cut)
    if cutoff is None:
        return metric
    cut.cutoff = cutoff
    return cut


def _has_few_digits(metric: OwnMetric) -> bool:
    """Return True if the metric's scores seem to be computed in single precision and then converted to doubles.

    Single precision can also represent scores such as sums of halves and quarters, which use few of its digits. The
    result is False for such scores.
    """
    rng, levels = np.random.default_rng(5), metric.abilities.levels
    pool = (
        rng.random((_IRREGULAR, 4, 1)) if levels is None else rng.integers(1, levels + 1, (_IRREGULAR, 4, 1)) / levels
    )
    with suppress(MetricError):
        copied = as_metric(metric, metric.canonical)
        scores = np.unique(_scores(copied, listed(pool)))
        if len(scores) < _IRREGULAR // 2 or not np.array_equal(scores.astype(np.float32).astype(float), scores):
            return False
        digits = np.frexp(scores)[0] * 2.0**_MANY_DIGITS
        return bool((digits != np.rint(digits)).mean() > 0.5)
    return False


_IRREGULAR, _MANY_DIGITS = 12, 18


def _effects(metric: Metric, ranks: Sequence[int]) -> Array:
    """Return how much the score changes if the only relevant document is put at each of R ranks, shape (R,)."""
    size = len(ranks) + 1
    pool = np.zeros((size, RANKS + 1, 1))
    pool[:, RANKS] = 1.0
    block = listed(pool, RANKS)
    block.order[np.arange(size - 1), np.array(ranks) - 1] = RANKS
    scores = _scores(metric, block)
    return np.abs(scores[:-1] - scores[-1])


def _ignores_below(metric: Metric, last: int) -> bool:
    """Return True if scores do not change when rankings are cut off or changed below the rank ``last``."""
    scale, rng = CaseRange.of(metric), np.random.default_rng(0)
    for aspects in range(1, MOST_ASPECTS + 1) if scale.aspects else (1,):
        size = _TOPICS if aspects <= 2 else 2  # many aspects make the scores slow
        block = random_block(scale, rng, size, RANKS + _MORE, RANKS, aspects)
        scores = [_scores(metric, one) for one in (block, block.cut(last), block.changed_below(last, rng))]
        near = rounding_of(metric) if is_single(metric) else 1e-12
        if not all(np.allclose(one, scores[0], rtol=near, atol=near) for one in scores):
            return False
    return True


_USUAL = (
    *ascii_letters,
    *("0", "1", "2", "10", "007", "doc1", "doc10", "D2", "FT911-3", "clueweb12-0000tw-00-00000"),
    *("http://a.b/c?d=e", "été"),
)
_DOCUMENTS = 4
_TURNS = 3
_MOST_CALLS, _CALLS_PER_CASE = 10_000, 20
_MOST_CONSTANTS, _LONGEST_CONSTANT = 200, 60


def names_that_matter(metric: Metric, seed: int, axiom: Axiom) -> str:
    """Describe a ranking whose score changes when documents are renamed, or return an empty string if none is found.

    Names are drawn from common identifiers and from the strings in the metric's own code.

    Args:
        metric: Metric of any kind. Only a callable that receives document names can depend on them.
        seed: Seed of the search.
        axiom: Axiom to decide. Different names are drawn for each axiom.

    """
    if not isinstance(metric, CallableMetric):
        return ""
    rng = generator(seed, axiom.name, "names of documents")
    constants = list(dict.fromkeys(islice(constants_of(metric.base), _MOST_CONSTANTS)))
    usual = [name for name in _USUAL if name not in constants]
    # Each name is used several times, beginning with those in the metric's own code.
    turns = [*constants, *(name for _ in range(_TURNS) for name in rng.permutation([*constants, *usual]).tolist())]
    scale = CaseRange.of(metric)
    for number in range(min(len(turns) // _DOCUMENTS, (metric.most_examples or _MOST_CALLS) // _CALLS_PER_CASE)):
        drawn = turns[number * _DOCUMENTS : (number + 1) * _DOCUMENTS]
        if len({*drawn}) < _DOCUMENTS:  # a name may repeat where one permutation ends and the next begins
            continue
        aspects = 2 if number % 2 and scale.aspects else 1
        block = random_block(scale, rng, 1, _DOCUMENTS, _DOCUMENTS - number % 2, aspects)
        block = replace(block, pool=np.where(block.pool > 0, block.pool, 1.0))  # no grade is 0, so each document counts
        cases = [named_cases(block)[0], named_cases(replace(block, names=tuple(drawn)))[0]]
        with contextlib.suppress(Exception):  # the search encounters the same errors
            one, other = metric.score_rankings(cases)
            if abs(one - other) > rounding_of(metric) * max(1.0, abs(one)):
                ranked = [", ".join(ranking) for _, ranking in cases]
                return (
                    f"{one:.6g} for {ranked[0]}, and {other:.6g} for the same documents called {printable(ranked[1])}"
                )
    return ""


def check_names_of_witness(metric: Metric, witness: Witness) -> None:
    """Check that a counterexample is also a violation if its documents have the names that the report shows.

    Raises:
        MetricError: The counterexample is not a violation with these names.

    """
    assert isinstance(metric, CallableMetric)
    topic, instance = witness.instance.topic, witness.instance
    eps = float(witness.eps or 1)
    pool = {name: tuple(eps * float(grade) for grade in grades) for name, grades in topic.pool.items()}
    shown = FloatTopic(tuple(map(float, topic.weights)), pool)
    worse, better = metric.score_rankings([(shown, list(instance.worse)), (shown, list(instance.better))])
    if not violates(metric, witness.kind, worse, better, witness.bound):
        raise MetricError(
            f"{metric}: its scores depend on the names of documents; a {witness.kind} that was found is not a "
            f"violation if the documents are called {', '.join(pool)}"
        )


def constants_of(function: Callable[..., object]) -> Iterator[str]:
    """Yield the short strings in a function's code, in the globals that it names, and in the functions that it calls.

    Only called functions of the same module are searched.
    """
    seen: set[int] = set()
    kind = function if isinstance(function, type) else type(function)
    left: list[object] = [function, vars(kind).get("__call__")]
    while left:
        found = left.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, str) and 0 < len(found) <= _LONGEST_CONSTANT:
            yield found
        elif isinstance(found, tuple | frozenset):
            left += found
        elif isinstance(found, CodeType):
            left += found.co_consts
        elif isinstance(found, partial):
            left.append(found.func)
        elif isinstance(found, FunctionType):
            left.append(found.__code__)
            named = [found.__globals__.get(name) for name in found.__code__.co_names]
            left += [one for one in named if isinstance(one, str | tuple | frozenset)]
            left += [one for one in named if isinstance(one, FunctionType) and one.__module__ == found.__module__]
