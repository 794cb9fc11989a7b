"""Replay of reports: every verdict, witness and certificate is checked again.

`axiomcheck.decide.witness` and `axiomcheck.proof.check` check witnesses and certificates themselves. This package
checks that both belong to their cells and show the cells' verdicts. Statistics are accepted as reported.
"""
