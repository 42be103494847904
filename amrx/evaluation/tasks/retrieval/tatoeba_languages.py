"""The 112 languages of the Tatoeba test set and the groups that papers average over."""

from __future__ import annotations

from dataclasses import dataclass

# ISO 639-3 code of the file, then the ISO 639-1 code where there is one, then the number of pairs where it is
# not 1000
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
"""Hu et al. 2020, XTREME: its languages without English."""

XNLI_14 = tuple("ar bg de el es fr hi ru sw th tr ur vi zh".split())
"""The languages of XNLI without English."""


@dataclass(frozen=True, slots=True)
class TatoebaLanguage:
    """One pair of files.

    Attributes:
        file: ISO 639-3 code in the files' names.
        lang: ISO 639-1 code; ``None`` where there is none, so that an encoder that asks has to detect it.
        count: How many sentences each side has.
    """

    file: str
    lang: str | None
    count: int

    @property
    def code(self) -> str:
        """Name in the tables: the shorter code."""
        return self.lang or self.file


def _language(entry: str) -> TatoebaLanguage:
    file, *rest = entry.split()
    numbers = [int(word) for word in rest if word.isdigit()]
    codes = [word for word in rest if not word.isdigit()]
    return TatoebaLanguage(file, codes[0] if codes else None, numbers[0] if numbers else 1000)


TATOEBA_LANGUAGES = tuple(_language(entry) for entry in _TABLE.split(";"))
