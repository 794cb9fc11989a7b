"""Every entry of real reports, changed in every way that its type allows: refused, or argued to be harmless here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import jsonschema
import pytest

from axiomcheck.core.documents import parse_json
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.replay import Replay
from axiomcheck.reports.documents import schema
from tests.replay.replay_mutants import Mutant, mutants
from tests.replay.replay_reports import OWN, PLANS, SOON, report
from tests.support.suites import each, quality


@dataclass(frozen=True)
class Harmless:
    """A change that leaves a report as true as it was.

    Args:
        place: a pattern of places.
        why: it is harmless.
        only: which of the changes there are, where not all.

    """

    place: str
    why: str
    only: Callable[[Mutant], bool] = lambda mutant: True


def is_same_polynomial(mutant: Mutant) -> bool:
    """Whether an obligation's coefficients are the same up to a positive factor; only one of them was changed."""
    obligations = mutant.document
    for step in mutant.steps[: mutant.steps.index("coefficients") + 1]:
        obligations = obligations[step]
    return len(obligations) == 1 and Fraction(mutant.after) > 0


def is_same_obligation(mutant: Mutant) -> bool:
    """Whether two obligations differ in their words alone."""
    return all(mutant.before[key] == mutant.after[key] for key in ("relation", "ranges", "coefficients"))


def is_reordered(mutant: Mutant) -> bool:
    return mutant.kind == "turned round"


def of_verdicts(*verdicts: str) -> Callable[[Mutant], bool]:
    return lambda mutant: mutant.document["cells"][mutant.steps[1]]["verdict"] in verdicts


def is_one_row_or_column(mutant: Mutant) -> bool:
    cells = mutant.document["cells"]
    return min(len({cell[key] for cell in cells}) for key in ("metric", "axiom")) <= 1


HARMLESS = [
    Harmless(r"cells(\.\*)?", "a run over fewer axioms, or in another order, is a run", is_one_row_or_column),
    Harmless(r"cells", "metrics and axioms in another order are a run as well", is_reordered),
    Harmless(
        r"settings\.examples",
        "how many instances were to be drawn: the cells say how many were, and 0 is held against that",
    ),
    Harmless(
        r"settings\.proofs",
        "whether proofs were tried, in a report that has none",
        lambda mutant: not mutant.document["certificates"],
    ),
    Harmless(
        r"cells\.\*\.evidence\.(instances|sampled|focused|unresolved|decided_exactly|audited|nearly_all_sampled)",
        "how much a random search did, which only the same search can count again; held against the other counts, the "
        "sentence of the reason and the limits of a search, and no verdict is better for it",
    ),
    Harmless(
        r"cells\.\*\.evidence\.violations(\.(share|reversals|ties|largest_relative_margin))?",
        "how often and by how much random instances violate: a witness shows that one does; the counts, the share and "
        "the sentence of the reason have to agree",
    ),
    Harmless(r"cells\.\*\.evidence\.incomparable(\.(share|left_out))?", "as for violations"),
    Harmless(
        r"cells\.\*\.evidence\.shapes(\.(ranked|aspects)(\.\*)?)?",
        "the sizes that a random search met: at least those of what was enumerated, at most those that it can draw",
    ),
    Harmless(
        r"cells\.\*\.(reason|evidence|metric|axiom)",
        "what a metric raised is its own words: a cell in error claims nothing of a metric",
        of_verdicts("error"),
    ),
    Harmless(
        r"cells\.\*\.failure",
        "reports of before failures had a kind have no such entry",
        lambda mutant: mutant.kind == "delete",
    ),
    Harmless(
        r"obligations\.\*\.(where|what)",
        "words for whoever reads the proof; the checker makes every obligation anew, with words of its own",
    ),
    Harmless(r"obligations\.\*", "the same obligation in other words", is_same_obligation),
    Harmless(
        r"obligations\.\*\.coefficients\.\*",
        "the one coefficient of a numerator, times a positive number: numerators are unique up to that",
        is_same_polynomial,
    ),
    Harmless(
        r"cases\.\*\.invariants\.\*",
        "bindings that do not depend on each other in another order: every obligation is made and shown anew",
        is_reordered,
    ),
    Harmless(
        r"certificates\.\*\.settings",
        "settings in another order: the checker makes every setting itself, and looks for its own",
        is_reordered,
    ),
    Harmless(
        r"certificates\.\*\.data\.n0",
        "from a larger n0 on the bound of the lemma 'inst' is below 1 as well, and the claim is about every large n",
        lambda mutant: isinstance(mutant.after, int) and mutant.after > mutant.before,
    ),
]


def argument_for(mutant: Mutant) -> Harmless | None:
    return next((h for h in HARMLESS if re.fullmatch(h.place, mutant.place) and h.only(mutant)), None)


def refusal(replay: Replay, mutant: Mutant) -> str | None:
    try:
        replay.report(mutant.document if mutant.raw is None else parse_json(mutant.text()))
    except InvalidInput as error:
        return str(error)
    return None


_NAMED = "cells|certificates|cases|obligations|settings|reading|schema|version|document"


@each(("plans", "step", "fewest"), [(SOON, 35, 150), (PLANS, 1, 3500)], 2)
def test_every_mutant_is_refused_or_argued_harmless(plans: Sequence[str], step: int, fewest: int) -> None:
    reports = {plan: report(plan) for plan in plans}
    replay = Replay(OWN)
    count: Counter[str] = Counter()
    places, kinds, unargued, bare = set(), set(), [], []
    for name, mutant in mutants(reports, step):
        places.add(mutant.place)
        kinds.add(mutant.kind)
        refused = refusal(replay, mutant)
        if refused is not None:
            count["refused"] += 1
            if mutant.kind != "5,000 deep" and not re.search(_NAMED, refused):
                bare.append((mutant.where, mutant.kind, refused))
        elif argument_for(mutant) is not None:
            count["argued"] += 1
        else:
            unargued.append((name, mutant.where, mutant.kind, mutant.before, mutant.after))
    assert not unargued, unargued[:20]
    assert not bare, bare[:20]
    assert count.total() >= fewest
    assert len(places) >= min(fewest // 2, 150)
    assert len(kinds) >= 30
    assert 0 < count["argued"] <= count.total() // 50


@each(("step", "fewest"), [(32, 12), (2, 250)], 2)
def test_the_published_schema_refuses_what_the_reader_refuses_for_its_form(step: int, fewest: int) -> None:
    """Types, entries that are not known, and fractions in other digits: no library is needed to notice these."""
    published = jsonschema.Draft202012Validator(schema())
    reports = {plan: report(plan) for plan in ("bounded", "blocks", "floats", "finite")}
    for document in reports.values():
        assert published.is_valid(document)
    optional = re.compile(
        r"cells\.\*(\.(row|published|certificate|witness|reason))?|.*\.(minimal|numerical|rc|share|n0|unretrieved|trees\.\*\.\*)"
    )
    fractions = re.compile(r".*\.(weights\.\*|pool\.\*\.\*|coefficients\.\*|keep\.\*|value|eps|rc|variables.*)")
    passed, tried = [], 0
    for _, mutant in mutants(reports, step):
        form = mutant.kind.startswith("type: ") and mutant.kind not in ("type: float", "type: null")
        digits = mutant.kind == "other digits" and fractions.fullmatch(mutant.place) is not None
        if mutant.raw is None and (form or digits or mutant.kind == "extra entry"):
            tried += 1
            if published.is_valid(mutant.document) and not optional.fullmatch(mutant.place):
                passed.append((mutant.where, mutant.kind, mutant.before, mutant.after))
    assert not passed, passed[:20]
    assert tried > fewest


def test_reports_have_every_kind_of_certificate_witness_and_verdict() -> None:
    cells = [cell for plan in SOON for cell in report(plan)["cells"]]
    certificates = {certificate["kind"] for plan in SOON for certificate in report(plan)["certificates"]}
    witnesses = {(cell["witness"]["kind"], cell["witness"]["small"]) for cell in cells if cell["witness"]}
    assert certificates == {"tail", "blocks", "induction", "mixture", "orthant"}
    assert witnesses >= {(kind, small) for kind in ("reversal", "tie", "threshold") for small in (True, False)}
    assert "incomparable" in {kind for kind, _ in witnesses}
    assert "numerical" in {cell["witness"].get("scores", {}).get("arithmetic") for cell in cells if cell["witness"]}
    assert {cell["verdict"] for cell in cells} == {*Verdict}


@pytest.mark.parametrize("plan", [*SOON, *(pytest.param(plan, marks=quality) for plan in PLANS[len(SOON) :])])
def test_a_real_report_is_right_as_it_is_written(plan: str) -> None:
    document = report(plan)
    assert len(Replay(OWN).report(document)) == len(document["cells"])
