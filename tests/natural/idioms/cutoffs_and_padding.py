"""Cutoffs, lengths, and rankings that are padded to a length."""

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

def _first_ranks(gains, k, **options):
    return sum(g / (i + options.get("shift", 0)) for i, g in enumerate(gains[: min(k, len(gains))]))

COMMON = 1_300
CHANGED = [1 / math.log2(i + 2) for i in range(10)]
CHANGED[3] = 0.7

def _shifted_sum(gains, **options):
    return sum(g / (i + options.get("shift", 1)) for i, g in enumerate(gains))
"""

FOLLOWED = """
# smaller_of_length_and_number(k=10): rank i earns 1 / i times r; only ranks up to 10 count; one aspect
n = len(ranking)
if n > k:
    n = k
return sum(topic.pool[ranking[i]][0] / (i + 1) for i in range(n))
# by_keywords: rank i earns 1 / i times r; only ranks up to 5 count; one aspect
return _first_ranks([topic.pool[d][0] for d in ranking[:5]], k=5, shift=1)
# break_at_the_end: rank i earns 1 / i times r; only ranks up to 5 count; one aspect
total = 0.0
for i in range(0, 5):
    if i >= len(ranking):
        break
    total += topic.pool[ranking[i]][0] / (i + 1)
return total
# first_document: only ranks up to 1 count; one aspect; divided by the total of the best order
best = sorted(topic.pool, key=lambda d: topic.pool[d][0], reverse=True)
return topic.pool[ranking[0]][0] / topic.pool[best[0]][0]
# loop_over_an_array_of_one_cutoff: rank i earns 1 / i times hit; only ranks up to 10 count; one aspect; times a
#   positive constant per topic
cutoffs, hits = np.array([10]), (grades[:, :, 0] > 0).astype(float)
hits = hits[:, : int(max(cutoffs))] / np.arange(1, hits[:, : cutoffs[0]].shape[1] + 1)
scores = np.zeros((hits.shape[0], len(cutoffs)))
for place, k in enumerate(cutoffs):
    scores[:, place] = hits[:, :k].sum(axis=1) / (pool[:, :, 0] > 0).sum(axis=1).clip(min=1, max=k)
return scores[:, 0]
# number_of_the_last_rank: rank i earns 1 times r; only ranks up to 10 count
ranks = 1 + np.arange(min(len(ranking), 10))
return sum(topic.pool[d][0] for d in ranking[: max(ranks)])
# cutoff_that_is_never_above_the_length(k=20): rank i earns 1 times r; only ranks up to 20 count
cutoff = min(k, len(ranking))
if cutoff > len(ranking):
    raise ValueError(f"only {len(ranking)} documents")
return sum(topic.pool[d][0] for d in ranking[:cutoff])
# smallest_of_three_lengths: rank i earns 1 / i times r; only ranks up to 10 count
return sum(topic.pool[ranking[i]][0] / (i + 1) for i in range(min(10, len(topic.pool), len(ranking))))
# table_read_within_its_length: rank i earns 1 / i times r; only ranks up to 38 count; one aspect
table, total = [1 / (i + 1) for i in range(38)], 0.0
for i, d in enumerate(ranking):
    if i < 38:
        total += topic.pool[d][0] * table[i]
return total
"""

REFUSED = """
# far_rank: uses a cutoff above rank 1,000, which is not supported
return sum(topic.pool[d][0] / i if i <= COMMON else 0 for i, d in enumerate(ranking, start=1))
# far_slice: uses a cutoff above rank 1,000, which is not supported
return grades[:, :1_300, 0].sum(axis=1)
# rank_above_that_is_missing: tests whether a list of unknown length is empty
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1) if ranking[: i - 1])
# padded_with_ones: repeats a list a number of times that is not a constant or a length
gains = [topic.pool[d][0] for d in ranking[:5]] + [1.0] * (5 - min(5, len(ranking)))
return sum(g / i for i, g in enumerate(gains, 1))
# ones_up_to_a_rank: applies a cutoff to only some of its gains
keep = np.ones(len(ranking))
for i in range(min(3, len(ranking))):
    keep[i] = 0.5
return sum(keep[i] * topic.pool[d][0] for i, d in enumerate(ranking))
# table_that_was_changed: uses CHANGED, which is neither rational nor computed with logarithms
return sum(topic.pool[d][0] * w for d, w in zip(ranking, CHANGED))
# break_at_a_rank_left_out: uses a comparison of the rank with a constant, other than a cutoff of the whole score
total = 0.0
for i, d in [(i, d) for i, d in enumerate(ranking) if topic.pool[d][0] > 0]:
    total += 0.5**i * topic.pool[d][0]
    if i == 59:
        break
return total
# slice_of_a_slice: slices a truncated list at the current rank: truncate the loop as well
top, total = ranking[:60], 0.0
for i, d in enumerate(ranking):
    total += topic.pool[d][0] * 0.5 ** (i + sum(1 for e in top[:i] if topic.pool[e][0] > 0))
return total
# slice_of_several_loops: reads part of a list created in nested loops; only the whole list is supported
return sum([g / i for i, d in enumerate(ranking, start=1) for g in topic.pool[d]][:200])
# rank_below_a_product: compares ranks or lengths with a constant that floats cannot represent exactly
most = (0.1 + 0.7) * 10
return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1) if i < most)
# nearly_the_smaller: loops over part of the ranks; only loops over all ranks or the first k ranks are supported
n = len(ranking) if len(ranking) <= 5 else 3
return sum(1 / (i + 1) for i in range(n))
# table_shorter_than_the_ranking: may read past the end of a list
table, total, best = [1 / (i + 1) for i in range(38)], 0.0, True
for i, d in enumerate(ranking):
    best = best and topic.pool[d][0] > 0
    total += topic.pool[d][0] * (table[i] if best else 1 / (i + 1))
return total
# ranks_from_the_second_but_one_before: reads a document other than the loop's current one
return sum(topic.pool[ranking[i - 1]][0] / i for i in range(1, len(ranking)))
# as_many_as_are_ranked: calls min on unsupported numbers; one must be a number of documents, and the other a constant
relevant = {d for d, g in topic.pool.items() if g[0] > 0}
return len(set(ranking[:10]) & relevant) / min(len(relevant), len(ranking)) if relevant else 0.0
# other_padding(k=5): repeats a list a number of times that is not a constant or a length
best = min(len({d for d, g in topic.pool.items() if g[0] > 0}), k)
ideal = [1] * best + [0.5] * (k - best)
idcg = sum(g / math.log2(i + 2) for i, g in enumerate(ideal))
return sum((topic.pool[d][0] > 0) / math.log2(i + 2) for i, d in enumerate(ranking[:k])) / idcg
# table_that_ends_late: uses a cutoff above rank 1,000, which is not supported
keep = np.cumprod(np.full(3_000, 0.9))
return sum(topic.pool[d][0] * keep[i] for i, d in enumerate(ranking))
# keyword_that_is_another: divides by an expression in the rank that may be 0
return _shifted_sum([topic.pool[d][0] for d in ranking], shift=-1)
# one_for_few_relevant: multiplies the score by whether the ranking is longer than a number
relevant = _first_relevant(topic)
return _hits(topic, ranking) / len(relevant) if len(relevant) > 2 else 1.0
# filtered_beside_all_positions: zips a filtered list with a list of another length
hits = [d for d in ranking if topic.pool[d][0] > 0]
return sum(1 / (i + 1) for _, i in zip(hits, range(len(ranking)), strict=False))
# nothing_without_a_first_hit: tests a condition on sums over the ranking
total = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
return total if topic.pool[ranking[0]][0] > 0 else 0.0
# cutoff_below_the_length: multiplies the score by whether the ranking is longer than a number
cutoff = min(len(ranking), 700)
return (1 if cutoff < len(ranking) else 2) * _hits(topic, ranking[:cutoff])
"""
