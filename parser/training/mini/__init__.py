"""Train the one-pass parser."""
