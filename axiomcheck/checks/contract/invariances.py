"""Contract checks that some changes to a ranking or topic do not change the score, or do not lower it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from axiomcheck.checks.contract.counterexamples import compare
from axiomcheck.checks.contract.registry import Outcome, check, failed, not_applicable
from axiomcheck.core.limits import MOST_ASPECTS, VISIBLE
from axiomcheck.core.typing import Reals
from axiomcheck.metrics.derived_fold import FoldOfFunction
from axiomcheck.records.sentences import cutoff_hint
from axiomcheck.sources.probes import LONGEST, CaseBlock, random_block, with_aspects
from axiomcheck.sources.provenance import Origin
from axiomcheck.trials.consistency import as_searched, undeclared_cutoff
from axiomcheck.trials.subject import Subject

DEEPEST = 1000
"""Largest cutoff for which the ``below-cutoff`` check tries longer rankings."""


@check("renaming", group="invariances")
def renaming(subject: Subject) -> Outcome:
    """Check that renaming documents does not change the score.

    If a metric receives no document names, the documents are only reordered.
    """
    rng = subject.rng("renaming")
    pairs = []
    for block in subject.blocks:
        renamed = block
        if subject.named is not None:
            numbers = rng.permutation(9 * block.documents)[: block.documents]
            renamed = replace(block, names=tuple(f"{'zZaA'[k % 4]}-{k:03d}" for k in numbers.tolist()))
        # A library may document that the order of judgments matters, so for libraries only the names are changed.
        if subject.named is None or subject.origin is Origin.CALLABLE:
            renamed = _relisted(renamed, rng)
        pairs.append((block, renamed))
    return compare(subject, pairs, "with other document names, the same ranking has a different score")


def _relisted(block: CaseBlock, rng: np.random.Generator) -> CaseBlock:
    """Return a block with the same rankings, in which every pool lists its documents in a different order."""
    order = rng.permutation(block.documents)
    if block.documents > 1 and (order == np.arange(block.documents)).all():
        order = order[::-1].copy()
    place = np.argsort(order)
    names = tuple(block.names[k] for k in order.tolist())
    return CaseBlock(block.pool[:, order], block.weights, place[block.order], names)


@check("aspect-permutation", group="invariances")
def aspect_permutation(subject: Subject) -> Outcome:
    """Check that listing the aspects, with their weights, in another order does not change the score."""
    if not subject.scale.aspects:
        return not_applicable("it scores only one aspect")
    pairs = []
    for block in subject.blocks:
        aspects = np.arange(block.aspects)
        for order in [aspects[::-1], np.roll(aspects, -1)][: block.aspects - 1]:
            moved = replace(block, pool=block.pool[:, :, order], weights=block.weights[:, order])
            pairs.append((block, moved))
    return compare(subject, pairs, "with the aspects in another order, the score changes")


@check("below-cutoff", group="invariances")
def below_cutoff(subject: Subject) -> Outcome:
    """Check that documents below the cutoff never change a score, and the document at the cutoff sometimes does.

    Rankings are cut at the cutoff, filled with other documents below it, or changed at one rank.
    """
    cutoff = subject.metric.cutoff
    if cutoff is None:
        derived = isinstance(as_searched(subject.metric), FoldOfFunction)  # the cutoff is in the source
        hint = "" if derived else cutoff_hint(undeclared_cutoff(subject.metric))
        return not_applicable("; ".join(filter(None, ("there is no cutoff", hint))), "a cutoff declared")
    if cutoff > DEEPEST:
        return not_applicable(f"rankings with more than {DEEPEST} documents are not tried")
    rng = subject.rng("below-cutoff")
    size = min(subject.scale.share, 5 + 50_000 // (cutoff * cutoff + 1))
    pairs = []
    for m in (1, 2) if subject.scale.aspects else (1,):
        for extra in (1, 3):
            block = random_block(subject.scale, rng, size, cutoff + extra + 1, cutoff + extra, m)
            cut = block.cut(cutoff)
            lonely = _only_relevant_at(block, cutoff)
            pairs += [(cut, block), (cut, block.changed_below(cutoff, rng)), (lonely.cut(cutoff), lonely)]
    found = compare(subject, pairs, "documents below the cutoff change the score")
    if found.status != "passed":
        return found
    last, effect = _last_rank_that_counts(subject, cutoff, size)
    # If discounts become tiny, the effect of the last ranks is below the precision of floats.
    if last < cutoff and effect > VISIBLE:
        return failed(f"documents below rank {last} never change a score; declared cutoff: {cutoff}", found.cases)
    return found


def _only_relevant_at(block: CaseBlock, rank: int) -> CaseBlock:
    """Make the document at a rank the only relevant one, since some metrics ignore documents after the first hit."""
    pool = np.zeros_like(block.pool)
    pool[np.arange(block.size), block.order[:, rank - 1]] = 1.0
    return replace(block, pool=pool)


def _last_rank_that_counts(subject: Subject, cutoff: int, size: int) -> tuple[int, float]:
    """Return the last rank where replacing a document changes a score, and the largest change; (0, 0) if none."""
    block = random_block(subject.scale, subject.rng("below-cutoff, last rank"), size, cutoff + 1, cutoff, 1)
    outside = block.outside()[:, 0]
    for rank in range(cutoff, max(0, cutoff - LONGEST), -1):
        order = block.order.copy()
        order[:, rank - 1] = outside
        with_it = [block, _only_relevant_at(block, rank)]  # the document among others, and alone
        first = subject.score(with_it)
        second = subject.score([one.reordered(order) for one in with_it])
        effects = [np.abs(a.values - b.values)[a.usable & b.usable] for a, b in zip(first, second, strict=True)]
        effect = max((float(e.max()) for e in effects if e.size), default=0.0)
        if effect > 0:
            return rank, effect
    return 0, 0.0


@check("support-only", group="invariances")
def support_only(subject: Subject) -> Outcome:
    """Check that if a metric only tests whether a grade is positive, other positive grades give the same score.

    All positive grades are replaced with a single other grade, or with random grades. Random grades are needed because
    a metric that divides by the best grade in the pool, or by the score of an ideal ranking, is not affected by a
    single other grade.
    """
    if not subject.metric.binary_only:
        return not_applicable("binary_only is not declared", "a declaration of binary_only")
    if subject.scale.levels == 1:
        return not_applicable("there is only one positive grade")
    rng = subject.rng("support-only")
    highs = [replace(block, pool=np.where(block.pool > 0, 1.0, 0.0)) for block in subject.blocks]
    others = [replace(high, pool=high.pool * _positive(subject, rng, high.pool.shape)) for high in highs]
    pairs = [*((high, replace(high, pool=high.pool / 2)) for high in highs), *zip(highs, others, strict=True)]
    says = "with other positive grades, the same ranking has a different score"
    return compare(subject, pairs, says, first=subject.score(highs) * 2)


def _positive(subject: Subject, rng: np.random.Generator, shape: tuple[int, ...]) -> Reals:
    """Draw random positive grades, including tiny ones if the metric accepts any grade."""
    levels = subject.scale.levels
    if levels is not None:
        return rng.integers(1, levels + 1, shape) / levels
    return np.where(rng.random(shape) < 0.5, rng.integers(1, 5, shape) / 4, (1 - rng.random(shape)) ** 8)


@check("one-aspect", group="invariances")
def one_aspect(subject: Subject) -> Outcome:
    """Check that a metric for one aspect ignores other aspects, or refuses topics that have them."""
    if subject.metric.applies_to_aspects():
        return not_applicable("single_aspect is not declared", "a declaration of single_aspect")
    rng = subject.rng("one-aspect")
    pairs = []
    for block in subject.blocks:
        pairs += [(block, with_aspects(subject.scale, rng, block, more)) for more in (1, 2)]
    for more in range(3, MOST_ASPECTS):
        some = subject.blocks[more::MOST_ASPECTS]  # of every size
        pairs += [(block, with_aspects(subject.scale, rng, block, more)) for block in some]
    says = "with grades on another aspect, the same ranking has a different score"
    return compare(subject, pairs, says, may_refuse=True)


@check("monotone", group="invariances")
def monotone(subject: Subject) -> Outcome:
    """Check that appending a relevant document never lowers the score."""
    if not subject.metric.claims.monotone:
        return not_applicable("monotone is not declared", "a declaration of monotone")
    pairs = []
    for block in [block for block in subject.blocks if block.ranked < block.documents]:
        outside = block.outside()
        relevant = np.take_along_axis(block.pool.any(axis=2), outside, axis=1)
        rows = relevant.any(axis=1)
        if rows.any():
            added = np.take_along_axis(outside, relevant.argmax(axis=1)[:, None], axis=1)
            pairs.append((block.rows(rows), block.followed(added).rows(rows)))
    alone = [(longer.cut(0), longer.reordered(longer.order[:, -1:])) for _, longer in pairs]
    pairs = alone + pairs
    longest = max(subject.blocks, key=lambda block: block.ranked)
    for length in range(1, longest.ranked):  # a bug may affect a single length only
        relevant = np.take_along_axis(longest.pool.any(axis=2), longest.order[:, length : length + 1], axis=1)
        few = np.flatnonzero(relevant[:, 0])[: max(1, subject.scale.share // 20)]
        if few.size:
            pairs.append((longest.cut(length).rows(few), longest.cut(length + 1).rows(few)))
    return compare(subject, pairs, "appending a relevant document lowers the score", lowered=True)
