import math

import pytest
import torch

from parser.mini.decode import Decoder
from parser.mini.decoder_step import NEVER, add_ways
from parser.mini.symbols import END
from tests.support.mini_networks import batch, network_of

__all__ = ["batch"]


def test_a_node_scores_by_all_the_ways_that_say_it():
    nodes, copies = [0.5, NEVER, 2.0, -1.0], [1.0, 3.0, 1.0, NEVER, 0.0]
    yields = [2, 1, 2, 0, -5]
    scores = torch.tensor([[*nodes, *copies]] * 2)
    made = add_ways(scores.clone(), torch.tensor([yields, [-1] * 5]))
    for node, score in enumerate(nodes):
        ways = [score, *(c for c, symbol in zip(copies, yields, strict=True) if symbol == node)]
        assert float(made[0, node]) == pytest.approx(math.log(sum(map(math.exp, ways))))
    assert made[0, 4:].tolist() == [NEVER, NEVER, NEVER, NEVER, 0.0]
    assert torch.equal(made[1], scores[1])


def test_step_by_step_the_hidden_states_are_those_of_training(examples, names, batch):
    features, vector, mask, sources = batch
    network = network_of(examples, names, 0)
    decoder = Decoder(network, examples[1])
    with torch.inference_mode():
        for row, source in enumerate(sources):
            one = features[row : row + 1], vector[row : row + 1], mask[row : row + 1]
            rows, seen, steps = decoder.start(*one, [source]), [], []
            for step in range(decoder.limits([source])[0]):
                seen.append((rows.token, rows.states.depth, rows.states.parent, rows.copied))
                steps.append(decoder.hidden(rows, step))
                ((_, scores),) = decoder.scores(steps[-1], rows)
                decoder.follow(rows, scores.argmax(1))
                if int(rows.token) == END:
                    break
            inputs = tuple(torch.stack(column, 1) for column in zip(*seen, strict=True))
            whole, _ = network(*one, inputs)
            assert torch.allclose(torch.stack(steps, 1), whole, atol=1e-4)
