"""Convert UMR 3.0's English graphs back to AMR: gold graphs of web, forum and news text.

Most of them are AMR graphs that were converted to UMR (Uniform Meaning Representation, van Gysel et al. 2021)
by rule, so the inverse is mostly renaming::

    :temporal :place :possessor :companion      ->  :time :location :poss :accompanier
    :aspect :quote :wiki :refer-number          ->  nothing
    person :refer-person 1st ... singular       ->  i          (we, you, he, she, it, they)
    contrast-91, have-org-role-92 :ARG1 ...     ->  contrast-01, have-org-role-91 :ARG0 ...
    (g / go-02 :modal-strength neutral-...)     ->  (p / possible-01 :ARG1 (g / go-02))

A graph with elements that AMR lacks (other modal strengths, relations, abstract frames) is left out.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import penman
from penman.exceptions import PenmanError

from linearize.packed import is_constant
from parser.training.corpora.lines import read_lines
from parser.training.corpora.sembanks import Entry

_LOG = logging.getLogger(__name__)
Triple = tuple[str, str, str | None]

_ROLES = {":temporal": ":time", ":place": ":location", ":possessor": ":poss", ":companion": ":accompanier",
          ":color": ":mod", ":material": ":consist-of"}  # fmt: skip
_KEPT = frozenset(
    ":accompanier :age :beneficiary :concession :condition :consist :consist-of :day :dayperiod :decade"
    " :degree :destination :direction :domain :duration :example :extent :frequency :instance :instrument"
    " :location :manner :medium :mod :mode :month :name :ord :part :path :polarity :polite :poss :purpose"
    " :quant :scale :season :source :time :topic :unit :value :weekday :year".split()
)
_DROPPED = frozenset(
    (":aspect", ":quote", ":wiki", ":refer-number", ":refer-person", ":refer-definiteness", ":modal-strength")
)
_NUMBERED = re.compile(r":(ARG|op)[0-9]{1,2}")
_ABSTRACT = re.compile(r".*-9[0-9]")
_FRAMES = {
    "contrast-91": "contrast-01", "resemble-91": "resemble-01", "mean-91": "mean-01", "say-91": "say-01",
    "exist-91": "exist-01", "have-place-91": "be-located-at-91", "umr-unknown": "amr-unknown",
    "have-org-role-92": "have-org-role-91", "have-rel-role-92": "have-rel-role-91",
}  # fmt: skip
_SAME = frozenset(
    ("have-degree-91", "have-quant-91", "have-concession-91", "have-condition-91", "have-polarity-91")
    + ("include-91", "rate-entity-91", "request-confirmation-91", "be-destined-for-91", "byline-91")
    + ("publication-91", "hyperlink-91")
)
_SURE, _POSSIBLE = "full-affirmative", "neutral-affirmative"
_THIRD = {"he": "he him his himself", "she": "she her hers herself", "it": "it its itself"}
_WORD = re.compile(r"[a-z]+")


def umr(data: Path) -> Iterator[Entry]:
    """Yield the graphs of ``amr/umr-english.txt.gz`` that AMR can express, in order.

    Graphs that are invalid PENMAN, by annotators' mistakes, are logged and left out.
    """
    path = data / "amr" / "umr-english.txt.gz"
    for number, sentence, text in _blocks(path):
        try:
            graph = penman.decode(text)
        except PenmanError as error:  # a few dozen graphs of the release lack a bracket or a role
            _LOG.info("%s:%d: left out: %s", path, number, " ".join(str(error).split()))
            continue
        converted = to_amr(graph, sentence)
        if converted is not None:
            yield Entry(sentence, converted, {"snt": sentence})


def _blocks(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield line number, sentence and graph of every block that has both."""
    graph: list[str] = []
    sentence, begun, inside = "", 0, False
    for number, line in enumerate([*read_lines(path), "#"], start=1):
        if line.startswith("Words:"):
            sentence = " ".join(line.removeprefix("Words:").split())
        elif line.startswith("#"):
            if inside and sentence and graph:
                yield begun, sentence, "\n".join(graph)
            inside, graph, begun = line.startswith("# sentence level graph"), [], number + 1
        elif inside and line.strip():
            graph.append(line)


def to_amr(graph: penman.Graph, sentence: str) -> penman.Graph | None:
    """Return a UMR graph as AMR, or ``None`` if an element has no counterpart.

    Example:
        >>> text = "(g / go-02 :ARG0 (p / person :refer-person 1st :refer-number plural) :aspect activity)"
        >>> print(penman.encode(to_amr(penman.decode(text), "We go."), indent=None))
        (g / go-02 :ARG0 (p / we))
    """
    strengths = {str(value) for _, _, value in graph.attributes(role=":modal-strength")}
    renamed = _renamed(graph, _pronouns(graph, set(_WORD.findall(sentence.lower()))))
    if renamed is None or strengths - {_SURE, _POSSIBLE}:
        return None
    top = graph.top
    for source, _, strength in graph.attributes(role=":modal-strength"):
        if strength == _SURE:
            continue
        modal = f"{source}m"
        above = [n for n, (_, role, target) in enumerate(renamed) if role != ":instance" and target == source]
        if source == top:
            top = modal
        elif len(above) == 1:
            renamed[above[0]] = (*renamed[above[0]][:2], modal)
        else:
            return None
        renamed += [(modal, ":instance", "possible-01"), (modal, ":ARG1", source)]
    return _whole(renamed, top)


def _renamed(graph: penman.Graph, pronouns: Mapping[str, str]) -> list[Triple] | None:
    """Return the triples in AMR's names, without modal strengths; ``None`` if a name has no counterpart."""
    shifted = {
        s for s, _, concept in graph.instances() if concept in ("have-org-role-92", "have-rel-role-92")
    }
    triples: list[Triple] = []
    for source, role, target in graph.triples:
        if role in _DROPPED:
            continue
        role = _ROLES.get(role, role)
        if role == ":instance":
            target = pronouns.get(source, _FRAMES.get(str(target), target))
            if target is None or not _is_known(target):
                return None
        elif source in shifted and role.startswith(":ARG"):
            role = f":ARG{int(role[4:]) - 1}"
        if role not in _KEPT and not _NUMBERED.fullmatch(role):
            return None
        triples.append((source, role, target))
    return triples


def _is_known(concept: str) -> bool:
    return not _ABSTRACT.fullmatch(concept) or concept in _SAME or concept in _FRAMES.values()


def _pronouns(graph: penman.Graph, words: set[str]) -> dict[str, str]:
    """Return the concept of every pronoun node."""
    person = {s: str(t) for s, _, t in graph.attributes(role=":refer-person")}
    number = {s: str(t) for s, _, t in graph.attributes(role=":refer-number")}
    pronouns = {}
    for source, _, concept in graph.instances():
        if concept not in ("person", "thing") or source not in person:
            continue
        which, many = person[source], number.get(source) == "plural"
        third = [name for name, forms in _THIRD.items() if words & set(forms.split())]
        if which == "1st":
            pronouns[source] = "we" if many else "i"
        elif which == "2nd":
            pronouns[source] = "you"
        elif which == "3rd" and many and words & {"they", "them", "their", "theirs", "themselves"}:
            pronouns[source] = "they"
        elif which == "3rd" and not many and concept == "thing" and "it" in third:
            pronouns[source] = "it"
        elif which == "3rd" and not many and concept == "person" and len({*third} - {"it"}) == 1:
            pronouns[source] = next(name for name in third if name != "it")
    return pronouns


def _whole(triples: list[Triple], top: str | None) -> penman.Graph | None:
    """Return a graph with a new layout; ``None`` if it is disconnected or has a node without a concept."""
    try:
        text = penman.encode(penman.Graph(triples, top=top), indent=None)
        graph = penman.decode(text)
    except PenmanError:
        return None
    whole = all(concept for _, _, concept in graph.instances())
    return graph if whole and all(is_constant(str(value)) for _, _, value in graph.attributes()) else None
