"""Metrics with state: those in LIARS score otherwise because of what they scored before, those in HONEST do not.

All but the liars discount ranks by 1/k: they satisfy Pri, and violate Conf, as a document of grade 0 changes nothing.
"""

import os
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).parent


def total(topic, ranking):
    return sum(sum(topic.pool[d]) / k for k, d in enumerate(ranking, 1))


# ---- liars: a score depends on earlier ones

_best = [0.0]
_seen: dict[str, float] = {}
_file = Path(tempfile.gettempdir()) / f"axiomcheck-best-{os.getpid()}"


def best_of_a_list(topic, ranking):
    _best[0] = max(_best[0], total(topic, ranking))
    return total(topic, ranking) / (_best[0] or 1.0)


def best_in_a_file(topic, ranking):
    found = max(float(_file.read_text() or "0") if _file.exists() else 0.0, total(topic, ranking))
    _file.write_text(repr(found))
    return total(topic, ranking) / (found or 1.0)


def cached_by_name(topic, ranking):
    return sum(_seen.setdefault(d, sum(topic.pool[d])) / k for k, d in enumerate(ranking, 1))


def by_identity(topic, ranking):
    return total(topic, ranking) + id(topic) % 4096 / 4096


def one_name_counts_less(topic, ranking):
    return sum(sum(topic.pool[d]) / (k + (d == "x")) for k, d in enumerate(ranking, 1))


LIARS = ["best_of_a_list", "best_in_a_file", "cached_by_name", "by_identity", "one_name_counts_less"]

# ---- honest: they remember, and score as if they did not

_memo: dict = {}


def memo_of_all(topic, ranking):
    key = (tuple(topic.pool.items()), topic.weights, tuple(ranking))
    if key not in _memo:
        _memo[key] = total(topic, ranking)
    return _memo[key]


def renames(topic, ranking):
    new = {d: f"x{n}" for n, d in enumerate(topic.pool)}
    pool = {new[d]: g for d, g in topic.pool.items()}
    return sum(sum(pool[new[d]]) / k for k, d in enumerate(ranking, 1))


def in_a_thread(topic, ranking):
    found = []
    worker = threading.Thread(target=lambda: found.append(total(topic, ranking)))
    worker.start()
    worker.join()
    return found[0]


HONEST = ["memo_of_all", "renames", "in_a_thread"]
