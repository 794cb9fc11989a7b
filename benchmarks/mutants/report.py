"""What came of a run, as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mutants.judging import LAYERS, Judgement

__all__ = ["report"]


def report(judgements: Sequence[Judgement]) -> str:
    """Totals, a table per operator and per row, survivors and crashes."""
    parts = [_totals(judgements), _table(judgements, "operator", lambda j: j.mutant.operator)]
    parts.append(_table(judgements, "row", lambda j: j.mutant.row))
    survivors = [j for j in judgements if not j.killed]
    parts.append(f"survivors: {len(survivors)}")
    parts += [f"  {j.mutant.name}: {j.mutant.change}" for j in survivors]
    crashes = [j for j in judgements if j.crashes]
    if crashes:
        parts.append(f"errors that axiomcheck let through: {len(crashes)}")
        parts += [f"  {j.mutant.name}: {j.crashes[0].strip().splitlines()[-1]}" for j in crashes]
    return "\n".join(parts)


def _totals(judgements: Sequence[Judgement]) -> str:
    lines = [f"mutants                    {len(judgements):>5}"]
    for layer in LAYERS:
        noticed = [j for j in judgements if j.kills[layer]]
        alone = sum(not any(j.kills[other] for other in LAYERS if other != layer) for j in noticed)
        lines.append(f"killed by {layer:<16} {len(noticed):>5}   by nothing else {alone:>4}")
    for status in ("disagreement", "error"):
        only = sum(bool(j.kills["axioms"]) and all(f" {status}: " in k for k in j.kills["axioms"]) for j in judgements)
        lines.append(f"  axioms: by {status:<14} {only:>6}   (no verdict differs otherwise)")
    axioms_or_checks = sum(bool(j.kills["axioms"] or j.kills["checks"]) for j in judgements)
    lines.append(f"killed without a reference {axioms_or_checks:>5}")
    lines.append(f"killed by any              {sum(j.killed for j in judgements):>5}")
    return "\n".join(lines) + "\n"


def _table(judgements: Sequence[Judgement], what: str, key: Callable[[Judgement], str]) -> str:
    groups: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        groups.setdefault(key(judgement), []).append(judgement)
    lines = [f"{what:<26}{'mutants':>8}{'axioms':>8}{'checks':>8}{'reference':>11}{'any':>6}"]
    for name, group in groups.items():
        axioms, checks, reference = (sum(bool(j.kills[layer]) for j in group) for layer in LAYERS)
        killed = sum(j.killed for j in group)
        lines.append(f"{name:<26}{len(group):>8}{axioms:>8}{checks:>8}{reference:>11}{killed:>6}")
    return "\n".join(lines) + "\n"
