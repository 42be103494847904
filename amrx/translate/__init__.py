"""Translate sentences with OPUS-MT or mBART-50."""
