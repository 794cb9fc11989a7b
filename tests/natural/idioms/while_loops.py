"""While loops with several conditions, of which one bounds a counter."""

FOLLOWED = """
# ended_by_a_flag_that_comes_first: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; one aspect
found, i = False, 0
while not found and i < len(ranking):
    found = topic.pool[ranking[i]][0] > 0
    i += 1
return 1 / i if found else 0.0
# ended_by_a_count_that_comes_first: rank i earns 1 times hit * s0
seen, i, total = 0, 0, 0.0
while seen < 1 and i < len(ranking):
    if topic.pool[ranking[i]][0] > 0:
        seen += 1
        total += 1.0
    i += 1
return total
# ended_by_a_flag_that_comes_last: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; one aspect
found, i = False, 0
while i < len(ranking) and not found:
    found = topic.pool[ranking[i]][0] > 0
    i += 1
return 1 / i if found else 0.0
"""

REFUSED = """
# entry_that_is_read_before_the_bound: uses a while loop whose condition is not 'i < n'
i, total = 0, 0.0
while topic.pool[ranking[i]][0] > 0 and i < len(ranking):
    total += 1 / (i + 1)
    i += 1
return total
# truth_of_an_array_before_the_bound: uses a while loop whose condition is not 'i < n'
hits = np.array([topic.pool[d][0] > 0 for d in ranking])
i, total = 0, 0.0
while hits and i < len(ranking):
    total += hits[i] / (i + 1)
    i += 1
return total
# comparison_with_none_before_the_bound: uses a while loop whose condition is not 'i < n'
last, i, total = None, 0, 0.0
while last < 3 and i < len(ranking):
    total += topic.pool[ranking[i]][0] / (i + 1)
    i += 1
return total
# comparison_with_a_document_before_the_bound: uses a while loop whose condition is not 'i < n'
last, i, total = ranking[0], 0, 0.0
while last < 3 and i < len(ranking):
    total += topic.pool[ranking[i]][0] / (i + 1)
    i += 1
return total
# two_counters_that_rise_by_one: uses a while loop whose condition is not 'i < n'
i, j, total = 0, 0, 0.0
while j < 5 and i < len(ranking):
    total += topic.pool[ranking[i]][0] / (i + 1)
    i += 1
    j += 1
return total
# call_before_the_bound: uses a while loop whose condition is not 'i < n'
i, total = 0, 0.0
while float(total) < 1 and i < len(ranking):
    total += topic.pool[ranking[i]][0] / (i + 1)
    i += 1
return total
# counter_that_skips_in_a_branch: has a while loop that does not add 1 to i each time
found, i, total = False, 0, 0.0
while not found and i < len(ranking):
    if topic.pool[ranking[i]][0] > 0:
        found = True
        total = 1 / (i + 1)
        i += 1
    i += 1
return total
"""
