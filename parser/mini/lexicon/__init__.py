"""English of words that the network's labels lack."""
