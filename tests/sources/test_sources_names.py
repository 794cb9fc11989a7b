import pytest

from axiomcheck.sources.names import family_of


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("RBP(p=0.612)", "Ad hoc"),
        ("nDCG-IA@20", "Intent-aware"),
        ("D#-nDCG(lambda=0.5)@20", "Diversity"),
        ("P@H-RBP(p=0.5, order=mean)@20", "User models"),
        ("trec-P-IA@20", "TREC's programs"),
        ("ir_measures:nDCG@10", "Libraries"),
        ("mine.py:RBP", "Your own"),
        ("x" * 5000, "Your own"),
    ],
)
def test_a_metric_is_of_the_family_that_its_class_is_of(name: str, family: str) -> None:
    assert family_of(name) == family
