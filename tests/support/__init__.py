"""Toys, tiny models and references that several test files share."""
