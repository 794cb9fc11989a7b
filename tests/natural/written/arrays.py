"""Metric functions over arrays as people write them: nothing in them is of axiomcheck."""

import math
from functools import partial, reduce

import numpy as np
from numpy import cumprod, log2
from numpy import newaxis as na

import discounts
from discounts import PATIENCE, log_discount


def dcg(grades, weights):
    g = grades[..., 0]
    return (g / np.log2(np.arange(2, g.shape[1] + 2))).sum(axis=-1)


def dcg_times(grades, weights):
    discount = 1 / np.log2(np.arange(2, grades.shape[1] + 2))
    return np.sum(grades[:, :, 0] * discount, axis=1)


def dcg_natural_log(grades, weights):
    ranks = np.arange(1, grades.shape[1] + 1)
    return np.dot(grades[:, :, 0], np.log(2) / np.log(ranks + 1))


def dcg_math(grades, weights):
    discount = np.array([1.0 / math.log2(i + 2) for i in range(grades.shape[1])])
    return grades[..., 0] @ discount


def dcg_filled(grades, weights):
    n = grades.shape[1]
    discount = np.zeros(n)
    for i in range(n):
        discount[i] = 1 / math.log(i + 2, 2)
    total = np.zeros(len(grades))
    for b in range(len(grades)):
        total[b] = np.dot(grades[b, :, 0], discount)
    return total


def dcg_helper(grades, weights):
    return np.einsum("bn,n->b", grades[..., 0], log_discount(grades.shape[1]))


def dcg_module(grades, weights):
    d = np.asarray([discounts.one_discount(i) for i in range(1, grades.shape[1] + 1)], dtype=np.float64)
    return np.sum(d * grades[..., 0], axis=-1)


def dcg_power(grades, weights):
    return np.sum(grades[..., 0] * np.log2(np.arange(grades.shape[1]) + 2) ** -1, axis=1)


def dcg_starting_at_one(grades, weights):
    """Wrong: the discount of rank 1 is that of rank 2 as well."""
    ranks = np.arange(1, grades.shape[1] + 1)
    return (grades[..., 0] / np.log2(np.maximum(ranks, 2))).sum(axis=1)


def dcg_unranked(grades, weights):
    """Wrong: the gains are sorted before they are discounted."""
    g = np.sort(grades[..., 0], axis=1)[:, ::-1]
    return (g / np.log2(np.arange(2, g.shape[1] + 2))).sum(axis=1)


def dcg_exponential(grades, weights):
    gains = 2 ** grades[..., 0] - 1
    return np.sum(gains / np.log2(np.arange(2, gains.shape[1] + 2)), axis=1)


def dcg_exponential_power(grades, weights):
    gains = np.power(2, grades[..., 0]) - 1
    return np.sum(gains * log_discount(gains.shape[1]), axis=1)


def dcg_cut(grades, weights):
    """Wrong where it is not said: nothing below rank 3 counts."""
    top = grades[:, :3, 0]
    return np.sum(top / np.log2(np.arange(2, top.shape[1] + 2)), axis=1)


def ndcg(grades, weights, pool):
    def gain(x):
        return np.sum(x / np.log2(np.arange(2, x.shape[1] + 2)), axis=1)

    found, ideal = gain(grades[..., 0]), gain(-np.sort(-pool[..., 0], axis=1))
    return np.divide(found, ideal, out=np.zeros_like(found), where=ideal > 0)


def ndcg_where(grades, weights, pool):
    discount = 1 / np.log2(np.arange(2, pool.shape[1] + 2))
    best = np.sort(pool[..., 0], axis=1)[:, ::-1]
    ideal = (best * discount).sum(axis=1)
    found = (grades[..., 0] * discount[: grades.shape[1]]).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(ideal > 0, found / ideal, 0.0)


def ndcg_masked(grades, weights, pool):
    discount = log_discount(pool.shape[1])
    ideal = np.sort(pool[:, :, 0])[:, ::-1] @ discount
    score = grades[:, :, 0] @ discount[: grades.shape[1]]
    score[ideal == 0] = 0
    ideal[ideal == 0] = 1
    score /= ideal
    return score


def ndcg_of_itself(grades, weights):
    """Wrong: normalised by the best order of what was retrieved, so nothing retrieved badly matters."""
    discount = log_discount(grades.shape[1])
    ideal = np.sort(grades[..., 0], axis=1)[:, ::-1] @ discount
    found = grades[..., 0] @ discount
    return np.where(ideal > 0, found / np.where(ideal > 0, ideal, 1), 0)


def rbp(grades, weights):
    n = grades.shape[1]
    return 0.2 * np.sum(grades[..., 0] * 0.8 ** np.arange(n), axis=1)


def rbp_power(grades, weights):
    p = 0.8
    return (1 - p) * (np.power(p, np.arange(grades.shape[1])) * grades[:, :, 0]).sum(axis=1)


def rbp_cumprod(grades, weights):
    stays = np.full(grades.shape[1], PATIENCE)
    stays[0] = 1.0
    return (1 - PATIENCE) * grades[..., 0].dot(cumprod(stays))


def rbp_loop(grades, weights):
    score, weight = np.zeros(grades.shape[0]), 1 - 0.8
    for i in range(grades.shape[1]):
        score += weight * grades[:, i, 0]
        weight *= 0.8
    return score


def _rbp(grades, weights, p):
    return (1 - p) * np.dot(grades[..., 0], p ** np.arange(grades.shape[1]))


patient_rbp = partial(_rbp, p=0.95)


def rbp_off_by_one(grades, weights):
    """The first rank is discounted, too; as it is on every ranking alike, no axiom sees it."""
    return 0.2 * np.sum(grades[..., 0] * 0.8 ** np.arange(1, grades.shape[1] + 1), axis=1)


def rbp_rising(grades, weights):
    """Wrong: the exponents are reversed, so lower ranks count for more."""
    n = grades.shape[1]
    return 0.2 * np.sum(grades[..., 0] * 0.8 ** np.arange(n)[::-1], axis=1)


def err(grades, weights):
    g = grades[..., 0]
    reached = np.hstack([np.ones((len(g), 1)), np.cumprod(1 - g, axis=1)[:, :-1]])
    return np.sum(reached * g / np.arange(1, g.shape[1] + 1), axis=1)


def err_loop(grades, weights):
    scores = []
    for row in grades[..., 0]:
        p, score = 1.0, 0.0
        for rank, r in enumerate(row, start=1):
            score += p * r / rank
            p *= 1 - r
        scores.append(score)
    return np.array(scores)


def err_no_cascade(grades, weights):
    """Wrong: what was found before makes no difference."""
    return np.sum(grades[..., 0] / np.arange(1, grades.shape[1] + 1), axis=1)


def err_ia(grades, weights):
    reached = np.ones_like(weights)
    total = np.zeros(len(grades))
    for i in range(grades.shape[1]):
        total += (weights * reached * grades[:, i]).sum(axis=1) / (i + 1)
        reached = reached * (1 - grades[:, i])
    return total


def err_ia_prod(grades, weights):
    n = grades.shape[1]
    total = 0
    for i in range(n):
        unmet = np.prod(1 - grades[:, :i], axis=1)
        total = total + np.sum(unmet * grades[:, i] * weights, axis=-1) * (1 / (i + 1))
    return total


def precision(grades, weights):
    return (grades[:, :10, 0] > 0).sum(axis=1) / 10


def precision_count(grades, weights):
    return np.count_nonzero(grades[:, :10, 0], axis=1) / 10.0


def precision_mean(grades, weights):
    """Wrong for short rankings: divided by what was retrieved."""
    return np.mean(grades[:, :, 0] > 0, axis=1)


def average_precision(grades, weights, pool):
    rel = grades[..., 0] > 0
    hits = np.cumsum(rel, axis=1)
    at = hits / np.arange(1, rel.shape[1] + 1)
    relevant = (pool[..., 0] > 0).sum(axis=1)
    return np.where(relevant > 0, (at * rel).sum(axis=1) / np.maximum(relevant, 1), 0)


def average_precision_retrieved(grades, weights):
    """Wrong: divided by the number of relevant documents that were retrieved."""
    rel = (grades[..., 0] > 0).astype(float)
    at = np.cumsum(rel, axis=1) / np.arange(1, rel.shape[1] + 1)
    found = rel.sum(axis=1)
    return np.divide((at * rel).sum(axis=1), found, out=np.zeros(len(rel)), where=found > 0)


def reciprocal_rank(grades, weights):
    rel = grades[..., 0] > 0
    first = np.argmax(rel, axis=1)
    return np.where(rel.any(axis=1), 1 / (first + 1), 0)


def reciprocal_rank_nonzero(grades, weights):
    out = np.zeros(grades.shape[0])
    for b, row in enumerate(grades[:, :, 0]):
        (found,) = np.nonzero(row)
        if len(found):
            out[b] = 1 / (found[0] + 1)
    return out


def s_recall(grades, weights):
    return (grades > 0).any(axis=1).mean(axis=1)


def nrbp(grades, weights):
    seen = np.cumsum(grades > 0, axis=1) - (grades > 0)
    gain = (grades * 0.5**seen).sum(axis=-1)
    return (gain * 0.8 ** np.arange(grades.shape[1])).sum(axis=1)


def alpha_dcg(grades, weights):
    """Per document what is new of it, discounted by a logarithm."""
    rel = (grades > 0).astype(float)
    before = np.concatenate([np.zeros_like(rel[:, :1]), np.cumsum(rel, axis=1)[:, :-1]], axis=1)
    novel = grades * (1 - 0.5) ** before
    return (novel.sum(axis=2) / log2(np.arange(rel.shape[1]) + 2)).sum(axis=1)


def alpha_dcg_counting_itself(grades, weights):
    """The document itself counts among those before it; a constant factor of every relevant one."""
    seen = np.cumsum(grades > 0, axis=1)
    novel = grades * 0.5**seen
    return (novel.sum(axis=2) / log2(np.arange(grades.shape[1]) + 2)).sum(axis=1)


def gain_less_effort(grades, weights):
    effort = 0.05 * grades.shape[1]
    return (weights[:, na] * grades).sum(axis=(1, 2)) - effort


def sqrt_discount(grades, weights):
    return np.sum(grades[..., 0] / np.sqrt(np.arange(1, grades.shape[1] + 1)), axis=1)


def exponential_discount(grades, weights):
    return np.sum(grades[..., 0] * np.exp(-np.arange(grades.shape[1]) / 2), axis=1)


def saturating(grades, weights):
    """Gains that level off."""
    x = grades[..., 0]
    return (x / (1 + x) / np.arange(1, x.shape[1] + 1)).sum(axis=1)


def thresholded(grades, weights):
    """Wrong: what is half relevant or less counts for nothing."""
    x = np.where(grades[..., 0] > 0.5, grades[..., 0], 0.0)
    return x @ 0.9 ** np.arange(x.shape[1])


def best_of_top(grades, weights):
    """Wrong: only the best document counts."""
    return np.max(grades[..., 0], axis=1)


def median_grade(grades, weights):
    """Wrong, and by a function of numpy that few know to have a rational value."""
    return np.median(grades[..., 0], axis=1)


def folded(grades, weights):
    return reduce(lambda score, x: x + 0.5 * score, list(grades[..., 0].T)[::-1])


def correlated(grades, weights):
    """By something that no exact number has: a random number generator, seeded."""
    noise = np.random.default_rng(0).random(grades.shape[1])
    return (grades[..., 0] * noise).sum(axis=1)


def clipped(grades, weights):
    rows = np.clip(np.cumsum(grades[..., 0], axis=1), 0, 1)
    return rows.mean(axis=1)
