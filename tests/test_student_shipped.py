"""The students that ship with the package, as a user gets them."""

import numpy as np
import pytest

from amrx.vectors import cosine_matrix
from retrofit import load
from retrofit.combine import RetrofittedEncoder
from retrofit.folders import find_encoder
from retrofit.weight_fitting import stored_weights

ENGLISH = [
    "A man is playing a guitar.",
    "The boy wants to go home.",
    "Two dogs run across the snow.",
    "The government raised taxes last year.",
    "I have never seen this film.",
]
TRANSLATIONS = {
    "de": [
        "Ein Mann spielt Gitarre.", "Der Junge will nach Hause gehen.", "Zwei Hunde rennen durch den Schnee.",
        "Die Regierung hat letztes Jahr die Steuern erhöht.", "Diesen Film habe ich noch nie gesehen.",
    ],
    "ar": [
        "رجل يعزف على الغيتار.", "يريد الصبي أن يذهب إلى البيت.", "كلبان يركضان عبر الثلج.",
        "رفعت الحكومة الضرائب في العام الماضي.", "لم أر هذا الفيلم من قبل.",
    ],
    "tr": [
        "Bir adam gitar çalıyor.", "Çocuk eve gitmek istiyor.", "İki köpek karda koşuyor.",
        "Hükümet geçen yıl vergileri artırdı.", "Bu filmi hiç görmedim.",
    ],
}  # fmt: skip


@pytest.fixture(scope="module", params=["student-text", "student-e5"])
def encoder(request: pytest.FixtureRequest) -> RetrofittedEncoder:
    return load("muse", encoder=request.param)


def name(encoder: RetrofittedEncoder) -> str:
    return encoder.encoders[0].name


def test_it_is_small_and_has_its_card_and_weight(encoder: RetrofittedEncoder):
    folder = find_encoder(name(encoder))
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) <= 14_000_000
    card = (folder / "README.md").read_text("utf-8")
    assert "licence" in card and "Dev scores" in card and "amrx train-student" in card
    stored = stored_weights(folder)["muse"][""]
    assert encoder.weights == (stored["weight"],) > (0,)
    assert stored["score"] > stored["base_score"]


def test_vectors_have_unit_length_and_are_the_same_twice(encoder: RetrofittedEncoder):
    vectors = encoder.encoders[0].encode(ENGLISH)
    assert vectors.shape == (5, 384) and vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert np.array_equal(vectors, encoder.encoders[0].encode(ENGLISH))


def test_a_vector_hardly_feels_its_batch(encoder: RetrofittedEncoder):
    together = encoder.encoders[0].encode(ENGLISH)
    alone = np.concatenate([encoder.encoders[0].encode([text], batch_size=1) for text in ENGLISH])
    assert np.einsum("nd,nd->n", together, alone).min() > 0.999  # bf16 where the processor has it


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_translations_lie_nearest(lang: str, encoder: RetrofittedEncoder):
    near = cosine_matrix(encoder.encoders[0].encode(ENGLISH), encoder.encoders[0].encode(TRANSLATIONS[lang]))
    assert near.argmax(axis=1).tolist() == near.argmax(axis=0).tolist() == list(range(5))
    assert np.diag(near).mean() > near[~np.eye(5, dtype=bool)].max() + 0.1


def test_the_student_of_the_text_is_near_the_text_encoder(encoder: RetrofittedEncoder):
    from retrofit.bases import load_base

    teacher = load_base("minilm").encode(ENGLISH)
    assert np.diag(cosine_matrix(encoder.encoders[0].encode(ENGLISH), teacher)).mean() > 0.6
