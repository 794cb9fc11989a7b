"""Exceptions that are raised, assertions, and topics without a score."""

GIVEN = """
def _relevant_or_error(topic, ranking):
    relevant = _relevant(topic)
    if ranking is None or not ranking or not relevant:
        raise ValueError(f"no relevant document among {len(topic.pool)}")
    return relevant

def _dcg_of(gains):
    return sum(gain / math.log2(i + 2) for i, gain in enumerate(gains))

RAISED = []

def _noted(text):
    RAISED.append(text)
    return text

class Noted:
    def __str__(self):
        return _noted("text")
    text = property(__str__)

class NotedError(ValueError):
    def __init__(self):
        _noted("error")

NOTED = Noted()
"""

FOLLOWED = """
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
# division_in_a_try: uses try, which is not supported: test the divisor or the key with if
n = sum(1 for g in topic.pool.values() if g[0] > 0)
try:
    return sum(1 for d in ranking if topic.pool[d][0] > 0) / n
except ZeroDivisionError:
    return 0.0
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
# raises_what_a_call_returns: raises an exception whose message may run other code
if not _first_relevant(topic):
    raise ValueError(_noted("none"))
return _hits(topic, ranking) + len(RAISED)
# raises_with_a_key: raises an exception whose message may run other code
if not _first_relevant(topic):
    raise ValueError(sorted(["none"], key=_noted))
return _hits(topic, ranking) + len(RAISED)
# raises_the_text_of_an_object: raises an exception whose message may run other code
if not _first_relevant(topic):
    raise ValueError(f"{NOTED}")
return _hits(topic, ranking) + len(RAISED)
# raises_a_property: raises an exception whose message may run other code
if not _first_relevant(topic):
    raise ValueError(NOTED.text)
return _hits(topic, ranking) + len(RAISED)
# raises_a_class_of_its_own: raises an exception whose message may run other code
if not _first_relevant(topic):
    raise NotedError
return _hits(topic, ranking) + len(RAISED)
# asserts_with_the_text_of_an_object: raises an exception whose message may run other code
assert len(_first_relevant(topic)) > 0, f"{NOTED}"
return _hits(topic, ranking) + len(RAISED)
# nan_without_hits: uses NaN
hits = _hits(topic, ranking)
return float("nan") if hits == 0 else hits / len(_first_relevant(topic))
"""
