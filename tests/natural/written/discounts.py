"""What several metric functions share."""

import math

import numpy as np

PATIENCE = 0.8
WEIGHTS = {1: 1.0, 2: 0.7, 3: 0.5}


def log_discount(n):
    return 1 / np.log2(np.arange(2, n + 2))


def one_discount(rank):
    return 1.0 / math.log(rank + 1, 2)


def dcg_of(gains):
    return sum(g / math.log2(i + 2) for i, g in enumerate(gains))
