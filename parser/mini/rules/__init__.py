"""Read and correct by rule what CLDR, num2words and lists know better than a small network.

::

    text     ──greetings, rewordings, spelled_days, fractions, halves,
               spelled_numbers, spelled_clocks──> text that is read
             ──literals──> words to copy
    graph    ──addresses, language_names, dates, relative_times, calendar_names,
               nouns, people, verbs, adjectives──> reading
    elected  ──the rules of `parser.mini.elected`──> graph that is given
               ──missing──> words that it lacks

Nothing here is trained, and nothing imports the network.
"""
