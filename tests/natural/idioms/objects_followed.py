"""Objects with ``__len__``, ``__contains__`` or factories of fields; each docstring has a part of the derived fold."""

from dataclasses import dataclass, field


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


def length_and_membership_of_an_object(topic, ranking):
    """1 / i times hit + hit * s0; s0 is 0, then hit + s0; aspects by weight; divided by the number of relevant"""
    return sum(w * precision_at_hits(Relevant(topic, t), ranking) for t, w in enumerate(topic.weights))


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


def fields_with_factories(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times r; only ranks up to 5 count; one aspect; divided by the total of the best"""
    model = Model(depth=5).fit(topic)
    ideal = model.total(model.best)
    return model.total([topic.pool[d][0] for d in ranking]) / ideal if ideal > 0 else 0.0
