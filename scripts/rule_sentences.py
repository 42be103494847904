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
CONFUSED = (
    ("borrow-01", ""),
    ("daughter", "niece"),
    ("west", "east|north|south"),
    ("few", "many|lot|some"),
    ("less", "more"),
    ("cheap-02", "expensive"),
)
CONFUSED_SENTENCES = {
    "de": ("Sie lieh sich Geld von ihrem Vater.", "Seine Tochter singt gern.", "Der Fluss liegt im Westen.",
           "Wenige Touristen besuchen das Dorf.", "Der Film ist weniger lang als das Buch.",
           "Die Schuhe waren billig."),
    "en": ("She borrowed money from her father.", "His daughter likes to sing.",
           "The river is in the west.", "Few tourists visit the village.",
           "The film is less long than the book.", "The shoes were cheap."),
    "es": ("Ella pidió prestado dinero a su padre.", "A su hija le gusta cantar.",
           "El río está en el oeste.", "Pocos turistas visitan el pueblo.",
           "La película es menos larga que el libro.", "Los zapatos eran baratos."),
    "fr": ("Elle a emprunté de l'argent à son père.", "Sa fille aime chanter.", "Le fleuve est à l'ouest.",
           "Peu de touristes visitent le village.", "Le film est moins long que le livre.",
           "Les chaussures étaient bon marché."),
    "it": ("Lei ha preso in prestito dei soldi da suo padre.", "A sua figlia piace cantare.",
           "Il fiume è a ovest.", "Pochi turisti visitano il paese.",
           "Il film è meno lungo del libro.", "Le scarpe erano economiche."),
    "ja": ("彼女は父親からお金を借りた。", "彼の娘は歌うのが好きだ。", "川は西にある。", "", "",
           "靴は安かった。"),
    "ko": ("그녀는 아버지에게서 돈을 빌렸다.", "그의 딸은 노래를 좋아한다.", "강은 서쪽에 있다.", "", "",
           "신발이 쌌다."),
    "pl": ("Ona pożyczyła pieniądze od ojca.", "Jego córka lubi śpiewać.", "Rzeka jest na zachodzie.",
           "Niewielu turystów odwiedza wieś.", "Film jest mniej długi niż książka.", "Buty były tanie."),
    "pt": ("Ela pegou dinheiro emprestado do pai.", "A filha dele gosta de cantar.", "O rio fica no oeste.",
           "Poucos turistas visitam a aldeia.", "O filme é menos longo que o livro.",
           "Os sapatos eram baratos."),
    "ru": ("Она заняла деньги у отца.", "Его дочь любит петь.", "Река находится на западе.",
           "Мало туристов посещает деревню.", "Фильм менее длинный, чем книга.", "Обувь была дешёвая."),
    "tr": ("Babasından ödünç para aldı.", "Kızı şarkı söylemeyi seviyor.", "Nehir batıda.",
           "Köyü az turist ziyaret ediyor.", "Film kitaptan daha az uzun.", "Ayakkabılar ucuzdu."),
    "zh": ("她向父亲借了钱。", "他的女儿喜欢唱歌。", "河在西边。", "很少人参观这个村庄。", "",
           "鞋子很便宜。"),
}  # fmt: skip
WHOM = (("woman", "amr-unknown"), ("woman", "amr-unknown"), ("woman", "i"), ("woman", "soldier"))
WHOM_SENTENCES = {
    "de": ("Wen hat die Frau gerufen?", "Wem hat die Frau geschrieben?",
           "Mich hat die Frau gerufen.", ""),
    "es": ("¿A quién llamó la mujer?", "¿A quién besó la mujer?", "",
           "El soldado al que besó la mujer duerme."),
    "pl": ("Kogo zawołała kobieta?", "Kogo pocałowała kobieta?", "Mnie zawołała kobieta.",
           "Żołnierz, którego pocałowała kobieta, śpi."),
    "ru": ("Кого позвала женщина?", "Кого поцеловала женщина?", "Меня поцеловала женщина.",
           "Солдат, которого поцеловала женщина, спит."),
    "tr": ("", "", "", "Kadının öptüğü asker uyuyor."),
    "uk": ("Кого покликала жінка?", "Кого поцілувала жінка?", "Мене поцілувала жінка.",
           "Солдат, якого поцілувала жінка, спить."),
}  # fmt: skip
NOT_ALL = ("all|every", "always", "every|all")
NOT_ALL_SENTENCES = {
    "de": ("Nicht alle Kinder sangen.", "Der Zug ist nicht immer pünktlich.", "Nicht jeder Hund bellt."),
    "en": ("Not all children sang.", "The train is not always punctual.", "Not every dog barks."),
    "es": ("No todos los niños cantaron.", "El tren no siempre es puntual.", "No todos los perros ladran."),
    "fr": ("Les enfants n'ont pas tous chanté.", "Le train n'est pas toujours à l'heure.",
           "Les chiens n'aboient pas tous."),
    "it": ("Non tutti i bambini hanno cantato.", "Il treno non sempre è puntuale.",
           "Non tutti i cani abbaiano."),
    "ja": ("すべての子供が歌ったわけではない。", "列車はいつも時間通りとは限らない。",
           "すべての犬が吠えるわけではない。"),
    "ko": ("모든 아이가 노래한 것은 아니다.", "기차가 항상 빠른 것은 아니다.", "모든 개가 짖는 것은 아니다."),
    "nl": ("Niet alle kinderen zongen.", "De trein is niet altijd op tijd.", "Niet elke hond blaft."),
    "pl": ("Nie wszystkie dzieci śpiewały.", "Pociąg nie zawsze jest punktualny.", "Nie każdy pies szczeka."),
    "pt": ("Nem todas as crianças cantaram.", "O trem nem sempre é pontual.", "Nem todos os cães latem."),
    "ru": ("Не все дети пели.", "Поезд не всегда приходит вовремя.", "Не каждая собака лает."),
    "uk": ("Не всі діти співали.", "Поїзд не завжди приходить вчасно.", "Не кожен собака гавкає."),
    "zh": ("不是所有孩子都唱歌了。", "火车不总是准时。", "不是所有的狗都叫。"),
}  # fmt: skip
UNLESS_SENTENCES = {
    "de": ("Wir spielen draußen, es sei denn, es regnet.", "Sie schläft, es sei denn, der Hund bellt."),
    "en": ("We play outside unless it rains.", "She sleeps unless the dog barks."),
    "es": ("Jugamos fuera a menos que llueva.", "Ella duerme a menos que ladre el perro."),
    "fr": ("Nous jouons dehors à moins qu'il ne pleuve.", "Elle dort à moins que le chien n'aboie."),
    "it": ("Giochiamo fuori a meno che non piova.", "Lei dorme a meno che il cane non abbai."),
    "nl": ("We spelen buiten tenzij het regent.", "Ze slaapt tenzij de hond blaft."),
    "pl": ("Gramy na dworze, chyba że pada deszcz.", "Ona śpi, chyba że pies szczeka."),
    "pt": ("Brincamos lá fora a menos que chova.", "Ela dorme a menos que o cão ladre."),
}
PASSIVES = (("police", "woman"), ("nurse|person", "soldier"), ("child", "cat"), ("king", "farmer|person"))
PASSIVE_SENTENCES = {
    "ja": ("女性は警察に止められた。", "兵士は看護師に助けられた。", "猫は子供に蹴られた。",
           "農夫は王に殺された。"),
    "ko": ("여자는 경찰에 체포되었다.", "군인은 간호사에게 구조되었다.", "고양이는 아이에게 쫓겼다.",
           "농부는 왕에게 살해당했다."),
    "ru": ("Женщина была остановлена полицией.", "Солдат был спасён медсестрой.", 
           "Кошка была найдена ребёнком.", "Фермер был убит королём."),
    "uk": ("Жінка була зупинена поліцією.", "Солдат був врятований медсестрою.",
           "Кішка була знайдена дитиною.", "Фермер був убитий королем."),
}  # fmt: skip
