"""Train parsers: corpora, constructed sentences, recipes, one folder per parser."""
