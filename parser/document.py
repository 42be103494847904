"""Parse texts of several sentences: the parser ``split:PARSER``.

::

    "It rains. Tom sleeps."  ──sentencex──> "It rains."  "Tom sleeps."  ──PARSER──> two graphs
    (m / multi-sentence :snt1 (r / rain-01) :snt2 (s / sleep-01 :ARG0 (p / person ...)))

Markup is left out first (`parser.markup`). A text of one sentence gets the inner parser's graph. A sentence
that is too long for that parser is split at the clause mark nearest to its middle, or else at the space
nearest to it, until every part fits.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

import penman
from penman.models.amr import model as amr_model
from penman.tree import Tree
from sentencex import get_sentence_boundaries

from amrx.composed_text import Composed, Span
from amrx.device import progress as bar
from amrx.langid import fill_languages
from amrx.types import Parse, Parser, Sentence
from parser.markup import read_markup
from parser.protocols import CUT, UNKNOWN_LANGUAGE, TextParser, search
from parser.run.stream import failed_parse, parse_stream

LAW = "4"
"""Version of splitting and joining; part of the fingerprint."""
_CLAUSE = re.compile(r"[;:,،；：，、؛—–]\s*|\s+[-–—]\s+")
_BLANK = re.compile(r"\s+")
_WORDS = {
    "cs": "nám|pod|tu", "da": "del|din|form|med|ned|par|sort|ti|to|var|vær", "de": "mag|mich|ok", "en": "me",
    "es": "auto|bien|contra|extra|mar|no|nos|post|super", "hu": "ma|mi|ne|nem|se", "id": "ia|kan",
    "it": "ali|app|bar|cd|ci|dia|fa|fai|file|grano|li|ma|mai|me|mi|no|pc|po|pop|sa|sai|set|sia|sms|so|te|tv"
    "|usa|va|vi|via",
    "nb": "del|det|kan|med|min|ord|ut", "nl": "app|bel|best|dat|get|hand|me|pan|pas|red|top",
    "pl": "dniem|port", "pt": "vi", "ro": "alta|ore|sens|va", "ru": "муж",
    "sv": "del|det|hon|ida|kan|maj|med|min|ord|sen|ut|va", "tr": "al|kan|ok|sen|ver",
}  # fmt: skip
"""Words at the end of sentences that sentencex takes for abbreviations."""
_GREETINGS = (
    "hello|hi|hey|dear|good (?:morning|afternoon|evening|day)|hallo|guten (?:morgen|tag|abend)|moin"
    "|liebe[rs]?|hola|buen[oa]s (?:días|tardes|noches)|bonjour|bonsoir|salut|coucou|ciao|salve"
    "|buon ?(?:giorno|asera)|olá|oi|bom dia|boa (?:tarde|noite)|goede(?:morgen|middag|navond|ndag)|hej"
    "|god (?:dag|morgon|kväll)|cześć|dzień dobry|witam|ahoj|dobrý den|szia|bună ziua|salutare|merhaba"
    "|selam|привет|здравствуйте|добрый (?:день|вечер)|вітаю|добрий день|здравей|γεια(?: σας)?|καλημέρα"
    "|xin chào|chào|halo|selamat (?:pagi|siang|sore|malam)"
)
_GREETING = re.compile(rf"(?:{_GREETINGS})(?: \w+){{0,3}}", re.IGNORECASE)
_CLOSING = re.compile(
    "(?:Kind|Best|Warm) (?:regards|wishes)|Regards|Yours (?:sincerely|faithfully)|(?:Many )?[Tt]hanks"
    "|Thank you|Mit (?:freundlichen|besten|herzlichen) Grüßen|(?:Viele|Beste|Liebe|Herzliche) Grüße|Danke"
    "|Vielen Dank|(?:Bien )?[Cc]ordialement|Merci(?: d'avance)?|(?:Un )?[Ss]aludos?|Atentamente"
    "|(?:Muchas )?[Gg]racias|(?:Cordiali|Distinti) saluti|Grazie|Atenciosamente|Cumprimentos|Obrigad[oa]"
    "|Met vriendelijke groet(?:en)?|(?:Vänliga|Med vänliga) hälsningar|Z poważaniem|Pozdrawiam"
    "|С уважением|Спасибо|Saygılarımla|Teşekkürler"
)
_CAPITAL_NOUNS = ("de", "lb")
"""Languages whose nouns begin with a capital."""
_NARROWEST = 30
"""Minimum width, in characters, of hard-wrapped text."""
_SLACK = 0.75
"""Share of the longest line; a wrapped line that is shorter with the next word is not taken for wrapped."""
WINDOW = 4_000
"""Number of characters that are split into sentences at a time."""
_SHORTEST = 12
"""Minimum number of characters of a part of a long sentence."""

Branch = tuple[str, object]


def sentence_spans(text: str, lang: str) -> list[Span]:
    """Return the spans of the sentences of a text, without surrounding spaces.

    A part without a letter, such as the number of a list item, is joined to the next sentence.

    Example:
        >>> text = "Dr. Smith left at 5 p.m. on Friday. Then it rained."
        >>> [text[start:end] for start, end in sentence_spans(text, "en")]
        ['Dr. Smith left at 5 p.m. on Friday.', 'Then it rained.']
    """
    spans: list[Span] = []
    begin: int | None = None
    for first, last in _segments(text, lang):
        words = text[first:last]
        if not words.strip():
            continue
        begin = first + len(words) - len(words.lstrip()) if begin is None else begin
        if any(character.isalpha() for character in words):
            spans.append((begin, first + len(words.rstrip())))
            begin = None
    if begin is not None:  # no letter follows
        spans = [*spans[:-1], (spans[-1][0] if spans else begin, len(text.rstrip()))]
    return spans


def _segments(text: str, lang: str) -> Iterator[Span]:
    """Yield sentencex's segments, window by window, because its time is quadratic in the text length."""
    start = 0
    while start < len(text):
        window = _with_capitals(text[start : start + WINDOW])
        boundaries = {int(part["end_index"]) for part in get_sentence_boundaries(lang, window)}
        ends = sorted(boundaries.union(_ends_missed(window, lang)))
        if start + WINDOW < len(text) and len(ends) > 1:
            ends.pop()  # may continue in the next window
        for first, last in zip([0, *ends], ends, strict=False):
            yield start + first, start + last
        start += ends[-1] if ends else len(window)


def _ends_missed(text: str, lang: str) -> Iterator[int]:
    """Yield missed ends: of lines, after ``??``, ``!!``, and one of `_WORDS` with a stop."""
    yield from _line_ends(text, lang)
    for end in re.finditer(r"[!?]{2,}\s+(?=\w)", text):
        yield end.end()
    words = _WORDS.get(lang, "(?!)")
    for end in re.finditer(rf"(?<!\w)(?:{words})\.\s+(?=(\w))", text, re.IGNORECASE):
        if end[1].isupper():
            yield end.end()


def _line_ends(text: str, lang: str) -> Iterator[int]:
    r"""Yield the ends of lines that the writer ended, before a line with a capital or after a greeting.

    A closing formula on a line of its own begins a sentence too.

    In hard-wrapped text the next word does not fit on the line; a line with space for it was ended.

    Example:
        >>> text = "Kind regards\nTom Miller\n12 High Street"
        >>> list(_line_ends(text, "en"))
        [13, 24]
        >>> list(_line_ends("The box that I had ordered for my\nLondon office has not come yet.", "en"))
        []
    """
    for block in re.finditer(r"\S.*(?:\n.*\S.*)+", text):
        lines = list(re.finditer(r"[^\n]+", block[0]))
        width = max(_NARROWEST, _SLACK * max(len(line[0].rstrip()) for line in lines))
        for line, following in itertools.pairwise(lines):
            before, after = line[0].strip(), following[0].split()
            ended = (
                len(line[0].rstrip()) + 1 + len(after[0]) <= width and not following[0].strip().isdecimal()
            )
            greeted = _GREETING.fullmatch(before) or _begins(before, after[0], lang)
            if ended and greeted or _CLOSING.fullmatch(" ".join(after).rstrip(",.!")):
                yield block.start() + following.start()


def _begins(before: str, word: str, lang: str) -> bool:
    """Return whether a line that begins with a word may begin a sentence, after the line ``before``."""
    last = before.split()[-1]
    if not last[-1].isalnum() or not (word[0].isupper() or word[0].isdigit()):
        return False
    if last.islower() and len(last) <= 3:  # such as an article or a preposition
        return False
    return lang not in _CAPITAL_NOUNS or len(before.split()) <= 3


def _with_capitals(text: str) -> str:
    """Return a text without capitals with one after each end of a sentence, which German rules need.

    Example:
        >>> _with_capitals("die app ist kaputt. bitte helfen."), _with_capitals("Er kam z. b. mit.")
        ('die app ist kaputt. Bitte helfen.', 'Er kam z. b. mit.')
    """
    if text != text.lower():
        return text
    return re.sub(r"(?<=[.!?]\s)[^\W\d_]", lambda first: first[0].upper()[:1], text)


def halves(text: str) -> tuple[Span, Span] | None:
    """Split a sentence in two at the clause mark nearest to its middle, else at the nearest space.

    Example:
        >>> text = "When the rain had stopped, the children went home again."
        >>> [text[start:end] for start, end in halves(text)]
        ['When the rain had stopped,', 'the children went home again.']
    """
    for marks in (_CLAUSE, _BLANK):
        ends = [
            mark.end() for mark in marks.finditer(text) if _SHORTEST <= mark.end() <= len(text) - _SHORTEST
        ]
        if ends:
            middle = min(ends, key=lambda end: abs(2 * end - len(text)))
            return (0, len(text[:middle].rstrip())), (middle, len(text))
    return None


def join(parses: Sequence[Parse], spans: Sequence[Span], whole: Sentence, lang: str) -> Parse:
    """Join the parses of a text's sentences to one parse.

    ``sentences`` holds the graphs of all sentences, alignments refer to the whole text, repairs name the
    sentence, and failed sentences are left out.
    """
    branches: list[Branch] = [("/", "multi-sentence")]
    # a variable must not equal a constant, which would then be read as that node
    used = {"m", *(str(value) for parse in parses for _, _, value in parse.graph.attributes())}
    numbers, alignments = Counter[str](), dict[str, Span]()
    for parse, (start, _) in zip(parses, spans, strict=True):
        root = penman.configure(parse.graph, model=amr_model).node
        names = {variable: _free(variable, used, numbers) for variable, _, _ in parse.graph.instances()}
        for target in _sentences(root):
            branches.append((f":snt{len(branches)}", _renamed(target, names)))
        for variable, (left, right) in parse.alignments.items():
            alignments[names[variable]] = (start + left, start + right)
    graph = penman.interpret(Tree(("m", branches)), model=amr_model)
    variables = graph.variables()
    every = [(number, note) for number, parse in enumerate(parses, 1) for note in parse.repairs]
    notes = dict.fromkeys(  # the note on the language is the same for all sentences
        note if note.startswith(UNKNOWN_LANGUAGE) else f"sentence {number}: {note}" for number, note in every
    )
    return Parse(
        whole.id, whole.text, lang, graph, "repaired" if notes else "ok", tuple(notes),
        {variable: span for variable, span in alignments.items() if variable in variables},
        sentences=tuple(parse.graph for parse in parses),
        confidence=_mean_confidence(parses),
        missing=tuple(word for parse in parses for word in parse.missing),
    )  # fmt: skip


def _mean_confidence(parses: Sequence[Parse]) -> float | None:
    """Return the mean of the sentences' confidences, weighted by the number of triples."""
    total, triples = 0.0, 0
    for parse in parses:
        if parse.confidence is None:
            return None
        total += parse.confidence * len(parse.graph.triples)
        triples += len(parse.graph.triples)
    return round(total / triples, 2)


class SplitParser(TextParser):
    """Feed a parser with single sentences; is itself a parser."""

    def __init__(self, inner: Parser) -> None:
        self.inner = inner
        self.fingerprint = f"split{LAW}:{inner.fingerprint}"

    def with_beam(self, beam: int) -> SplitParser:
        """Return this parser with a search of ``beam`` beams."""
        return SplitParser(search(self.inner, beam))

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Parse texts; one ``Parse`` each, in order."""
        langs = fill_languages(records)
        plain = [read_markup(record.text) for record in records]
        read = [
            replace(record, text=text.text, lang=lang)
            for record, lang, (text, _) in zip(records, langs, plain, strict=True)
        ]
        parts = self._parts(read, batch_size, progress)
        return [
            replace(_given(_whole(one, sentence_parses), record.text, *noted), parser=self.fingerprint)
            for record, one, sentence_parses, noted in zip(records, read, parts, plain, strict=True)
        ]

    def _parts(
        self, texts: list[Sentence], batch_size: int, progress: bool
    ) -> list[list[tuple[Span, Parse]]]:
        """Return the parses of each text's sentences with their spans, in order."""
        parsed_parts: list[list[tuple[Span, Parse]]] = [[] for _ in texts]
        places = [
            (number, span)
            for number, text in enumerate(texts)
            for span in sentence_spans(text.text, text.lang or "") or [(0, len(text.text))]
        ]
        while places:
            sentences = [
                replace(texts[number], text=texts[number].text[start:end]) for number, (start, end) in places
            ]
            further: list[tuple[int, Span]] = []
            parses = bar(
                parse_stream(self.inner, sentences, batch_size=batch_size),
                len(sentences),
                "sentences",
                show=progress,
            )
            for (number, span), parse in zip(places, parses, strict=True):
                two = halves(parse.text) if any(note.startswith(CUT) for note in parse.repairs) else None
                if two is None:
                    parsed_parts[number].append((span, parse))
                else:
                    further += [(number, (span[0] + start, span[0] + end)) for start, end in two]
            places = further
        return [sorted(parts, key=lambda part: part[0]) for parts in parsed_parts]


def _whole(text: Sentence, parts: list[tuple[Span, Parse]]) -> Parse:
    """Return the parse of a text from those of its sentences."""
    whole = [(span, parse) for span, parse in parts if parse.status != "failed"]
    if not whole:
        return failed_parse(text)
    if len(parts) == 1:
        (start, _), parse = parts[0]
        spans = {v: (start + left, start + right) for v, (left, right) in parse.alignments.items()}
        return replace(parse, text=text.text, alignments=spans)
    joined = join([parse for _, parse in whole], [span for span, _ in whole], text, text.lang or "")
    if len(whole) < len(parts):
        note = f"{len(parts) - len(whole)} of {len(parts)} sentences failed"
        joined = replace(joined, status="repaired", repairs=(*joined.repairs, note))
    return joined


def _given(parse: Parse, text: str, read: Composed, notes: tuple[str, ...]) -> Parse:
    """Return the parse with the text as given, and with notes on its removed parts."""
    status = "repaired" if notes and parse.status == "ok" else parse.status
    spans = {variable: read.given(*span) for variable, span in parse.alignments.items()}
    return replace(parse, text=text, alignments=spans, status=status, repairs=(*notes, *parse.repairs))


def _sentences(root: tuple[str, list[Branch]]) -> Iterator[object]:
    """Yield the tree of a graph, or the trees of its sentences if it is a multi-sentence."""
    roles = [role for role, _ in root[1]]
    if ("/", "multi-sentence") in root[1] and all(role == "/" or role.startswith(":snt") for role in roles):
        yield from (target for role, target in root[1] if role != "/")
    else:
        yield root


def _free(variable: str, used: Container[str], numbers: Counter[str]) -> str:
    """Return the next unused variable name with the same letter."""
    letter = variable[0]
    while True:
        numbers[letter] += 1
        name = letter if numbers[letter] == 1 else f"{letter}{numbers[letter]}"
        if name not in used:
            return name


def _renamed(target: object, names: dict[str, str]) -> object:
    if not isinstance(target, tuple):
        return names.get(target, target) if isinstance(target, str) else target
    variable, branches = target
    return names[variable], [
        (role, value if role == "/" else _renamed(value, names)) for role, value in branches
    ]
