"""Lists and arrays that a loop over ranks fills and reads."""

GIVEN = """
def precisions_so_far(relevant, documents):
    return [d for d in documents if d in relevant]

TYPED = [1.0, 0.9, 0.3]
"""

FOLLOWED = """
# list_of_the_first_five: rank i earns 1 / i times r; only ranks up to 5 count
gains = []
for i, d in enumerate(ranking):
    if i >= 5:
        break
    gains.append(topic.pool[d][0])
return sum(g / (i + 1) for i, g in enumerate(gains))
# last_of_a_list_of_sums: rank i earns 1 times r; only ranks up to 20 count
sums, total = [], 0.0
for d in ranking[:20]:
    total += topic.pool[d][0]
    sums.append(total)
return sums[-1]
# constants_in_a_loop: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect
discounts = []
for i in range(10):
    discounts.append(1 / math.log2(i + 2))
return sum(topic.pool[d][0] * discounts[i] for i, d in enumerate(ranking[:10]))
# last_total_of_a_cutoff: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect
gains = np.array([topic.pool[d][0] for d in ranking])
totals = np.cumsum(gains / np.log2(np.arange(2, gains.size + 2)))
return totals[min(10, len(totals)) - 1]
# mean_of_found_precisions(k=10): only ranks up to 10 count; one aspect; times a positive constant per topic
relevant, precisions = _relevant(topic), []
for rank, d in enumerate(ranking[:k], start=1):
    if d in relevant:
        precisions.append((len(precisions_so_far(relevant, ranking[:rank]))) / rank)
if not precisions:
    return 0.0
return sum(precisions) / min(len(relevant), k)
# first_hit_in_a_list: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
found = []
for rank, doc in enumerate(ranking, 1):
    if topic.pool[doc][0] > 0:
        found.append(1 / rank)
        break
else:
    found.append(0)
return np.mean(found)
# number_of_hits_so_far: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0
hits, total = [], 0.0
for rank, doc in enumerate(ranking, 1):
    if topic.pool[doc][0] > 0:
        hits.append(doc)
        total += len(hits) / rank
return total
# mean_of_flags_so_far: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0
flags, total = [], 0.0
for doc in ranking:
    flags.append(topic.pool[doc][0] > 0)
    if flags[-1]:
        total += statistics.fmean(flags)
return total
# sum_of_grades_so_far: rank i earns 1 / i times r * s0 + r**2; s0 is 0, then r + s0; only ranks up to 5 count
grades, total = [], 0.0
for doc in ranking:
    grades.append(topic.pool[doc][0])
    total += grades[-1] * np.sum(grades) / len(grades)
    if len(grades) == 5:
        break
return total
# length_before_each_step_appends: rank i earns 1 / i times r
seen, total = [], 0.0
for doc in ranking:
    total += topic.pool[doc][0] / (len(seen) + 1)
    seen.append(doc)
return total
# first_while_a_list_is_empty: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
hits, total = [], 0.0
for rank, doc in enumerate(ranking, 1):
    if topic.pool[doc][0] > 0:
        if not hits:
            total += 1 / rank
        hits.append(rank)
return total
"""

REFUSED = """
# filled_ones: loops over part of the ranks; only loops over all ranks or the first k ranks are supported
gains = np.ones(5)
for i, d in enumerate(ranking[:5]):
    gains[i] = topic.pool[d][0]
return float(gains.sum())
# filled_until_the_first: reads an array while a loop is filling it
hits = np.zeros(5)
for i, d in enumerate(ranking[:5]):
    if topic.pool[d][0] > 0:
        hits[i] = 1.0
        break
return float((hits / np.arange(1, 6)).sum())
# table_without_an_expression: loops over a list or tuple
return sum(topic.pool[d][0] * w for d, w in zip(ranking, TYPED))
# constants_in_several_loops: creates a list in nested loops over constants, or a list that is too long
total = sum(topic.pool[d][0] for d in ranking)
return total * len([topic.pool[d][0] for _ in (1, 2) for d in ranking])
# list_kept_from_aspect_to_aspect: uses the carried in a gain or a running total, which is not supported
kept, total = [0.0] * len(ranking), 0.0
for t, w in enumerate(topic.weights):
    for i, d in enumerate(ranking):
        kept[i] = kept[i] + topic.pool[d][t]
    total += w * sum(kept[i] / (i + 1) for i in range(len(ranking)))
return total
# list_on_a_condition_at_a_rank: chooses between whole arrays based on the current entry of a loop
gains, total = [topic.pool[d][0] for d in ranking], 0.0
halves = [g * 0.5 for g in gains]
for d in ranking:
    total += sum(gains if topic.pool[d][0] > 0 else halves)
return total
# entry_of_a_list_that_may_lack_ranks: reads an entry of a list or dictionary that a loop is filling, which is not
#   supported
gains, total = [], 0.0
for i, d in enumerate(ranking):
    if topic.pool[d][0] > 0:
        gains.append(topic.pool[d][0])
        total += gains[i] / (i + 1)
return total
# last_of_counts_that_skip: reads an entry of a filtered list, which is not supported
found, sums = 0.0, []
for d in ranking:
    found += topic.pool[d][0]
    if topic.pool[d][0] == 0:
        sums.append(found)
return sums[-1]
# running_totals_with_a_break: reads an entry
grades, totals = [topic.pool[d][0] for d in ranking], [0.0]
for i in range(1, len(grades)):
    totals.append(totals[i - 1] + grades[i])
    if grades[i] > 0:
        break
return totals[-1]
# entry_before_the_first: reads an entry other than the loop's current one
totals = np.cumsum([1 / math.log2(i + 2) for i in range(len(topic.pool))])
return _hits(topic, ranking) * totals[len(_first_relevant(topic)) - 1]
# entry_of_another_length: slices up to a number that is neither a constant nor the length of the ranking
totals = np.cumsum([topic.pool[d][0] for d in ranking[:5]])
return totals[min(len(ranking), 10) - 1]
# list_that_is_longer_after_a_test: computes with a list or tuple
scores = [_hits(topic, ranking)]
if len(ranking) > 3:
    scores.append(1.0)
return sum(scores)
# list_read_after_all: appends twice to a list
found = []
for d in ranking:
    if topic.pool[d][0] > 0:
        found.append(d)
        found.append(d)
return len(found)
# list_that_slides: calls pop on
last, total = [], 0.0
for d in ranking:
    last.append(topic.pool[d][0])
    if topic.pool[d][0] > 0:
        last.pop(0)
    total += sum(last)
return total
# last_column: it changes an entry other than the loop's current one: use the loop's index
totals = np.zeros((len(grades), 1))
for place in range(grades.shape[1]):
    totals[:, 0] = grades[:, place, 0]
return totals[:, 0]
# list_that_is_changed_in_a_loop_over_it: changes cuts in a loop over it: loop over a copy
cuts, steps = [1, 2, 3, 4], 0
for _ in cuts:
    cuts.pop()
    steps += 1
return _hits(topic, ranking if steps == 4 else ranking[:4500])
# list_of_documents_that_is_cleared_in_a_loop_over_it: changes docs in a loop over it: loop over a copy
docs, total, late = list(ranking), 0.0, False
for i, d in enumerate(docs):
    total += topic.pool[d][0] / (i + 1)
    late = late or (i == 40 and topic.pool[d][0] > 0)
    if late:
        docs.clear()
return total
# second_entry_of_some_steps: reads a list that a loop is filling, and changes it other than by append
grades, total = [], 0.0
for d in ranking:
    grades.append(topic.pool[d][0])
    total += grades[-1] / len(grades)
    if grades[-1] > 0:
        grades.append(0.0)
return total
# entry_of_some_steps: divides by a number that is neither a constant
grades, total = [], 0.0
for d in ranking:
    if topic.pool[d][0] == 0:
        continue
    grades.append(topic.pool[d][0])
    total += grades[-1] / len(grades)
return total
# entry_that_is_removed: calls pop on a list or dictionary that a loop is filling, which is not supported
grades, total = [], 0.0
for d in ranking:
    grades.append(topic.pool[d][0])
    total += grades[-1] / len(grades)
    if grades[-1] == 0:
        grades.pop()
return total
# entry_that_is_set_later: changes an entry of a list or dictionary that a loop is filling, which is not supported
grades, total = [], 0.0
for d in ranking:
    grades.append(topic.pool[d][0])
    total += topic.pool[d][0] * sum(grades)
    grades[-1] = 0
return total
# integers_in_one_branch: reads a list that a loop is filling with numbers of different types
numbers, total = [], 0.0
for d in ranking:
    if topic.pool[d][0] > 0:
        numbers.append(1)
        total += 0.5 ** int(sum(numbers))
    else:
        numbers.append(0.5)
return total
# mean_of_a_list_that_may_be_empty: reads a list that a loop is filling, which is not supported
grades, total = [], 0.0
for d in ranking:
    total += topic.pool[d][0] * np.mean(grades)
    grades.append(topic.pool[d][0])
return total
# list_so_far_in_an_inner_loop: combines the ranks of two nested loops
grades, total = [], 0.0
for d in ranking:
    grades.append(topic.pool[d][0])
    for e in ranking:
        total += topic.pool[e][0] * len(grades)
return total
# list_over_filtered_documents: reads a list that a loop is filling, and changes it other than by append
seen, total = [], 0.0
for d in [d for d in ranking if topic.pool[d][0] > 0]:
    seen.append(d)
    total += topic.pool[d][0] / len(seen)
return total
# whole_array_in_a_loop: updates x from rank to rank, which is not supported for an array
x = np.ones(len(ranking))
for i, d in enumerate(ranking):
    x *= 0.9
return sum(x[i] * topic.pool[d][0] for i, d in enumerate(ranking))
# slice_in_a_loop: changes several entries of an array in each iteration of a loop
x = np.ones(len(ranking))
for i, d in enumerate(ranking):
    if topic.pool[d][0] > 0:
        x[3:] = 0
return sum(x[i] * topic.pool[d][0] for i, d in enumerate(ranking))
# read_before_it_is_filled: reads an array while a loop is filling it
x = [0.0] * len(ranking)
total = 0
for i, d in enumerate(ranking):
    if sum(x) == 0:
        total += topic.pool[d][0] / (i + 1)
    if i > 5000:
        x[i] = 1.0
return total
# aspects_while_filled: reads an array while a loop is filling it
seen = np.zeros(len(topic.weights))
total = 0
for i, d in enumerate(ranking):
    for t, g in enumerate(topic.pool[d]):
        if seen.sum() == 0:
            total += g / (i + 1)
        if i > 5000:
            seen[t] += 1
return total
# list_over_batch: updates a from rank to rank
a = []
out = []
for row in grades[..., 0]:
    for g in row:
        a.append(g)
    out.append(sum(a))
return out
# all_in_each_iteration: changes several entries of an array in each iteration of a loop
x, total = grades[:, :, 0], 0.0
discount = np.zeros_like(x)
for i in range(x.shape[1]):
    discount[:, :] = 1 / (i + 1)
    total = total + x[:, i] * discount[:, i]
return total
"""
