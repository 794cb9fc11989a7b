"""Objects that act otherwise than a careless derivation takes them to; each docstring has a part of the reason."""

from dataclasses import dataclass, field

import numpy as np


def by_rank(topic, ranking, weight=1.0):
    return weight * sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking))


class Sized:
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size


def a_length_that_may_be_negative(topic, ranking):
    """uses __len__ of a class, which may return something other than a nonnegative integer"""
    hits = sum(1 for d in ranking if topic.pool[d][0] > 0)
    return by_rank(topic, ranking) + 0 * len(Sized(hits - 1))


def a_length_that_is_a_float(topic, ranking):
    """uses __len__ of a class, which may return something other than a nonnegative integer"""
    return by_rank(topic, ranking) + 0 * len(Sized(sum(0.5 * topic.pool[d][0] for d in ranking)))


def a_length_that_is_a_boolean(topic, ranking):
    """uses __len__ of a class, which may return something other than a nonnegative integer"""
    return by_rank(topic, ranking) + len(Sized(any(topic.pool[d][0] > 0 for d in ranking)))


class Sure(Sized):
    def __bool__(self):
        return np.bool_(True)


def a_truth_value_of_numpy(topic, ranking):
    """uses an object with __bool__ as a condition"""
    return by_rank(topic, ranking) if Sure(1) else 0.0


class Counting:
    def __init__(self):
        self.asked = 0

    def __contains__(self, document):
        self.asked = self.asked + 1
        return self.asked > 3

    def __len__(self):
        self.asked = self.asked + 1
        return 1


def a_test_that_counts_its_calls(topic, ranking):
    """sets the attribute asked outside __init__, or in a method that returns a value"""
    known = Counting()
    return sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking) if d in known)


def a_length_that_counts_its_calls(topic, ranking):
    """sets the attribute asked outside __init__, or in a method that returns a value"""
    known = Counting()
    return by_rank(topic, ranking, len(known) * known.asked)


class Borrowing:
    def __len__(self):
        return 3

    __contains__ = staticmethod(lambda document: True)


def a_static_method_as_membership(topic, ranking):
    """uses __contains__ of a class, but it is not a plain method"""
    known = Borrowing()
    return sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking) if d in known)


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


def a_factory_that_returns_one_list(topic, ranking):
    """changes the attribute seen, which a method sets to something other than a new list or dict"""
    kept = Noting()
    for d in ranking:
        kept.note(d)
    return by_rank(topic, ranking, 1.0 + 0 * len(kept.seen))


def an_object_that_two_names_have(topic, ranking):
    """changes an object that one of its methods may have stored a reference to"""
    kept = Kept()
    other = kept.itself()
    kept.heavier()
    return by_rank(topic, ranking, other.weight)


def an_object_that_a_method_returns_changed(topic, ranking):
    """sets the attribute weight outside __init__, or in a method that returns a value"""
    kept = Kept()
    other = kept.heavier()
    return by_rank(topic, ranking, other.weight + kept.weight)


def a_new_object_that_is_changed_twice(topic, ranking):
    """changes kept, which another variable may refer to: change a copy instead"""
    kept = Growing().heavier()
    other = kept
    kept.heavier()
    return by_rank(topic, ranking, other.weight)


class Pair:
    def __init__(self, first):
        self.first, self.weight = first, 1.0

    def linked(self):
        self.weight = 2.0
        self.first.append(self)
        return self


def an_object_that_its_method_stores(topic, ranking):
    """sets the attribute weight outside __init__"""
    held = [topic]
    pair = Pair(held).linked()
    return by_rank(topic, ranking, pair.weight)
