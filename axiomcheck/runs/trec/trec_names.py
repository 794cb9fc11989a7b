"""Translate trec_eval's measure names to axiomcheck's, and expand its families of measures."""

from __future__ import annotations

import re

from axiomcheck.core.errors import InvalidInput

_SAME = {
    "map": "AP",
    "ndcg": "nDCG",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
    "set_map": "SetAP",
    "set_relative_P": "SetP(relative=True)",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
}
"""axiomcheck's names, keyed by trec_eval's names."""

COUNTS = ("num_ret", "num_rel", "num_rel_ret")
"""trec_eval's names for counts, which it prints as integers."""

_DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_CUT: dict[str, tuple[str, tuple[int, ...]]] = {
    "P": ("P", _DEPTHS),
    "recall": ("R", _DEPTHS),
    "success": ("Success", (1, 5, 10)),
    "map_cut": ("AP", _DEPTHS),
    "ndcg_cut": ("nDCG", _DEPTHS),
}
"""axiomcheck's name and the default cutoffs, keyed by trec_eval's name for a measure with cutoffs."""

_RECALL = "iprec_at_recall"
_RECALLS = tuple(f"{tenths / 10:.2f}" for tenths in range(11))
"""Recall levels at which trec_eval prints precision."""

_OTHERS: dict[str, str] = {
    "runid": "",
    "num_q": "",
    "gm_map": "map, of which it is the geometric mean",
    "gm_bpref": "bpref, of which it is the geometric mean",
    "11pt_avg": "iprec_at_recall, of which it is the mean",
    "Rprec_mult": "Rprec",
    "relative_P": "P",
    "ndcg_rel": "ndcg",
    "Rndcg": "ndcg",
    "binG": "ndcg",
    "G": "ndcg",
    "utility": "num_rel_ret and num_ret",
    "num_nonrel_judged_ret": "num_rel_ret",
    "unj": "Judged@10",
    "yaap": "map",
    "rbp": "RBP",
    "rbp_resid": "RBP, which has a residual",
    "relstring": "",
}
"""trec_eval's names that ir_measures lacks -> the nearest measure, if there is one.

Output in trec_eval's format always contains the first two of these measures.
"""

_OFFICIAL = ("num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall")
_SETS = ("set_P", "set_recall", "set_relative_P", "set_map", "set_F")
_FAMILIES: dict[str, tuple[str, ...]] = {
    "official": (*_OFFICIAL, "P"),
    "set": ("num_ret", "num_rel", "num_rel_ret", "utility", *_SETS),
    "all_trec": (
        *(*_OFFICIAL, "P", "relstring", "recall", "infAP", "gm_bpref", "utility", "11pt_avg", "ndcg", "relative_P"),
        *("Rprec_mult", "success", "map_cut", "ndcg_cut", "ndcg_rel", "Rndcg", "binG", "G", *_SETS),
        "num_nonrel_judged_ret",
    ),
}
"""trec_eval's names for families of measures."""


def ours(text: str) -> str | None:
    """Translate trec_eval's name of a measure (``ndcg_cut_10``) to axiomcheck's (``nDCG@10``).

    Parameters may follow the name, as in ``map(aggregate=max)``. The result is None for all other text.

    Raises:
        InvalidInput: The measure is a trec_eval measure that is not computed here.

    """
    head, opening, parameters = text.partition("(")
    if opening and (found := ours(head)) is not None and "(" not in found:
        name, at, cutoff = found.partition("@")
        return f"{name}({parameters}{at}{cutoff}"
    if text in _SAME:
        return _SAME[text]
    cut = re.fullmatch(rf"({'|'.join(_CUT)})_([1-9][0-9]{{0,8}})", text)
    if cut:
        return f"{_CUT[cut[1]][0]}@{cut[2]}"
    if text.startswith(f"{_RECALL}_") and _is_recall(text.removeprefix(f"{_RECALL}_")):
        return f"IPrec@{float(text.removeprefix(f'{_RECALL}_'))}"
    if text in _OTHERS:
        raise _unknown(text)
    return None


def is_family(text: str) -> bool:
    """Return True if a name stands for several trec_eval measures: ``official``, ``ndcg_cut.10,20``, ``recall``.

    ``P`` alone is a metric in the catalogue.
    """
    name, dot, _ = text.partition(".")
    return text in _FAMILIES or (bool(dot) if name == "P" or name in _SAME else name in (*_CUT, _RECALL))


def expanded(text: str) -> tuple[list[str], list[str]]:
    """Expand a name that trec_eval's option -m accepts: ``map``, ``ndcg_cut.10,20``, ``P``, ``official``, ``all_trec``.

    Returns:
        The names of the measures as trec_eval prints them, and the measures of the family that are not computed here,
        each with the nearest measure that is computed, if any.

    Raises:
        InvalidInput: There is no such measure, the cutoffs are invalid, or the measure is not computed here.

    """
    name, dot, after = text.partition(".")
    if name in _FAMILIES and not dot:
        names = [one for member in _FAMILIES[name] if member not in _OTHERS for one in expanded(member)[0]]
        others = {member: _OTHERS[member] for member in _FAMILIES[name] if member in _OTHERS}
        return names, [f"{member} (nearest: {nearest})" if nearest else member for member, nearest in others.items()]
    if name == _RECALL:
        levels = after.split(",") if dot else _RECALLS
        if not all(map(_is_recall, levels)):
            wanted = f"expected numbers from 0 to 1 with two digits, as in {name}.0.10,0.50"
            raise InvalidInput(f"{text}: recall levels {after!r}; {wanted}")
        return [f"{name}_{float(level):.2f}" for level in levels], []
    if name in _CUT:
        depths = after.split(",") if dot else [str(depth) for depth in _CUT[name][1]]
        if not all(re.fullmatch("[1-9][0-9]{0,8}", depth) for depth in depths):
            raise InvalidInput(f"{text}: cutoffs {after!r}; expected integers of at least 1, as in {name}.10,20")
        return [f"{name}_{depth}" for depth in depths], []
    if dot or ours(text) is None:
        raise _unknown(text)
    return [text], []


def _is_recall(text: str) -> bool:
    return re.fullmatch(r"0\.[0-9]{1,2}|1\.00?", text) is not None


def _unknown(text: str) -> InvalidInput:
    if _OTHERS.get(text):
        return InvalidInput(f"{text} is not computed by ir_measures; the nearest measure is {_OTHERS[text]}")
    known = ", ".join((*_SAME, *(f"{name}_K" for name in _CUT), f"{_RECALL}_R"))
    return InvalidInput(f"{text} is not computed here; expected one of trec_eval's measures {known}")
