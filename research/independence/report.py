"""Print the study of the axioms (`research.independence.study`)."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.printable import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.sentences import brief_pair, rankings_in_grades, row_of_grades
from axiomcheck.records.witnesses import AnyWitness, PairWitness
from axiomcheck.reports.symbols import SYMBOLS
from research.independence.cycles import Contradiction, Step
from research.independence.graph import GradeMeaning
from research.independence.study import CONDITIONS, Row, Separation, Study
from research.printing import paragraph


def print_studies(console: Console, studies: Sequence[Study]) -> None:
    """Print studies, one regime after the other."""
    for number, each in enumerate(studies):
        if number:
            console.print()
        print_study(console, each)


def print_study(console: Console, study: Study) -> None:
    """Print the study of one regime: separating metrics, contradictions with their cycles, and open questions.

    Args:
        console: Console to print to.
        study: Study of one regime.

    """
    console.print(f"Regime {study.regime.value}", style="bold")
    console.print()
    _print_independence(console, study)
    console.print()
    _print_impossible(console, study)
    console.print()
    _print_joint(console, study)


def _print_independence(console: Console, study: Study) -> None:
    found = [each for each in study.separations if each.metric is not None]
    paragraph(
        console,
        f"Independent: {len(found)} of {counted(len(study.separations), 'axiom')}, each by a metric that satisfies "
        "the others and violates it",
        style="bold",
    )
    rows = {row.metric: row for row in study.rows}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("Axiom", no_wrap=True)
    table.add_column("Row", no_wrap=True)
    table.add_column("Metric", overflow="fold")
    for each in found:
        assert each.metric is not None
        table.add_row(each.axiom, _symbols(rows[each.metric]), each.metric)
    console.print(table)
    for each in found:
        if each.witness is not None:
            paragraph(console, _violation(each, each.witness), f"○ {each.axiom}: ")
    for each in study.separations:
        if each.metric is None:
            tried = "; ".join(f"{row.metric} violates {_violated(row)}" for row in study.rows)
            paragraph(console, f"no separating metric found. Tried: {tried}", f"? {each.axiom}: ")
    used = {verdict for each in found if each.metric for verdict in rows[each.metric].verdicts.values()}
    weakest = "held, that is searched and not proved" if Verdict.HELD in used else "proved within stated bounds"
    if used - {Verdict.PROVED, Verdict.REFUTED}:
        paragraph(console, f"What is shown as ◐ or ◑ is {weakest}; docs/how-to/independence.md has arguments in words.")


def _symbols(row: Row) -> str:
    return " ".join(SYMBOLS[row.verdicts[axiom]] for axiom in AXIOMS)


def _violated(row: Row) -> str:
    return ", ".join(axiom for axiom, verdict in row.verdicts.items() if not verdict.satisfied) or "nothing"


def _violation(separation: Separation, witness: AnyWitness) -> str:
    """Return a sentence on the violation of an axiom by a separating metric."""
    if not isinstance(witness, PairWitness):
        return separation.reason
    sides = rankings_in_grades(witness)
    worse, better = brief_pair(witness.scores.worse, witness.scores.better)
    weights = witness.topic.weights
    given = f"weights {row_of_grades(weights)}: " if len(set(weights)) > 1 else ""
    must = "must score above" if AXIOMS[separation.axiom].strict else "must not score below"
    return f"{given}{sides[0]} {must} {sides[1]}, scores {better} against {worse}"


def _print_impossible(console: Console, study: Study) -> None:
    alone = [each for each in study.impossible if not each.names & set(CONDITIONS)]
    topics = sum(each.topics for each in study.looked)
    instances = sum(each.instances for each in study.looked)
    headline = (
        f"Impossible: {counted(len(alone), 'set')} of axioms alone" if alone else "Impossible: no set of axioms alone"
    )
    paragraph(console, f"{headline}, {len(study.impossible) - len(alone)} smallest with a condition", style="bold")
    for number, each in enumerate(study.impossible, start=1):
        paragraph(console, f"{_named(each)}. {_setting(each)}", f"{number}. ")
        for step in each.cycle:
            paragraph(console, _step(each, step), "     ")
    paragraph(
        console,
        f"Looked at {counted(topics, 'topic')} with {counted(instances, 'instance')} of the axioms on pairs. "
        "DeepTh and CloseTh speak of infinitely many topics and take no part.",
    )


def _named(found: Contradiction) -> str:
    axioms = [axiom for axiom in AXIOMS if axiom in found.names]
    others = sorted(found.names - set(axioms))
    known = [CONDITIONS.get(name, name) for name in others]
    return " and ".join(axioms) + (f", where {' and '.join(known)}" if known else "")


def _setting(found: Contradiction) -> str:
    small = ", grades times any small eps" if found.grades is GradeMeaning.SMALL else ""
    weights = row_of_grades([str(w) for w in found.weights])
    pool = ", ".join(row_of_grades([str(g) for g in row]) for row in found.pool)
    return f"Weights {weights}, documents {pool}{small}:" if len(found.weights) > 1 else f"Documents {pool}{small}:"


def _step(found: Contradiction, step: Step) -> str:
    worse, better = (
        "[" + ", ".join(row_of_grades([str(g) for g in found.pool[d]]) for d in side) + "]"
        for side in (step.worse, step.better)
    )
    return f"{worse} {'<' if step.strict else '<='} {better}  ({step.axiom})"


def _print_joint(console: Console, study: Study) -> None:
    paragraph(console, "Possible: the largest sets without a contradiction", style="bold")
    for asked, impossible, satisfied, unknown in study.counts:
        what = f"Where {' and '.join(CONDITIONS[name] for name in asked)}" if asked else "Without a condition"
        paragraph(
            console,
            f"{what}: of 1,023 sets {impossible} impossible, {satisfied} satisfied by a metric tried, {unknown} open",
        )
        for each in study.joint:
            if each.conditions == asked:
                missing = [axiom for axiom in AXIOMS if axiom not in each.axioms]
                names = f"all but {', '.join(missing)}" if missing else "all ten"
                paragraph(console, f"{names}: {each.metric or 'open'}", "- ")
