"""A share is told to four digits; what of it can be checked is."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from axiomcheck.replay.evidence import is_share


@given(st.data())
def test_a_share_of_any_whole_that_there_can_be_is_one(data: st.DataObject) -> None:
    most = data.draw(st.integers(1, 10**6))
    whole = data.draw(st.integers(1, most) | st.just(most))
    part = data.draw(st.integers(1, whole))
    assert is_share(float(f"{part / whole:.4g}"), part, most)


@given(st.integers(1, 10**6), st.integers(0, 10**6))
@example(77696, 144334 - 77696)  # what is rounded points to a whole beyond the most
def test_the_share_of_the_largest_whole_is_one_and_a_smaller_is_none(part: int, rest: int) -> None:
    share = float(f"{part / (part + rest):.4g}")
    assert is_share(share, part, part + rest)
    assert not is_share(share * 0.998, part, part + rest)
