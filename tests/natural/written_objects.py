"""Metrics that are no plain functions of a file."""

import functools
import math


class Discounted:
    """Gains discounted by a logarithm to some base."""

    def __init__(self, base):
        self.base = base

    def __call__(self, topic, ranking):
        return sum(topic.pool[d][0] / math.log(i + 2, self.base) for i, d in enumerate(ranking))


def _geometric(ratio, topic, ranking):
    return sum(topic.pool[d][0] * ratio**i for i, d in enumerate(ranking))


halved = functools.partial(_geometric, 0.5)
unnamed = lambda topic, ranking: sum(topic.pool[d][0] / (i + 1) for i, d in enumerate(ranking))  # noqa: E731
by_two = Discounted(2)
