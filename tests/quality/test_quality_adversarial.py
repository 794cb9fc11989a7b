"""Blocks that are ahead of the top only where they are very long."""

from __future__ import annotations

from pathlib import Path

from test_adversarial_evidence import (
    LATE,
    both,
    m_is_one_at_which_the_block_is_ahead,
    n_is_the_first_from_which_the_top_is_ahead,
    what_is_said_of_every_large_n_is_so,
    what_was_seen_is_so,
)
from test_adversarial_honest_files import block_that_wins_late_is_in_a_report_that_replays


def test_the_m_of_closeth_is_one_at_which_the_block_is_ahead_by_the_scores_stated() -> None:
    m_is_one_at_which_the_block_is_ahead(LATE)


def test_the_n_of_deepth_is_the_first_from_which_the_top_is_ahead() -> None:
    n_is_the_first_from_which_the_top_is_ahead(LATE)


@both
def test_what_is_said_of_every_n_is_so(axiom: str) -> None:
    what_was_seen_is_so(LATE, axiom)
    what_is_said_of_every_large_n_is_so(LATE, axiom)


def test_a_block_that_wins_late_only_is_in_a_report_that_replays(tmp_path: Path) -> None:
    block_that_wins_late_is_in_a_report_that_replays("EU(alpha=0,log=1.05)", tmp_path)
