"""Train the sequence-to-sequence parser."""
