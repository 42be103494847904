"""Tatoeba and FLORES: find the translation among a thousand sentences, in both directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from amrx.evaluation.data_folders import Data, read_sentences
from amrx.evaluation.hub_data.forms import Field, HubData, HubFile, Table
from amrx.evaluation.neighbours.nearest import nearest
from amrx.evaluation.results.published import printed, table_rows
from amrx.evaluation.results.rows import Scored, Skipped, group_means, mean_scored
from amrx.evaluation.tasks.geometry.flores import FLORES, LINE, TATOEBA_HEAD, head_and_tail
from amrx.evaluation.tasks.task import Column, Described, iso_code
from amrx.types import Vectors

# ISO 639-3 code of the file; ISO 639-1 code, if any; number of pairs, if it is not 1000
_TABLE = """
afr af; amh am 168; ang 134; ara ar; arq 911; arz 477; ast 127; awa 231; aze az; bel be; ben bn; ber; bos bs
354; bre br; bul bg; cat ca; cbk; ceb 600; ces cs; cha ch 137; cmn zh; cor kw; csb 253; cym cy 575; dan da;
deu de; dsb 479; dtp; ell el; epo eo; est et; eus eu; fao fo 262; fin fi; fra fr; fry fy 173; gla gd 829;
gle ga; glg gl; gsw 117; heb he; hin hi; hrv hr; hsb 483; hun hu; hye hy 742; ido io; ile ie; ina ia; ind
id; isl is; ita it; jav jv 205; jpn ja; kab; kat ka 746; kaz kk 575; khm km 722; kor ko; kur ku 410; kzj;
lat la; lfn; lit lt; lvs lv; mal ml 687; mar mr; max 284; mhr; mkd mk; mon mn 440; nds; nld nl; nno nn; nob
nb; nov 257; oci oc; orv 835; pam; pes fa; pms 525; pol pl; por pt; ron ro; rus ru; slk sk; slv sl 823; spa
es; sqi sq; srp sr; swe sv; swg 112; swh sw 390; tam ta 307; tat tt; tel te 234; tgl tl; tha th 548; tuk tk
203; tur tr; tzl 104; uig ug; ukr uk; urd ur; uzb uz 428; vie vi; war; wuu; xho xh 142; yid yi 848; yue; zsm
ms
"""

XTREME_36 = tuple(
    "af ar bg bn de el es et eu fa fi fr he hi hu id it ja jv ka kk ko "
    "ml mr nl pt ru sw ta te th tl tr ur vi zh".split()
)
"""Languages of XTREME (Hu et al. 2020) without English."""

XNLI_14 = tuple("ar bg de el es fr hi ru sw th tr ur vi zh".split())
"""Languages of XNLI without English."""

VMSST_UNSEEN = frozenset(
    "ang arq arz ast awa ceb ch csb cy dsb fo fy gd gsw hsb jv max mn nn nov orv pam fa pms swg tk tzl war "
    "xh yi".split()
)
"""Languages without training data in Table 15 of Wieting et al. 2023 (VMSST). For the seen and unseen
languages of its Table 8 the text gives 93 and 19, Table 15 has 82 and 30; Table 15 is used here."""


@dataclass(frozen=True, slots=True)
class TatoebaLanguage:
    """One pair of files."""

    file: str  # ISO 639-3 code in the file names
    lang: str | None  # ISO 639-1 code; ``None`` if there is none, so that encoders must detect the language
    count: int  # number of sentences per side

    @property
    def code(self) -> str:
        """Name in tables: the shorter code."""
        return self.lang or self.file


def _language(entry: str) -> TatoebaLanguage:
    file, *rest = entry.split()
    numbers = [int(word) for word in rest if word.isdigit()]
    codes = [word for word in rest if not word.isdigit()]
    return TatoebaLanguage(file, codes[0] if codes else None, numbers[0] if numbers else 1000)


TATOEBA_LANGUAGES = tuple(_language(entry) for entry in _TABLE.split(";"))


TO_ENGLISH, FROM_ENGLISH = "accuracy xx→en", "accuracy en→xx"


@dataclass(frozen=True, slots=True, kw_only=True)
class TatoebaTask(Described):
    """One set of parallel sentences; see `amrx.evaluation.tasks.task.Task`."""

    languages: tuple[TatoebaLanguage, ...]  # its languages, in table order
    # path of a side below the data folder; ``{0}`` is the file code of the language, ``{1}`` of the side
    file: str
    # names and codes of groups of languages that are averaged
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    english: str = "eng"  # file code of the English side
    group: str = "retrieval"
    shown: tuple[str, ...] = (TO_ENGLISH, FROM_ENGLISH)

    def load(self, data: Data) -> tuple[list[TatoebaPart], list[Skipped]]:
        """Read and check both sides of every language whose files exist."""
        loaded, skipped = [], []
        for language in self.languages:
            files = [data / self.file.format(language.file, side) for side in (language.file, self.english)]
            missing = [file for file in files if not file.is_file()]
            if missing:
                skipped.append(Skipped(self.name, language.code, missing[0], self.fetch))
                continue
            foreign, english = (read_sentences(file, language.count, self.name) for file in files)
            loaded.append(TatoebaPart(self, language, foreign, english))
        return loaded, skipped

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over each group and over all languages."""
        everything = [language.code for language in self.languages]
        return group_means(scores, (*self.groups, ("all", everything)))


@dataclass(frozen=True, slots=True)
class TatoebaPart:
    """The sentences of one language and their English translations, line by line."""

    task: TatoebaTask
    language: TatoebaLanguage
    foreign: tuple[str, ...]
    english: tuple[str, ...]

    def columns(self) -> tuple[Column, Column]:
        """Return both sides."""
        return Column(self.foreign, self.language.lang), Column(self.english, "en")

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return how often the nearest sentence of the other side is on the same line, 0-100."""
        foreign, english = vectors[0], vectors[1]
        lines = np.arange(len(foreign))
        scored = []
        for metric, queries, base in ((TO_ENGLISH, foreign, english), (FROM_ENGLISH, english, foreign)):
            right = (nearest(queries, base).places[:, 0] == lines).astype(np.float64)
            scored.append(mean_scored(label, self.task.name, self.language.code, metric, right))
        return scored


_TABLE_3 = """
S-BERT: 91.4 57.8
LaBSE: 95.7 77.9
InfoXLM: 87.8 56.1
XLM-R: 66.3 55.7
Emma-X: 91.9 78.1
"""
_TABLE_3_FLORES = """
S-BERT of 3,001 sentences: 87.5 51.6
LaBSE of 3,001 sentences: 99.9 82.5
InfoXLM of 3,001 sentences: 83.4 53.8
XLM-R of 3,001 sentences: 68.2 45.3
Emma-X of 3,001 sentences: 94.5 84.2
"""
"""Guo et al. 2023 (Emma-X): FLORES head and long tail, Tatoeba head and long tail, to English. Tatoeba's head
is XTREME's 36 languages, as in the text, not the 42 of appendix A.1: weighted 36 to 76, the two values give
Table 2's Tatoeba within .1 in each row (Emma-X 82.5); weighted 41 to 71, in none."""


_SOURCE = "Guo et al. 2023, Table 3"
_HUB = HubData("mteb/tatoeba-bitext-mining", "CC BY 2.0", "69e8f12da6e31d59addadda9a9c8a2e601a0e282")


def _on_hub(language: TatoebaLanguage) -> list[HubFile]:
    """Return both sides of a language."""
    pair = f"{language.file}-eng"
    return [
        HubFile(f"retrieval/tatoeba/tatoeba.{pair}.{side}", _HUB, f"test/{pair}.jsonl.gz", Table((column,)))
        for side, column in ((language.file, Field("sentence1")), ("eng", Field("sentence2")))
    ]


TATOEBA = TatoebaTask(
    name="tatoeba",
    languages=TATOEBA_LANGUAGES,
    file="retrieval/tatoeba/tatoeba.{0}-eng.{1}",
    groups=(
        ("XTREME-36", XTREME_36),
        ("XNLI-14", XNLI_14),
        ("beyond XTREME-36", tuple(one.code for one in TATOEBA_LANGUAGES if one.code not in XTREME_36)),
        *head_and_tail((language.code for language in TATOEBA_LANGUAGES), TATOEBA_HEAD),
        ("VMSST seen", tuple(one.code for one in TATOEBA_LANGUAGES if one.code not in VMSST_UNSEEN)),
        ("VMSST unseen", tuple(one.code for one in TATOEBA_LANGUAGES if one.code in VMSST_UNSEEN)),
    ),
    note="Tatoeba test set of LASER (Artetxe and Schwenk 2019); nearest neighbour by cosine, no training; "
    f"{LINE}",
    fetch="https://github.com/facebookresearch/LASER, data/tatoeba/v1 as retrieval/tatoeba",
    hub=tuple(file for language in TATOEBA_LANGUAGES for file in _on_hub(language)),
    # the abstract of Feng et al. 2022 does not give the direction
    published=printed("LASER: 65.5; LaBSE: 83.7", ["mean, all (112)"], "Feng et al. 2022, abstract")
    + printed(_TABLE_3, ("mean, XTREME-36", "mean, beyond XTREME-36"), _SOURCE, TO_ENGLISH)
    + table_rows("guo-2023-table-5", TO_ENGLISH),
)
FLORES_RETRIEVAL = TatoebaTask(
    name="flores-retrieval",
    languages=tuple(
        TatoebaLanguage(code, iso_code(code), FLORES.count) for code in FLORES.languages if code != "en"
    ),
    file="geometry/flores/devtest.{1}",
    english="en",
    groups=FLORES.groups,
    note="FLORES-200 devtest, retrieval as of Tatoeba (Emma-X, Guo et al. 2023, Table 3; it has "
    f"3,001 sentences, a third of which are the public devtest); {LINE}",
    fetch=FLORES.fetch,
    hub=FLORES.hub,
    published=printed(_TABLE_3_FLORES, ("mean, head", "mean, long tail"), _SOURCE, TO_ENGLISH),
)
