"""retrofit.model_card: the card is that of a run's end, unless a person wrote it."""

import dataclasses
from pathlib import Path

from retrofit.model_card import read_card, write_card
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.train import train
from retrofit.training.bases.folder import Origin, prepare_folder, write_encoder
from retrofit.training.bases.sources import Source
from tests.support.amr_toys import backbone, corpus, recipe

__all__ = ["backbone", "corpus", "recipe"]


def test_a_card_is_written_anew_until_somebody_edits_it(tmp_path: Path):
    card = tmp_path / "README.md"
    write_card(tmp_path, "# One\n")
    assert card.read_text().startswith("# One\n\n<!-- amrx writes this card anew until somebody edits it: ")
    write_card(tmp_path, "# Two\n")
    assert read_card(tmp_path) == "# Two\n"
    for edited in (card.read_text() + "Licence: none.\n", card.read_text().replace("Two", "2"), "Mine.\n"):
        card.write_text(edited)
        write_card(tmp_path, "# Three\n")
        assert card.read_text() == edited
    card.write_bytes(b"\xff")  # in another encoding, so by somebody
    write_card(tmp_path, "# Three\n")
    assert card.read_bytes() == b"\xff"


def test_a_card_without_its_line_is_all_that_was_written(tmp_path: Path):
    assert read_card(tmp_path) == ""
    write_card(tmp_path, "# One\n")
    with (tmp_path / "README.md").open("a") as file:
        file.write("Licence: none.\n")
    assert read_card(tmp_path) == "# One\nLicence: none.\n"


def test_the_card_of_a_run_that_was_stopped_is_that_of_its_end(corpus: Path, recipe: Recipe, tmp_path: Path):
    train(corpus, tmp_path / "whole", recipe, "cpu")
    train(corpus, tmp_path / "parts", recipe, "cpu", time_limit=0.0)
    before = read_card(tmp_path / "parts")
    train(corpus, tmp_path / "parts", recipe, "cpu")
    whole = read_card(tmp_path / "whole")
    assert read_card(tmp_path / "parts") == whole != before

    train(corpus, tmp_path / "parts", dataclasses.replace(recipe, seed=4), "cpu", resume=False)
    assert '"seed": 4' in read_card(tmp_path / "parts")
    header = (tmp_path / "parts" / "README.md").read_text("utf-8").split("---\n")[1]
    assert header.startswith("library_name: amrx\n") and "---" not in read_card(tmp_path / "parts")[:9]


class Untrained:
    """What `write_encoder` needs of an encoder."""

    def save(self, path: str, *, create_model_card: bool) -> None:
        Path(path).mkdir()

    def get_embedding_dimension(self) -> int:
        return 3


def test_the_card_of_a_base_encoder_is_that_of_the_run_that_wrote_it_last(recipe: Recipe, tmp_path: Path):
    text = tmp_path / "de.txt"
    text.write_text("Ein Hund.\n")
    out = prepare_folder(tmp_path / "out", fresh=False).parent
    for rows in (2, 3):
        source = Source("text", ("de",), (text,))
        write_encoder(out, Untrained(), Origin("emma-x", recipe, (source,), (rows,)))
        assert f"| text | {rows} |" in read_card(out)
