"""English of words that the network's labels lack, from the dictionaries."""

from linearize.frames import first_frame
from parser.mini.rules.dictionaries import shares_of


def english(word: str, lang: str, acting: bool) -> str | None:
    """Return the concept of a word: its likeliest English, as a frame if it is ``acting``; ``None`` without.

    Example:
        >>> english("singen", "de", acting=True), english("singen", "xx", acting=True)
        ('sing-01', None)
    """
    shares = shares_of(word, lang)
    if not shares:
        return None
    best = max(shares, key=lambda one: shares[one])
    frame = first_frame(best)
    return frame if acting and frame else best
