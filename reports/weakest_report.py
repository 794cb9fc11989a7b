"""Added assumptions that are enough (`axiomcheck.studies.weakest.search`), on a terminal and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from axiomcheck.axioms import Axiom
from axiomcheck.core.counting import counted
from axiomcheck.core.documents import document_of
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import json_text
from axiomcheck.records.sentences import brief_pair, rankings_in_grades, row_of_grades
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.paragraphs import as_sentence, paragraph
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.studies.weakest import ASSUMPTIONS
from axiomcheck.studies.weakest.search import SearchOutcome, Trial, Weakest

SCHEMA = "axiomcheck/weakest"
VERSION = 1


def to_json(found: Weakest) -> dict[str, Any]:
    """Return the result as a JSON document; its witnesses are documents that `axiomcheck replay` takes."""
    cell = found.cell
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "axiom": cell.axiom,
        "metric": cell.metric,
        "reading": {"regime": found.reading.regime.value, "domain": found.reading.domain.value},
        "settings": {"seed": found.settings.seed, "examples": found.settings.examples},
        "verdict": cell.verdict.value,
        "reason": cell.reason,
        "witness": cell.witness and document_of(cell.witness),
        "offered": {name: ASSUMPTIONS[name].words for name in found.offered},
        "enough": [list(trial.assumptions) for trial in found.enough],
        "tried": [document_of(trial) for trial in found.trials],
    }


def to_text(found: Weakest) -> str:
    """The JSON document as text."""
    return json_text(to_json(found))


def print_weakest(console: Console, found: Weakest, axiom: Axiom) -> None:
    """Prints the cell, the sets of assumptions that are enough, and what came of the others.

    Args:
        console: where to.
        found: what was found.
        axiom: the axiom of the cell.

    """
    cell, reading = found.cell, found.reading
    title = f"{cell.axiom} on {cell.metric}, {reading.regime}, {reading.domain}"
    paragraph(console, f"{title}: {SYMBOLS[cell.verdict]} {cell.verdict}", style="bold")
    paragraph(console, f"{as_sentence(cell)}.")
    if cell.verdict is not Verdict.REFUTED:
        if cell.verdict.satisfied:
            paragraph(console, "It is not violated, so nothing has to be assumed.")
        return
    console.print()
    enough = found.enough
    if enough:
        paragraph(console, "Enough, the weakest first", style="bold")
        for trial in enough:
            _print_enough(console, trial)
    else:
        sizes = max((len(trial.assumptions) for trial in found.trials), default=0)
        most = f", nor up to {sizes} of them together" if sizes > 1 else ""
        paragraph(console, f"Enough: none of the assumptions that can be added{most}", style="bold")
    _print_alone(console, [t for t in found.having(SearchOutcome.NOT_ENOUGH) if len(t.assumptions) == 1], axiom)
    together = Counter(len(t.assumptions) for t in found.having(SearchOutcome.NOT_ENOUGH) if len(t.assumptions) > 1)
    if together:
        counts = " and ".join(f"{counted(n, 'set')} of {size}" for size, n in sorted(together.items()))
        paragraph(console, f"Nor are {counts}; -f json has a witness for each.")
    _print_names(console, "No instance is left with", found.having(SearchOutcome.VACUOUS))
    for trial in found.having(SearchOutcome.UNDECIDED):
        assert trial.verdict is not None
        paragraph(console, f"{_joined(trial)}: {trial.reason}", f"{SYMBOLS[trial.verdict]} ")


def _joined(trial: Trial) -> str:
    return " + ".join(trial.assumptions)


def _print_enough(console: Console, trial: Trial) -> None:
    assert trial.verdict is not None
    words = "; ".join(ASSUMPTIONS[name].words for name in trial.assumptions)
    paragraph(console, f"{_joined(trial)}: {words}", f"{SYMBOLS[trial.verdict]} ")
    share = trial.share
    left = (
        "every pattern of grades is left" if share is None else f"{100 * share:.3g}% of the sampled instances are left"
    )
    paragraph(console, f"{trial.reason}; {left}", "    ", style="dim")


def _print_alone(console: Console, trials: Sequence[Trial], axiom: Axiom) -> None:
    if not trials:
        return
    console.print()
    paragraph(console, "Not enough alone", style="bold")
    # One counterexample often meets several assumptions.
    groups: list[list[Trial]] = []
    for trial in trials:
        same = next((alike for alike in groups if alike[0].witness == trial.witness), None)
        if same is None:
            groups.append([trial])
        else:
            same.append(trial)
    for alike in groups:
        witness = alike[0].witness
        assert witness is not None
        paragraph(console, ", ".join(map(_joined, alike)), f"{SYMBOLS[Verdict.REFUTED]} ")
        paragraph(console, _violation(witness, axiom), "    ", style="dim")


def _violation(witness: PairWitness, axiom: Axiom) -> str:
    """Return one sentence on what breaks the axiom."""
    pool, weights = witness.topic.pool, witness.topic.weights
    better, worse = rankings_in_grades(witness)
    low, high = brief_pair(witness.scores.worse, witness.scores.better)
    given = f"weights {row_of_grades(weights)}: " if len(set(weights)) > 1 else ""
    unseen = [row_of_grades(pool[d]) for d in pool if d not in {*witness.worse, *witness.better}]
    besides = f" (in neither: {', '.join(unseen)})" if unseen else ""
    must = "must score above" if axiom.strict else "must not score below"
    return f"{given}{better} {must} {worse}{besides}, scores {high} against {low}"


def _print_names(console: Console, what: str, trials: Sequence[Trial]) -> None:
    if trials:
        paragraph(console, f"{what} {', '.join(map(_joined, trials))}.")
