"""Write the sentence of a frame.

::

    {who.nom}          the form "nom" of the filler of the slot who
    {deed.past@who}    the form past_f, past_3s or past, whichever is first in the agreement of who
    {have@who}         a word of the language that agrees with who
    {w}                in the form of an entry: another form of the same entry
    [also/again/]      one of these
    j'~                joined to the next word, without the space between them

A form may have slots of its own entry, and ``subj``, ``obj`` and ``rec``, those that the meaning binds.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from parser.training.constructions.lexicon import Entry, Language

_FIELD = re.compile(r"\{([a-z0-9_]+)(?:\.([a-z0-9_]+))?((?:@[a-z0-9.]+)?)\}")
_CHOICE = re.compile(r"\[([^\[\]]*/[^\[\]]*)\]")
_SPACES = re.compile(r" {2,}")
_BEFORE_MARK = re.compile(r"(?:,? +|,)([,.،])")
_BEFORE_LOUD_MARK = re.compile(r" +([?!])")


class MissingFormError(LookupError):
    """A filler has no form that a frame needs."""


@dataclass(frozen=True, slots=True)
class Filled:
    """An entry in a slot, with the fillers of its own slots and of those bound to it."""

    entry: Entry
    inner: dict[str, "Filled"] = field(default_factory=dict)


def _agreed(forms: Mapping[str, str], form: str, keys: str) -> str:
    for key in keys.split():
        if f"{form}_{key}" in forms:
            return forms[f"{form}_{key}"]
    if form not in forms:
        raise MissingFormError(form)
    return forms[form]


@dataclass(frozen=True, slots=True)
class Writer:
    """Write frames of a language, with one source of chance."""

    language: Language
    rng: Random

    def _forms(self, filled: Filled) -> Mapping[str, str]:
        kind, name = filled.entry.kind, filled.entry.name
        try:
            return self.language.forms[kind][name]
        except KeyError:
            raise MissingFormError(f"{kind}.{name}") from None

    def _keys(self, path: str, slots: Mapping[str, Filled]) -> str:
        """Return the agreement of a filler, also of a slot of its own."""
        for name in path.split("."):
            if name not in slots:
                raise MissingFormError(path)
            filled, slots = slots[name], slots[name].inner
        return self._expand(self._forms(filled).get("agr", ""), slots, self._forms(filled))

    def _value(self, slots: Mapping[str, Filled], own: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
        def value(match: re.Match[str]) -> str:
            name, form, other = match[1], match[2], match[3][1:]
            keys = self._keys(other, slots) if other else ""
            if form is None:
                table = own if name in own else self.language.words.get(name)
                if table is None:
                    raise MissingFormError(name)
                if table is own:
                    return self._expand(own[name], slots, own)
                word = next((table[key] for key in (*keys.split(), "x") if key in table), None)
                if word is None:
                    raise MissingFormError(f"{name} {keys}")
                return self._expand(word, slots, own)
            if name not in slots:
                raise MissingFormError(name)
            filled = slots[name]
            forms = self._forms(filled)
            return self._expand(_agreed(forms, form, keys), filled.inner, forms)

        return value

    def _expand(self, template: str, slots: Mapping[str, Filled], own: Mapping[str, str]) -> str:
        if "[" in template:
            template = _CHOICE.sub(lambda match: self.rng.choice(match[1].split("/")), template)
        return _FIELD.sub(self._value(slots, own), template) if "{" in template else template

    def write(self, frame: str, slots: Mapping[str, Filled]) -> str:
        """Return a sentence that begins with a capital.

        Raises:
            MissingFormError: A filler has no form that the frame needs.
        """
        text = _SPACES.sub(" ", self._expand(frame, slots, {})).replace("~ ", "").replace("~", "")
        text = _BEFORE_MARK.sub(r"\1", text).strip()
        if " ?" not in frame and " !" not in frame:  # French writes a space there
            text = _BEFORE_LOUD_MARK.sub(r"\1", text)
        start = next((i for i, letter in enumerate(text) if letter.isalnum()), 0)
        capitals = self.language.words.get("capitals", {})
        return text[:start] + capitals.get(text[start], text[start].upper()) + text[start + 1 :]
