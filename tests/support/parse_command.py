"""``amrx parse`` with the toy parser, for the tests of the command."""

from __future__ import annotations

from amrx.cli import main

FOUR = 'Der Junge will gehen.\n\nHallo Welt\n   \nAdiós "amigo" (ya) :x / y\n'


def run(*arguments):
    return main(["parse", *map(str, arguments), "--parser", "toy"])


def put(path, text):
    path.write_text(text, encoding="utf-8")
    return path
