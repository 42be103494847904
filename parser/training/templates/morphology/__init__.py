"""Inflect Turkish and Arabic words for captions and constructed sentences."""
