"""Dictionaries, sets and lists of aspects that derivations follow; each docstring has a part of the derived fold."""

from collections import defaultdict
from math import log2


def aspects_of(topic, document):
    return [a for a, grade in enumerate(topic.pool[document]) if grade > 0]


def first_ranks_by_setdefault(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; aspects by weight"""
    first = {}
    for rank, d in enumerate(ranking, start=1):
        for a in aspects_of(topic, d):
            first.setdefault(a, rank)
    return sum(w / first[a] if a in first else 0.0 for a, w in enumerate(topic.weights))


def first_ranks_by_test(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count; aspects by weight"""
    first = {}
    for rank, d in enumerate(ranking[:10], start=1):
        for a, grade in enumerate(topic.pool[d]):
            if grade > 0 and a not in first:
                first[a] = rank
    return sum(topic.weights[a] / rank for a, rank in first.items())


def first_grades(topic, ranking):
    """rank i earns 1 times r * s0; s0 is 1, then s0 - hit * s0; aspects by weight"""
    first = {}
    for d in ranking:
        for a, grade in enumerate(topic.pool[d]):
            if grade > 0:
                first.setdefault(a, grade)
    return sum(topic.weights[a] * first.get(a, 0) for a in range(len(topic.weights)))


def counts_with_get(topic, ranking):
    """rank i earns 1 times hit; aspects by weight"""
    found = {}
    for d in ranking:
        for a in aspects_of(topic, d):
            found[a] = found.get(a, 0) + 1
    return sum(topic.weights[a] * n for a, n in found.items())


def aspects_that_a_dictionary_has(topic, ranking):
    """earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; all aspects alike; divided by the number of aspects"""
    found = {}
    for d in ranking:
        for a in aspects_of(topic, d):
            if a in found:
                found[a] += 1
            else:
                found[a] = 1
    return len(found) / len(topic.weights)


def mark(topic, document, seen):
    for a in aspects_of(topic, document):
        seen[a] += 1


def mark_in_two_steps(topic, document, seen):
    if not aspects_of(topic, document):
        return
    mark(topic, document, seen)


def novelty(topic, document, seen):
    return sum(0.5 ** seen[a] for a in aspects_of(topic, document))


def counts_that_a_function_changes(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike"""
    seen, total = defaultdict(int), 0.0
    for i, d in enumerate(ranking, start=1):
        total += novelty(topic, d, seen) / i
        mark(topic, d, seen)
    return total


def counts_that_an_inner_call_changes(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike"""
    seen, total = defaultdict(int), 0.0
    for i, d in enumerate(ranking, start=1):
        total += novelty(topic, d, seen) / i
        mark_in_two_steps(topic, d, seen)
    return total


def lists_by_aspect(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; aspects by weight"""
    grades = [[] for _ in topic.weights]
    for d in ranking[:10]:
        for a, grade in enumerate(topic.pool[d]):
            grades[a].append(grade)
    return sum(w * sum(g / log2(i + 2) for i, g in enumerate(row)) for w, row in zip(topic.weights, grades))


def dictionaries_by_aspect(topic, ranking):
    """rank i earns 1 times r; aspects by weight"""
    judged = [{} for _ in topic.weights]
    for d, grades in topic.pool.items():
        for a, grade in enumerate(grades):
            if grade > 0:
                judged[a][d] = grade
    return sum(w * sum(row.get(d, 0) for d in ranking) for w, row in zip(topic.weights, judged))


def dictionaries_of_aspects_with_relevant_documents(topic, ranking):
    """rank i earns 1 times r; aspects by weight; divided by the total of the best order"""
    judged = defaultdict(dict)
    for d, grades in topic.pool.items():
        for a, grade in enumerate(grades):
            if grade > 0:
                judged[a][d] = grade
    total = 0.0
    for a, row in judged.items():
        total += topic.weights[a] * sum(row.get(d, 0) for d in ranking) / sum(sorted(row.values(), reverse=True))
    return total
