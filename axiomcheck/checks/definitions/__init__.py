"""Search for the known definition that the scores of a metric follow, and for their departures from it."""
