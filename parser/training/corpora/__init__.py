"""Readers of the open data that the parser learns from and is judged on (layout: README of the data)."""
