"""Keep what contract checks found of a metric in a ledger: `check` and `gate` read what either of them kept.

Content that is not of exactly the form that is written here is as if it were not there, whoever sealed it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from axiomcheck.checks.as_fold import ProposedFold
from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.core.documents import document_of, read
from axiomcheck.core.errors import InvalidInput
from axiomcheck.engine.remembered import name_in_project
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.records.inferences import Inference
from axiomcheck.sources.fingerprint import Fingerprint

_OUTCOMES, _REST = "contract checks", "inferences"


@dataclass(frozen=True)
class Examined:
    """Hold what came of trying an external metric, beside its cells.

    Args:
        contract: the contract checks' outcomes.
        notes: what verdicts on a library's measure depend on (ties, unjudged documents, integer grades).
        inferred: what probes say of what it does not declare.
        reference: the metric that it was asked to agree with; None for none.
        fold: the declared fold that a function of the user's own agrees with, if one was found.

    """

    contract: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()
    inferred: tuple[Inference, ...] = ()
    reference: str | None = None
    fold: ProposedFold | None = None


class ContractMemory:
    """Keep what contract checks found of one metric as two entries of a ledger: the outcomes, and what `check` adds.

    Args:
        ledger: the file; the caller closes it.
        metric: its canonical name.
        known: what its outcomes depend on besides the name.
        seed: of the cases.
        reference: the name of a metric that it is to agree with, and what that depends on; None without one.
        tolerance: how far apart the two may be.

    """

    def __init__(
        self,
        ledger: LedgerFile,
        metric: str,
        known: Fingerprint,
        seed: int,
        reference: tuple[str, Fingerprint] | None,
        tolerance: float,
    ) -> None:
        self._ledger, self._metric = ledger, metric
        self._fingerprints = [known, *([reference[1]] if reference else [])]
        agrees = [name_in_project(reference[0]), reference[1].key, tolerance] if reference else None
        self._asked = {"known": known.key, "metric": name_in_project(metric), "seed": seed, "reference": agrees}

    def outcomes(self) -> tuple[Outcome, ...] | None:
        """Return the outcomes of all contract checks; None if they are not there."""
        found = self._read(_OUTCOMES)
        asked = [(check.name, check.group) for check in CHECKS.values()]
        if found is None or [(outcome.check, outcome.group) for outcome in found.contract] != asked:
            return None  # one that is missing would not be missed otherwise
        return found.contract

    def keep(self, outcomes: Sequence[Outcome]) -> None:
        """Keep outcomes, unless one is an error, which may have passing causes."""
        if not any(outcome.status == "error" for outcome in outcomes):
            self._keep(_OUTCOMES, Examined(tuple(outcomes)))

    def examined(self) -> Examined | None:
        """Return all that `check` tells beside the cells; None if a part of it is not there."""
        outcomes, rest = self.outcomes(), self._read(_REST)
        return None if outcomes is None or rest is None else replace(rest, contract=outcomes)

    def keep_examined(self, examined: Examined) -> None:
        """Keep all that `check` tells beside the cells."""
        self.keep(examined.contract)
        self._keep(_REST, replace(examined, contract=()))

    def _read(self, what: str) -> Examined | None:
        if any(known.unkept for known in self._fingerprints):
            return None
        content = self._ledger.get(key_of(what=what, **self._asked))
        try:
            found = None if content is None else read(Examined, content, what)
        except InvalidInput:
            return None
        # An entry that nothing here has is left out by reading.
        return found if found is not None and document_of(found) == content else None

    def _keep(self, what: str, found: Examined) -> None:
        if any(known.unkept or not known.is_current for known in self._fingerprints):
            return
        with contextlib.suppress(TypeError, ValueError):  # nothing that JSON has
            about = {"kind": what, "metric": self._metric}
            self._ledger.put(key_of(what=what, **self._asked), document_of(found), about=about)
