"""What a decoder said, read as packed symbols."""

from __future__ import annotations

from typing import NamedTuple

from parser.mini.source import Source
from parser.mini.symbols import COPY, DONE, END, SPELL, Alphabet, State, copied


class Symbols(NamedTuple):
    """One decoded row, read.

    Attributes:
        packed: Packed symbols.
        slots: For each concept among them the memory slot that it came from, 0 for none.
    """

    packed: list[str]
    slots: list[int]


def read_symbols(
    ids: list[int], slots: list[int], looked: list[int], source: Source, alphabet: Alphabet
) -> Symbols:
    """Read one decoded row up to its end.

    A copied word is written as what its place asks for; a spelled one is put together.
    """
    words = {start + 1: word for word, start in zip(source.words, source.starts, strict=True)}
    name_id = alphabet.ids.get("name", -1)
    state = State()
    read = Symbols([], [])
    spelled: list[str] = []
    for symbol_id, slot, look in zip(ids, slots, looked, strict=True):
        symbol = alphabet.symbols[symbol_id]
        if symbol_id == END:
            break
        if symbol_id == SPELL:
            spelled = []
            continue
        if symbol_id < alphabet.first_role and symbol_id not in (COPY, DONE):
            spelled.append(symbol)
            continue
        if symbol_id in (COPY, DONE) or symbol_id >= alphabet.first_node:
            if symbol_id == COPY:
                symbol = copied(words[slot], state.in_name(name_id)) or words[slot].lower()
            elif symbol_id == DONE:
                symbol = "".join(spelled)
            rank = state.rank
            state.take_node(symbol, SPELL if symbol_id == DONE else symbol_id)
            if state.rank > rank:
                read.slots.append(slot or look)
        else:
            state.take_role(symbol)
        read.packed.append(symbol)
    return read
