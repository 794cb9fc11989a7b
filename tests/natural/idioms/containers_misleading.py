"""Code that fills dictionaries, sets and arrays by aspect, and that a careless derivation takes for another score.

Each docstring has a part of the reason for which it is refused.
"""

from collections import defaultdict

import numpy as np

from tests.natural.idioms.containers_followed import aspects_of, mark, novelty

MARKED = []


def set_that_an_outer_loop_adds_to(topic, ranking):
    """combines the aspects of two nested loops"""
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


def array_that_an_outer_loop_fills(topic, ranking):
    """combines the aspects of two nested loops"""
    total = 0.0
    for i, d in enumerate(ranking):
        grades = np.zeros(len(topic.weights))
        for a in range(len(topic.weights)):
            grades[a] = topic.pool[d][a]
            for b in range(len(topic.weights)):
                total += grades[b] / (i + 1) / len(topic.weights)
    return total


def dictionary_that_an_outer_loop_fills(topic, ranking):
    """combines the aspects of two nested loops"""
    total, newest = 0.0, {}
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            newest[a] = topic.pool[d][a]
            for b, w in enumerate(topic.weights):
                total += w * newest.get(b, 0) / rank
    return total


def array_with_one_entry_other_than_0(topic, ranking):
    """reads an array while a loop is filling it"""
    total = 0.0
    for i, d in enumerate(ranking):
        for a in range(len(topic.weights)):
            grades = np.zeros(len(topic.weights))
            grades[a] = topic.pool[d][a]
            total += grades.sum() / (i + 1) / len(topic.weights)
    return total


def array_of_ranks_with_later_zeros(topic, ranking):
    """combines the ranks of two nested loops"""
    total, grades = 0.0, [0.0] * len(ranking)
    for i in range(len(ranking)):
        grades[i] = topic.pool[ranking[i]][0]
        if i == 0:
            total += sum(grades[j] for j in range(len(ranking)))
    return total


def grades_of_the_rank_above(topic, ranking):
    """combines the ranks of two nested loops"""
    total = 0.0
    for i, d in enumerate(ranking):
        found = {a: grade for a, grade in enumerate(topic.pool[d]) if grade > 0}
        total += sum(found.get(0, 0) / (i + 1) for _ in ranking[:i])
    return total


def values_while_a_loop_fills_them(topic, ranking):
    """reads a dictionary of documents while a loop over aspects is filling it"""
    total, newest = 0.0, {}
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            newest[a] = topic.pool[d][a]
            total += sum(newest.values()) / rank
    return total


def hits_of_all_aspects_at_the_first_rank(topic, ranking):
    """sums over aspects twice"""
    first = {}
    for d in ranking:
        hits = len(aspects_of(topic, d))
        for a in aspects_of(topic, d):
            first.setdefault(a, hits)
    return sum(topic.weights[a] * n for a, n in first.items())


def aspects_without_a_first_rank(topic, ranking):
    """looks up a key that may be missing from the dictionary"""
    first = {}
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            first.setdefault(a, rank)
    return sum(w / first[a] for a, w in enumerate(topic.weights))


def aspects_and_documents_as_keys(topic, ranking):
    """stores values for aspects in first together with other keys or values"""
    first, total = {}, 0.0
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            if a not in first:
                total += topic.weights[a] / rank
        first[d] = 1
    return total


def first_ranks_of_two_loops(topic, ranking):
    """updates first from rank to rank"""
    first = {}
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            first.setdefault(a, rank)
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            first.setdefault(a, 2 * rank)
    return sum(topic.weights[a] / rank for a, rank in first.items())


def last_ranks(topic, ranking):
    """updates a number that grows from rank to rank until floats lose precision"""
    last = {}
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            last[a] = rank
    return sum(topic.weights[a] / rank for a, rank in last.items())


def first_ranks_kept_by_another_name(topic, ranking):
    """changes first, which another variable may refer to: change a copy instead"""
    first = {}
    kept = [first]
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            first.setdefault(a, rank)
        kept[0].clear()
    return sum(topic.weights[a] / rank for a, rank in first.items())


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


def counts_that_a_function_keeps(topic, ranking):
    """calls a function only for its side effect"""
    seen, total = defaultdict(int), 0.0
    for i, d in enumerate(ranking, start=1):
        total += novelty(topic, d, seen) / i
        mark_and_keep(topic, d, seen)
        MARKED[-1].clear()
    return total


def counts_of_which_a_function_changes_a_copy(topic, ranking):
    """calls a function only for its side effect"""
    seen, total = defaultdict(int), 0.0
    for i, d in enumerate(ranking, start=1):
        total += novelty(topic, d, seen) / i
        mark_a_copy(topic, d, seen)
    return total


def counts_that_a_function_gets_twice(topic, ranking):
    """calls a function only for its side effect"""
    seen, total = defaultdict(int), 0.0
    for i, d in enumerate(ranking, start=1):
        total += novelty(topic, d, seen) / i
        mark_both(topic, d, seen, seen)
    return total


def counts_with_two_names_that_a_function_changes(topic, ranking):
    """changes seen in place, which also changes other"""
    seen, total = defaultdict(int), 0.0
    other = seen
    for i, d in enumerate(ranking, start=1):
        total += novelty(topic, d, other) / i
        mark(topic, d, seen)
    return total


def counts_that_a_generator_reads_later(topic, ranking):
    """changes seen after defining a function or generator that reads it"""
    seen, total = defaultdict(int), 0.0
    for i, d in enumerate(ranking, start=1):
        gains = (0.5 ** seen[a] for a in aspects_of(topic, d))
        mark(topic, d, seen)
        total += sum(gains) / i
    return total


def counts_of_the_caller(topic, ranking):
    """changes seen, which belongs to the caller"""

    def score(seen):
        total = 0.0
        for i, d in enumerate(ranking, start=1):
            total += novelty(topic, d, seen) / i
            mark(topic, d, seen)
        return total

    counts = defaultdict(int)
    return score(counts) + score(counts)


def function_of_the_same_name(topic, ranking):
    """calls a function only for its side effect"""

    def mark(topic, document, seen):
        pass

    seen, total = defaultdict(int), 0.0
    for i, d in enumerate(ranking, start=1):
        total += novelty(topic, d, seen) / i
        mark(topic, d, seen)
    return total


def one_dictionary_for_all_aspects(topic, ranking):
    """changes entries of judged that may all be the same object"""
    row = {}
    judged = [row for _ in topic.weights]
    for d, grades in topic.pool.items():
        for a, grade in enumerate(grades):
            if grade > 0:
                judged[a][d] = grade
    return sum(w * sum(row.get(d, 0) for d in ranking) for w, row in zip(topic.weights, judged))


def dictionaries_of_aspects_without_relevant_documents(topic, ranking):
    """looks up a key that may be missing from the dictionary"""
    judged = defaultdict(dict)
    for d, grades in topic.pool.items():
        for a, grade in enumerate(grades):
            if grade > 0:
                judged[a][d] = grade
    return sum(w * sum(judged[a].get(d, 0) for d in ranking) for a, w in enumerate(topic.weights)) / len(judged)


def dictionaries_that_two_loops_fill(topic, ranking):
    """assigns to a target that is neither a local variable nor an entry of a local variable"""
    judged = [{} for _ in topic.weights]
    for d, grades in topic.pool.items():
        for a, grade in enumerate(grades):
            judged[a][d] = grade
    for d in ranking[:3]:
        for a in range(len(topic.weights)):
            judged[a][d] = 0.5
    return sum(w * sum(row.get(d, 0) for d in ranking) for w, row in zip(topic.weights, judged))


def grades_of_all_aspects_in_the_first_dictionary(topic, ranking):
    """assigns to a target that is neither a local variable nor an entry of a local variable"""
    judged = [{} for _ in topic.weights]
    for d, grades in topic.pool.items():
        for grade in grades:
            if grade > 0:
                judged[0][d] = grade
    return sum(w * sum(row.get(d, 0) for d in ranking) for w, row in zip(topic.weights, judged))


def values_in_the_order_of_keys(topic, ranking):
    """zips aspects of a set or a filtered dictionary"""
    first = {}
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            first.setdefault(a, rank)
    weights = [w for a, w in enumerate(topic.weights) if a in first]
    return sum(w / rank for w, rank in zip(weights, first.values()))


def array_in_the_order_of_keys(topic, ranking):
    """computes with a filtered list or array"""
    found = {}
    for d in ranking:
        for a in aspects_of(topic, d):
            found[a] = found.get(a, 0) + 1
    weights = np.array([w for a, w in enumerate(topic.weights) if a in found])
    return float((weights * np.array(list(found.values()))).sum())


def values_in_the_order_of_a_set(topic, ranking):
    """zips aspects of a set or a filtered dictionary"""
    found = {a for d in ranking for a in aspects_of(topic, d)}
    weights = [w for a, w in enumerate(topic.weights) if a in found]
    return sum(w * topic.weights[a] for w, a in zip(weights, found))


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


def two_functions_under_one_name(topic, ranking):
    """calls a function only for its side effect"""
    return _counted_with(topic, ranking, _add) + _counted_with(topic, ranking, _add_and_drop)


def set_beside_a_dictionary(topic, ranking):
    """zips aspects of a set or a filtered dictionary"""
    first = {}
    for i, d in enumerate(ranking, start=1):
        for a, g in enumerate(topic.pool[d]):
            if g > 0:
                first.setdefault(a, i)
    weights = {a: w for a, w in enumerate(topic.weights) if a in first}
    return sum(w / first[a] for a, w in zip(set(first), weights.values()))
