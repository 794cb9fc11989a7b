"""RBP with a longer reach than that of the everyday tests."""

from __future__ import annotations

from typing import Any

from test_trec_tools import cwl, rbp_is_that_of_cwl_eval
from trec_data import needs_data

__all__ = ["cwl"]  # a fixture


@needs_data
def test_rbp_is_that_of_cwl_eval(cwl: Any) -> None:
    rbp_is_that_of_cwl_eval(cwl, "0.95")
