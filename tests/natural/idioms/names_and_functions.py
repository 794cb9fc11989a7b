"""Names and scopes, inner functions, default arguments, partial functions and assignments with `:=`."""

GIVEN = """
def as_it_is(grade):
    return grade

KINDS = {"graded": as_it_is, "discount": [np.log2]}

def with_discount(x, discount, shift):
    return np.sum(x * discount(np.arange(x.shape[1]) + shift), axis=1)

@dataclass(frozen=True)
class Patience:
    p: float = 0.5
    def weight(self, i):
        return (1 - self.p) * self.p**i

def _reciprocal(i):
    return 1 / (i + 1)

@functools.cache
def size(x):
    return len(str(x))

class Ticks:
    def __init__(self):
        self.n = 0
    def step(self):
        self.n += 1
        return self.n

K = 1.0

def summed_over(gain, topic, ranking, times=1.0):
    return sum(times * gain(topic.pool[d][0]) / i for i, d in enumerate(ranking, start=1))

summed = functools.partial(summed_over, as_it_is, times=0.5)

TIMES = [1.0]

def times_of_a_list(grade):
    TIMES.append(1.0)
    return len(TIMES) * grade

summed_by_a_list = functools.partial(summed_over, times_of_a_list)
summed_of_an_object = functools.partial(summed_over, Ticks().step)

_Scaled__by = 2.0

class Scaled:
    def of(self, x):
        from math import hypot as __by
        return x * __by
"""

FOLLOWED = """
# iterator_under_the_name_of_its_list: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; one aspect
rows = [[topic.pool[d][0] for d in ranking]]
rows = (np.asarray(row).nonzero()[0] for row in rows)
return np.mean([1.0 / (row[0] + 1) if row.size else 0.0 for row in rows])
# partial_with_a_function: rank i earns 1 / i times 1/2 * r
return summed(topic, ranking)
# inner_defaults: rank i earns 1 / log2(i + 2) times r; only ranks up to 5 count; one aspect
shift = 1
def discount(rank, shift=shift + 1, *, base=2):
    return 1 / math.log(rank + shift, base)
return sum(topic.pool[d][0] * discount(i) for i, d in enumerate(ranking[:5], start=1))
# sums_by_reduce: rank i earns 1 / i times 1/2 * hit + 1/2 * r; one aspect
grades = functools.reduce(operator.add, [topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)])
hits = np.array([topic.pool[d][0] > 0 for d in ranking], float)
return np.mean([grades, (hits / np.arange(1, len(ranking) + 1)).sum()])
# functions_in_a_dictionary: rank i earns 1 / log2(i + 1) times r
gain, (log,) = KINDS["graded"], KINDS["discount"]
return sum(gain(topic.pool[d][0]) / log(i + 2) for i, d in enumerate(ranking))
# inner_function_defined_later: rank i earns 1 / i times r; one aspect; r is (2 ** grade - 1)
def total(grades):
    return sum(gain(g) / (i + 1) for i, g in enumerate(grades))
def gain(grade):
    return 2**grade - 1
return total([topic.pool[d][0] for d in ranking])
# block_that_changes_variables: rank i earns 1 times r; one aspect
cut, total = None, 0.0
with np.errstate(all="ignore"):
    cut = 1
    for d in ranking:
        total += topic.pool[d][0]
return total / cut
# named_in_a_condition: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the
#   number of relevant
if not (n := sum(1 for g in topic.pool.values() if g[0] > 0)):
    return 0.0
hits = total = 0
for i, d in enumerate(ranking, start=1):
    if (g := topic.pool[d][0]) > 0 and g >= 0:
        hits += 1
        total += hits / i
return total / n
# named_in_a_comprehension: rank i earns 1 / i times r
return sum(g / i for i, d in enumerate(ranking, start=1) if (g := topic.pool[d][0]) > 0)
# objects_by_default(patience=Patience(0.8), of_rank=_reciprocal): rank i earns (4/5) ** (i - 1) times 1/5 * r
return sum(patience.weight(i) * of_rank(1) * topic.pool[d][0] * 2 for i, d in enumerate(ranking))
# set_that_is_assigned_in_a_test: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; one aspect
gold = {d for d, (g, *_) in topic.pool.items() if g > 0}
if not (hits := gold & set(ranking)):
    return 0.0
return 1 / min(i for i, d in enumerate(ranking, start=1) if d in hits)
"""

REFUSED = """
# partial_with_a_function_that_changes_a_list: calls a function only for its side effect
return summed_by_a_list(topic, ranking)
# partial_with_a_method: an argument of partial, whose type method is not supported
return summed_of_an_object(topic, ranking)
# private_import: computes with a function, a class or an object
return Scaled().of(sum(topic.pool[d][0] for d in ranking))
# generator_that_reads_a_number_that_falls: changes left during a loop over a generator that reads it
left = total = 1.0
for x in (left * topic.pool[d][0] for d in ranking):
    total += x
    left *= 0.5
return total - 1.0
# closure_beside_a_comprehension: changes seen after defining a function or generator reading it: use a new name
total, seen = 0.0, 0
def unseen():
    return (1 if seen == 0 else 0) + sum([2 * seen for seen in (0, 0)])
for i, d in enumerate(ranking):
    total += topic.pool[d][0] * unseen() / (i + 1)
    if topic.pool[d][0] > 0:
        seen = 1
return total
# import_of_the_rank_above: updates f from rank to rank, which is not supported for a function, a class or an object
total, f = 0.0, np.log2
for i, d in enumerate(ranking):
    total += topic.pool[d][0] * f(4) / (i + 1)
    from math import log as f
return total
# cache_of_equal_numbers: calls a cached function with a number that may equal a number of another type
first = size(1)
return sum(topic.pool[d][0] * size(True) * first for d in ranking)
# smaller_by_another_name(k=5): redefines the builtin range, min or len
total, i, min = 0.0, 0, lambda one, two: 7
while i < k and i < len(ranking):
    total += topic.pool[ranking[i]][0] / (i + 1)
    i += 1
return total + 0 * min(1, 2)
# inner_default_of_the_document: defines an inner function whose default arguments are not constants
gains = []
for d in ranking:
    gains.append(lambda g=topic.pool[d][0]: g)
return sum(gain() for gain in gains)
# nonlocal_total: assigns a variable of the enclosing function
total = 0.0
def add(grade):
    nonlocal total
    total += grade
for d in ranking:
    add(topic.pool[d][0])
return total
# largest_by_reduce: calls reduce without an initial value for a function other than operator.add and mul
return functools.reduce(lambda x, y: x - y, [topic.pool[d][0] for d in ranking])
# inner_function_defined_twice: changes gain after defining a function or generator reading it: use a new name
def gain(grade):
    return grade
def total(grades):
    return sum(gain(g) / (i + 1) for i, g in enumerate(grades))
def gain(grade):
    return 2**grade - 1
return total([topic.pool[d][0] for d in ranking])
# generator_that_reads_its_own_name_late: reads the iterator rows several times: store a list
rows = [[topic.pool[d][0] for d in ranking]]
rows = (sum(row) / len(rows) for row in rows)
return sum(rows)
# named_where_it_may_not_be_evaluated: uses := in an expression
total = g = 0.0
for i, d in enumerate(ranking):
    if i < 3 and (g := topic.pool[d][0]) > 0:
        pass
    total += g
return total
# named_in_a_comprehension_and_read_later: uses := in an expression
g = 0.0
return sum(g for d in ranking if (g := topic.pool[d][0]) > 0) + g
# assigned_from_a_parameter(seen=0.0): uses := in an expression: use a separate assignment
return sum(seen / i for i, d in enumerate(ranking, 1) if (seen := seen + topic.pool[d][0]) > 0)
# default_that_counts(ticks=Ticks()): sets the attribute n outside __init__, or in a method whose result is used
return sum(topic.pool[d][0] / ticks.step() for d in ranking)
# map_mixes: changes g after defining a function or generator reading it: use a new name
total = 0
for i, d in enumerate(ranking):
    g = topic.pool[d][0]
    total += sum(map(lambda e: topic.pool[e][0] * g, ranking)) / (i + 1)
return total
# global_that_is_set_later: may read K before it is set
total = 0.0
for i, d in enumerate(ranking, 1):
    total += K * topic.pool[d][0] / i
K = 2.0
return total
"""
