"""Certificates of DeepTh and CloseTh that were changed, or are well formed and false, are rejected."""

from tests.proof.documents import check_document, handwritten, tail_proof
from tests.support.suites import each
from tests.support.tampering import Change, Document, both, put, refused, tampered

ONE_LESS = {"1": "1", "alpha": "-1"}
NRBP = "NRBP(p=0.8, alpha=0.5)"
CT = "CT(alpha=0.5, level=1)@20"
EU = "EU(alpha=0.5, e=0.05, log=2)"
ALPHA_NDCG = "alpha-nDCG(alpha=0.5)@20"
DSHARP = "D#-nDCG(lambda=0.5)@20"

TAMPERED: list[tuple[str, str, Change, str]] = [
    # keep factor
    (NRBP, "CloseTh", put("data.keep", {"1": "1/3"}), "not shown to shrink"),
    (NRBP, "DeepTh", put("data.keep", {"1": "1", "alpha": "-2"}), "may be negative"),
    (NRBP, "CloseTh", put("data.keep", {"1": "3/4"}), "n0 is 3"),
    (EU, "DeepTh", put("data.keep", {"1": "1"}), "keep factor below 1"),
    ("RR", "DeepTh", put("data.keep", {"1": "2"}), "at most 1"),
    # n0
    ("RBP(p=0.8)", "DeepTh", put("data.n0", 7), "bound is not sufficient there"),
    ("P@20", "DeepTh", put("data.n0", 19), "expected the cutoff"),
    ("RR", "CloseTh", put("data.n0", 2), "expected 1"),
    # the signs below n0
    (NRBP, "CloseTh", put("data.signs", [1, 0]), "data.signs is"),
    # m and the difference
    ("P@20", "CloseTh", put("data.m", 1), "not ahead at m = 1"),
    ("P@20", "CloseTh", put("data.m", 3), "may already be ahead at n = "),
    ("AP", "CloseTh", put("data.difference.0.value", "3/10"), "data.difference is 3/10"),
    ("nDCG@20", "CloseTh", put("data.difference.0.above", "1/5"), "not a positive lower bound"),
    ("RBP(p=0.8)", "CloseTh", put("data.difference.0.order", 0), "order is 0; expected 1"),
    # the claim and the axiom
    ("RBP(p=0.8)", "DeepTh", put("claim", "fails"), "does not rule out that the top is ahead"),
    ("AP", "DeepTh", put("claim", "holds"), "does not show that the top is ahead"),
    (NRBP, "CloseTh", put("claim", "holds"), "needs the 'witness' lemma"),
    ("AP", "CloseTh", put("claim", "fails"), "'witness' lemma can only show"),
    ("AP", "DeepTh", put("axiom", "CloseTh"), "rule out that the block is ahead"),
    ("AP", "DeepTh", put("axiom", "Deep"), "axiom is 'Deep'"),
    # the metric and its parameters
    ("nDCG@20", "DeepTh", put("metric", "nDCG"), "needs a metric with a cutoff"),
    ("RR", "DeepTh", put("metric", "trec-NRBP(alpha=0.5, beta=0.5)"), "is not a fold over ranks"),
    ("RBP(p=0.8)", "DeepTh", put("metric", "RBP"), "metric is 'RBP'; expected"),
    # the scope
    (EU, "CloseTh", put("scope.parameters", ["e", "log"]), "logarithm is left open"),
    (NRBP, "DeepTh", put("scope.parameters", ["p"]), "does not list"),
    (ALPHA_NDCG, "CloseTh", both(put("scope.parameters", ["alpha"]), put("data.keep", ONE_LESS)), "n0 depends on"),
    (
        "EU(alpha=0.5, e=0.05, log=e)",
        "DeepTh",
        put("data.keep", ONE_LESS | {"log": "0"}),
        "is e, not a rational number",
    ),
    # the regime
    ("RBP(p=0.8)", "DeepTh", put("rc", "1"), "a claim about every grade"),
    # a lemma that does not apply
    ("RR", "DeepTh", put("lemma", "geometric"), "geometric discounts"),
    ("RBP(p=0.8)", "DeepTh", put("lemma", "vanishing"), "1 / i or 1 / log i"),
    ("RBP(p=0.8)", "DeepTh", put("lemma", "harmonic"), "discounts 1 / i"),
    (DSHARP, "DeepTh", both(put("lemma", "cutoff"), put("data", {"n0": 20})), "expected the 'mixture' lemma"),
    ("S-Recall@20", "DeepTh", put("lemma", "equal"), "without a cutoff"),
    ("RBP(p=0.8)", "DeepTh", put("data.n0", 10**5 + 1), "expected at most 100000"),
    (DSHARP, "DeepTh", put("data.parts.3", {"lemma": "cutoff", "n0": 20}), "has the keys"),
]


@each(("metric", "axiom", "change", "message"), TAMPERED, 3, whole=True)
def test_changed_certificates_are_rejected(metric: str, axiom: str, change: Change, message: str) -> None:
    document = tail_proof(f"{metric}@inf" if metric == "nDCG" else metric, axiom)
    tampered(check_document, document, change, message.replace("(", r"\("))


ONE = {"keep": {"1": "1"}, "n0": 1}
PATIENT = {"keep": {"1": "1/2"}, "n0": 68, "signs": [1] * 67}
MANY = {"keep": {"1": "1"}, "n0": 1058, "signs": [1] * 1057}
UNKNOWN = {"n0": 5, "signs": [1, 0, 0, 1]}
BEYOND = {"keep": ONE_LESS, "n0": None}
AT_GRADE = {"small": False, "rc": "1/2"}
ALPHA, P, LEVEL = ({"parameters": [name]} for name in ("alpha", "p", "level"))

FALSE: list[tuple[str, str, str, str, Document, Document, str]] = [
    # ERR never falls behind a long block
    ("ERR@inf", "DeepTh", "fails", "growth", {"rising": False, "n0": 3}, {}, "not shown to increase|not shown to grow"),
    # NRBP with a patient user fails CloseTh
    ("NRBP(p=0.99, alpha=0.5)", "CloseTh", "fails", "geometric", PATIENT, {}, "block is ahead"),
    # alpha open where it is 0
    ("alpha-nDCG(alpha=0)@inf", "DeepTh", "holds", "vanishing", BEYOND, ALPHA, "an endpoint of its range"),
    # RBP at p = 1 earns something
    ("RBP(p=1)@20", "DeepTh", "holds", "cutoff", {"n0": 20}, {}, "not shown to be positive"),
    # RR ties
    ("RR", "DeepTh", "fails", "equal", {"n0": 1}, {}, "constant discounts"),
    # documents of grade 0 are not relevant
    ("RR", "CloseTh", "fails", "harmonic", ONE | {"signs": []}, AT_GRADE | {"rc": "0"}, "expected 0 < rc <= 1"),
    # more signs than anyone checks
    ("RBP(p=0.995)", "CloseTh", "fails", "geometric", MANY, {}, "expected at most 513"),
    # signs that nobody knows
    ("RBP(p=0.8)@5", "CloseTh", "fails", "cutoff", UNKNOWN, P, "sign at n = 2 is unknown"),
    # gains that depend on an open level
    (CT, "CloseTh", "fails", "cutoff", {"n0": 20, "signs": []}, AT_GRADE | LEVEL, "depends on the values"),
]


@each(("metric", "axiom", "claim", "lemma", "data", "other", "message"), FALSE, 2, whole=True)
def test_false_certificates_are_rejected(
    metric: str, axiom: str, claim: str, lemma: str, data: Document, other: Document, message: str
) -> None:
    refused(check_document, handwritten(metric, axiom, claim, lemma, data, **other), message)
