"""Run a parser over many sentences: streams, the parse cache, and engines, which the retrofit uses too."""
