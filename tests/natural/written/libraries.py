"""Functions with the signatures of known libraries, as they are copied from project to project."""

import numpy as np


def dcg_at_k(r, k, method=0):
    r = np.asarray(r, dtype=float)[:k]
    if r.size:
        if method == 0:
            return r[0] + np.sum(r[1:] / np.log2(np.arange(2, r.size + 1)))
        if method == 1:
            return np.sum(r / np.log2(np.arange(2, r.size + 2)))
        raise ValueError("method must be 0 or 1.")
    return 0.0


def apk(actual, predicted, k=10):
    if len(predicted) > k:
        predicted = predicted[:k]
    score = 0.0
    num_hits = 0.0
    for i, p in enumerate(predicted):
        if p in actual and p not in predicted[:i]:
            num_hits += 1.0
            score += num_hits / (i + 1.0)
    if not actual:
        return 0.0
    return score / min(len(actual), k)


def ndcg(qrels, run, k=1000):
    total = 0.0
    for q in run:
        ranked = sorted(run[q], key=lambda d: -run[q][d])[:k]
        gains = np.array([qrels[q].get(d, 0) for d in ranked], dtype=np.float64)
        ideal = np.array(sorted(qrels[q].values(), reverse=True)[:k], dtype=np.float64)
        idcg = (ideal / np.log2(np.arange(len(ideal)) + 2)).sum()
        total += (gains / np.log2(np.arange(len(gains)) + 2)).sum() / idcg if idcg > 0 else 0.0
    return total / len(run)


def bpref(qrel, ranking):
    relevant = [d for d in qrel if qrel[d] > 0]
    others = len(qrel) - len(relevant)
    if not relevant:
        return 0.0
    above, score = 0, 0.0
    for d in ranking:
        if qrel[d] > 0:
            score += 1.0 - min(above, len(relevant)) / max(min(others, len(relevant)), 1)
        else:
            above += 1
    return score / len(relevant)
