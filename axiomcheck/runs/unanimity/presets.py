"""Sets of metrics to measure unanimity in."""

from __future__ import annotations

from collections.abc import Callable

_CUTOFFS = (10, 20, 50, 100, 1000)
_PATIENCE = (0.8, 0.9, 0.99)
_ALPHAS = (0.1, 0.25, 0.5, 0.75)
_EFFORTS = (0, 0.001, 0.05, 0.1, 0.5)
"""Section 6.2 names those above 0; Table 2 and section 6.3 have 0 as well, of EU and of RBU."""


def _amigo_2018() -> tuple[str, ...]:
    """Section 6.2's metrics; those of one aspect get the largest grade over aspects, and EU and RBU no cutoff."""
    plain, lifted = "{}", "{}(aggregate=max)"
    names = ["AP(aggregate=max)", "RR(aggregate=max)", "AP-IA", "RR-IA"]
    for name, form in (
        *((base, lifted) for base in ("P", "ERR", "nDCG")),
        *((base, plain) for base in ("P-IA", "ERR-IA", "nDCG-IA", "S-Recall")),
    ):
        names += [f"{form.format(name)}@{k}" for k in _CUTOFFS]
    names += [f"RBP(p={p}, aggregate=max)" for p in _PATIENCE]
    names += [f"NRBP(p={p}, alpha={alpha})" for p in _PATIENCE for alpha in _ALPHAS]
    names += [f"alpha-nDCG(alpha={alpha})@{k}" for k in _CUTOFFS for alpha in _ALPHAS]
    names += [f"EU(alpha={alpha}, e={e})" for alpha in _ALPHAS for e in _EFFORTS]
    names += [f"RBU(p={p}, e={e})@inf" for p in _PATIENCE for e in _EFFORTS]
    return tuple(names)


PRESETS: dict[str, Callable[[], tuple[str, ...]]] = {"amigo-2018": _amigo_2018}
"""Name -> the names of its metrics."""
