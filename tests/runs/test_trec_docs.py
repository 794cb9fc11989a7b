"""The README's command that scores, the rules of ties in docs/how-to/score.md, and benchmarks/scoring.py."""

from __future__ import annotations

from axiomcheck.runs.trec import TIES
from tests.support import transcripts

PAGE = transcripts.ROOT / "docs" / "how-to" / "score.md"


def test_the_page_says_what_every_rule_of_ties_does() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for rule, order in TIES.items():
        shown = f"`{rule}` (default)" if rule == "trec_eval" else f"`{rule}`"
        assert f"| {shown} | {order} |" in text
