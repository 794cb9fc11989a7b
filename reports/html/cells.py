"""Collect all data that a page shows about one cell: its verdict, reason, witness, proof and commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from axiomcheck.axioms import Axiom, about_blocks, about_pairs, find_axiom
from axiomcheck.core.errors import AxiomcheckError, InvalidInput
from axiomcheck.decide.witness import read_any_witness, rebuilt
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.certificates import proof_sentence
from axiomcheck.records.witnesses import AnyWitness, ThresholdWitness
from axiomcheck.reports.proof_report import ArgumentCase, ArgumentPart, argument
from axiomcheck.reports.witness import ToldThreshold, ToldWitness, told_threshold, told_witness
from axiomcheck.reports.words import Fact, evidence_facts, finding_sentence
from axiomcheck.sources.names import catalogue_metric, read_name

_MOST_STEPS = 400
"""Maximum number of steps of an argument on a page; longer arguments are cut after their first cases."""

PUBLISHED_WORDS = {
    "yes": "yes",
    "no": "no",
    "u": "undefined for graded judgments",
    "yes?": "yes, as inferred where the paper is silent",
    "no?": "no, as inferred where the paper is silent",
    "contradictory": "two sentences that disagree",
}
"""Meanings of the claims in the published table."""


@dataclass(frozen=True)
class ShownWitness:
    """A counterexample on a page.

    Args:
        heading: Heading with the kind of the counterexample.
        told: Description of the counterexample.
        file: Suggested name of a file with the counterexample.
        doubt: Reason why scoring the counterexample again did not confirm it; empty if confirmed or not scored again.
        unscored: Whether the counterexample was not scored again, since its metric is not in the catalogue.

    """

    heading: str
    told: ToldWitness | ToldThreshold
    file: str
    doubt: str = ""
    unscored: bool = False


@dataclass(frozen=True)
class ShownCell:
    """A cell on a page.

    Args:
        id: Name of the cell's section or file.
        cell: Cell of the ledger.
        axiom: Axiom of the cell.
        reading: Regime and domain in words.
        published: Claim of the published table in words; empty if there is none.
        finding: Sentence on the difference from the published claim; empty if there is none.
        facts: Labelled facts about the evidence.
        witnesses: Counterexamples, the smallest first, or an argument for all large n.
        proof: Claim of the certificate in a sentence; empty if there is no certificate.
        argument: Argument of the certificate, step by step.
        left_out: Number of cases omitted at the end of the argument.
        replay: Command that replays a witness, without its file name, which is the ``file`` of the witness.
        again: Command that decides the cell again.
        prove: Command that finds and prints the proof again; empty if there is no certificate.

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
    replay: str
    again: str
    prove: str

    @property
    def doubted(self) -> bool:
        """True if a witness of the cell was not confirmed."""
        return any(one.doubt for one in self.witnesses)


def identities(ledger: Ledger, taken: set[str] | None = None) -> list[str]:
    """Return a unique name for every cell, safe in file names and URLs; equal ledgers give equal names.

    Args:
        ledger: Cells to name.
        taken: Names that are already in use, compared without regard to case. The returned names are added to `taken`.

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
    """Return the data that a page shows about a cell of a ledger.

    Witnesses of catalogue metrics are scored again, because a saved report may be wrong. The contributions of their
    ranks are computed as well. Code of other metrics is not run.

    Raises:
        InvalidInput: A witness is not an instance of its axiom; the message names the cell.

    """
    axiom = find_axiom(cell.axiom)
    parts = argument(cell.certificate) if cell.certificate is not None else ()
    told, left_out = _shortened(parts)
    metric = catalogue_metric(cell.metric)
    try:
        binary = axiom.binary or (cell.pairs is not None and cell.pairs.binary)
        file = f"{identity}.json"
        witnesses = (shown_witness(cell.witness, axiom, metric, file, binary),) if cell.witness is not None else ()
    except InvalidInput as error:
        raise InvalidInput(f"{cell.metric}, {cell.axiom}: {error}") from None
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
        replay=replay_command(cell.metric),
        again=f"axiomcheck matrix {named} -a {shlex.quote(cell.axiom)} {reading} {_settings(ledger)}",
        prove=f"axiomcheck prove {named} {shlex.quote(cell.axiom)} {reading} -v" if cell.certificate else "",
    )


def _doubt(witness: AnyWitness, metric: Metric | None) -> str:
    """Return the reason why scoring a witness again does not confirm it; empty if it does, or if there is no metric."""
    if metric is None:
        return ""
    try:
        read_any_witness(witness, metric)
    except AxiomcheckError as error:  # a witness of another metric may fail in any way
        return str(error).removeprefix("witness: ")
    return ""


def replay_command(metric: str) -> str:
    """Return the command that replays a witness, to be completed with its file name.

    A metric that loads code is named with ``-m``, since `axiomcheck replay` loads only code that the user names.
    """
    trusted = f" -m {shlex.quote(metric)}" if read_name(metric).loads_code else ""
    return f"axiomcheck replay{trusted}"


def _settings(ledger: Ledger) -> str:
    settings = ledger.settings
    given = [f"--examples {settings.examples}", f"--seed {settings.seed}"]
    given += ["--no-exhaustive"] * (not settings.exhaustive) + ["--no-proofs"] * (not settings.proofs)
    given += [f"--{name} {value:g}s" for name in ("budget", "until") if (value := getattr(settings, name))]
    return " ".join(given)


def shown_witness(witness: AnyWitness, axiom: Axiom, metric: Metric | None, file: str, binary: bool) -> ShownWitness:
    """Return a counterexample in the form that a page shows.

    Args:
        witness: Counterexample.
        axiom: Violated axiom.
        metric: Metric in the catalogue that scores the witness again; None if no metric is to be loaded.
        file: Suggested name of a file with the counterexample.
        binary: Whether the witness is read as an instance of the binary domain.

    Raises:
        InvalidInput: The witness is not an instance of its axiom.

    """
    doubt = _doubt(witness, metric)
    if isinstance(witness, ThresholdWitness):
        assert about_blocks(axiom)  # other axioms have no witnesses of this kind
        told: ToldWitness | ToldThreshold = told_threshold(witness, axiom)
        heading = "Which ranking is ahead at each n"
    else:
        assert about_pairs(axiom)
        told = told_witness(witness, rebuilt(witness, axiom, binary), None if doubt else metric, curves=True)
        heading = f"Counterexample: {told.kind}"
    return ShownWitness(heading, told, file, doubt, metric is None)


def _shortened(parts: Sequence[ArgumentPart]) -> tuple[tuple[ArgumentPart, ...], int]:
    """Return an argument cut to whole cases within `_MOST_STEPS` steps, and the number of omitted cases."""
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
