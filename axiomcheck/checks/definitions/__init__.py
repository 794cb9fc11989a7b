"""Name the known definition that a metric's scores follow, and where they depart from it."""
