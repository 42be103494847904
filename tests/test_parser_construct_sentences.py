"""parser.training.templates.meanings: one meaning in eight languages, all read by hand."""

from __future__ import annotations

import pytest

from parser.training.templates.meanings.draw import RULES
from parser.training.templates.meanings.lexicon import adverbs, nouns, verbs
from parser.training.templates.meanings.meaning import (
    Both,
    Clause,
    Command,
    Comparison,
    Control,
    Linked,
    Opinion,
    Thing,
    Wish,
)
from parser.training.templates.meanings.turkish import turkish
from parser.training.templates.morphology.turkish import suffixed
from parser.training.templates.words import UnsayableError, finished

VERBS = {verb.frame: verb for verb in verbs()}


def the(name, **more):
    return Thing(nouns()[name], **more)


def a(name, **more):
    return the(name, definite=False, **more)


WHEN, WHERE = (next(one for one in adverbs() if one.concept == name) for name in ("yesterday", "garden"))
ARRESTED = Clause(VERBS["arrest-01"], the("driver"))
SAYINGS = [
    (Clause(VERBS["give-01"], the("girl"), a("book"), the("boy"), past=True), {
        "en": "The girl gave the boy a book.", "de": "Das Mädchen gab dem Jungen ein Buch.",
        "es": "La niña le dio un libro al niño.", "fr": "La fille a donné un livre au garçon.",
        "it": "La ragazza ha dato un libro al ragazzo.", "tr": "Kız oğlana bir kitap verdi.",
        "zh": "女孩给了男孩一本书。", "ar": "البنت أعطت الولد كتابا.",
    }),
    (Clause(VERBS["write-01"], the("doctor"), the("letter"), past=True, passive=True), {
        "en": "The letter was written by the doctor.", "de": "Der Brief wurde von dem Arzt geschrieben.",
        "es": "La carta fue escrita por el médico.", "fr": "La lettre a été écrite par le médecin.",
        "it": "La lettera è stata scritta dal medico.", "tr": "Mektup doktor tarafından yazıldı.",
        "zh": "信被医生写了。", "ar": "كتبت الرسالة من قبل الطبيب.",
    }),
    (Control("want", the("child"), Clause(VERBS["eat-01"], patient=the("egg")), negated=True), {
        "en": "The child does not want to eat the egg.", "de": "Das Kind will das Ei nicht essen.",
        "fr": "L'enfant ne veut pas manger l'œuf.", "it": "Il bambino non vuole mangiare l'uovo.",
        "tr": "Çocuk yumurtayı yemek istemiyor.", "zh": "孩子不想吃鸡蛋。",
        "ar": "الطفل لا يريد أن يأكل البيضة.",
    }),
    (Control("try", the("mouse"), Clause(VERBS["help-01"], patient=the("king", adjective="old"))), {
        "en": "The mouse tries to help the old king.", "de": "Die Maus versucht, dem alten König zu helfen.",
        "es": "El ratón intenta ayudar al rey viejo.", "fr": "La souris essaie d'aider le vieux roi.",
        "it": "Il topo cerca di aiutare il re vecchio.",
        "tr": "Fare yaşlı krala yardım etmeye çalışıyor.", "zh": "老鼠试图帮助老国王。",
        "ar": "الفأر يحاول أن يساعد الملك العجوز.",
    }),
    (Wish(the("queen"), Clause(VERBS["sleep-01"], the("dog"))), {
        "en": "The queen wants the dog to sleep.", "de": "Die Königin will, dass der Hund schläft.",
        "es": "La reina quiere que el perro duerma.", "fr": "La reine veut que le chien dorme.",
        "it": "La regina vuole che il cane dorma.", "tr": "Kraliçe köpeğin uyumasını istiyor.",
        "zh": "女王想让狗睡觉。", "ar": "الملكة تريد أن ينام الكلب.",
    }),
    (Opinion("think", the("priest"), Clause(VERBS["visit-01"], the("student"), the("farmer"))), {
        "en": "The priest thinks that the student visits the farmer.",
        "de": "Der Priester denkt, dass der Student den Bauern besucht.",
        "es": "El sacerdote piensa que el estudiante visita al granjero.",
        "it": "Il prete pensa che lo studente visiti il contadino.",
        "tr": "Rahip öğrencinin çiftçiyi ziyaret ettiğini düşünüyor.", "zh": "牧师认为学生正在拜访农民。",
        "ar": "الكاهن يعتقد أن الطالب يزور المزارع.",
    }),
    (Clause(VERBS["break-01"], the("man"), the("window"), modal="can", negated=True), {
        "en": "The man cannot break the window.", "de": "Der Mann kann das Fenster nicht zerbrechen.",
        "es": "El hombre no puede romper la ventana.", "fr": "L'homme ne peut pas casser la fenêtre.",
        "it": "L'uomo non può rompere la finestra.", "tr": "Adam pencereyi kıramıyor.",
        "zh": "男人不能打破窗户。", "ar": "الرجل لا يستطيع أن يكسر النافذة.",
    }),
    (Clause(VERBS["buy-01"], the("woman"), a("apple", adjective="small"), modal="must"), {
        "en": "The woman must buy a small apple.", "de": "Die Frau muss einen kleinen Apfel kaufen.",
        "es": "La mujer debe comprar una manzana pequeña.", "fr": "La femme doit acheter une petite pomme.",
        "it": "La donna deve comprare una mela piccola.", "tr": "Kadın küçük bir elma satın almalı.",
        "zh": "女人必须买一个小苹果。", "ar": "يجب أن تشتري المرأة تفاحة صغيرة.",
    }),
    (Clause(VERBS["dance-01"], the("elephant", relative=Clause(VERBS["follow-02"], None, the("horse")))), {
        "en": "The elephant that follows the horse dances.", "es": "El elefante que sigue al caballo baila.",
        "fr": "L'éléphant qui suit le cheval danse.", "it": "L'elefante che segue il cavallo balla.",
        "tr": "Atı takip eden fil dans ediyor.", "zh": "跟踪马的大象正在跳舞。",
        "ar": "الفيل الذي يتبع الحصان يرقص.",
    }),
    (Clause(VERBS["fall-01"], the("soldier", relative=ARRESTED), past=True), {
        "en": "The soldier that the driver arrests fell.",
        "de": "Der Soldat, den der Fahrer verhaftet, fiel.",
        "es": "El soldado al que detiene el conductor cayó.",
        "tr": "Sürücünün tutukladığı asker düştü.", "zh": "司机逮捕的士兵摔倒了。",
        "ar": "الجندي الذي يعتقله السائق سقط.",
    }),
    (Clause(VERBS["forget-01"], the("lion"), the("wolf"), past=True, negated=True), {
        "en": "The lion did not forget the wolf.", "de": "Der Löwe vergaß den Wolf nicht.",
        "es": "El león no olvidó al lobo.", "fr": "Le lion n'a pas oublié le loup.",
        "it": "Il leone non ha dimenticato il lupo.", "tr": "Aslan kurdu unutmadı.",
        "zh": "狮子没忘记狼。", "ar": "الأسد ما نسي الذئب.",
    }),
    (Linked(Clause(VERBS["laugh-01"], the("girl")), Clause(VERBS["open-01"], the("monkey"), the("door"))), {
        "en": "The girl laughs because the monkey opens the door.",
        "de": "Das Mädchen lacht, weil der Affe die Tür öffnet.",
        "es": "La niña ríe porque el mono abre la puerta.",
        "fr": "La fille rit parce que le singe ouvre la porte.",
        "it": "La ragazza ride perché la scimmia apre la porta.",
        "tr": "Maymun kapıyı açtığı için kız gülüyor.",
        "zh": "因为猴子打开了门，女孩正在笑。", "ar": "البنت تضحك لأن القرد يفتح الباب.",
    }),
    (Both(Clause(VERBS["sing-01"], the("man"), past=True), Clause(VERBS["hug-01"], patient=a("dog"))), {
        "en": "The man sang and hugged a dog.", "de": "Der Mann sang und umarmte einen Hund.",
        "es": "El hombre cantó y abrazó a un perro.", "it": "L'uomo ha cantato e ha abbracciato un cane.",
        "tr": "Adam şarkı söyledi ve bir köpeği kucakladı.", "ar": "الرجل غنى وعانق كلبا.",
    }),
    (Comparison(a("woman"), "old", the("man")), {
        "en": "A woman is older than the man.", "de": "Eine Frau ist älter als der Mann.",
        "es": "Una mujer es más vieja que el hombre.", "fr": "Une femme est plus vieille que l'homme.",
        "it": "Una donna è più vecchia dell'uomo.", "tr": "Bir kadın adamdan daha yaşlı.",
        "zh": "一个女人比男人老。",
    }),
    (Clause(VERBS["show-01"], the("Anna"), a("chair", adjective="old"), the("Tom"), past=True, adverb=WHEN), {
        "en": "Anna showed Tom an old chair yesterday.", "de": "Anna zeigte gestern Tom einen alten Stuhl.",
        "es": "Anna le mostró una silla vieja a Tom ayer.",
        "fr": "Anna a montré une vieille chaise à Tom hier.",
        "it": "Anna ha mostrato una sedia vecchia a Tom ieri.",
        "tr": "Anna dün Tom'a eski bir sandalye gösterdi.",
    }),
    (Clause(VERBS["clean-01"], the("lion"), the("bag"), past=True, passive=True, adverb=WHERE), {
        "en": "The bag was cleaned by the lion in the garden.",
        "de": "Die Tasche wurde im Garten von dem Löwen gereinigt.",
        "es": "La bolsa fue limpiada por el león en el jardín.",
        "fr": "Le sac a été nettoyé par le lion dans le jardin.",
        "it": "La borsa è stata pulita dal leone nel giardino.",
        "tr": "Çanta bahçede aslan tarafından temizlendi.", "zh": "包在花园里被狮子清理了。",
        "ar": "نظفت الحقيبة من قبل الأسد في الحديقة.",
    }),
    (Command(Clause(VERBS["help-01"], patient=the("king"))), {
        "en": "Help the king.", "de": "Helfen Sie dem König.", "es": "Ayude al rey.", "fr": "Aidez le roi.",
        "it": "Aiuti il re.", "tr": "Krala yardım edin.", "zh": "请帮助国王。",
    }),
    (Command(Clause(VERBS["give-01"], None, the("book"), the("boy"), negated=True)), {
        "en": "Do not give the boy the book.", "de": "Geben Sie dem Jungen das Buch nicht.",
        "es": "No le dé el libro al niño.", "fr": "Ne donnez pas le livre au garçon.",
        "it": "Non dia il libro al ragazzo.", "tr": "Oğlana kitabı vermeyin.",
    }),
    (Clause(VERBS["sell-01"], a("student"), the("flower"), the("woman"), past=True), {
        "en": "A student sold the woman the flower.", "de": "Ein Student verkaufte der Frau die Blume.",
        "es": "Un estudiante le vendió la flor a la mujer.", "fr": "Un étudiant a vendu la fleur à la femme.",
        "it": "Uno studente ha venduto il fiore alla donna.", "tr": "Bir öğrenci kadına çiçeği sattı.",
        "zh": "一个学生把花卖给了女人。",
    }),
]  # fmt: skip
OTHERWISE = [
    (SAYINGS[0][0], {
        "en": "The girl was giving a book to the boy.", "de": "Das Mädchen hat dem Jungen ein Buch gegeben.",
        "ar": "أعطت البنت الولد كتابا.",
    }),
    (SAYINGS[10][0], {
        "de": "Den Wolf hat der Löwe nicht vergessen.", "ar": "ما نسي الأسد الذئب.",
    }),
    (SAYINGS[-3][0], {"zh": "帮助国王。"}),
    (Command(Clause(VERBS["help-01"], patient=the("king"), negated=True)), {"zh": "别帮助国王。"}),
    (SAYINGS[-1][0], {"ar": "باع طالب الزهرة للمرأة.", "tr": "Bir öğrenci çiçeği kadına sattı."}),
]  # fmt: skip


@pytest.mark.parametrize(("style", "meaning", "said"), [
    *((0, *saying) for saying in SAYINGS), *((1, *saying) for saying in OTHERWISE),
])  # fmt: skip
def test_a_meaning_is_said_as_speakers_say_it(style, meaning, said):
    assert {lang: finished(RULES[lang](meaning, style), lang) for lang in said} == said


@pytest.mark.parametrize(("lang", "number", "style"), [
    ("es", 2, 0),  # no Spanish word that says child and not boy
    ("fr", 5, 0),  # no single verb for visiting someone
    ("de", 8, 0),  # a relative clause around a verb with the dative
    ("it", 9, 0),  # "che arresta il conducente" could be either's doing
    ("ar", -1, 0),  # an Arabic sentence does not begin with an indefinite subject
    ("zh", 12, 0),  # no "and" between verbs
    ("ar", 14, 0),  # no names in other letters
    ("ar", -3, 0),  # no imperatives in the table
    ("de", 6, 1),  # in front only what is no subject by its article
])  # fmt: skip
def test_what_a_language_cannot_say_clearly_it_does_not_say(lang, number, style):
    with pytest.raises(UnsayableError):
        RULES[lang](SAYINGS[number][0], style)


@pytest.mark.parametrize(("stem", "suffix", "made"), [
    ("göz", "yI", "gözü"), ("kapı", "yI", "kapıyı"), ("kutu", "nIn", "kutunun"), ("kız", "nIn", "kızın"),
    ("top", "yA", "topa"), ("kedi", "yA", "kediye"), ("seç", "DI", "seçti"), ("oku", "mAlI", "okumalı"),
    ("gülümse", "mIyor", "gülümsemiyor"), ("bul", "yAmIyor", "bulamıyor"), ("taşı", "yAbilir", "taşıyabilir"),
])  # fmt: skip
def test_turkish_suffixes_follow_vowel_harmony(stem, suffix, made):
    assert suffixed(stem, suffix) == made


def test_turkish_softens_before_a_vowel_alone() -> None:
    eats = Clause(VERBS["laugh-01"], the("boy", relative=Clause(VERBS["eat-01"], None, the("apple"))))
    assert turkish(eats) == "elmayı yiyen oğlan gülüyor"
    assert turkish(Comparison(the("girl"), "big", the("child"))) == "kız çocuktan daha büyük"
    assert turkish(Clause(VERBS["eat-01"], the("boy"), the("apple"), modal="can")) == "oğlan elmayı yiyebilir"
