"""Names of measures that runs are scored by and that no axiom is asked of: `axiomcheck.runs.trec.measures` has them.

What they depend on besides grades (which documents were judged at all, which of the pool were) a topic of the axioms
does not have, or they are there for comparison with other tools only.
"""

from __future__ import annotations

_JUDGING = "it depends on which documents were judged, of which the axioms say nothing"
_COMPARED = "it is there for comparison with other tools, without verdicts"

RUN_MEASURES: dict[str, str] = {
    "R": _COMPARED,
    "Rprec": _COMPARED,
    "Success": _COMPARED,
    "SetP": _COMPARED,
    "SetR": _COMPARED,
    "SetF": _COMPARED,
    "SetAP": _COMPARED,
    "Bpref": _JUDGING,
    "infAP": _JUDGING,
    "Judged": _JUDGING,
}
"""Name, as ir_measures spells it -> why it has no axiom row."""
