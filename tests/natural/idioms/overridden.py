"""Code whose objects, modules or builtins do something else than usual; the docstrings say why it is refused.

Each function counts the first 4,500 ranks only, or differently, which no ranking that is compared would show.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import functools
import operator
import types

import numpy as np


def _up_to(topic, ranking, k):
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:k], 1))


def late_binding_above_the_lambda(topic, ranking):
    """changes k after defining a function or generator that reads it"""
    cuts = [
        cut
        for k in (None, 4500)
        for cut in [
            lambda: k,
        ]
    ]
    return _up_to(topic, ranking, cuts[0]())


def assignment_of_the_next_iteration(topic, ranking):
    """changes k after defining a function or generator that reads it"""
    k = cut = None
    for t in (0, 1):
        if t == 1:
            k = 4500
        if t == 0:
            for _ in range(1):
                cut = lambda: k
    return _up_to(topic, ranking, cut())


class _Partial(functools.partial):
    def __call__(self, rank):
        return 1 / rank if rank <= 4500 else 0.0


def _discount(rank):
    return 1 / rank


_PARTIAL = _Partial(_discount)


def subclass_of_partial(topic, ranking):
    """calls _Partial, which is not supported"""
    return sum(topic.pool[d][0] * _PARTIAL(i) for i, d in enumerate(ranking, 1))


class _Rank:
    def __get__(self, owner, kind=None):
        return vars(owner)["rank"]

    def __set__(self, owner, value):
        vars(owner)["rank"] = value if value <= 4500 else 2.0**900


class _Placed:
    rank = _Rank()

    def __init__(self, rank):
        self.rank = rank


def descriptor_that_changes_what_is_set(topic, ranking):
    """reads or sets rank, which is a descriptor of the class _Placed"""
    return sum(topic.pool[d][0] / _Placed(i).rank for i, d in enumerate(ranking, 1))


class _Float(float):
    def __truediv__(self, other):
        return 1.0 / other if other <= 4500 else 0.0


class _Numbers:
    one = _Float(1.0)


def number_with_its_own_division(topic, ranking):
    """uses the attribute one, whose type _Float may have its own operators"""
    return sum(topic.pool[d][0] * (_Numbers.one / i) for i, d in enumerate(ranking, 1))


class _Module(types.ModuleType):
    @property
    def scale(self):
        return 0.5


_MODULE = _Module("settings")


def module_with_its_own_class(topic, ranking):
    """uses _MODULE, a module object whose class is a subclass of ModuleType"""
    return _MODULE.scale * _up_to(topic, ranking, None)


def module_imported_by_the_function(topic, ranking):
    """calls a function only for its side effect, which is not supported"""
    import numpy as other

    counts = np.array([0])
    other.add(counts, 4500, counts)
    return _up_to(topic, ranking, counts[0] or None)


class _Settings:
    def __init__(self):
        self.k = None


class _Pusher:
    def __init__(self, target):
        self.target = target

    def append(self, value):
        self.target.k = value


def append_of_an_object(topic, ranking):
    """assigns to a target that is neither a local variable nor an entry of a local variable"""
    settings = _Settings()
    pusher = _Pusher(settings)
    pusher.append(4500)
    return _up_to(topic, ranking, settings.k)


class _Copied:
    def __init__(self):
        self.k = {"k": None}

    def copy(self):
        return self.k


def copy_of_an_object(topic, ranking):
    """calls copy of an object, but lists and arrays have a method of that name: rename it"""
    copied = _Copied()
    other = copied.copy()
    other["k"] = 4500
    return _up_to(topic, ranking, copied.k["k"])


__k = None


class _Made:
    @staticmethod
    def make():
        __k = 4500
        return lambda topic, ranking: _up_to(topic, ranking, __k)


_LAMBDA = _Made.make()


def name_that_a_class_renames(topic, ranking):
    """uses a cutoff above rank 1,000, which is not supported"""
    return _LAMBDA(topic, ranking)


class _Popper:
    def __init__(self, cuts):
        self.cuts = cuts

    def sum(self):
        self.cuts.pop()
        return 0


def object_in_a_list_that_changes_another(topic, ranking):
    """changes the attribute cuts in a method whose result is used"""
    cuts = [4500, None]
    poppers = [_Popper(cuts)]
    _ = poppers[0].sum() if len(ranking) > 1 else 0
    return _up_to(topic, ranking, cuts[-1])


def _far(rank):
    return 1 / rank if rank <= 4500 else 0.0


_cached = functools.lru_cache(_far)
_cached.__wrapped__ = _discount


def cache_of_another_function(topic, ranking):
    """calls _cached, which caches a function other than its __wrapped__"""
    return sum(topic.pool[d][0] * _cached(i) for i, d in enumerate(ranking, 1))


def _length(ranking):
    return len(ranking)


_depth = types.FunctionType(_length.__code__, {"__builtins__": {"len": lambda x: min(4500, len(x))}})


def function_with_its_own_builtins(topic, ranking):
    """uses len, which is undefined"""
    return _up_to(topic, ranking, _depth(ranking))


class _Twice:
    def score(self, topic, ranking):
        return _up_to(topic, ranking, 4500)

    other = score

    def score(self, topic, ranking):
        return _up_to(topic, ranking, None)


alias_of_a_method = _Twice().other


def boolean_sum_of_arrays(topic, ranking):
    """calls reduce on booleans or small integers, whose sum keeps their narrow type: convert them to float"""
    count = functools.reduce(operator.add, [np.array([True]), np.array([True])])
    return _up_to(topic, ranking, None if count[0] == 2 else 4500)
