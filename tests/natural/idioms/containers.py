"""Lists, sets and dictionaries: their order, their keys, and what may be missing from them."""

GIVEN = """

def _positive_of(topic, doc):
    for t, g in enumerate(topic.pool[doc]):
        if g > 0:
            yield t, g

TABLE = [1 / i for i in range(1, 11)]

def _first_relevant_set(topic):
    return {d for d, g in topic.pool.items() if g[0] > 0}

def taken_in_floats(grade):
    return grade

def taken_exactly(grade):
    return grade * grade

GAINS = {"linear": taken_in_floats if 0.1 + 0.2 == 0.3 else taken_exactly}
"""

FOLLOWED = """
# place_in_a_list: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
hits = [topic.pool[d][0] > 0 for d in ranking]
return 1 / (hits.index(True) + 1) if True in hits else 0.0
# added_just_now: rank i earns 1 / i times hit
seen, total = set(), 0.0
for rank, doc in enumerate(ranking, 1):
    if topic.pool[doc][0] > 0:
        seen.add(doc)
    if doc in seen:
        total += 1 / rank
return total
# lookups_where_the_key_is_there: rank i earns 1 / i times r
relevant, total = {d: g[0] for d, g in topic.pool.items() if g[0] > 0}, 0.0
for i, d in enumerate(ranking, 1):
    if d not in relevant:
        continue
    total += relevant[d] / i
return total
# results_by_cutoff: rank i earns 1 times 1/10 * hit; only ranks up to 10 count; one aspect
relevant, out = _relevant(topic), {}
for k in (5, 10):
    hits = len(set(ranking[:k]) & relevant)
    out[f"P@{k}"] = hits / k
    out.update({f"hit@{k:02d}": float(hits > 0), "-".join(["R", str(k)]): 0.0, f"F@{k}".lower(): str(k)})
return out["P@10"]
# reciprocal_ranks_by_cutoff: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count;
#   one aspect
relevant, out = _relevant(topic), dict.fromkeys(["RR@" + str(k) for k in (5, 10)], 0.0)
for k in (5, 10):
    for rank, doc in enumerate(ranking[:k]):
        if doc in relevant:
            out[f"RR@{k}"] += 1.0 / (rank + 1)
            break
return out["RR@10"]
# results_by_name(cutoffs=(5, 10)): rank i earns 1 times 1/10 * hit; only ranks up to 10 count
relevant, results = _relevant(topic), {}
for k in cutoffs:
    hits = len(relevant & set(ranking[:k]))
    results[f"P@{k}"] = hits / k
    results[f"recall@{k}"] = hits / len(relevant) if relevant else 0.0
return results["P@10"]
# lists_that_nothing_reads: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the
#   number of
relevant, places, seen = _relevant(topic), [0], []
places.pop()
if not isinstance(ranking, list) or not relevant:
    return 0.0
found, total = 0, 0.0
for rank, d in enumerate(ranking, start=1):
    seen.append(d)
    if d in relevant:
        found += 1
        places.append(rank)
        seen.append(rank)
        total += found / rank
return total / len(relevant)
# defaultdict_of_ones: rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; aspects by weight
left, total = defaultdict(lambda: 1), defaultdict(float)
for i, d in enumerate(ranking):
    for a, g in enumerate(topic.pool[d]):
        total[a] += left[a] * g / (i + 1)
        left[a] *= 1 - g
return sum(topic.weights[a] * total[a] for a in range(len(topic.weights)))
# sorted_by_an_entry: rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the best order
pairs = [(d, g[0]) for d, g in topic.pool.items()]
best = sum(g / math.log2(i + 2) for i, (_, g) in enumerate(sorted(pairs, key=lambda p: p[1], reverse=True)))
return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking)) / best if best > 0 else 0.0
# pairs_of_a_query_and_a_document: rank i earns 1 / i times hit; one aspect; divided by the number of relevant documents
judged = {("query", doc, None) for doc, grades in topic.pool.items() if grades[0] > 0}
found = sum(1 / rank for rank, doc in enumerate(ranking, 1) if ("query", doc, None) in judged)
return found / len(judged) if len(judged) > 0 else 0.0
# rows_of_different_lengths: rank i earns 1 times 1/2 * r; one aspect
rows = [[1.0], [1.0, 0.5]]
return sum(topic.pool[d][0] for d in ranking) * rows[1][1]
# dictionary_of_positive_grades: rank i earns 1 / i times 1/2 * hit + 1/2 * r; one aspect
weights = dict(enumerate(topic.weights))
total = 0.0
for i, d in enumerate(ranking, start=1):
    grades = {t: g for t, g in _positive_of(topic, d)}
    for t, g in sorted(grades.items()):
        total += weights[t] * g / (2 * i)
    total += (1 if 0 in grades else grades.get(0, 0.0)) / (2 * i)
return total
# list_of_pairs_in_place: divided by the total of the best order
pairs = []
for d, (g, *_) in topic.pool.items():
    pairs.append((d, g))
pairs.sort(key=lambda pair: pair[1], reverse=True)
ideal = sum(g / i for i, (_, g) in enumerate(pairs, start=1))
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / ideal if ideal > 0 else 0.0
# parts_of_a_list: rank i earns 1 / i times 6/5 * r
(head, *rest), (*_, last) = [0.5, 0.3, 0.2], [0.1, 0.4]
return sum((head + rest[0] + last) * topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
"""

REFUSED = """
# set_of_sorted_documents: a set of documents, which has no order
ordered = sorted(topic.pool, key=lambda d: -topic.pool[d][0])
best = set(ordered)
ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, 1))
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0
# table_beside_documents_of_no_order: loops over a list or tuple
ideal = sum(g[0] * w for g, w in zip(topic.pool.values(), TABLE))
return sum(topic.pool[d][0] * w for d, w in zip(ranking, TABLE)) / ideal if ideal > 0 else 0.0
# set_of_constants: creates a set of constants, which drops duplicates: use a list
return sum(topic.pool[d][0] for d in ranking) * len({x - x for x in (1, 2)})
# unknown_among_constants: uses 'in' with a tuple or list of computed numbers
return sum(topic.pool[d][0] for d in ranking if 1 in (topic.pool[d][0], 5))
# set_of_judged_documents: returns the same score
relevant = set()
for d in topic.pool:
    if topic.pool[d][0] > 0:
        relevant.add(d)
return sum(topic.pool[d][0] for d in ranking if d not in relevant)
# place_in_the_pool: reorders values that depend on the rank, not only on the document
order = {d: i for i, d in enumerate(topic.pool, start=1)}
return sum(topic.pool[d][0] / order[d] for d in ranking)
# rank_of_a_judged_document: that may be missing
place = {d: i for i, d in enumerate(ranking)}
some = sum(1 for d, g in topic.pool.items() if g[0] > 0 and place.get(d, 99) < 50)
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) if some > 0 else 0.0
# entries_of_two_lists: calls np.minimum or np.maximum on lists of constants, which is not supported
return np.minimum([1, 2], [0, 5])[1] * sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
# two_keys_in_one_step: sets several entries of a dictionary in one iteration of a loop
found = {}
for d in ranking:
    found["last"] = 0.0
    found[d] = topic.pool[d][0]
return sum(found.values()) / len(found)
# dictionary_that_is_filled_twice: updates found from rank to rank, which is not supported for a dictionary of documents
found = {}
for d in topic.pool:
    found[d] = topic.pool[d][0]
for d in ranking[:3]:
    found[d] = 0.0
return sum(found[d] / i for i, d in enumerate(ranking, 1))
# counter_that_is_looped_over: uses a whole dictionary of aspects; only its entries are supported
seen = Counter()
for d in ranking:
    for t, g in enumerate(topic.pool[d]):
        if g > 0:
            seen[t] += 1
return sum(1 for t in seen) / len(topic.weights)
# dictionary_without_defaults: passes an unsupported number of arguments
seen, total = defaultdict(), 0.0
for i, d in enumerate(ranking):
    for t, g in enumerate(topic.pool[d]):
        total += g * 0.5 ** seen[t] / (i + 1)
        seen[t] += 1
return total
# first_of_a_set: exits a loop over aspects or topics early, which is not supported
total = 0.0
for i, d in enumerate(ranking, 1):
    for t in {t for t, g in enumerate(topic.pool[d]) if g > 0}:
        total += topic.pool[d][t] / i
        break
return total
# lookup_under_another_condition: looks up a key that may be missing from the dictionary
relevant = {d: g[0] for d, g in topic.pool.items() if g[0] > 0}
total = 0.0
for i, d in enumerate(ranking, 1):
    if i > 1 or d in relevant:
        total += relevant[d] / i
return total
# ranks_of_the_best_order: tests whether a document is ranked, or is in a subset of the judged documents
best = sorted(topic.pool, key=lambda d: topic.pool[d][0], reverse=True)
return sum(topic.pool[d][0] / i for i, d in enumerate(best, start=1) if d in ranking)
# listed_above_the_current_one: combines the ranks of two nested loops
total = 0.0
for i, _ in enumerate(ranking):
    total += sum(grades[0] for d, grades in topic.pool.items() if d in ranking[:i])
return total
# key_of_a_rounded_number: formats a string with a value that is neither a constant integer nor a string
return {f"{0.1 + 0.2}": 0.0, "0.3": 1.0}["0.3"] * _hits(topic, ranking)
# last_key_of_a_loop: creates a dictionary whose keys are not documents
out = {}
for i, d in enumerate(ranking, start=1):
    if topic.pool[d][0] > 0:
        out["last"] = 1 / i
return out["last"]
# documents_that_are_not_above: combines two sets of ranked documents in a loop over ranks
return sum(topic.pool[d][0] * len(set(ranking) - set(ranking[:i])) for i, d in enumerate(ranking))
# results_of_a_branch: looks up 'gain', a key that the dictionary lacks
results = {}
if len(ranking) < 1:
    results["gain"] = 1.0
return results["gain"] + _hits(topic, ranking)
# get_of_a_defaultdict_of_ones: it looks up an aspect that may be missing from the dictionary
left, total = defaultdict(lambda: 1), 0
for d in ranking:
    for a, g in enumerate(topic.pool[d]):
        total += left.get(a, 0) * g
        left[a] *= 1 - g
return total
# other_function_on_exact_numbers: its file defines a different taken_exactly on line
return sum(GAINS["linear"](topic.pool[d][0]) for d in ranking)
# number_in_a_tuple_that_a_loop_with_an_end_sets: uses 'in' with a tuple or list of computed numbers
found = 0
for d in ranking:
    if topic.pool[d][0] > 0:
        found = 1
        break
return _hits(topic, ranking[:4500] if 1 in (found, 5) else ranking)
# dictionaries_that_differ_in_their_order: computes with a dictionary, which is not supported
weights, late = {"a": 1.0, "b": 0.0}, False
for i, d in enumerate(ranking):
    if i == 7 and topic.pool[d][0] > 0:
        late = True
if late:
    weights = {"b": 0.0, "a": 1.0}
last = 0.0
for name in weights:
    last = weights[name]
return last * _hits(topic, ranking)
# numbers_down_from_a_smaller_one: counts down to a number that may exceed the start, or in an unknown number of steps
return sum(topic.pool[d][0] for d, _ in zip(ranking, range(10, len(ranking), -1), strict=False))
# pairs_the_other_way_around: tests whether a list or tuple is in a set of tuples, which is not supported
judged = {("query", d) for d, g in topic.pool.items() if g[0] > 0}
return sum((d, "query") in judged for d in ranking)
# pairs_that_are_all_equal: creates a set of numbers, which is not supported
return _hits(topic, ranking) / len({("query", "document") for _ in ranking})
# zipped_set: zips a set of documents, whose order is unknown
grades = {d: g[0] for d, g in zip(set(topic.pool), topic.pool.values(), strict=True)}
return sum(grades[d] for d in ranking)
# first_entry_of_a_set: reads an entry of a set, or of a list in the order of a set
return topic.pool[tuple(set(ranking))[0]][0]
# list_beside_a_set: compares a set with a list or tuple
aspects = {d: [t for t, g in enumerate(grades) if g > 0] for d, grades in topic.pool.items()}
return sum((1 if aspects[d] == [0] else 0.5) / i for i, d in enumerate(ranking, start=1))
# list_of_aspects: collects values that are not numbers in a list of nested loops
covered = len([t for d in ranking[:20] for t, g in enumerate(topic.pool[d]) if g > 0])
return covered / len(topic.weights)
"""
