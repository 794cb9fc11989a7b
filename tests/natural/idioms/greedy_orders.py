"""Ideal rankings that are chosen document by document."""

GIVEN = """
def _novelty(aspects, counts, alpha=0.5):
    return sum((1 - alpha) ** counts[t] for t in aspects)

def _discounted_novelty(docs, aspects, k):
    counts, total = Counter(), 0.0
    for i, d in enumerate(docs[:k], start=1):
        total += _novelty(aspects[d], counts) / math.log2(i + 1)
        counts.update(aspects[d])
    return total
"""

FOLLOWED = """
# greedy_while(k=10): times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; only ranks up to 10 count; one aspect; divided
#   by the total of the best order
aspects = {d: {t for t, g in enumerate(grades) if g > 0} for d, grades in topic.pool.items()}
left, best, counts = sorted(topic.pool), [], Counter()
while left and len(best) < k:
    taken = max(left, key=lambda d: _novelty(aspects[d], counts))
    left.remove(taken)
    best.append(taken)
    counts.update(aspects[taken])
ideal = _discounted_novelty(best, aspects, k)
return _discounted_novelty(ranking, aspects, k) / ideal if ideal > 0 else 0.0
# greedy_range(k=10): times r * s0; s0 is 1, then s0 - 1/2 * hit * s0; only ranks up to 10 count; one aspect; divided by
#   the total of the best order
grades = {d: {t: g for t, g in enumerate(row) if g > 0} for d, row in topic.pool.items()}
left, counts, ideal, total = list(grades), Counter(), 0.0, 0.0
for i in range(min(k, len(left))):
    taken = max(left, key=lambda d: sum(g * 0.5 ** counts[t] for t, g in grades[d].items()))
    ideal += sum(g * 0.5 ** counts[t] for t, g in grades[taken].items()) / math.log2(i + 2)
    left.remove(taken)
    for t in grades[taken]:
        counts[t] += 1
seen = Counter()
for i, d in enumerate(ranking[:k]):
    for t, g in grades[d].items():
        total += g * 0.5 ** seen[t] / math.log2(i + 2)
        seen[t] += 1
return total / ideal if ideal > 0 else 0.0
"""

REFUSED = (
    """
aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
left, best, n = list(topic.pool), [], 0
while left and len(best) < 3:
    ROW
    left.remove(taken)
    best.append(taken)
    n += aspects[taken]
ideal = sum(aspects[d] / i for i, d in enumerate(best, start=1))
return sum(aspects[d] / i for i, d in enumerate(ranking[:3], start=1)) / ideal if ideal > 0 else 0.0
# greedy_worst_first: chooses documents by a key other than the grade times a positive number
taken = max(left, key=lambda d: -aspects[d])
# greedy_by_a_key_that_may_be_0: chooses documents by a key other than the grade times a positive number
taken = max(left, key=lambda d: aspects[d] * (1 if n == 0 else 0))
""",
    """
aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
left, best, n = list(topic.pool), [], 0
ROW
while left and len(best) < 3:
    taken = max(left, key=lambda d: aspects[d])
    left.remove(taken)
    best.append(taken)
    n += aspects[taken]
ideal = sum(aspects[d] / i for i, d in enumerate(best, start=1))
return sum(aspects[d] / i for i, d in enumerate(ranking[:3], start=1)) / (ideal + len(other)) if ideal > 0 else 0.0
# greedy_of_the_ranking: chooses the best of documents other than the judged ones
left, other = list(ranking), ()
# greedy_with_two_names: changes left, which another variable may refer to
other = left
""",
    """
# greedy_key_that_underflows: chooses documents by a key other than the grade times a positive number
hits = {d: int(topic.pool[d][0] > 0) for d in topic.pool}
left, ideal, n = list(topic.pool), 0.0, 0
while left:
    taken = max(left, key=lambda d: hits[d] * 0.001**n)
    left.remove(taken)
    n += hits[taken]
    ideal += hits[taken]
return sum(hits[d] / i for i, d in enumerate(ranking, start=1)) / ideal if ideal > 0 else 0.0
# greedy_by_hits: orders documents by whether their grade is positive, and then reads their grades in this order
aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
left, best, n = list(topic.pool), [], 0
while left and len(best) < 3:
    taken = max(left, key=lambda d: aspects[d] * 0.5**n)
    left.remove(taken)
    best.append(taken)
    n += aspects[taken]
ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, start=1))
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:3], start=1)) / ideal if ideal > 0 else 0.0
# greedy_list_read_later: uses left after a loop has removed documents from it
aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
left, best, n = list(topic.pool), [], 0
while left and len(best) < 3:
    taken = max(left, key=lambda d: aspects[d])
    left.remove(taken)
    best.append(taken)
    n += aspects[taken]
ideal = sum(aspects[d] / i for i, d in enumerate(best, start=1))
return sum(aspects[d] / i for i, d in enumerate(ranking[:3], start=1)) / (ideal + len(left)) if ideal > 0 else 0.0
# greedy_read_before_the_choice: chooses the best document from left in an unsupported form of loop
grades = {d: g[0] for d, g in topic.pool.items()}
left, taken, n, ideal = list(grades), ranking[0], 0.0, 0.0
while left:
    n += grades[taken]
    taken = max(left, key=lambda d: grades[d])
    left.remove(taken)
    ideal += n * grades[taken]
return sum(topic.pool[d][0] for d in ranking[:3]) / ideal if ideal > 0 else 0.0
# greedy_with_a_limit_that_changes: chooses the best document from left in an unsupported form of loop
limits, left, best = {"k": 5}, list(topic.pool), []
while left and len(best) < limits["k"]:
    chosen = max(left, key=lambda d: topic.pool[d][0])
    left.remove(chosen)
    best.append(chosen)
    limits["k"] = 3
ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, 1))
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:5], 1)) / ideal if ideal > 0 else 0.0
""",
)
