"""parser.document: texts of several sentences, and sentences that are too long."""

import textwrap

import penman
import pytest

from amrx.errors import OptionError
from amrx.types import Parse, Parser, Sentence
from parser import document, load
from parser.document import SplitParser, halves, sentence_spans
from parser.load import PARSERS, Kind, parse, with_split
from parser.run.stream import failed_parse


class Words(Parser):
    """Says ``say-01`` with the words of a sentence, of which it reads ``most``."""

    fingerprint = "words"

    def __init__(self, most: int = 100) -> None:
        self.most = most
        self.asked: list[tuple[str, str | None]] = []

    def parse(self, sentences, *, lang=None, batch_size=64, progress=False):
        return [self.one(sentence) for sentence in sentences]

    def one(self, sentence: Sentence) -> Parse:
        self.asked.append((sentence.text, sentence.lang))
        if "fail" in sentence.text:
            return failed_parse(sentence, self.fingerprint)
        words = sentence.text.split()
        triples = [("s", ":instance", "say-01")]
        for number, word in enumerate(words[: self.most]):
            name = f"w{number or ''}"
            triples += [("s", f":ARG{number}", name), (name, ":instance", word.strip(".,!?").lower())]
        cut = ("sentence cut at 3 words",) if len(words) > self.most else ()
        start = sentence.text.index(words[0])
        return Parse(
            sentence.id, sentence.text, sentence.lang or "", penman.Graph(triples, top="s"),
            "repaired" if cut else "ok", cut, {"w": (start, start + len(words[0]))}, self.fingerprint,
        )  # fmt: skip


def line(graph: penman.Graph) -> str:
    return penman.encode(graph, indent=None)


def test_a_text_has_the_graph_of_each_sentence():
    text = "  Dogs bark!\n\n  Dr. Hall sleeps at 5 p.m. daily. "
    (made,) = SplitParser(Words()).parse([Sentence("7", text, "en")])
    assert line(made.graph) == (
        "(m / multi-sentence :snt1 (s / say-01 :ARG0 (w / dogs) :ARG1 (w2 / bark))"
        " :snt2 (s2 / say-01 :ARG0 (w3 / dr) :ARG1 (w4 / hall) :ARG2 (w5 / sleeps) :ARG3 (w6 / at)"
        " :ARG4 (w7 / 5) :ARG5 (w8 / p.m) :ARG6 (w9 / daily)))"
    )
    assert (made.id, made.text, made.lang, made.status, made.parser) == (
        "7",
        text,
        "en",
        "ok",
        "split4:words",
    )
    assert {v: text[a:b] for v, (a, b) in made.alignments.items()} == {"w": "Dogs", "w3": "Dr."}
    assert [one.top for one in made.sentences] == ["s", "s"]


def test_one_sentence_has_the_graph_of_the_inner_parser():
    for text in ("Dogs bark.", " Dogs bark"):
        (inner,) = Words().parse([Sentence("1", text, "en")])
        (made,) = SplitParser(Words()).parse([Sentence("1", text, "en")])
        assert (made.graph.triples, made.status, made.sentences) == (inner.graph.triples, "ok", ())
        assert made.text == text and made.alignments == inner.alignments


@pytest.mark.parametrize(
    ("text", "lang", "sentences"),
    [
        (
            "Am 3. März kam er z. B. mit. Dann ging er.",
            "de",
            ["Am 3. März kam er z. B. mit.", "Dann ging er."],
        ),
        ("我喜欢你。你呢？", "zh", ["我喜欢你。", "你呢？"]),
        ("मैं घर गया। वह बाज़ार गई।", "hi", ["मैं घर गया।", "वह बाज़ार गई।"]),
        ("ذهبت إلى السوق. هل أنت هناك؟", "ar", ["ذهبت إلى السوق.", "هل أنت هناك؟"]),
        ("I paid. 17.", "en", ["I paid. 17."]),
        ("Où est mon colis ?? merci", "fr", ["Où est mon colis ??", "merci"]),
        (
            "wo ist es? die straße ist am 3. mai zu. danke",
            "de",
            ["wo ist es?", "die straße ist am 3. mai zu.", "danke"],
        ),
        # words that are abbreviations elsewhere
        ("She lives with me. I pay.", "en", ["She lives with me.", "I pay."]),
        ("Vive con me. Pago io.", "it", ["Vive con me.", "Pago io."]),
        ("Ik weet dat. Bel me. Dank u.", "nl", ["Ik weet dat.", "Bel me.", "Dank u."]),
        ("Er sah mich. Ich ging.", "de", ["Er sah mich.", "Ich ging."]),
        ("Room no. 5 is mine. Vs. him.", "en", ["Room no. 5 is mine.", "Vs. him."]),
        ("He has 5 mm. A bit.", "it", ["He has 5 mm. A bit."]),
        ("12", "en", ["12"]),
        (" ... ", "en", ["..."]),
        ("", "en", []),
    ],
)
def test_sentences_of_many_languages(text: str, lang: str, sentences: list[str]):
    spans = sentence_spans(text, lang)
    assert [text[start:end].strip() for start, end in spans] == sentences
    assert all(start < end for start, end in spans)


def test_windows_change_no_sentence(monkeypatch):
    text = "Dr. Hall sleeps at 5 p.m. daily. " * 40 + "The " + "very " * 30 + "end."
    whole = sentence_spans(text, "en")
    assert len(whole) == 41
    monkeypatch.setattr(document, "WINDOW", 100)
    parts = sentence_spans(text, "en")
    assert parts[:40] == whole[:40]
    assert "".join(text[start:end] for start, end in parts).replace(" ", "") == text.replace(" ", "")


def test_a_sentence_that_is_too_long_is_divided_until_it_is_read_whole():
    text = "One two three four, five six seven. Eight nine ten eleven twelve thirteen fourteen."
    words = Words(4)
    (made,) = SplitParser(words).parse([Sentence("1", text, "en")])
    parts = [text for text, _ in words.asked if len(text.split()) <= 4]
    assert " ".join(parts) in (text, text.replace(", ", ",")) and made.status == "ok"
    assert [str(c) for _, _, c in made.graph.instances() if "say" not in str(c)][1:5] == [
        "one", "two", "three", "four"
    ]  # fmt: skip
    assert ("One two three four,", "en") in words.asked  # the clause mark is before the blank in the middle


def test_an_endless_word_stays_cut():
    class Cutting(Words):
        def one(self, sentence):
            made = super().one(sentence)
            return Parse(
                made.id, made.text, "en", made.graph, "repaired", ("sentence cut at 1",), {}, "words"
            )

    (made,) = SplitParser(Cutting()).parse([Sentence("1", "a" * 30, "en")])
    assert made.repairs == ("sentence cut at 1",)
    assert halves("a" * 30) is None


def test_sentences_that_fail_are_left_out_and_said():
    some, all_, word = SplitParser(Words()).parse(
        ["Dogs bark. I fail. Cats sleep.", "I fail. You fail.", "?!"], lang="en"
    )
    assert [role for _, role, _ in some.graph.triples if role.startswith(":snt")] == [":snt1", ":snt2"]
    assert (some.status, some.repairs) == ("repaired", ("1 of 3 sentences failed",))
    assert (all_.status, line(all_.graph), word.status) == ("failed", "(a / amr-empty)", "failed")


def test_a_graph_of_several_sentences_is_taken_apart():
    class Several(Words):
        def one(self, sentence):
            graph = penman.decode(
                "(m / multi-sentence :snt1 (a / a-01 :ARG0 (b / b)) :snt2 (c / c-01 :ARG0 b))"
            )
            return Parse(sentence.id, sentence.text, "en", graph, "ok", (), {"b": (0, 1)}, "words")

    (made,) = SplitParser(Several()).parse([Sentence("1", "Dogs bark. Cats sleep.", "en")])
    assert line(made.graph) == (
        "(m / multi-sentence :snt1 (a / a-01 :ARG0 (b / b)) :snt2 (c / c-01 :ARG0 b)"
        " :snt3 (a2 / a-01 :ARG0 (b2 / b)) :snt4 (c2 / c-01 :ARG0 b2))"
    )
    assert made.alignments == {"b": (0, 1), "b2": (11, 12)}


class Given(Parser):
    """Gives every sentence one and the same graph."""

    fingerprint = "given"

    def __init__(self, graph: str) -> None:
        self.graph = graph

    def parse(self, sentences, *, lang=None, batch_size=64, progress=False):
        return [
            Parse(
                one.id, one.text, one.lang or "", penman.decode(self.graph), "ok", (), {"s": (0, 1)}, "given"
            )
            for one in sentences
        ]


def test_a_constant_stays_one_beside_variables_of_its_name():
    (made,) = SplitParser(Given("(s / grade-01 :ARG1 s2)")).parse(["It rains. It snows."], lang="en")
    assert line(made.graph) == (
        "(m / multi-sentence :snt1 (s / grade-01 :ARG1 s2) :snt2 (s3 / grade-01 :ARG1 s2))"
    )
    assert [target for _, _, target in made.graph.attributes()] == ["s2", "s2"]


def test_variables_are_looked_up_once_in_a_text(monkeypatch):
    calls = []
    whole = penman.Graph.variables
    monkeypatch.setattr(penman.Graph, "variables", lambda graph: calls.append(graph) or whole(graph))
    asked = []
    for sentences in (2, 20):
        calls.clear()
        SplitParser(Given("(s / rain-01)")).parse(["It rains. " * sentences], lang="en")
        asked.append(max(calls.count(graph) for graph in calls if len(graph.triples) > 1))
    assert asked[0] == asked[1]


def test_by_name_and_from_python(monkeypatch):
    words = Words()
    monkeypatch.setitem(PARSERS, "words", Kind(lambda folder: words, "words", "for tests"))
    assert load("split:words").fingerprint == "split4:words" and with_split("split:words") == "split:words"
    text = "Dogs bark. Cats sleep."
    whole, parts = (parse(text, lang="en", parser="words", split=split)[0] for split in (False, True))
    assert (whole.parser, whole.graph.top, parts.parser, parts.graph.top) == (
        "words",
        "s",
        "split4:words",
        "m",
    )
    assert parse(text, lang="en", parser=load("split:words"))[0].parser == "split4:words"
    with pytest.raises(OptionError, match="no beam search"):
        load("split:words", beam=2)


def test_markup_is_left_out_and_said():
    text = "<p>Dogs <b>bark</b>.</p> 👍"
    (made,) = SplitParser(Words()).parse([Sentence("1", text, "en")])
    assert (made.status, made.repairs, made.text) == ("repaired", ("left out HTML tags, emoji",), text)
    assert line(made.graph) == "(s / say-01 :ARG0 (w / dogs) :ARG1 (w1 / bark))"
    assert {v: text[a:b] for v, (a, b) in made.alignments.items()} == {"w": "Dogs"}
    items, nothing = SplitParser(Words()).parse(["1. eggs 2. milk", "👍"], lang="en")
    assert [str(c) for _, _, c in items.graph.instances()][::2] == ["multi-sentence", "eggs", "milk"]
    assert (nothing.status, nothing.repairs) == ("failed", ("left out emoji",))


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        ("en", ["Good morning", "your shop sent me two left shoes", "Best wishes", "Anna Berg"]),
        (
            "en",
            [
                "Customer: Paul Reed",
                "Product: Washing machine",
                "It stopped and now it does not spin any more",
            ],
        ),
        ("de", ["Guten Tag", "meine Lampe ist kaputt"]),
        ("fr", ["Bonjour", "je n'ai pas reçu mon colis", "Cordialement", "Luc Petit", "3 rue des Lilas"]),
        ("ru", ["Здравствуйте", "мой заказ не пришёл"]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_that_the_writer_ended_are_sentences(lang: str, lines: list[str], end: str) -> None:
    text = end.join(lines)
    assert [text[start:last] for start, last in sentence_spans(text, lang)] == lines


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Hello,\nthe parcel is lost"),  # one sentence, which the comma joins
        ("en", "I called the office in\nNew York and they told me to write\nto you about the refund"),
        ("en", "the washing machine\nmakes a noise when it spins"),
        ("en", "My number is\n4711"),
        ("de", "Gestern habe ich in Ihrem Laden einen\nMantel und eine Mütze für die\nKinder gekauft"),
    ],
)
def test_wrapped_lines_are_not(lang: str, text: str) -> None:
    assert len(sentence_spans(text, lang)) == 1


@pytest.mark.parametrize("width", range(30, 100, 7))
def test_no_line_of_hard_wrapped_text_is_cut(width: int) -> None:
    text = (
        "On Monday Dr Ann Lee of the Royal Bank of Scotland told Mr John Smith in Paris that Tom and Mary "
        "Jones had met King Charles at Balmoral Castle, where New Year and Easter are kept by the House"
    )
    assert len(sentence_spans(textwrap.fill(text, width), "en")) == 1
