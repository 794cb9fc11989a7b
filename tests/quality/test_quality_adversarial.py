"""Evidence and honest metrics that the everyday tests leave out; blocks that are ahead only at great lengths."""

from __future__ import annotations

import pytest

from tests.adversarial.adversarial_table import Honest
from tests.adversarial.table_honest import HONEST
from tests.adversarial.test_adversarial import an_honest_metric_keeps_its_verdict
from tests.adversarial.test_adversarial_evidence import (
    LATE,
    NAMES,
    both,
    m_is_one_at_which_the_block_is_ahead,
    n_is_the_first_from_which_the_top_is_ahead,
    what_is_said_of_every_large_n_is_so,
    what_was_seen_is_so,
)
from tests.support.suites import others

rarely = pytest.mark.parametrize("name", [*others(NAMES, 5), LATE])


@pytest.mark.parametrize("honest", others(HONEST, 4), ids=lambda honest: honest.id)
def test_an_honest_metric_of_the_same_shape_keeps_its_verdict(honest: Honest) -> None:
    an_honest_metric_keeps_its_verdict(honest)


@rarely
def test_the_m_of_closeth_is_one_at_which_the_block_is_ahead_by_the_scores_stated(name: str) -> None:
    m_is_one_at_which_the_block_is_ahead(name)


@rarely
def test_the_n_of_deepth_is_the_first_from_which_the_top_is_ahead(name: str) -> None:
    n_is_the_first_from_which_the_top_is_ahead(name)


@rarely
@both
def test_what_is_said_of_every_n_is_so(name: str, axiom: str) -> None:
    what_was_seen_is_so(name, axiom)
    what_is_said_of_every_large_n_is_so(name, axiom)
