"""Everyday adjectives, nouns and compounds in sentences, English plurals and verbs, for `evaluate_nouns`."""

EVERYDAY = {
    "de": "Die Stiefel sind schlammig.|Die Pfanne ist fettig.|Die Münze ist glänzend."
        "|Die Medizin ist bitter.|Seine Stimme ist heiser.|Es war ein nebliger Morgen."
        "|Der grausame König lachte.|Ein tapferer Soldat kam zurück.|Der gierige Händler lächelte."
        "|Sie kaufte eine zerbrechliche Vase.",
    "es": "Las botas están embarradas.|La sartén está grasienta.|La moneda es brillante."
        "|La medicina es amarga.|Su voz está ronca.|Era una mañana brumosa.|El cruel rey se rio."
        "|Un soldado valiente volvió.|El comerciante codicioso sonrió.|Compró un jarrón frágil.",
    "fr": "Les bottes sont boueuses.|La poêle est grasse.|La pièce de monnaie est brillante."
        "|Le médicament est amer.|Sa voix est rauque.|C'était un matin brumeux.|Le roi cruel a ri."
        "|Un soldat courageux est revenu.|Le marchand avide a souri.|Elle a acheté un vase fragile.",
    "it": "Gli stivali sono fangosi.|La padella è unta.|La moneta è lucida.|La medicina è amara."
        "|La sua voce è rauca.|Era una mattina nebbiosa.|Il re crudele rise."
        "|Un soldato coraggioso è tornato.|Il mercante avido sorrise.|Ha comprato un vaso fragile.",
    "nl": "De laarzen zijn modderig.|De pan is vettig.|De munt is glanzend.|Het medicijn is bitter."
        "|Zijn stem is schor.|Het was een mistige ochtend.|De wrede koning lachte."
        "|Een dappere soldaat kwam terug.|De hebzuchtige koopman glimlachte."
        "|Ze kocht een breekbare vaas.",
    "pl": "Buty są błotniste.|Patelnia jest tłusta.|Moneta jest błyszcząca.|Lekarstwo jest gorzkie."
        "|Jego głos jest ochrypły.|To był mglisty poranek.|Okrutny król się zaśmiał."
        "|Wrócił dzielny żołnierz.|Chciwy kupiec się uśmiechnął.|Kupiła kruchy wazon.",
    "pt": "As botas estão enlameadas.|A frigideira está gordurosa.|A moeda é brilhante."
        "|O remédio é amargo.|A voz dele está rouca.|Era uma manhã nebulosa.|O rei cruel riu."
        "|Um soldado corajoso voltou.|O comerciante ganancioso sorriu.|Ela comprou um vaso frágil.",
    "ru": "Сапоги грязные.|Сковорода жирная.|Монета блестящая.|Лекарство горькое.|Его голос хриплый."
        "|Это было туманное утро.|Жестокий король засмеялся.|Храбрый солдат вернулся."
        "|Жадный купец улыбнулся.|Она купила хрупкую вазу.",
    "sv": "Stövlarna är leriga.|Stekpannan är fet.|Myntet är blankt.|Medicinen är bitter."
        "|Hans röst är hes.|Det var en dimmig morgon.|Den grymme kungen skrattade."
        "|En modig soldat kom tillbaka.|Den giriga köpmannen log.|Hon köpte en bräcklig vas.",
    "tr": "Çizmeler çamurlu.|Tava yağlı.|Madeni para parlak.|İlaç acı.|Sesi kısık.|Sisli bir sabahtı."
        "|Zalim kral güldü.|Cesur bir asker geri döndü.|Açgözlü tüccar gülümsedi."
        "|Kırılgan bir vazo aldı.",
    "fi": "Saappaat ovat mutaiset.|Pannu on rasvainen.|Kolikko on kiiltävä.|Lääke on karvas."
        "|Hänen äänensä on käheä.|Oli sumuinen aamu.|Julma kuningas nauroi.|Rohkea sotilas palasi."
        "|Ahne kauppias hymyili.|Hän osti hauraan maljakon.",
    "nb": "Støvlene er gjørmete.|Stekepannen er fet.|Mynten er blank.|Medisinen er bitter."
        "|Stemmen hans er hes.|Det var en tåkete morgen.|Den grusomme kongen lo."
        "|En modig soldat kom tilbake.|Den grådige kjøpmannen smilte.|Hun kjøpte en skjør vase.",
    "el": "Οι μπότες είναι λασπωμένες.|Το τηγάνι είναι λιπαρό.|Το νόμισμα είναι γυαλιστερό."
        "|Το φάρμακο είναι πικρό.|Η φωνή του είναι βραχνή.|Ήταν ένα ομιχλώδες πρωί."
        "|Ο σκληρός βασιλιάς γέλασε.|Ένας γενναίος στρατιώτης επέστρεψε."
        "|Ο άπληστος έμπορος χαμογέλασε.|Αγόρασε ένα εύθραυστο βάζο.",
    "ca": "Les botes estan enfangades.|La paella és greixosa.|La moneda és brillant."
        "|El medicament és amarg.|La seva veu és ronca.|Era un matí boirós.|El rei cruel va riure."
        "|Un soldat valent va tornar.|El comerciant avariciós va somriure."
        "|Va comprar un gerro fràgil.",
    "bg": "Ботушите са кални.|Тиганът е мазен.|Монетата е лъскава.|Лекарството е горчиво."
        "|Гласът му е дрезгав.|Беше мъгливо утро.|Жестокият крал се засмя.|Храбър войник се върна."
        "|Алчният търговец се усмихна.|Тя купи крехка ваза.",
    "ja": "長靴は泥だらけだ。|フライパンは脂っこい。|硬貨はきらきらしている。|薬は苦い。"
        "|彼の声はかすれている。|霧の深い朝だった。|残酷な王様が笑った。|勇敢な兵士が戻ってきた。"
        "|欲張りな商人が微笑んだ。|彼女は壊れやすい花瓶を買った。",
}  # fmt: skip
"""Ten sentences per language about the things that `ADJECTIVES` describe."""
ADJECTIVES = (
    {"muddy", "mud"}, {"greasy", "fatty", "fat", "oily", "grease"},
    {"shiny", "shine", "bright", "glossy", "brilliant", "glitter", "sparkle"}, {"bitter"},
    {"hoarse", "husky", "raspy"}, {"foggy", "misty", "fog", "mist", "hazy"},
    {"cruel", "brutal", "harsh", "ruthless"}, {"brave", "courageous", "bold", "courage", "valiant"},
    {"greedy", "avaricious", "greed"}, {"fragile", "brittle", "frail", "break", "breakable"},
)  # fmt: skip
"""Right concepts for the adjective of each sentence, without senses."""

COMPOUNDS = {
    "de": ("Gestern haben wir {} gesehen.", "eine Glühbirne|eine Tankstelle|einen Wecker"
        "|einen Feuerlöscher|ein Schwimmbad|eine Bratpfanne|ein Lenkrad"
        "|einen Sicherheitsgurt|einen Eisbären|eine Fernbedienung|einen Rollstuhl"
        "|eine Nähmaschine"),
    "nl": ("Gisteren hebben we {} gezien.", "een gloeilamp|een tankstation|een wekker"
        "|een brandblusser|een zwembad|een koekenpan|een stuur|een veiligheidsgordel"
        "|een ijsbeer|een afstandsbediening|een rolstoel|een naaimachine"),
    "sv": ("Igår såg vi {}.", "en glödlampa|en bensinstation|en väckarklocka"
        "|en brandsläckare|en simbassäng|en stekpanna|en ratt|ett säkerhetsbälte|en isbjörn"
        "|en fjärrkontroll|en rullstol|en symaskin"),
    "nb": ("I går så vi {}.", "en lyspære|en bensinstasjon|en vekkerklokke"
        "|et brannslukningsapparat|et svømmebasseng|en stekepanne|et ratt"
        "|et sikkerhetsbelte|en isbjørn|en fjernkontroll|en rullestol|en symaskin"),
    "fi": ("Näimme eilen {}.", "hehkulampun|huoltoaseman|herätyskellon|palosammuttimen"
        "|uima-altaan|paistinpannun|ohjauspyörän|turvavyön|jääkarhun|kaukosäätimen"
        "|pyörätuolin|ompelukoneen"),
    "es": ("Ayer vimos {}.", "una bombilla|una gasolinera|un despertador|un extintor"
        "|una piscina|una sartén|un volante|||||"),
    "fr": ("Hier, nous avons vu {}.", "une ampoule||un réveil|un extincteur|une piscine"
        "|une poêle|un volant|||une télécommande||"),
    "it": ("Ieri abbiamo visto {}.", "una lampadina||una sveglia|un estintore|una piscina"
        "|una padella|un volante|||un telecomando||"),
    "pt": ("Ontem vimos {}.", "uma lâmpada||um despertador|um extintor|uma piscina"
        "|uma frigideira|um volante|||||"),
    "pl": ("Wczoraj widzieliśmy {}.", "żarówkę||budzik|gaśnicę|basen|patelnię|kierownicę|||||"),
    "ru": ("Вчера мы видели {}.", "лампочку||будильник|огнетушитель|бассейн|сковороду|руль|||||"),
    "tr": ("Dün {} gördük.", "bir ampul||||bir havuz|bir tava|bir direksiyon||||"),
    "ja": ("昨日{}を見ました。", "電球|ガソリンスタンド|目覚まし時計|消火器|プール"
        "|フライパン|ハンドル|シートベルト|シロクマ|リモコン|車椅子|ミシン"),
    "zh": ("昨天我们看到了{}。", "灯泡|加油站|闹钟|灭火器|游泳池|煎锅|方向盘|安全带|北极熊"
        "|遥控器|轮椅|缝纫机"),
}  # fmt: skip
"""Templates and their nouns, of the kinds of `PARTS`; empty for nouns that are no compounds in English."""
PARTS = (
    ({"bulb", "lamp"}, {"light"}), ({"station"}, {"gas", "petrol", "fill", "service", "gasoline"}),
    ({"clock", "alarm"}, {"alarm"}), ({"extinguisher"}, {"fire"}), ({"pool"}, {"swim", "swimming"}),
    ({"pan", "skillet"}, {"fry", "frying"}), ({"wheel"}, {"steer", "steering"}),
    ({"belt", "seatbelt"}, {"seat", "safety"}), ({"bear"}, {"polar", "ice"}), ({"control"}, {"remote"}),
    ({"wheelchair"}, {"wheelchair"}), ({"machine"}, {"sew", "sewing"}),
)  # fmt: skip
"""Right concepts for the head and for the modifier of each compound, without senses."""

PLURALS = (
    "candle candles|rope ropes|fork forks|tray trays|jar jars|lid lids|mug mugs|napkin napkins|carpet carpets"
    "|fence fences|hook hooks|tile tiles|brick bricks|plank planks|brush brushes|tube tubes|battery batteries"
    "|lens lenses|tripod tripods|magnet magnets|coin coins|wallet wallets|purse purses|backpack backpacks"
    "|helmet helmets|tent tents|whistle whistles|drum drums|flute flutes|violin violins"
)
"""English nouns and their plurals."""
PASTS = (
    "weld welded|solder soldered|sharpen sharpened|trim trimmed|mow mowed|prune pruned|weed weeded"
    "|plow plowed|brew brewed|steam steamed|roast roasted|mash mashed|slice sliced|mince minced"
    "|season seasoned|marinate marinated|chill chilled|thaw thawed|rinse rinsed|soak soaked"
    "|embroider embroidered|encrypt encrypted|format formatted|crop cropped|mute muted"
    "|rewind rewound|archive archived|varnish varnished|engrave engraved|wax waxed"
)
"""English verbs and their past tenses."""

EVERYDAY_NOUNS = {
    "de": (
        ("tap", "Der Wasserhahn tropft seit gestern."),
        ("sleeve", "In meinem Ärmel ist ein Loch."),
        ("fork", "Die Gabeln liegen in der Schublade."),
        ("waiter", "Der Kellner brachte das Brot."),
        ("stain", "Auf dem Hemd ist ein Fleck."),
        ("socket", "Die Steckdose im Bad funktioniert nicht."),
    ),
    "es": (
        ("tap", "El grifo de la cocina gotea."),
        ("fork", "Faltan dos tenedores."),
        ("lock", "La cerradura está rota."),
        ("crack", "Hay una grieta en la pared."),
        ("tenant", "El inquilino no paga."),
        ("pan", "Compré una sartén nueva."),
    ),
    "fr": (
        ("tap", "Le robinet fuit."),
        ("scratch", "Il y a une rayure sur l'écran."),
        ("waiter", "Le serveur a oublié nos boissons."),
        ("platform", "Le train part du quai trois."),
        ("tenant", "Le locataire a cassé la lampe."),
        ("suitcase", "Ma valise est perdue."),
    ),
    "it": (
        ("pan", "La padella è troppo calda."),
        ("waiter", "Il cameriere è gentile."),
        ("fork", "Manca una forchetta."),
        ("lock", "La serratura non funziona."),
        ("stain", "C'è una macchia sulla camicia."),
        ("wallet", "Ho dimenticato il portafoglio."),
    ),
    "ja": (
        ("tap", "蛇口から水が漏れています。"),
        ("fork", "フォークを一本ください。"),
        ("wallet", "財布をなくしました。"),
        ("sleeve", "袖が長すぎます。"),
        ("waiter", "ウェイターを呼んでください。"),
        ("pan", "フライパンを洗ってください。"),
    ),
    "nl": (
        ("tap", "De kraan lekt."),
        ("pillow", "Het kussen is te zacht."),
        ("fork", "De vork viel op de grond."),
        ("stain", "Er zit een vlek op mijn jas."),
        ("tenant", "De huurder betaalt te laat."),
        ("lock", "Het slot is kapot."),
    ),
    "pl": (
        ("fork", "Widelce są brudne."),
        ("wallet", "Zgubiłem portfel."),
        ("elevator", "Winda nie działa."),
        ("stain", "Na koszuli jest plama."),
        ("tenant", "Lokator nie płaci czynszu."),
        ("pan", "Patelnia jest gorąca."),
    ),
    "pt": (
        ("tap", "A torneira está pingando."),
        ("fork", "Preciso de um garfo."),
        ("tenant", "O inquilino saiu ontem."),
        ("stain", "Há uma mancha no tapete."),
        ("pillow", "O travesseiro é duro."),
        ("elevator", "O elevador parou."),
    ),
    "ru": (
        ("blanket", "Дай мне второе одеяло."),
        ("fork", "Вилки лежат на столе."),
        ("waiter", "Официант принёс суп."),
        ("crack", "В стене появилась трещина."),
        ("lock", "Замок сломался."),
        ("pan", "Сковорода слишком тяжёлая."),
    ),
    "tr": (
        ("tap", "Musluk damlıyor."),
        ("tenant", "Kiracı kirayı ödemedi."),
        ("fork", "Çatallar nerede?"),
        ("crack", "Duvarda bir çatlak var."),
        ("waiter", "Garson hesabı getirdi."),
        ("pillow", "Yastığım çok sert."),
    ),
    "zh": (
        ("tap", "水龙头漏水了。"),
        ("wallet", "我的钱包丢了。"),
        ("fork", "叉子掉在地上了。"),
        ("crack", "墙上有一条裂缝。"),
        ("waiter", "服务员很忙。"),
        ("tenant", "租客没有交房租。"),
    ),
}
"""A noun and a sentence with it."""
