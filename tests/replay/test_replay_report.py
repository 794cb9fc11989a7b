"""Reports that do not belong together, on the command line: the swaps of certificates, readings, verdicts and texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from axiomcheck.axioms import find_axiom
from axiomcheck.cli.program import main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.search import Settings
from axiomcheck.decide.witness import read_witness
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import parse
from axiomcheck.records.matrix import from_document
from axiomcheck.replay import check_minimal
from axiomcheck.replay.evidence import is_share
from axiomcheck.reports import to_json
from tests.replay.replay_reports import gathered, report, spread
from tests.support.tampering import Document


@cache
def _proved() -> str:
    metrics = [parse(name) for name in ("NRBP", "RBU@4")]
    return to_json(run_matrix(metrics, [find_axiom("Pri"), find_axiom("Deep")], settings=Settings(examples=20)))


def proved() -> Document:
    """NRBP and RBU, with whole certificates: both satisfy Deep, and RBU Pri as well, which NRBP violates."""
    return spread(json.loads(_proved()))


def cell(document: Document, metric: str, axiom: str) -> Document:
    (found,) = (c for c in document["cells"] if c["metric"].startswith(metric) and c["axiom"] == axiom)
    return found


def replayed(document: Document | str, tmp_path: Path, *options: str) -> tuple[int, str]:
    path = tmp_path / "report.json"
    if isinstance(document, dict) and "cells" in document:
        document = gathered(document)
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    done = CliRunner().invoke(main, ["replay", *options, str(path)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def refused(document: Document | str, tmp_path: Path, said: str, *options: str) -> None:
    code, output = replayed(document, tmp_path, *options)
    assert code == 2, output
    assert "confirmed" not in output
    assert "checked " not in output
    assert said in " ".join(output.split()), output


def test_as_it_was_written_the_report_is_right(tmp_path: Path) -> None:
    code, output = replayed(proved(), tmp_path)
    assert (code, output.splitlines()[-1]) == (0, "1 witness confirmed, 3 certificates checked")


def with_the_certificate_of_rbu(document: Document) -> None:
    """NRBP is said to satisfy Pri, as RBU does."""
    nrbp, rbu = cell(document, "NRBP", "Pri"), cell(document, "RBU", "Pri")
    nrbp |= {key: rbu[key] for key in ("verdict", "reason", "evidence", "witness")}
    nrbp["certificate"] = dict(rbu["certificate"])


def with_that_certificate_renamed(document: Document) -> None:
    """The same with everything else of the cell made to fit."""
    nrbp, rbu = cell(document, "NRBP", "Pri"), cell(document, "RBU", "Pri")
    tried = nrbp["evidence"]
    with_the_certificate_of_rbu(document)
    nrbp["certificate"]["metric"] = nrbp["metric"]
    nrbp["evidence"] = {key: value for key, value in tried.items() if key != "violations"}
    nrbp["evidence"]["proof"] = rbu["evidence"]["proof"] | {"bytes": size(nrbp["certificate"])}
    words = rbu["reason"].partition(";")[0]
    nrbp["reason"] = f"{words}; no violation in {tried['instances']:,} distinct instances"


def size(certificate: Document) -> int:
    return len(json.dumps(certificate, separators=(",", ":")))


def said_of_finite_grades(document: Document) -> None:
    document["cells"] = [cell(document, "NRBP", "Deep"), cell(document, "RBU", "Deep")]
    document["reading"]["regime"] = "finite"
    for each in document["cells"]:
        each["evidence"]["small_grades"] = False


def said_of_finite_grades_and_renamed(document: Document) -> None:
    said_of_finite_grades(document)
    document["cells"] = document["cells"][1:]
    certificate = document["cells"][0]["certificate"]
    certificate["small"] = False
    document["cells"][0]["evidence"]["proof"]["bytes"] = size(certificate)


def held(document: Document) -> None:
    """A cell that is refuted by what was enumerated is said to hold."""
    refuted = cell(document, "NRBP", "Conf")
    del refuted["evidence"]["violations"]
    reason = f"no violation in {refuted['evidence']['instances']:,} distinct instances"
    refuted |= {"verdict": "held", "witness": None, "reason": reason}


SWAPPED: dict[str, tuple[str, Callable[[Document], object], str]] = {
    "the certificate of another metric": (
        "proved",
        with_the_certificate_of_rbu,
        "cells[0].certificate.metric is 'RBU(p=0.8, e=0.05)@4'; expected 'NRBP",
    ),
    "the same, renamed": ("proved", with_that_certificate_renamed, "cells[0].certificate"),
    "a certificate for small grades of finite ones": (
        "proved",
        said_of_finite_grades,
        "cells[0].certificate.small is True; expected False",
    ),
    "the same with another name for small": ("proved", said_of_finite_grades_and_renamed, "cells[0].certificate: "),
    "a certificate of failing under proved": (
        "folds",
        lambda d: cell(d, "NRBP", "CloseTh").update(verdict="proved", witness=None),
        "cells[2].certificate.claim shows refuted; expected another",
    ),
    "a bounded certificate under proved": (
        "bounded",
        lambda d: cell(d, "S-RR", "MRed").update(verdict="proved"),
        "cells[1].certificate.kind is 'orthant'; expected another, since the verdict is proved",
    ),
    "a certificate for binary grades": (
        "bounded",
        lambda d: cell(d, "S-RR", "MRed")["certificate"]["reading"].update(domain="binary"),
        "cells[1].certificate.reading.domain is 'binary'; expected 'graded'",
    ),
    "no witness": ("proved", lambda d: cell(d, "NRBP", "Pri").update(witness=None), "witness is missing; expected one"),
    "no certificate": (
        "proved",
        lambda d: cell(d, "NRBP", "Deep").update(certificate=None),
        "certificate is missing; expected one",
    ),
    "a cell twice": ("proved", lambda d: d["cells"].append(d["cells"][0]), "cells[4] is a second cell"),
    "a cell too few": (
        "proved",
        lambda d: d["cells"].pop(),
        "cells[3] is missing; expected the cell of RBU(p=0.8, e=0.05)@4 and Deep",
    ),
    "a refuted cell written as held": ("folds", held, "violates Conf, and the verdict is held"),
}


@pytest.mark.parametrize("name", SWAPPED)
def test_a_report_whose_parts_do_not_belong_together_is_refused(name: str, tmp_path: Path) -> None:
    plan, change, says = SWAPPED[name]
    document = proved() if plan == "proved" else spread(report(plan))
    change(document)
    refused(document, tmp_path, says)


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
    said = "metric is 'NRBP(p=0.8, alpha=0.5)'; --metric names RBU@4"
    refused(text, tmp_path, said, "--metric", "RBU@4")


def test_a_witness_that_is_not_the_smallest_of_its_grid_is_refused() -> None:
    """With one more document, which nobody looks at, it violates the axiom as well."""
    document = json.loads(json.dumps(cell(proved(), "NRBP", "Pri")["witness"]))
    check_minimal(read_witness(document))
    document["topic"]["pool"]["e1"] = ["0"]
    larger = read_witness(document)
    assert larger.minimal is not None
    with pytest.raises(InvalidInput, match="does the same, and is smaller"):
        check_minimal(larger)


def test_a_metric_in_a_file_is_named_and_its_cells_in_error_claim_nothing(tmp_path: Path) -> None:
    document = report("floats")
    document["cells"] = [one for one in document["cells"] if one["metric"] == "mine.py:broken"]
    assert [one["verdict"] for one in document["cells"]] == ["error"] * 3
    assert replayed(document, tmp_path)[0] == 0
    document["cells"][0] |= {"verdict": "not-applicable", "failure": None}
    for said in ("cells[0].metric", "would load code; name it yourself"):
        refused(document, tmp_path, said)


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
@example(77696, 144334 - 77696, 0)  # what is rounded points to a whole beyond the most
def test_a_share_of_any_whole_that_there_can_be_is_one_and_a_smaller_is_none(part: int, rest: int, more: int) -> None:
    share = float(f"{part / (part + rest):.4g}")
    assert is_share(share, part, part + rest)
    assert is_share(share, part, part + rest + more)
    assert not is_share(share * 0.998, part, part + rest)
