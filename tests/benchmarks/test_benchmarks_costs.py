"""Check that measured times add up: stages of a search, and work of tests by kind and by test."""

import pytest
import speed


def test_every_stage_of_the_search_is_measured_and_the_parts_make_up_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "PAIR_AXIOMS", [axiom for axiom in speed.PAIR_AXIOMS if axiom.name == "Red"])
    monkeypatch.setattr(speed, "rows_of", lambda axiom: [speed.parse("NRBP"), speed.parse("RBP-IA")])
    found = speed.search(200)
    assert {"Red: search / bare kernels, x", "Red: instances per second and cell, /s"} <= found.keys()
    parts = [name for name in found if name.startswith("search: ") and "in all" not in name]
    assert len(parts) == 6
    assert all(found[name] >= 0 for name in parts)
    assert found["search: in all, s"] <= sum(found[name] for name in parts) * 1.05
    assert found["search / bare kernels, x"] > 1
