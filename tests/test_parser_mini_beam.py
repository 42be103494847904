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
    """Beam search over lists of choices, each of them followed from the start at every step."""
    limit = decoder.limits([source])[0]

    def replay(choices):
        rows, ids = decoder.start(features, vector, mask, [source]), []
        for step, choice in enumerate(choices):
            decoder.hidden(rows, step)
            decoder.follow(rows, torch.tensor([choice]))
            ids.append(int(rows.token))
        return rows, ids

    beams = [(0.0, [], False)]
    for step in range(limit):
        longer = [beam for beam in beams if beam[2]]
        for score, choices, done in beams:
            if done:
                continue
            rows, _ = replay(choices)
            hidden = decoder.hidden(rows, step)
            ((_, scores),) = decoder.scores(hidden, rows)
            logs = torch.log_softmax(scores[0].double(), 0)
            for choice in logs.topk(decoder.beam).indices.tolist():
                if logs[choice] > float("-inf"):
                    longer.append((score + float(logs[choice]), [*choices, choice], choice == END))
        beams = sorted(longer, key=lambda beam: -beam[0])[: decoder.beam]
        if all(beam[2] for beam in beams):
            break
    best = max(beams, key=lambda beam: beam[0] / len(beam[1]))
    return replay(best[1])[1], not best[2]


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
