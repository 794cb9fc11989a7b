"""Test, before cells are decided, that an external metric is a function of the topic and the ranking alone."""
