"""Classes and their bases, properties, dataclasses and named tuples."""

GIVEN = """
class Metric:
    cutoff = None
    first = 0
    def compute(self, grades):
        result = 0.0
        for idx, grade in enumerate(grades):
            if self.cutoff and self.rank(idx) > self.cutoff:
                break
            result += self.gain(grade) * self.discount(idx)
        return result
    @staticmethod
    def gain(grade):
        return grade
    @classmethod
    def rank(cls, idx):
        return idx + cls.first

class RBP(Metric):
    first = 1
    def __init__(self, p, cutoff=None):
        self.p = p
        self.cutoff = cutoff
    def discount(self, idx):
        return (1 - self.p) * self.p ** (self.rank(idx) - 1)

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

@dataclass
class Settings:
    k: int = 5

SETTINGS = Settings()

class Fading:
    def __init__(self, share):
        self.share = share
    def __call__(self, place):
        return self.share**place

class Persistent:
    ranks = Fading(0.5)
    def __init__(self, share):
        self.fading = Fading(share)
        self.gain = lambda grade: grade / 4
    def score(self, topic, ranking):
        return sum(self.gain(topic.pool[d][0]) * self.fading(i) * self.ranks(i) for i, d in enumerate(ranking))

PERSISTENT = Persistent(0.5)

class Evaluator:
    def __init__(self, topic):
        self.gains = {d: grades[0] for d, grades in topic.pool.items()}
    @property
    def ideal(self):
        return sorted(self.gains, key=self.gains.get, reverse=True)
    @property
    def best(self):
        return self.dcg(self.ideal)
    def dcg(self, documents):
        return sum(self.gains[d] / math.log2(i + 2) for i, d in enumerate(documents))

class DiscountedTotal(ABC):
    def __init__(self, cutoff=10):
        super().__init__()
        self.cutoff = cutoff
        self.scales = {"gain": 2}
    @abstractmethod
    def gain(self, grade):
        raise NotImplementedError
    def total(self, grades):
        return sum(self.gain(g) / math.log2(i + 2) for i, g in enumerate(grades[: self.cutoff]))

class LinearTotal(DiscountedTotal):
    def gain(self, grade):
        return grade

class ScaledTotal(LinearTotal):
    def __init__(self):
        super(ScaledTotal, self).__init__(5)
    def gain(self, grade):
        return self.scales["gain"] * super().gain(grade)

class UnscaledTotal(ScaledTotal):
    def gain(self, grade):
        return super(ScaledTotal, self).gain(grade)

Scored = namedtuple("Scored", ["doc", "score"])

class Judged(NamedTuple):
    doc: str
    grade: float

@dataclass
class Hit:
    grade: float
    rank: int = 1
    def share(self):
        return 2 * self.grade / self.rank

class Private:
    def __init__(self):
        self.__k = 1.0
    def k(self):
        return self.__k

class AlsoPrivate(Private):
    def __init__(self):
        super().__init__()
        self.__k = -1.0

class Called:
    def __init__(self):
        self.__call__ = lambda: 1.0
    def __call__(self):
        return -1.0

class Whole(int):
    def __mul__(self, other):
        return -other

WHOLE = Whole(1)

class RowScorer:
    def __init__(self, x):
        self.x = x
    def total(self):
        return self.x.sum(axis=1)

class _Changing:
    def __init__(self):
        self.left = 1.0
    @property
    def share(self):
        self.left *= 0.5
        return self.left

class _Halved:
    def __init__(self):
        self.share = 1.0
    @property
    def share(self):
        return 0.5
    @share.setter
    def share(self, value):
        pass

class _Parent:
    @property
    def share(self):
        return 0.5

class _Child(_Parent):
    share = 2.0

class _Cached:
    @functools.cached_property
    def cached(self):
        return 0.5

Computed, Swapped, Turned = (namedtuple(name, ["grade", "rank"]) for name in ("Computed", "Swapped", "Turned"))

Computed.grade = property(lambda _: 7)

Swapped.grade, Swapped.rank = Swapped.rank, Swapped.grade

Turned.__new__ = lambda cls, grade, rank: tuple.__new__(cls, (rank, grade))

class WithMethod(NamedTuple):
    grade: float
    rank: int
    def share(self):
        return self.grade / self.rank

@dataclass
class Doubled:
    grade: float
    def __post_init__(self):
        self.grade *= 2

def _total(row):
    return row.sum()

class _Twice(np.vectorize):
    def __call__(self, *rows):
        return 2 * super().__call__(*rows)

totals_twice = _Twice(_total, signature="(n)->()")

@dataclass(frozen=True)
class Frozen:
    k: float = 0.5

class NotFrozen(Frozen):
    def __init__(self, k):
        super().__init__(1.0)
        self.m = k

@dataclass(frozen=True)
class FrozenAfterwards:
    k: float = 0.5
    def __post_init__(self):
        object.__setattr__(self, "k", 0.75)

class M3:
    def __getattr__(self, name):
        return 3
"""

FOLLOWED = """
# own_class: rank i earns (1/2) ** (i - 1) times 1/2 * r; only ranks up to 7 count
return RBP(0.5, cutoff=7).compute([topic.pool[d][0] for d in ranking])
# settings_in_an_object: rank i earns 1 times r; only ranks up to 5 count
return sum(topic.pool[d][0] for d in ranking[: SETTINGS.k])
# by_objects_of_objects: rank i earns (1/4) ** (i - 1) times 1/4 * r; one aspect
return PERSISTENT.score(topic, ranking)
# properties: rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the best order
evaluator = Evaluator(topic)
return evaluator.dcg(ranking) / evaluator.best if evaluator.best > 0 else 0.0
# methods_of_base_classes: rank i earns 1 / log2(i + 1) times 2 * r; only ranks up to 5 count
return ScaledTotal().total([topic.pool[d][0] for d in ranking])
# methods_after_a_class: rank i earns 1 / log2(i + 1) times r; only ranks up to 5 count
return UnscaledTotal().total([topic.pool[d][0] for d in ranking])
# named_tuples: rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total of the
#   best
gold = [Judged(doc=d, grade=g[0]) for d, g in topic.pool.items()]
grades = {doc: 1.0 * grade for doc, grade in gold}
run = [Scored(d, len(ranking) - i) for i, d in enumerate(ranking)]
found = [grades[one.doc] for one in sorted(run, key=lambda one: one.score, reverse=True)]
best = [one[1] for one in sorted(gold, key=lambda one: one.grade, reverse=True)]
dcg = sum(g / math.log2(i + 2) for i, g in enumerate(found[:10]))
idcg = sum(g / math.log2(i + 2) for i, g in enumerate(best[:10]))
return dcg / idcg if idcg > 0 else 0.0
# objects_of_a_dataclass: rank i earns 1 / i times 2 * r
return sum(hit.share() for hit in [Hit(topic.pool[d][0], rank=i) for i, d in enumerate(ranking, 1)])
# defaults_of_a_dataclass: rank i earns 1 / i times r; one aspect
return sum(Hit(topic.pool[d][0]).share() / Hit(2.0, i).share() / i / i for i, d in enumerate(ranking, 1)) * 2
# private_names: rank i earns 1 times r; one aspect
both = AlsoPrivate()
return sum(topic.pool[d][0] * both.k() for d in ranking)
"""

REFUSED = """
# call_of_an_object: sets __call__ of an object, which Python looks up on the class instead
called = Called()
return sum(topic.pool[d][0] * called() for d in ranking)
# integer_of_its_own_kind: uses WHOLE, whose type Whole may have its own operators
return sum(WHOLE * topic.pool[d][0] for d in ranking)
# method_of_an_array: changes x in place, which may also change total
x = grades[..., 0] * 1.0
total = RowScorer(x).total
x *= -1
return total()
# property_that_changes_the_object: sets the attribute left outside __init__
changing = _Changing()
return sum(topic.pool[d][0] * changing.share for d in ranking)
# property_that_hides_an_attribute: sets the attribute share, which is a property of the class
return _hits(topic, ranking) * _Halved().share
# property_that_a_subclass_replaces: reads or sets cached, which is a descriptor of the class _Cached
return _hits(topic, ranking) * (_Child().share + _Cached().cached)
# message_that_a_formatter_gets: calls a function only for its side effect
gains = [topic.pool[d][0] for d in ranking]
FORMATTED.warning("%s", gains)
return sum(gain / i for i, gain in enumerate(gains, start=1))
# field_that_is_computed: calls Computed, which is not supported
return sum(Computed(topic.pool[d][0], i).grade for i, d in enumerate(ranking))
# fields_that_are_swapped: calls Swapped, which is not supported
return sum(Swapped(topic.pool[d][0], i).rank for i, d in enumerate(ranking))
# named_tuple_made_by_own_code: calls Turned, which is not supported
return sum(Turned(topic.pool[d][0], i).rank for i, d in enumerate(ranking))
# named_tuple_with_a_method: calls WithMethod, which is not supported
return sum(WithMethod(topic.pool[d][0], i).share() for i, d in enumerate(ranking, 1))
# dataclass_that_doubles: uses __init__, which was generated: write it in the class
return sum(Doubled(topic.pool[d][0]).grade for d in ranking)
# function_of_rows_by_a_subclass: calls _total, which is not supported
return totals_twice(grades[:, :, 0])
# below_a_frozen_class: reads __init__ of a class with a special feature such as a metaclass
return sum(topic.pool[d][0] * NotFrozen(0.25).k for d in ranking)
# changed_when_made: reads __init__ of a class with a special feature such as a metaclass
return sum(topic.pool[d][0] * FrozenAfterwards().k ** i for i, d in enumerate(ranking))
# by_getattr: reads __init__ of a class with a special feature such as a metaclass
m = M3()
return sum(topic.pool[d][0] for d in ranking[: m.k])
"""
