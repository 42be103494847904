"""Retrieve nearest neighbours by cosine."""
