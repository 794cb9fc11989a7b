"""Objects whose special methods are refused, dataclass fields with a factory, and methods that return their object."""

GIVEN = """
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
    def __contains__(self, document):
        return True

class Sure:
    def __bool__(self):
        return np.bool_(True)

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
# fields_with_factories: rank i earns (1/2) ** (i - 1) times r; only ranks up to 5 count; one aspect; divided by the
#   total of the best
model = Model(depth=5).fit(topic)
ideal = model.total(model.best)
return model.total([topic.pool[d][0] for d in ranking]) / ideal if ideal > 0 else 0.0
"""

REFUSED = """
# length_of_an_object: takes the length of a function, a class or an object, which is not supported
return by_rank(topic, ranking, len(Sized(2)))
# object_with_a_length_as_a_condition: uses an object with __bool__ or __len__ as a condition
return by_rank(topic, ranking) if Sized(0) else 0.0
# object_with_a_truth_value: uses an object with __bool__ or __len__ as a condition
return by_rank(topic, ranking) if Sure() else 0.0
# membership_in_an_object: is in a function, a class or an object, which is not supported
return sum(topic.pool[d][0] for d in ranking if d in Sized(2))
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
# an_object_that_a_method_returns_changed: in a method whose result is used
kept = Kept()
other = kept.heavier()
return by_rank(topic, ranking, other.weight + kept.weight)
# a_new_object_that_is_changed_twice: changes kept, which another variable may refer to
kept = Growing().heavier()
other = kept
kept.heavier()
return by_rank(topic, ranking, other.weight)
# an_object_that_its_method_stores: sets the attribute weight outside __init__
held = [topic]
pair = Pair(held).linked()
return by_rank(topic, ranking, pair.weight)
"""
