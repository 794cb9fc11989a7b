"""Sums of totals over ranks with different divisors or weights."""

GIVEN = """
from math import log2

def dcg(gains, cutoff):
    return sum(g / log2(i + 1) for i, g in enumerate(gains[:cutoff], start=1))

def mean_gain(topic, document):
    return sum(w * g for w, g in zip(topic.weights, topic.pool[document], strict=True))

def share_of_best(topic, ranking, cutoff):
    best = dcg(sorted((mean_gain(topic, d) for d in topic.pool), reverse=True), cutoff)
    return dcg([mean_gain(topic, d) for d in ranking], cutoff) / best if best > 0 else 0.0

def aspects_found(topic, ranking, cutoff):
    return [any(topic.pool[d][t] > 0 for d in ranking[:cutoff]) for t in range(len(topic.weights))]

def first_relevant(hits):
    return next((1 / i for i, hit in enumerate(hits, start=1) if hit), 0.0)
"""

FOLLOWED = """
# breadth_and_depth(k=10, gamma=0.5): divided by the total of the best order; plus: rank i earns 1 times 1/2 * hit *
#   s0; s0 is 1, then s0 - hit * s0
found = aspects_found(topic, ranking, k)
return gamma * sum(found) / len(found) + (1 - gamma) * share_of_best(topic, ranking, k)
# recall_and_the_first_relevant: s0 - hit * s0; one aspect; plus: rank i earns 1 times 3/4 * hit; one aspect; divided
#   by the number of relevant
hits = [topic.pool[d][0] > 0 for d in ranking]
relevant = sum(1 for g in topic.pool.values() if g[0] > 0)
recall = sum(hits) / relevant if relevant else 0.0
return 0.75 * recall + 0.25 * first_relevant(hits)
"""

REFUSED = """
# two_cutoffs: returns several sums over ranks with different divisors or weights
found = aspects_found(topic, ranking, 5)
return 0.5 * sum(found) / len(found) + 0.5 * share_of_best(topic, ranking, 10)
# a_cutoff_of_one_part_alone: returns several sums over ranks with different divisors or weights
found = aspects_found(topic, ranking, None)
return 0.5 * sum(found) / len(found) + 0.5 * share_of_best(topic, ranking, 10)
# the_first_aspect_beside_all: returns several sums over ranks with different divisors or weights
found = aspects_found(topic, ranking, 10)
return sum(found) / len(found) + sum(1 / i for i, d in enumerate(ranking[:10], 1) if topic.pool[d][0] > 0)
# powers_beside_grades: returns several sums over ranks with different divisors or weights
relevant = sum(1 for g in topic.pool.values() if g[0] > 0)
gains = [2.0 ** topic.pool[d][0] - 1 for d in ranking]
best = dcg(sorted((2.0 ** g[0] - 1 for g in topic.pool.values()), reverse=True), None)
return dcg(gains, None) / best + sum(topic.pool[d][0] for d in ranking) / relevant if relevant else 0.0
# a_cost_beside_a_share: adds a constant to the score, which is not supported
return share_of_best(topic, ranking, 10) + 0.25
# a_product_of_two_shares: multiplies or divides sums over the ranking
found = aspects_found(topic, ranking, 10)
return sum(found) / len(found) * share_of_best(topic, ranking, 10)
# the_ratio_of_two_shares: divides by a number that is neither a constant
found = aspects_found(topic, ranking, 10)
return 1 / (1 + share_of_best(topic, ranking, 10)) + sum(found) / len(found)
# a_share_that_counts_by_the_length: the length of the ranking or the number of judged documents, which is not
#   supported
found = aspects_found(topic, ranking, None)
hits = sum(1 for d in ranking if topic.pool[d][0] > 0)
return sum(found) / len(found) + (hits / len(ranking) if ranking else 0.0)
"""
