"""Head and long-tail languages, the groups of Emma-X's tables (Guo et al. 2023, appendices A.1, B.1).

The paper describes the head of Tatoeba as "the 36 languages contained in XTREME" but prints 42, including
English; the printed list is used here.
"""

from __future__ import annotations

from collections.abc import Iterable

TATOEBA_HEAD = frozenset(
    "ar he vi id jv tl eu ml ta te af nl en de el bn hi mr ur fa fr it pt es bg ru ja ka ko th sw zh kk "
    "tr et fi hu az lt pl uk ro".split()
)
"""As printed in A.1."""

FLORES_HEAD = frozenset(
    "bel_Cyrl bos_Latn hun_Latn epo_Latn khm_Khmr urd_Arab srp_Cyrl jav_Latn hye_Armn gla_Latn por_Latn "
    "lit_Latn bul_Cyrl slk_Latn mal_Mlym ita_Latn nno_Latn mar_Deva hrv_Latn hin_Deva kat_Geor ben_Beng "
    "fin_Latn cym_Latn oci_Latn cat_Latn fao_Latn xho_Latn spa_Latn ron_Latn amh_Ethi ces_Latn swe_Latn "
    "nld_Latn tat_Cyrl kor_Hang glg_Latn fra_Latn eus_Latn ind_Latn dan_Latn tha_Thai deu_Latn tel_Telu "
    "afr_Latn pol_Latn est_Latn uig_Arab ukr_Cyrl uzn_Latn heb_Hebr kaz_Cyrl nob_Latn rus_Cyrl vie_Latn "
    "arb_Arab zho_Hans tuk_Latn khk_Cyrl jpn_Jpan ell_Grek isl_Latn tam_Taml slv_Latn tur_Latn mkd_Cyrl "
    "tgl_Latn gle_Latn".split()
)
"""As printed in B.1, by FLORES' names; English is in neither group."""
LINE = "head and long tail as Emma-X lists them"

Group = tuple[str, tuple[str, ...]]


def head_and_tail(codes: Iterable[str], head: frozenset[str]) -> tuple[Group, Group]:
    """Return the names of both groups with the given languages of each.

    Example:
        >>> head_and_tail(("de", "ig", "zh"), TATOEBA_HEAD)
        (('head', ('de', 'zh')), ('long tail', ('ig',)))
    """
    known = tuple(codes)
    first = tuple(code for code in known if code in head)
    return ("head", first), ("long tail", tuple(code for code in known if code not in head))
