"""Reports that do not belong together, or of which any entry was changed, are refused; a whole one is right."""

import copy
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from axiomcheck import Domain, InvalidInput, Reading, Regime, Verdict, as_metric, find_axiom, parse, read_witness
from axiomcheck.core.documents import parse_json
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records import matrix
from axiomcheck.records.matrix import TABLES, from_document, to_json
from axiomcheck.replay.cells import check_minimal
from axiomcheck.replay.report import Replay
from axiomcheck.reports.documents import schema
from tests.replay.replay_mutants import Mutant, mutants
from tests.replay.replay_reports import OWN, PLANS, SOON, gathered, report, spread
from tests.support.commands import command
from tests.support.suites import exhaustive, quality
from tests.support.tampering import DROP, Document, put


@cache
def _proved() -> str:
    metrics = [parse(name) for name in ("NRBP", "RBP")]
    return to_json(run_matrix(metrics, [find_axiom("Pri"), find_axiom("Deep")], settings=Settings(examples=20)))


def proved() -> Document:
    """NRBP and RBP, with whole certificates: both satisfy Deep, and RBP Pri as well, which NRBP violates."""
    return spread(json.loads(_proved()))


def cell(document: Document, metric: str, axiom: str) -> Document:
    (found,) = (c for c in document["cells"] if c["metric"].startswith(metric) and c["axiom"] == axiom)
    return found


def replayed(document: Document | str, tmp_path: Path, *options: str) -> tuple[int, str]:
    path = tmp_path / "report.json"
    if isinstance(document, dict) and "cells" in document:
        document = gathered(document)
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    done = command("replay", *options, path)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def refused(document: Document | str, tmp_path: Path, said: str, *options: str) -> None:
    code, output = replayed(document, tmp_path, *options)
    assert code == 2, output
    assert "confirmed" not in output
    assert "checked " not in output
    assert said in " ".join(output.split()), output


def with_the_certificate_of_rbp(document: Document) -> None:
    """NRBP is said to satisfy Pri, as RBP does, and everything else of the cell made to fit."""
    nrbp, rbp = cell(document, "NRBP", "Pri"), cell(document, "RBP", "Pri")
    tried = nrbp["evidence"]
    nrbp |= {key: rbp[key] for key in ("verdict", "cause", "witness")}
    nrbp["certificate"] = rbp["certificate"] | {"metric": nrbp["metric"]}
    nrbp["evidence"] = {key: value for key, value in tried.items() if key != "violations"}
    nrbp["evidence"]["proof"] = rbp["evidence"]["proof"] | {"bytes": size(nrbp["certificate"])}


def size(certificate: Document) -> int:
    return len(json.dumps(certificate, separators=(",", ":")))


def said_of_finite_grades(document: Document) -> None:
    document["reading"]["regime"] = "finite"
    document["cells"] = [one] = [cell(document, "RBP", "Deep")]
    one["certificate"]["small"] = one["evidence"]["small_grades"] = False
    one["evidence"]["proof"]["bytes"] = size(one["certificate"])


def held(document: Document) -> None:
    """A cell that is refuted by what was enumerated is said to hold."""
    refuted = cell(document, "NRBP", "Conf")
    del refuted["evidence"]["violations"]
    refuted |= {"verdict": "held", "witness": None, "cause": {"code": "no-violation"}}


SWAPPED: dict[str, tuple[str, Callable[[Document], object], str]] = {
    "the certificate of another metric": ("proved", with_the_certificate_of_rbp, "cells[0].certificate"),
    "a certificate for small grades of finite ones": ("proved", said_of_finite_grades, "cells[0].certificate: "),
    "a certificate of failing under proved": (
        "folds",
        lambda d: cell(d, "NRBP", "CloseTh").update(verdict="proved", witness=None),
        "cells[2].certificate.claim shows refuted; expected a different verdict",
    ),
    "a bounded certificate under proved": ("bounded", put("cells.1.verdict", "proved"), "kind is 'orthant'; expected"),
    "a certificate for binary grades": (
        "bounded",
        put("cells.1.certificate.reading.domain", "binary"),
        "cells[1].certificate.reading.domain is 'binary'; expected 'graded'",
    ),
    "a certificate about another size of grades": ("proved", put("cells.3.certificate.small", False), "small is False"),
    "no witness": ("proved", put("cells.0.witness", None), "witness is missing; expected one"),
    "no certificate": ("proved", put("cells.1.certificate", None), "certificate is missing; expected one"),
    "a role that the axiom does not speak of": ("proved", put("cells.0.witness.roles.t", 1), "witness.roles"),
    "a document twice": ("proved", put("cells.0.witness.worse", ["d1", "d1"]), "witness.worse"),
    "no eps": ("proved", put("cells.0.witness.eps", DROP), "witness.eps is missing"),
    "a later version": ("proved", put("version", 2), "version is 2; this axiomcheck reads versions up to 1"),
    "a cell twice": ("proved", lambda d: d["cells"].append(d["cells"][0]), "cells[4] is a duplicate cell"),
    "a cell too few": ("proved", lambda d: d["cells"].pop(), "cells[3] is missing; expected the cell of RBP(p=0.8)"),
    "a refuted cell written as held": ("folds", held, "violates Conf, but the verdict is held"),
    **{
        f"another {key} in the evidence": (
            "bounded",
            put(f"cells.1.evidence.{key}", value),
            f"evidence.{key} is {value!r}",
        )
        for key, value in (("binary", False), ("small_grades", False), ("grid", "grades 0, 0.1"), ("seed", 7))
    },
}


@pytest.mark.parametrize("name", SWAPPED)
def test_a_report_whose_parts_do_not_belong_together_is_refused(name: str, tmp_path: Path) -> None:
    plan, change, says = SWAPPED[name]
    document = proved() if plan == "proved" else spread(report(plan))
    change(document)
    refused(document, tmp_path, says)


SEARCHED = r"evidence\.(patterns|sampled): .* violates Pri, but the verdict is held"


@pytest.mark.parametrize(
    ("domain", "examples", "verdict", "code", "says"),
    [
        (Domain.GRADED, 20, "held", "no-violation", SEARCHED),
        (Domain.GRADED, 200, "undecided", "no-instance", r"cause.code is .*, but evidence\.instances is \d+"),
    ],
)
def test_a_refuted_cell_passed_off_as_another_is_refused_where_nothing_was_enumerated(
    domain: Domain, examples: int, verdict: str, code: str, says: str
) -> None:
    settings = Settings(examples=examples, exhaustive=False, proofs=False)
    run = run_matrix([parse("P@3")], [find_axiom("Pri")], Reading(Regime.FINITE, domain), settings)
    document = spread(json.loads(to_json(run)))
    (forged,) = document["cells"]
    assert forged["verdict"] == "refuted"
    del forged["evidence"]["violations"]
    forged |= {"verdict": verdict, "witness": None, "cause": {"code": code}}
    with pytest.raises(InvalidInput, match=says):
        Replay().report(gathered(document))


@pytest.mark.parametrize("key", ["metric", "axiom"])
def test_a_certificate_is_of_its_cell_wherever_a_report_is_read(key: str) -> None:
    document = proved()
    document["cells"] = [cell(document, "NRBP", "Deep")]
    from_document(gathered(document))
    document["cells"][0]["certificate"][key] = {"metric": "RBP(p=0.8)", "axiom": "Pri"}[key]
    with pytest.raises(InvalidInput, match=rf"cells\[0\]\.certificate\.{key} is .*, as in the cell"):
        from_document(gathered(document))


@pytest.mark.parametrize(("what", "axiom"), [("witness", "Pri"), ("certificate", "Deep")])
def test_a_document_on_its_own_is_read_as_strictly_and_is_of_the_named_metric(
    what: str, axiom: str, tmp_path: Path
) -> None:
    text = json.dumps(cell(proved(), "NRBP", axiom)[what])
    assert replayed(text, tmp_path)[0] == 0
    for spelled in ('"version": 1, "version": 1', '"version": 1.0', '"version": ' + "1" * 5000):
        refused(text.replace('"version": 1', spelled, 1), tmp_path, "version")
    refused(text.replace('"version": 1', '"version": 1, "more": 1', 1), tmp_path, "more")
    said = "metric is 'NRBP(p=0.8, alpha=0.5)', but --metric names RBP"
    refused(text, tmp_path, said, "--metric", "RBP")


def test_a_witness_that_is_not_the_smallest_of_its_grid_is_refused() -> None:
    """With one more document, which nobody looks at, it violates the axiom as well."""
    document = json.loads(json.dumps(cell(proved(), "NRBP", "Pri")["witness"]))
    check_minimal(read_witness(document))
    document["topic"]["pool"]["e1"] = ["0"]
    larger = read_witness(document)
    assert larger.minimal is not None
    with pytest.raises(InvalidInput, match="is smaller and also violates the axiom"):
        check_minimal(larger)


def test_a_metric_in_a_file_is_named_and_its_cells_in_error_claim_nothing(tmp_path: Path) -> None:
    document = report("floats")
    document["cells"] = [one for one in document["cells"] if one["metric"] == "mine.py:broken"]
    assert [one["verdict"] for one in document["cells"]] == ["error"] * 3
    assert replayed(document, tmp_path)[0] == 0
    document["cells"][0] |= {"verdict": "not-applicable", "failure": None}
    for said in ("cells[0].metric", "would load code; name it with"):
        refused(document, tmp_path, said)


DERIVED = "def cut(topic, ranking):\n    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:3], 1))\n"
"""A function from whose source a fold is derived."""


@quality
def test_the_thresholds_of_a_function_are_confirmed_as_they_were_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lib.py").write_text(DERIVED, encoding="utf-8")
    options = ["-a", "DeepTh", "-a", "CloseTh", "--examples", "20", "--witnesses", "witnesses", "-o", "report.json"]
    assert command("matrix", "lib.py:cut", *options).exit_code in {0, 4}
    witnesses = list(Path("witnesses").glob("*"))
    assert witnesses
    done = command("replay", "report.json", *witnesses, "-m", "lib.py:cut")
    assert done.exit_code == 0, done.output


FOLDS = "folds"
"""NRBP, D#-nDCG (a mixture) and RBP: proofs by induction that have cases and obligations in common."""


def proofs(document: Document) -> list[Document]:
    """The certificates that refer to cases, parts of mixtures among them."""
    parts = [part for c in document["certificates"] for part in c.get("parts", [c])]
    return [part for part in parts if part["kind"] == "induction"]


def test_a_report_with_shared_parts_is_right_and_comes_back() -> None:
    document = report(FOLDS)
    listed = [number for case in document["cases"] for number in case["obligations"]]
    assert len(document["obligations"]) < 0.7 * len(listed)
    assert [p["kind"] for p in proofs(document)] == ["induction"] * len(proofs(document))
    assert len(Replay().report(document)) == len(document["cells"])
    assert gathered(spread(document)) == document
    assert json.dumps(gathered(spread(document))) == json.dumps(document)


def test_a_part_of_a_report_can_be_read_and_is_not_taken_for_a_whole_one() -> None:
    """Whoever drops cells need not sort out the tables to have the rest drawn."""
    document = report(FOLDS)
    document["cells"] = document["cells"][4:]
    assert from_document(document).cells[0].certificate is not None
    with pytest.raises(InvalidInput, match=r"certificates has .* without unused or repeated ones"):
        Replay().report(document)


def another_case(document: Document) -> None:
    """A proof with the cases of another, both of which are of use elsewhere: nothing but the check can tell."""
    found = spread(document)
    proved = [cell for cell in found["cells"] if cell["certificate"]]
    by_induction = [p for c in proved for p in c["certificate"].get("parts", [c["certificate"]]) if "cases" in p]
    first, other = by_induction[0], next(c for c in by_induction if c["cases"] != by_induction[0]["cases"])
    first["cases"] = other["cases"]
    for cell in proved:
        size = len(json.dumps(cell["certificate"], separators=(",", ":")))
        cell["evidence"]["proof"]["bytes"] = size
    document |= gathered(found)


def tampered_obligation(document: Document) -> None:
    """Tamper with an obligation that several cases share: every one of them is about the tampered one."""
    ranges = next(o["ranges"] for o in document["obligations"] if "(0, oo)" in o["ranges"].values())
    ranges[next(name for name, range_ in ranges.items() if range_ == "(0, oo)")] = "[0, oo)"


def dangling(document: Document) -> None:
    [c for c in document["cells"] if c["certificate"] is not None][-1]["certificate"] = len(document["certificates"])


def from_the_end(document: Document) -> None:
    proofs(document)[-1]["cases"][-1] -= len(document["cases"])


def idle(table: str) -> Callable[[Document], None]:
    more = {"certificates": {"metric": "more"}, "cases": {"grades": {}}, "obligations": {"where": "more"}}[table]
    return lambda document: document[table].append({**copy.deepcopy(document[table][0]), **more})


def twice(document: Document) -> None:
    """An obligation written out again for the second case that it is in."""
    number = next(k for k in document["cases"][-1]["obligations"] if k in document["cases"][0]["obligations"])
    listed = document["cases"][-1]["obligations"]
    listed[listed.index(number)] = len(document["obligations"])
    document["obligations"].append(document["obligations"][number])


def out_of_order(document: Document) -> None:
    table = document["obligations"]
    table[0], table[1] = table[1], table[0]
    swap = {0: 1, 1: 0}
    for case in document["cases"]:
        case["obligations"] = [swap.get(k, k) for k in case["obligations"]]


CHANGES: dict[str, tuple[Callable[[Document], None], str]] = {
    "the cases of another proof": (another_case, r"cells\[\d+\]\.certificate: "),
    "a shared obligation, tampered with": (tampered_obligation, r"cells\[\d+\]\.certificate: "),
    "no such certificate": (dangling, r"cells\[\d+\]\.certificate is \d+; expected an index of"),
    "no such case": (
        lambda document: put((-1,), 10**6)(proofs(document)[-1]["cases"]),
        r"certificates\[\d+\].*\.cases\[\d+\] is \d+; expected an index of",
    ),
    "a number from the end": (from_the_end, "is -"),
    **{f"one of the {table} of no use": (idle(table), rf"{table} has \d+ entries; expected \d+") for table in TABLES},
    "an obligation twice": (twice, r"obligations has \d+ entries; expected \d+"),
    "another order": (out_of_order, r"obligations\[0\].*since entries are in order of first reference"),
    "true for a number": (put(("cases", 0, "obligations", 0), True), r"cases\[0\]\.obligations\[0\]"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_table_that_is_tampered_with_is_refused(name: str) -> None:
    document = report(FOLDS)
    change, says = CHANGES[name]
    change(document)
    assert json.dumps(document) != json.dumps(report(FOLDS))
    with pytest.raises(InvalidInput, match=says):
        Replay().report(document)


def test_a_replay_that_knows_a_report_checks_the_same_cells_with_other_tables() -> None:
    """Remember cells together with whole certificates, since a cell's numbers mean nothing without their tables."""
    document, replay = report(FOLDS), Replay()
    replay.report(document)
    other = copy.deepcopy(document)
    tampered_obligation(other)
    assert other["cells"] == document["cells"]
    with pytest.raises(InvalidInput, match="certificate"):
        replay.report(other)


def test_a_small_report_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "_MOST_OBLIGATIONS", 10_000)
    document = report(FOLDS)
    proofs(document)[0]["cases"] += [0] * 10_000
    with pytest.raises(InvalidInput, match="more than 10,000 obligations in all"):
        Replay().report(document)


def test_a_report_without_its_tables_is_none() -> None:
    document, published = report(FOLDS), jsonschema.Draft202012Validator(schema())
    assert published.is_valid(document)
    for place in TABLES:
        less = {key: value for key, value in document.items() if key != place}
        assert not published.is_valid(less)
        with pytest.raises(InvalidInput, match=f"{place} is missing"):
            Replay().report(less)


def test_a_proof_about_a_derived_fold_is_of_the_published_form() -> None:
    document = report(FOLDS)
    proof = next(found for found in document["certificates"] if found["kind"] == "induction")
    proof["derived"] = "sum of D(i) * r"
    assert jsonschema.Draft202012Validator(schema()).is_valid(document)


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
    """Say whether an obligation's coefficients are the same up to a positive factor; only one of them was changed."""
    obligations = mutant.document
    for step in mutant.steps[: mutant.steps.index("coefficients") + 1]:
        obligations = obligations[step]
    return len(obligations) == 1 and Fraction(mutant.after) > 0


def is_same_obligation(mutant: Mutant) -> bool:
    """Say whether two obligations differ in their words alone."""
    return all(mutant.before[key] == mutant.after[key] for key in ("relation", "ranges", "coefficients"))


def is_reordered(mutant: Mutant) -> bool:
    return mutant.kind == "turned round"


def of_verdicts(*verdicts: str) -> Callable[[Mutant], bool]:
    return lambda mutant: mutant.document["cells"][mutant.steps[1]]["verdict"] in verdicts


def is_of_pairs(mutant: Mutant) -> bool:
    return mutant.document["cells"][mutant.steps[1]]["axiom"] not in ("DeepTh", "CloseTh")


def is_one_row_or_column(mutant: Mutant) -> bool:
    cells = mutant.document["cells"]
    return min(len({cell[key] for cell in cells}) for key in ("metric", "axiom")) <= 1


HARMLESS = [
    Harmless(r"cells(\.\*)?", "a run over fewer axioms, or in another order, is a run", is_one_row_or_column),
    Harmless(r"cells", "metrics and axioms in another order are a run as well", is_reordered),
    Harmless(r"settings\.examples", "how many instances were to be drawn"),
    Harmless(
        r"settings\.proofs", "whether proofs were tried: there are none", lambda m: not m.document["certificates"]
    ),
    Harmless(
        r"cells\.\*\.evidence(\..*)?",
        "what a search tried and saw, which only the same search can count again: no verdict is better for it",
        is_of_pairs,
    ),
    Harmless(
        r"cells\.\*\.evidence\.example(\..*)?",
        "scores in floats at one n, which another machine rounds otherwise",
        lambda mutant: "dcg" in mutant.document["cells"][mutant.steps[1]]["metric"],
    ),
    Harmless(r"settings\.(until|budget)", "how long the run was to take"),
    Harmless(r"cells\.\*\.cause\.numbers(\..*)?", "the cell is undecided and claims nothing", of_verdicts("undecided")),
    Harmless(
        r"cells\.\*\.witness\.minimal", "nobody says that it is the smallest", lambda mutant: mutant.after is None
    ),
    Harmless(r"cells\.\*\.(cause\.text|evidence|metric|axiom)", "a cell in error claims nothing", of_verdicts("error")),
    Harmless(r"obligations\.\*\.(where|what)", "words for readers; the checker makes obligations anew with its own"),
    Harmless(r"obligations\.\*", "the same obligation in other words", is_same_obligation),
    Harmless(r"obligations\.\*\.coefficients\.\*", "unique up to a positive factor", is_same_polynomial),
    Harmless(r"cases\.\*\.invariants\.\*", "bindings in another order do not depend on each other", is_reordered),
    Harmless(r"certificates\.\*\.settings", "the checker makes every setting itself, in its order", is_reordered),
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


@pytest.mark.parametrize(
    ("plans", "step", "fewest"),
    [
        (SOON, 58, 75),
        pytest.param(PLANS, 1, 3500, marks=exhaustive),
    ],
)
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
    assert len(kinds) >= 25
    assert 0 < count["argued"] <= count.total() // 10


def test_reports_have_every_kind_of_certificate_witness_and_verdict() -> None:
    cells = [cell for plan in SOON for cell in report(plan)["cells"]]
    certificates = {certificate["kind"] for plan in SOON for certificate in report(plan)["certificates"]}
    witnesses = {(cell["witness"]["kind"], cell["witness"]["small"]) for cell in cells if cell["witness"]}
    assert certificates == {"tail", "blocks", "induction", "mixture", "orthant"}
    assert witnesses >= {(kind, small) for kind in ("reversal", "tie", "threshold") for small in (True, False)}
    assert "incomparable" in {kind for kind, _ in witnesses}
    assert "numerical" in {cell["witness"].get("scores", {}).get("arithmetic") for cell in cells if cell["witness"]}
    assert {cell["verdict"] for cell in cells} == {*Verdict}


@pytest.mark.parametrize("plan", [*SOON, *(pytest.param(plan, marks=exhaustive) for plan in PLANS[len(SOON) :])])
def test_a_real_report_is_right_as_it_is_written(plan: str) -> None:
    document = report(plan)
    assert len(Replay(OWN).report(document)) == len(document["cells"])


def test_a_metric_whose_file_was_moved_is_the_one_that_the_user_names() -> None:
    document = report("floats")
    moved = {(path := f"elsewhere/{name}"): as_metric(metric, path) for name, metric in OWN.items()}
    assert len(Replay(moved).report(document)) == len(document["cells"])
    again, theirs = ({path: as_metric(OWN["mine.py:dcg"], path)} for path in ("b/mine.py:dcg", "theirs.py:dcg"))
    for several in (moved | again, theirs):
        with pytest.raises(InvalidInput, match=r"name it with --metric mine\.py:dcg, with the present path"):
            Replay(several).report(document)
