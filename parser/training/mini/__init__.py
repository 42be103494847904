"""Train the mini parser."""
