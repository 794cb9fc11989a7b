"""Objects with a length or members, dataclass fields with a factory, and methods that return their object."""

GIVEN = """
class Relevant:
    def __init__(self, topic, aspect):
        self.documents = frozenset(d for d in topic.pool if topic.pool[d][aspect] > 0)
    def __contains__(self, document):
        return document in self.documents
    def __len__(self):
        return len(self.documents)

def precision_at_hits(relevant, ranking):
    if not relevant:
        return 0.0
    ranks = [i for i, d in enumerate(ranking, 1) if d in relevant]
    return sum(n / i for n, i in enumerate(ranks, 1)) / len(relevant)

def discount_by_default():
    return 0.5

@dataclass
class Model:
    depth: int
    name: str = "model"
    best: list = field(default_factory=list)
    patience: float = field(default_factory=discount_by_default)
    def fit(self, topic):
        self.best = sorted((g[0] for g in topic.pool.values()), reverse=True)[: self.depth]
        return self
    def total(self, grades):
        return sum(g * self.patience**i for i, g in enumerate(grades[: self.depth]))

def by_rank(topic, ranking, weight=1.0):
    return weight * sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking))

class Sized:
    def __init__(self, size):
        self.size = size
    def __len__(self):
        return self.size

class Sure(Sized):
    def __bool__(self):
        return np.bool_(True)

class Counting:
    def __init__(self):
        self.asked = 0
    def __contains__(self, document):
        self.asked = self.asked + 1
        return self.asked > 3
    def __len__(self):
        self.asked = self.asked + 1
        return 1

class Borrowing:
    def __len__(self):
        return 3
    __contains__ = staticmethod(lambda document: True)

SHARED = []

def shared():
    return SHARED

@dataclass
class Noting:
    seen: list = field(default_factory=shared)
    def note(self, document):
        self.seen.append(document)

@dataclass
class Growing:
    weight: float = 1.0
    def heavier(self):
        self.weight = self.weight + 1.0
        return self

@dataclass
class Kept:
    weight: float = 1.0
    def heavier(self):
        self.weight = self.weight + 1.0
        return self
    def itself(self):
        return self

class Pair:
    def __init__(self, first):
        self.first, self.weight = first, 1.0
    def linked(self):
        self.weight = 2.0
        self.first.append(self)
        return self
"""

FOLLOWED = """
# length_and_membership_of_an_object: 1 / i times hit + hit * s0; s0 is 0, then hit + s0; aspects by weight; divided
#   by the number of relevant
return sum(w * precision_at_hits(Relevant(topic, t), ranking) for t, w in enumerate(topic.weights))
# fields_with_factories: rank i earns (1/2) ** (i - 1) times r; only ranks up to 5 count; one aspect; divided by the
#   total of the best
model = Model(depth=5).fit(topic)
ideal = model.total(model.best)
return model.total([topic.pool[d][0] for d in ranking]) / ideal if ideal > 0 else 0.0
"""

REFUSED = """
# a_length_that_may_be_negative: uses a __len__ method that may return something other than a nonnegative integer
hits = sum(1 for d in ranking if topic.pool[d][0] > 0)
return by_rank(topic, ranking) + 0 * len(Sized(hits - 1))
# a_length_that_is_a_float: uses a __len__ method that may return something other than a nonnegative integer
return by_rank(topic, ranking) + 0 * len(Sized(sum(0.5 * topic.pool[d][0] for d in ranking)))
# a_length_that_is_a_boolean: uses a __len__ method that may return something other than a nonnegative integer
return by_rank(topic, ranking) + len(Sized(any(topic.pool[d][0] > 0 for d in ranking)))
# a_truth_value_of_numpy: uses an object with __bool__ as a condition
return by_rank(topic, ranking) if Sure(1) else 0.0
# a_test_that_counts_its_calls: sets the attribute asked outside __init__, or in a method that returns a value
known = Counting()
return sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking) if d in known)
# a_length_that_counts_its_calls: sets the attribute asked outside __init__, or in a method that returns a value
known = Counting()
return by_rank(topic, ranking, len(known) * known.asked)
# a_static_method_as_membership: uses __contains__ of a class, but it is not a plain method
known = Borrowing()
return sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking) if d in known)
# a_factory_that_returns_one_list: changes the attribute seen, which a method sets to something other than a new list
#   or dict
kept = Noting()
for d in ranking:
    kept.note(d)
return by_rank(topic, ranking, 1.0 + 0 * len(kept.seen))
# an_object_that_two_names_have: changes an object that one of its methods may have stored a reference to
kept = Kept()
other = kept.itself()
kept.heavier()
return by_rank(topic, ranking, other.weight)
# an_object_that_a_method_returns_changed: changes an object that one of its methods may have stored a reference to
kept = Kept()
other = kept.heavier()
return by_rank(topic, ranking, other.weight + kept.weight)
# a_new_object_that_is_changed_twice: changes kept, which another variable may refer to: change a copy instead
kept = Growing().heavier()
other = kept
kept.heavier()
return by_rank(topic, ranking, other.weight)
# an_object_that_its_method_stores: sets the attribute weight outside __init__
held = [topic]
pair = Pair(held).linked()
return by_rank(topic, ranking, pair.weight)
"""
