"""ranx: a run without a ranking, and scores that are the same once numba has compiled it."""

import json
import os
import subprocess
import sys
from importlib import import_module

import pytest

from axiomcheck.sources.external_metrics import FloatTopic
from tests.sources.adapters_topics import assert_same, found, random_cases
from tests.support.suites import exhaustive
from tests.support.transcripts import ROOT

pytestmark = pytest.mark.extra("ranx")

COMPILED = """
import json, sys
from tests.sources.adapters_topics import found, random_cases
metrics = [found("ranx", text) for text in sys.argv[1:]]
print(json.dumps([metric.score_rankings(random_cases(metric, 30)) for metric in metrics]))
"""


def test_no_ranking_at_all() -> None:
    topic = FloatTopic((1.0,), {"d1": (1.0,)})
    assert found("ranx", "ndcg@5").score_rankings([(topic, []), (topic, [])]) == [0.0, 0.0]
    with pytest.raises(ValueError, match="empty"):  # what ranx itself says of that, as the notes have it
        import_module("ranx").Run({"q": {}})


@exhaustive
def test_compiled_scores_are_those_of_its_python_code() -> None:
    texts = ["mrr"]  # the quickest to compile, of which most take a minute
    environment = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-W", "ignore", "-c", COMPILED, *texts]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    for text, scores in zip(texts, json.loads(done.stdout), strict=True):
        metric = found("ranx", text)
        assert_same(scores, metric.score_rankings(random_cases(metric, 30)))
