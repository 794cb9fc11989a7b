"""Arrays indexed by the numbers of documents."""

GIVEN = """
def numbers_of(topic):
    return {d: i for i, d in enumerate(topic.pool)}

def truth_of(topic):
    return np.array([g[0] for g in topic.pool.values()])

def at_numbers(values, number, ranking):
    return sum(values[number[d]] / i for i, d in enumerate(ranking, start=1))
"""

FOLLOWED = """
# array_indexed_by_numbers_of_documents: rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the
#   best order
number = numbers_of(topic)
truth = np.zeros(len(number))
for d, g in topic.pool.items():
    truth[number[d]] = g[0]
gains, best = truth[[number[d] for d in ranking]], truth[np.argsort(-truth)]
ideal = np.sum(best / np.log2(np.arange(2, len(best) + 2)))
return np.sum(gains / np.log2(np.arange(2, len(gains) + 2))) / ideal if ideal > 0 else 0.0
# table_indexed_by_numbers_of_documents: rank i earns 1 / i times r; aspects by weight
number, table = numbers_of(topic), np.array(list(topic.pool.values()))
rows = table[np.array([number[d] for d in ranking])]
return ((rows / np.arange(1, len(rows) + 1)[:, None]).sum(axis=0) * np.array(topic.weights)).sum()
# ones_at_numbers_of_documents: rank i earns 1 times 1/10 * hit; only ranks up to 10 count; one aspect
number, truth = numbers_of(topic), np.zeros(len(topic.pool), dtype=np.int32)
truth[[number[d] for d in {d for d, g in topic.pool.items() if g[0] > 0}]] = 1
return truth[[number[d] for d in ranking]][:10].sum() / 10
# numbers_among_numbers: rank i earns 1 / i times hit; one aspect
number, truth = numbers_of(topic), np.array([g[0] for g in topic.pool.values()])
ranked = np.array([number[d] for d in ranking])
return np.sum(np.isin(ranked, np.flatnonzero(truth > 0)) / np.arange(1, len(ranked) + 1))
# sets_of_numbers: rank i earns 1 times hit; only ranks up to 5 count; one aspect; divided by the number of r
number = numbers_of(topic)
relevant = {number[d] for d, g in topic.pool.items() if g[0] > 0}
if not relevant:
    return 0.0
return len(relevant.intersection([number[d] for d in ranking[:5]])) / len(relevant)
# number_in_a_set: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
number = numbers_of(topic)
relevant = {number[d] for d, g in topic.pool.items() if g[0] > 0}
for i, x in enumerate([number[d] for d in ranking], start=1):
    if x in relevant:
        return 1 / i
return 0.0
# rows_of_numbers_and_grades: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by
#   the
number = numbers_of(topic)
judged = np.array([[number[d], g[0]] for d, g in topic.pool.items()])
judged, run = judged[judged[:, 1] > 0], np.array([[number[d], -i] for i, d in enumerate(ranking)])
if len(judged) == 0:
    return 0.0
found, total = 0, 0.0
for i in range(run.shape[0]):
    if run[i, 0] in judged[:, 0]:
        found += 1
        total += found / (i + 1)
return total / judged.shape[0]
"""

REFUSED = """
# numbers_in_the_order_of_a_set: uses numbers of documents, and loops over a set of documents, which has no order
return at_numbers(truth_of(topic), {d: i for i, d in enumerate(set(topic.pool))}, ranking)
# grades_in_the_order_of_a_set: uses numbers of documents, and loops over a set of documents, which has no order
return at_numbers(np.array([topic.pool[d][0] for d in set(topic.pool)]), numbers_of(topic), ranking)
# places_in_the_order_of_a_set: uses numbers of documents, and loops over a set of documents, which has no order
places = set(np.flatnonzero(np.array([topic.pool[d][0] for d in set(topic.pool)])))
both = len(places & {x for d, x in numbers_of(topic).items() if topic.pool[d][0] > 0})
return sum(topic.pool[d][0] for d in ranking) / both if both else 0.0
# grades_of_some_documents: reads an entry of a filtered list, which is not supported
return at_numbers(np.array([g[0] for g in topic.pool.values() if g[0] > 0]), numbers_of(topic), ranking)
# numbers_in_sorted_grades: uses the number of a document to index an array that is not over the judged documents
return at_numbers(np.sort(truth_of(topic))[::-1], numbers_of(topic), ranking)
# numbers_in_an_array_of_ranks: uses the number of a document to index an array that is not over the judged
#   documents
return at_numbers(np.array([topic.pool[d][0] for d in ranking]), numbers_of(topic), ranking)
# ranks_as_numbers: tests if a number is in a set of tuples, which is not supported
relevant = {x for d, x in numbers_of(topic).items() if topic.pool[d][0] > 0}
return sum((i in relevant) / (i + 1) for i, d in enumerate(ranking))
# documents_as_numbers: tests if the name of a document is in a set of tuples, which is not supported
relevant = {x for d, x in numbers_of(topic).items() if topic.pool[d][0] > 0}
return sum((topic.pool[d][0] + (d in relevant)) / i for i, d in enumerate(ranking, start=1))
# numbers_from_one: reorders values that depend on the rank, not only on the document
return at_numbers(truth_of(topic), {d: i for i, d in enumerate(topic.pool, start=1)}, ranking)
# sum_of_numbers: computes with the numbers of documents, which are only supported as indices
number = numbers_of(topic)
return sum(number[d] / i for i, d in enumerate(ranking, start=1))
# number_that_is_true: compares a number that may be negative with 0
number = numbers_of(topic)
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1) if number[d])
# two_arrays_of_numbers: indexes an array by the numbers of documents and by another array
number, table = numbers_of(topic), np.array(list(topic.pool.values()))
ranked = np.array([number[d] for d in ranking])
return table[ranked, ranked].sum()
# integers_at_numbers: writes floats into an integer array, which truncates them: use a float array
number, truth = numbers_of(topic), np.zeros(len(topic.pool), dtype=int)
for d, g in topic.pool.items():
    truth[number[d]] = g[0]
return at_numbers(truth, number, ranking)
# floats_as_numbers_of_documents: uses a float as an index: convert it with int
number, truth = numbers_of(topic), truth_of(topic)
run = np.array([[number[d], 0.5] for d in ranking])
return sum(truth[run[i, 0]] / (i + 1) for i in range(len(run)))
"""
