"""What is tried of a metric from outside before its cells are decided: whether it is one function, and a pure one."""
