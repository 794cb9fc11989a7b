"""Replay reports: check every verdict, witness and certificate in a report again.

`axiomcheck.decide.witness` confirms witnesses, and `axiomcheck.proof.check` checks certificates. This package checks
that both belong to their cells and support the verdicts. Statistics of the search are accepted as reported.
"""
