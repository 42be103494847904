"""Measure the geometry of multilingual vectors."""
