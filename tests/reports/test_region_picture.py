"""Pictures of regions: what is drawn is inside the range, and the legend names no more than that."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import pytest

import axiomcheck
from tests.support.suites import quality

pytestmark = [quality, pytest.mark.extra("matplotlib")]


def legend_and_picture(metric: str, over: dict[str, tuple[Any, Any]]) -> tuple[str, Any]:
    """The texts of the SVG, and the pixels of the PNG."""
    from matplotlib.image import imread

    result = axiomcheck.region(metric, "CloseTh", over)
    texts = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", result.picture(".svg").decode()))
    return texts, imread(io.BytesIO(result.picture(".png")), format="png")[:, :, :3]


@pytest.mark.parametrize("over", [{"k": (1, 3)}, {"p": (0.6, 0.7), "k": (1, 3)}, {"p": (0.7, 0.85), "k": (1, 3)}])
def test_values_of_the_metric_outside_the_range_are_neither_drawn_nor_named(over: dict[str, Any]) -> None:
    """Drawn, a mark at k = 20 made the picture of k = 1 to 3 a fifth of its width."""
    texts, pixels = legend_and_picture("RBP@20", over)
    assert "k = 20" not in texts
    assert ("p = 0.8" in texts) is (over.get("p", (0, 0))[1] > 0.8)
    coloured = (pixels.max(axis=2) - pixels.min(axis=2) > 0.3).mean(axis=0) > 0.2
    assert coloured[-int(0.1 * len(coloured)) : -20].all()


def test_the_legend_names_the_verdicts_that_occur() -> None:
    assert " refuted" not in f" {legend_and_picture('RBP', {'p': (0.8, 0.9)})[0]}"
    assert "proved" not in legend_and_picture("RBP", {"p": (0.6, 0.7)})[0]


def test_names_are_text() -> None:
    """Neither mathematics, nor markup, nor longer than the picture."""

    class Hostile(type(axiomcheck.parse("RBP"))):  # type: ignore[misc]
        name = "$x^$ <b>" + "n" * 500

    picture = axiomcheck.reports.region_report.region_picture  # type: ignore[attr-defined]
    region = axiomcheck.region("RBP", "CloseTh", {"p": (0.6, 0.9)}).region
    svg = picture(replace(region, subject=Hostile.name), ".svg").decode()
    assert "$x^$ &lt;b&gt;nnn" in svg
    assert "n" * 100 not in svg
