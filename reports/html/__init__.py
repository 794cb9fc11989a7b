"""Reports as pages for a browser: one file each that needs nothing beside it."""
