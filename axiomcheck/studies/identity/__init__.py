"""Whether two metrics are the same: equal, proportional, of one order, or different, with a proof or a witness."""
