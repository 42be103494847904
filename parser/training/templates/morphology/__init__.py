"""Inflection of Turkish and Arabic, for captions and constructed sentences."""
