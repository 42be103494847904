"""Define the sentences that ``scripts/evaluate_numbers.py`` parses, and what their graphs must hold."""

from __future__ import annotations

NUMBERS = (
    *range(2, 22), 24, 30, 32, 40, 45, 50, 58, 60, 63, 70, 71, 76, 80, 81, 87, 90, 92, 99, 101, 120, 150, 200,
    250, 365, 480, 999, 1200, 1500, 2000, 2500, 12_000, 250_000,
)  # fmt: skip
NUMBER_SENTENCES = {
    "de": ("Auf dem Tisch liegen {} Bücher.", "Wir haben {} Minuten gewartet."),
    "en": ("There are {} books on the table.", "We waited for {} minutes."),
    "es": ("Hay {} libros en la mesa.", "Esperamos {} minutos."),
    "fr": ("Il y a {} livres sur la table.", "Nous avons attendu {} minutes."),
    "id": ("Ada {} buku di atas meja.", "Kami menunggu {} menit."),
    "it": ("Ci sono {} libri sul tavolo.", "Abbiamo aspettato {} minuti."),
    "ja": ("机の上に本が{}冊ある。", "私たちは{}分待った。"),
    "nl": ("Er liggen {} boeken op de tafel.", "We hebben {} minuten gewacht."),
    "pl": ("Na stole jest {} książek.", "Czekaliśmy {} minut."),
    "pt": ("Há {} livros na mesa.", "Esperamos {} minutos."),
    "ru": ("На столе лежит {} книг.", "Мы ждали {} минут."),
    "sv": ("Det ligger {} böcker på bordet.", "Vi väntade i {} minuter."),
    "tr": ("Masanın üzerinde {} kitap var.", "{} dakika bekledik."),
    "uk": ("На столі лежить {} книг.", "Ми чекали {} хвилин."),
}


DAY_SENTENCES = {
    "ar": "المتجر مغلق يوم {}.", "de": "Der Laden ist am {} geschlossen.", "en": "The shop is closed on {}.",
    "es": "La tienda está cerrada el {}.", "fr": "Le magasin est fermé le {}.",
    "id": "Toko tutup pada hari {}.", "it": "Il negozio è chiuso il {}.", "ja": "店は{}に休みです。",
    "ko": "가게는 {}에 쉽니다.", "nl": "De winkel is op {} gesloten.", "pl": "Sklep jest zamknięty: {}.",
    "pt": "A loja está fechada na {}.", "ru": "Магазин закрыт: {}.", "sv": "Affären är stängd på {}.",
    "tr": "Dükkan {} günü kapalı.", "uk": "Магазин зачинено: {}.", "zh": "商店{}关门。",
}  # fmt: skip
MONTH_SENTENCES = {
    "ar": "الاجتماع في {}.", "de": "Das Treffen ist im {}.", "en": "The meeting is in {}.",
    "es": "La reunión es en {}.", "fr": "La réunion est en {}.", "id": "Rapat pada bulan {}.",
    "it": "La riunione è a {}.", "ja": "会議は{}です。", "ko": "회의는 {}입니다.",
    "nl": "De vergadering is in {}.", "pl": "Spotkanie: {}.", "pt": "A reunião é em {}.",
    "ru": "Встреча будет в {}.", "sv": "Mötet är i {}.", "tr": "Toplantı {} ayında.",
    "uk": "Зустріч: {}.", "zh": "会议在{}。",
}  # fmt: skip
DECIMALS = (1.5, 2.5, 3.5, 4.2, 7.8, 12.5, 20.4)
FRACTIONS = ("1/2", "1/3", "2/3", "3/4")
FRACTION_SENTENCES = {
    "de": ("{} der Häuser sind leer.", ("die Hälfte", "ein Drittel", "zwei Drittel", "drei Viertel")),
    "en": ("{} of the houses are empty.", ("half", "one third", "two thirds", "three quarters")),
    "es": ("{} de las casas están vacías.", ("la mitad", "un tercio", "dos tercios", "tres cuartos")),
    "fr": ("{} des maisons sont vides.", ("la moitié", "un tiers", "deux tiers", "trois quarts")),
    "it": ("{} delle case sono vuote.", ("la metà", "un terzo", "due terzi", "tre quarti")),
    "ja": ("家の{}は空いている。", ("半分", "三分の一", "三分の二", "四分の三")),
    "nl": ("{} van de huizen is leeg.", ("de helft", "een derde", "twee derde", "drie kwart")),
    "pl": ("{} domów jest pusta.", ("połowa", "jedna trzecia", "dwie trzecie", "trzy czwarte")),
    "pt": ("{} das casas estão vazias.", ("metade", "um terço", "dois terços", "três quartos")),
    "ru": ("{} домов пусты.", ("половина", "треть", "две трети", "три четверти")),
    "tr": ("Evlerin {} boş.", ("yarısı", "üçte biri", "üçte ikisi", "dörtte üçü")),
    "uk": ("{} будинків порожні.", ("половина", "третина", "дві третини", "три чверті")),
    "zh": ("{}的房子是空的。", ("一半", "三分之一", "三分之二", "四分之三")),
}
BOUNDS = ("at-least", "at-most", "less-than", "more-than")
BOUND_SENTENCES = {
    "de": ("Es kamen {} {} Leute.", ("mindestens", "höchstens", "weniger als", "mehr als")),
    "en": ("{} {} people came.", ("at least", "at most", "fewer than", "more than")),
    "es": ("Vinieron {} {} personas.", ("al menos", "como máximo", "menos de", "más de")),
    "fr": ("Il y a {} {} personnes.", ("au moins", "au plus", "moins de", "plus de")),
    "it": ("Ci sono {} {} persone.", ("almeno", "al massimo", "meno di", "più di")),
    "ja": ("{}{}人が来た。", ("少なくとも", "最大", "", "")),
    "nl": ("Er kwamen {} {} mensen.", ("minstens", "hoogstens", "minder dan", "meer dan")),
    "pl": ("Przyszło {} {} osób.", ("co najmniej", "najwyżej", "mniej niż", "więcej niż")),
    "pt": ("Vieram {} {} pessoas.", ("pelo menos", "no máximo", "menos de", "mais de")),
    "ru": ("Пришло {} {} человек.", ("как минимум", "максимум", "меньше", "больше")),
    "tr": ("{} {} kişi geldi.", ("en az", "en fazla", "", "")),
    "uk": ("Прийшло {} {} людей.", ("щонайменше", "щонайбільше", "менше", "більше")),
    "zh": ("{}{}个人来了。", ("至少", "最多", "不到", "超过")),
}
RELATIONS = ({"before", "by"}, {"after"}, {"until", "by", "up-to"}, {"since", "from"})
RELATION_SENTENCES = {
    "de": ("Antworten Sie vor {}.", "Wir liefern nach {}.", "Die Bank ist bis {} zu.", "Es regnet seit {}."),
    "en": ("Answer before {}.", "We deliver after {}.", "The bank is closed until {}.",
           "It has rained since {}."),
    "es": ("Responda antes del {}.", "Entregamos después del {}.", "El banco está cerrado hasta el {}.",
           "Llueve desde el {}."),
    "fr": ("Répondez avant {}.", "Nous livrons après {}.", "La banque est fermée jusqu'à {}.",
           "Il pleut depuis {}."),
    "it": ("Rispondi prima di {}.", "Consegniamo dopo {}.", "La banca è chiusa fino a {}.", "Piove da {}."),
    "ja": ("{}の前に答えてください。", "{}の後に配達します。", "銀行は{}まで休みです。",
           "{}から雨が降っている。"),
    "nl": ("Antwoord vóór {}.", "We leveren na {}.", "De bank is tot {} gesloten.", "Het regent sinds {}."),
    "pt": ("Responda antes de {}.", "Entregamos depois de {}.", "O banco está fechado até {}.",
           "Chove desde {}."),
    "sv": ("Svara före {}.", "Vi levererar efter {}.", "Banken är stängd till {}.",
           "Det har regnat sedan {}."),
    "zh": ("请在{}之前回答。", "我们在{}之后送货。", "银行关门到{}。", "从{}起一直下雨。"),
}  # fmt: skip
IDENTIFIERS = (17, 214, 905, 3308, 48213)
IDENTIFIER_SENTENCES = {
    "de": ("Zimmer {} ist schmutzig.", "Wo ist meine Bestellung {}?", "Wir haben Rechnung {} bezahlt."),
    "en": ("Room {} is dirty.", "Where is my order {}?", "We have paid invoice {}."),
    "es": ("La habitación {} está sucia.", "¿Dónde está mi pedido {}?", "Hemos pagado la factura {}."),
    "fr": ("La chambre {} est sale.", "Où est ma commande {} ?", "Nous avons payé la facture {}."),
    "it": ("La camera {} è sporca.", "Dov'è il mio ordine {}?", "Abbiamo pagato la fattura {}."),
    "nl": ("Kamer {} is vies.", "Waar is mijn bestelling {}?", "We hebben factuur {} betaald."),
    "pl": ("Pokój {} jest brudny.", "Gdzie jest moje zamówienie {}?", "Zapłaciliśmy fakturę {}."),
    "pt": ("O quarto {} está sujo.", "Onde está o meu pedido {}?", "Pagámos a fatura {}."),
    "ru": ("Комната {} грязная.", "Где мой заказ {}?", "Мы оплатили счёт {}."),
    "tr": ("{} numaralı oda kirli.", "{} numaralı siparişim nerede?", "{} numaralı faturayı ödedik."),
    "zh": ("我的订单{}在哪里？", "我们付了发票{}。"),
}  # fmt: skip
NEGATED = ("sleep-0[1-9]", "answer-01|respond-01|reply-01", "eat-01", "come-01|arrive-01", "work-0[19]")
NEGATION_SENTENCES = {
    "de": ("Sie arbeitet, weil sie nicht schläft.", "Ich schrieb ihm, aber er antwortete nicht.",
           "Wenn du nicht isst, wirst du krank.", "Wir hoffen, dass er nicht kommt.",
           "Die Frau, die nicht arbeitet, singt."),
    "en": ("She works because she does not sleep.", "I wrote to him but he did not answer.",
           "If you do not eat, you will get sick.", "We hope that he does not come.",
           "The woman who does not work sings."),
    "es": ("Ella trabaja porque no duerme.", "Le escribí pero él no respondió.",
           "Si no comes, te enfermarás.", "Esperamos que él no venga.", "La mujer que no trabaja canta."),
    "fr": ("Elle travaille parce qu'elle ne dort pas.", "Je lui ai écrit mais il n'a pas répondu.",
           "Si tu ne manges pas, tu tomberas malade.", "Nous espérons qu'il ne viendra pas.",
           "La femme qui ne travaille pas chante."),
    "it": ("Lei lavora perché non dorme.", "Gli ho scritto ma lui non ha risposto.",
           "Se non mangi, ti ammalerai.", "Speriamo che lui non venga.", "La donna che non lavora canta."),
    "nl": ("Ze werkt omdat ze niet slaapt.", "Ik schreef hem maar hij antwoordde niet.",
           "Als je niet eet, word je ziek.", "We hopen dat hij niet komt.", "De vrouw die niet werkt zingt."),
    "pl": ("Ona pracuje, bo nie śpi.", "Napisałem do niego, ale nie odpowiedział.",
           "Jeśli nie będziesz jeść, zachorujesz.", "Mamy nadzieję, że on nie przyjdzie.",
           "Kobieta, która nie pracuje, śpiewa."),
    "pt": ("Ela trabalha porque não dorme.", "Escrevi-lhe mas ele não respondeu.",
           "Se não comeres, ficarás doente.", "Esperamos que ele não venha.",
           "A mulher que não trabalha canta."),
    "ru": ("Она работает, потому что не спит.", "Я написал ему, но он не ответил.",
           "Если ты не будешь есть, ты заболеешь.", "Мы надеемся, что он не придёт.",
           "Женщина, которая не работает, поёт."),
    "tr": ("Uyumadığı için çalışıyor.", "Ona yazdım ama cevap vermedi.", "Yemezsen hasta olursun.",
           "Gelmediğini umuyoruz.", "Çalışmayan kadın şarkı söylüyor."),
    "zh": ("她工作是因为她不睡觉。", "我给他写信，但他没有回答。", "如果你不吃饭，你会生病。",
           "我们希望他不来。", "不工作的女人在唱歌。"),
}  # fmt: skip
AGENTS = ("man|woman", "soldier", "person", "person", "boy")
OBJECT_FIRST_SENTENCES = {
    "de": (
        "Den Hund sah der Mann.",
        "Den Jungen küsste der Soldat.",
        "Den Apfel kaufte der Bauer.",
        "Den Wolf tötete der Jäger.",
        "Den Bären fand der Junge.",
    ),
    "pl": (
        "Sukę zobaczyła kobieta.",
        "Dziewczynę pocałował żołnierz.",
        "Krowę kupił rolnik.",
        "Wilka zabił myśliwy.",
        "Niedźwiedzia znalazł chłopiec.",
    ),
    "ru": (
        "Собаку увидела женщина.",
        "Девушку поцеловал солдат.",
        "Корову купил фермер.",
        "Волка убил охотник.",
        "Медведя нашёл мальчик.",
    ),
    "uk": (
        "Собаку побачила жінка.",
        "Дівчину поцілував солдат.",
        "Корову купив фермер.",
        "Вовка вбив мисливець.",
        "Ведмедя знайшов хлопець.",
    ),
}
