"""What the catalogue's metrics claim of their values is true, and a wrong claim would be noticed."""

import pytest

from axiomcheck.checks.contract import run_contract
from axiomcheck.metrics import CATALOGUE, Claims, parse
from tests.support.metrics_topics import variants
from tests.support.suites import each, few

CLAIMED = ("in-range", "ideal-attains-maximum", "monotone", "below-cutoff")


@each("name", list(CATALOGUE), 30)
def test_claims_hold_whatever_the_parameters_and_the_cutoff(name: str) -> None:
    tried, cut = (list(variants(name, cutoffs=(cutoff,))) for cutoff in ("default", 2))
    asked = [metric.values for metric in tried]
    tried += [metric for number, metric in enumerate(cut) if metric.values not in asked or number % 3 == 0]
    most = 3 if "greedy" in name else 12  # a greedy ideal takes half a second for each
    tried = few(tried, 1 + len(tried) // most)
    # Everyone ends at the last document of P@H-ERR, so that it never matters which one it is.
    checks = [check for check in CLAIMED if (name, check) != ("P@H-ERR", "below-cutoff")]
    for variant in tried:
        outcomes = run_contract(variant, checks=checks)
        assert all(outcome.status in ("passed", "not-applicable") for outcome in outcomes), (variant, outcomes)


@pytest.mark.parametrize(
    ("name", "claims", "broken"),
    [
        ("RBU", Claims(0.0), "in-range"),
        ("EU", Claims(None, monotone=True), "monotone"),
        ("INST-upper", Claims(0.0, 1.0, monotone=True), "monotone"),
        ("alpha-nDCG-greedy", Claims(0.0, 1.0), "in-range"),
        ("CT", Claims(0.0, 1.0), "in-range"),
        ("RBP", Claims(0.0, 1.0, ideal=True), "ideal-attains-maximum"),
        ("AP@2", Claims(0.0, 1.0, ideal=True), "ideal-attains-maximum"),
        ("nDCG-IA", Claims(0.0, 1.0, ideal=True), "ideal-attains-maximum"),
        ("trec-S-Recall@1", Claims(0.0, 1.0, ideal=True), "ideal-attains-maximum"),
    ],
)
def test_a_wrong_claim_of_the_catalogue_would_be_noticed(name: str, claims: Claims, broken: str) -> None:
    overclaiming = parse(name)
    overclaiming.claims = claims
    [outcome] = run_contract(overclaiming, checks=[broken])
    assert outcome.status == "failed", outcome
