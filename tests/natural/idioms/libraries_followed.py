"""Numbers of numpy and of Python whose library is known; see `followed.py`."""

import math

import numpy as np


def item_of_a_sum(topic, ranking):
    """rank i earns 1 / i times r"""
    grades = np.array([topic.pool[d][0] for d in ranking])
    return (grades / np.arange(1, len(ranking) + 1)).sum().item()


def cast_of_an_entry(topic, ranking):
    """rank i earns 1 / i times hit"""
    hits = np.array([topic.pool[d][0] for d in ranking]) > 0
    return sum(hits[i].astype(float) / (i + 1) for i in range(len(ranking)))


def power_of_a_listed_entry(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times r"""
    ranks = np.arange(len(ranking)).tolist()
    return sum(topic.pool[d][0] * 2 ** -ranks[i] for i, d in enumerate(ranking))


def power_of_floats(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times r"""
    return sum(topic.pool[d][0] * math.pow(2, -i) for i, d in enumerate(ranking))


def power_of_a_counter(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times r"""
    total, rank = 0.0, 0
    for d in ranking:
        total += topic.pool[d][0] * 2**-rank
        rank += 1
    return total
