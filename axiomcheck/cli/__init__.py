"""The commands of the command line, one module each; each imports what it uses when it runs."""
