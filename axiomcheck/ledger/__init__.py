"""Cache finished work in a file, so that a repeated run can load it."""
