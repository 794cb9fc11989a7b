"""Replay reports: check every verdict, witness and certificate in a report again.

`axiomcheck.decide.witness` and `axiomcheck.proof.check` check witnesses and certificates themselves. This package
checks that both belong to their cells and support their verdicts. Statistics of the search are accepted as reported.
"""
