"""Look up the catalogue's metrics by name, by family or by row of the paper's table."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics.base import CATALOGUE, Metric
from axiomcheck.metrics.spelling import spelled

_HEADINGS = {
    "adhoc": "Ad hoc",
    "intent_aware": "Intent-aware",
    "coverage": "Diversity",
    "novelty": "Diversity",
    "greedy": "Diversity",
    "trec": "TREC's programs",
    "inst": "User models",
    "stopping": "User models",
}
"""Headings of families in tables, keyed by the module that defines the metrics."""

for _module in _HEADINGS:
    import_module(f"axiomcheck.metrics.{_module}")  # registers its metrics

FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(_HEADINGS.values()))
"""Families of the catalogue's metrics, in reading order."""

_ALIASES = {"S-RR": "S-RR@100%", "D#-Measure": "D#-nDCG", "α-nDCG": "alpha-nDCG"}

RUN_MEASURES = (
    *("Bpref", "IPrec", "Judged", "NumQ", "NumRel", "NumRelRet", "NumRet", "R", "Rprec"),
    *("SetAP", "SetF", "SetP", "SetR", "Success", "infAP"),
)
"""Names of measures that ir_measures has and the catalogue lacks, for error messages."""

ROWS: dict[str, str] = {
    "P@k": "P@20",
    "RR": "RR",
    "AP": "AP",
    "nDCG@k": "nDCG@20",
    "ERR@k": "ERR@20",
    "RBP": "RBP",
    "P-IA@k": "P-IA@20",
    "RR-IA@k": "RR-IA",
    "AP-IA": "AP-IA",
    "nDCG-IA@k": "nDCG-IA@20",
    "ERR-IA@k": "ERR-IA@20",
    "RBP-IA": "RBP-IA",
    "S-Recall@k": "S-Recall@20",
    "S-RR@100%": "S-RR@100%",
    "NRBP": "NRBP",
    "D#-Measure@k": "D#-nDCG@20",
    "alpha-nDCG@k": "alpha-nDCG@20",
    "EU": "EU",
    "CT@k": "CT@20",
    "RBU@k": "RBU@20",
}
"""Names of the metrics that reproduce the twenty rows of the paper's Table 1, keyed by row, in the table's order."""


def attribute_name(name: str) -> str:
    """Convert a name to a Python identifier such as ``D_sharp_nDCG``, ``P_at_H_RBP`` or ``S_RR_at_100percent``."""
    for sign, word in (("-", "_"), ("#", "_sharp"), ("@", "_at_"), ("%", "percent")):
        name = name.replace(sign, word)
    return name


NAMES: dict[str, str] = {attribute_name(name): name for name in (*CATALOGUE, *_ALIASES)}
"""Metric names, keyed by the attribute of `axiomcheck.metrics` that holds the metric with its default parameters."""


def metric_names() -> list[str]:
    """Return the name of every metric in the catalogue, without parameters, cutoff or aliases."""
    return list(CATALOGUE)


USER_MODEL_ROWS: tuple[str, ...] = (
    *("INST(T=1)", "INST-upper(T=1)", "RBP(p=0.612)"),
    *("INST(T=3)", "INST-upper(T=3)", "RBP(p=0.847)"),
    *("INST(T=10)", "INST-upper(T=10)", "RBP(p=0.951)"),
    *(
        f"P@H-{browsing}(order={order})@20"
        for browsing in ("P", "AP", "RBP", "DCG", "ERR", "walk")
        for order in ("mean", "ratio", "dominance")
    ),
)
"""Names of user models, which the paper's table does not contain: INST, the RBP whose expected search depth is that of
INST on rankings without relevant documents (Table 2 of the INST paper), and P@H for each browsing model and order."""


def user_model_rows() -> list[Metric]:
    """Return the metrics named in `USER_MODEL_ROWS`, in the same order."""
    return [parse(name) for name in USER_MODEL_ROWS]


def paper_rows() -> list[Metric]:
    """Return the metrics that reproduce the paper's twenty rows, in the table's order."""
    return [parse(name) for name in ROWS.values()]


def row_of(metric: Metric) -> str | None:
    """Return the row of the paper's table for a metric, whatever its parameters; None if the table has no such row.

    A row with a cutoff matches any cutoff. A row without a cutoff matches only metrics without a cutoff. (The paper
    prints RR-IA with a cutoff and means the metric without one.)
    """
    for row, text in ROWS.items():
        seed = parse(text)
        same_kind = type(metric) is type(seed) and metric.is_seed_form()
        if same_kind and (metric.cutoff is None) == (seed.cutoff is None):
            return row
    return None


def catalogue_family(metric: Metric) -> str:
    """Return the family of a metric in the catalogue: one of `FAMILIES`."""
    return _HEADINGS[type(metric).__module__.rpartition(".")[2]]


def parse(text: str) -> Metric:
    """Create a metric from its name, such as ``RBU(p=0.9, e=0.01)@10`` or ``alpha-nDCG(alpha=0.25)@20``.

    Omitted parameters and an omitted cutoff have their default values. ``@inf`` means no cutoff. Case is ignored.

    Raises:
        InvalidInput: The text is malformed, or a value is out of range.
        UnknownName: There is no such metric or parameter; the message lists similar names.

    """
    if not isinstance(text, str):
        raise InvalidInput(f"cannot read metric {text!r}; expected a string such as 'RBU(p=0.9)@10'")
    folded = {name.casefold(): name for name in (*CATALOGUE, *_ALIASES)}
    found = spelled(text)
    name, after = (found.name, found.after) if found else ("", None)
    if after is not None and f"{name}@{after}".casefold() in folded:
        name, after = f"{name}@{after}", None  # the 100% of S-RR@100% is not a cutoff
    elif after and not after.isdecimal() and any(n.startswith(f"{name}@{after[0]}".casefold()) for n in folded):
        raise UnknownName("metric", f"{name}@{after}", CATALOGUE)  # a misspelt name that begins like P@H-RBP
    if not found or not name:
        raise InvalidInput(f"cannot read metric {text!r}; expected NAME, NAME@k or NAME(parameter=value, ...)@k")
    if name.casefold() not in folded:
        for measure in RUN_MEASURES:
            if name.casefold() == measure.casefold():
                where = f"`axiomcheck score` computes it for runs, and axioms can be checked on ir_measures:{measure}"
                raise InvalidInput(f"{measure} is an ir_measures measure, but it is not in the catalogue; {where}")
        raise UnknownName("metric", name, CATALOGUE)
    known = folded[name.casefold()]
    cls = CATALOGUE[_ALIASES.get(known, known)]
    return cls(cutoff=replace(found, after=after).cutoff(), **found.parameters())


_USER_MODELS = "user-models"
_KEYS: dict[str, str] = {
    "ad-hoc": "Ad hoc",
    "intent-aware": "Intent-aware",
    "diversity": "Diversity",
    "trec": "TREC's programs",
    _USER_MODELS: "User models",
}
"""Headings of families, keyed by the name of the family's row set."""

ROW_SETS: tuple[str, ...] = ("paper", "all", *_KEYS)
"""Names of sets of metrics: ``paper`` for the published table, ``all`` for this table and the user models, and one name
for each family."""


def rows_named(name: str) -> list[Metric]:
    """Return the metrics of a row set, whose name is one of `ROW_SETS`.

    A family contains all its metrics in the catalogue. Those in the published table have the table's cutoff, and all
    others their default cutoff. ``user-models`` contains the metrics of `USER_MODEL_ROWS`.

    Raises:
        UnknownName: There is no row set with this name.

    """
    if name not in ROW_SETS:
        raise UnknownName("rows", name, ROW_SETS)
    paper = paper_rows()
    if name in ("paper", "all"):
        return [*paper, *(user_model_rows() if name == "all" else ())]
    if name == _USER_MODELS:
        return user_model_rows()
    seeds = {metric.name: metric for metric in paper}
    of_family = (seeds.get(each) or parse(each) for each in in_reading_order())
    return [metric for metric in of_family if catalogue_family(metric) == _KEYS[name]]


def in_reading_order() -> list[str]:
    """Return the names of all metrics in the catalogue, ordered by family.

    Within a family, the metrics in the published table come first, in the table's order.
    """
    printed = [metric.name for metric in paper_rows()]
    place = {name: number for number, name in enumerate([*printed, *(n for n in CATALOGUE if n not in printed)])}
    family = {name: FAMILIES.index(catalogue_family(cls())) for name, cls in CATALOGUE.items()}
    return sorted(CATALOGUE, key=lambda name: (family[name], place[name]))
