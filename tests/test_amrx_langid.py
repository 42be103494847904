import subprocess
import sys

import pytest

from amrx import langid
from amrx.errors import OptionError

SENTENCES = {
    "ar": "يريد الولد أن يذهب إلى المدرسة.",
    "de": "Der Junge möchte in die Schule gehen.",
    "en": "The boy wants to go to school.",
    "es": "El niño quiere ir a la escuela.",
    "fr": "Le garçon veut aller à l'école.",
    "it": "Il ragazzo vuole andare a scuola.",
    "ja": "男の子は学校に行きたいです。",
    "ko": "소년은 학교에 가고 싶어 한다.",
    "tr": "Çocuk okula gitmek istiyor.",
    "zh": "那个男孩想去学校。",
}


def test_each_language_in_the_order_given():
    assert langid.detect(list(SENTENCES.values())) == list(SENTENCES)


def test_what_has_no_letters_is_english_and_repeats_agree():
    texts = ["", "  ", "123 + 4", SENTENCES["de"], "", SENTENCES["de"]]
    assert langid.detect(texts) == ["en", "en", "en", "de", "en", "de"]
    assert langid.detect([]) == []
    assert langid.detect([""]) == ["en"]


def test_every_language_told_apart_has_a_code():
    assert set(langid.DETECTED) <= langid.CODES
    assert len(langid.CODES) == 183
    assert all(len(code) == 2 and code.islower() for code in langid.CODES)


@pytest.mark.parametrize("code", ["de", "zh", "tr"])
def test_codes_pass(code):
    assert langid.check(code) == code


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("DE", "'de'"),
        ("zh-CN", "'zh'"),
        ("pt_BR", "'pt'"),
        ("deu", "'de'"),
        ("", "two small letters"),
        ("xx", "two"),
    ],
)
def test_what_is_no_code_gets_a_hint(code, hint):
    with pytest.raises(OptionError) as caught:
        langid.check(code)
    assert str(caught.value).startswith(f"language code {code!r} is not in ISO 639-1")
    assert hint in str(caught.value)


def test_checking_a_code_does_not_load_the_detector():
    code = "import sys; from amrx import langid; langid.check('de'); print('lingua' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_sentences_of_stsb(data_dir):
    import csv

    for code in ("de", "es", "fr", "it", "zh"):
        with (data_dir / f"sts/stsb/{code}/dev.csv").open(encoding="utf-8", newline="") as stream:
            texts = [row[0] for row in csv.reader(stream)][:200]
        assert sum(found == code for found in langid.detect(texts)) >= 0.95 * len(texts)
