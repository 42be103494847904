"""Define what is measured: one module or folder per task."""
