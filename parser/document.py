"""Parse texts of several sentences: the parser ``split:PARSER``.

::

    "It rains. Tom sleeps."  ──sentencex──> "It rains."  "Tom sleeps."  ──PARSER──> two graphs
    (m / multi-sentence :snt1 (r / rain-01) :snt2 (s / sleep-01 :ARG0 (p / person ...)))

Markup is left out first (`parser.markup`). A text of one sentence has the inner parser's graph. A sentence
longer than that parser reads is split at the clause mark nearest to its middle, or at the blank, until it is
read whole.
"""

from __future__ import annotations

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
from parser.protocols import UNKNOWN_LANGUAGE, TextParser, search
from parser.run.stream import failed_parse, parse_stream

LAW = "1"
"""Version of splitting and joining; a part of the fingerprint."""
CUT = "sentence cut"
"""Beginning of the repair of a sentence that is longer than its parser reads."""
_CLAUSE = re.compile(r"[;:,،；：，、؛—–]\s*|\s+[-–—]\s+")
_BLANK = re.compile(r"\s+")
WINDOW = 4_000
"""Characters in which sentences are looked for at a time."""
_SHORTEST = 12
"""Fewest characters of a part of a long sentence."""

Branch = tuple[str, object]


def sentence_spans(text: str, lang: str) -> list[Span]:
    """Return where the sentences of a text are, without the blanks around them.

    A part without a letter, such as the number of a list item, belongs to the next one.

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
    """Yield sentencex's segments, a window at a time: its own time grows with the square of a text."""
    start = 0
    while start < len(text):
        window = text[start : start + WINDOW]
        ends = [int(part["end_index"]) for part in get_sentence_boundaries(lang, window)]
        if start + WINDOW < len(text) and len(ends) > 1:
            ends.pop()  # may go on in the next window
        for first, last in zip([0, *ends], ends, strict=False):
            yield start + first, start + last
        start += ends[-1] if ends else len(window)


def halves(text: str) -> tuple[Span, Span] | None:
    """Return two parts of a sentence, divided at the clause mark nearest to its middle, else at a blank.

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
    """Make one parse of the parses of a text's sentences.

    ``readings`` are those of all sentences, alignments point into the whole text, repairs name the sentence,
    and sentences that failed are left out.
    """
    branches: list[Branch] = [("/", "multi-sentence")]
    # no variable is named as a constant, which would then be read as that node
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
    notes = dict.fromkeys(  # a language is that of the whole text
        note if note.startswith(UNKNOWN_LANGUAGE) else f"sentence {number}: {note}" for number, note in every
    )
    return Parse(
        whole.id, whole.text, lang, graph, "repaired" if notes else "ok", tuple(notes),
        {variable: span for variable, span in alignments.items() if variable in variables},
        readings=tuple(graph for parse in parses for graph in parse.graphs),
        confidence=_mean_confidence(parses),
    )  # fmt: skip


def _mean_confidence(parses: Sequence[Parse]) -> float | None:
    """Return the mean of the sentences' confidences, each as often as its graph has triples."""
    total, triples = 0.0, 0
    for parse in parses:
        if parse.confidence is None:
            return None
        total += parse.confidence * len(parse.graph.triples)
        triples += len(parse.graph.triples)
    return round(total / triples, 2)


class SplitParser(TextParser):
    """Any parser, fed with single sentences; is itself a parser."""

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
        """Return the parses of each text's sentences, with their places, in order."""
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
    """Return the parse with the text as it was given, and with the notes of what was left out of it."""
    status = "repaired" if notes and parse.status == "ok" else parse.status
    spans = {variable: read.given(*span) for variable, span in parse.alignments.items()}
    return replace(parse, text=text, alignments=spans, status=status, repairs=(*notes, *parse.repairs))


def split_first(inner: Parser) -> SplitParser:
    """Return a parser of texts that feeds ``inner`` with their sentences."""
    return SplitParser(inner)


def _sentences(root: tuple[str, list[Branch]]) -> Iterator[object]:
    """Yield a graph's tree, or the trees of its sentences if it is of several already."""
    roles = [role for role, _ in root[1]]
    if ("/", "multi-sentence") in root[1] and all(role == "/" or role.startswith(":snt") for role in roles):
        yield from (target for role, target in root[1] if role != "/")
    else:
        yield root


def _free(variable: str, used: Container[str], numbers: Counter[str]) -> str:
    """Return the next name with the variable's letter that is not used yet."""
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
