"""Cache of finished work in a file, which lets a repeated run resume."""
