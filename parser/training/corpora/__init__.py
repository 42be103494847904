"""Read the open data for training and evaluation of the parser (layout: README of the data)."""
