"""Run a parser over many sentences: streams, process pools, Ray, the parse cache."""
