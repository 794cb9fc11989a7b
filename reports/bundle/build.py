"""Bundles: the texts of a witness's folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from axiomcheck.core.documents import document_of
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.printable import printable
from axiomcheck.core.writing import json_text
from axiomcheck.metrics import Metric
from axiomcheck.records.sentences import decimal
from axiomcheck.records.witnesses import AnyWitness, ThresholdWitness
from axiomcheck.reports.bundle.calls import ToolCall, reason_without, tool_calls
from axiomcheck.reports.bundle.instance import LARGEST_N, ScoredInstance, scored_instances
from axiomcheck.reports.bundle.trec import TrecFiles, aspects_form
from axiomcheck.reports.markdown import as_markdown
from axiomcheck.sources.names import read_name
from axiomcheck.sources.provenance import is_genuine
from axiomcheck.sources.resolve import resolve

_LONGEST_NAME = 200
"""Characters of a metric's name that are shown."""

_DIGITS = 10


@dataclass(frozen=True)
class Bundle:
    """A witness's folder.

    Args:
        files: name -> content.
        calls: of ir_measures, which show the two scores; empty where it has no such measure.
        worse, better: the scores that the metric gives the two rankings, exact or certified.
        relation: what these are of what the calls print, in a sentence; empty without calls.
        reason: why there are no calls; empty where there are some.

    """

    files: dict[str, str]
    calls: tuple[ToolCall, ...]
    worse: str
    better: str
    relation: str
    reason: str

    @property
    def commands(self) -> tuple[str, ...]:
        """What is typed in the folder: the worse run before the better one, for every call."""
        return tuple(command for call in self.calls for command in call.commands)


def bundle_of(witness: AnyWitness, metric: Metric | None = None) -> Bundle:
    """The bundle of a witness.

    Args:
        witness: a record; it is not checked here (see `axiomcheck.decide.threshold_witness.read_any_witness`).
        metric: that it is of; left out, the metric that it names, which is not loaded from a file or module: its scores
            are then those of the record.

    Raises:
        InvalidInput: the witness is no instance of its axiom, or names no metric.
        InternalDisagreement: it shows at no concrete grades; or what is said of a tool contradicts the scores.

    """
    if metric is None and not read_name(witness.metric).loads_code:
        metric = resolve(witness.metric)
    preferred: ScoredInstance | None = None
    if metric is not None:
        for shown in scored_instances(witness, metric):
            preferred = preferred or shown
            calls = tool_calls(metric, shown)
            if calls:
                return _Texts(witness, metric, shown, calls, "").bundle()
    if preferred is None:
        preferred = next(scored_instances(witness, metric))
    reason = _reason(metric, preferred)
    return _Texts(witness, metric, preferred, (), reason).bundle()


def _reason(metric: Metric | None, shown: ScoredInstance) -> str:
    if metric is None or not is_genuine(metric):
        return "The metric is none of axiomcheck's catalogue, so that nothing is known of its like in other tools."
    return reason_without(metric, shown)


@dataclass(frozen=True)
class _Texts:
    """What the templates are filled with."""

    witness: AnyWitness
    metric: Metric | None
    shown: ScoredInstance
    calls: tuple[ToolCall, ...]
    reason: str

    def bundle(self) -> Bundle:
        """The files."""
        forms = self._forms()
        files = {"README.md": self._readme(forms)}
        for form in forms:
            files |= form.files
        files["test_witness.py"] = self._test()
        files["witness.json"] = json_text(document_of(self.witness))
        return Bundle(files, self.calls, self.shown.worse, self.shown.better, self._relation, self.reason)

    def _forms(self) -> list[TrecFiles]:
        plain = aspects_form(self.shown.instance)
        return [plain, *(call.files for call in self.calls if call.files.names != plain.names)]

    @property
    def _name(self) -> str:
        return printable(self.witness.metric, _LONGEST_NAME)

    @property
    def _title(self) -> str:
        verb = "leaves rankings incomparable under" if self.shown.kind == "incomparable" else "violates"
        return f"{self._name} {verb} {self.shown.axiom.name}"

    @property
    def _outcome(self) -> str:
        shown, witness = self.shown, self.witness
        did = {
            "tie": "both score the same",
            "reversal": "worse scores above better",
            "incomparable": "neither is ahead of the other",
        }[shown.kind]
        if isinstance(witness, ThresholdWitness):
            at = "every large n" if shown.axiom.winner == "top" else "some n"  # type: ignore[attr-defined]
            return f"So at {at} better has to score above worse. Here {did}."
        wanted = "above" if shown.axiom.strict else "no less than"
        return f"So better has to score {wanted} worse. Instead {did}."

    @property
    def _notes(self) -> list[str]:
        shown, witness = self.shown, self.witness
        notes = []
        if shown.eps is not None:
            notes.append(
                "The axiom assumes r << 1: it speaks of grades that are all multiplied by eps, for every small "
                f"eps. Here eps = {shown.eps}."
            )
        if isinstance(witness, ThresholdWitness):
            nearest = f" From n = 2 to {LARGEST_N} it is here that the {shown.n} come nearest to the one on top."
            notes.append(
                "This is one instance of an argument about every n, and alone it refutes nothing."
                + (nearest if shown.is_nearest else "")
                + f" The argument: {witness.argument}."
            )
        if shown.unit:
            notes.append(f"The scores are coefficients of {shown.unit}: the metric was not loaded to score the files.")
        return notes

    def _readme(self, forms: Sequence[TrecFiles]) -> str:
        shown, topic = self.shown, self.shown.instance.topic
        worse, better = shown.instance.worse, shown.instance.better
        ranked = {*worse, *better}
        ranks = []
        for k in range(shown.longest):
            sides = [(r[k], _row(topic.pool[r[k]])) if k < len(r) else ("", "") for r in (worse, better)]
            ranks.append((k + 1, *sides[0], *sides[1]))
        return str(
            _template("README.md.j2").render(
                title=self._title,
                sentence=shown.sentence,
                symbols=shown.axiom.symbols,
                outcome=self._outcome,
                weights=[str(weight) for weight in topic.weights],
                ranks=ranks,
                unseen="; ".join(f"{name} {_row(grades)}" for name, grades in topic.pool.items() if name not in ranked),
                notes=self._notes,
                worse=_both(shown.worse),
                better=_both(shown.better),
                calls=self.calls,
                needs=self._needs,
                relation=self._relation,
                whys=dict.fromkeys(f"{call.measure}: {call.why}." for call in self.calls),
                reason=self.reason,
                replayed=self._replayed,
                listed=self._listed(forms),
            )
        )

    @property
    def _needs(self) -> str:
        return ", ".join(["ir-measures", *sorted({_needed(call) for call in self.calls} - {""})])

    @property
    def _relation(self) -> str:
        factors = [call.factor for call in self.calls]
        if not factors:
            return ""
        if factors == [1]:
            return "These are the scores above."
        if len(factors) == 1:
            return f"The scores above are {_factor(factors[0])} times what is printed."
        terms = " + ".join(f"{_factor(call.factor)} x {call.measure}" for call in self.calls)
        return f"The scores above are {terms}."

    @property
    def _replayed(self) -> bool:
        """Whether the test has axiomcheck read the witness again, as there are no two scores to be compared."""
        metric = self.metric
        return metric is None or self.shown.of_distributions or metric.label is not None or not is_genuine(metric)

    def _listed(self, forms: Sequence[TrecFiles]) -> list[tuple[str, str]]:
        plain, *others = forms
        qrels, worse, better = plain.names
        several = len(self.shown.instance.topic.weights) > 1
        listed = [
            (qrels, f"judgments, as {'topic aspect' if several else 'topic 0'} document grade; {plain.says}"),
            (worse, "the ranking that has to be behind"),
            (better, "the ranking that has to be ahead"),
        ]
        for form in others:
            for name in form.names:
                if name not in dict(listed):
                    what = (
                        f"judgments for the command; {form.says}"
                        if name.endswith(".qrels")
                        else "the ranking for each topic"
                    )
                    listed.append((name, what))
        return [
            *listed,
            ("test_witness.py", "the test"),
            ("witness.json", "the witness; axiomcheck replay witness.json confirms it"),
        ]

    def _test(self) -> str:
        shown = self.shown
        shared = {
            "title": self._title,
            "sentence": shown.sentence,
            "threshold": shown.n is not None,
            "strict": shown.axiom.strict,
            "metric": self.witness.metric,
        }
        if not self.calls and self._replayed:
            why = (
                "The metric compares distributions of scores."
                if shown.of_distributions
                else "The metric is code of its own, which is not repeated here."
            )
            return str(_template("test_replayed.py.j2").render(why_replayed=why, axiom=shown.axiom.name, **shared))
        worse, better = float(Fraction(shown.worse)), float(Fraction(shown.better))
        shared |= {
            "worse_float": repr(worse),
            "better_float": repr(better),
            "close": f"{self._close(worse, better):.1g}",
        }
        if self.calls:
            return str(
                _template("test_in_tool.py.j2").render(
                    calls=self.calls,
                    combined=self._combined,
                    needs=self._needs,
                    **shared,
                )
            )
        topic = shown.instance.topic
        return str(
            _template("test_with_axiomcheck.py.j2").render(
                weights=[str(weight) for weight in topic.weights],
                pool=[(name, [str(grade) for grade in grades]) for name, grades in topic.pool.items()],
                worse_names=list(shown.instance.worse),
                better_names=list(shown.instance.better),
                **shared,
            )
        )

    def _close(self, worse: float, better: float) -> float:
        """What counts as no difference: less than there is, where there is one."""
        if self.calls:
            return sum(float(call.factor) * 10.0**-call.places for call in self.calls)
        gap, scale = abs(worse - better), max(abs(worse), abs(better))
        rounding = ROUNDING * scale or ROUNDING
        return min(gap / 2, rounding) if gap else rounding

    def _combined(self, side: str) -> str:
        terms = [
            f"{side}_{number}" if call.factor == 1 else f"{_factor_code(call.factor)} * {side}_{number}"
            for number, call in enumerate(self.calls, start=1)
        ]
        return " + ".join(terms)


def _row(grades: Sequence[Fraction]) -> str:
    return ", ".join(map(str, grades))


def _both(score: str) -> tuple[str, str]:
    """A score as it is, and as a decimal number."""
    return (score, "") if not score[:1].strip("-").isdigit() else (score, decimal(score, _DIGITS))


def _factor(factor: Fraction | float) -> str:
    return str(factor) if isinstance(factor, Fraction) else f"{factor:.12g}"


def _factor_code(factor: Fraction | float) -> str:
    return f"({factor})" if isinstance(factor, Fraction) else repr(factor)


_NEEDS = {
    **dict.fromkeys(("BPM", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "RBP", "SDCG"), "cwl_eval"),
    **dict.fromkeys(("AP_IA", "ERR_IA", "NRBP", "P_IA", "StRecall", "alpha_DCG", "alpha_nDCG"), "pyndeval"),
    **dict.fromkeys(("nERR_IA", "nNRBP"), "pyndeval"),
    "ERR": "gdeval",
}
"""Measure -> the provider that ir_measures picks, where that is not part of every installation."""

_DISTRIBUTIONS = {"cwl_eval": "cwl-eval", "gdeval": "Perl", "pytrec_eval": ""}
"""Provider -> what has to be installed for it, where that is called otherwise."""


def _needed(call: ToolCall) -> str:
    """What has to be there for a call besides ir_measures; empty if nothing."""
    provider = call.provider or _NEEDS.get(re.split("[(@]", call.measure)[0], "")
    return _DISTRIBUTIONS.get(provider, provider)


@cache
def _template(name: str) -> Any:
    """A template of this folder; jinja2 takes its time to be imported."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # markdown and Python, for which there are the filters
    )
    environment.filters |= {"md": as_markdown, "py": ascii}
    return environment.get_template(name)
