"""One cell in full: why its verdict is what it is, as data for a page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, about_blocks, about_pairs, about_scores, find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.core.errors import AxiomcheckError, InvalidInput
from axiomcheck.core.writing import json_text
from axiomcheck.decide.threshold_witness import read_any_witness
from axiomcheck.decide.witness import instance_of, rebuilt
from axiomcheck.decide.working import Steps, exact_at_eps, survival, workings
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.certificates import proof_sentence
from axiomcheck.records.witnesses import AnyWitness, PairWitness, ThresholdWitness
from axiomcheck.reports.argument import ArgumentCase, ArgumentPart, argument
from axiomcheck.reports.bundle import Bundle, bundle_of
from axiomcheck.reports.plot import Plot, PlotAxis, PlotLine
from axiomcheck.reports.ranking_pair import RankingPair, ranking_pair
from axiomcheck.reports.words import (
    BLOCKS,
    Fact,
    evidence_facts,
    finding_sentence,
    kind_words,
    minimality,
    outcome,
    score_lines,
    threshold_outcome,
    threshold_rows,
    threshold_setting,
)
from axiomcheck.sources.names import catalogue_metric, read_name

_MOST_STEPS = 400
"""Of an argument: a page has those of most certificates whole, and of the few with thousands the first cases."""

PUBLISHED_WORDS = {
    "yes": "yes",
    "no": "no",
    "u": "undefined for graded judgments",
    "yes?": "yes, as inferred where the paper is silent",
    "no?": "no, as inferred where the paper is silent",
    "contradictory": "two sentences that disagree",
}
"""What the published table says of a cell, in words."""


@dataclass(frozen=True)
class ShownWitness:
    """A counterexample on two rankings.

    Args:
        heading: which of a cell's witnesses it is, and of what kind.
        pair: the rankings.
        eps: the value of eps that what ranks add is computed at; None where r << 1 is not assumed.
        lines: both scores.
        curves: of metrics that compare distributions, the distributions.
        outcome: what must hold and does not.
        minimal: whether nothing smaller is one.
        file: what a file with the witness may be called.
        document: what goes into it.
        doubt: why it was not confirmed when it was scored again; empty where it was, and where that was not tried.
        unscored: whether that was not tried, as the metric is none of the catalogue's.

    """

    heading: str
    pair: RankingPair
    eps: str | None
    lines: tuple[str, ...]
    curves: Plot | None
    outcome: str
    minimal: str
    file: str
    document: str
    doubt: str = ""
    unscored: bool = False


@dataclass(frozen=True)
class ShownThreshold:
    """Why an axiom about every large n is refuted; see `ShownWitness`."""

    setting: str
    rows: tuple[tuple[str, str], ...]
    beyond: str
    outcome: str
    file: str
    document: str
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
        witnesses: counterexamples, the smallest first.
        threshold: why one about every large n is refuted.
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
    threshold: ShownThreshold | None
    proof: str
    argument: tuple[ArgumentPart, ...]
    left_out: int
    bundle: Bundle | None
    replay: str
    again: str
    prove: str

    @property
    def doubted(self) -> bool:
        """Whether a witness of it was not confirmed."""
        return any(one.doubt for one in (*self.witnesses, self.threshold) if one is not None)


def identities(ledger: Ledger) -> list[str]:
    """A name for every cell, of letters that files and addresses take as they are; the same for the same ledger."""
    found: list[str] = []
    taken: set[str] = set()
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
        witnesses = tuple(_shown_witness(cell, axiom, *one, metric, identity) for one in _witnesses(cell))
    except InvalidInput as error:
        raise InvalidInput(f"{cell.metric}, {cell.axiom}: {error}") from None
    threshold = None
    if isinstance(cell.witness, ThresholdWitness) and about_blocks(axiom):
        threshold = shown_threshold(cell.witness, axiom, metric, identity)
    bundle = None
    doubted = metric is None or cell.witness is None or (threshold or witnesses[0]).doubt
    if cell.witness is not None and not doubted and not about_scores(axiom):
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
        threshold=threshold,
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


def _witnesses(cell: Cell) -> list[tuple[str, PairWitness]]:
    """(file's ending, witness), the smallest first."""
    first = [("", cell.witness)] if isinstance(cell.witness, PairWitness) else []
    return first + (list(cell.further.each.items()) if cell.further else [])


_WHICH = {"": "Counterexample", "reversal": "A reversal", "largest": "One of a larger margin"}


def _shown_witness(
    cell: Cell, axiom: Axiom, which: str, witness: PairWitness, metric: Metric | None, identity: str
) -> ShownWitness:
    assert about_pairs(axiom)  # of others a witness of this kind is not read
    binary = axiom.binary or (cell.pairs is not None and cell.pairs.binary)
    file = f"{identity}{f'-{which}' if which else ''}.json"
    doubt = _doubt(witness, metric)
    shown = shown_witness(witness, axiom, None if doubt else metric, _WHICH[which], file, binary)
    return replace(shown, doubt=doubt, unscored=metric is None)


def shown_witness(
    witness: PairWitness, axiom: PairAxiom, metric: Metric | None, which: str, file: str, binary: bool
) -> ShownWitness:
    """All there is to show of a counterexample.

    Args:
        witness: of the axiom.
        axiom: that it breaks.
        metric: of the catalogue, to compute what ranks add; None where none is to be computed.
        which: what it is called.
        file: what a file with it may be called.
        binary: whether it is read as an instance of the binary domain.

    """
    batch = rebuilt(witness, axiom, binary)
    eps = Fraction(witness.eps) if witness.eps else None
    numerical = witness.scores.arithmetic == "numerical"
    worked = curves = at_eps = None
    if metric is not None and witness.scores.of:
        curves = survival_curves(*survival(metric, batch, eps))
    elif metric is not None:
        worked = workings(metric, batch, eps)
        at_eps = None if numerical else exact_at_eps(metric, batch, eps)
    return ShownWitness(
        heading=f"{which}: {kind_words(witness)}",
        pair=ranking_pair(instance_of(batch), worked),
        eps=str(eps) if eps is not None else None,
        lines=tuple(score_lines(witness, at_eps)),
        curves=curves,
        outcome=outcome(witness, axiom, axiom.sentence(batch.draft)),
        minimal=minimality(witness),
        file=file,
        document=json_text(document_of(witness)),
    )


def survival_curves(worse: Steps, better: Steps) -> Plot:
    """Return the plot of P[S >= x] of two rankings: level up to each value of the score, then down."""
    most = max((value for value, _ in (*worse, *better)), default=0.0) or 1.0
    curves = [
        PlotLine(
            [0.0, *(value for value, _ in steps), most], [*(tail for _, tail in steps), 0.0, 0.0], style, name, True
        )
        for name, style, steps in (("worse", "line-2", worse), ("better", "line-1", better))
    ]
    return Plot(
        "P[S ≥ x] of both rankings", PlotAxis("x", 0.0, most), PlotAxis("P[S ≥ x]", 0.0, 1.0), curves, (320, 150)
    )


def shown_threshold(
    witness: ThresholdWitness, axiom: ThresholdAxiom, metric: Metric | None, identity: str
) -> ShownThreshold:
    """Return all there is to show of an argument about every n.

    Args:
        witness: of the axiom.
        axiom: that it breaks.
        metric: of the catalogue, to decide every n again; None where none is to be loaded.
        identity: what a file with it may be called, without its ending.

    """
    return ShownThreshold(
        f"{threshold_setting(witness)} {BLOCKS}",
        tuple(threshold_rows(witness)),
        witness.argument,
        threshold_outcome(witness, axiom),
        f"{identity}.json",
        json_text(document_of(witness)),
        _doubt(witness, metric),
        metric is None,
    )


def _shortened(parts: Sequence[ArgumentPart]) -> tuple[tuple[ArgumentPart, ...], int]:
    """An argument down to so many steps, cases being whole; and how many cases are left out."""
    told, left_out, steps = [], 0, 0
    for part in parts:
        cases: list[ArgumentCase] = []
        for case in part.cases:
            steps += len(case.steps)
            if steps <= _MOST_STEPS or not cases:
                cases.append(case)
            else:
                left_out += 1
        told.append(replace(part, cases=tuple(cases)))
    return tuple(told), left_out
