"""One cell in full: why its verdict is what it is, as data for a page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from axiomcheck.axioms import Axiom, about_blocks, about_pairs, about_scores, find_axiom
from axiomcheck.core.errors import AxiomcheckError, InvalidInput
from axiomcheck.decide.witness import read_any_witness, rebuilt
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.certificates import proof_sentence
from axiomcheck.records.witnesses import AnyWitness, ThresholdWitness
from axiomcheck.reports.bundle import Bundle, bundle_of
from axiomcheck.reports.proof_report import ArgumentCase, ArgumentPart, argument
from axiomcheck.reports.witness import ToldThreshold, ToldWitness, told_threshold, told_witness
from axiomcheck.reports.words import Fact, evidence_facts, finding_sentence
from axiomcheck.sources.names import catalogue_metric, read_name

_MOST_STEPS = 400
"""The most steps of an argument on a page; of the few certificates with thousands, the first cases are shown."""

PUBLISHED_WORDS = {
    "yes": "yes",
    "no": "no",
    "u": "undefined for graded judgments",
    "yes?": "yes, as inferred where the paper is silent",
    "no?": "no, as inferred where the paper is silent",
    "contradictory": "two sentences that disagree",
}
"""The claims of the published table in words."""


@dataclass(frozen=True)
class ShownWitness:
    """A counterexample on a page.

    Args:
        heading: which of a cell's witnesses it is, and of what kind.
        told: what there is to tell of it.
        file: what a file with it may be called.
        doubt: why it was not confirmed when it was scored again; empty where it was, and where that was not tried.
        unscored: whether that was not tried, as the metric is none of the catalogue's.

    """

    heading: str
    told: ToldWitness | ToldThreshold
    file: str
    doubt: str = ""
    unscored: bool = False


@dataclass(frozen=True)
class ShownCell:
    """A cell.

    Args:
        id: of its section or file.
        cell: the cell.
        axiom: its axiom.
        reading: in words.
        published: what the published table says; empty without a claim.
        finding: how the verdict differs from it; empty where it does not.
        facts: what was tried.
        witnesses: counterexamples, the smallest first; or why one about every large n is refuted.
        proof: what the certificate shows, in a sentence; empty without one.
        argument: the certificate, step by step.
        left_out: how many cases at its end are not told.
        bundle: the witness in somebody else's tool; None without one, of one that was not confirmed, of an axiom on
            scores, and of metrics that are not the catalogue's.
        replay: a command that replays a witness's file; its name is the witness's ``file``.
        again: a command that decides the cell again.
        prove: a command that finds and prints the proof again; empty without a certificate.

    """

    id: str
    cell: Cell
    axiom: Axiom
    reading: str
    published: str
    finding: str
    facts: tuple[Fact, ...]
    witnesses: tuple[ShownWitness, ...]
    proof: str
    argument: tuple[ArgumentPart, ...]
    left_out: int
    bundle: Bundle | None
    replay: str
    again: str
    prove: str

    @property
    def doubted(self) -> bool:
        """Say whether a witness of the cell was not confirmed."""
        return any(one.doubt for one in self.witnesses)


def identities(ledger: Ledger, taken: set[str] | None = None) -> list[str]:
    """Return a name for every cell, of letters that files and addresses take as they are; the same for the same ledger.

    Args:
        ledger: the cells.
        taken: names that are in use, without regard to case; those that are returned are added.

    """
    found: list[str] = []
    taken = set() if taken is None else taken
    for cell in ledger.cells:
        plain = re.sub(r"[^A-Za-z0-9.=-]+", "_", cell.metric).strip("_.")[:80]
        name = unique = f"{ledger.regime}-{ledger.domain}-{plain or 'metric'}-{cell.axiom}"
        number = 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{name}~{number}"
        taken.add(unique.casefold())
        found.append(unique)
    return found


def shown_cell(ledger: Ledger, cell: Cell, identity: str) -> ShownCell:
    """All there is to show of a cell of a ledger.

    Of metrics of the catalogue a witness is scored again, since a saved report may say anything, and what ranks add is
    computed; no code of others is run.

    Raises:
        InvalidInput: a witness is no instance of its axiom; the message says of which cell.

    """
    axiom = find_axiom(cell.axiom)
    parts = argument(cell.certificate) if cell.certificate is not None else ()
    told, left_out = _shortened(parts)
    metric = catalogue_metric(cell.metric)
    try:
        witnesses = tuple(_witnesses(cell, axiom, metric, identity))
    except InvalidInput as error:
        raise InvalidInput(f"{cell.metric}, {cell.axiom}: {error}") from None
    bundle = None
    if cell.witness is not None and metric is not None and not witnesses[0].doubt and not about_scores(axiom):
        bundle = bundle_of(cell.witness, metric)
    reading = f"--regime {ledger.regime} --domain {ledger.domain}"
    named = shlex.quote(cell.metric)
    return ShownCell(
        id=identity,
        cell=cell,
        axiom=axiom,
        reading=f"{ledger.regime}, {ledger.domain}",
        published=PUBLISHED_WORDS.get(cell.published or "", ""),
        finding=finding_sentence(cell) if cell.finding else "",
        facts=tuple(evidence_facts(cell)),
        witnesses=witnesses,
        proof=proof_sentence(cell.certificate) if cell.certificate is not None else "",
        argument=told,
        left_out=left_out,
        bundle=bundle,
        replay=replay_command(cell.metric),
        again=f"axiomcheck matrix -m {named} -a {shlex.quote(cell.axiom)} {reading} {_settings(ledger)}",
        prove=f"axiomcheck prove {named} {shlex.quote(cell.axiom)} {reading} --show" if cell.certificate else "",
    )


def _doubt(witness: AnyWitness, metric: Metric | None) -> str:
    """Why a witness is not confirmed when it is scored again; empty where it is, and without a metric to score with."""
    if metric is None:
        return ""
    try:
        read_any_witness(witness, metric)
    except AxiomcheckError as error:  # what does not fit the metric at all may fail in any way
        return str(error).removeprefix("witness: ")
    return ""


def replay_command(metric: str) -> str:
    """A command that replays a witness's file, whose name is to be added; code that is not named is not loaded."""
    trusted = f" -m {shlex.quote(metric)}" if read_name(metric).loads_code else ""
    return f"axiomcheck replay{trusted}"


def _settings(ledger: Ledger) -> str:
    settings = ledger.settings
    given = [f"--examples {settings.examples}", f"--seed {settings.seed}"]
    given += ["--no-exhaustive"] * (not settings.exhaustive) + ["--no-proof"] * (not settings.proofs)
    given += [f"--{name} {value:g}s" for name in ("budget", "until") if (value := getattr(settings, name))]
    return " ".join(given)


def _witnesses(cell: Cell, axiom: Axiom, metric: Metric | None, identity: str) -> Iterator[ShownWitness]:
    """Yield the counterexample of a cell, if there is one."""
    binary = axiom.binary or (cell.pairs is not None and cell.pairs.binary)
    if cell.witness is not None:
        yield shown_witness(cell.witness, axiom, metric, f"{identity}.json", binary)


def shown_witness(witness: AnyWitness, axiom: Axiom, metric: Metric | None, file: str, binary: bool) -> ShownWitness:
    """Return a counterexample as a page shows it.

    Args:
        witness: of the axiom.
        axiom: that it breaks.
        metric: of the catalogue, to score it again; None where none is to be loaded.
        file: what a file with it may be called.
        binary: whether it is read as an instance of the binary domain.

    Raises:
        InvalidInput: it is no instance of its axiom.

    """
    doubt = _doubt(witness, metric)
    if isinstance(witness, ThresholdWitness):
        assert about_blocks(axiom)  # of others a witness of this kind is not read
        told: ToldWitness | ToldThreshold = told_threshold(witness, axiom)
        heading = "Who is ahead at which n"
    else:
        assert about_pairs(axiom)
        told = told_witness(witness, rebuilt(witness, axiom, binary), None if doubt else metric, curves=True)
        heading = f"Counterexample: {told.kind}"
    return ShownWitness(heading, told, file, doubt, metric is None)


def _shortened(parts: Sequence[ArgumentPart]) -> tuple[tuple[ArgumentPart, ...], int]:
    """An argument down to so many steps, cases being whole; and how many cases are left out."""
    told, left_out, steps = [], 0, 0
    for part in parts:
        cases: list[ArgumentCase] = []
        for case in part.cases:
            steps += len(case.lines)
            if steps <= _MOST_STEPS or not cases:
                cases.append(case)
            else:
                left_out += 1
        told.append(replace(part, cases=tuple(cases)))
    return tuple(told), left_out
