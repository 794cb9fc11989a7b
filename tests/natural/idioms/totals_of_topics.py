"""Scores divided by a total or a count of the topic."""

GIVEN = """
class M2:
    def __init__(self, x):
        self.n = 1
        if x > 0:
            self.n = 2
"""

FOLLOWED = """
# smallest_place: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
places = np.where(np.array([topic.pool[d][0] > 0 for d in ranking]))[0]
return 1.0 / (places.min() + 1) if len(places) else 0.0
# at_most_so_many: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; only ranks up to 10 count; one
#   aspect; times
hit, count = grades[:, :10, 0] > 0, (pool[:, :, 0] > 0).sum(axis=1)
precision = np.cumsum(hit, axis=1) / np.cumsum(np.ones_like(hit, dtype=float), axis=1)
return (precision * hit).sum(axis=1) / np.maximum(np.minimum(count, 10), 1)
# ideal_at_another_cutoff: rank i earns 1 / log2(i + 1) times hit; only ranks up to 10 count; one aspect; times a
#   positive constant
n_rel = sum(1 for g in topic.pool.values() if g[0] > 0)
ideal = sum(1 / math.log2(i + 2) for i in range(min(n_rel, 5)))
return (
    sum((topic.pool[d][0] > 0) / math.log2(i + 2) for i, d in enumerate(ranking[:10])) / ideal if n_rel > 0 else 0
)
# graded_sum_by_an_ideal_of_hits: rank i earns 1 / log2(i + 1) times r; one aspect; times a positive constant per topic
n_rel = sum(1 for g in topic.pool.values() if g[0] > 0)
ideal = sum(1 / math.log2(i + 2) for i in range(n_rel))
return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking)) / ideal if n_rel > 0 else 0
# aspects_that_something_covers: rank i earns 1 times 1/5 * hit; only ranks up to 5 count; all aspects alike; times a
#   positive constant
covered = (pool > 0).any(axis=1).sum(axis=1)
found = (grades[:, :5] > 0).sum(axis=(1, 2))
return np.divide(found, covered * 5, out=np.zeros(len(grades)), where=covered > 0)
# harmonic_mean(k=5): rank i earns 1 times 2/5 * hit; only ranks up to 5 count; one aspect; times a positive constant
#   per topic
relevant = {d for d, g in topic.pool.items() if g[0] > 0}
hits = len(set(ranking[:k]) & relevant)
precision = hits / k
recall = hits / len(relevant) if relevant else 0.0
if precision + recall == 0:
    return 0.0
return 2 * precision * recall / (precision + recall)
# ideal_plus_very_little(k=5): rank i earns 1 / log2(i + 1) times r; only ranks up to 5 count; one aspect; times a
#   positive constant
ideal = sorted((g[0] for g in topic.pool.values()), reverse=True)[:k]
idcg = sum(g / math.log2(i + 2) for i, g in enumerate(ideal))
return sum(topic.pool[d][0] / math.log2(i + 2) / (idcg + 1e-12) for i, d in enumerate(ranking[:k]))
# none_without_relevant: one aspect; times a positive constant per topic; for topics with a relevant document
total = sum(1 for grades in topic.pool.values() if grades[0] > 0)
if total == 0:
    return None
return sum(1 for d in ranking if topic.pool[d][0] > 0) / (total * len(topic.pool))
# one_without_relevant: only ranks up to 5 count; one aspect; divided by the number of relevant documents; for topics
#   with a relevant
relevant = _relevant(topic)
return len(relevant.intersection(ranking[:5])) / len(relevant) if relevant else 1.0
# unguarded_arrays: divided by the total of the best order; for topics with a relevant document
best = np.sort(pool[..., 0], axis=1)[:, ::-1]
discounts = 1 / np.log2(np.arange(pool.shape[1]) + 2)
with np.errstate(all="ignore"):
    return (grades[..., 0] * discounts[: grades.shape[1]]).sum(axis=1) / (best * discounts).sum(axis=1)
# shares_at_each_rank: rank i earns 1 times hit; only ranks up to 20 count; one aspect; divided by the number of
#   relevant documents
relevant = _relevant(topic)
hits = [1 if d in relevant else 0 for d in ranking[:20]]
return (np.cumsum(hits, dtype=float) / len(relevant))[-1] if relevant else 0.0
# clip_of_a_count: divided by the number of relevant documents
return (grades[:, :5, 0] > 0).sum(axis=1) / (pool[:, :, 0] > 0).sum(axis=1).clip(1, None)
# quotient_of_constants_and_counts: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided
#   by the number
def ratio(a, b):
    return a / b if b != 0 else 0.0
relevant = sum(1 for g in topic.pool.values() if g[0] > 0)
hits, total = 0, 0.0
for i, d in enumerate(ranking, 1):
    if topic.pool[d][0] > 0:
        hits += 1
        total += ratio(hits, i)
return ratio(total, relevant)
# true_and_false_positives: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0
rel = (grades[:, :, 0] > 0).astype(float)
found, others = np.cumsum(rel, axis=1), np.cumsum(1 - rel, axis=1)
known = np.maximum((pool[:, :, 0] > 0).sum(axis=1), 1)
return (rel * found / (found + others)).sum(axis=1) / known
# mean_over_aspects_with_relevant: rank i earns 1 times hit; only ranks up to 5 count; one aspect; times a positive
#   constant per topic
found = []
for t in range(len(topic.weights)):
    relevant = [d for d, g in topic.pool.items() if g[t] > 0]
    if relevant:
        found.append(sum(d in relevant for d in ranking[:5]) / min(len(relevant), 5))
return float(np.mean(found)) if found else 0.0
"""

REFUSED = """
# guarded_by_logarithms: tests a condition on sums over the ranking
best = np.sort(pool[..., 0], axis=1)[:, ::-1]
spread = (best * np.log(np.arange(1, best.shape[1] + 1))).sum(axis=1)
return np.where(spread > 0, grades[..., 0].sum(axis=1), 0)
# total_times_its_inverse: multiplies and divides by the same total, which may be 0
some = ((pool[..., 0] > 0) * (np.arange(pool.shape[1]) < 60)).sum(axis=1)
return np.nan_to_num(grades[..., 0].sum(axis=1) * some / some)
# mean_by_discounts: divides the score by a total over the judged documents or the ranking, which is not supported
return np.average(grades[..., 0], axis=1, weights=1 / np.arange(1, grades.shape[1] + 1))
# best_of_each_aspect: divides by a total in which documents of grade 0 count
best = (np.sort(pool, axis=1)[:, ::-1] * weights[:, None]).sum(axis=2)
ideal = (best / np.arange(1, best.shape[1] + 1)).sum(axis=1)
found = (np.einsum("bnm,bm->bn", grades, weights) / np.arange(1, grades.shape[1] + 1)).sum(axis=1)
return np.divide(found, ideal, out=np.zeros_like(found), where=ideal > 0)
# divided_by_the_first_aspect: divides by a sum over the judged documents other than the number of relevant documents
n = sum(1 for g in topic.pool.values() if g[0] > 0)
found = sum(sum(w * g for w, g in zip(topic.weights, topic.pool[d])) / i for i, d in enumerate(ranking, 1))
return found / n if n > 0 else 0.0
# less_than_the_topic: divides by a number that is neither a constant
known = sum(g[0] for g in topic.pool.values())
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / (known - 2) if known > 0 else 0
# costs_where_nothing_is_relevant: subtracts a cost from a normalised total
relevant = sum(1 for grades in topic.pool.values() if grades[0] > 0)
return sum(topic.pool[d][0] - 0.01 for d in ranking) / relevant if relevant else 0.0
# mean_with_the_other_guard: divides by a number that is neither a constant
hits, known = _hits(topic, ranking[:5]), _hits(topic, topic.pool)
if known == 0 or hits / 5 + hits / known > 0:
    return hits / 5
return (hits / 5) * (hits / known) / (hits / 5 + hits / known)
# quotient_of_another_aspect: multiplies the score by the inverse of a sum with totals
known = (pool[:, :, 0] > 0).sum(axis=1)
return (grades[:, :5, 1] > 0).sum(axis=1) / (known + 1)
# divided_by_itself_or_little: divides the score by the larger of a total and a number
hits = _hits(topic, ranking[:5])
return hits / max(float(hits), 1e-9)
# none_for_aspects_without_relevant: divides by a total that is 0 if no document is relevant: return 0 in that case
#   first
total = 0.0
for t, weight in enumerate(topic.weights):
    count = sum(1 for grades in topic.pool.values() if grades[t] > 0)
    total += weight * sum(1 for d in ranking if topic.pool[d][t] > 0) / count
return total
# mean_of_what_is_found: divides the score by a total over the judged documents or the ranking
hits = [d for d in ranking if topic.pool[d][0] > 0]
precisions = [(n + 1) / (i + 1) for n, i in enumerate(i for i, d in enumerate(ranking) if d in hits)]
return np.mean(precisions) if precisions else 0.0
# guarded_by_early_hits: divides the score by the smaller of a number of documents and a constant
relevant = _first_relevant(topic)
if _hits(topic, ranking[:5]) == 0:
    return 0.0
return _hits(topic, ranking) / min(len(relevant), 10)
# intersection_of_a_list: calls intersection on a list or set of documents, which is not supported
relevant = [d for d in topic.pool if topic.pool[d][0] > 0]
return len(relevant.intersection(ranking))
# list_and_set: it computes with a list or set of documents, which is not supported
return len(ranking & {d for d in topic.pool if topic.pool[d][0] > 0})
# positives_of_half: divides by a number that is neither a constant
rel = (grades[:, :, 0] > 0).astype(float)
return (rel / (np.cumsum(rel, axis=1) + np.cumsum(1 - grades[:, :, 0], axis=1) + 1)).sum(axis=1)
# some_of_another_count: tests a condition on sums over the ranking
rel, top = (grades[:, :, 0] > 0).astype(int), (grades[:, :3, 0] > 0).astype(int)
return np.where(top.sum(axis=1) > 0, 1 / (np.argmax(rel, axis=1) + 1), 0.0)
# a_constant_over_0: uses an axis that is not a constant, or that the array does not have
x, y = grades[:, :10, 0], np.sort(pool[..., 0], axis=1)[:, ::-1][:, :10]
dcg = (1 / np.log2(np.arange(x.shape[1]) + 2)).sum(axis=1)
idcg = (y / np.log2(np.arange(y.shape[1]) + 2)).sum(axis=1)
with np.errstate(all="ignore"):
    return np.nan_to_num(dcg / idcg)
# attribute_set_on_a_branch: multiplies the score by the inverse of a sum with totals
m = M2(sum(topic.pool[d][0] for d in ranking))
return sum(topic.pool[d][0] for d in ranking) / m.n
# guard_of_another_aspect: tests a condition on sums over the ranking
n_rel = sum(1 for g in topic.pool.values() if g[0] > 0)
other = sum(1 for g in topic.pool.values() if g[1] > 0)
return sum((topic.pool[d][0] > 0) / (i + 1) for i, d in enumerate(ranking)) / n_rel if other > 0 else 0
"""
