"""Train the causal parser."""
