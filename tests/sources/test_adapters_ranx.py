"""ranx: a run without a ranking."""

from importlib import import_module

import pytest

from axiomcheck.sources.external_metrics import FloatTopic
from tests.sources.adapters_topics import found

pytestmark = pytest.mark.extra("ranx")


def test_no_ranking_at_all() -> None:
    topic = FloatTopic((1.0,), {"d1": (1.0,)})
    assert found("ranx", "ndcg@5").score_rankings([(topic, []), (topic, [])]) == [0.0, 0.0]
    with pytest.raises(ValueError, match="empty"):  # what ranx itself says of that, as the notes have it
        import_module("ranx").Run({"q": {}})
