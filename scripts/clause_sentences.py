"""Sentences about amounts, hours, places, degrees, alternatives and causes: for ``evaluate_numbers.py``."""

HALVES = (("0.5", "hour"), ("1.5", "year"), ("0.5", "liter"))
HALF_SENTENCES = {
    "de": ("Der Unterricht dauert eine halbe Stunde.", "Wir wohnten dort anderthalb Jahre.",
           "Sie kaufte einen halben Liter Öl."),
    "en": ("The lesson lasts half an hour.", "We lived there for a year and a half.",
           "She bought half a liter of oil."),
    "es": ("La clase dura media hora.", "Vivimos allí un año y medio.", "Compró medio litro de aceite."),
    "fr": ("Le cours dure une demi-heure.", "Nous y avons vécu un an et demi.",
           "Elle a acheté un demi-litre d'huile."),
    "it": ("La lezione dura mezz'ora.", "Abbiamo vissuto lì un anno e mezzo.",
           "Ha comprato mezzo litro d'olio."),
    "ja": ("授業は半時間です。", "私たちはそこに一年半住んだ。", "彼女は油を0.5リットル買った。"),
    "nl": ("De les duurt een half uur.", "We woonden daar anderhalf jaar.", "Ze kocht een halve liter olie."),
    "pl": ("Lekcja trwa pół godziny.", "Mieszkaliśmy tam półtora roku.", "Kupiła pół litra oleju."),
    "pt": ("A aula dura meia hora.", "Vivemos lá um ano e meio.", "Ela comprou meio litro de óleo."),
    "ru": ("Урок длится полчаса.", "Мы жили там полтора года.", "Она купила пол-литра масла."),
    "sv": ("Lektionen varar en halvtimme.", "Vi bodde där ett och ett halvt år.",
           "Hon köpte en halv liter olja."),
    "tr": ("Ders yarım saat sürüyor.", "Orada bir buçuk yıl yaşadık.", "Yarım litre yağ aldı."),
    "uk": ("Урок триває півгодини.", "Ми жили там півтора року.", "Вона купила пів літра олії."),
    "zh": ("这节课半个小时。", "我们在那里住了一年半。", "她买了半升油。"),
}  # fmt: skip
UNITS = (("8", "kilometer"), ("3", "kilogram"))
UNIT_SENTENCES = {
    "de": ("Der Fluss ist acht Kilometer lang.", "Er aß drei Kilo Kartoffeln."),
    "en": ("The river is eight kilometers long.", "He ate three kilos of potatoes."),
    "es": ("El río tiene ocho kilómetros de largo.", "Comió tres kilos de patatas."),
    "fr": ("La rivière fait huit kilomètres de long.", "Il a mangé trois kilos de pommes de terre."),
    "it": ("Il fiume è lungo otto chilometri.", "Ha mangiato tre chili di patate."),
    "ja": ("川は長さが八キロメートルです。", "彼はジャガイモを三キログラム食べた。"),
    "nl": ("De rivier is acht kilometer lang.", "Hij at drie kilo aardappelen."),
    "pl": ("Rzeka ma osiem kilometrów długości.", "Zjadł trzy kilogramy ziemniaków."),
    "pt": ("O rio tem oito quilômetros de comprimento.", "Ele comeu três quilos de batatas."),
    "ru": ("Длина реки восемь километров.", "Он съел три килограмма картошки."),
    "sv": ("Floden är åtta kilometer lång.", "Han åt tre kilo potatis."),
    "tr": ("Nehir sekiz kilometre uzunluğunda.", "Üç kilo patates yedi."),
    "uk": ("Довжина річки вісім кілометрів.", "Він з'їв три кілограми картоплі."),
    "zh": ("这条河长八公里。", "他吃了三公斤土豆。"),
}  # fmt: skip
DEGREES = (("too", "work-\\d+"), ("so", "(leave|go|depart)-\\d+"))
"""Word of the degree, and consequence."""
DEGREE_SENTENCES = {
    "de": ("Er ist zu krank, um zu arbeiten.", "Der Film war so langweilig, dass wir gingen."),
    "en": ("He is too sick to work.", "The film was so boring that we left."),
    "es": ("Está demasiado enfermo para trabajar.", "La película era tan aburrida que nos fuimos."),
    "fr": ("Il est trop malade pour travailler.", "Le film était si ennuyeux que nous sommes partis."),
    "it": ("È troppo malato per lavorare.", "Il film era così noioso che ce ne siamo andati."),
    "nl": ("Hij is te ziek om te werken.", "De film was zo saai dat we weggingen."),
    "pl": ("On jest zbyt chory, żeby pracować.", "Film był tak nudny, że wyszliśmy."),
    "pt": ("Ele está doente demais para trabalhar.", "O filme era tão chato que fomos embora."),
    "ru": ("Он слишком болен, чтобы работать.", "Фильм был такой скучный, что мы ушли."),
    "sv": ("Han är för sjuk för att arbeta.", "Filmen var så tråkig att vi gick."),
    "uk": ("Він занадто хворий, щоб працювати.", "Фільм був такий нудний, що ми пішли."),
}  # fmt: skip
INSTEAD = (("(watch|see|look)-\\d+", "(study|learn)-\\d+"), ("buy-01", "car"))
"""What is done, or the top of it, and what is not."""
INSTEAD_SENTENCES = {
    "de": ("Statt zu lernen, sah sie einen Film.", "Er kaufte ein Fahrrad statt eines Autos."),
    "en": ("Instead of studying, she watched a film.", "He bought a bike instead of a car."),
    "es": ("En vez de estudiar, vio una película.", "Compró una bicicleta en lugar de un coche."),
    "fr": ("Au lieu d'étudier, elle a regardé un film.", "Il a acheté un vélo au lieu d'une voiture."),
    "it": ("Invece di studiare, ha guardato un film.", "Ha comprato una bici invece di una macchina."),
    "ja": ("彼女は勉強する代わりに映画を見た。", "彼は車の代わりに自転車を買った。"),
    "nl": ("In plaats van te studeren keek ze naar een film.", "Hij kocht een fiets in plaats van een auto."),
    "pl": ("Zamiast się uczyć, oglądała film.", "Kupił rower zamiast samochodu."),
    "pt": ("Em vez de estudar, ela viu um filme.", "Ele comprou uma bicicleta em vez de um carro."),
    "ru": ("Вместо того чтобы учиться, она смотрела фильм.", "Он купил велосипед вместо машины."),
    "sv": ("I stället för att studera såg hon en film.", "Han köpte en cykel i stället för en bil."),
    "tr": ("Ders çalışmak yerine film izledi.", "Araba yerine bisiklet aldı."),
    "uk": ("Замість того щоб вчитися, вона дивилася фільм.", "Він купив велосипед замість машини."),
}  # fmt: skip
WHO = (("know-01", "steal-01"), ("ask-01|wonder-01", "(live|reside)-01"))
"""The verb that asks or says, and what the person does."""
WHO_SENTENCES = {
    "de": ("Ich weiß, wer das Rad gestohlen hat.", "Sie fragte, wer dort wohnt."),
    "en": ("I know who stole the bike.", "She asked who lives there."),
    "es": ("Sé quién robó la bicicleta.", "Ella preguntó quién vive allí."),
    "fr": ("Je sais qui a volé le vélo.", "Elle a demandé qui habite là."),
    "it": ("So chi ha rubato la bici.", "Lei ha chiesto chi abita lì."),
    "nl": ("Ik weet wie de fiets heeft gestolen.", "Ze vroeg wie daar woont."),
    "pl": ("Wiem, kto ukradł rower.", "Ona zapytała, kto tam mieszka."),
    "pt": ("Eu sei quem roubou a bicicleta.", "Ela perguntou quem mora ali."),
    "ru": ("Я знаю, кто украл велосипед.", "Она спросила, кто там живёт."),
    "sv": ("Jag vet vem som stal cykeln.", "Hon frågade vem som bor där."),
    "tr": ("Bisikleti kimin çaldığını biliyorum.", "Orada kimin yaşadığını sordu."),
    "uk": ("Я знаю, хто вкрав велосипед.", "Вона запитала, хто там живе."),
    "zh": ("我知道谁偷了自行车。", "她问谁住在那里。"),
}  # fmt: skip
REJECTED = (("sugar", "salt"), ("call-\\d+|phone-\\d+", "(write|send)-\\d+"))
"""What is not, and what is."""
REJECTED_SENTENCES = {
    "cs": ("To není cukr, ale sůl.", "Nevolal, ale napsal dopis."),
    "de": ("Das ist kein Zucker, sondern Salz.", "Er rief nicht an, sondern schrieb einen Brief."),
    "en": ("This is not sugar but salt.", "He did not call but wrote a letter."),
    "es": ("Esto no es azúcar, sino sal.", "No llamó, sino que escribió una carta."),
    "fr": ("Ce n'est pas du sucre, mais du sel.", "Il n'a pas appelé, mais a écrit une lettre."),
    "it": ("Questo non è zucchero, ma sale.", "Non ha chiamato, ma ha scritto una lettera."),
    "ja": ("これは砂糖ではなく、塩です。", "彼は電話ではなく、手紙を書いた。"),
    "ko": ("이것은 설탕이 아니라 소금이다.", "그는 전화가 아니라 편지를 썼다."),
    "pl": ("To nie cukier, ale sól.", "Nie zadzwonił, ale napisał list."),
    "ru": ("Это не сахар, а соль.", "Он не позвонил, а написал письмо."),
    "tr": ("Bu şeker değil, tuz.", "Telefon değil, mektup yazdı."),
    "zh": ("这不是糖，而是盐。", "他没有打电话，而是写了信。"),
}  # fmt: skip
BECAUSE_SENTENCES = {
    "de": ("Weil die Straße gesperrt war, kehrten wir um.", "Da es regnete, blieben sie im Haus."),
    "en": ("Because the road was closed, we turned back.", "Because it was raining, they stayed inside."),
    "es": ("Porque la calle estaba cerrada, volvimos.", "Como llovía, se quedaron en casa."),
    "fr": ("Parce que la route était fermée, nous sommes rentrés.",
           "Comme il pleuvait, ils sont restés à l'intérieur."),
    "it": ("Poiché la strada era chiusa, siamo tornati indietro.", "Siccome pioveva, sono rimasti in casa."),
    "ja": ("道が閉まっていたので、私たちは戻った。", "雨が降っていたので、彼らは中にいた。"),
    "nl": ("Omdat de weg afgesloten was, keerden we om.", "Omdat het regende, bleven ze binnen."),
    "pl": ("Ponieważ droga była zamknięta, zawróciliśmy.", "Ponieważ padało, zostali w środku."),
    "pt": ("Porque a estrada estava fechada, voltamos.", "Como chovia, ficaram em casa."),
    "ru": ("Так как дорога была закрыта, мы вернулись.", "Поскольку шёл дождь, они остались дома."),
    "sv": ("Eftersom vägen var stängd vände vi om.", "Eftersom det regnade stannade de inne."),
    "tr": ("Yol kapalı olduğu için geri döndük.", "Yağmur yağdığı için içeride kaldılar."),
    "zh": ("因为路封了，我们回去了。", "因为下雨，他们待在屋里。"),
}  # fmt: skip
HOURS = ('"7:00"', '"4:00"')
HOUR_SENTENCES = {
    "ar": ("يغادر القطار في الساعة السابعة.", ""),
    "cs": ("Vlak odjíždí v sedm hodin.", "Film začíná ve čtyři hodiny."),
    "de": ("Der Zug fährt um sieben Uhr ab.", "Der Film beginnt um vier."),
    "en": ("The train leaves at seven o'clock.", "The film starts at four."),
    "es": ("El tren sale a las siete.", "La película empieza a las cuatro de la tarde."),
    "fr": ("Le train part à sept heures.", "Le film commence à quatre heures."),
    "it": ("Il treno parte alle sette.", "Il film inizia alle quattro."),
    "ja": ("電車は七時に出ます。", "映画は四時に始まります。"),
    "ko": ("기차는 일곱 시에 떠난다.", "영화는 네 시에 시작한다."),
    "nl": ("De trein vertrekt om zeven uur.", "De film begint om vier uur."),
    "pl": ("Pociąg odjeżdża o siódmej.", "Film zaczyna się o czwartej."),
    "pt": ("O trem parte às sete horas.", "O filme começa às quatro."),
    "ru": ("Поезд отправляется в семь часов.", "Фильм начинается в четыре часа."),
    "sv": ("Tåget går klockan sju.", "Filmen börjar klockan fyra."),
    "tr": ("Tren saat yedide kalkıyor.", "Film saat dörtte başlıyor."),
    "uk": ("Поїзд відправляється о сьомій.", "Фільм починається о четвертій годині."),
    "zh": ("火车七点出发。", "电影四点开始。"),
}  # fmt: skip
SIDES = (("under", "mat|carpet|rug|blanket"), ("behind", "sofa|couch"))
SIDE_SENTENCES = {
    "ar": ("المفتاح تحت السجادة.", "الحذاء خلف الأريكة."),
    "cs": ("Klíč je pod rohožkou.", "Boty jsou za pohovkou."),
    "de": ("Der Schlüssel liegt unter der Matte.", "Die Schuhe sind hinter dem Sofa."),
    "en": ("The key is under the mat.", "The shoes are behind the sofa."),
    "es": ("La llave está debajo de la alfombra.", "Los zapatos están detrás del sofá."),
    "fr": ("La clé est sous le tapis.", "Les chaussures sont derrière le canapé."),
    "it": ("La chiave è sotto il tappeto.", "Le scarpe sono dietro il divano."),
    "ja": ("鍵はマットの下にあります。", "靴はソファの後ろにあります。"),
    "ko": ("열쇠는 매트 아래에 있다.", "신발은 소파 뒤에 있다."),
    "nl": ("De sleutel ligt onder de mat.", "De schoenen staan achter de bank."),
    "pl": ("Klucz jest pod dywanem.", "Buty są za kanapą."),
    "pt": ("A chave está debaixo do tapete.", "Os sapatos estão atrás do sofá."),
    "ru": ("Ключ под ковриком.", "Ботинки за диваном."),
    "sv": ("Nyckeln ligger under mattan.", "Skorna är bakom soffan."),
    "tr": ("Anahtar halının altında.", "Ayakkabılar kanepenin arkasında."),
    "uk": ("Ключ під килимом.", "Черевики за диваном."),
    "zh": ("钥匙在地毯下面。", "鞋子在沙发后面。"),
}  # fmt: skip
DATES = ((":day", "1"), (":century", "18"), (":decade", "1980"))
"""Role and value of the part of a date that is in words or Roman numerals."""
DATE_SENTENCES = {
    "de": ("Die Schule beginnt am ersten September.", "Im achtzehnten Jahrhundert war hier ein Wald.",
           "Sie heirateten in den achtziger Jahren."),
    "en": ("School begins on the first of September.", "In the 18th century there was a forest here.",
           "They married in the eighties."),
    "es": ("La escuela empieza el primero de septiembre.", "En el siglo XVIII había un bosque aquí.",
           "Se casaron en los años ochenta."),
    "fr": ("L'école commence le premier septembre.", "Au XVIIIe siècle, il y avait une forêt ici.",
           "Ils se sont mariés dans les années quatre-vingt."),
    "it": ("La scuola inizia il primo settembre.", "Nel XVIII secolo qui c'era un bosco.",
           "Si sono sposati negli anni ottanta."),
    "nl": ("De school begint op één september.", "In de achttiende eeuw was hier een bos.",
           "Ze trouwden in de jaren tachtig."),
    "pl": ("Szkoła zaczyna się pierwszego września.", "W XVIII wieku był tu las.", "Pobrali się w latach 80."),
    "ru": ("Школа начинается первого сентября.", "В XVIII веке здесь был лес.",
           "Они поженились в восьмидесятых годах."),
    "sv": ("Skolan börjar den första september.", "", ""),
    "uk": ("Школа починається першого вересня.", "У XVIII столітті тут був ліс.", ""),
    "zh": ("学校九月一日开学。", "十八世纪这里有一片森林。", "他们在八十年代结婚了。"),
}  # fmt: skip
