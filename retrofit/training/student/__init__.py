"""Train the graph-free student."""
