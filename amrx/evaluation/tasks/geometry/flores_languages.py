"""The languages of FLORES-200 (NLLB Team et al. 2022), and what its files and ours call them."""

from __future__ import annotations

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
"""FLORES' own name of each of its 204 languages by ours.

Ours is the ISO 639-1 code where the language has one, and only one of the rows that fall under it bears it
(``zh`` is in simplified script, ``ar`` standard Arabic in its own); the others keep FLORES' name, ISO 639-3
code and script. Those of two letters come first.
"""
