"""Code whose objects, modules or builtins do something else than usual.

Each function counts the first 4,500 ranks only, or differently, which no ranking that is compared would show.
"""

GIVEN = """
import types

def _up_to(topic, ranking, k):
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:k], 1))

class _Partial(functools.partial):
    def __call__(self, rank):
        return 1 / rank if rank <= 4500 else 0.0

def _discount(rank):
    return 1 / rank

_PARTIAL = _Partial(_discount)

class _Rank:
    def __get__(self, owner, kind=None):
        return vars(owner)["rank"]
    def __set__(self, owner, value):
        vars(owner)["rank"] = value if value <= 4500 else 2.0**900

class _Placed:
    rank = _Rank()
    def __init__(self, rank):
        self.rank = rank

class _Float(float):
    def __truediv__(self, other):
        return 1.0 / other if other <= 4500 else 0.0

class _Numbers:
    one = _Float(1.0)

class _Module(types.ModuleType):
    @property
    def scale(self):
        return 0.5

_MODULE = _Module("settings")

class _Settings:
    def __init__(self):
        self.k = None

class _Pusher:
    def __init__(self, target):
        self.target = target
    def append(self, value):
        self.target.k = value

class _Copied:
    def __init__(self):
        self.k = {"k": None}
    def copy(self):
        return self.k

__k = None

class _Made:
    @staticmethod
    def make():
        __k = 4500
        return lambda topic, ranking: _up_to(topic, ranking, __k)

_LAMBDA = _Made.make()

class _Popper:
    def __init__(self, cuts):
        self.cuts = cuts
    def sum(self):
        self.cuts.pop()
        return 0

def _far(rank):
    return 1 / rank if rank <= 4500 else 0.0

_cached = functools.lru_cache(_far)

_cached.__wrapped__ = _discount

def _length(ranking):
    return len(ranking)

_depth = types.FunctionType(_length.__code__, {"__builtins__": {"len": lambda x: min(4500, len(x))}})
"""

REFUSED = """
# late_binding_above_the_lambda: changes k after defining a function or generator reading it: use a new name
cuts = [
    cut
    for k in (None, 4500)
    for cut in [
        lambda: k,
    ]
]
return _up_to(topic, ranking, cuts[0]())
# assignment_of_the_next_iteration: changes k after defining a function or generator reading it: use a new name
k = cut = None
for t in (0, 1):
    if t == 1:
        k = 4500
    if t == 0:
        for _ in range(1):
            cut = lambda: k
return _up_to(topic, ranking, cut())
# subclass_of_partial: calls _Partial, which is not supported
return sum(topic.pool[d][0] * _PARTIAL(i) for i, d in enumerate(ranking, 1))
# descriptor_that_changes_what_is_set: reads or sets rank, which is a descriptor of the class _Placed
return sum(topic.pool[d][0] / _Placed(i).rank for i, d in enumerate(ranking, 1))
# number_with_its_own_division: uses the attribute one, whose type _Float may have its own operators
return sum(topic.pool[d][0] * (_Numbers.one / i) for i, d in enumerate(ranking, 1))
# module_with_its_own_class: uses _MODULE, a module object whose class is a subclass of ModuleType
return _MODULE.scale * _up_to(topic, ranking, None)
# module_imported_by_the_function: calls a function only for its side effect, which is not supported
import numpy as other
counts = np.array([0])
other.add(counts, 4500, counts)
return _up_to(topic, ranking, counts[0] or None)
# append_of_an_object: assigns to a target that is neither a local variable nor an entry of a local variable
settings = _Settings()
pusher = _Pusher(settings)
pusher.append(4500)
return _up_to(topic, ranking, settings.k)
# copy_of_an_object: calls copy of an object, but lists and arrays have a method of that name: rename it
copied = _Copied()
other = copied.copy()
other["k"] = 4500
return _up_to(topic, ranking, copied.k["k"])
# name_that_a_class_renames: uses a cutoff above rank 1,000, which is not supported
return _LAMBDA(topic, ranking)
# object_in_a_list_that_changes_another: changes the attribute cuts in a method whose result is used
cuts = [4500, None]
poppers = [_Popper(cuts)]
_ = poppers[0].sum() if len(ranking) > 1 else 0
return _up_to(topic, ranking, cuts[-1])
# cache_of_another_function: calls _cached, which caches a function other than its __wrapped__
return sum(topic.pool[d][0] * _cached(i) for i, d in enumerate(ranking, 1))
# function_with_its_own_builtins: uses len, which is undefined
return _up_to(topic, ranking, _depth(ranking))
# boolean_sum_of_arrays: calls reduce on booleans, whose sum keeps their narrow type: convert them to float
count = functools.reduce(operator.add, [np.array([True]), np.array([True])])
return _up_to(topic, ranking, None if count[0] == 2 else 4500)
"""
