"""Train the parsers that write graphs: one module per recipe."""
