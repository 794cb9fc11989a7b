"""What is looked at besides single cells: a metric's whole row, the contract checks, its nearest neighbours."""
