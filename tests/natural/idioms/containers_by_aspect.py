"""Dictionaries, lists and sets of aspects that loops over ranks fill, and functions that fill them."""

GIVEN = """
from math import log2

def aspects_of(topic, document):
    return [a for a, grade in enumerate(topic.pool[document]) if grade > 0]

def mark(topic, document, seen):
    for a in aspects_of(topic, document):
        seen[a] += 1

def mark_in_two_steps(topic, document, seen):
    if not aspects_of(topic, document):
        return
    mark(topic, document, seen)

def novelty(topic, document, seen):
    return sum(0.5 ** seen[a] for a in aspects_of(topic, document))

MARKED = []

def mark_and_keep(topic, document, seen):
    MARKED.append(seen)
    mark(topic, document, seen)

def mark_a_copy(topic, document, seen):
    seen = seen.copy()
    mark(topic, document, seen)

def mark_both(topic, document, seen, other):
    for a in aspects_of(topic, document):
        seen[a] += 1
        other[a] += 1

def _add(counts, x):
    counts["x"] += x

def _add_and_drop(counts, x):
    before = counts["x"]
    counts["x"] = before + x
    counts = {"x": before}

def _counted_with(topic, ranking, add):
    def run():
        counts = {"x": 0.0}
        for i, d in enumerate(ranking, start=1):
            add(counts, topic.pool[d][0] / i)
        return counts["x"]
    return run()
"""

FOLLOWED = """
# first_ranks_by_setdefault: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; aspects by weight
first = {}
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        first.setdefault(a, rank)
return sum(w / first[a] if a in first else 0.0 for a, w in enumerate(topic.weights))
# first_ranks_by_test: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count;
#   aspects by weight
first = {}
for rank, d in enumerate(ranking[:10], start=1):
    for a, grade in enumerate(topic.pool[d]):
        if grade > 0 and a not in first:
            first[a] = rank
return sum(topic.weights[a] / rank for a, rank in first.items())
# first_grades: rank i earns 1 times r * s0; s0 is 1, then s0 - hit * s0; aspects by weight
first = {}
for d in ranking:
    for a, grade in enumerate(topic.pool[d]):
        if grade > 0:
            first.setdefault(a, grade)
return sum(topic.weights[a] * first.get(a, 0) for a in range(len(topic.weights)))
# counts_with_get: rank i earns 1 times hit; aspects by weight
found = {}
for d in ranking:
    for a in aspects_of(topic, d):
        found[a] = found.get(a, 0) + 1
return sum(topic.weights[a] * n for a, n in found.items())
# aspects_that_a_dictionary_has: earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; all aspects alike; divided by
#   the number of aspects
found = {}
for d in ranking:
    for a in aspects_of(topic, d):
        if a in found:
            found[a] += 1
        else:
            found[a] = 1
return len(found) / len(topic.weights)
# counts_that_a_function_changes: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects
#   alike
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += novelty(topic, d, seen) / i
    mark(topic, d, seen)
return total
# counts_that_an_inner_call_changes: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects
#   alike
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += novelty(topic, d, seen) / i
    mark_in_two_steps(topic, d, seen)
return total
# lists_by_aspect: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; aspects by weight
grades = [[] for _ in topic.weights]
for d in ranking[:10]:
    for a, grade in enumerate(topic.pool[d]):
        grades[a].append(grade)
return sum(w * sum(g / log2(i + 2) for i, g in enumerate(row)) for w, row in zip(topic.weights, grades))
# dictionaries_by_aspect: rank i earns 1 times r; aspects by weight
judged = [{} for _ in topic.weights]
for d, grades in topic.pool.items():
    for a, grade in enumerate(grades):
        if grade > 0:
            judged[a][d] = grade
return sum(w * sum(row.get(d, 0) for d in ranking) for w, row in zip(topic.weights, judged))
# dictionaries_of_aspects_with_relevant_documents: rank i earns 1 times r; aspects by weight; divided by the total of
#   the best order
judged = defaultdict(dict)
for d, grades in topic.pool.items():
    for a, grade in enumerate(grades):
        if grade > 0:
            judged[a][d] = grade
total = 0.0
for a, row in judged.items():
    total += topic.weights[a] * sum(row.get(d, 0) for d in ranking) / sum(sorted(row.values(), reverse=True))
return total
"""

REFUSED = """
# argument_with_the_name_of_a_global: calls a function only for its side effect
def total_with(mark):
    seen, total = defaultdict(int), 0.0
    for i, d in enumerate(ranking, start=1):
        total += novelty(topic, d, seen) / i
        mark(topic, d, seen)
    return total
return total_with(mark_a_copy)
# set_that_an_outer_loop_adds_to: combines the aspects of two nested loops
total = 0.0
for i, d in enumerate(ranking):
    seen = set()
    for a in range(len(topic.weights)):
        if topic.pool[d][a] > 0:
            seen.add(a)
        for b in range(len(topic.weights)):
            if b in seen:
                total += 1 / (i + 1) / len(topic.weights)
return total
# array_that_an_outer_loop_fills: combines the aspects of two nested loops
total = 0.0
for i, d in enumerate(ranking):
    grades = np.zeros(len(topic.weights))
    for a in range(len(topic.weights)):
        grades[a] = topic.pool[d][a]
        for b in range(len(topic.weights)):
            total += grades[b] / (i + 1) / len(topic.weights)
return total
# dictionary_that_an_outer_loop_fills: combines the aspects of two nested loops
total, newest = 0.0, {}
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        newest[a] = topic.pool[d][a]
        for b, w in enumerate(topic.weights):
            total += w * newest.get(b, 0) / rank
return total
# array_with_one_entry_other_than_0: reads an array while a loop is filling it
total = 0.0
for i, d in enumerate(ranking):
    for a in range(len(topic.weights)):
        grades = np.zeros(len(topic.weights))
        grades[a] = topic.pool[d][a]
        total += grades.sum() / (i + 1) / len(topic.weights)
return total
# array_of_ranks_with_later_zeros: combines the ranks of two nested loops
total, grades = 0.0, [0.0] * len(ranking)
for i in range(len(ranking)):
    grades[i] = topic.pool[ranking[i]][0]
    if i == 0:
        total += sum(grades[j] for j in range(len(ranking)))
return total
# grades_of_the_rank_above: combines the ranks of two nested loops
total = 0.0
for i, d in enumerate(ranking):
    found = {a: grade for a, grade in enumerate(topic.pool[d]) if grade > 0}
    total += sum(found.get(0, 0) / (i + 1) for _ in ranking[:i])
return total
# values_while_a_loop_fills_them: reads a dictionary of documents while a loop over aspects is filling it
total, newest = 0.0, {}
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        newest[a] = topic.pool[d][a]
        total += sum(newest.values()) / rank
return total
# hits_of_all_aspects_at_the_first_rank: sums over aspects twice
first = {}
for d in ranking:
    hits = len(aspects_of(topic, d))
    for a in aspects_of(topic, d):
        first.setdefault(a, hits)
return sum(topic.weights[a] * n for a, n in first.items())
# aspects_without_a_first_rank: looks up a key that may be missing from the dictionary
first = {}
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        first.setdefault(a, rank)
return sum(w / first[a] for a, w in enumerate(topic.weights))
# aspects_and_documents_as_keys: stores values for aspects in first together with other keys or values
first, total = {}, 0.0
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        if a not in first:
            total += topic.weights[a] / rank
    first[d] = 1
return total
# first_ranks_of_two_loops: updates first from rank to rank
first = {}
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        first.setdefault(a, rank)
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        first.setdefault(a, 2 * rank)
return sum(topic.weights[a] / rank for a, rank in first.items())
# last_ranks: updates a number that grows from rank to rank until floats lose precision
last = {}
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        last[a] = rank
return sum(topic.weights[a] / rank for a, rank in last.items())
# first_ranks_kept_by_another_name: changes first, which another variable may refer to: change a copy instead
first = {}
kept = [first]
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        first.setdefault(a, rank)
    kept[0].clear()
return sum(topic.weights[a] / rank for a, rank in first.items())
# counts_that_a_function_keeps: calls a function only for its side effect
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += novelty(topic, d, seen) / i
    mark_and_keep(topic, d, seen)
    MARKED[-1].clear()
return total
# counts_of_which_a_function_changes_a_copy: calls a function only for its side effect
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += novelty(topic, d, seen) / i
    mark_a_copy(topic, d, seen)
return total
# counts_that_a_function_gets_twice: calls a function only for its side effect
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += novelty(topic, d, seen) / i
    mark_both(topic, d, seen, seen)
return total
# counts_with_two_names_that_a_function_changes: changes seen in place, which may also change other
seen, total = defaultdict(int), 0.0
other = seen
for i, d in enumerate(ranking, start=1):
    total += novelty(topic, d, other) / i
    mark(topic, d, seen)
return total
# counts_that_a_generator_reads_later: changes seen after defining a function or generator reading it: use a new name
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    gains = (0.5 ** seen[a] for a in aspects_of(topic, d))
    mark(topic, d, seen)
    total += sum(gains) / i
return total
# counts_of_the_caller: changes seen, which may belong to the caller
def score(seen):
    total = 0.0
    for i, d in enumerate(ranking, start=1):
        total += novelty(topic, d, seen) / i
        mark(topic, d, seen)
    return total
counts = defaultdict(int)
return score(counts) + score(counts)
# function_of_the_same_name: calls a function only for its side effect
def mark(topic, document, seen):
    pass
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += novelty(topic, d, seen) / i
    mark(topic, d, seen)
return total
# one_dictionary_for_all_aspects: changes entries of judged that may all be the same object
row = {}
judged = [row for _ in topic.weights]
for d, grades in topic.pool.items():
    for a, grade in enumerate(grades):
        if grade > 0:
            judged[a][d] = grade
return sum(w * sum(row.get(d, 0) for d in ranking) for w, row in zip(topic.weights, judged))
# dictionaries_of_aspects_without_relevant_documents: looks up a key that may be missing from the dictionary
judged = defaultdict(dict)
for d, grades in topic.pool.items():
    for a, grade in enumerate(grades):
        if grade > 0:
            judged[a][d] = grade
return sum(w * sum(judged[a].get(d, 0) for d in ranking) for a, w in enumerate(topic.weights)) / len(judged)
# dictionaries_that_two_loops_fill: assigns to a target that is neither a local variable nor an entry of a local
#   variable
judged = [{} for _ in topic.weights]
for d, grades in topic.pool.items():
    for a, grade in enumerate(grades):
        judged[a][d] = grade
for d in ranking[:3]:
    for a in range(len(topic.weights)):
        judged[a][d] = 0.5
return sum(w * sum(row.get(d, 0) for d in ranking) for w, row in zip(topic.weights, judged))
# grades_of_all_aspects_in_the_first_dictionary: assigns to a target that is neither a local variable nor an entry of
#   a local variable
judged = [{} for _ in topic.weights]
for d, grades in topic.pool.items():
    for grade in grades:
        if grade > 0:
            judged[0][d] = grade
return sum(w * sum(row.get(d, 0) for d in ranking) for w, row in zip(topic.weights, judged))
# values_in_the_order_of_keys: zips aspects from a set or a filtered dictionary, whose order is unknown
first = {}
for rank, d in enumerate(ranking, start=1):
    for a in aspects_of(topic, d):
        first.setdefault(a, rank)
weights = [w for a, w in enumerate(topic.weights) if a in first]
return sum(w / rank for w, rank in zip(weights, first.values()))
# array_in_the_order_of_keys: computes with a filtered list or array
found = {}
for d in ranking:
    for a in aspects_of(topic, d):
        found[a] = found.get(a, 0) + 1
weights = np.array([w for a, w in enumerate(topic.weights) if a in found])
return float((weights * np.array(list(found.values()))).sum())
# values_in_the_order_of_a_set: zips aspects from a set or a filtered dictionary, whose order is unknown
found = {a for d in ranking for a in aspects_of(topic, d)}
weights = [w for a, w in enumerate(topic.weights) if a in found]
return sum(w * topic.weights[a] for w, a in zip(weights, found))
# two_functions_under_one_name: calls a function only for its side effect
return _counted_with(topic, ranking, _add) + _counted_with(topic, ranking, _add_and_drop)
# set_beside_a_dictionary: zips aspects from a set or a filtered dictionary, whose order is unknown
first = {}
for i, d in enumerate(ranking, start=1):
    for a, g in enumerate(topic.pool[d]):
        if g > 0:
            first.setdefault(a, i)
weights = {a: w for a, w in enumerate(topic.weights) if a in first}
return sum(w / first[a] for a, w in zip(set(first), weights.values()))
"""
