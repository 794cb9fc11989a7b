"""cwl-eval: gains that are not the catalogue's, and documents that it is not told the names of."""

import numpy as np
import pytest

from axiomcheck.checks.contract import run_contract
from axiomcheck.metrics import parse
from tests.sources.adapters_topics import assert_same, catalogue_scores, found, random_cases

pytestmark = pytest.mark.extra("cwl")


def test_ndcg_is_divided_by_documents_of_gain_1_and_not_by_the_ideal() -> None:
    metric = found("cwl", "NDCG(5)")
    cases = random_cases(metric, 40)
    expected = catalogue_scores(parse("D-nDCG@5"), cases)
    full = sum(1 / np.log2(i + 1) for i in range(1, 6))
    for number, (topic, _) in enumerate(cases):
        best = sorted((g[0] for g in topic.pool.values()), reverse=True)[:5]
        expected[number] *= sum(g / np.log2(i + 1) for i, g in enumerate(best, start=1)) / full
    assert_same(metric.score_rankings(cases), expected, 1e-9)


def test_gains_without_names_cannot_be_of_the_same_document() -> None:
    [outcome] = run_contract(found("cwl", "RBP(0.8)"), checks=["document-twice"])
    assert outcome.status == "not-applicable"
