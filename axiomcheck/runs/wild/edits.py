"""The edits of real rankings as drafts of an axiom: every one, or a sample.

An axiom says what it may speak of: positions i, j, aspects t, t', incoming documents, and whether it appends. A
candidate is any choice of these. Incoming documents are those that the run has further down, as far as twice the
depth, and those that other runs have down to the depth. Of documents with the same grades one stands for all, and
counts as many times: what an axiom or a metric is shown of them is the same.

Which candidates are instances, the axiom's own premises say.

An axiom of one aspect is asked about the largest grade over aspects, an axiom of binary grades about the grades that
there are; both are told by `as_seen`, which gives a topic as one axiom sees it.
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
"""Weights are taken for multiples of 2^-40 of their sum: drafts have whole numbers for weights."""


@dataclass(frozen=True)
class Extent:
    """The edits that are looked at.

    Args:
        depth: every run is cut at this rank.
        edits: of one run, topic and axiom, at most so many different edits; of more as many are drawn.
        seed: of what is drawn.
        domain: the grades as they are, or all that are above 0 as the largest.

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
    """The documents that one run retrieved for one topic, in rank order; twice the depth, so that there is a next one.

    Args:
        codes: of each, its row of the topic's relevant documents, or that it is not relevant or not judged.

    """

    names: tuple[str, ...]
    codes: Integers


@dataclass(frozen=True)
class WildTopic:
    """One judged topic with what every run retrieved for it.

    Args:
        name: as the judgments have it.
        gains: (P, m) of the relevant documents.
        largest: the gain of the largest grade.
        judged: how many documents have a judgment.
        weights: (m,), summing to 1.
        lists: one per run, empty where the run lacks the topic.

    """

    name: str
    gains: Reals
    largest: float
    judged: int
    weights: Reals
    lists: tuple[Listed, ...]

    @cached_property
    def codes(self) -> dict[str, int]:
        """The code of every document that some run has."""
        return {
            name: code for listed in self.lists for name, code in zip(listed.names, listed.codes.tolist(), strict=True)
        }


def topics_of(qrels: Qrels, runs: Sequence[Run], options: Options, depth: int) -> list[WildTopic]:
    """Return the judged topics that some run has, in the order of the judgments.

    Raises:
        InvalidInput: options that edits have no meaning for; a grade above gmax; no topic that is judged and in a run.

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
    """Return the first documents of a run for every judged topic that it has, by the topic's place."""
    codes = np.where(ordered.documents == ABSENT, UNJUDGED, qrels.codes[ordered.documents])
    found = {}
    for place, first, last in zip(ordered.places.tolist(), ordered.bounds[:-1], ordered.bounds[1:], strict=True):
        if place != ABSENT:
            some = slice(first, min(last, first + most))
            found[place] = Listed(tuple(map(text_of, ordered.names[some].listed())), codes[some])
    return found


@dataclass(frozen=True)
class SeenTopic:
    """A topic as one axiom and metric see it.

    Args:
        gains: (P, m) of the relevant documents.
        weights: (m,) whole numbers.
        binary: whether grades are 0 and one rc.
        top: 1; rc where grades are binary.
        whole: whether every judged document is in the pool, or the relevant ones and those that are ranked.

    """

    topic: WildTopic
    gains: Reals
    weights: Integers
    binary: bool
    top: float
    whole: bool

    @property
    def aspects(self) -> int:
        """The number of aspects."""
        return len(self.weights)


def as_seen(topic: WildTopic, axiom: PairAxiom, binary: bool, whole: bool) -> SeenTopic:
    """Return a topic as one axiom and metric see it.

    Args:
        topic: the topic.
        axiom: one of one aspect sees the largest grade over aspects.
        binary: whether every grade above 0 counts as the largest.
        whole: see `SeenTopic`.

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
    """Return weights that sum to 1 as whole numbers, equal ones as equal numbers."""
    whole = np.rint(weights * 2.0**_WEIGHT_BITS).astype(np.int64)
    whole = np.maximum(whole, 1)
    reduced: Integers = whole // np.gcd.reduce(whole)
    return reduced


_PORTION = CELLS // 4
"""Numbers in the grades of the drafts that are looked at together."""


@dataclass(frozen=True)
class Candidates:
    """Candidates of one run and length: every choice of incoming documents, positions and aspects.

    Args:
        n: the ranked documents are its first n.
        documents: the size of the pool.
        incoming: names of the incoming documents, one tuple per choice of grades.
        counts: (C,) for how many choices of documents each stands.
        each: how many choices of positions and aspects there are.

    """

    run: int
    n: int
    documents: int
    incoming: tuple[tuple[str, ...], ...]
    counts: Integers
    each: int

    @property
    def size(self) -> int:
        """The number of different candidates."""
        return len(self.incoming) * self.each


@dataclass(frozen=True)
class Edits:
    """Drafts of one shape that meet an axiom's premises, with where they come from.

    Args:
        run: (B,) the number of the run.
        weight: (B,) for how many edits each stands.
        incoming: of each, the names of the incoming documents.

    """

    draft: Draft
    run: Integers
    weight: Integers
    incoming: list[tuple[str, ...]]


class WorstEdit(Record):
    """An edit by what it is made of.

    Args:
        run: the number of the run.
        margin: the score of the ranking that should be ahead, less that of the other.
        incoming: the names of the incoming documents.
        n: the ranked documents are the run's first n.
        i, j, t, u: positions and aspects, counted from 0.

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
    """The edits on one topic that an axiom speaks of.

    Args:
        candidates: how many there are.
        looked: how many of them were looked at.
        edits: those that meet the premises, by shape.

    """

    candidates: int
    looked: int
    edits: list[Edits]


def admits(axiom: PairAxiom, seen: SeenTopic) -> bool:
    """Return False if a topic contradicts the attributes of an axiom, so that nothing on it is an instance.

    An axiom with premises of its own making admits everything.
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
    """Return every edit of every run on one topic that an axiom speaks of, or those of a sample."""
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
    """Return the numbers of ranked documents that an edit may have."""
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
    """Return the number of candidates."""
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
    """Return the size of a pool: the judged documents, and the others of the run and the edit; or room for fewer."""
    if not seen.whole:
        return n + len(incoming) + len(seen.gains)
    own = seen.topic.lists[run].names[:depth]
    return seen.topic.judged + sum(seen.topic.codes[name] == UNJUDGED for name in {*own, *incoming})


def _around(seen: SeenTopic, run: int, depth: int) -> dict[str, tuple[float, ...]]:
    """Return the documents that a run may be given, with what those that are alike have in common."""
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
    """Return the first different documents of some kinds, in order, and how many such choices there are."""
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
    """Yield every candidate of every block, or as many as are looked at, drawn from all alike."""
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
    """Return those of some candidates that meet the premises."""
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
    """Return the draft of one edit again."""
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
    """Return the grades, (documents, m), of the ranked documents, the incoming ones, and the rest of the pool."""
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
