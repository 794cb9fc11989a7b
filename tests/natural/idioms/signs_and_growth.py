"""Numbers that may be negative, grow, underflow or cancel, and powers of grades."""

GIVEN = """
class Base:
    def __init__(self, k=10):
        self.k = k

class DCG(Base):
    def __init__(self, k):
        super().__init__(k)
        self.base = 2
    def __call__(self, xs):
        return sum(x / math.log(i + 2, self.base) for i, x in enumerate(xs[: self.k]))

dcg = DCG(k=20)

def twice(values):
    return sum(values) + sum(values)
"""

FOLLOWED = """
# by_running_product: rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0
grades = [topic.pool[d][0] for d in ranking]
left = itertools.accumulate([1 - g for g in grades], operator.mul, initial=1.0)
return sum(g * p / i for i, (g, p) in enumerate(zip(grades, left), 1))
# average_that_forgets: 1/5 * r - 1/5 * s0; s0 is 0, then 1/5 * r + 4/5 * s0
s = 0.0
for d in ranking:
    s = 0.8 * s + (1 - 0.8) * topic.pool[d][0]
return s
# nothing_in_infinity: rank i earns 1 / i times r; one aspect; divided by the total of the best order
ideal = sum(g / i for i, g in enumerate(sorted((g for g, *_ in topic.pool.values()), reverse=True), start=1))
if ideal == 0:
    ideal = float("inf")
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / ideal
# gains_of_powers(k=10): only ranks up to 10 count; one aspect; divided by the total of the best order; r is (2 ** grade
#   - 1) / 1
gains = [2 ** topic.pool[d][0] - 1 for d in ranking[:k]]
ideal = sorted((2 ** g[0] - 1 for g in topic.pool.values()), reverse=True)[:k]
dcg = sum(g / math.log2(i + 2) for i, g in enumerate(gains))
idcg = sum(g / math.log2(i + 2) for i, g in enumerate(ideal))
return dcg / idcg if idcg > 0 else 0.0
# clamped_between: rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; one aspect
gains = np.maximum(np.clip(grades[:, :, 0], 0, 1), 0)
left = np.cumprod(np.clip(1 - gains, 0.0, 1.0), axis=1)
reach = np.concatenate([np.ones((len(grades), 1)), left[:, :-1]], axis=1)
return (gains * reach / np.arange(1, gains.shape[1] + 1)).sum(axis=1)
# power_that_overflows: rank i earns (1/2) ** (i - 1) times 1/2 * r; one aspect
return (grades[:, :, 0] / (2 * 2.0 ** np.arange(grades.shape[1]))).sum(axis=1)
# share_left_by_halves: rank i earns 1 / i times 1/2 * r * s0; s0 is 1, then s0 - 1/2 * r * s0; one aspect
total, left = 0.0, 1.0
for i, d in enumerate(ranking, start=1):
    stop = topic.pool[d][0] / 2
    total += left * stop / i
    left *= 1 - stop
    if left <= 0:
        break
return total
# gains_on_top_of_a_number: rank i earns 1 / i times 5/2 * r + r * s0; s0 is 0, then r + s0
total, seen = 0.0, 2.5
for rank, d in enumerate(ranking, start=1):
    total += topic.pool[d][0] * seen / rank
    seen += topic.pool[d][0]
return total
# cascade_of_graded_gains: rank i earns 1 / i times 1/2 * r * s0; s0 is 1, then s0 - 1/2 * r * s0; one aspect; r is (2
#   ** grade - 1)
left, total = 1.0, 0.0
for i, d in enumerate(ranking):
    stops = (2 ** topic.pool[d][0] - 1) / 2
    total += left * stops / (i + 1)
    left *= 1 - stops
return total
"""

REFUSED = """
# absorbed: raises a number above 1 to the power of a rank or a count, which overflows
return sum((1.01**i + topic.pool[d][0]) - 1.01**i for i, d in enumerate(ranking))
# power_below_one: compares numbers with a value other than 0, which is not supported
return sum(topic.pool[d][0] if (i + 1) ** -1 >= 1 else 0.5 * topic.pool[d][0] for i, d in enumerate(ranking))
# logarithm_of_less_than_the_rank: takes the logarithm of a value that is neither a rank nor a constant
return sum(topic.pool[d][0] / (1 + np.log(2 * i - 1)) for i, d in enumerate(ranking, start=1))
# absorbed_by_a_state: updates a number that grows from rank to rank until floats lose precision
total, spare, w = 0.0, 0.0, 1.0
for d in ranking:
    w *= 1.005
    total += w + topic.pool[d][0]
    spare += w
return total - spare
# states_that_add_up_each_other: updates a number that grows from rank to rank until floats lose precision
total, spare, a, b = 0.0, 0.0, 1.0, 1.0
for d in ranking:
    a, b = b, a + b
    total += a + topic.pool[d][0]
    spare += a
return total - spare
# integers_that_overflow_in_sums_of_sums: updates a number that grows from rank to rank until floats lose precision
one = two = three = 0
total = spare = 0.0
for i, d in zip(np.arange(1, len(ranking) + 1), ranking):
    one += i
    two += one
    three += two
    total += topic.pool[d][0] + three / 2
    spare += three / 2
return total - spare
# numbers_that_cancel: subtracts numbers that are equal except for rounding
grades = [topic.pool[d][0] for d in ranking]
return sum(g / i for i, g in enumerate(grades, start=1) if 1 - (1 - g) == g)
# indicator_that_floats_round: compares with a constant that floats cannot represent exactly
hits = [1.0 if topic.pool[d][0] > 0 else 0.0 for d in ranking]
return sum(1 / i for i, hit in enumerate(hits, start=1) if hit * 0.3 * 3 / 0.9 == 1)
# counts_that_floats_round_after_exact_ones: compares a count or a running total with a value other than 0
some = sum(1.0 if topic.pool[d][0] > 0 else 0.0 for d in ranking) >= 1
total = sum((1.0 if topic.pool[d][0] > 0 else 0.0) * 0.3 * 3 / 0.9 for d in ranking)
return 1.0 if some and total >= 1 else 0.0
# left_while_it_may_turn: compares a number that may be negative with 0
total, left = 0.0, 1.0
for i, d in enumerate(ranking, 1):
    total += left * topic.pool[d][0] / i
    left *= 1 - 2 * topic.pool[d][0]
    if left <= 0:
        break
return total
# left_while_it_turns_between: compares 0 with a number so small that floats may round it to 0
total, left = 0.0, 1.0
for i, d in enumerate(ranking, 1):
    g = topic.pool[d][0]
    total += left * g / i
    left *= 1 - 3 * g + 2 * g * g
    if left <= 0:
        break
return total
# smallest_of_all_numbers: takes the minimum of an array of numbers other than ranks
return 1.0 / min([i + topic.pool[d][0] for i, d in enumerate(ranking, 1)])
# infinity_that_is_compared: uses infinity other than as a divisor
some = sum(1 for g in topic.pool.values() if g[0] > 0)
most = math.inf if some > 0 else 1.0
total = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
return -total if most > 7 else total
# divisor_that_vanishes: divides by a power of the rank so small that floats round it to 0
total = 0.0
for i, d in enumerate(ranking):
    cost = 1 / 0.6**i
    total += topic.pool[d][0] / cost
return total
# grades_and_powers: uses both grades and powers with grades as exponents
return sum((2 ** topic.pool[d][0] - 1) * topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
# power_that_falls: raises a constant to a power that is neither the rank nor a count
return sum((1 - 0.5 ** topic.pool[d][0]) / i for i, d in enumerate(ranking, start=1))
# power_that_is_compared: compares a number that may be negative with 0
gains = [2 ** topic.pool[d][0] - 1 for d in ranking]
return sum(1 / i for i, g in enumerate(gains, start=1) if g > 0)
# clamped_below_large_grades: calls min on unsupported numbers
return sum(min(topic.pool[d][0], 0.99) / i for i, d in enumerate(ranking, start=1))
# clamped_by_very_little: calls max with 0 on a number that may be negative, which is not supported
return (np.maximum(0, 1 - 1.0000000005 * grades[:, :, 0]) * grades[:, :, 0]).sum(axis=1)
# clamped_ranks: calls max on unsupported numbers; one must be a constant
return sum(topic.pool[d][0] / max(i, 2) for i, d in enumerate(ranking, start=1))
# absorbed_by_infinity: adds numbers that grow from rank to rank until floats lose precision
powers = 1.01 ** np.arange(grades.shape[1])
return ((powers + grades[:, :, 0]) - powers).sum(axis=1)
# infinity_over_infinity: computes with a power such as 2 ** rank that overflows; only dividing by it is supported
ranks = np.arange(grades.shape[1])
return (grades[:, :, 0] * (2.0**ranks / 4.0**ranks)).sum(axis=1)
# running_infinity: updates a number that grows from rank to rank until floats lose precision
powers = np.cumsum(2.0 ** np.arange(grades.shape[1]))
return (grades[:, :, 0] / powers).sum(axis=1)
# little_left_of_a_sum: computes with numbers so large or small that floats lose precision
known = sum(g[0] for g in topic.pool.values())
return _hits(topic, ranking[:5]) / ((known + 0.9) + -0.8999999999999999)
# weights_that_are_raised: starts a loop from a number that is not a constant
left, total = list(topic.weights), 0.0
for d in ranking:
    for aspect, grade in enumerate(topic.pool[d]):
        total += left[aspect] * grade
        left[aspect] = left[aspect] * (1 - grade) + 0.125
return total
# infinity_that_raises: uses np.errstate with options other than
with np.errstate(over="raise"):
    return (grades[:, :, 0] / 1.1 ** np.arange(grades.shape[1])).sum(axis=1)
# flags_of_numbers_below_0: compares a number that may be negative with 0
gains = (grades[:, :, 0] - 0.5).astype(bool)
return (gains / np.arange(1, gains.shape[1] + 1)).sum(axis=1)
# flags_of_numbers_that_floats_round_to_0: compares 0 with a number so small that floats may round it to 0
flags = (grades[:, :, 0] * 0.01 ** np.arange(grades.shape[1])).astype(bool)
return (flags / np.arange(1, flags.shape[1] + 1)).sum(axis=1)
# running_total_of_one: compares a grade with a value other than 0
gains = grades[:, :, 0]
return ((np.cumsum(gains, axis=1) == 1) / np.arange(1, gains.shape[1] + 1)).sum(axis=1)
# budget_that_runs_out: compares a number that may be negative with 0
left, total = 5000.0, 0.0
for i, d in enumerate(ranking, 1):
    left -= topic.pool[d][0]
    total += topic.pool[d][0] / i
return total if left > 0 else 0.0
# budget_per_aspect: compares a number that may be negative with 0
left = 5000 + np.sum(-grades, axis=1)
return ((left > 0) * weights * grades.sum(axis=1)).sum(axis=1)
# penalty_that_a_grade_hides: compares a number that may be negative with 0
total = above = twice = penalty = 0.0
for i, d in enumerate(ranking, 1):
    x = topic.pool[d][0]
    if x + penalty > 0:
        total += x / i
    penalty = -2 * twice
    twice, above = x * above, x
return total
# guard_of_a_product: compares a number that may be negative with 0
left, total = 1.0, 0.0
for i, d in enumerate(ranking, 1):
    total += left * topic.pool[d][0] / i
    left *= 1 - topic.pool[d][0]
return total if left > 0 else 1.0
# max_of_grades: compares 0 with a number so small that floats may round it to 0
x = grades[..., 0]
return (x / np.arange(1, x.shape[1] + 1)).max(axis=1)
# all_of_another_aspect: compares a count or a running total with a value other than 0, which is not supported
n = sum(1 for g in topic.pool.values() if g[1] > 0)
found = total = 0
for i, d in enumerate(ranking, start=1):
    if topic.pool[d][0] > 0:
        found += 1
        total += found / i
    if found == n:
        break
return total
# a_number_that_changes: compares a count or a running total with a value other than 0, which is not supported
relevant = [d for d, g in topic.pool.items() if g[0] > 0]
n = len(relevant)
found = total = 0
for i, d in enumerate(ranking, start=1):
    if d in relevant:
        found += 1
        total += found / i
    n = n - 1
    if found == n:
        break
return total
"""
