"""Second names, views and helpers through which a list, an array or a dictionary changes."""

GIVEN = """
def ones_where_relevant(grades):
    made = np.zeros(grades.shape[:2])
    made[grades[:, :, 0] > 0] = 1.0
    return made

def changed_by_a_helper(seen, grades):
    for t, g in enumerate(grades):
        seen[t] += g > 0

def the_same(values):
    return values

def reader_of(values):
    return lambda: (values / np.arange(1, len(values) + 1)).sum()

def a_view(grades):
    return grades[:, :, 0]

def _add_to(items):
    _ = {1, 2, 3}
    items.append(1)

def _extended(cuts):
    cuts += [4500]
    return 0

def cumulated(x, start):
    return (x * start).sum()

def add(lst, x):
    lst.append(x)
    return 0
"""

FOLLOWED = """
# change_of_a_returned_array: rank i earns 1 times hit; only ranks up to 5 count
gains = ones_where_relevant(grades)
gains[:, 5:] = 0.0
return gains.sum(axis=1)
# counts_that_a_helper_changes: rank i earns 1 / i times 1/2 * r * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects
#   alike
seen, total = [0] * len(topic.weights), 0.0
for i, d in enumerate(ranking, 1):
    changed_by_a_helper(seen, topic.pool[d])
    for t, g in enumerate(topic.pool[d]):
        total += g * 0.5 ** seen[t] / i
return total
"""

REFUSED = """
# one_list: assigns one object to several variables
gains = others = []
for d in ranking:
    gains.append(topic.pool[d][0])
return sum(gains) - sum(others)
# lists_times: repeats a list of lists
gains, others = [[]] * 2
for d in ranking:
    gains.append(topic.pool[d][0])
return sum(gains) - sum(others)
# no_copy: calls astype with copy=False, which is not supported: omit copy
x = grades[..., 0] * 1.0
y = x.astype(float, copy=False)
y *= -1
return x.sum(axis=1)
# quotient_into_a_buffer: passes an out= array that a variable may refer to: write out=np.zeros(...)
x, out = grades[..., 0], np.zeros_like(grades[..., 0])
found = np.divide(x, np.arange(1, x.shape[1] + 1) * np.ones_like(x), out=out, where=x > 0)
return (found - out).sum(axis=1)
# einsum_of_one_array: transposes an array with einsum, whose result is a view: use .T instead
x = grades[..., 0] * 1.0
y = np.einsum("bn->bn", x)
y[:, 0] = 0.0
return x.sum(axis=1)
# list_sorted_after_it_was_read: changes judged in place, which may also change rows
judged = [g[0] for g in topic.pool.values()]
rows = [judged]
judged.sort(reverse=True)
ideal = sum(g / i for i, g in enumerate(rows[0], 1))
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0
# pairs_of_rows: changes x in place, which may also change rows
x = grades[..., 0] * 1.0
rows = list(enumerate(x))
x *= -1
return np.array([row.sum() for _, row in rows])
# set_from_a_helper: changes other, which may refer to another object: change a copy instead
late = set()
other = the_same(late)
for d in ranking[:5]:
    other.add(d)
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) - 5 * len(late)
# row_of_a_dictionary: changes row in place, which may also change rel
rel = {d: np.array(gs) for d, gs in topic.pool.items()}
for d in ranking:
    row = rel[d]
    row *= -1.0
return sum(rel[d].sum() / i for i, d in enumerate(ranking, 1))
# set_from_a_function_of_two_names: changes other, which may refer to another object: change a copy instead
late, same = set(), the_same
other = same(late)
for d in ranking[:5]:
    other.add(d)
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) - 5 * len(late)
# array_that_a_function_reads: changes x in place, which may also change read
x = np.array([topic.pool[d][0] for d in ranking]) * 1.0
read = reader_of(x)
x *= -1.0
return read()
# zeros_without_axes: creates a 0-d array, which is not supported: use a float
state = {"seen": np.zeros(())}
seen, total = state["seen"], 0.0
for i, d in enumerate(ranking, start=1):
    if state["seen"] >= 1_400:
        break
    total += topic.pool[d][0] / i
    seen += 1
return total
# chosen_number: calls np.where on numbers, which returns a 0-d array: use if and else
level = np.where(len(ranking) > 0, 0.0, 1.0)
start = level
for d in ranking:
    level += 1.0
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) * (1.0 if start < 1_300 else 0.5)
# entry_with_an_ellipsis: reads one entry as a 0-d array, which is not supported
x = np.array([topic.pool[d][0] for d in ranking])
first = x[0, ...]
x[0] = 0.0
return float(first)
# view_of_a_helper: changes placed, which another variable may refer to: change a copy instead
def view(names):
    return names.items()
placed = {}
seen = view(placed)
for i, d in enumerate(ranking, start=1):
    placed[d] = i
total = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
return total if len(seen) < 2_000 else 0.0
# changed_by_a_view: changes ranks in place, which may also change rows
ranks = np.arange(1.0, grades.shape[1] + 1)
rows = np.broadcast_to(ranks, grades.shape[:2])
ranks[0] = 5.0
return (grades[:, :, 0] / rows).sum(axis=1)
# array_in_a_dictionary_in_place: changes an array in a dictionary in place
ones = np.ones(len(ranking))
held = {"ones": ones}
held["ones"] += 1.0
return float((np.array([topic.pool[d][0] for d in ranking]) * ones).sum())
# one_list_for_all_keys: calls dict.fromkeys with a value that is neither a constant number nor a string
one = []
out = dict.fromkeys(["P@5", "P@10"], one)
out["P@5"].append(_hits(topic, ranking[:5]))
return out["P@10"][0]
# results_by_two_names: changes other, which may refer to another object
results = {"gain": 0.0}
other = results
for d in ranking[:5]:
    other["gain"] += topic.pool[d][0]
return results["gain"]
# view_of_a_function: it changes gains, which may belong to the caller
gains = a_view(grades)
gains[gains > 0] = 1.0
return grades[:, :, 0].sum(axis=1)
# list_changes_in_a_conditional_expression: uses an expression that is not supported
items = []
_ = _add_to(items) if topic.pool[ranking[0]][0] > 0 else None
return _hits(topic, ranking) * (1 + len(items))
# list_of_the_caller_changes_in_a_conditional_expression: calls a function only for its side effect
items = []
def add():
    items.append(1)
_ = add() if topic.pool[ranking[0]][0] > 0 else None
return _hits(topic, ranking) * (1 + len(items))
# list_that_a_condition_extends: it calls append on a list or tuple, which is not supported
notes = [1]
_ = len(ranking) > 3 and notes.append(5)
return len(notes) * _hits(topic, ranking)
# dictionary_that_a_choice_fills: it calls setdefault on a dictionary, which is not supported
notes = {1: 2}
_ = notes.setdefault(2, 5) if len(ranking) > 3 else 0
return len(notes) * _hits(topic, ranking)
# list_that_a_lambda_extends: it calls append on a list or tuple, which is not supported
notes = [1]
_ = (lambda kept: kept.append(1))(notes) if len(ranking) > 3 else 0
return len(notes) * _hits(topic, ranking)
# dictionary_that_a_choice_empties: it calls pop on a dictionary, which is not supported
grades = {d: topic.pool[d][0] for d in ranking}
_ = grades.pop(ranking[0]) if len(ranking) > 3 else 0
return sum(grades.get(d, 0) / (i + 1) for i, d in enumerate(ranking))
# array_that_a_function_of_numpy_fills: passes an unsupported number of arguments
grades = np.array([topic.pool[d][0] for d in ranking])
_ = np.minimum(grades, 0.25, grades) if len(ranking) > 3 else 0
return (grades / np.arange(1, len(grades) + 1)).sum()
# list_that_a_key_extends: it reads the attribute append of a list or tuple, which is not supported
notes = [1]
_ = list(map(notes.append, ranking)) if len(ranking) > 3 else 0
return len(notes) * _hits(topic, ranking)
# list_that_the_key_of_a_rank_extends: it passes a function by keyword, together with the result of a
#   loop that ends early
notes, rank = [], 1
def noted(value):
    notes.append(value)
    return 0
for i, d in enumerate(ranking):
    if topic.pool[d][0] > 0:
        rank = i + 1
        break
_ = min(rank, 3, key=noted)
return (1 + len(notes)) * _hits(topic, ranking)
# list_that_a_helper_extends_in_a_branch: changes cuts, which belongs to the caller
cuts = [None]
_ = _extended(cuts) if len(ranking) > 1 else 0
return _hits(topic, ranking[: cuts[-1]])
# else_of_a_loop_that_appends_to_another_name: changes found, which another variable may refer to: change a copy instead
found = []
kept = found
for d in ranking:
    if topic.pool[d][0] > 0:
        found.append(1)
        break
else:
    kept.append(0)
return sum(found) / len(found)
# else_after_another_loop: calls a function only for its side effect, which is not supported
found = []
for d in ranking:
    if topic.pool[d][0] > 0:
        found.append(1)
        break
for d in ranking[:5]:
    if topic.pool[d][0] > 0:
        break
else:
    found.append(0)
return sum(found)
# transposed_before_its_change: changes scores in place, which may also change same
hits = (grades[:, :10, 0] > 0).astype(float)
scores = 1.0 / (np.argmax(hits, axis=1) + 1.0)
same = scores.T
scores[hits.max(axis=1) == 0.0] = 0.0
return same
# first_aspect_as_a_view: changes first in place, which may also change gains
gains = grades[:, :, :1].copy()
first = gains[:, :, 0]
first[:, 0] = 0
return gains.sum(axis=(1, 2))
# array_of_one_number_that_may_be_whole: changes totals, which may be a view of another array
total = 0
for d in ranking:
    if topic.pool[d][0] > 0:
        total += 0.5
totals = np.array([total])
totals[0] = _hits(topic, ranking) / 3
return totals[0]
# row_changed_after_its_copy: changes gains, which another variable may refer to
gains = np.array([topic.pool[d][0] for d in ranking])
rows = np.asarray([gains])
gains[0] = 0.0
return rows.sum()
# row_read_before_its_change: changes discounts in place, which may also change row
discounts = np.zeros((1, grades.shape[1]))
(row,) = [row for row in discounts]
discounts[:, 0] = 1.0
return (grades[:, :, 0] * row).sum(axis=1)
# pairs_to_which_one_is_added: calls a function only for its side effect, which is not supported
judged = {("query", d) for d, g in topic.pool.items() if g[0] > 0}
judged.add(("query", ranking[0]))
return sum(("query", d) in judged for d in ranking)
# set_in_a_dictionary: changes a, which may refer to another object
aspects = {d: {t for t, g in enumerate(grades) if g > 0} for d, grades in topic.pool.items()}
total = 0.0
for i, d in enumerate(ranking, start=1):
    a = aspects[d]
    a.add(0)
    total += len(aspects[d]) / i
return total
# sorted_by_two_names: changes pairs, which another variable may refer to
pairs = [(d, g[0]) for d, g in topic.pool.items()]
other = pairs
pairs.sort(key=lambda pair: -pair[1])
ideal = sum(g / i for i, (_, g) in enumerate(other, start=1))
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / ideal if ideal else 0.0
# alias: changes other in place, which may also change above
x = grades[..., 0]
above = np.ones_like(x)
other = above[:, :]
other[:, 1:] = 0
return (x * above / np.arange(1, x.shape[1] + 1)).sum(axis=1)
# the_caller_s: changes x, which may belong to the caller
x = grades[..., 0]
x[:, 5:] = 0
return x.sum(axis=1)
# list_in_a_helper: changes lst, which belongs to the caller
a = []
total = 0
for i, d in enumerate(ranking):
    total += topic.pool[d][0] / (i + 1)
    y = add(a, total)
return total * (len(a) == 0)
# all_of_a_second_name: changes y in place, which may also change x
x = grades[:, :, 0] * 1.0
y = x
y[:, :] = 0.5
return x.sum(axis=1)
"""
