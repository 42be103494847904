"""Measure the geometry of the same sentences in many languages, on FLORES-200 (NLLB Team et al. 2022).

The pictures are t-SNE maps of vectors onto a plane::

    invariance       sentences of ten languages, one colour per language: the colours should mix
    canonical form   twelve sentences in every language, one colour per sentence: each should be a clump
    isotropy         sentences of all languages in turn, one colour: they should fill the plane evenly

Sources: van der Maaten and Hinton 2008; maps as in Guo et al. 2023 (Emma-X). Distances between clumps are
meaningless in such a map, and the orientation is arbitrary.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from amrx.evaluation.data_folders import Data, read_sentences
from amrx.evaluation.hub_data.forms import Field, HubData, HubFile, Table
from amrx.evaluation.metrics import Floats
from amrx.evaluation.results.published import Published, table_rows
from amrx.evaluation.results.rows import Cloud, Row, Scored, Skipped, group_means
from amrx.evaluation.tasks.geometry.measures import (
    as_printed,
    canonical_form,
    fit_gaussian,
    principal_ratio,
    symmetric_kl,
)
from amrx.evaluation.tasks.task import Column, Described, iso_code
from amrx.types import Vectors
from amrx.vectors import normalise

TATOEBA_HEAD = frozenset(
    "ar he vi id jv tl eu ml ta te af nl en de el bn hi mr ur fa fr it pt es bg ru ja ka ko th sw zh kk "
    "tr et fi hu az lt pl uk ro".split()
)
"""As printed in A.1, 42 languages with English, where the paper speaks of the 36 of XTREME."""

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


LANGUAGES, MEANINGS, POINTS = 10, 12, 400
PERPLEXITY, SEED = 30.0, 1


def clouds(sides: Sequence[Vectors], codes: Sequence[str]) -> tuple[Cloud, ...]:
    """Return the three maps; each has at most 400 points, evenly spaced over languages and sentences."""
    count = len(sides[0])
    some = _spaced(len(sides), LANGUAGES)
    lines = _spaced(count, POINTS // len(some))
    meanings = _spaced(count, MEANINGS)
    many = _spaced(len(sides), POINTS // len(meanings))
    spread = _spaced(count, POINTS)
    return (
        _cloud("invariance", [(sides[side][line], codes[side]) for side in some for line in lines]),
        _cloud(
            "canonical form", [(sides[side][line], f"line {line + 1}") for line in meanings for side in many]
        ),
        _cloud("isotropy", [(sides[turn % len(sides)][line], "all") for turn, line in enumerate(spread)]),
    )


def _spaced(count: int, wanted: int) -> list[int]:
    """Return at most ``wanted`` of the numbers below ``count``, evenly spaced."""
    return [index * count // min(wanted, count) for index in range(min(wanted, count))]


def _cloud(title: str, points: Sequence[tuple[Vectors, str]]) -> Cloud:
    flat = project(np.stack([vector for vector, _ in points]))
    return Cloud(title, flat, tuple(group for _, group in points))


def project(x: Vectors) -> Vectors:
    """Return the t-SNE map of vectors: float32 ``(n, 2)``, each coordinate from 0 to 1.

    The map starts from the first two principal components, so equal vectors give equal maps. The perplexity
    is 30, or a third of the number of points if there are fewer than 91. If all vectors are equal, all points
    are in the middle.
    """
    from sklearn.manifold import TSNE

    if not np.ptp(x, axis=0).any():
        return np.full((len(x), 2), 0.5, dtype=np.float32)
    perplexity = min(PERPLEXITY, (len(x) - 1) / 3)
    mapped = TSNE(perplexity=perplexity, init="pca", random_state=SEED).fit_transform(x.astype(np.float64))
    low, high = mapped.min(axis=0), mapped.max(axis=0)
    scaled: Vectors = ((mapped - low) / np.where(high > low, high - low, 1)).astype(np.float32)
    return scaled


_TWO_LETTERS = """
af afr_Latn; ak aka_Latn; am amh_Ethi; ar arb_Arab; as asm_Beng; ay ayr_Latn; az azj_Latn; ba bak_Cyrl;
be bel_Cyrl; bg bul_Cyrl; bm bam_Latn; bn ben_Beng; bo bod_Tibt; bs bos_Latn; ca cat_Latn; cs ces_Latn;
cy cym_Latn; da dan_Latn; de deu_Latn; dz dzo_Tibt; ee ewe_Latn; el ell_Grek; en eng_Latn; eo epo_Latn;
es spa_Latn; et est_Latn; eu eus_Latn; fa pes_Arab; fi fin_Latn; fj fij_Latn; fo fao_Latn; fr fra_Latn;
ga gle_Latn; gd gla_Latn; gl glg_Latn; gn grn_Latn; gu guj_Gujr; ha hau_Latn; he heb_Hebr; hi hin_Deva;
hr hrv_Latn; ht hat_Latn; hu hun_Latn; hy hye_Armn; id ind_Latn; ig ibo_Latn; is isl_Latn; it ita_Latn;
ja jpn_Jpan; jv jav_Latn; ka kat_Geor; kg kon_Latn; ki kik_Latn; kk kaz_Cyrl; km khm_Khmr; kn kan_Knda;
ko kor_Hang; ku kmr_Latn; ky kir_Cyrl; lb ltz_Latn; lg lug_Latn; li lim_Latn; ln lin_Latn; lo lao_Laoo;
lt lit_Latn; lv lvs_Latn; mg plt_Latn; mi mri_Latn; mk mkd_Cyrl; ml mal_Mlym; mn khk_Cyrl; mr mar_Deva;
ms zsm_Latn; mt mlt_Latn; my mya_Mymr; nb nob_Latn; ne npi_Deva; nl nld_Latn; nn nno_Latn; ny nya_Latn;
oc oci_Latn; om gaz_Latn; or ory_Orya; pa pan_Guru; pl pol_Latn; ps pbt_Arab; pt por_Latn; qu quy_Latn;
rn run_Latn; ro ron_Latn; ru rus_Cyrl; rw kin_Latn; sa san_Deva; sc srd_Latn; sd snd_Arab; sg sag_Latn;
si sin_Sinh; sk slk_Latn; sl slv_Latn; sm smo_Latn; sn sna_Latn; so som_Latn; sq als_Latn; sr srp_Cyrl;
ss ssw_Latn; st sot_Latn; su sun_Latn; sv swe_Latn; sw swh_Latn; ta tam_Taml; te tel_Telu; tg tgk_Cyrl;
th tha_Thai; ti tir_Ethi; tk tuk_Latn; tl tgl_Latn; tn tsn_Latn; tr tur_Latn; ts tso_Latn; tt tat_Cyrl;
tw twi_Latn; ug uig_Arab; uk ukr_Cyrl; ur urd_Arab; uz uzn_Latn; vi vie_Latn; wo wol_Latn; xh xho_Latn;
yi ydd_Hebr; yo yor_Latn; zh zho_Hans; zu zul_Latn
"""
_OTHERS = """
ace_Arab ace_Latn acm_Arab acq_Arab aeb_Arab ajp_Arab apc_Arab arb_Latn ars_Arab ary_Arab arz_Arab
ast_Latn awa_Deva azb_Arab ban_Latn bem_Latn bho_Deva bjn_Arab bjn_Latn bug_Latn ceb_Latn cjk_Latn
ckb_Arab crh_Latn dik_Latn dyu_Latn fon_Latn fur_Latn fuv_Latn hne_Deva ilo_Latn kab_Latn kac_Latn
kam_Latn kas_Arab kas_Deva kbp_Latn kea_Latn kmb_Latn knc_Arab knc_Latn lij_Latn lmo_Latn ltg_Latn
lua_Latn luo_Latn lus_Latn mag_Deva mai_Deva min_Arab min_Latn mni_Beng mos_Latn nso_Latn nus_Latn
pag_Latn pap_Latn prs_Arab sat_Olck scn_Latn shn_Mymr szl_Latn taq_Latn taq_Tfng tpi_Latn tum_Latn
tzm_Tfng umb_Latn vec_Latn war_Latn yue_Hant zho_Hant
"""

NAMES: dict[str, str] = {
    **{code: name for code, name in map(str.split, _TWO_LETTERS.split(";"))},
    **{name: name for name in _OTHERS.split()},
}
"""FLORES' name of each of its 204 languages, by our name.

Our name is the ISO 639-1 code of a language; if several FLORES languages share a code, only one gets it
(``zh`` is simplified Chinese, ``ar`` standard Arabic in Arabic script), and the others keep FLORES' name: ISO
639-3 code and script. Two-letter names come first.
"""


INVARIANCE = "KL to the other languages, nats, lower is better"
CANONICAL = "Calinski-Harabasz of the translations"
PRINTED = "Calinski-Harabasz as printed, without degrees of freedom"
ISOTROPY = "principal ratio"
ISOTROPY_POOLED = "principal ratio, pooled"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeometryTask(Described):
    """Geometry of parallel sentences; see `amrx.evaluation.tasks.task.Task`."""

    languages: tuple[str, ...]  # ISO 639-1 codes, or other names of languages that have none, in table order
    file: str  # path of a language's file below the data folder
    count: int  # sentences per language, translations of each other line by line
    # names and codes of groups of languages that are averaged and measured together
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    group: str = "geometry"
    shown: tuple[str, ...] = (INVARIANCE, CANONICAL, PRINTED, ISOTROPY, ISOTROPY_POOLED)

    def load(self, data: Data) -> tuple[list[GeometryPart], list[Skipped]]:
        """Read and check every language whose file exists; fewer than two languages are not measured."""
        files = {code: data / self.file.format(code) for code in self.languages}
        present = {code: file for code, file in files.items() if file.is_file()}
        missing = [code for code in self.languages if code not in present or len(present) < 2]
        skipped = [Skipped(self.name, code, files[code], self.fetch) for code in missing]
        if len(present) < 2:
            return [], skipped
        sentences = tuple(read_sentences(file, self.count, self.name) for file in present.values())
        return [GeometryPart(self, tuple(present), sentences)], skipped

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over all languages; metrics of several languages together have no mean."""
        return group_means(scores, [("all", self.languages)])

    def gaps(self, rows: Sequence[Row]) -> str:
        """Return a line that names the languages without invariance per encoder, empty if there are none."""
        lines = []
        for label in dict.fromkeys(row.encoder for row in rows if row.task == self.name):
            own = {
                (row.metric, row.language) for row in rows if (row.encoder, row.task) == (label, self.name)
            }
            measured = [code for code in self.languages if (ISOTROPY, code) in own]
            missing = [code for code in measured if (INVARIANCE, code) not in own]
            if missing:
                lines.append(f"{label} has no KL for {', '.join(missing)}")
        needed = "that needs two languages, and vectors that fill every direction"
        return f"{self.name}: {'; '.join(lines)}; {needed}" if lines else ""


@dataclass(frozen=True, slots=True)
class GeometryPart:
    """The sentences of every language."""

    task: GeometryTask
    languages: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]

    def columns(self) -> list[Column]:
        """Return one column per language."""
        return [
            Column(texts, iso_code(code)) for texts, code in zip(self.sentences, self.languages, strict=True)
        ]

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return invariance and isotropy of each language, and the metrics of several languages together.

        The latter are canonical form and isotropy of all languages and of each group with at least two of
        them, and the invariance of each such group; maps show all languages. Vectors are scaled to length 1
        first. The invariance of a language is the mean of its symmetric KL to each other language; that of a
        group is the mean over the pairs within it (appendix B.2, Eq. 1). Languages whose vectors have no
        density are left out of invariance.
        """
        sides = [normalise(vectors[index]) for index in range(len(self.languages))]
        table = _divergences(sides)
        rows = [
            self._row(label, code, INVARIANCE, value, self.task.count)
            for code, value in zip(self.languages, _others(table), strict=True)
            if value is not None
        ]
        rows += [
            self._row(label, code, ISOTROPY, principal_ratio(side), self.task.count)
            for code, side in zip(self.languages, sides, strict=True)
        ]
        maps = clouds(sides, self.languages)
        canonical, *others = self._together(label, "", sides)
        rows += [canonical._replace(clouds=maps), *others]
        for name, codes in self.task.groups:
            members = [index for index, code in enumerate(self.languages) if code in codes]
            if 2 <= len(members) < len(sides):
                rows += self._together(label, f"{name}, ", [sides[index] for index in members])
                within = [value for value in _others(table[np.ix_(members, members)]) if value is not None]
                if within:
                    mean, title = sum(within) / len(within), f"{name}, {len(members)} languages"
                    rows.append(self._row(label, title, INVARIANCE, mean, self.task.count))
        return rows

    def _together(self, label: str, name: str, sides: Sequence[Vectors]) -> tuple[Scored, ...]:
        """Return canonical form and isotropy of several languages together."""
        pooled = np.concatenate(sides)
        meanings = np.tile(np.arange(self.task.count), len(sides))
        language, form = f"{name}{len(sides)} languages", canonical_form(pooled, meanings)
        return (
            self._row(label, language, CANONICAL, form, len(pooled)),
            self._row(label, language, PRINTED, as_printed(form, self.task.count, len(pooled)), len(pooled)),
            self._row(label, language, ISOTROPY_POOLED, principal_ratio(pooled), len(pooled)),
        )

    def _row(self, label: str, language: str, metric: str, value: float, count: int) -> Scored:
        return Scored(Row(label, self.task.name, language, metric, value, count))


def _divergences(sides: Sequence[Vectors]) -> Floats:
    """Return the symmetric KL of each two languages, NaN where one has no density, ``(n, n)``."""
    gaussians = {index: fit_gaussian(side) for index, side in enumerate(sides)}
    fitted = {index: gaussian for index, gaussian in gaussians.items() if gaussian is not None}
    table = np.full((len(sides), len(sides)), np.nan)
    for first, second in itertools.combinations(fitted, 2):
        table[first, second] = table[second, first] = symmetric_kl(fitted[first], fitted[second])
    return table


def _others(table: Floats) -> list[float | None]:
    """Return the mean of each row without its NaNs; ``None`` if there is none."""
    numbers = [row[~np.isnan(row)] for row in table]
    return [float(row.sum() / len(row)) if len(row) else None for row in numbers]


_HUB = HubData("mteb/FloresBitextMining", "CC BY-SA 4.0", "2144d16cc15edd22d4a9237d12bff5f31f5c07fc")
_LANGUAGES = tuple(NAMES)
_HEAD = frozenset(code for code, name in NAMES.items() if name in FLORES_HEAD)


def _on_hub() -> tuple[HubFile, ...]:
    """Return the hub file of each language: a column of one table, named by FLORES' code."""
    return tuple(
        HubFile(f"geometry/flores/devtest.{code}", _HUB, "data/devtest-*.parquet", Table((Field(name),)))
        for code, name in NAMES.items()
    )


_GROUPS = head_and_tail((code for code in _LANGUAGES if code != "en"), _HEAD)


def _table_4() -> tuple[Published, ...]:
    """Return the rows of Table 4 in the columns of all languages and of both groups."""
    groups = {"all": f"{len(_LANGUAGES)} languages"}
    groups |= {name: f"{name}, {len(codes)} languages" for name, codes in _GROUPS}
    metrics = {"invariance": INVARIANCE, "canonical-form": PRINTED, "isotropy": ISOTROPY_POOLED}
    rows = []
    for name, metric in metrics.items():
        for row in table_rows(f"guo-2023-table-4-{name}", metric):
            values = dict(row.languages)
            means = (("mean, all", values["all"]),) if metric == INVARIANCE else ()
            rows.append(
                replace(row, means=means, languages=tuple((groups[one], values[one]) for one in values))
            )
    return tuple(rows)


FLORES = GeometryTask(
    name="flores",
    languages=_LANGUAGES,
    groups=_GROUPS,
    file="geometry/flores/devtest.{}",
    count=1012,
    note="FLORES-200 devtest; invariance, canonical form and isotropy after Emma-X (Guo et al. 2023, "
    "appendix B), on vectors of length 1; KL and Calinski-Harabasz are not on a scale of 100; "
    "Calinski-Harabasz is scikit-learn's, (n - K) / (K - 1) times what the appendix prints (B.2, Eq. 2); KL "
    "of a group is within it; "
    f"{LINE}",
    fetch="https://github.com/facebookresearch/flores, one file per language, as geometry/flores/devtest.XX, "
    "XX the ISO 639-1 code, or FLORES' own name where there is none",
    hub=_on_hub(),
    published=_table_4(),
)
