"""Collect the claims of Ferrante and Ferro 2020 (paper and electronic appendix) about P@H, with computed values."""

from __future__ import annotations

from collections.abc import Iterator

from research.claims import Claim
from research.claims.stopping_chains import chain_claims
from research.claims.stopping_closed import closed_form_claims
from research.claims.stopping_figure import figure_claims
from research.claims.stopping_forward import forward_claims


def claims() -> Iterator[Claim]:
    """Yield all claims: Figure 1 and the examples, the classical measures, and the appendix's closed forms."""
    yield from figure_claims()
    yield from forward_claims()
    yield from chain_claims()
    yield from closed_form_claims()
