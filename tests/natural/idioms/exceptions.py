"""Exceptions that are raised or caught, assertions, and topics without a score."""

GIVEN = """
def _relevant_or_error(topic, ranking):
    relevant = _relevant(topic)
    if ranking is None or not ranking or not relevant:
        raise ValueError(f"no relevant document among {len(topic.pool)}")
    return relevant

def _dcg_of(gains):
    return sum(gain / math.log2(i + 2) for i, gain in enumerate(gains))

def look_up(topic, d):
    return topic.pool[d][0]

RAISED = []

def _noted(text):
    RAISED.append(text)
    return text
"""

FOLLOWED = """
# no_relevant_document_is_an_exception: rank i earns 1 times hit; one aspect; divided by the number of relevant
#   documents
n = sum(1 for g in topic.pool.values() if g[0] > 0)
try:
    return sum(1 for d in ranking if topic.pool[d][0] > 0) / n
except ZeroDivisionError:
    return 0.0
# raises_without_relevant(k=10): only ranks up to 10 count; one aspect; divided by the number of relevant documents; for
#   topics with a relevant
if k <= 0:
    raise ValueError("k must be positive")
relevant = _relevant_or_error(topic, ranking)
return len(relevant & set(ranking[:k])) / len(relevant)
# asserts_relevant: rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the best order; for topics
#   with a
ideal = sorted((grades[0] for grades in topic.pool.values()), reverse=True)
assert len(ranking) > 0
assert sum(ideal) > 0, f"no gain in {len(ideal)} documents"
return _dcg_of([topic.pool[d][0] for d in ranking]) / _dcg_of(ideal)
# nan_without_relevant: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; one aspect; for topics with a
#   relevant
relevant = _relevant(topic)
if not relevant:
    return float("nan")
for rank, d in enumerate(ranking, start=1):
    if d in relevant:
        return 1 / rank
return 0.0
"""

REFUSED = """
# division_that_may_not_be_reached: catches exceptions in an unsupported way: test the divisor or the key with if
n = sum(1 for g in topic.pool.values() if g[0] > 0)
try:
    return sum(1 / n for d in ranking if topic.pool[d][0] > 0)
except ZeroDivisionError:
    return 0.0
# exception_of_a_helper: catches exceptions in an unsupported way: test the divisor or the key with if
total = 0.0
for i, d in enumerate(ranking, 1):
    try:
        total += topic.pool[d][0] * look_up(topic, i)
    except KeyError:
        total += 1 / i
return total
# exception_after_a_change: catches exceptions in an unsupported way: test the divisor or the key with if
total, found = 0.0, {d: topic.pool[d][0] for d in ranking[:3]}
for i, d in enumerate(ranking, 1):
    try:
        total += topic.pool[d][0] / i
        total -= found[d]
    except KeyError:
        total += 0.0
return total
# raises_for_short_rankings: raises an exception at line
if len(ranking) < 5:
    raise ValueError("too short")
return _hits(topic, ranking)
# raises_where_all_are_relevant: raises an exception for some topics that have a relevant document
if all(grades[0] > 0 for grades in topic.pool.values()):
    raise ValueError("all")
return _hits(topic, ranking)
# raises_at_a_document: raises an exception in a loop
total = 0.0
for d in ranking:
    if topic.pool[d][0] == 0:
        raise ValueError(d)
    total += topic.pool[d][0]
return total
# asserts_hits: asserts a condition that may be false
hits = _hits(topic, ranking)
assert hits > 0
return hits / len(_first_relevant(topic))
# raises_what_a_call_returns: raises an exception whose message is computed by a call
if not _first_relevant(topic):
    raise ValueError(_noted("none"))
return _hits(topic, ranking) + len(RAISED)
# nan_without_hits: uses NaN
hits = _hits(topic, ranking)
return float("nan") if hits == 0 else hits / len(_first_relevant(topic))
# place_that_is_looked_up_in_a_list: catches KeyError where it looks up a value that is not a dictionary
cuts, i = [4500], 0
try:
    cut = cuts[i]
except KeyError:
    cut = None
return _hits(topic, ranking[:cut])
# key_that_is_set_under_a_handler: catches exceptions in an unsupported way: test the divisor or the key with if
cuts, key = {}, "k"
try:
    cuts[key] = 4500
except KeyError:
    cuts[key] = None
return _hits(topic, ranking[: cuts["k"]])
# finally_after_a_return: catches exceptions in an unsupported way
total = 0.0
for d in ranking:
    total += topic.pool[d][0]
try:
    return total
finally:
    total += 1
"""
