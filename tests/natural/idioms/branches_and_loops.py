"""Loops, breaks, `else`, `while`, `match`, generators and iterators."""

GIVEN = """
def falling(gains, p):
    weight = 1 - p
    for g in gains:
        yield weight * g
        weight *= p

def until_found(hits):
    for hit in hits:
        if hit:
            yield 1
            return
        yield 0

def twice(values):
    return sum(values) + sum(values)

@functools.cache
def ranks_in_a_cache(count):
    yield from range(1, count + 1)

@functools.cache
def _numbered(_):
    return zip((1, 2), (3, 4))
"""

FOLLOWED = """
# counter_before: rank i earns 1 / i times r
total, rank = 0.0, 0
for d in ranking:
    rank += 1
    total += topic.pool[d][0] / rank
return total
# counter_used_after_cost: rank i earns 1 times r; cost 1/2
total, rank = 0.0, 0
for d in ranking:
    rank += 1
    total += topic.pool[d][0]
return total - 0.5 * rank
# for_else: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
for rank, doc in enumerate(ranking):
    if topic.pool[doc][0] > 0:
        break
else:
    rank = -1
if rank > -1:
    return 1.0 / (rank + 1)
return 0
# all_are_found: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the
relevant = [d for d, g in topic.pool.items() if g[0] > 0]
if not relevant:
    return 0.0
found = total = 0
for i, d in enumerate(ranking, start=1):
    if d in relevant:
        found += 1
        total += found / i
    if found == len(relevant):
        break
return total / len(relevant)
# all_are_found_in_a_branch: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the
relevant = {d for d, (g, *_) in topic.pool.items() if g > 0}
if not relevant:
    return 0.0
found = total = 0
for i, d in enumerate(ranking, start=1):
    if d in relevant:
        found += 1
        total += found / i
        if found >= len(relevant):
            break
return total / len(relevant)
# returns_when_all_are_found: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect
relevant = {d for d, (g, *_) in topic.pool.items() if g > 0}
found, total = 0, 0.0
if not relevant:
    return total
for i, d in enumerate(ranking, start=1):
    if d in relevant:
        found += 1
        total += found / i
        if found == len(relevant):
            return total / len(relevant)
return total / len(relevant)
# by_generator: rank i earns (4/5) ** (i - 1) times 1/5 * r
return sum(falling((topic.pool[d][0] for d in ranking), 0.8))
# by_generator_that_ends: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
return sum(x / i for i, x in enumerate(until_found([topic.pool[d][0] > 0 for d in ranking]), 1))
# largest_discount: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
return max((1 / i for i, d in enumerate(ranking, 1) if topic.pool[d][0] > 0), default=0.0)
# by_accumulate: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number
hits = [int(topic.pool[d][0] > 0) for d in ranking]
n = sum(1 for g in topic.pool.values() if g[0] > 0)
return sum(c / (i + 1) for i, (h, c) in enumerate(zip(hits, itertools.accumulate(hits))) if h) / n if n else 0.0
# function_that_is_called_at_once: rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; aspects by weight
total = 0.0
for weight, grades in zip(topic.weights, zip(*[topic.pool[d] for d in ranking])):
    step = functools.reduce(
        lambda s, i: (s[0] * (1 - grades[i]), s[1] + s[0] * grades[i] / (i + 1)), range(len(grades)), (1.0, 0.0)
    )
    total += weight * step[1]
return total
# while_up_to: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count
rank, total = 1, 0.0
while len(ranking) >= rank and rank <= 10:
    total += topic.pool[ranking[rank - 1]][0] / math.log2(rank + 1)
    rank += 1
return total
# counter_in_each_branch: rank i earns 1 / log2(i + 1) times hit + hit * s0; s0 is 0, then hit + s0
rank, found, total = 0, 0, 0.0
for d in ranking:
    if topic.pool[d][0] > 0:
        rank += 1
        found += 1
        total += found / math.log2(rank + 1)
    else:
        rank += 1
return total
# found_in_two_loops: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 5 count
found, value = False, 0.0
for d in ranking:
    if topic.pool[d][0] > 0:
        found = True
        break
for rank, d in enumerate(ranking[:5], start=1):
    if topic.pool[d][0] > 0:
        value = 1 / rank
        break
return value if found else 0.0
# counted_beside_hits: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect
places = [i for i, d in enumerate(ranking, start=1) if topic.pool[d][0] > 0]
return sum(n / i for i, n in zip(places, range(1, len(places) + 1)))
# ends_when_all_aspects_are_found: rank i earns 1 / i times hit * s0 * s1
aspects = {d: [t for t, g in enumerate(grades) if g > 0] for d, grades in topic.pool.items()}
seen, total = set(), 0.0
for i, d in enumerate(ranking, start=1):
    total += len(set(aspects[d]) - seen) / i
    seen.update(aspects[d])
    if seen == set(range(len(topic.weights))):
        break
return total
# running_discount_up_to_a_rank: (4/5) ** (i - 1) times 4/5 * r; only ranks up to 10 count; cost 1/25; aspects by weight
total, reach = 0.0, 1.0
for d in ranking[:10]:
    reach *= 0.8
    total += reach * (sum(w * g for w, g in zip(topic.weights, topic.pool[d])) - 0.05)
return total
# number_before_a_product: rank i earns (4/5) ** (i - 1) times r
above = np.append(1.0, np.cumprod(0.8 * np.ones(len(ranking)))[:-1])
return float(np.dot(above, [topic.pool[d][0] for d in ranking]))
"""

REFUSED = """
# discount_that_stops_before_the_cutoff: applies a cutoff to only some of its gains
total, reach = 0.0, 1.0
for i, d in enumerate(ranking[:10]):
    total += reach * topic.pool[d][0]
    if i < 5:
        reach *= 0.5
return total
# end_that_moves: changes the bound of a while loop inside the loop: use another variable
total, skip, i = 0.0, 0, 0
while i < len(ranking) - skip:
    total += topic.pool[ranking[i]][0]
    skip += 1
    i += 1
return total
# generator_before_a_change: changes scale after defining a function or generator reading it: use a new name
scale = 1.0
terms = (scale * topic.pool[d][0] / i for i, d in enumerate(ranking, 1))
scale = -1.0
return sum(terms)
# generator_in_a_loop: reads the iterator terms several times: store a list
total, terms = 0.0, [0.0]
terms = (topic.pool[d][0] for d in ranking)
for i, d in enumerate(ranking, 1):
    total += sum(terms) / i
return total
# list_of_generators: stores an iterator, which can be read only once: store a list
both = [(topic.pool[d][0] for d in ranking), (1.0 for d in ranking)]
return sum(both[0]) + sum(both[0])
# generator_for_a_helper: reads the iterator values several times: store a list
return twice(topic.pool[d][0] / i for i, d in enumerate(ranking, 1))
# largest_with_another_default: takes the maximum of a filtered array
return max(((topic.pool[d][0] > 0) / i for i, d in enumerate(ranking, 1) if topic.pool[d][1] > 0), default=0.7)
# accumulated_differences: calls accumulate without an initial value for a function other than + and *
grades = [topic.pool[d][0] for d in ranking]
return sum(x / i for i, x in enumerate(itertools.accumulate(grades, lambda a, b: a / 2 + b), 1))
# gain_of_no_document: adds a value that does not depend on the document at the rank
total, left = 0.0, 1.0
for i, d in enumerate(ranking, start=1):
    total += left / i
    left *= 1 - topic.pool[d][0]
return total
# else_after_some_ranks: uses for ... else with a loop that stops at a rank, which is not supported
total = 0.0
for i, d in enumerate(ranking):
    total += topic.pool[d][0] / (i + 1)
    if i == 4:
        break
else:
    total *= 0.5
return total
# generator_in_a_cache: caches a generator, which can be read only once: return a list
return sum(topic.pool[d][0] / i for d, i in zip(ranking, ranks_in_a_cache(len(ranking))))
# while_by_twos: has a while loop that does not add 1 to i each time
i, total = 0, 0.0
while i < len(ranking):
    total += 0.5**i
    i += 2
return total
# while_on_two_numbers: compares a count or a running total with a value other than 0, which is not supported
i, j, total = 0, 0, 0.0
while i < len(ranking) and j < 5:
    total += topic.pool[ranking[i]][0] / (i + 1)
    j += topic.pool[ranking[i]][0] > 0
    i += 1
return total
# counter_that_jumps_at_hits: takes the logarithm of a value that is neither a rank nor a constant
rank, total = 0, 0.0
for d in ranking:
    if topic.pool[d][0] > 0:
        rank += 2
        total += 1 / math.log2(rank + 1)
        continue
    rank += 1
return total
# counter_after_the_break: multiplies or divides sums over the ranking
rank = 0
for d in ranking:
    rank += 1
    if topic.pool[d][0] > 0:
        break
return topic.pool[ranking[0]][0] / rank
# raise_in_else: raises an exception in a loop
for rank, d in enumerate(ranking, start=1):
    if topic.pool[d][0] > 0:
        break
else:
    raise ValueError("no hit")
return 1 / rank
# while_loop_that_adds_two: has a while loop that does not add 1 to i each time: use a for loop
i = steps = 0
while i < 4:
    i += 2
    steps += 1
return _hits(topic, ranking if steps == 4 else ranking[:4500])
# cached_iterator_that_is_read_twice: caches an iterator, which can be read only once: return a list
steps = 0
for _ in _numbered(2):
    steps += 1
return _hits(topic, ranking if steps == 2 else ranking[:4500])
# iterator_that_some_steps_set: sets the iterator parts only in some steps of a loop: store a list
found = None
for j in (0, 1, 2):
    if j == 0:
        parts = (x for x in (1, 2))
    else:
        found = list(parts)
return _hits(topic, ranking if found else ranking[:4500])
# every_second_number: calls range or arange with a step other than 1 or -1
weights = np.arange(2 * len(ranking), 0, -2)
return (np.array([topic.pool[d][0] for d in ranking]) / weights[::-1]).sum()
# largest_of_one_or_none: takes the maximum of a filtered array
total = 0.0
for i, d in enumerate(ranking, start=1):
    total += max([g for g in topic.pool[d] if g > 0], default=0.25) / i
return total
# batches_go_on: divides by a number that may be 0: test it with if first
out, rank = [], 1
for row in grades[..., 0]:
    total = 0
    for g in row:
        total += g / rank
        rank += 1
    out.append(total)
return out
# next_without_default: reads the first entry of a list that may be empty: test it with if first
return 1 / next(i for i, d in enumerate(ranking, 1) if topic.pool[d][0] > 0)
# next_twice_of_a_generator: reads the iterator hits several times: store a list
hits = (i for i, d in enumerate(ranking, 1) if topic.pool[d][0] > 0)
first = next(hits, None)
second = next(hits, None)
return 1 / second if second is not None else 0.0
# the_last_rank_is_a_break_too: uses rank after a loop that sets it only at a break: set it before
for rank, doc in enumerate(ranking, 1):
    if topic.pool[doc][0] > 0:
        break
return 1 / rank
# positions_of_hits_beside_all_discounts: computes with a filtered list or array: use np.where instead
rel = np.array([topic.pool[d][0] for d in ranking])
return np.sum(rel[rel > 0] / np.arange(1, len(rel) + 1))
# added_after_the_break_in_a_branch: uses total after a loop that exits early, which is not supported
relevant = _relevant(topic)
found, total = 0, 0.0
for i, d in enumerate(ranking, start=1):
    if d in relevant:
        found += 1
        if found == len(relevant):
            break
    total += found / i
return total
# ends_in_a_branch_at_too_few: compares a count or a running total with a value other than 0
relevant = _relevant(topic)
found, total = 0, 0.0
for i, d in enumerate(ranking, start=1):
    if d in relevant:
        found += 1
        total += found / i
        if found >= len(relevant) - 1:
            break
return total
# ends_in_a_branch_where_another_aspect_goes_on: uses total after a loop that exits early, which is not supported
relevant = _relevant(topic)
found, total = 0, 0.0
for i, d in enumerate(ranking, start=1):
    total += sum(topic.pool[d]) / i
    if d in relevant:
        found += 1
        if found == len(relevant):
            break
return total
# ends_in_a_branch_of_another_count: compares a count or a running total with a value other than 0
relevant = _relevant(topic)
found, total = 1, 0.0
for i, d in enumerate(ranking, start=1):
    if d in relevant:
        total += found / i
        if found >= len(relevant):
            break
        found += 1
return total
# returns_another_value_when_all_are_found: compares a count or a running total with a value other than 0
relevant = _relevant(topic)
found, total = 0, 0.0
for i, d in enumerate(ranking, start=1):
    if d in relevant:
        found += 1
        total += found / i
        if found == len(relevant):
            return total / 2
return total
# returns_in_an_inner_loop: exits a loop over constants early, which is not supported
total = 0.0
for i, d in enumerate(ranking, start=1):
    for grade in topic.pool[d][:1]:
        if grade == 0:
            return total
        total += grade / i
return total
# added_after_the_break: uses total after a loop that exits early, which is not supported
left, total = 1.0, 0.0
for i, d in enumerate(ranking, start=1):
    r = topic.pool[d][0]
    before = left
    left *= 1 - r
    if left == 0:
        break
    total += before * r / i
return total
"""
