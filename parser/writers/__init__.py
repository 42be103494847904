"""Parse with a fine-tuned language model that writes the graph: BART or mBART-50, or a decoder alone."""
