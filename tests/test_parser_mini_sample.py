"""Graphs drawn from the parser's distribution: the law of the draws, and draws over plain lists."""

from dataclasses import replace

import pytest
import torch

from amrx.errors import OptionError
from amrx.types import Sentence
from parser.mini.decode import TEMPERATURE, Decoder, draw, points
from parser.mini.model import MOST_STEPS
from parser.mini.parser import MiniParser
from parser.mini.symbols import END
from tests.support.mini_networks import batch, network_of

__all__ = ["batch"]


def test_evenly_spaced_points_draw_each_choice_as_often_as_it_is_probable():
    scores = torch.randn(7, generator=torch.Generator().manual_seed(0)) * 2
    scores[3] = float("-inf")
    number = 10_000
    even = (torch.arange(number) + 0.5) / number
    counts = draw(scores[None], even)[0].bincount(minlength=7)
    assert (counts - number * scores.double().softmax(0)).abs().max() <= 1.01
    assert counts[3] == 0


def test_nothing_impossible_is_drawn_at_the_ends():
    impossible = float("-inf")
    scores = torch.tensor([[impossible, 0.0, -30.0, impossible]] * 2)
    largest = points(1).clamp_min(2).clamp_max(1 - 2.0**-20)[0, 0]
    assert draw(scores, torch.tensor([0.0, float(largest)])).tolist() == [[1, 1], [1, 1]]


def test_each_part_of_the_unit_interval_has_one_point_a_step():
    table = points(6)
    assert table.shape == (MOST_STEPS, 6)
    assert torch.equal((table * 6).long().sort().values, torch.arange(6).expand(MOST_STEPS, 6))
    assert torch.equal(table, points(6))
    assert len({tuple(row) for row in (table * 6).long().tolist()}) > 100  # of 720 orders
    # of all numbers of a reading the mean and the variance are those of the uniform distribution
    assert (table.mean(0) - 1 / 2).abs().max() < 0.1
    assert (table.var(0) - 1 / 12).abs().max() < 0.03


def drawn(decoder, features, vector, mask, source, reading):
    """One reading over lists of choices, in float64, followed from the start with no reading beside it."""
    rows, ids = decoder.start(features, vector, mask, [source]), []
    for step in range(decoder.limits([source])[0]):
        hidden = decoder.hidden(rows, step)
        ((_, scores),) = decoder.scores(hidden, rows)
        shares = (scores[0].double() / TEMPERATURE).softmax(0).tolist()
        point, choice = float(decoder.points[step, reading]), 0
        while point >= shares[choice]:
            point -= shares[choice]
            choice += 1
        decoder.follow(rows, torch.tensor([choice]))
        ids.append(int(rows.token))
        if ids[-1] == END:
            return ids, False
    return ids, True


@pytest.mark.parametrize("seed", [0, 1])
def test_the_draws_are_those_over_plain_lists(examples, names, batch, seed):
    features, vector, mask, sources = batch
    decoder = Decoder(network_of(examples, names, seed), examples[1], 2, 3)
    search = Decoder(decoder.network, examples[1], 2)
    different = 0
    with torch.inference_mode():
        found = decoder(*batch)
        assert found.ids.shape[0] == 4 * len(sources)
        best = search(*batch)
        steps = best.ids.shape[1]
        assert torch.equal(found.ids[::4, :steps], best.ids) and torch.equal(found.cut[::4], best.cut)
        for row, source in enumerate(sources):
            one = slice(row, row + 1)
            readings = []
            for reading in range(3):
                ids, cut = drawn(decoder, features[one], vector[one], mask[one], source, reading)
                place = 4 * row + 1 + reading
                assert found.ids[place, : len(ids)].tolist() == ids
                assert found.ids[place, len(ids) :].eq(END).all()
                assert bool(found.cut[place]) == cut
                readings.append(ids)
            different += len({tuple(ids) for ids in readings}) == 3
    assert different == len(sources)


def test_a_network_that_is_sure_draws_what_greedy_decoding_says(examples, names, batch):
    network = network_of(examples, names, 0)

    class Sure(Decoder):
        def scores(self, hidden, rows):
            return [(readings, 1e4 * scores) for readings, scores in super().scores(hidden, rows)]

    with torch.inference_mode():
        greedy = Decoder(network, examples[1])(*batch)
        drawn = Sure(network, examples[1], 1, 2)(*batch)
    assert torch.equal(drawn.ids, greedy.ids.repeat_interleave(3, 0))
    assert torch.equal(drawn.cut, greedy.cut.repeat_interleave(3))
    going = drawn.ids != END
    for name in ("slots", "looked"):
        expected = getattr(greedy, name).repeat_interleave(3, 0)
        assert torch.equal(getattr(drawn, name)[going], expected[going])


def test_readings_with_one_beginning_are_computed_once(examples, names, batch):
    sizes: list[tuple[int, int]] = []

    class Counting(Decoder):
        def hidden(self, rows, step):
            sizes.append((step, len(rows.place)))
            return super().hidden(rows, step)

    with torch.inference_mode():
        found = Counting(network_of(examples, names, 0), examples[1], 2, 3)(*batch)
    drawn = found.ids.view(len(batch[3]), 4, -1)[:, 1:].tolist()
    for step, size in sizes:
        open_ = [{tuple(ids[:step]) for ids in readings if END not in ids[:step]} for readings in drawn]
        # a search may go on from two more
        assert 0 <= size - sum(map(len, open_)) <= 2 * len(open_)
    assert sizes[0] == (0, len(batch[3]))


def test_a_parser_that_draws_gives_valid_graphs_whatever_stands_beside(examples, names, tokenizer):
    parser = MiniParser(network_of(examples, names, 3), examples[1], tokenizer, "tiny")
    drawing = parser.with_samples(4)
    assert drawing.fingerprint == "tiny-beam2+tiny-samples4"
    assert drawing.with_beam(3).fingerprint == "tiny-beam3+tiny-samples4"
    sentences = [Sentence(str(n), example.text, "en") for n, example in enumerate(examples[0])]
    together = drawing.parse(sentences)
    assert {len(parse.readings) for parse in together} == {5}
    alone = [drawing.parse([sentence], batch_size=1)[0] for sentence in sentences]
    for one, other in zip(together, alone, strict=True):
        assert one.graph.triples == other.graph.triples
        search = replace(one, graph=one.readings[0])
        assert one.graph.triples == drawing.mended(search).graph.triples
        assert [graph.triples for graph in one.readings] == [graph.triples for graph in other.readings]
    empty = drawing.parse([Sentence("e", "", "en")])[0]
    assert (empty.status, empty.readings) == ("failed", ())


def test_no_draw_is_refused(examples, names, tokenizer):
    parser = MiniParser(network_of(examples, names, 3), examples[1], tokenizer, "tiny")
    with pytest.raises(OptionError, match="samples must be at least 1, got 0"):
        parser.with_samples(0)
