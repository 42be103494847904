"""Find the English names of places and peoples that a sentence mentions in its own language, by CLDR.

::

    Deutschland, deutsche (de)   "Germany"
    Roma (it)                    "Rome"
    Naciones Unidas, ONU (es)    "United" "Nations", "UN"
    Corte Suprema (it)           "Supreme" "Court", as all words of `GENERIC`

AMR graphs have English names of places, and translate common nouns inside names. A name that is neither in
the sentence nor in these tables is invented.
"""

import os.path
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from amrx.composed_text import WORD
from parser.mini.rules.locales import locale_of

_DOTS = str.maketrans("", "", ".\"'’")
_LEAST = 4
_ALIASES = {
    "US": "U.S. US USA America American", "GB": "Britain British UK U.K. England", "UN": "UN U.N.",
    "EU": "EU E.U.", "019": "America", "TR": "Turkey", "KR": "South Korea", "KP": "North Korea",
}  # fmt: skip
"""Usual names of territories, in addition to CLDR's."""
_BEGINNINGS = {
    "US": "eeuu usa estadounid statunit etasun etats-unis", "UN": "onu vn", "NATO": "otan nato", "EU": "ue",
    "GB": "britan britis brit", "Egypt": "egipc egizi egyp agyp", "Saudi Arabia": "saudi saoud saudit",
    "Palestine Palestinian": "palestin palastin", "Scotland Scottish": "escoc scoz schott ecoss",
    "Chechnya": "chechen cecen tschetsch tchetch",
    "Islam Islamism Islamic Muslim": "islam musulm muslim moslem", "Christian": "cristian christ chretien",
    "Jew": "judi jude juif ebre", "Kurd Kurdish": "kurd curd", "Catholic": "catol cattol kathol",
    "Democrat Democratic": "democ demok", "Republican": "repub", "Communist": "comun kommun commun",
    "Olympics Olympic": "olimp olymp", "Mr.": "senor signor herr monsieur",
    "Mrs. Ms. Miss": "senora signora frau madame", "Christmas": "navid natal weihnacht noel",
}  # fmt: skip
"""Prefixes of words, or whole words of up to three letters, for peoples, religions and the like."""
GENERIC = frozenset(
    """
    & academy administration agency air airport and army assembly association authority bank bay beach big
    board building business center central church city coast college commission committee company
    conference congress control corporation council county court cup defense department district east
    eastern education empire energy exchange federal federation first for force forces foreign foundation
    fund general great group gulf hall health high hospital house human in index information institute
    international island islands joint journal justice kingdom labor lake league market medicine middle
    military minister ministry mountain mountains museum national nature navy network new news north
    northern northwest ocean of office old order organization palace park parliament party peace police
    president press prime prize public republic reserve rights river road royal school science sea second
    security senate social society south southern southwest square state states station stock street
    supreme system technology the third trade treasury treaty union united university village war west
    western white world
    """.split()
)
"""Plain forms of common nouns and similar words in English names."""


def plain_form(word: str) -> str:
    """Return a word in lower case without marks and dots.

    Example:
        >>> plain_form("U.S."), plain_form("Irán")
        ('us', 'iran')
    """
    letters = word.casefold()
    if not letters.isascii():
        letters = "".join(c for c in unicodedata.normalize("NFD", letters) if not unicodedata.combining(c))
    return letters.translate(_DOTS)


def english_places(words: Iterable[str], lang: str) -> frozenset[str]:
    """Return the plain forms of the English names of the places mentioned in a sentence.

    A place is mentioned if the sentence contains each longer word of its name, also in an inflected or
    derived form (both share the whole name, or at least five letters and all but three letters of the shorter
    one); or if it contains the name of the place's main language.

    Example:
        >>> sorted(english_places(["Die", "deutschen", "Züge", "nach", "Rom"], "de"))
        ['germany', 'rome']
    """
    forms = {plain_form(part) for word in words for part in (word, *word.split("-"))}
    english = set[str]().union(*(_peoples().get(begin, ()) for form in forms for begin in _beginnings(form)))
    places = _places(lang)
    for start in {form[:3] for form in forms}:
        for name, translations in places.get(start, ()):
            if all(any(is_form(word, form) for form in forms) for word in name):
                english |= translations
    return frozenset(english)


def _beginnings(form: str) -> Iterator[str]:
    """Yield the form itself if it is short, and its longer prefixes."""
    if len(form) < _LEAST:
        yield form
    for length in range(_LEAST, len(form) + 1):
        yield form[:length]


@cache
def _peoples() -> Mapping[str, set[str]]:
    """Return the plain forms of the English names in `_BEGINNINGS`, by prefix."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for english, begins in _BEGINNINGS.items():
        for begin in begins.split():
            names[begin].update(map(plain_form, _ALIASES.get(english, english).split()))
    return dict(names)


def is_form(name: str, word: str) -> bool:
    """Return whether a word is a form of a name."""
    if name[:3] != word[:3] or len(name) < _LEAST:
        return name == word
    common = len(os.path.commonprefix((word, name)))
    return common == len(name) or (common > _LEAST and common >= min(len(word), len(name)) - 3)


@cache
def _places(lang: str) -> Mapping[str, list[tuple[tuple[str, ...], set[str]]]]:
    """Return place names of a language with their English names, by the first three letters.

    A name consists of its longer words, or of all words if none is long.
    """
    from babel.core import Locale, get_global

    own = locale_of(lang)
    if own is None:
        return {}
    english = Locale.parse("en")
    places: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)

    def add(name: str, *translations: str) -> None:
        words = [plain_form(word) for word in WORD.findall(name)]
        key = tuple(word for word in words if len(word) >= _LEAST) or tuple(words)
        if key:
            places[key].update(plain_form(word) for text in translations for word in text.split())

    for code, name in own.territories.items():
        add(name, english.territories.get(code, ""), _ALIASES.get(code, ""))
    for zone, forms in own.time_zones.items():
        if "city" in forms:
            add(str(forms["city"]), zone.rpartition("/")[2].replace("_", " "))
    likely = get_global("likely_subtags")
    for language, name in own.languages.items():
        territory = likely.get(language, "").rpartition("_")[2]
        # only the main language of a territory: Cornish does not imply Britain
        main = likely.get(f"und_{territory}", "").partition("_")[0] == language
        if main and len(WORD.findall(name)) == 1:
            add(name, english.territories.get(territory, ""), _ALIASES.get(territory, ""))
    by_start: defaultdict[str, list[tuple[tuple[str, ...], set[str]]]] = defaultdict(list)
    for name, translations in places.items():
        by_start[name[0][:3]].append((name, translations))
    return dict(by_start)
