"""A gate's result as GitHub workflow commands, which annotate the lines of a pull request."""

from __future__ import annotations

from axiomcheck.core.printable import escaped
from axiomcheck.gating.run import GateResult
from axiomcheck.gating.where import where


def to_annotations(result: GateResult) -> list[str]:
    """One line per broken expectation."""
    lines = []
    for judged in result.broken:
        file, line = where(result.contract, judged.metric)
        title = _property(f"{judged.metric}: {judged.asked}")
        lines.append(f"::error file={_property(file)},line={line},title={title}::{_data(judged.message)}")
    return lines


def _data(text: str) -> str:
    return escaped(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
