"""Search for the known definition that a metric's scores follow, and for departures from it."""
