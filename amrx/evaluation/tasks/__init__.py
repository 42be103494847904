"""Define the evaluation tasks, one module or folder per task."""
