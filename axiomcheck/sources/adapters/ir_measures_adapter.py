"""``ir_measures:nDCG@10``: any measure of ir_measures, through the provider that it picks or that is named.

A provider can be named before the measure, as in ``ir_measures:ranx:nDCG@10``.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import ir_measures
from ir_measures.providers.base import NOT_PROVIDED

from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics.base import Abilities, Claims
from axiomcheck.sources.adapters.common import Case, LibraryMetric, levels_of, only_grade, run_scores
from axiomcheck.sources.evaluators import (
    ByTopic,
    DeclaredMeasure,
    Documented,
    Evaluator,
    JudgmentRange,
    Ties,
    program_of,
)

LEVELS = 4
"""Judgments run from 0 to this where the measure does not say; gdeval takes no higher one."""

DEEPEST = 20
"""The last rank that pyndeval looks at, NRBP and AP_IA excepted."""

PER_ASPECT = "pyndeval"
"""The provider whose judgments are per aspect (subtopic)."""

TIES = {
    "pytrec_eval": "later document names first",
    "cwl_eval": "as listed in the run",
    "compat": "earlier document names first",
    "pyndeval": "earlier document names first (ndeval itself: later names first)",
    "judged": "earlier document names first",
    "msmarco": "earlier document names first",
    "gdeval": "later document names first",
    "accuracy": "as listed in the run",
    "ranx": "as its sort leaves them",
}
"""Provider -> the order of documents with equal run scores. Runs here have none."""

REMARKS = {
    "pyndeval": (
        "aspects without a positive judgment are left out, a topic without any scores 0 (nNRBP: not a number)",
        "aspects are equally weighted",
        "the ideal of alpha_nDCG, nERR_IA and nNRBP is greedy, with ties to the document name that sorts last, so that "
        "scores above 1 exist",
    ),
    "gdeval": ("scores are read from a report with five decimals: smaller differences do not count",),
    "cwl_eval": ("the ranking is padded with nothing relevant to 1000 ranks, and cut there",),
    "ranx": ("an empty ranking is an error: the provider wants every judged query in the run",),
}
"""Provider -> what else its verdicts depend on."""

MOST_EXAMPLES = {"cwl_eval": 500, "gdeval": 5_000, "pyndeval": 5_000, "ranx": 5_000}
"""Provider -> random instances per cell, by what it costs; the others take 10,000."""

BOUNDED = {
    *("AP", "IPrec", "Judged", "P", "R", "RR", "Rprec", "SetF", "SetP", "SetR", "StRecall", "Success", "nDCG"),
    *("AP_IA", "P_IA", "alpha_nDCG", "nERR_IA", "nNRBP"),
}
"""Measures that ir_measures documents as a percentage, a mean of percentages, a reciprocal rank, or normalized."""

SUMMED = {"NumQ", "NumRel", "NumRet"}
"""Measures of which ir_measures documents the sum over queries, not the mean."""

NATIVE_TIES = {"gdeval": Ties.NAME_LAST, "pyndeval": Ties.NAME_LAST, "pytrec_eval": Ties.NAME_LAST}
"""Provider -> what the program that it stands for documents of equal run scores."""

HELP = "trec_eval's help on its formats qrels and trec_results, which is part of pytrec_eval"
"""Where it is said what trec_eval takes; ir_measures and pytrec_eval themselves say no more than int and float."""

SINGLE = {"pytrec_eval": Documented("a run score is a float of C", HELP)}
"""Provider -> where it says that run scores are in single precision."""

TAKEN = {"pytrec_eval": JudgmentRange(-1, 127, Documented("judgments are whole numbers from 0 to 127, or -1", HELP))}
"""Provider -> the judgments that it documents to take."""

OTHERS = {"cutoff": (1, 2, 3), "judged_only": (True,), "p": (0.5,), "alpha": (0.25,), "T": (2.0,)}
"""Parameter -> other values of it that are asked for in the same call, where a measure has it."""


class IrMeasure(LibraryMetric):
    """A measure of ir_measures.

    Args:
        label: what the user typed.
        parsed: the measure.
        pipeline: what computes it: one provider, or ir_measures' own choice.
        provider: the provider that will be used.

    """

    package = "ir_measures"
    companions = ("AP", "nDCG@5")
    summary = "a measure of ir_measures"
    source = "https://ir-measur.es"

    def __init__(self, label: str, parsed: Any, pipeline: Any, provider: Any) -> None:
        self.parsed = parsed
        self.pipeline = pipeline
        self.threshold = _threshold(parsed)
        self.scale = _scale(parsed)
        self.provider = provider
        self.per_aspect = provider.NAME == PER_ASPECT
        binary = self.threshold is not None
        super().__init__(
            label,
            cutoff=parsed.params.get("cutoff"),
            binary_only=binary,
            single_aspect=not self.per_aspect,
            abilities=Abilities(
                weights=False, levels=None if binary else self.scale.levels, notes=self._notes(provider.NAME)
            ),
            claims=Claims(0.0, 1.0 if parsed.NAME in BOUNDED else None, ideal=parsed.NAME == "nDCG"),
        )
        self.rounding = 5e-6 if provider.NAME == "gdeval" else 0.0
        self.most_examples = MOST_EXAMPLES.get(provider.NAME, 10_000)

    def _notes(self, provider: str) -> tuple[str, ...]:
        if self.threshold is not None:
            grades = f"a grade above 0 is judgment {self.threshold}, any other 0"
        else:
            grades = f"grade k/{self.scale.levels} is judgment {self.scale}"
            if provider == "cwl_eval":
                grades += f", which the provider scales back to k/{self.scale.levels}"
        return (
            f"computed by {provider} through {self.library}",
            grades,
            "every document of the pool is judged; a document that is not counts as judged 0"
            if self.parsed.NAME not in ("Bpref", "Judged", "infAP") and not self.parsed.params.get("judged_only")
            else "every document of the pool is judged; documents that are not are treated apart from those judged 0",
            f"equal run scores: {TIES[provider]}",
            "a query without a value (an empty ranking) scores 0",
            *REMARKS.get(provider, ()),
        )

    @property
    def provider_named(self) -> str:
        """The provider that the user named; empty where ir_measures picks one."""
        return "" if self.pipeline is ir_measures.DefaultPipeline else str(self.pipeline.NAME)

    def judgment(self, grade: float) -> int:
        """The whole number that stands for a grade.

        Raises:
            MetricError: the grade is not a multiple of what a level is worth.

        """
        if self.threshold is not None:
            return self.threshold if grade > 0 else 0
        return self.scale.lowest + self.scale.step * levels_of(grade, self.scale.levels)

    @property
    def native(self) -> Evaluator:
        """``iter_calc`` and ``calc_aggregate`` with judgments and runs in dictionaries."""
        takes = self.parsed.SUPPORTED_PARAMS
        others = [self.parsed(**{name: one}) for name, values in OTHERS.items() if name in takes for one in values]
        if self.threshold is not None:
            others.append(self.parsed(rel=self.threshold + 1))
        able = [one for one in dict.fromkeys([self.parsed, *others]) if self.provider.supports(one)]
        companions = ("ERR_IA@5", "StRecall@2") if self.per_aspect else self.companions
        beside = [one for one in companions if self.pipeline.supports(ir_measures.parse_measure(one))]
        highest = self.scale.lowest + self.scale.step * self.scale.levels
        after = self.provider_named
        judged = _per_aspect if self.per_aspect else _as_given
        pipeline = self.pipeline
        return Evaluator(
            str(self),
            functools.partial(evaluate, pipeline=pipeline, judged=judged),
            tuple(_declared(one) for one in able),
            program_of(
                ("import functools", "", "import ir_measures"),
                *dict.fromkeys((_as_given, judged)),
                evaluate,
                mean,
                after=_made(after, judged.__name__),
            ),
            None if self.parsed.NAME in SUMMED else functools.partial(mean, pipeline=pipeline, judged=judged),
            (0, 1, 2) if self.threshold is not None else tuple(range(self.scale.lowest, highest + 1, self.scale.step)),
            NATIVE_TIES.get(self.provider.NAME, Ties.UNSAID),
            tuple(beside),
            SINGLE.get(self.provider.NAME),
            TAKEN.get(self.provider.NAME),
        )

    def call(self, cases: Sequence[Case]) -> list[float]:
        """One evaluation of as many queries as there are cases."""
        qrels: list[Any] = []
        run: list[Any] = []
        for number, (topic, ranking) in enumerate(cases, start=1):
            query = str(number)
            if self.per_aspect:
                qrels += [
                    ir_measures.Qrel(query, name, self.judgment(grade), str(aspect))
                    for name, grades in topic.pool.items()
                    for aspect, grade in enumerate(grades, start=1)
                ]
            else:
                qrels += [
                    ir_measures.Qrel(query, name, self.judgment(grade)) for name, grade in only_grade(topic).items()
                ]
            run += [ir_measures.ScoredDoc(query, name, score) for name, score in run_scores(ranking).items()]
        with _without_remarks():
            found = {m.query_id: m.value for m in self.pipeline.iter_calc([self.parsed], qrels, run)}
        return [found.get(str(number), self.parsed.DEFAULT) for number in range(1, len(cases) + 1)]


def _as_given(qrels: ByTopic) -> Any:
    """Judgments as they are."""
    return qrels


def _per_aspect(qrels: ByTopic) -> Any:
    """Judgments of one aspect, in the form that has aspects."""
    made: Any = ir_measures.Qrel
    return [made(q, d, judgment, "1") for q, judged in qrels.items() for d, judgment in judged.items()]


def evaluate(
    qrels: ByTopic,
    run: ByTopic,
    measures: list[str],
    pipeline: Any = ir_measures.DefaultPipeline,
    judged: Any = _as_given,
) -> dict[str, dict[str, float]]:
    """Scores by measure and query, as `ir_measures.iter_calc` gives them."""
    parsed = {ir_measures.parse_measure(name): name for name in measures}
    scores: dict[str, dict[str, float]] = {name: {} for name in measures}
    for found in pipeline.iter_calc(list(parsed), judged(qrels), run):
        scores[parsed[found.measure]][found.query_id] = found.value
    return scores


def mean(
    qrels: ByTopic,
    run: ByTopic,
    measures: list[str],
    pipeline: Any = ir_measures.DefaultPipeline,
    judged: Any = _as_given,
) -> dict[str, float]:
    """Means over queries, as `ir_measures.calc_aggregate` gives them."""
    parsed = {ir_measures.parse_measure(name): name for name in measures}
    return {parsed[found]: score for found, score in pipeline.calc_aggregate(list(parsed), judged(qrels), run).items()}


def _made(provider: str, judged: str) -> str:
    """Lines of a program that fix the provider and the form of judgments."""
    given = [f"pipeline=ir_measures.providers.registry[{provider!r}]"] if provider else []
    given += [f"judged={judged}"] if judged != _as_given.__name__ else []
    if not given:
        return ""
    return "\n".join(f"{name} = functools.partial({name}, {', '.join(given)})" for name in ("evaluate", "mean"))


def _declared(parsed: Any) -> DeclaredMeasure:
    bounded = parsed.NAME in BOUNDED
    ideal = parsed.NAME == "nDCG"
    return DeclaredMeasure(
        str(parsed), 0.0, 1.0 if bounded else None, ideal, cutoff=parsed.params.get("cutoff"), above=bounded
    )


def measure(text: str) -> IrMeasure:
    """The measure of ir_measures.

    Args:
        text: as ir_measures spells it, with a provider and a colon before it if need be.

    Raises:
        InvalidInput: no such measure, parameter or provider, or no installed provider computes it.

    """
    label = f"ir_measures:{text}"
    named, colon, spelled = text.rpartition(":")
    # A colon also occurs within gains={...}; a provider's name has nothing of the sort.
    if colon and not named.isidentifier():
        named, colon, spelled = "", "", text
    parsed = _parsed(label, spelled)
    provider: Any
    if colon:
        if named not in ir_measures.providers.registry:
            raise UnknownName("provider of ir_measures", named, ir_measures.providers.registry)
        pipeline = provider = ir_measures.providers.registry[named]
        if not provider.is_available():
            raise InvalidInput(f"{label}: provider {named} is not installed; {provider.install_instructions()}")
        if not provider.supports(parsed):
            raise InvalidInput(f"{label}: provider {named} does not compute {parsed}")
    else:
        pipeline = ir_measures.DefaultPipeline
        provider = _first_provider(label, parsed)
    if provider.NAME == PER_ASPECT and "cutoff" in parsed.SUPPORTED_PARAMS:
        cutoff = parsed["cutoff"]
        if cutoff is NOT_PROVIDED or cutoff > DEEPEST:
            raise InvalidInput(f"{label}: pyndeval computes {parsed.NAME} at cutoffs 1 to {DEEPEST} only")
    found = IrMeasure(label, parsed, pipeline, provider)
    if provider.NAME != "ranx":  # compiles for a minute the first time; the search will tell
        found.try_out()
    return found


def _parsed(label: str, text: str) -> Any:
    try:
        with warnings.catch_warnings():  # it reads syntax trees the old way
            warnings.simplefilter("ignore", DeprecationWarning)
            parsed: Any = ir_measures.parse_measure(text)
        parsed.validate_params()
    except NameError:
        name = text.partition("(")[0].partition("@")[0].strip()
        raise UnknownName("measure of ir_measures", name, ir_measures.measures.registry) from None
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError) as error:
        said = str(error).replace(repr(NOT_PROVIDED), "missing")
        raise InvalidInput(f"{label}: {said}; a measure is spelled as in nDCG@10 or ERR_IA(rel=1)@20") from None
    return parsed


def _first_provider(label: str, parsed: Any) -> Any:
    """The provider that ir_measures' own fallback takes."""
    able = [provider for provider in ir_measures.DefaultPipeline.providers if provider.supports(parsed)]
    for provider in able:
        if provider.is_available():
            return provider
    if not able:
        raise InvalidInput(f"{label}: no provider of ir_measures computes {parsed} with these parameters")
    needed = "; ".join(f"{p.NAME}: {p.install_instructions()}" for p in able)
    raise InvalidInput(f"{label}: no provider that computes {parsed} is installed; {needed}")


def _threshold(parsed: Any) -> int | None:
    """The judgment from which a document counts as relevant; None for a graded measure."""
    if "rel" not in parsed.SUPPORTED_PARAMS or parsed["rel"] is NOT_PROVIDED:
        return None
    threshold = parsed["rel"]
    if not isinstance(threshold, int) or threshold < 1:
        raise InvalidInput(f"ir_measures:{parsed}: rel={threshold!r} makes every document relevant; expected rel >= 1")
    return threshold


@dataclass(frozen=True)
class JudgmentScale:
    """Which judgments there are: lowest, lowest + step, ..., lowest + levels * step.

    Args:
        lowest: the judgment of grade 0.
        step: from one judgment to the next.
        levels: how many there are above the lowest; a power of two, so that k/levels is exact in floats.

    """

    lowest: int
    step: int
    levels: int

    def __str__(self) -> str:
        k = "k" if self.step == 1 else f"{self.step}k"
        return f"{self.lowest} + {k}" if self.lowest else k


def _scale(parsed: Any) -> JudgmentScale:
    if "max_rel" in parsed.SUPPORTED_PARAMS:
        low, high = parsed["min_rel"], parsed["max_rel"]
        if not 0 <= low < high:
            raise InvalidInput(f"ir_measures:{parsed}: expected 0 <= min_rel < max_rel, got {low} and {high}")
        levels = (high - low) & (low - high)  # the largest power of two that divides the range
        return JudgmentScale(low, (high - low) // levels, levels)
    gains = parsed.params.get("gains")
    if gains is None:
        return JudgmentScale(0, 1, LEVELS)
    if not gains or not all(type(key) is int and type(gain) is int and key >= 0 for key, gain in gains.items()):
        raise InvalidInput(f"ir_measures:{parsed}: gains must map whole numbers from 0 on to whole numbers")
    return JudgmentScale(0, 1, 1 << (max(1, *gains).bit_length() - 1))


@contextlib.contextmanager
def _without_remarks() -> Iterator[None]:
    logger = logging.getLogger("ir_measures.cwl_eval")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
