"""Adapt measures from ir_measures, such as ``ir_measures:nDCG@10``.

A provider can be named before the measure, as in ``ir_measures:ranx:nDCG@10``. Otherwise ir_measures chooses one.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import ir_measures
from ir_measures.providers.base import NOT_PROVIDED

from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics.base import Claims
from axiomcheck.sources.adapters.common import (
    Case,
    LibraryJudgments,
    LibraryMetric,
    MeasureOption,
    options_of,
)
from axiomcheck.sources.evaluators import (
    ByTopic,
    DeclaredMeasure,
    Documented,
    Evaluator,
    JudgmentRange,
    Ties,
    only_grade,
    run_scores,
)

DEEPEST = 20
"""Last rank that pyndeval evaluates, except in NRBP and AP_IA."""

PER_ASPECT = "pyndeval"
"""Provider whose judgments are per aspect (subtopic)."""

HELP = "trec_eval's help on its formats qrels and trec_results, which is part of pytrec_eval"
"""Source for the input types of trec_eval; ir_measures and pytrec_eval themselves only document int and float."""


@dataclass(frozen=True)
class Provider:
    """Program that computes measures for ir_measures.

    Args:
        ties: Order of documents with equal run scores. axiomcheck's runs have no ties.
        remarks: Further facts that verdicts depend on.
        most_examples: Maximum number of random instances per cell, which depends on the cost of a call.
        native_ties: Documented tie-breaking of the underlying program.
        single_precision: Quotation stating that run scores are in single precision; None if there is none.
        judgments: Documented range of judgments; None if it is not documented.

    """

    ties: str
    remarks: tuple[str, ...] = ()
    most_examples: int = 10_000
    native_ties: Ties = Ties.UNSAID
    single_precision: Documented | None = None
    judgments: JudgmentRange | None = None


PROVIDERS = {
    "pytrec_eval": Provider(
        "by name, in descending order",
        native_ties=Ties.NAME_LAST,
        single_precision=Documented("a run score is a float of C", HELP),
        judgments=JudgmentRange(-1, 127, Documented("judgments are integers from 0 to 127, or -1", HELP)),
    ),
    "cwl_eval": Provider(
        "as listed in the run",
        ("the ranking is padded with irrelevant documents to 1000 ranks, or truncated to that length",),
        500,
    ),
    "compat": Provider("by name, in ascending order"),
    "pyndeval": Provider(
        "by name, in ascending order (ndeval itself uses descending order)",
        (
            "aspects without a positive judgment are omitted; if none remain, the topic scores 0 (nNRBP: nan)",
            "aspects are equally weighted",
            "the ideal ranking of alpha_nDCG, nERR_IA and nNRBP is built greedily, with ties broken by the last "
            "document name, so scores above 1 exist",
        ),
        5_000,
        Ties.NAME_LAST,
    ),
    "judged": Provider("by name, in ascending order"),
    "msmarco": Provider("by name, in ascending order"),
    "gdeval": Provider(
        "by name, in descending order",
        ("scores are read from a report with five decimals, so smaller differences are lost",),
        5_000,
        Ties.NAME_LAST,
    ),
    "accuracy": Provider("as listed in the run"),
    "ranx": Provider(
        "as its sort places them",
        ("an empty ranking is an error, because the provider needs every judged query in the run",),
        5_000,
    ),
}
"""Name in ir_measures -> provider."""

BOUNDED = {
    *("AP", "IPrec", "Judged", "P", "R", "RR", "Rprec", "SetF", "SetP", "SetR", "StRecall", "Success", "nDCG"),
    *("AP_IA", "P_IA", "alpha_nDCG", "nERR_IA", "nNRBP"),
}
"""Measures that ir_measures documents as a percentage, a mean of percentages, a reciprocal rank, or normalized."""

SUMMED = {"NumQ", "NumRel", "NumRet"}
"""Measures for which ir_measures documents the sum over queries instead of the mean."""

OPTIONS = {
    "cutoff": ((1, 2, 3), True),
    "p": ((0.5,), False),
    "alpha": ((0.25,), False),
    "T": ((2.0,), False),
}
"""Options that the contract check varies, with values to try, and True for a depth.

``rel`` and ``judged_only`` are left out: the adapter gives relevant documents the judgment ``rel``, and judges every
document.
"""

DIVIDED_BY_CUTOFF = ("BPM", "ERR_IA", "NERR8", "NERR9", "P", "P_IA", "SDCG")
"""Measures divided by the cutoff, which thus also changes the scores of shorter rankings."""

OTHERS = {name: values for name, (values, _) in OPTIONS.items()} | {"judged_only": (True,)}
"""Parameter -> other values to request in the same call, for measures with this parameter."""


class IrMeasure(LibraryMetric):
    """Metric that computes a measure with ir_measures.

    Args:
        pipeline: One provider, or ir_measures' default pipeline.

    """

    package = "ir_measures"
    companions = ("AP", "nDCG@5")
    summary = "a measure from ir_measures"
    source = "https://ir-measur.es"

    def __init__(self, label: str, parsed: Any, pipeline: Any, provider: Any) -> None:
        self.parsed = parsed
        self.pipeline = pipeline
        self.judgments = _judgments(parsed)
        self.provider = provider
        self.per_aspect = provider.NAME == PER_ASPECT
        super().__init__(
            label,
            cutoff=parsed.params.get("cutoff"),
            binary_only=self.judgments.binary,
            single_aspect=not self.per_aspect,
            abilities=self.judgments.abilities(*self._notes(provider.NAME)),
            claims=Claims(0.0, 1.0 if parsed.NAME in BOUNDED else None, ideal=parsed.NAME == "nDCG"),
        )
        self.rounding = 5e-6 if provider.NAME == "gdeval" else 0.0
        self.most_examples = PROVIDERS[provider.NAME].most_examples

    def _notes(self, provider: str) -> tuple[str, ...]:
        grades = self.judgments.note
        if provider == "cwl_eval" and not self.judgments.binary:
            grades += f", which the provider scales back to k/{self.judgments.levels}"
        return (
            f"computed by {provider} through {self.library}",
            grades,
            "every document in the pool is judged; an unjudged document counts as judged 0"
            if self.parsed.NAME not in ("Bpref", "Judged", "infAP") and not self.parsed.params.get("judged_only")
            else "every document in the pool is judged; unjudged documents differ from documents judged 0",
            f"documents with equal run scores are ordered {PROVIDERS[provider].ties}",
            "a query without a value (an empty ranking) scores 0",
            *PROVIDERS[provider].remarks,
        )

    @property
    def options(self) -> list[MeasureOption]:
        """Options that the measure takes. The provider may not support every value of an option."""
        parsed, provider = self.parsed, self.provider.NAME
        takes = () if parsed.NAME == "Judged" else parsed.SUPPORTED_PARAMS
        divided = parsed.NAME in DIVIDED_BY_CUTOFF
        return options_of(OPTIONS, takes, parsed.params, lambda given: f"{provider}:{parsed(**given)}", divided)

    @property
    def native(self) -> Evaluator:
        """Entry points ``iter_calc`` and ``calc_aggregate``, with judgments and runs as dictionaries."""
        takes = self.parsed.SUPPORTED_PARAMS
        others = [self.parsed(**{name: one}) for name, values in OTHERS.items() if name in takes for one in values]
        judgments, documented = self.judgments, PROVIDERS[self.provider.NAME]
        if judgments.threshold is not None:
            others.append(self.parsed(rel=judgments.threshold + 1))
        able = [one for one in dict.fromkeys([self.parsed, *others]) if self.provider.supports(one)]
        companions = ("ERR_IA@5", "StRecall@2") if self.per_aspect else self.companions
        beside = [one for one in companions if self.pipeline.supports(ir_measures.parse_measure(one))]
        highest = judgments.lowest + judgments.step * judgments.levels
        return Evaluator(
            str(self),
            self._evaluated,
            tuple(_declared(one) for one in able),
            None if self.parsed.NAME in SUMMED else self._mean,
            (0, 1, 2) if judgments.binary else tuple(range(judgments.lowest, highest + 1, judgments.step)),
            documented.native_ties,
            tuple(beside),
            documented.single_precision,
            documented.judgments,
        )

    def _evaluated(self, qrels: ByTopic, run: ByTopic, measures: list[str]) -> dict[str, dict[str, float]]:
        """Score queries with the given measures, using `iter_calc` of ir_measures."""
        parsed = {ir_measures.parse_measure(name): name for name in measures}
        scores: dict[str, dict[str, float]] = {name: {} for name in measures}
        for found in self.pipeline.iter_calc(list(parsed), self._judged(qrels), run):
            scores[parsed[found.measure]][found.query_id] = found.value
        return scores

    def _mean(self, qrels: ByTopic, run: ByTopic, measures: list[str]) -> dict[str, float]:
        """Average measures over queries, using `calc_aggregate` of ir_measures."""
        parsed = {ir_measures.parse_measure(name): name for name in measures}
        means = self.pipeline.calc_aggregate(list(parsed), self._judged(qrels), run)
        return {parsed[found]: score for found, score in means.items()}

    def _judged(self, qrels: ByTopic) -> Any:
        """Return the judgments. If the provider needs aspects, they become `ir_measures.Qrel` objects on aspect 1."""
        if not self.per_aspect:
            return qrels
        made: Any = ir_measures.Qrel
        return [made(q, d, judgment, "1") for q, judged in qrels.items() for d, judgment in judged.items()]

    def call(self, cases: Sequence[Case]) -> list[float]:
        """Evaluate all cases in one call, with a query per case."""
        qrels: list[Any] = []
        run: list[Any] = []
        for number, (topic, ranking) in enumerate(cases, start=1):
            query = str(number)
            if self.per_aspect:
                qrels += [
                    ir_measures.Qrel(query, name, self.judgments.of(grade), str(aspect))
                    for name, grades in topic.pool.items()
                    for aspect, grade in enumerate(grades, start=1)
                ]
            else:
                qrels += [
                    ir_measures.Qrel(query, name, self.judgments.of(grade)) for name, grade in only_grade(topic).items()
                ]
            run += [ir_measures.ScoredDoc(query, name, score) for name, score in run_scores(ranking).items()]
        with _without_remarks():
            found = {m.query_id: m.value for m in self.pipeline.iter_calc([self.parsed], qrels, run)}
        return [found.get(str(number), self.parsed.DEFAULT) for number in range(1, len(cases) + 1)]


def _declared(parsed: Any) -> DeclaredMeasure:
    bounded = parsed.NAME in BOUNDED
    ideal = parsed.NAME == "nDCG"
    return DeclaredMeasure(
        str(parsed), 0.0, 1.0 if bounded else None, ideal, cutoff=parsed.params.get("cutoff"), above=bounded
    )


def measure(text: str) -> IrMeasure:
    """Return the metric that computes a measure with ir_measures.

    Args:
        text: Name in ir_measures' spelling, optionally preceded by a provider and a colon.

    Raises:
        InvalidInput: There is no such measure, parameter or provider, or no installed provider computes the measure.

    """
    label = f"ir_measures:{text}"
    named, colon, spelled = text.rpartition(":")
    # A colon may also belong to gains={...}; then the text before it is not a provider's name.
    if colon and not named.isidentifier():
        named, colon, spelled = "", "", text
    parsed = _parsed(label, spelled)
    provider: Any
    if colon:
        if named not in ir_measures.providers.registry:
            raise UnknownName("ir_measures provider", named, ir_measures.providers.registry)
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
    if provider.NAME != "ranx":  # its first call compiles for a minute; errors show in the search
        found.try_out()
    return found


def _parsed(label: str, text: str) -> Any:
    try:
        with warnings.catch_warnings():  # ir_measures uses deprecated classes of the ast module
            warnings.simplefilter("ignore", DeprecationWarning)
            parsed: Any = ir_measures.parse_measure(text)
        parsed.validate_params()
    except NameError:
        name = text.partition("(")[0].partition("@")[0].strip()
        raise UnknownName("ir_measures measure", name, ir_measures.measures.registry) from None
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError) as error:
        said = str(error).replace(repr(NOT_PROVIDED), "missing")
        raise InvalidInput(f"{label}: {said}; expected a name such as nDCG@10 or ERR_IA(rel=1)@20") from None
    return parsed


def _first_provider(label: str, parsed: Any) -> Any:
    """Return the provider that ir_measures' default pipeline uses for a measure."""
    able = [provider for provider in ir_measures.DefaultPipeline.providers if provider.supports(parsed)]
    for provider in able:
        if provider.is_available():
            return provider
    if not able:
        raise InvalidInput(f"{label}: no ir_measures provider computes {parsed} with these parameters")
    needed = "; ".join(f"{p.NAME}: {p.install_instructions()}" for p in able)
    raise InvalidInput(f"{label}: no provider that computes {parsed} is installed; {needed}")


def _judgments(parsed: Any) -> LibraryJudgments:
    """Return the judgments that a measure accepts.

    If the measure's name states a minimum relevant judgment, these are 0 and that judgment.
    """
    if "rel" in parsed.SUPPORTED_PARAMS and parsed["rel"] is not NOT_PROVIDED:
        if not isinstance(parsed["rel"], int) or parsed["rel"] < 1:
            said = f"rel={parsed['rel']!r} makes every document relevant"
            raise InvalidInput(f"ir_measures:{parsed}: {said}; expected rel >= 1")
        return LibraryJudgments(threshold=parsed["rel"])
    if "max_rel" in parsed.SUPPORTED_PARAMS:
        low, high = parsed["min_rel"], parsed["max_rel"]
        if not 0 <= low < high:
            raise InvalidInput(f"ir_measures:{parsed}: expected 0 <= min_rel < max_rel, got {low} and {high}")
        levels = (high - low) & (low - high)  # the largest power of two that divides the range
        return LibraryJudgments(levels, low, (high - low) // levels)
    gains = parsed.params.get("gains")
    if gains is None:
        return LibraryJudgments()  # gdeval accepts no higher judgments
    if not gains or not all(type(key) is int and type(gain) is int and key >= 0 for key, gain in gains.items()):
        raise InvalidInput(f"ir_measures:{parsed}: gains must map nonnegative integers to integers")
    return LibraryJudgments(1 << (max(1, *gains).bit_length() - 1))


@contextlib.contextmanager
def _without_remarks() -> Iterator[None]:
    logger = logging.getLogger("ir_measures.cwl_eval")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
