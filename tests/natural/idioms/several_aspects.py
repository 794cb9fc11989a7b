"""Sums over aspects, grades of other aspects than the first, and counts per aspect."""

GIVEN = """
def novelty(grades, seen):
    return sum(g * 0.5 ** seen[t] for t, g in enumerate(grades))
"""

FOLLOWED = """
# by_dict(alpha=0.5): rank i earns 1 / log2(i + 1) times r * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike
seen = {}
total = 0.0
for rank, doc in enumerate(ranking):
    gain = 0.0
    for t, grade in enumerate(topic.pool[doc]):
        if grade <= 0:
            continue
        m = seen.get(t, 0)
        gain += grade * (1 - alpha) ** m
        seen[t] = m + 1
    total += gain / math.log2(rank + 2)
return total
# copy_in_a_loop: rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; all aspects alike
start = np.ones(len(topic.weights))
left = start.copy()
total = 0
for i, d in enumerate(ranking):
    for t, g in enumerate(topic.pool[d]):
        total += g * left[t] * start[t] / (i + 1)
        left[t] *= 1 - g
return total
# set_of_aspects: rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 20 count; all
covered = len({t for d in ranking[:20] for t, g in enumerate(topic.pool[d]) if g > 0})
total = len(topic.weights)
return covered / total if total != 0 else 0
# shapes: rank i earns 1 / i times r; aspects by weight
ranks = np.arange(1, grades.shape[1] + 1).reshape(1, grades.shape[1], 1)
each = (grades / ranks).transpose(0, 2, 1).sum(axis=-1, keepdims=True)
return np.matmul(weights[:, None], each).squeeze(-1).squeeze(axis=1)
# weighted_mean: rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; aspects by weight
return np.average((grades > 0).any(axis=1), axis=1, weights=weights)
# dictionary_filled_over_the_pool: rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10
#   count; all aspects alike
aspects_of = {}
for d, grades in topic.pool.items():
    aspects_of[d] = [t for t, g in enumerate(grades) if g > 0]
covered = set()
for d in ranking[:10]:
    covered.update(aspects_of.get(d, []))
return len(covered & set(range(len(topic.weights)))) / len(topic.weights)
# counter_for_a_helper: rank i earns 1 / i times r * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike
seen = Counter()
total = 0.0
for i, d in enumerate(ranking, 1):
    total += novelty(topic.pool[d], seen) / i
    seen.update(t for t, g in enumerate(topic.pool[d]) if g > 0)
return total
# loops_over_relevant_aspects: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike
seen = {t: 0 for t, _ in enumerate(topic.weights)}
total = 0.0
for i, d in enumerate(ranking, 1):
    relevant = [t for t in seen if topic.pool[d][t] > 0]
    if relevant:
        for t in relevant:
            total += 0.5 ** seen[t] / i
            seen[t] += 1
return total
# sets_by_aspect: rank i earns 1 times 1/5 * hit; only ranks up to 5 count; aspects by weight
relevant = {t: {d for d, g in topic.pool.items() if g[t] > 0} for t in range(len(topic.weights))}
return sum(topic.weights[t] * sum(d in docs for d in ranking[:5]) / 5 for t, docs in relevant.items())
# weighted_sums_in_order: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; grades summed by weight;
#   divided by the total
gain = {}
for d, grades in topic.pool.items():
    gain[d] = sum(w * g for w, g in zip(topic.weights, grades))
best = sorted(gain.items(), key=lambda item: item[1], reverse=True)[:10]
ideal = sum(g / math.log2(i + 2) for i, (_, g) in enumerate(best))
return sum(gain[d] / math.log2(i + 2) for i, d in enumerate(ranking[:10])) / ideal if ideal > 0 else 0.0
# einsum_in_another_order: rank i earns 1 / i times r; aspects by weight
return np.einsum("bm,bnm,n->b", np.atleast_2d(weights), grades, 1 / np.arange(1, grades.shape[1] + 1))
# some_rank_of_each_aspect: rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count; all
#   aspects alike
aspects = range(len(topic.weights))
return sum(1 for t in aspects if any(topic.pool[d][t] > 0 for d in ranking[:10])) / len(topic.weights)
# counts_of_aspects_with_a_break: rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count;
#   all aspects alike
n = 0
for t in range(len(topic.weights)):
    for d in ranking[:10]:
        if topic.pool[d][t] > 0:
            n += 1
            break
return n / len(topic.weights)
# halves_of_weights: rank i earns 1 times 1/4 * hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; aspects by weight
left, total = [w / 4 for w in topic.weights], 0.0
for d in ranking:
    for aspect, grade in enumerate(topic.pool[d]):
        if grade > 0:
            total += left[aspect]
            left[aspect] /= 2
return total
# counts_by_arange: rank i earns 1 / log2(i + 1) times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike
seen = dict(zip(np.arange(len(topic.weights)), np.zeros(len(topic.weights))))
total = 0.0
for rank, d in enumerate(ranking, start=1):
    for t in range(len(topic.weights)):
        if topic.pool[d][t] > 0:
            total += 0.5 ** seen[t] / math.log2(rank + 1)
            seen[t] += 1
return total
# intersection_of_aspects: rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; all aspects alike
known, covered = set(range(len(topic.weights))), set()
for d in ranking:
    covered.update(a for a in known if topic.pool[d][a] > 0)
return len(covered.intersection(known)) / len(known)
# sum_of_hits_is_positive: rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; all aspects alike
return (np.sum(grades > 0, axis=1) > 0).sum(axis=1) / grades.shape[2]
# dictionaries_in_a_list: rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; aspects by weight
grades = [{} for _ in topic.weights]
for d, row in topic.pool.items():
    for t, g in enumerate(row):
        if g > 0:
            grades[t][d] = g
total = 0.0
for weight, judged in zip(topic.weights, grades, strict=True):
    left = 1.0
    for i, d in enumerate(ranking, start=1):
        r = judged.get(d, 0.0)
        total += weight * left * r / i
        left *= 1 - r
return total
"""

REFUSED = """
# other_grades_of_sorted_documents: the grades of other aspects in the order of the first
best = sorted(topic.pool.items(), key=lambda item: -item[1][0])
ideal = sum(g[1] / i for i, (_, g) in enumerate(best, 1))
return sum(topic.pool[d][1] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0
# sorted_by_the_second_aspect: sorts documents by the grade of an aspect other than the first
best = sorted(topic.pool, key=lambda d: -topic.pool[d][1])
ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, 1))
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0
# grade_of_another_aspect: combines the aspects of two nested loops
total = 0.0
for i, d in enumerate(ranking, start=1):
    for g in topic.pool[d]:
        total += sum(w * g for w in topic.weights) / i
return total
# one_entry_by_its_number: looks up a key that is not an aspect in a dictionary of aspects
each = {t: 2 * g for t, g in enumerate(topic.weights)}
return each[0] * sum(topic.pool[d][0] for d in ranking)
# places_in_a_set: enumerates a filtered list of aspects, which is not supported
total = 0.0
for i, d in enumerate(ranking, 1):
    for place, t in enumerate([t for t, g in enumerate(topic.pool[d]) if g > 0]):
        total += topic.pool[d][t] * place / i
return total
# sums_without_weights: sorts documents by a key other than the grade, or documents other than the judged ones
best = sorted((sum(g) for g in topic.pool.values()), reverse=True)
ideal = sum(g / i for i, g in enumerate(best, 1))
return sum(sum(topic.pool[d]) / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0
# first_grades_in_the_order_of_sums: divides by the total of an ideal ranking that is sorted by values other than those
#   it sums
gain = {d: sum(w * g for w, g in zip(topic.weights, grades)) for d, grades in topic.pool.items()}
best = sorted(topic.pool, key=gain.get, reverse=True)
ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, 1))
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0
# sums_in_the_order_of_first_grades: the grades of other aspects in the order of the first
gain = lambda d: sum(w * g for w, g in zip(topic.weights, topic.pool[d]))
best = sorted(topic.pool, key=lambda d: topic.pool[d][0], reverse=True)
ideal = sum(gain(d) / i for i, d in enumerate(best, 1))
return sum(gain(d) / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0
# aspects_that_multiply: updates n from one aspect or topic to the next; only sums can be updated in this way
n = 1
for t in range(len(topic.weights)):
    for d in ranking[:5]:
        if topic.pool[d][t] > 0:
            n = n * 2
            break
return n - 1
# documents_of_all_aspects: adds documents to the same set in a loop over aspects or topics: create a set for each
total, seen = 0.0, set()
for t, w in enumerate(topic.weights):
    for i, d in enumerate(ranking, 1):
        if topic.pool[d][t] > 0 and d not in seen:
            seen.add(d)
            total += w / i
return total
# left_after_the_first_aspect: reads one aspect and also sums over all aspects
total = 0.0
for i, d in enumerate(ranking, 1):
    total += sum(topic.pool[d]) / i
    if topic.pool[d][0] > 0:
        break
return total
# the_other_grades: uses the grades of all aspects except the first
total = 0.0
for i, d in enumerate(ranking, start=1):
    first, *others = topic.pool[d]
    total += (first - sum(others)) / i
return total
# sum_of_powers: multiplies two sums over aspects, which is not supported
total = 0.0
for i, d in enumerate(ranking, start=1):
    gain = sum(w * (2**g - 1) for w, g in zip(topic.weights, topic.pool[d]))
    best = sum(w * g for w, g in zip(topic.weights, topic.pool[d]))
    total += gain * best / i
return total
# pairs_with_a_grade: creates a set of numbers, which is not supported
judged = {(g[0], d) for d, g in topic.pool.items()}
return sum((1.0, d) in judged for d in ranking)
# else_of_one_or_none: uses for ... else with a loop that is not over ranks
total = 0.0
for i, d in enumerate(ranking, start=1):
    for _ in [g for g in topic.pool[d] if g > 0]:
        total += 1 / i
    else:
        total += 0.5 / i
return total
# mean_of_none: multiplies two sums over aspects
found = []
for t in range(len(topic.weights)):
    n = sum(1 for g in topic.pool.values() if g[t] > 0)
    if n:
        found.append(sum(topic.pool[d][t] for d in ranking) / n)
return float(np.mean(found))
# two_defaults: raises a constant to a power that is neither the rank nor a count
seen = {}
total = 0.0
for rank, doc in enumerate(ranking):
    for t, grade in enumerate(topic.pool[doc]):
        if grade > 0:
            total += 0.5 ** seen.get(t, 1) / math.log2(rank + 2)
            seen[t] = seen.get(t, 0) + 1
return total
# set_of_grades: creates a set of numbers, which is not supported
return len({g for d in ranking[:20] for t, g in enumerate(topic.pool[d]) if g > 0})
"""
