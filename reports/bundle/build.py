"""Build the files of a bundle: judgments, two runs, and a README with the commands."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from axiomcheck.axioms import about_pairs, find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.core.errors import InternalDisagreement
from axiomcheck.core.printable import printable
from axiomcheck.core.writing import json_text
from axiomcheck.decide.comparison import at_eps, judge
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.witness import instance_of, rebuilt_for
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.records.sentences import decimal
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.bundle.tools import ToolCall, judgments_of, run_text, tool_call
from axiomcheck.reports.table import as_markdown

_LONGEST_NAME = 200
"""Maximum number of characters shown of a metric's name."""

_DIGITS = 10

_KINDS = {-1: "reversal", 0: "tie", APART: "incomparable"}
_OUTCOMES = {
    "tie": "both score the same",
    "reversal": "worse scores above better",
    "incomparable": "neither is ahead of the other",
}


@dataclass(frozen=True)
class Bundle:
    """Files of the folder that shows a witness in another tool.

    Args:
        files: File name -> content.
        call: Call of ir_measures that prints the two scores; None if it has no such measure.
        worse, better: Scores of the two rankings by the metric, exact or certified.
        reason: Reason why there is no call; empty if there is one.

    """

    files: dict[str, str]
    call: ToolCall | None
    worse: str
    better: str
    reason: str


def bundle_of(witness: PairWitness, metric: Metric) -> Bundle:
    """Return the bundle of a witness; where it assumes r << 1, grades are those at the eps of the witness.

    Args:
        witness: Record of the witness, which is not checked here (see `axiomcheck.decide.witness.read_witness`).
        metric: Metric of the witness.

    Raises:
        InvalidInput: The witness is not an instance of its axiom.
        InternalDisagreement: The violation does not show at the eps of the witness.

    """
    axiom = find_axiom(witness.axiom)
    assert about_pairs(axiom)
    batch = rebuilt_for(metric, witness, axiom)
    concrete = at_eps(batch, to_fmpq(Fraction(witness.eps))) if witness.eps else batch
    scores = judge(metric, concrete)
    if scores.sign is None or _KINDS.get(scores.sign) != witness.kind:
        raise InternalDisagreement(f"{metric} on {axiom}: the violation does not show at eps = {witness.eps}")
    instance = instance_of(concrete)
    found: ToolCall | str = "The metric compares distributions of scores, which no measure of ir_measures does."
    if not metric.partial:
        found = tool_call(metric, instance, scores.worse, scores.better, witness.kind)
    call, reason = (found, "") if isinstance(found, ToolCall) else (None, found)
    judged = judgments_of(metric, instance)
    topic = instance.topic
    grades = {name: ", ".join(map(str, values)) for name, values in topic.pool.items()}
    ranks = [
        (rank, *(each for name in pair for each in (name, grades.get(name, ""))))
        for rank, pair in enumerate(zip_longest(instance.worse, instance.better, fillvalue=""), start=1)
    ]
    verb = "leaves rankings incomparable under" if witness.kind == "incomparable" else "violates"
    wanted = "above" if axiom.strict else "no less than"
    readme = _template("README.md.j2").render(
        title=f"{printable(witness.metric, _LONGEST_NAME)} {verb} {axiom.name}",
        sentence=f"{axiom.words} Here {axiom.sentence(concrete.draft).rstrip('.')}.",
        symbols=axiom.symbols,
        outcome=f"So better has to score {wanted} worse. Instead {_OUTCOMES[witness.kind]}.",
        weights=[str(weight) for weight in topic.weights],
        ranks=ranks,
        unseen="; ".join(
            f"{name} {grades[name]}" for name in topic.pool if name not in {*instance.worse, *instance.better}
        ),
        eps=witness.eps,
        worse=_both(scores.worse),
        better=_both(scores.better),
        call=call,
        reason=reason,
        says=judged.says,
    )
    files = {
        "README.md": str(readme),
        "qrels.txt": judged.qrels,
        "worse.run": run_text(instance.worse, "worse"),
        "better.run": run_text(instance.better, "better"),
        "witness.json": json_text(document_of(witness)),
    }
    return Bundle(files, call, scores.worse, scores.better, reason)


def _both(score: str) -> tuple[str, str]:
    """Return a score as it is given and as a decimal number; the latter is empty for a distribution."""
    return (score, "") if not score[:1].strip("-").isdigit() else (score, decimal(score, _DIGITS))


@cache
def _template(name: str) -> Any:
    """Return a template of this folder; jinja2 is imported here because its import is slow."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # templates escape Markdown with the filter md
    )
    environment.filters["md"] = as_markdown
    return environment.get_template(name)
