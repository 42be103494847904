"""Read and correct by rule what CLDR, num2words and lists know better than a small network.

::

    text     ──greetings, rewordings, fractions, spelled_numbers, spelled_clocks──> text that is read
             ──literals──> words to copy
    graph    ──addresses, language_names, dates, relative_times, calendar_names,
               nouns, people, verbs, adjectives──> reading
    elected  ──lists, name_words, whole_names, illness, negation, negation_scope, clauses, object_first,
               endings, passives, separable_verbs, phases, thanks, possession, possessives,
               relative_clauses, whose, where, speakers, hearers, recipients, indirect_questions,
               final_negation, no_longer, only, not_only, contrasts, confused_words, recommendations,
               adverbs, control, not_all, city_names, journeys, named_units, without, addresses,
               calendar_names, exceptions, days, weekday_pairs, ranges, time_relations, moods, rates,
               multiples, repetitions, questions, prices, temperatures, age_differences, fractions, bounds,
               lost_numbers, greetings, same_names──> graph that is given
               ──missing──> words that it lacks

Nothing here is trained, and nothing imports the network.
"""
