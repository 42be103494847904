import copy

import pytest
import torch

from amrx.errors import OptionError
from amrx.types import Sentence
from parser.mini.decode import Decoder
from parser.mini.parser import MiniParser
from parser.mini.symbols import END
from tests.support.mini_networks import batch, network_of

__all__ = ["batch"]


def searched(decoder, features, vector, mask, source):
    """Beam search over lists of symbols; each beginning has rows of its own."""
    beams = [(0.0, [], decoder.start(features, vector, mask, [source]))]
    for step in range(decoder.limits([source])[0]):
        longer = [(score, ids, rows, None) for score, ids, rows in beams if ids[-1:] == [END]]
        for score, ids, rows in beams:
            if ids[-1:] == [END]:
                continue
            ((_, scores),) = decoder.scores(decoder.hidden(rows, step), rows)
            logs = torch.log_softmax(scores[0].double(), 0)
            for choice in logs.topk(decoder.beam).indices.tolist():
                if logs[choice] > float("-inf"):
                    longer.append((score + float(logs[choice]), ids, rows, choice))
        best = sorted(longer, key=lambda beam: -beam[0])[: decoder.beam]
        beams = [followed(decoder, *beam) for beam in best]
    score, ids, _ = max(beams, key=lambda beam: beam[0] / len(beam[1]))
    return ids, ids[-1] != END


def followed(decoder, score, ids, rows, choice):
    """Go on with a choice in a copy of the rows."""
    if choice is None:
        return score, ids, rows
    rows = copy.deepcopy(rows)
    decoder.follow(rows, torch.tensor([choice]))
    return score, [*ids, int(rows.token)], rows


@pytest.mark.parametrize(("seed", "width"), [(0, 1), (0, 2), (1, 3), (2, 4)])
def test_the_search_is_that_over_plain_lists(examples, names, batch, seed, width):
    features, vector, mask, sources = batch
    decoder = Decoder(network_of(examples, names, seed), examples[1], width)
    lengths: list[int] = []
    with torch.inference_mode():
        found = decoder(*batch)
        for row, source in enumerate(sources):
            one = slice(row, row + 1)
            ids, cut = searched(decoder, features[one], vector[one], mask[one], source)
            lengths.append(len(ids))
            said = found.ids[row, : len(ids)].tolist()
            assert said == ids
            assert found.ids[row, len(ids) :].eq(END).all()
            assert bool(found.cut[row]) == cut
    assert max(lengths) > 4


def test_a_parser_with_a_beam_gives_valid_graphs_under_its_own_fingerprint(examples, names, tokenizer):
    parser = MiniParser(network_of(examples, names, 3), examples[1], tokenizer, "tiny", beam=1)
    sentences = [Sentence(str(n), example.text, "en") for n, example in enumerate(examples[0])]
    wide = parser.with_beam(4)
    assert (parser.fingerprint, wide.fingerprint) == ("tiny-beam1", "tiny-beam4")
    assert wide.with_beam(2).fingerprint == "tiny-beam2"
    together = wide.parse(sentences)
    assert all(parse.status in ("ok", "repaired") for parse in together)
    assert all("graph cut at the longest length" in p.repairs for p in together if p.status == "repaired")
    alone = [wide.parse([sentence], batch_size=1)[0] for sentence in sentences]
    assert [p.graph.triples for p in together] == [p.graph.triples for p in alone]
    with pytest.raises(OptionError, match="beam must be at least 1, got 0"):
        parser.with_beam(0)
