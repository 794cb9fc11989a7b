"""Sorted grades and documents, and places of an argsort."""

GIVEN = """
class Base:
    def __init__(self, k=10):
        self.k = k

class DCG(Base):
    def __init__(self, k):
        super().__init__(k)
        self.base = 2
    def __call__(self, xs):
        return sum(x / math.log(i + 2, self.base) for i, x in enumerate(xs[: self.k]))

dcg = DCG(k=20)

def _descending(values):
    return sorted(values if isinstance(values, list) else values.values(), reverse=True)
"""

FOLLOWED = """
# sorted_documents: rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total
best = sorted(topic.pool, key=lambda d: (-topic.pool[d][0], d))
ideal = discounted([topic.pool[d][0] for d in best])
return discounted([topic.pool[d][0] for d in ranking]) / ideal if ideal > 0 else 0.0
# sorted_hits: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total
best = sorted([g[0] for g in topic.pool.values() if g[0] > 0], reverse=True)[:10]
ideal = discounted(best)
return discounted([topic.pool[d][0] for d in ranking[:10]]) / ideal if best else 0.0
# get_of_a_dictionary: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total
grades = {d: g[0] for d, g in topic.pool.items()}
best = sorted(grades, key=grades.get, reverse=True)[:10]
ideal = discounted(map(grades.get, best))
return discounted(map(grades.get, itertools.islice(ranking, 10))) / ideal if ideal > 0 else 0.0
# sorted_in_place: rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the best order
best = [g[0] for g in topic.pool.values()]
best.sort(reverse=True)
ideal = sum(g / math.log2(i + 2) for i, g in enumerate(best))
return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking)) / ideal if ideal else 0.0
# counter_of_judged_ones: rank i earns 1 / log2(i + 1) times r
rank, total = 0, 0.0
for d in ranking:
    grades = topic.pool.get(d)
    if grades is None:
        continue
    rank += 1
    total += grades[0] / math.log2(rank + 1)
return total
# from_the_end: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total of the
#   best
gains = sorted(g[0] for g in topic.pool.values())
m, n = len(gains), min(len(gains), 10)
best = sum(map(lambda g, r: gains[m - r - 1] / math.log2(r + 2), gains, range(n)))
return sum(topic.pool[d][0] / math.log2(r + 2) for r, d in enumerate(ranking) if r < 10) / best if best > 0 else 0
# sorted_by_scores_of_the_rank: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by
#   the total of the best
def dcg(labels, scores):
    gains = labels[np.argsort(scores)[::-1][:10]]
    return np.sum(gains / np.log2(np.arange(len(gains)) + 2))
labels, best = np.array([topic.pool[d][0] for d in ranking]), np.array([g[0] for g in topic.pool.values()])
return dcg(labels, 1.0 / (np.arange(len(ranking)) + 1)) / dcg(best, best)
# values_of_a_dict_or_a_list: rank i earns 1 / i times r; only ranks up to 10 count; one aspect; divided by the total of
#   the best order
found = {d: g[0] for d, g in topic.pool.items()}
best = sum(g / (i + 1) for i, g in enumerate(_descending(found)[:10]))
return sum(found[d] / (i + 1) for i, d in enumerate(ranking[:10])) / best if best > 0 else 0.0
# order_of_falling_scores: rank i earns (1/2) ** (i - 1) times 1/2 * hit
labels = np.array([1 if topic.pool[d][0] > 0 else 0 for d in ranking], dtype=int)
order = np.argsort(np.arange(len(ranking), 0, -1))[::-1]
return 0.5 * ((labels[order] >= 1) * np.power(0.5, np.arange(len(order)))).sum()
"""

REFUSED = """
# sorts_in_place_and_uses_the_result: calls sort on an array
gain, ideal = grades[:, :, 0], pool[:, :, 0]
held = ideal.copy()
_ = held.sort(axis=1)
return gain[:, 0] * (held[:, 0] > 0)
# places_before_sorting: sorts values other than the judged documents and their grades
judged = [g[0] for g in topic.pool.values()]
best = sorted(enumerate(judged, 1), key=lambda pair: -pair[1])
ideal = sum(g / place for place, g in best)
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0
# ranking_that_is_sorted: sorts documents by a key other than the grade, or documents other than the judged ones
return sum(topic.pool[d][0] / i for i, d in enumerate(sorted(ranking, key=lambda d: -topic.pool[d][0]), 1))
# order_of_another_array: indexes an array with the argsort of another array
first, second = np.array([g[0] for g in topic.pool.values()]), np.array([g[1] for g in topic.pool.values()])
best = first[np.argsort(-second)][:10]
ideal = np.sum(best / np.arange(1, len(best) + 1))
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:10], 1)) / ideal if ideal > 0 else 0.0
# order_as_a_number: combines documents of two sequences in one loop
places = np.argsort(-pool[..., 0], axis=1)
ideal = (places * np.sort(pool[..., 0], axis=1)[:, ::-1]).sum(axis=1)
return np.where(ideal > 0, grades[..., 0].sum(axis=1) / np.where(ideal > 0, ideal, 1), 0)
# order_of_relevance_alone: sorts by whether the grade is positive, which is not supported
best = sum(sorted((g[0] for g in topic.pool.values()), key=lambda g: g > 0, reverse=True)[:3])
return sum(topic.pool[d][0] for d in ranking[:3]) / best if best > 0 else 0.0
# last_place_first_plus_positions: combines a list in ascending order with one in another order
order = (np.argsort(1 / (np.arange(len(ranking)) + 1)) + np.arange(len(ranking)))[::-1]
return sum(topic.pool[d][0] * place for d, place in zip(ranking, order, strict=True))
# least_first_enumerated_and_reversed: takes the logarithm of a value that is neither a rank nor a constant
gains = sorted(g[0] for g in topic.pool.values())
best = sum(reversed([g / math.log2(i + 2) for i, g in enumerate(gains)]))
return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking)) / best if best else 0.0
# from_the_end_again: reads a list from its end in a loop that may be longer than the list
gains = sorted(g[0] for g in topic.pool.values())
best = sum(gains[len(gains) - r - 1] / math.log2(r + 2) for r in range(min(len(ranking), 10)))
return sum(topic.pool[d][0] / math.log2(r + 2) for r, d in enumerate(ranking[:10])) / best if best else 0.0
# least_first_beside_positions: reads entries of a list that is sorted in ascending order: sort it in reverse
gains = sorted(g[0] for g in topic.pool.values())
best = sum(g / math.log2(r + 2) for g, r in zip(gains, range(min(len(gains), 10)), strict=False))
return sum(topic.pool[d][0] / math.log2(r + 2) for r, d in enumerate(ranking[:10])) / best if best else 0.0
# last_place_first: indexes an array with positions that do not count up from 0: use a mask or a slice
grades, scores = np.array([topic.pool[d][0] for d in ranking]), 1 / (np.arange(len(ranking)) + 1)
grades = grades[np.argsort(scores)]
return (grades / np.log2(np.arange(len(grades)) + 2)).sum()
# worst_first_in_a_loop: reverse it, as with sorted(reverse=True)
total = 0.0
for g in sorted(x[0] for x in topic.pool.values()):
    total += g
return total
# loop_over_grade_0: loop over all documents, and test each one with if
count = 0
for d in [d for d in ranking if topic.pool[d][0] == 0]:
    count += 1
return 1 / (1 + count)
# discount_by_exp: calls exp, which is not supported: use a power of a decimal number
return sum(topic.pool[d][0] * math.exp(-i) for i, d in enumerate(ranking))
# last_places_reversed: slices documents that are in ascending or unknown order
grades, scores = np.array([topic.pool[d][0] for d in ranking]), 1 / (np.arange(len(ranking)) + 1)
return np.take(grades, np.argsort(scores)[:5][::-1]).sum()
# equal_scores_in_order: sorts values other than the grades of the judged documents
grades = np.array([topic.pool[d][0] for d in ranking])
grades = grades[np.argsort(np.zeros(len(ranking)))[::-1]]
return (grades / np.log2(np.arange(len(grades)) + 2)).sum()
# order_of_scores_that_floats_may_confuse: sorts values other than the grades of the judged documents
labels = np.array([topic.pool[d][0] for d in ranking])
return (labels[np.argsort(1e8 - 1e-7 * np.arange(len(ranking)))[::-1]] / np.arange(1, len(labels) + 1)).sum()
# order_of_scores_that_may_be_nan: sorts values other than the grades of the judged documents
gains = grades[:, :, 0]
order = np.argsort(np.arange(gains.shape[1]) + 1 / gains.sum(axis=1, keepdims=True), axis=1)
return (np.take_along_axis(gains, order, axis=1) / np.arange(1, gains.shape[1] + 1)).sum(axis=1)
"""
