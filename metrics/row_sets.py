"""Which metrics a table has rows for, by the name that is typed for them: the paper's, those of a family, all."""

from __future__ import annotations

from axiomcheck.core.errors import UnknownName
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.catalogue import CATALOGUE, FAMILIES, ROWS, catalogue_family, parse, user_model_rows

_USER_MODELS = "user-models"
_KEYS: dict[str, str] = {
    "ad-hoc": "Ad hoc",
    "intent-aware": "Intent-aware",
    "diversity": "Diversity",
    "trec": "TREC's programs",
    _USER_MODELS: "User models",
}
"""What is typed for a family -> its heading."""

ROW_SETS: tuple[str, ...] = ("paper", "all", *_KEYS)
"""What `rows_named` knows: the twenty of the published table, these and the user models, and families."""


def rows_named(name: str) -> list[Metric]:
    """The metrics of one of `ROW_SETS`: of a family, all of the catalogue with their defaults.

    User models are the rows of `axiomcheck.metrics.USER_MODEL_ROWS`: one per browsing model, order and target, with the
    RBP that each INST is compared with. Metrics of the published table have its cutoff.

    Raises:
        UnknownName: no such set.

    """
    if name not in ROW_SETS:
        raise UnknownName("rows", name, ROW_SETS)
    paper = [parse(text) for text in ROWS.values()]
    if name in ("paper", "all"):
        return [*paper, *(user_model_rows() if name == "all" else ())]
    if name == _USER_MODELS:
        return user_model_rows()
    seeds = {metric.name: metric for metric in paper}
    of_family = (seeds.get(each) or parse(each) for each in in_reading_order())
    return [metric for metric in of_family if catalogue_family(metric) == _KEYS[name]]


def in_reading_order() -> list[str]:
    """The names of the catalogue, family by family; those of the published table first, in its order."""
    printed = [parse(text).name for text in ROWS.values()]
    place = {name: number for number, name in enumerate([*printed, *(n for n in CATALOGUE if n not in printed)])}
    family = {name: FAMILIES.index(catalogue_family(cls())) for name, cls in CATALOGUE.items()}
    return sorted(CATALOGUE, key=lambda name: (family[name], place[name]))
