"""The check of certificates that hold for rankings of every length, independent of what made them.

Everything that is to hold is made anew from the metric's fold, the axiom's script and the certificate's invariants
(`axiomcheck.proof.check.induction_run`), compared with what the certificate lists, and decided by the signs of
coefficients (`axiomcheck.proof.check.quotients`). The format and the lemmas are in docs/lemmas/induction.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from axiomcheck.axioms import Axiom, PairAxiom, about_pairs, about_scores, find_axiom
from axiomcheck.axioms.script import Many, Script
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.coverage import DSharpMeasure
from axiomcheck.proof.check.discounts import DISCOUNTS, check_discount
from axiomcheck.proof.check.header import SCHEMA, VERSION, exactly
from axiomcheck.proof.check.induction_bindings import BoundObligation, Invariant, read_binding
from axiomcheck.proof.check.induction_metric import (
    check_factors,
    check_metric,
    check_script,
    pools_beyond_binary,
    symbols_of,
    with_symbols,
)
from axiomcheck.proof.check.induction_run import InductionRun, InductionSetting, combinations, derive
from axiomcheck.proof.check.quotients import Quotient, attempt, settled

Document = Mapping[str, Any]

_HEADER = ("schema", "version", "kind", "metric", "axiom", "domain", "small", "strict")
_INDUCTION = (*_HEADER, "discount", "support", "parameters", "scope", "cases")
_MIXTURE = (*_HEADER, "parameters", "parts")
_CASE = ("grades", "invariants", "obligations")


def check_induction(document: Any, metric: Metric | None = None, axiom: Axiom | None = None) -> None:
    """Checks that a certificate proves what it says.

    Args:
        document: of kind induction or mixture.
        metric: the metric that it is about; left out, the one of the catalogue that has the name.
        axiom: what it is about; left out, the one that has the name.

    Raises:
        InvalidInput: it does not; the message says what is wrong, and where.

    """
    fields = _fields(document, "certificate", None)
    kind = fields.get("kind")
    if kind not in ("induction", "mixture"):
        raise InvalidInput(f"certificate: kind is {kind!r}; expected 'induction' or 'mixture'")
    fields = _fields(document, "certificate", _INDUCTION if kind == "induction" else _MIXTURE)
    _check_header(fields, "certificate")
    found = parse(fields["metric"]) if metric is None else metric
    about = find_axiom(fields["axiom"]) if axiom is None else axiom
    if not about_pairs(about) or about_scores(about) or about.name != fields["axiom"]:
        raise InvalidInput(f"certificate: axiom is {fields['axiom']!r}; expected an axiom on pairs by its name")
    if fields["strict"] != about.strict:
        raise InvalidInput(f"certificate: strict is {fields['strict']}; {about} is {about.strict}")
    binary = about.binary or found.binary_only or fields["domain"] == Domain.BINARY
    with settled("certificate"):
        if kind == "induction":
            _check_induction(fields, found, about, binary, "certificate")
        else:
            _check_mixture(fields, found, about, binary)


def _check_mixture(fields: Document, metric: Metric, axiom: PairAxiom, binary: bool) -> None:
    """A mixture wins where no part loses and one with a positive share wins."""
    cls = type(metric)
    if not isinstance(metric, DSharpMeasure) or any(
        getattr(cls, method) is not getattr(DSharpMeasure, method) or method in vars(metric)
        for method in ("parts", "kernel", "score", "evaluate")
    ):
        raise InvalidInput(f"metric: {cls.__name__} is not known to be a mixture of its parts")
    _check_name(fields, metric, "certificate")
    mixed = metric.parts()
    if any(share < 0 for share, _ in mixed):
        raise InvalidInput(f"metric: {metric} has a negative share of a part")
    positive = [part for share, part in mixed if share > 0]
    check_shares(metric, _list(fields["parameters"], "parameters"))
    parts = _list(fields["parts"], "parts")
    if len(parts) != len(positive):
        raise InvalidInput(f"parts: {counted(len(parts), 'part')}; {metric} has {len(positive)} with a positive share")
    wins = False
    for number, (document, part) in enumerate(zip(parts, positive, strict=True)):
        where = f"parts.{number}"
        inner = _fields(document, where, _INDUCTION)
        _check_header(inner, where)
        if inner["kind"] != "induction":
            raise InvalidInput(f"{where}: kind is {inner['kind']!r}; expected 'induction'")
        for key in ("axiom", "domain"):
            if inner[key] != fields[key]:
                raise InvalidInput(f"{where}: {key} is {inner[key]!r}; the mixture's is {fields[key]!r}")
        if inner["small"] and not (inner["strict"] and fields["small"]):
            raise InvalidInput(f"{where}: small; expected only of a part that wins in a mixture that is small too")
        _check_induction(inner, part, axiom, binary, where)
        wins |= inner["strict"]
    if axiom.strict and not wins:
        raise InvalidInput(f"parts: none of them wins, and {axiom} is strict")


def check_shares(metric: DSharpMeasure, names: list[Any]) -> None:
    """Checks that every share of a mixture is positive, whatever the values of some parameters inside their ranges.

    Raises:
        InvalidInput: a share is not shown to be, or one of the names is no parameter from 0 to 1.

    """
    if not names:
        return
    mixture = metric.at(symbols_of(metric, names))
    assert isinstance(mixture, DSharpMeasure)
    shares = [Quotient.of(share) for share, _ in mixture.parts()]
    if not all(share.shown(">") for share in shares) or not all(share > 0 for share, _ in metric.parts()):
        raise InvalidInput(f"parameters: {', '.join(names)}: a share of {metric} is not shown to be positive")


def _check_induction(fields: Document, metric: Metric, axiom: PairAxiom, binary: bool, where: str) -> None:
    _check_name(fields, metric, where)
    script, small, discount, support = axiom.script(), fields["small"], fields["discount"], fields["support"]
    if script is None:
        raise InvalidInput(f"{where}: {axiom} has no script, so there is nothing to run")
    if small and not axiom.can_be_small:
        raise InvalidInput(f"{where}: small, and {axiom} speaks of the largest grade there is")
    if discount not in DISCOUNTS:
        raise InvalidInput(f"{where}: discount is {discount!r}; expected one of {', '.join(DISCOUNTS)}")
    if not isinstance(support, bool):
        raise InvalidInput(f"{where}: support is {support!r}; expected true or false")
    expected = {"ranked": "all", "aspects": "all", "cutoff": "none" if metric.cutoff is None else "any"}
    if fields["scope"] != expected:
        raise InvalidInput(f"{where}: scope is {fields['scope']!r}; expected {expected}")
    parameters = _list(fields["parameters"], f"{where}: parameters")
    if not all(isinstance(p, str) for p in parameters):
        raise InvalidInput(f"{where}: parameters is {parameters!r}; expected names")
    binary = binary and not pools_beyond_binary(metric, axiom)
    symbolic = with_symbols(check_metric(metric, axiom, script, binary, small), parameters)
    setting = InductionSetting(axiom, script, symbolic, small, binary, fields["strict"], support, discount, {})
    wanted = [each.kinds for each in settings_of(setting)]
    if not wanted:
        raise InvalidInput(f"{where}: {axiom} has no instance here, so there is nothing to prove")
    cases = [_fields(case, f"{where}: cases.{k}", _CASE) for k, case in enumerate(_list(fields["cases"], "cases"))]
    listed = [case["grades"] for case in cases]
    if len(listed) != len(wanted) or any(kinds not in listed for kinds in wanted):
        raise InvalidInput(f"{where}: cases are of the grades {listed}; expected each of {wanted} once")
    for k, case in enumerate(cases):
        at = f"{where}: cases.{k}"
        invariants = _read_invariants(case["invariants"], script, at)
        run = InductionRun(replace(setting, kinds=case["grades"]))
        derived = list(derive(run, lambda segment, _, known=invariants: known[segment]))  # type: ignore[misc]
        _check_obligations(_list(case["obligations"], f"{at}.obligations"), derived, f"{at}.obligations")


def settings_of(assumed: InductionSetting) -> list[InductionSetting]:
    """Return what is to be proved for each combination of kinds of the script's grades.

    Args:
        assumed: of no kinds; its metric has symbols, and is one that the lemmas speak of.

    Raises:
        InvalidInput: the script, the metric's factors or its discount are not as the lemmas and the setting have them.

    """
    metric, script = assumed.metric, assumed.script
    check_script(assumed.axiom, script, assumed.discount)
    check_discount(attempt("metric: the fold", metric.fold).discount, assumed.discount)
    check_factors(metric, assumed.axiom)
    return [replace(assumed, kinds=kinds) for kinds in combinations(script.grades, assumed.binary, assumed.support)]


def _check_obligations(listed: Sequence[Any], derived: Sequence[BoundObligation], where: str) -> None:
    """Checks that every obligation holds, and is the one that the certificate lists in its place."""
    for k, (entry, obligation) in enumerate(zip_longest(listed, derived)):
        at = f"{where}.{k}"
        if obligation is None or entry is None:
            raise InvalidInput(
                f"{at}: the certificate lists {counted(len(listed), 'obligation')}; the proof has {len(derived)}"
            )
        try:
            expected = obligation.written()
        except InvalidInput as error:
            raise InvalidInput(f"{at}: {error}") from None
        fields = _fields(entry, at, tuple(expected))
        if not (isinstance(fields["where"], str) and isinstance(fields["what"], str)):
            raise InvalidInput(f"{at}: where and what have to be texts")
        at = f"{at} ({obligation.where}: {obligation.what})"
        if fields["relation"] != obligation.relation:
            raise InvalidInput(f"{at}: relation is {fields['relation']!r}; expected {obligation.relation!r}")
        if fields["ranges"] != expected["ranges"]:
            raise InvalidInput(f"{at}: ranges are {fields['ranges']!r}; expected {expected['ranges']}")
        if not exactly(expected["coefficients"])(fields["coefficients"]):
            raise InvalidInput(f"{at}: the coefficients are not those of the obligation: {fields['coefficients']!r}")


# Reading


def _fields(value: Any, where: str, keys: tuple[str, ...] | None) -> Document:
    if not isinstance(value, dict):
        raise InvalidInput(f"{where}: expected a JSON object")
    if keys is not None:
        for key in keys:
            if key not in value:
                raise InvalidInput(f"{where}: {key} is missing")
        unknown = [key for key in value if key not in keys]
        if unknown:
            raise InvalidInput(f"{where}: unknown entry {unknown[0]!r}; expected {', '.join(keys)}")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{where}: expected a list")
    return list(value)


def _check_header(fields: Document, where: str) -> None:
    version, domains = fields["version"], [d.value for d in Domain]
    if fields["schema"] != SCHEMA or not exactly(VERSION)(version):
        raise InvalidInput(f"{where}: schema {fields['schema']!r}, version {version!r}; expected {SCHEMA!r}, {VERSION}")
    for key in ("metric", "axiom"):
        if not isinstance(fields[key], str):
            raise InvalidInput(f"{where}: {key} is {fields[key]!r}; expected a name")
    for key in ("small", "strict"):
        if not isinstance(fields[key], bool):
            raise InvalidInput(f"{where}: {key} is {fields[key]!r}; expected true or false")
    if fields["domain"] not in domains:
        raise InvalidInput(f"{where}: domain is {fields['domain']!r}; expected one of {', '.join(domains)}")


def _check_name(fields: Document, metric: Metric, where: str) -> None:
    if metric.canonical != fields["metric"]:
        raise InvalidInput(f"{where}: metric is {fields['metric']!r}; expected {metric.canonical!r}")


def _read_invariants(value: Any, script: Script, where: str) -> dict[int, Invariant]:
    loops = {str(k): k for k, segment in enumerate(script.segments) if isinstance(segment, Many)}
    fields = _fields(value, f"{where}.invariants", tuple(loops))
    return {
        k: [read_binding(b, f"{where}.invariants.{key}") for b in _list(fields[key], key)] for key, k in loops.items()
    }
