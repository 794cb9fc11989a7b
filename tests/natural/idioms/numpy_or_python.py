"""Numbers that are numpy's on some paths and Python's on others, and lists that may be tuples."""

GIVEN = """
def _numpy_or_python(topic, ranking):
    total = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
    for i, d in enumerate(ranking, start=1):
        if topic.pool[d][0] > 0:
            return total + np.float64(1) / i
    return total

def _first_without(topic, ranking):
    for i, d in enumerate(ranking, start=1):
        if topic.pool[d][0] <= 0:
            return 1 / i
    return 0.0
"""

FOLLOWED = """
# item_of_a_sum: rank i earns 1 / i times r
grades = np.array([topic.pool[d][0] for d in ranking])
return (grades / np.arange(1, len(ranking) + 1)).sum().item()
# cast_of_an_entry: rank i earns 1 / i times hit
hits = np.array([topic.pool[d][0] for d in ranking]) > 0
return sum(hits[i].astype(float) / (i + 1) for i in range(len(ranking)))
# power_of_a_listed_entry: rank i earns (1/2) ** (i - 1) times r
ranks = np.arange(len(ranking)).tolist()
return sum(topic.pool[d][0] * 2 ** -ranks[i] for i, d in enumerate(ranking))
# power_of_floats: rank i earns (1/2) ** (i - 1) times r
return sum(topic.pool[d][0] * math.pow(2, -i) for i, d in enumerate(ranking))
# power_of_a_counter: rank i earns (1/2) ** (i - 1) times r
total, rank = 0.0, 0
for d in ranking:
    total += topic.pool[d][0] * 2**-rank
    rank += 1
return total
"""

REFUSED = """
# method_of_a_number_of_either: calls item on a number, which is not supported
total = 0.0
for i, d in enumerate(ranking):
    gain = topic.pool[d][0]
    gain = np.float64(gain) if i > 3 else gain
    total += gain.item() / (i + 1)
return total
# type_of_a_number_of_either: calls astype on a number, which is not supported
hits = [topic.pool[d][0] > 0 for d in ranking]
array = np.array(hits)
return sum((hits[i] if i > 3 else array[i]).astype(float) / (i + 1) for i in range(len(ranking)))
# dtype_of_a_python_number: reads the attribute dtype of a number, which is not supported
return sum(topic.pool[d][0] / (i + 1) for i, d in enumerate(ranking) if topic.pool[d][0].dtype == float)
# carried_number_of_either: calls item on a number, which is not supported
total = 0.0
for i, d in enumerate(ranking):
    total += np.float64(topic.pool[d][0]) / (i + 1)
return total.item()
# method_of_a_constant: calls item on '1', which is not supported
return sum(topic.pool[d][0] / (i + 1) for i, d in enumerate(ranking)) * (1).item()
# power_of_an_entry: raises integers to powers, which overflows if they are numpy integers: convert them to float
ranks = np.arange(len(ranking))
return sum(topic.pool[d][0] * 2 ** -ranks[i] for i, d in enumerate(ranking))
# power_of_a_list_of_entries: raises integers to powers, which overflows if they are numpy integers: convert them to
#   float
ranks = list(np.arange(len(ranking)))
return sum(topic.pool[d][0] * 2 ** -ranks[i] for i, d in enumerate(ranking))
# power_of_a_counter_of_numpy: raises integers to powers, which overflows if they are numpy integers: convert them to
#   float
total, rank = 0.0, 0
for d in ranking:
    total += topic.pool[d][0] * 2**-rank
    rank += np.ones(1, dtype=int)[0]
return total
# power_of_a_mixture: raises a number to a power, and either may be a numpy integer: convert it to float
total = 0.0
for i, d in enumerate(ranking):
    power = i if i > 3 else float(i)
    total += topic.pool[d][0] * np.power(2, -power)
return total
# appends_to_a_tuple_or_a_list: calls append on a value that may be a tuple
total = 0.0
for i, d in enumerate(ranking):
    pair = (1,) if i > 3 else [1]
    if topic.pool[d][0] > 0:
        pair.append(2)
    total += topic.pool[d][0] / (i + 1)
return total
# fills_a_tuple_or_a_list: calls append on a value that may be a tuple
gains = () if len(ranking) > 3 else []
for d in ranking:
    gains.append(topic.pool[d][0])
return sum(gain / (i + 1) for i, gain in enumerate(gains))
# adds_a_tuple_or_a_list: adds two values, one of which may be a list and the other a tuple
pair, first = (1, 2) if len(ranking) > 3 else [1, 2], [1]
return sum(topic.pool[d][0] / (i + 1) for i, d in enumerate(ranking)) * len(first + pair)
# adds_to_a_set_or_a_list: computes with a list or tuple, which is not supported
total = 0.0
for i, d in enumerate(ranking):
    seen = [1] if i > 3 else set()
    if topic.pool[d][0] > 0:
        seen.append(d)
    total += topic.pool[d][0] / (i + 1)
return total
# returned_with_a_common_term: calls item on a number, which is not supported
found = _numpy_or_python(topic, ranking) - _first_without(topic, ranking)
return found.item() if len(ranking) > 300 else found
"""
