"""Sums of several totals that are no sum of folds with one cutoff; each docstring has a part of the reason."""

from tests.natural.idioms.sums_followed import aspects_found, dcg, share_of_best


def two_cutoffs(topic, ranking):
    """returns several sums over ranks with different divisors or weights"""
    found = aspects_found(topic, ranking, 5)
    return 0.5 * sum(found) / len(found) + 0.5 * share_of_best(topic, ranking, 10)


def a_cutoff_of_one_part_alone(topic, ranking):
    """returns several sums over ranks with different divisors or weights"""
    found = aspects_found(topic, ranking, None)
    return 0.5 * sum(found) / len(found) + 0.5 * share_of_best(topic, ranking, 10)


def the_first_aspect_beside_all(topic, ranking):
    """returns several sums over ranks with different divisors or weights"""
    found = aspects_found(topic, ranking, 10)
    return sum(found) / len(found) + sum(1 / i for i, d in enumerate(ranking[:10], 1) if topic.pool[d][0] > 0)


def powers_beside_grades(topic, ranking):
    """returns several sums over ranks with different divisors or weights"""
    relevant = sum(1 for g in topic.pool.values() if g[0] > 0)
    gains = [2.0 ** topic.pool[d][0] - 1 for d in ranking]
    best = dcg(sorted((2.0 ** g[0] - 1 for g in topic.pool.values()), reverse=True), None)
    return dcg(gains, None) / best + sum(topic.pool[d][0] for d in ranking) / relevant if relevant else 0.0


def a_cost_beside_a_share(topic, ranking):
    """adds a constant to the score, which is not supported"""
    return share_of_best(topic, ranking, 10) + 0.25


def a_product_of_two_shares(topic, ranking):
    """multiplies or divides sums over the ranking"""
    found = aspects_found(topic, ranking, 10)
    return sum(found) / len(found) * share_of_best(topic, ranking, 10)


def the_ratio_of_two_shares(topic, ranking):
    """divides by a sum of different terms"""
    found = aspects_found(topic, ranking, 10)
    return 1 / (1 + share_of_best(topic, ranking, 10)) + sum(found) / len(found)


def a_share_that_counts_by_the_length(topic, ranking):
    """the length of the ranking or the number of judged documents, which is not supported"""
    found = aspects_found(topic, ranking, None)
    hits = sum(1 for d in ranking if topic.pool[d][0] > 0)
    return sum(found) / len(found) + (hits / len(ranking) if ranking else 0.0)
