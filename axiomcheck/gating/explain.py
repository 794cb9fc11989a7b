"""Why a cell differs from the contract: the metric changed, the search did, or what surrounds both."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from axiomcheck.gating.expectations import Contract, MetricContract
from axiomcheck.sources.fingerprint import Fingerprint


def search_differences(contract: Contract) -> list[str]:
    """How the search differs from the one that the contract was recorded with, in words."""
    recorded = contract.recorded
    if recorded is None:
        return []
    now = {
        "axiomcheck": (recorded.version, version("axiomcheck")),
        "seed": (recorded.seed, contract.settings.seed),
        "examples": (recorded.examples, contract.settings.examples),
    }
    return [f"{what} {before}, now {after}" for what, (before, after) in now.items() if before != after]


def package_differences(contract: Contract, packages: Mapping[str, str]) -> list[str]:
    """Which of a metric's packages differ from those that the contract was recorded with, in words."""
    recorded = contract.recorded.packages if contract.recorded else {}
    return [
        f"{name} {recorded[name]}, now {after}"
        for name, after in packages.items()
        if name in recorded and recorded[name] != after
    ]


def cause(contract: Contract, metric: MetricContract, found: Fingerprint, axiom: str | None = None) -> str:
    """A sentence on what changed since the contract was recorded; empty if it never was.

    Args:
        contract: with what it was recorded with.
        metric: that was judged.
        found: what its code is now.
        axiom: that it was asked about, where that is none of the ten, whose code may have changed, too.

    """
    if metric.source is None or contract.recorded is None:
        return ""
    search = search_differences(contract)
    packages = package_differences(contract, found.packages)
    if metric.source != found.code:
        others = (
            f" So did the search or its surroundings ({'; '.join(search + packages)})." if search + packages else ""
        )
        return f"The metric's code changed since it was recorded.{others}"
    if packages:
        also = f", and the search differs ({'; '.join(search)})" if search else ""
        return f"The metric's code is as recorded; installed packages changed ({'; '.join(packages)}){also}."
    if search:
        return f"The metric's code is as recorded; it is the search that changed ({'; '.join(search)})."
    return (
        "The metric's code, its packages, axiomcheck, seed and budget are as recorded: "
        f"{f'the axiom {axiom} changed, ' if axiom else ''}the contract was edited by hand, or the metric depends on "
        "something else, such as a data file."
    )
