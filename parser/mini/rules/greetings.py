"""Read the sentence behind a greeting without it; write greetings and closings as AMR writes exclamations.

::

    Good morning, my invoice is wrong.
    read     My invoice is wrong.
    elected  (w / wrong-04 :ARG1 (i / invoice :poss i) :mod (h / hello :mode expressive))

    Kind regards, Anna Schmidt
    elected  (r / regard :mode expressive :source (p / person :name (n / name :op1 "Anna" ...)))

A network that saw few greetings takes them for part of what happens: *in the good morning*, or *Buenos días*
as the time of an order. All greetings are *hello*, so that the graphs of several languages agree.
"""

from __future__ import annotations

import re
from functools import cache

import penman

from amrx.composed_text import Composed, compose
from parser.graphs.triples import Triple, free_variable, laid_out

_GREETINGS = {
    "ar": "مرحبًا|مرحباً|مرحبا|أهلًا|أهلاً|أهلا|السلام عليكم|صباح الخير|مساء الخير",
    "bg": "здравейте|здравей|добър ден|добро утро|добър вечер|привет",
    "ca": "hola|bon dia|bona tarda|bona nit", "cs": "dobrý den|dobré ráno|dobrý večer|ahoj|zdravím",
    "da": "hej|hallo|god ?morgen|god ?dag|god ?aften",
    "de": r"hallo|hi|hey|guten (?:tag|morgen|abend)|moin|servus|grüß gott|grüezi|grüß dich"
    r"|sehr geehrte (?:damen und herren|kund\w+)|liebe(?:s team| kolleg\w+)",
    "el": "γεια σας|γεια σου|γεια|καλημέρα|καλησπέρα|χαίρετε",
    "en": "hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings"
    "|dear (?:sirs?(?:(?: or |/)madam)?|madam|all|team|colleagues?|customer service|support(?: team)?)",
    "es": "hola|buenos días|buen día|buenas tardes|buenas noches|buenas"
    "|estimad[oa]s? (?:señor(?:es|as?)?(?: y señoras)?|equipo)|muy señores míos",
    "fa": "سلام|درود|صبح بخیر", "fi": "hei|moi|terve|hyvää (?:päivää|huomenta|iltaa)|päivää|huomenta",
    "fr": "bonjour|bonsoir|salut|coucou"
    "|madame,? monsieur|mesdames(?:,| et) messieurs|chers? (?:tous|collègues?)",
    "he": "שלום|היי|בוקר טוב|ערב טוב",
    "hi": "नमस्ते|नमस्कार", "hu": "jó napot(?: kívánok)?|jó (?:reggelt|estét)|szia|sziasztok|üdvözlöm",
    "id": "halo|hai|selamat (?:pagi|siang|sore|malam)",
    "it": "ciao|buon ?giorno|buona ?sera|buon pomeriggio|salve"
    "|gentil[ei] signor[ie]|egregi signori",
    "ja": "こんにちは|おはようございます|こんばんは"
    "|拝啓|ご担当者様", "ko": "안녕하세요|안녕하십니까|안녕",
    "nb": "hei|hallo|god ?(?:morgen|dag|kveld)",
    "nl": "hallo|hoi|hé|dag|goede(?:n|n?dag|morgen|middag|navond)"
    "|geachte (?:heer(?: of |/|,? )mevrouw|klantenservice)",
    "pl": "dzień dobry|dobry wieczór|cześć|witam|witajcie|hej"
    "|szanowni państwo", "pt": "olá|oi|bom dia|boa (?:tarde|noite)"
    "|prezad[oa]s (?:senhores|senhoras)(?: e senhor[ae]s)?",
    "ro": "bună ziua|bună dimineața|bună seara|bună|salut",
    "ru": "здравствуйте|здравствуй|привет|добрый (?:день|вечер)|доброе утро|доброго (?:дня|времени суток)"
    "|уважаемые (?:дамы и господа|господа|коллеги)",
    "sk": "dobrý deň|dobré ráno|dobrý večer|ahoj|zdravím", "sv": "hej|hejsan|hallå|god ?(?:morgon|dag|kväll)"
    "|bästa kundtjänst",
    "th": "สวัสดี(?:ครับ|ค่ะ)?", "tr": "merhaba(?:lar)?|selam(?:lar)?|[iİ]yi (?:günler|akşamlar)|günaydın"
    "|sayın (?:yetkili|ilgili)",
    "uk": "добрий (?:день|вечір|ранок)|доброго (?:дня|ранку|вечора)|привіт|вітаю"
    "|шановні (?:пані та панове|панове|колеги)",
    "vi": "xin chào|chào", "zh": "你好|您好|大家好|(?:早上|上午|下午|晚上)好"
    "|尊敬的(?:先生|女士|客服|先生或女士|先生/女士)",
}  # fmt: skip
"""Greetings that begin a message."""
_CLOSINGS = {
    "cs": "s pozdravem", "da": "(?:med )?venlig hilsen|hilsen|mvh",
    "de": "(?:mit )?(?:freundliche|beste|herzliche|viele|liebe|schöne)n? grü(?:ß|ss)en?|hochachtungsvoll|mfg",
    "en": "(?:with )?(?:kind|best|warm|kindest|warmest) (?:regards|wishes)|regards"
    "|yours (?:sincerely|faithfully|truly)|sincerely(?: yours)?|all the best",
    "es": "(?:un )?(?:cordial|atento)? ?saludos?(?: cordial(?:es)?)?|atentamente",
    "fr": "(?:bien )?cordialement|(?:sincères|meilleures) salutations|bien à vous",
    "it": "(?:(?:cordiali|distinti|cari) )?saluti",
    "nb": "(?:med )?vennlig hilsen|hilsen|mvh",
    "nl": "(?:met )?(?:vriendelijke|hartelijke) groet(?:en)?|groet(?:en|jes)|hoogachtend",
    "pl": "z poważaniem|pozdrawiam|z pozdrowieniami",
    "pt": "atenciosamente|(?:com os melhores )?cumprimentos",
    "ru": "с уважением|с наилучшими пожеланиями", "sv": "(?:med )?vänliga? hälsning(?:ar)?|hälsningar|mvh",
    "tr": "saygılarım(?:ız)?la", "uk": "з повагою|з найкращими побажаннями", "zh": "此致|此致敬礼|祝好",
}  # fmt: skip
"""Closings that end a letter, before the name."""
_ALL = {
    "de": "zusammen|alle|(?:liebes )?team", "en": "all|everyone|everybody|there|team|folks|guys",
    "es": "a todos|a todas|equipo", "fr": "à tous|à toutes et à tous|madame|monsieur", "it": "a tutti",
    "nl": "allemaal|iedereen|team", "pl": "wszystkim|państwu", "pt": "a todos|pessoal|equipe", "ru": "всем",
    "sv": "alla",
}  # fmt: skip
"""Words without a name for those who are greeted."""
_GREETED = "hello"


def without_greeting(composed: Composed, lang: str) -> Composed:
    """Return a text without the greeting that it begins with; the same object if it has none.

    Example:
        >>> without_greeting(compose("Guten Tag, ich warte noch."), "de").text
        'Ich warte noch.'
    """
    match = _begun(composed.text, lang)
    if match is None:
        return composed
    first = match.end()
    return composed.with_replaced([((0, first + 1), composed.text[first].upper())])


def with_greeting(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the greeting that its sentence begins with; the same object if it has none.

    Example:
        >>> graph = with_greeting(penman.decode("(w / wait-01 :ARG1 (i / i))"), "Hallo, ich warte.", "de")
        >>> print(penman.encode(graph, indent=None))
        (w / wait-01 :ARG1 (i / i) :mod (h / hello :mode expressive))
    """
    concepts = {str(concept) for _, _, concept in graph.instances()}
    if _GREETED in concepts or _begun(compose(text).text, lang) is None:
        return graph
    node = free_variable(_GREETED[0], graph.variables())
    added = [(graph.top, ":mod", node), (node, ":instance", _GREETED), (node, ":mode", "expressive")]
    return laid_out([*graph.triples, *added], graph.top)


def with_closing(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return the graph of a sentence that only closes a letter; the same object for all other sentences.

    Example:
        >>> graph = penman.decode("(r / regard-01 :ARG0 (c / child))")
        >>> graph = with_closing(graph, "Kind regards, Anna", "en")
        >>> print(penman.encode(graph, indent=None))
        (r / regard :mode expressive :source (p / person :name (n / name :op1 "Anna")))
    """
    name = r"(?:[^\W\d_][\w.'’-]*\s?){1,4}"
    closing = rf"\W*(?i:{_CLOSINGS.get(lang, '(?!)')})(?:\s*[,.!，]?\s*(?P<name>{name}))?\W*"
    closed = re.fullmatch(closing, text)
    words = re.sub(r"(?<=\w{2})\.$", "", closed["name"] or "").split() if closed else []
    if closed is None or not all(word[0].isupper() or word[0].upper() == word[0] for word in words):
        return graph
    triples: list[Triple] = [("r", ":instance", "regard"), ("r", ":mode", "expressive")]
    if words:
        triples += [("r", ":source", "p"), ("p", ":instance", "person"), ("p", ":name", "n")]
        triples.append(("n", ":instance", "name"))
        triples += [("n", f":op{number}", f'"{word}"') for number, word in enumerate(words, start=1)]
    return laid_out(triples, "r")


def _begun(text: str, lang: str) -> re.Match[str] | None:
    """Match the greeting up to the first letter of what follows."""
    pattern = _pattern(lang)
    return pattern.match(text) if pattern else None


@cache
def _pattern(lang: str) -> re.Pattern[str] | None:
    if lang not in _GREETINGS:
        return None
    one = rf"(?:{_GREETINGS[lang]})"
    all_ = _ALL.get(lang, one)
    # several greetings may follow each other
    sign = r"(?:\s*[,!.:–—-]+(?=\s)|[，、！。،])+\s*"
    # several greetings may follow each other
    begun = rf"\W*(?:{one}(?:,? (?:{all_}))?{sign})+(?=[^\W_])(?!(?:{one}|{all_})\W*$)"
    return re.compile(begun, re.IGNORECASE)
