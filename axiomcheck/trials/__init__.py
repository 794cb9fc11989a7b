"""Try an external metric before its cells are decided: that it is one function, and a pure one."""
