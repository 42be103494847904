"""Match two graphs, list their differences, group equal ones."""
