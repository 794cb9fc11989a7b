"""Edits of real rankings as drafts of an axiom, either all edits or a sample.

An axiom declares the choices it depends on: positions i, j, aspects t, t', incoming documents, and whether it appends.
A candidate is any combination of these choices. Incoming documents are documents that the run has further down, as far
as twice the depth, and documents that other runs have down to the depth. Axioms and metrics cannot distinguish
documents with the same grades, so one of them represents the others and is counted once for each.

The axiom's own premises decide which candidates are instances.

An axiom of one aspect is checked on the largest grade over aspects, and an axiom of binary grades on the grades that
exist. `as_seen` returns a topic in the form that an axiom needs.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.documents import Record
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import CELLS
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.runs.trec.lines import text_of
from axiomcheck.runs.trec.qrels import NOT_RELEVANT, UNJUDGED, Qrels
from axiomcheck.runs.trec.rankings import OrderedDocuments, gains_of, ordered_documents
from axiomcheck.runs.trec.runs import Run
from axiomcheck.runs.trec.scoring import Options, check_grades
from axiomcheck.runs.trec.table import ABSENT

_WEIGHT_BITS = 40
"""Number of bits of integer weights in drafts. Weights are rounded to multiples of 2^-40 of their sum."""


@dataclass(frozen=True)
class Extent:
    """Selection of edits to be examined.

    Args:
        depth: Rank at which every run is cut.
        edits: Maximum number of different edits of one run, topic and axiom; if there are more, a sample is drawn.
        seed: Seed of the sample.
        domain: ``graded`` keeps the grades; ``binary`` replaces every positive grade by the largest grade.

    """

    depth: int = 20
    edits: int = 5000
    seed: int = 0
    domain: Domain = Domain.GRADED

    def __post_init__(self) -> None:
        for name in ("depth", "edits"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"{name} {getattr(self, name)}: expected 1 or more")


@dataclass(frozen=True)
class Listed:
    """Documents that one run retrieved for one topic, in rank order, down to twice the depth.

    The extra documents may enter the ranking.

    Args:
        codes: Row of each document among the topic's relevant documents, or a code for a document that is not relevant
            or not judged.

    """

    names: tuple[str, ...]
    codes: Integers


@dataclass(frozen=True)
class WildTopic:
    """Judged topic with the documents that every run retrieved for it.

    Args:
        name: Name, as in the judgments.
        gains: Gains of the relevant documents, shape (P, m).
        largest: Gain of the largest grade.
        judged: Number of judged documents.
        weights: Weights of the aspects, shape (m,), summing to 1.
        lists: One list per run, empty if the run lacks the topic.

    """

    name: str
    gains: Reals
    largest: float
    judged: int
    weights: Reals
    lists: tuple[Listed, ...]

    @cached_property
    def codes(self) -> dict[str, int]:
        """Code of every document that some run has."""
        return {
            name: code for listed in self.lists for name, code in zip(listed.names, listed.codes.tolist(), strict=True)
        }


def topics_of(qrels: Qrels, runs: Sequence[Run], options: Options, depth: int) -> list[WildTopic]:
    """Return the judged topics that some run has, in the order of the judgments.

    Raises:
        InvalidInput: An option has no meaning for edits, a grade is above gmax, or no topic is both judged and in a
            run.

    """
    if options.ties == "metric":
        raise InvalidInput("ties metric: an edit is of a ranking without ties; expected another rule")
    if options.targets:
        raise InvalidInput("targets: a metric has one T on all topics here; expected none")
    if options.level != 1 or options.depth is not None:
        raise InvalidInput("level and max results are not for edits; expected none, and --depth for where runs are cut")
    if options.highest in ("topic", "aspect"):
        raise InvalidInput(f"gmax {options.highest}: an edit needs one largest grade; expected file or a number")
    check_grades(qrels, options)
    highest = options.highest if isinstance(options.highest, int) else qrels.highest
    largest = float(gains_of(np.array([highest]), options.gain, highest)[0])
    skip = options.unjudged == "skip"
    listed = [_lists(ordered_documents(run, qrels, options.ties, skip, None), qrels, 2 * depth) for run in runs]
    nothing = Listed((), np.zeros(0, dtype=np.int64))
    out = []
    for topic, place in qrels.topics.items():
        if any(topic in run.topics for run in runs):
            gains = gains_of(qrels.of_topic(qrels.grades, place), options.gain, highest)
            lists = tuple(own.get(place, nothing) for own in listed)
            judged, weights = int(qrels.judged[place]), qrels.weights_of(place)
            out.append(WildTopic(text_of(topic), gains, largest, judged, weights, lists))
    if not out:
        raise InvalidInput("no topic of the runs is judged; expected at least one")
    return out


def _lists(ordered: OrderedDocuments, qrels: Qrels, most: int) -> dict[int, Listed]:
    """Return the first documents of a run for each judged topic, by the topic's index."""
    codes = np.where(ordered.documents == ABSENT, UNJUDGED, qrels.codes[ordered.documents])
    found = {}
    for place, first, last in zip(ordered.places.tolist(), ordered.bounds[:-1], ordered.bounds[1:], strict=True):
        if place != ABSENT:
            some = slice(first, min(last, first + most))
            found[place] = Listed(tuple(map(text_of, ordered.names[some].listed())), codes[some])
    return found


@dataclass(frozen=True)
class SeenTopic:
    """Topic in the form that one axiom and metric need.

    Args:
        gains: Gains of the relevant documents, shape (P, m).
        weights: Integer weights, shape (m,).
        binary: True if grades are 0 and one rc.
        top: Largest grade: 1, or rc if grades are binary.
        whole: True if the pool has every judged document, False if it has only the relevant and the ranked documents.

    """

    topic: WildTopic
    gains: Reals
    weights: Integers
    binary: bool
    top: float
    whole: bool

    @property
    def aspects(self) -> int:
        """Number of aspects."""
        return len(self.weights)


def as_seen(topic: WildTopic, axiom: PairAxiom, binary: bool, whole: bool) -> SeenTopic:
    """Return a topic in the form that one axiom and metric need.

    Args:
        topic: Topic.
        axiom: Axiom. If it has one aspect, the largest grade over aspects is used.
        binary: True if every positive grade counts as the largest.
        whole: See `SeenTopic`.

    """
    gains, weights = topic.gains, whole_weights(topic.weights)
    if axiom.max_aspects == 1 and len(weights) > 1:
        gains, weights = gains.max(axis=1, keepdims=True), np.ones(1, dtype=np.int64)
    if binary:
        gains = np.where(gains > 0, topic.largest, 0.0)
    fixed = binary or axiom.binary
    top = float(gains.max(initial=0.0)) if fixed else 1.0
    return SeenTopic(topic, gains, weights, binary, top or 1.0, whole)


def whole_weights(weights: Reals) -> Integers:
    """Return weights that sum to 1 as integers; equal weights become equal integers."""
    whole = np.rint(weights * 2.0**_WEIGHT_BITS).astype(np.int64)
    whole = np.maximum(whole, 1)
    reduced: Integers = whole // np.gcd.reduce(whole)
    return reduced


_PORTION = CELLS // 4
"""Maximum number of grades in the drafts of one batch."""


@dataclass(frozen=True)
class Candidates:
    """Candidates of one run and length: every choice of incoming documents, positions and aspects.

    Args:
        n: Number of ranked documents, which are the run's first n.
        documents: Size of the pool.
        incoming: Names of the incoming documents, one tuple per choice of grades.
        counts: Number of choices of documents that each tuple represents, shape (C,).
        each: Number of choices of positions and aspects for each tuple.

    """

    run: int
    n: int
    documents: int
    incoming: tuple[tuple[str, ...], ...]
    counts: Integers
    each: int

    @property
    def size(self) -> int:
        """Number of different candidates."""
        return len(self.incoming) * self.each


@dataclass(frozen=True)
class Edits:
    """Drafts of one shape that meet an axiom's premises, with their origin.

    Args:
        run: Index of each draft's run, shape (B,).
        weight: Number of edits that each draft represents, shape (B,).
        incoming: Names of the incoming documents of each draft.

    """

    draft: Draft
    run: Integers
    weight: Integers
    incoming: list[tuple[str, ...]]


class WorstEdit(Record):
    """Edit with the worst violation, identified by its choices.

    Args:
        run: Index of the run.
        margin: Score of the ranking that should be ahead minus the score of the other ranking.
        incoming: Names of the incoming documents.
        n: Number of ranked documents, which are the run's first n.
        i, j, t, u: Positions and aspects, counted from 0.

    """

    run: int
    margin: float
    incoming: list[str]
    n: int
    i: int
    j: int
    t: int
    u: int


@dataclass(frozen=True)
class TopicEdits:
    """Edits on one topic that an axiom applies to.

    Args:
        candidates: Number of candidates.
        looked: Number of examined candidates.
        edits: Edits that meet the premises, by shape.

    """

    candidates: int
    looked: int
    edits: list[Edits]


def admits(axiom: PairAxiom, seen: SeenTopic) -> bool:
    """Return False if a topic contradicts the attributes of an axiom, so that it has no instance.

    An axiom that overrides `premises` admits every topic.
    """
    if type(axiom).premises is not PairAxiom.premises:
        return True
    m = seen.aspects
    if m < axiom.min_aspects or (axiom.max_aspects is not None and m > axiom.max_aspects):
        return False
    pool = Candidates(0, 0, len(seen.gains), (), np.ones(1, dtype=np.int64), 1)
    draft = _draft(axiom, seen, pool, seen.gains[None], {name: np.zeros(1, dtype=np.int64) for name in "ijtu"})
    return all(met.all() for _, met in axiom.stated(draft))


def edits_of(axiom: PairAxiom, seen: SeenTopic, extent: Extent) -> TopicEdits:
    """Return the edits of all runs on one topic that an axiom applies to, or a sample of them."""
    candidates = [_count(axiom, seen, run, extent.depth) for run in range(len(seen.topic.lists))]
    if not admits(axiom, seen):
        return TopicEdits(sum(candidates), sum(candidates), [])
    looked, found = 0, dict[Shape, list[Edits]]()
    for run in range(len(candidates)):
        blocks = list(_blocks(axiom, seen, run, extent.depth))
        for block, chosen in _drawn(blocks, extent, f"{seen.topic.name} {run} {axiom.name}"):
            looked += int(block.counts[chosen // block.each].sum())
            step = max(1, _PORTION // max(1, block.documents * seen.aspects))
            for start in range(0, len(chosen), step):
                some = _instances(axiom, seen, block, chosen[start : start + step])
                if some.draft.size:
                    found.setdefault(some.draft.shape, []).append(some)
    return TopicEdits(sum(candidates), looked, [_joined(parts) for parts in found.values()])


def _joined(parts: list[Edits]) -> Edits:
    return Edits(
        Draft.join([part.draft for part in parts]),
        np.concatenate([part.run for part in parts]),
        np.concatenate([part.weight for part in parts]),
        [names for part in parts for names in part.incoming],
    )


def _lengths(axiom: PairAxiom, listed: Listed, depth: int) -> range:
    """Return the possible numbers of ranked documents of an edit."""
    length = min(len(listed.names), depth)
    fewest = max(1, axiom.min_ranked)
    return range(fewest, min(length, depth - 1) + 1) if axiom.appends else range(max(fewest, length), length + 1)


def _each(axiom: PairAxiom, seen: SeenTopic, n: int) -> int:
    """Return the number of choices of positions and aspects."""
    each = 1
    for name in axiom.choices:
        each *= n if name in "ij" else seen.aspects
    return each


def _count(axiom: PairAxiom, seen: SeenTopic, run: int, depth: int) -> int:
    """Return the number of candidates of one run."""
    listed = seen.topic.lists[run]
    around = set(_around(seen, run, depth))
    return sum(
        math.perm(len(around - set(listed.names[:n])), len(axiom.incoming)) * _each(axiom, seen, n)
        for n in _lengths(axiom, listed, depth)
    )


def _blocks(axiom: PairAxiom, seen: SeenTopic, run: int, depth: int) -> Iterator[Candidates]:
    """Yield the candidates of one run, by length and by size of the pool."""
    listed = seen.topic.lists[run]
    around = _around(seen, run, depth)
    for n in _lengths(axiom, listed, depth):
        ranked = set(listed.names[:n])
        classes: dict[tuple[float, ...], list[str]] = {}
        for name, kind in around.items():
            if name not in ranked:
                classes.setdefault(kind, []).append(name)
        chosen: dict[int, list[tuple[tuple[str, ...], int]]] = {}
        for kinds in product(classes, repeat=len(axiom.incoming)):
            names, count = _of_kinds(classes, kinds)
            if count:
                size = _pool_size(seen, run, n, names, depth)
                chosen.setdefault(size, []).append((names, count))
        for size, both in chosen.items():
            incoming, counts = zip(*both, strict=True)
            yield Candidates(run, n, size, incoming, np.array(counts, dtype=np.int64), _each(axiom, seen, n))


def _pool_size(seen: SeenTopic, run: int, n: int, incoming: tuple[str, ...], depth: int) -> int:
    """Return the size of a pool: all judged documents, and the unjudged documents of the run and the edit.

    If ``seen.whole`` is False, the pool has room only for the ranked, the incoming and the relevant documents.
    """
    if not seen.whole:
        return n + len(incoming) + len(seen.gains)
    own = seen.topic.lists[run].names[:depth]
    return seen.topic.judged + sum(seen.topic.codes[name] == UNJUDGED for name in {*own, *incoming})


def _around(seen: SeenTopic, run: int, depth: int) -> dict[str, tuple[float, ...]]:
    """Return the documents that a run may receive, each with its class of interchangeable documents."""
    out: dict[str, tuple[float, ...]] = {}
    own = seen.topic.lists[run]
    others = [listed for number, listed in enumerate(seen.topic.lists) if number != run]
    for listed, last in ((own, 2 * depth), *((listed, depth) for listed in others)):
        for name, code in zip(listed.names[:last], listed.codes[:last].tolist(), strict=True):
            if name not in out:
                blank = (float(code if seen.whole else NOT_RELEVANT),)
                out[name] = tuple(seen.gains[code].tolist()) if code >= 0 else blank
    return out


def _of_kinds(
    classes: dict[tuple[float, ...], list[str]], kinds: tuple[tuple[float, ...], ...]
) -> tuple[tuple[str, ...], int]:
    """Return the first distinct documents of the given classes, in order, and the number of choices like it."""
    names: list[str] = []
    count = 1
    for place, kind in enumerate(kinds):
        before = kinds[:place].count(kind)
        count *= len(classes[kind]) - before
        if count <= 0:
            return (), 0
        names.append(classes[kind][before])
    return tuple(names), count


def _drawn(blocks: list[Candidates], extent: Extent, what: str) -> Iterator[tuple[Candidates, Integers]]:
    """Yield every candidate of every block, or a uniform sample of the maximum size."""
    sizes = [block.size for block in blocks]
    total = sum(sizes)
    if total <= extent.edits:
        yield from ((block, np.arange(block.size)) for block in blocks)
        return
    rng = np.random.default_rng([extent.seed & (2**64 - 1), zlib.crc32(what.encode())])
    numbers = np.sort(rng.choice(total, extent.edits, replace=False))
    ends = np.cumsum(sizes)
    for block, end in zip(blocks, ends.tolist(), strict=True):
        inside = numbers[(numbers >= end - block.size) & (numbers < end)] - (end - block.size)
        if len(inside):
            yield block, inside


def _instances(axiom: PairAxiom, seen: SeenTopic, block: Candidates, chosen: Integers) -> Edits:
    """Return the candidates that meet the premises."""
    choice, rest = np.divmod(chosen, block.each)
    columns = {name: np.zeros(len(chosen), dtype=np.int64) for name in "ijtu"}
    for name in reversed(axiom.choices):
        rest, columns[name] = np.divmod(rest, block.n if name in "ij" else seen.aspects)
    kinds, place = np.unique(choice, return_inverse=True)
    grades = np.stack([_grades(seen, block, block.incoming[kind]) for kind in kinds])
    draft = _draft(axiom, seen, block, grades[place.reshape(-1)], columns)
    met = np.flatnonzero(axiom.premises(draft))
    return Edits(
        draft.pick(met),
        np.full(len(met), block.run),
        block.counts[choice[met]],
        [block.incoming[kind] for kind in choice[met]],
    )


def edit_of(axiom: PairAxiom, seen: SeenTopic, edit: WorstEdit, depth: int) -> Draft:
    """Reconstruct the draft of one edit from its choices."""
    incoming = tuple(edit.incoming)
    size = _pool_size(seen, edit.run, edit.n, incoming, depth)
    block = Candidates(edit.run, edit.n, size, (incoming,), np.ones(1, dtype=np.int64), 1)
    columns = {name: np.array([getattr(edit, name)]) for name in "ijtu"}
    return _draft(axiom, seen, block, _grades(seen, block, incoming)[None], columns)


def _draft(
    axiom: PairAxiom, seen: SeenTopic, block: Candidates, grades: Reals, columns: Mapping[str, Integers]
) -> Draft:
    size = len(grades)
    return Draft(
        shape=Shape(block.documents, seen.aspects, block.n),
        grades=grades,
        weights=np.tile(seen.weights, (size, 1)),
        top=np.full(size, seen.top),
        binary=seen.binary or axiom.binary,
        **columns,
    )


def _grades(seen: SeenTopic, block: Candidates, incoming: tuple[str, ...]) -> Reals:
    """Return the grades, shape (documents, m), of ranked documents, incoming documents, and the rest of the pool."""
    listed = seen.topic.lists[block.run]
    codes = [*listed.codes[: block.n].tolist(), *(seen.topic.codes[name] for name in incoming)]
    out = np.zeros((block.documents, seen.aspects))
    unused = np.ones(len(seen.gains), dtype=bool)
    for row, code in enumerate(codes):
        if code >= 0:
            out[row] = seen.gains[code]
            unused[code] = False
    rest = seen.gains[unused]
    out[len(codes) : len(codes) + len(rest)] = rest
    return out
